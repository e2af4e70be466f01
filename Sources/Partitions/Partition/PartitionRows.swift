import Events

/// Whether all files of a log date were present and undamaged.
package enum PartitionStatus: String, Codable, Sendable {
    case complete
    case partial
}

// Conversions between values and database rows, in the order of the tables' columns.

extension EventID {
    /// 16 bytes that are sorted as the ids are.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

/// A source of the pipeline file that a log date was loaded with.
package struct LoadedSource: Codable, Equatable, Sendable {
    package let name: String
    /// Identifies what its files mean, whatever its name is.
    package let rules: String
    /// Whether it had files.
    package let hasFiles: Bool

    package init(name: String, rules: String, hasFiles: Bool) {
        self.name = name
        self.rules = rules
        self.hasFiles = hasFiles
    }
}
