import Foundation
import Partitions
import Support
import Testing

/// Where push.db is, and what stays as it was when a new file takes its place.
@Suite(.needs(.python3))
struct PushPlaceTests {
    /// An output with a log date that is not published yet.
    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 07:00:00"))]))
        return scene
    }

    /// Runs a command in the output's folder.
    @discardableResult
    private func shell(_ command: String, _ scene: Scene) throws -> String {
        let shell = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        return try shell.run(["-c", command], in: URL(fileURLWithPath: scene.folder.path)).stdout
    }

    private func events(_ scene: Scene) throws -> [String] { try scene.rows("SELECT sum(events) FROM days") }

    @Test func aNewFileHasThePermissionsAndTheAccessListOfTheFormer() throws {
        let scene = try scene()
        try scene.publish()
        // For a user beside the owner: entries of a tag, permissions and an id.
        let list = """
            import os, struct
            entries = [(1, 6, 2**32 - 1), (2, 4, 12345), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)]
            value = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *entry) for entry in entries)
            try: os.setxattr('push.db', 'system.posix_acl_access', value)
            except OSError: os.chmod('push.db', 0o640)
            """
        let shown = """
            import os, stat
            print(oct(os.stat('push.db').st_mode), os.stat('push.db').st_uid)
            try: print(os.getxattr('push.db', 'system.posix_acl_access').hex())
            except OSError: print('no list')
            """
        try shell("python3 -c \"\(list)\"", scene)
        let before = try shell("python3 -c \"\(shown)\"", scene)
        #expect(before.hasPrefix("0o100640 "))
        try shell("echo junk > push.db", scene)
        #expect(try scene.publish().repair != nil)
        #expect(try shell("python3 -c \"\(shown)\"", scene) == before)
        #expect(try events(scene) == ["1"])
    }

    /// The target may be on another file system, and may not be there yet.
    @Test func whereItIsALinkAllHappensBesideItsTarget() throws {
        let scene = try scene()
        try shell("mkdir ../disk; ln -s ../disk/figures.db push.db", scene)
        try scene.publish()
        #expect(try shell("readlink push.db; ls ../disk", scene) == "../disk/figures.db\nfigures.db\n")
        #expect(try events(scene) == ["1"])
        try shell("echo junk > push.db", scene)
        #expect(try scene.publish().repair != nil)
        #expect(try shell("readlink push.db", scene) == "../disk/figures.db\n")
        #expect(try shell("cat ../disk/push.db.before-*; ls | grep before", scene) == "junk\n")
        #expect(try events(scene) == ["1"])
    }
}
