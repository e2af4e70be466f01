/// Reads the beginnings of files, one file at a time. For each file it makes one small read and unpacks a few bytes.
package struct BeginningReader {
    private let unpacker = Unpacker(blockSize: 4096)
    private var block = Block(size: ForeignKind.beginningBytes)

    package init() {}

    /// Reads the beginning of a file.
    /// - Throws: `LogFileError`.
    package mutating func read(_ file: LogFile) throws -> FileBeginning {
        try unpacker.begin(file)
        var beginning: [UInt8] = []
        while beginning.count < ForeignKind.beginningBytes, try unpacker.fill(&block) {
            block.span.withUnsafeBufferPointer { beginning.append(contentsOf: $0) }
        }
        return FileBeginning(
            isGzipped: unpacker.report.isGzipped, foreignKind: ForeignKind(beginning: beginning.span))
    }
}
