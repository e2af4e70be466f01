import Foundation

extension OutputFolder {
    /// Writes a file of what is kept, aside and then in its place; false if that is not possible. It need not outlive a
    /// power failure, so nothing is synced. Only for who holds the output, one thread a name.
    @discardableResult
    package func keep(_ bytes: [UInt8], as name: String) -> Bool {
        mkdir(keptPath, 0o777)
        return OutputFolder.replace("\(keptPath)/\(name)", by: bytes, syncs: false)
    }

    /// Writes a file aside, in its folder as `.name.tmp`, and then in its place; false if that is not possible.
    @discardableResult
    package static func replace(_ path: String, by bytes: [UInt8], syncs: Bool) -> Bool {
        let (folder, name) = (parentOf(path), path.split(separator: "/").last ?? "")
        let temporary = "\(folder)/.\(name).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return false }
        let isWritten = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return !syncs || fsync(descriptor) == 0
        }
        close(descriptor)
        if isWritten, rename(temporary, path) == 0 { return true }
        unlink(temporary)
        return false
    }

    /// What was kept under a name; nil if there is nothing that can be read.
    package func kept(_ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(keptPath)/\(name)")
    }

    /// Removes what was kept under names that end in `suffix`, those in `names` left out. What cannot be removed stays.
    func removeKept(ending suffix: String, besides names: Set<String>) {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: keptPath)) ?? []
        for name in all where name.hasSuffix(suffix) && !names.contains(name) { unlink("\(keptPath)/\(name)") }
    }
}
