import Posix

/// The beginning of a file, unpacked: its first 10,000 lines and the rest of a JSON object that they end in, at most 16
/// MiB.
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
    package init(ofFileAt path: String) throws {
        var reader = BeginningReader()
        beginning = try reader.read(path)
        guard beginning.foreignKind == nil else { return }
        let unpacker = Unpacker()
        var collector = Collector()
        var block = Block()
        do {
            _ = try unpacker.read(&collector, through: &block) { collector, members in
                collector = Collector()
                try unpacker.begin(path, members: members)
            }
        } catch is Full {
            isWhole = false
        } catch let error as LogFileError {
            guard let kind = error.foreignKind else { throw error }
            collector = Collector()
            beginning = .init(packing: .plain, foreignKind: kind)
        }
        bytes = collector.bytes
        lines = collector.lines
        status = unpacker.report.status
        trailingBytesAt = unpacker.report.trailingBytesAt
    }

    /// Ends the reading.
    private struct Full: Error {}

    private struct Collector: ByteConsumer {
        var bytes: [UInt8] = []
        var lines = 0
        /// The offset after the last line feed.
        private var lineEnd = 0
        /// Whether there are enough lines. The sample is whole unless another byte follows.
        private var isFull = false
        /// Follows the JSON objects of a file, which may be one document. Nil if its first line leaves none open.
        private var objects: OpenObjects? = OpenObjects()

        mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int {
            for index in bytes.indices {
                if isFull { throw Full() }
                self.bytes.append(bytes[index])
                objects?.take(bytes[index])
                if bytes[index] == 0x0A {
                    lines += 1
                    lineEnd = self.bytes.count
                    if lines == 1, objects?.areOpen != true || !beginsWithObject { objects = nil }
                    isFull = lines >= Sample.lineLimit && objects?.areOpen != true
                }
                if self.bytes.count == Sample.byteLimit, !atEnd || index + 1 < bytes.count {
                    if lineEnd > 0 { self.bytes.removeLast(self.bytes.count - lineEnd) }
                    throw Full()
                }
            }
            return bytes.count
        }

        private var beginsWithObject: Bool {
            bytes.first { !" \n\r\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
        }
    }

    /// Whether a text of JSON is inside an object. The end of a line also ends a string, which has none.
    private struct OpenObjects {
        private var depth = 0
        private var isInString = false
        private var isEscaped = false

        var areOpen: Bool { depth > 0 }

        mutating func take(_ byte: UInt8) {
            let wasEscaped = isEscaped
            isEscaped = false
            switch byte {
            case 0x0A: isInString = false
            case _ where wasEscaped: break
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString: depth -= 1
            default: break
            }
        }
    }
}
