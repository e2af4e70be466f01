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
    /// The content of a cache file; nil if there is none that was written under this name.
    package func cached(_ name: String) -> Data? {
        // Without the file, its content is found out again.
        guard let bytes = try? WholeFile.readFile("\(cachePath)/\(name)"), bytes.count > 16 else { return nil }
        let mark = OutputFolder.mark(bytes.span.extracting(17..<bytes.count), name) + "\n"
        return bytes.starts(with: mark.utf8) ? Data(bytes[17...]) : nil
    }

    /// A value that was written under this name; nil if there is none.
    package func cachedValue<Value: Decodable>(_ name: String) -> Value? {
        // What another version of the program wrote is as good as missing.
        cached(name).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// 16 hexadecimal digits.
    static func mark(_ content: Span<UInt8>, _ name: String) -> String {
        WordHash.of(content, seed: WordHash.of(Array(name.utf8).span)).hexDigits
    }
}

// Held-back loads are stored in `partitions/.held`, one file of lines per load. The information exists nowhere else. If a file is
// lost, the hold is forgotten.

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
}
