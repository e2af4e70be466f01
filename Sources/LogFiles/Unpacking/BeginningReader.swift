/// Reads the beginnings of files, one file at a time. For each file it makes one small read and unpacks a few bytes.
package struct BeginningReader {
    /// What the first bytes of a file show.
    package struct Beginning: Equatable, Sendable {
        package let isGzipped: Bool
        /// The foreign kind of the file, or of its content if it is gzipped; nil if it is a log file.
        package let foreignKind: ForeignKind?
    }

    private let unpacker = Unpacker(blockSize: 4096)
    private var block = Block(size: ForeignKind.beginningBytes)

    package init() {}

    /// Reads the beginning of a file.
    /// - Throws: `LogFileError`.
    package mutating func read(_ file: LogFile) throws -> Beginning {
        try unpacker.begin(file)
        var beginning: [UInt8] = []
        while beginning.count < ForeignKind.beginningBytes, try unpacker.fill(&block) {
            block.span.withUnsafeBufferPointer { beginning.append(contentsOf: $0) }
        }
        return Beginning(isGzipped: unpacker.report.isGzipped, foreignKind: ForeignKind(beginning: beginning.span))
    }
}
