import CZlib
import Foundation
import Hashing
import Posix

/// Reads and unpacks a log file, block by block. The file is gzip or zstd, with any number of members, or plain; its
/// first bytes decide which. The buffers are reused for the next file. It may be used on any thread, but only on one at
/// a time.
package final class Unpacker: BlockSource {
    /// A callback with the number of bytes of the file that have been read. If it throws, reading ends.
    package typealias DidRead = (Int) throws -> Void

    private enum Stage {
        case plain, packed, ended
    }

    private let readsZstd: Bool
    private var input: FileInput
    private var inflater = Inflater()
    private var path = ""
    private var didRead: DidRead = { _ in }
    private var willTakeWindow: (Int) -> Void = { _ in }
    private var stage = Stage.ended
    /// The largest number of members to unpack.
    private var members = Int.max
    /// The offset of the current member in the file.
    private var memberStart = 0
    /// The number of bytes unpacked from the current member.
    private var memberBytes = 0
    /// The number of these bytes that zlib is going to unpack again. They are dropped.
    private var repeated = 0
    /// The content of the members before the current one: its bytes and its CRC.
    private var contentBytes = 0
    private var contentCRC: UInt32 = 0
    private var contentHead = ContentHead()
    /// The largest window of the file's zstd frames so far, in bytes. libzstd keeps it in memory.
    private var window = 0
    package private(set) var report = FileReport()

    /// - Parameters:
    ///   - blockSize: the bytes of the file that are read at a time.
    ///   - readsZstd: whether zstd frames are unpacked. If not, they are foreign.
    package init(blockSize: Int = Block.size, readsZstd: Bool = true) {
        self.readsZstd = readsZstd
        input = FileInput(blockSize: blockSize)
    }

    /// The number of bytes of the file that have been read, before unpacking.
    package var bytesRead: Int { input.bytesRead }

    /// Opens a file and closes the file before.
    ///
    /// - Parameters:
    ///   - members: the largest number of members to unpack. A zstd frame is one.
    ///   - didRead: called after each block that is read.
    ///   - willTakeWindow: called before a zstd frame takes memory for a window that is larger than those before it, with its
    ///     bytes. The memory for the one before is free then.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func begin(
        _ path: String, members: Int = .max, didRead: @escaping DidRead = { _ in },
        willTakeWindow: @escaping (Int) -> Void = { _ in }
    ) throws {
        self.path = path
        self.didRead = didRead
        self.willTakeWindow = willTakeWindow
        self.members = members
        stage = .ended
        report = FileReport()
        window = 0
        contentBytes = 0
        contentCRC = 0
        contentHead = ContentHead()
        report.stamp = try input.open(path)
        try input.readBlock(didRead)
        try input.need(ForeignKind.beginningBytes, onRead: didRead)
        report.packing = Packing(beginning: input.first(ForeignKind.beginningBytes))
        guard report.packing != .plain else {
            stage = .plain
            return
        }
        stage = .packed
        guard members > 0 else { return try end(.damaged) }
        try beginNextMember()
    }

    /// Fills the block with the next unpacked bytes. Returns false at the end of the file.
    /// - Throws: `LogFileError`, or what `didRead` throws.
    package func fill(_ block: inout Block) throws -> Bool {
        block.clear()
        while block.room > 0 {
            // Bytes that are unpacked again use the whole room, so that they take few steps.
            if repeated > 0 && block.count > 0 { break }
            switch stage {
            case .plain: try copy(into: &block)
            case .packed: try unpack(into: &block)
            case .ended:
                noteContent(of: block)
                return block.count > 0
            }
        }
        noteContent(of: block)
        return true
    }

    /// A plain file has its fingerprint.
    private func noteContent(of block: borrowing Block) {
        guard report.packing != .plain else { return }
        contentHead.add(block.span)
        guard stage == .ended else { return }
        report.content = UnpackedContent(bytes: contentBytes, crc32: contentCRC, head: contentHead.text)
    }

    /// Adds the current member to the content.
    private func addMember() {
        contentCRC =
            contentBytes == 0
            ? inflater.crc
            : UInt32(truncatingIfNeeded: crc32_combine(UInt(contentCRC), UInt(inflater.crc), memberBytes))
        contentBytes += memberBytes
    }

    private func copy(into block: inout Block) throws {
        _ = input.take(into: &block) { available, output in
            let count = min(available.count, output.count)
            _ = output.update(fromContentsOf: available.prefix(count))
            return InflateProgress(taken: count, filled: count, step: .moreToCome)
        }
        guard input.available == 0 else { return }
        try input.readBlock(didRead)
        if input.available == 0 { try end(input.isShortened ? .truncated : .ok) }
    }

    private func unpack(into block: inout Block) throws {
        let room = repeated > 0 ? min(repeated, block.room) : block.room
        let done = input.take(into: &block, atMost: room) { inflater.inflate($0, into: $1) }
        let isDamaged =
            done.step == .memberDamaged || done.step == .memberEnded && !inflater.agrees(with: input.lastTaken(8))
        var isCut = false
        if done.step == .moreToCome && input.available == 0 {
            try input.readBlock(didRead)
            // If the room is full, there may be more output that needs no more input.
            isCut = input.available == 0 && done.filled < room
        }
        if (isDamaged || isCut) && !inflater.isFinal {
            block.dropLast(done.filled)
            repeated = memberBytes
            try inflater.startAgainWithZlib(path)
            return try input.seek(to: memberStart)
        }
        if isDamaged { return try end(.damaged) }
        if repeated > 0 {
            block.dropLast(done.filled)
            repeated -= done.filled
        } else {
            memberBytes += done.filled
        }
        if isCut {
            addMember()
            return try end(hasWrongCRC() ? .damaged : .truncated)
        }
        if done.step == .memberEnded {
            report.wholeMembers += 1
            addMember()
            try beginNextMember()
        }
    }

    /// Whether the file ends inside a member's trailer, after a wrong CRC. Such a member is damaged, and not only
    /// truncated.
    private func hasWrongCRC() -> Bool {
        guard let missing = inflater.missingTrailerBytes(), missing <= 4 else { return false }
        return !inflater.agrees(withCRC: input.lastTaken(8 - missing).prefix(4))
    }

    private func foreign(_ kind: ForeignKind) -> LogFileError {
        LogFileError(step: .unpack(kind), path: path, code: ENOTSUP)
    }

    private func beginMember(_ packing: Packing) throws {
        report.packing = packing
        if packing == .zstd, let header = try input.zstdHeader(didRead) {
            if let kind = header.foreignKind { throw foreign(kind) }
            if header.window > window {
                inflater.end()
                willTakeWindow(header.window)
                window = header.window
            }
        }
        try inflater.begin(packing, of: path)
        memberStart = input.position
        memberBytes = 0
        repeated = 0
    }

    /// Skips padding and skippable frames, and begins the next member if there is one.
    private func beginNextMember() throws {
        while true {
            input.skipPadding()
            if input.available == 0 {
                try input.readBlock(didRead)
                if input.available == 0 { return try end(.ok) }
                continue
            }
            let start = try input.memberStart(didRead)
            switch start {
            case .gzip, .zstd, .skippable:
                guard report.wholeMembers < members else { return try end(.damaged) }
                if start != .gzip && !readsZstd { throw foreign(.zstd) }
                if start != .skippable { return try beginMember(start == .gzip ? .gzip : .zstd) }
                report.packing = .zstd
                guard try input.skipFrame(didRead) else { return try end(.truncated) }
            case .cut: return try end(.truncated)
            case .other:
                // Programs write trailing bytes after gzip, but not after zstd.
                guard report.packing == .gzip else { return try end(.damaged) }
                report.trailingBytesAt = input.position
                return try end(skipTrailingBytes() ? .damaged : .ok)
            }
        }
    }

    /// Skips the rest of the file. Returns whether it may hold records: a line of text, or the magic number of a
    /// member.
    private func skipTrailingBytes() throws -> Bool {
        var search = RecordSearch()
        while input.available > 0, !search.hasFound {
            input.skip { search.take($0) }
            try input.readBlock(didRead)
        }
        return search.hasFound
    }

    /// Reads the rest of the file and completes the report.
    private func end(_ status: FileStatus) throws {
        try input.skipToEnd(didRead)
        report.status = status
        report.bytes = input.bytesRead
        if report.stamp?.bytes != report.bytes { report.stamp = nil }
        report.fingerprint = input.fingerprint
        input.close()
        inflater.end()
        stage = .ended
    }
}

/// Looks for what may hold records in the bytes after a gzip file's last member, which come in parts: a line of text,
/// or the magic number of a member.
///
/// A line of text is printable ASCII up to a line end, or sixteen bytes of it in a row.
struct RecordSearch {
    private static let longText = 16

    private(set) var hasFound = false
    /// The last four bytes, the latest one lowest.
    private var last: UInt32 = 0
    /// The number of printable bytes before the next byte.
    private var printable = 0
    /// Whether there are only printable bytes since the last line end.
    private var isText = true

    mutating func take(_ bytes: Span<UInt8>) {
        for index in bytes.indices where !hasFound { take(bytes[index]) }
    }

    private mutating func take(_ byte: UInt8) {
        last = last << 8 | UInt32(byte)
        if last & 0xFFFF == 0x1F8B || last == 0x28B5_2FFD { hasFound = true }
        switch byte {
        case 0x09, 0x20...0x7E:
            printable += 1
            if printable == RecordSearch.longText { hasFound = true }
        case 0x0A, 0x0D:
            if isText, printable > 0 { hasFound = true }
            printable = 0
            isText = true
        default: (printable, isText) = (0, false)
        }
    }
}
