import Foundation
import Hashing
import Posix

// A cache file is written whole, and is valid only under its own name:
//
//     0f1e2d3c4b5a6978\n   hash of the name and the content
//     content
//
// A file that is cut, damaged, of another version or of another date, or that is no file at all, is as good as missing.

extension OutputFolder {
    /// Writes a cache file to a temporary file and renames it; returns false if that fails. The caller must hold the output's
    /// lock. Only one thread may write a name.
    /// - Parameter durably: whether it must survive a power failure. Most cache files may be lost in one.
    @discardableResult
    package func cache(_ bytes: [UInt8], as name: String, durably: Bool = false) -> Bool {
        cacheUnmarked(Array("\(OutputFolder.mark(bytes.span, name))\n".utf8) + bytes, as: name, durably: durably)
    }

    /// The same for a file with hashes of its own, without the first line.
    func cacheUnmarked(_ bytes: [UInt8], as name: String, durably: Bool = false) -> Bool {
        guard mayCache else { return false }
        do {
            try Folder.create(cachePath)
            try WholeFile.store(bytes, at: "\(cachePath)/\(name)", durably: durably)
            return true
        } catch {
            // Without the file, its content is found out again.
            return false
        }
    }

    /// The content of a cache file; nil if there is none that was written under this name.
    package func cached(_ name: String) -> Data? {
        // Without the file, its content is found out again.
        guard let bytes = try? WholeFile.readFile("\(cachePath)/\(name)"), bytes.count > 16 else { return nil }
        let mark = OutputFolder.mark(bytes.span.extracting(17..<bytes.count), name) + "\n"
        return bytes.starts(with: mark.utf8) ? Data(bytes[17...]) : nil
    }

    /// Writes a value, unless it is there already. The caller must hold the output's lock.
    package func cacheValue(_ value: some Encodable, as name: String) {
        // Without the file, its content is found out again.
        guard let data = try? JSONEncoder.stored.encode(value), data != cached(name) else { return }
        cache([UInt8](data), as: name)
    }

    /// A value that was written under this name; nil if there is none.
    package func cachedValue<Value: Decodable>(_ name: String) -> Value? {
        // What another version of the program wrote is as good as missing.
        cached(name).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// Removes a cache file. Errors are ignored.
    package func removeCached(_ name: String) {
        if mayCache { unlink("\(cachePath)/\(name)") }
    }

    /// Removes the cache files whose names end in `suffix`, except `names`. Errors are ignored.
    package func removeCached(ending suffix: String, besides names: Set<String>) {
        guard mayCache else { return }
        // If the folder cannot be listed, nothing of it is used either.
        let all = (try? Folder.names(in: cachePath)) ?? []
        for name in all where OwnName.logDate(of: name, [suffix]) != nil && !names.contains(name) {
            unlink("\(cachePath)/\(name)")
        }
    }

    /// 16 hexadecimal digits.
    package static func mark(_ content: Span<UInt8>, _ name: String) -> String {
        WordHash.of(content, seed: WordHash.of(Array(name.utf8).span)).hexDigits
    }
}

// Held-back loads are stored in `partitions/.held`, one file of lines per load. The information exists nowhere else, so
// it is written durably. If a file is lost, the hold is forgotten.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, at most `limit`; empty if the file is missing or cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        // Without the file the hold is forgotten, and the log date is loaded again.
        guard let bytes = try? WholeFile.readFile("\(heldPath)/\(name)") else { return [] }
        return Data(bytes).split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, unsorted.
    package func heldNames() throws(WarehouseError) -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }

    /// Writes a line for the load and one for each reject to a temporary file and renames it, durably. Does nothing if the file
    /// has these lines already.
    package func hold(
        _ load: some Encodable, _ rejects: [some Encodable], as name: String
    ) throws(WarehouseError) {
        let path = "\(heldPath)/\(name)"
        let encoder = JSONEncoder.stored
        var bytes = try encoder.bytes(load, for: path) + [UInt8(ascii: "\n")]
        for reject in rejects { bytes += try encoder.bytes(reject, for: path) + [UInt8(ascii: "\n")] }
        // What cannot be read is replaced.
        guard (try? WholeFile.readFile(path)) != bytes else { return }
        try reportingCalls { () throws(SystemError) in
            try Folder.create(heldPath)
            try WholeFile.store(bytes, at: path, durably: true)
        }
    }

    /// Removes a file if it exists.
    package func endHold(_ name: String) throws(WarehouseError) {
        _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove("\(heldPath)/\(name)") }
    }

    /// Removes the folder if it is empty. Do not call it while log dates are loaded, because one of them may be about
    /// to write here.
    package func removeEmptyHeldFolder() { rmdir(heldPath) }
}

extension JSONEncoder {
    /// For files of an output: the same value gives the same bytes.
    package static var stored: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The value for a file that holds what is nowhere else, so that nothing may be left out.
    /// - Throws: `.disorder` if the value cannot be encoded.
    package func bytes(_ value: some Encodable, for path: String) throws(WarehouseError) -> [UInt8] {
        do {
            return [UInt8](try encode(value))
        } catch {
            throw .disorder(path: path)
        }
    }
}
