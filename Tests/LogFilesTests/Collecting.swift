import Foundation
import Support

@testable import LogFiles

/// Keeps everything it is given; takes at most `appetite` bytes at a time, so that the rest is offered again.
struct Collecting: ByteConsumer {
    var bytes: [UInt8] = []
    var appetite = Int.max
    var ended = false

    mutating func consume(_ offered: Span<UInt8>, atEnd: Bool) -> Int {
        let count = atEnd ? offered.count : min(appetite, offered.count)
        for index in 0..<count { bytes.append(offered[index]) }
        ended = atEnd
        return count
    }
}

/// Reads files in blocks of any size, one after the other.
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
        try unpacker.begin(LogFile(path), members: members)
        return try unpacker.feed(&consumer, through: &block)
    }
}

extension LogFile {
    func read(
        blockSize: Int = Block.size, members: Int = .max, into consumer: inout some ByteConsumer
    ) throws -> FileReport {
        var reader = Reader(blockSize: blockSize)
        return try reader.read(path, members: members, into: &consumer)
    }
}

/// Keeps lines with their numbers.
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

/// A program that makes gzip files, as it is found on this machine.
enum Compressor: String, CaseIterable {
    case gzip1 = "gzip -1 -c"
    case gzip9 = "gzip -9 -n -c"
    case pigz = "pigz -c -p 2 -b 32"
    case zopfli = "zopfli -c --i1"
    case python =
        "python3 -c \"import gzip,sys; sys.stdout.buffer.write(gzip.compress(open(sys.argv[1],'rb').read()))\""

    /// Nil if the program is not there.
    func compress(_ bytes: [UInt8], in folder: ScratchFolder) throws -> [UInt8]? {
        let input = try folder.file(bytes, "input-\(UUID().uuidString)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(rawValue) \"\(input)\" 2>/dev/null"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? [UInt8](output) : nil
    }
}

func sampleLines(_ count: Int, seed: Int = 0) -> [UInt8] {
    Array(
        (0..<count).map { index in
            let id = (index &+ seed) &* 2_654_435_761 % 99_999_989
            return
                "192.0.2.\(index % 250) - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h\(String(id, radix: 16)),d57fd6,7 HTTP/1.1\" 200 0\n"
        }.joined().utf8)
}
