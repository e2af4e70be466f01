@testable import LogFiles

/// Keeps all bytes, also the last ones of a cut file.
struct Collecting: ByteConsumer {
    var bytes: [UInt8] = []
    var ended = false

    mutating func consume(_ offered: Span<UInt8>, atEnd: Bool) -> Int {
        endCut(offered)
        ended = atEnd
        return offered.count
    }

    mutating func endCut(_ offered: Span<UInt8>) {
        offered.withUnsafeBufferPointer { bytes += $0 }
    }
}

/// Reads one file after another, in blocks of any size.
struct Reader {
    let blockSize: Int
    private let unpacker: Unpacker
    private var block: Block

    init(blockSize: Int = Block.size) {
        self.blockSize = blockSize
        unpacker = Unpacker(blockSize: blockSize)
        block = Block(size: blockSize)
    }

    mutating func read(
        _ path: String, members: Int = .max, into consumer: inout some ByteConsumer
    ) throws -> FileReport {
        try unpacker.begin(path, members: members)
        return try unpacker.feed(&consumer, through: &block)
    }
}

func readFile(
    _ path: String, blockSize: Int = Block.size, members: Int = .max, into consumer: inout some ByteConsumer
) throws -> FileReport {
    var reader = Reader(blockSize: blockSize)
    return try reader.read(path, members: members, into: &consumer)
}

/// Keeps all lines with their numbers.
struct CollectingLines: ByteConsumer {
    var splitter = LineSplitter()
    var lines: [String] = []
    var overlong: [Int] = []

    mutating func consume(_ offered: Span<UInt8>, atEnd: Bool) -> Int {
        splitter.split(offered, atEnd: atEnd) { line, number in
            lines.append("\(number):" + String(decoding: line.indices.map { line[$0] }, as: UTF8.self))
        } overlong: { _, number in
            overlong.append(number)
        }
    }
}

/// Lines of a collector's log.
func sampleLines(_ count: Int, seed: Int = 0) -> [UInt8] {
    Array(
        (0..<count).map { index in
            let id = (index &+ seed) &* 2_654_435_761 % 99_999_989
            return
                "192.0.2.\(index % 250) - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h\(String(id, radix: 16)),d57fd6,7 HTTP/1.1\" 200 0\n"
        }.joined().utf8)
}
