/// Reads the beginnings of files, one file at a time. For each file it makes one small read and unpacks a few bytes.
package struct BeginningReader {
    /// What the first bytes of a file show.
    package struct Beginning: Equatable, Sendable {
        package let packing: Packing
        /// The foreign kind of the file, or of its content if it is compressed; nil if it is a log file.
        package let foreignKind: ForeignKind?
    }

    private let unpacker: Unpacker
    private var block = Block(size: ForeignKind.beginningBytes)

    /// - Parameter readsZstd: as in `Unpacker`.
    package init(readsZstd: Bool = true) {
        unpacker = Unpacker(blockSize: 4096, readsZstd: readsZstd)
    }

    /// Reads the beginning of a file.
    /// - Throws: `LogFileError`.
    package mutating func read(_ path: String) throws -> Beginning {
        var beginning: [UInt8] = []
        do {
            try unpacker.begin(path)
            while beginning.count < ForeignKind.beginningBytes, try unpacker.fill(&block) {
                block.span.withUnsafeBufferPointer { beginning.append(contentsOf: $0) }
            }
        } catch let error as LogFileError {
            guard let kind = error.foreignKind else { throw error }
            return Beginning(packing: .plain, foreignKind: kind)
        }
        return Beginning(packing: unpacker.report.packing, foreignKind: ForeignKind(beginning: beginning.span))
    }
}
