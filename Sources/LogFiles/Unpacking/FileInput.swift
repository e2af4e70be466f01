import Foundation

/// A file's bytes, a block at a time, and the fingerprint of all that was read. One file after the other takes the same
/// buffer.
struct FileInput: ~Copyable {
    /// Taken bytes that stay within reach: a member's trailer may begin in the block before.
    private static let history = 8

    private let blockSize: Int
    private var descriptor: Int32 = -1
    private var path = ""
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
        if descriptor >= 0 { Foundation.close(descriptor) }
    }

    /// Bytes that are there and not taken yet.
    var available: Int { end - start }
    /// Where in the file the next byte lies.
    var position: Int { blockEnd - available }
    /// Whether less was read than the file had when it was opened.
    var isShortened: Bool { bytesRead < bytesAtOpen }
    var startsWithGzipMagic: Bool { available >= 2 && byte(0) == 0x1F && byte(1) == 0x8B }
    var fingerprint: String { hash.text(byteCount: bytesRead) }

    /// Opens a file, the one before is closed; answers its stamp, nil if that is not settled.
    mutating func open(_ path: String) throws(LogFileError) -> FileStamp? {
        close()
        self.path = path
        descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError(step: .open, path: path, code: errno) }
        (start, end, blockEnd, bytesRead) = (0, 0, 0, 0)
        hash = FileHash()
        let stamp = LogFile.stamp(of: descriptor)
        bytesAtOpen = stamp.bytes
        return stamp.settled
    }

    mutating func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
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
        while end < wanted {
            let filled = end
            let got = block.withUnsafeMutableBytes { buffer in
                Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw LogFileError(step: .read, path: path, code: errno) }
            if got == 0 { break }
            end += got
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
        guard lseek(descriptor, off_t(position), SEEK_SET) >= 0 else {
            throw LogFileError(step: .read, path: path, code: errno)
        }
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
