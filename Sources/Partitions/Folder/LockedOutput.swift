import Calendar
import Foundation
import Messages
import Posix

/// An output that this command has locked. Only `OutputLock` makes one. Code that writes into the output takes it as a
/// proof of the lock.
package struct LockedOutput: Sendable {
    package let folder: OutputFolder

    /// Removes the temporary files of killed commands, and what dead jobs have left.
    package func removeLeftovers() throws {
        // A folder with such a name is not ours. `unlink` does not remove it, and it does no harm.
        for name in try OutputFolder.names(in: folder.path) where OwnName.isTemporaryBesideDatabase(name) {
            unlink("\(folder.path)/\(name)")
        }
        // Leftovers in the cache only take up space, so errors are ignored.
        let cached = folder.ownCachePath.flatMap { try? OutputFolder.names(in: $0) } ?? []
        let partitions = try OutputFolder.names(in: folder.partitionsPath)
        let held = try OutputFolder.names(in: folder.heldPath)
        for (path, names) in [
            (folder.partitionsPath, partitions), (folder.heldPath, held), (folder.cachePath, cached),
        ] {
            for name in names where OwnName.isTemporary(name) { unlink("\(path)/\(name)") }
        }
        removeJobs()
    }

    /// Removes the folders of all jobs. Files that are not ours stay. Errors are ignored, since leftovers only take up
    /// space.
    package func removeJobs() {
        for path in folder.jobPaths() {
            for name in (try? Folder.names(in: path)) ?? [] where OwnName.isOfJob(name) { unlink("\(path)/\(name)") }
            rmdir(path)
        }
        rmdir(folder.jobsPath)
    }
}

// The cache. If a file cannot be written or removed, its content is computed again, so no error is reported.
// `cacheObstacle` tells if the whole cache is unusable.

extension LockedOutput {
    /// Writes a cache file to a temporary file and renames it; returns false if that fails. Only one thread may write a
    /// name.
    /// - Parameter durably: whether it must survive a power failure. Most cache files may be lost in one.
    @discardableResult
    package func cache(_ bytes: [UInt8], as name: String, durably: Bool = false) -> Bool {
        guard let path = folder.ownCachePath else { return false }
        let marked = Array("\(OutputFolder.mark(of: bytes.span, named: name))\n".utf8) + bytes
        do {
            try Folder.create(path)
            // An empty folder of this name would make every later command fail here.
            rmdir("\(path)/\(name)")
            try WholeFile.store(marked, at: "\(path)/\(name)", durably: durably)
            return true
        } catch {
            return false
        }
    }

    /// Writes a value, unless the file already has it.
    /// - Parameter durably: as in `cache`.
    package func cacheValue(_ value: some Encodable, as name: String, durably: Bool = false) {
        guard let data = try? JSONEncoder.stored.encode(value), data != folder.cached(name) else { return }
        cache([UInt8](data), as: name, durably: durably)
    }

    /// Removes a cache file, if there is one.
    package func removeCached(_ name: String) {
        if let path = folder.ownCachePath { unlink("\(path)/\(name)") }
    }
}

// Held-back loads, and other files whose content exists nowhere else. They are written durably.

extension LockedOutput {
    /// Writes a line for the load and one for each reject. Does nothing if the file has these lines already.
    package func hold(
        _ load: some Encodable, rejects: [some Encodable], as name: String
    ) throws {
        let path = "\(folder.heldPath)/\(name)"
        let encoder = JSONEncoder.stored
        var bytes = try encoder.bytes(load, for: path) + [UInt8(ascii: "\n")]
        for reject in rejects { bytes += try encoder.bytes(reject, for: path) + [UInt8(ascii: "\n")] }
        // A file that cannot be read is replaced.
        guard (try? WholeFile.readFile(path)) != bytes else { return }
        try reportingCalls { try Folder.create(folder.heldPath) }
        try store(bytes, at: path)
    }

    /// Forgets a held-back load, if there is one.
    package func endHold(_ name: String) throws {
        try reportingCalls { try WholeFile.remove("\(folder.heldPath)/\(name)") }
    }

    /// Removes the folder of held-back loads if it is empty. Do not call it while log dates are loaded, because one of
    /// them may be about to write there.
    package func removeEmptyHeldFolder() { rmdir(folder.heldPath) }

    /// Writes a file of the output to a temporary file and renames it, durably.
    func store(_ bytes: [UInt8], at path: String) throws {
        assert(path.hasPrefix(folder.path + "/"))
        try reportingCalls { try WholeFile.store(bytes, at: path, durably: true) }
    }
}

extension JSONEncoder {
    /// The encoder for files of an output. Equal values give equal bytes.
    package static var stored: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Encodes a value whose content exists nowhere else, so an error must not be ignored.
    /// - Throws: `.disorder` if the value cannot be encoded.
    func bytes(_ value: some Encodable, for path: String) throws -> [UInt8] {
        do {
            return [UInt8](try encode(value))
        } catch {
            throw Fault.disorder(path)
        }
    }
}
