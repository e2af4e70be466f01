import Hashing
import Posix

/// Reads a file block by block, and computes the fingerprint of all bytes read. The buffer is reused for the next file.
struct FileInput: ~Copyable {
    /// The taken bytes that remain available, because the trailer of a gzip member may begin in the block before.
    private static let history = 8

    private let blockSize: Int
    private var file: FileDescriptor?
    private var block: [UInt8]
    /// The range of `block` that has been read and not taken.
    private var start = 0
    private var end = 0
    /// The offset in the file of the byte after the block.
    private var blockEnd = 0
    private var hash = FileHash()
    private var bytesAtOpen = 0
    /// The number of bytes of the file that have been read; bytes that are read again count once.
    private(set) var bytesRead = 0

    init(blockSize: Int) {
        self.blockSize = max(blockSize, 2)
        block = Array(repeating: 0, count: FileInput.history + 1 + self.blockSize)
    }

    deinit {
        file?.close()
    }

    /// The number of bytes that have been read and not taken.
    var available: Int { end - start }
    /// The offset of the next byte in the file.
    var position: Int { blockEnd - available }
    /// Whether fewer bytes were read than the file had when it was opened.
    var isShortened: Bool { bytesRead < bytesAtOpen }
    var fingerprint: String { hash.text(byteCount: bytesRead) }

    /// Opens a file and closes the file before. Returns the file's stamp, or nil if the stamp is not steady.
    mutating func open(_ path: String) throws(LogFileError) -> FileStamp? {
        close()
        let file = try LogFileError.reporting(.open) { () throws(SystemError) in try FileDescriptor(reading: path) }
        self.file = file
        start = 0
        end = 0
        blockEnd = 0
        bytesRead = 0
        hash = FileHash()
        let now = FileStamp.now()
        let stamp = FileStamp(file)
        bytesAtOpen = stamp?.bytes ?? 0
        return stamp.flatMap { $0.isSteady(at: now) ? $0 : nil }
    }

    mutating func close() {
        file?.close()
        file = nil
    }

    /// The available byte at an offset.
    func byte(_ offset: Int) -> UInt8 { block[start + offset] }

    /// The first available bytes, at most `count`.
    func first(_ count: Int) -> [UInt8] { Array(block[start..<min(end, start + count)]) }

    /// The last bytes that were taken, at most `history`.
    func lastTaken(_ count: Int) -> ArraySlice<UInt8> { block[max(0, start - count)..<start] }

    /// Reads another block, which is shorter only at the end of the file. Keeps the available bytes and the history.
    /// Calls `didRead` with the number of bytes that were read for the first time.
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
            try file?.fill(&block, in: before..<wanted) ?? 0
        }
        blockEnd += end - before
        let new = min(end - before, max(0, blockEnd - bytesRead))
        let added = block
        hash.add(added.span.extracting((end - new)..<end))
        bytesRead += new
        if end > before { try didRead(new) }
    }

    /// Reads until so many bytes are available, or the file ends.
    mutating func need(_ count: Int, onRead didRead: (Int) throws -> Void) throws {
        var before = -1
        while available < count && available > before {
            before = available
            try readBlock(didRead)
        }
    }

    /// Continues at an offset in the file, which may have been read before.
    mutating func seek(to position: Int) throws(LogFileError) {
        try LogFileError.reporting { () throws(SystemError) in try file?.seek(to: position) }
        start = 0
        end = 0
        blockEnd = position
    }

    /// Passes the available bytes to `body` and skips them.
    mutating func skip(_ body: (Span<UInt8>) -> Void) {
        body(block.span.extracting(start..<end))
        start = end
    }

    /// Skips available bytes, at most `count`. Returns their number.
    mutating func skip(_ count: Int) -> Int {
        let skipped = min(count, available)
        start += skipped
        return skipped
    }

    /// Skips the available zeros, line feeds, carriage returns and spaces at the front.
    mutating func skipPadding() {
        while start < end, [0x00, 0x0A, 0x0D, 0x20].contains(block[start]) { start += 1 }
    }

    /// Reads and skips the rest of the file, so that the fingerprint covers all of it.
    mutating func skipToEnd(_ didRead: (Int) throws -> Void) throws {
        repeat {
            start = end
            try readBlock(didRead)
        } while available > 0
    }

    /// Calls `body` with the available bytes and the free memory of `output`, at most `limit` bytes of it.
    mutating func take(
        into output: inout Block, atMost limit: Int = .max,
        _ body: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> InflateProgress
    ) -> InflateProgress {
        let available = start..<end
        let done = block.withUnsafeMutableBufferPointer { block in
            output.append(atMost: limit) { body(.init(rebasing: block[available]), $0) }
        }
        start += done.taken
        return done
    }
}
