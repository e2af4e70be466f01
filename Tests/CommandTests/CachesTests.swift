import Foundation
import Support
import Testing

/// What may become of a file that nobody needs.
private enum Loss: String, CaseIterable {
    case missing, empty, cut, zeros, oneByte, swapped, folder, fifo, socket, danglingLink, otherVersion
}

private func socket(at path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The path is shorter than the field: the folder's name has a few letters.
    withUnsafeMutableBytes(of: &address.sun_path) { field in field.copyBytes(from: path.utf8.prefix(field.count - 1)) }
    let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            _ = bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

extension Workplace {
    /// Three log dates that share messages, loaded and published. What is cached of them has been used once.
    fileprivate static func threeDates() throws -> Workplace {
        let place = try withHits((1...300).map { hit("h\($0),d\($0 % 7),7") } + ["x"])
        for (date, ids) in [("2026-11-20", 200...500), ("2026-11-21", 1...400)] {
            let hits = ids.map { hit("h\($0),d\($0 % 7),2", "11:00:00") + "\n" }
            try place.scratch.write(hits.joined(), to: "logs/\(date).log")
        }
        place.settle()
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-21").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        return place
    }

    /// Makes of each cached file what a disk, an old copy or a person may make of it.
    fileprivate func lose(_ loss: Loss, _ names: [String]) throws {
        let contents = Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try scratch.bytes("out/partitions/.kept/" + $0)) })
        for (index, name) in names.enumerated() {
            let (file, bytes) = ("out/partitions/.kept/" + name, contents[name] ?? [])
            try scratch.remove(file)
            switch loss {
            case .missing: break
            case .empty: try scratch.write([], to: file)
            case .cut: try scratch.write(bytes.prefix(bytes.count / 2), to: file)
            case .zeros: try scratch.write(bytes.map { _ in 0 }, to: file)
            case .oneByte:
                var bytes = bytes
                bytes[bytes.count * 2 / 3] ^= 1
                try scratch.write(bytes, to: file)
            case .swapped:
                let sameKind = names.filter { $0.split(separator: ".").last == name.split(separator: ".").last }
                let other = sameKind[((sameKind.firstIndex(of: name) ?? index) + 1) % sameKind.count]
                try scratch.write(contents[other] ?? [], to: file)
            case .folder:
                try scratch.makeFolder(file)
                try scratch.write("notes", to: file + "/notes")
            case .fifo: mkfifo(scratch.path(file), 0o644)
            case .socket: socket(at: scratch.path(file))
            case .danglingLink: try scratch.makeLink(file, to: "/nowhere/at/all")
            case .otherVersion: try scratch.write(Array(bytes.dropFirst(17)), to: file)
            }
        }
    }
}

@Suite(.needsPushetl)
struct CachesTests {
    /// All commands work without what is cached, say nothing of it, and show the figures that they showed with it.
    @Test(arguments: Loss.allCases.map(\.rawValue))
    func noCommandNeedsWhatIsCached(loss: String) throws {
        let place = try Workplace.threeDates()
        let figures = try place.dump()
        let explained = try place.run("explain", "h250").stdout
        let names = try place.scratch.names("out/partitions/.kept").filter { $0 != "push.digests" }
        #expect(names.contains("2026-11-19.figures") && names.contains("2026-11-20.shared"))
        try place.lose(try #require(Loss(rawValue: loss)), names)

        let doctor = try place.run("doctor")
        #expect(doctor.exit == 0, "\(doctor)")
        let status = try place.run("status", "--check", "--from", "2026-11-19", "--to", "2026-11-21")
        #expect(status.stderr.isEmpty, "\(status)")
        #expect(status.stdout.contains("CCC"))
        #expect(try place.run("report").exit == 0)
        #expect(try place.run("explain", "h250").stdout == explained)
        #expect(
            try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-21", "--dry-run").stdout.contains(
                "nothing to load of 3 log dates"))
        #expect(try place.dump() == figures)
        // The next command that writes publishes by what is left, and then another log date.
        let run = try place.run("run", "--date", "2026-11-25")
        #expect(run.exit == 66, "\(run)")
        #expect(try place.dump() == figures)
        try place.scratch.write(Workplace.hit("h250,d5,1", "12:00:00") + "\n", to: "logs/2026-11-22.log")
        let next = try place.run("run", "--date", "2026-11-22")
        #expect(next.exit == 0 && next.stderr.isEmpty, "\(next)")
        let published = try place.dump()
        try place.scratch.remove("out/partitions/.kept")
        try place.scratch.remove("out/push.db")
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        #expect(try place.dump() == published)
    }

    @Test(arguments: ["file", "fifo", "danglingLink"])
    func theFolderOfTheCacheMayBeSomethingElse(kind: String) throws {
        let place = try Workplace.threeDates()
        let figures = try place.dump()
        let digests = try place.scratch.bytes("out/partitions/.kept/push.digests")
        try place.scratch.remove("out/partitions/.kept")
        switch kind {
        case "file": try place.scratch.write("notes", to: "out/partitions/.kept")
        case "fifo": mkfifo(place.scratch.path("out/partitions/.kept"), 0o644)
        default: try place.scratch.makeLink("out/partitions/.kept", to: "nowhere")
        }
        #expect(!digests.isEmpty)
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.run("status").stdout.contains("CCC"))
        try place.scratch.write(Workplace.hit("h1,d5,1", "12:00:00") + "\n", to: "logs/2026-11-22.log")
        let next = try place.run("run", "--date", "2026-11-22")
        #expect(next.exit == 0, "\(next)")
        #expect(try place.dump() != figures)
        if kind == "file" { #expect(try place.scratch.text("out/partitions/.kept") == "notes") }
    }

    /// The shared file of an earlier day beside today's figures, as an incomplete restore leaves it.
    @Test func filesOfDifferentTimesAreNotTakenTogether() throws {
        let place = try Workplace.threeDates()
        let old = try place.scratch.bytes("out/partitions/.kept/2026-11-20.shared")
        try place.scratch.write(Workplace.hit("h450,d5,1", "12:00:00") + "\n", to: "logs/2026-11-22.log")
        #expect(try place.run("run", "--date", "2026-11-22").exit == 0)
        let figures = try place.dump()
        try place.scratch.write(old, to: "out/partitions/.kept/2026-11-20.shared")
        #expect(try place.run("doctor").exit == 0)
        try place.scratch.remove("out/push.db")
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        #expect(try place.dump() == figures)
    }

    /// The device is a part of a file's stamp, and may have another number after a restart.
    @Test func stampsOfOtherDevicesOnlyCostTime() throws {
        let place = try Workplace.threeDates()
        let figures = try place.dump()
        // As an earlier version stored them: a hold is kept, and its files are compared again.
        try place.scratch.write("x\nx\nx\n", to: "logs/2026-11-22.log")
        place.settle()
        #expect(try place.run("run", "--date", "2026-11-22").exit == 65)
        let held = "out/partitions/.held/2026-11-22.jsonl"
        let text = try place.scratch.text(held)
        #expect(text.contains("\"device\":"))
        try place.scratch.write(text.replacing(/"device":\d+,/, with: ""), to: held)
        #expect(try place.run("status").stdout.contains("CCCH"))
        try place.scratch.write(text.replacing(/"device":\d+/, with: "\"device\":7"), to: held)
        #expect(try place.run("status").stdout.contains("CCCH"))
        let again = try place.run("backfill", "--from", "2026-11-22", "--to", "2026-11-22")
        #expect(again.exit == 65)
        #expect(again.stderr.contains("held back: 3 of 3 records were rejected"))
        #expect(try place.dump() == figures)
        #expect(try place.rows("SELECT count(*) FROM loads WHERE verdict = 'held_back'") == ["1"])
    }
}
