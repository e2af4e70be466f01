import Hashing
import Posix

/// A file's bytes, a block at a time, and the fingerprint of all that was read. One file after the other takes the same
/// buffer.
struct FileInput: ~Copyable {
    /// Taken bytes that stay within reach: a member's trailer may begin in the block before.
    private static let history = 8

    private let blockSize: Int
    private var file: FileDescriptor?
    private var block: [UInt8]
    private var start = 0
    private var end = 0
    /// Where in the file the block ends.
    private var blockEnd = 0
    private var hash = FileHash()
    private var bytesAtOpen = 0
    private(set) var bytesRead = 0

    init(blockSize: Int) {
        self.blockSize = max(blockSize, 2)
        block = Array(repeating: 0, count: FileInput.history + 1 + self.blockSize)
    }

    deinit {
        file?.close()
    }

    /// Bytes that are there and not taken yet.
    var available: Int { end - start }
    /// Where in the file the next byte lies.
    var position: Int { blockEnd - available }
    /// Whether less was read than the file had when it was opened.
    var isShortened: Bool { bytesRead < bytesAtOpen }
    var startsWithGzipMagic: Bool { available >= 2 && byte(0) == 0x1F && byte(1) == 0x8B }
    var fingerprint: String { hash.text(byteCount: bytesRead) }

    /// Opens a file, and closes the one before. Returns the file's stamp; nil if that is not settled.
    mutating func open(_ path: String) throws(LogFileError) -> FileStamp? {
        close()
        let file = try LogFileError.reporting(.open) { () throws(SystemError) in try FileDescriptor(reading: path) }
        self.file = file
        (start, end, blockEnd, bytesRead) = (0, 0, 0, 0)
        hash = FileHash()
        let now = FileStamp.now()
        let stamp = FileStamp(file)
        bytesAtOpen = stamp?.bytes ?? 0
        return stamp.flatMap { $0.isSettled(at: now) ? $0 : nil }
    }

    mutating func close() {
        file?.close()
        file = nil
    }

    func byte(_ offset: Int) -> UInt8 { block[start + offset] }

    /// The last bytes that were taken, up to `history` of them.
    func lastTaken(_ count: Int) -> ArraySlice<UInt8> { block[max(0, start - count)..<start] }

    /// Reads on until at least two bytes more, a whole block if there is one, or the end; keeps what is not taken yet, and
    /// the last few bytes that were. `didRead` is told how many bytes came that had not come before.
    mutating func readBlock(_ didRead: (Int) throws -> Void) throws {
        if start > FileInput.history {
            let kept = Array(block[(start - FileInput.history)..<end])
            block.replaceSubrange(0..<kept.count, with: kept)
            start = FileInput.history
            end = kept.count
        }
        let wanted = end + blockSize
        if block.count < wanted { block += repeatElement(0, count: wanted - block.count) }
        let before = end
        end += try LogFileError.reporting { () throws(SystemError) in
            try file?.fill(&block, before..<wanted) ?? 0
        }
        blockEnd += end - before
        let new = min(end - before, max(0, blockEnd - bytesRead))
        let added = block
        hash.add(added.span.extracting((end - new)..<end))
        bytesRead += new
        if end > before { try didRead(new) }
    }

    /// Goes to bytes that may have been taken before.
    mutating func go(to position: Int) throws(LogFileError) {
        try LogFileError.reporting { () throws(SystemError) in try file?.seek(to: position) }
        (start, end, blockEnd) = (0, 0, position)
    }

    mutating func skipZeros() {
        while start < end && block[start] == 0 { start += 1 }
    }

    mutating func skipAll() {
        start = end
    }

    /// Lets `body` read the bytes that are there; it answers how many it took.
    mutating func take<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> (taken: Int, result: Result)) -> Result {
        let (from, to) = (start, end)
        let (taken, result) = block.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[from..<to])) }
        start += taken
        return result
    }
}
