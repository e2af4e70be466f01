import Posix

/// The beginning of a file, unpacked: its first 10,000 lines, at most 16 MiB. Of JSON objects of several lines 16 MiB.
package struct Sample: Sendable {
    private static let lineLimit = 10_000
    private static let byteLimit = 16 << 20

    /// Ends with a line's end if the sample is not the whole file and has one.
    package private(set) var bytes: [UInt8] = []
    /// The number of line feeds.
    package private(set) var lines = 0
    /// Whether the file was read to its end.
    package private(set) var isWhole = true
    /// The state of the file as far as it was read.
    package private(set) var status = FileStatus.ok
    /// As in `FileReport`.
    package private(set) var trailingBytesAt: Int?
    /// The first bytes. Of a foreign file nothing more is read.
    package private(set) var beginning: BeginningReader.Beginning
    /// Whether the bytes end where the log does, so that a last line without a line feed counts. Before damage it does.
    package var isAtEnd: Bool { isWhole && status != .truncated }

    /// - Throws: `LogFileError`.
    package init(of file: LogFile) throws {
        var reader = BeginningReader()
        beginning = try reader.read(file)
        guard beginning.foreignKind == nil else { return }
        let unpacker = Unpacker()
        var collector = Collector()
        var block = Block()
        do {
            _ = try unpacker.read(&collector, through: &block) { collector, members in
                collector = Collector()
                try unpacker.begin(file, members: members)
            }
        } catch is Full {
            isWhole = false
        } catch let error as LogFileError {
            guard let kind = error.foreignKind else { throw error }
            (collector, beginning) = (Collector(), .init(packing: .plain, foreignKind: kind))
        }
        (bytes, lines, status) = (collector.bytes, collector.lines, unpacker.report.status)
        trailingBytesAt = unpacker.report.trailingBytesAt
    }

    /// Ends the reading.
    private struct Full: Error {}

    private struct Collector: ByteConsumer {
        var bytes: [UInt8] = []
        var lines = 0
        /// The offset after the last line feed.
        private var lineEnd = 0
        /// Whether an object goes on after the first line. Then lines say little, and it may be one document.
        private var isDocument = false

        mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int {
            for index in bytes.indices {
                self.bytes.append(bytes[index])
                if bytes[index] == 0x0A {
                    lines += 1
                    lineEnd = self.bytes.count
                    if lines == 1 { isDocument = opensObject }
                    if lines == Sample.lineLimit, !isDocument, !atEnd || index + 1 < bytes.count { throw Full() }
                }
                if self.bytes.count == Sample.byteLimit, !atEnd || index + 1 < bytes.count {
                    if lineEnd > 0 { self.bytes.removeLast(self.bytes.count - lineEnd) }
                    throw Full()
                }
            }
            return bytes.count
        }

        private var opensObject: Bool {
            let marks = bytes.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }
            guard marks.first == UInt8(ascii: "{") else { return false }
            return marks.count { $0 == UInt8(ascii: "{") } > marks.count { $0 == UInt8(ascii: "}") }
        }
    }
}

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
    package mutating func read(_ file: LogFile) throws -> Beginning {
        var beginning: [UInt8] = []
        do {
            try unpacker.begin(file)
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
