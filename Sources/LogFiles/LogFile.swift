import Foundation

/// How a file ended.
package enum FileStatus: String, Sendable {
    case ok
    /// A gzip file that ends inside a member.
    case truncated
    /// A gzip file with bad data, or a bad CRC or length, in a member.
    case damaged
}

/// What reading a file to its end has told.
package struct FileReport: Sendable {
    package var status = FileStatus.ok
    /// Bytes of the file as it lies on disk.
    package var bytes = 0
    /// Identifies the file's bytes: their hash and their number.
    package var fingerprint = ""
    /// What the system told of the file before it was read; nil if a write since then might not show in it.
    package var stamp: FileStamp?
    /// Members that ended well, before the damaged one if there is one.
    package var wholeMembers = 0
    /// Where in the file bytes begin that are neither a gzip member nor padding; they are ignored.
    package var trailingBytesAt: Int?
}

/// A file could not be opened or read.
package struct LogFileError: Error, Equatable {
    package enum Step: Sendable { case open, read, inflate }

    package let step: Step
    package let path: String
    package let code: Int32
}

/// Takes a file's unpacked bytes, a block at a time.
package protocol ByteConsumer {
    /// Takes from the front of `bytes` and answers how many bytes it took; the rest comes again with more behind it.
    /// With `atEnd` nothing follows: what is not taken is lost.
    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int

    /// The file is cut off behind `bytes`, which no call has taken yet.
    mutating func endCut(_ bytes: Span<UInt8>) throws

    /// `count` more bytes of the file itself have been read.
    mutating func didRead(_ count: Int) throws
}

extension ByteConsumer {
    /// What is incomplete does not count.
    package mutating func endCut(_ bytes: Span<UInt8>) throws {}
}

/// A log file, gzipped (any number of members) or plain, told apart by its first bytes.
package struct LogFile: Sendable {
    /// Bytes that are read from the file at a time, and unpacked at a time: both fit the cache.
    static let blockSize = 1 << 18

    /// What unpacks, and its version.
    package static let library = Inflater.library

    package let path: String
    let blockSize: Int

    package init(_ path: String) {
        self.init(path, blockSize: LogFile.blockSize)
    }

    init(_ path: String, blockSize: Int) {
        self.path = path
        self.blockSize = blockSize
    }

    /// Reads the file to its end, handing its unpacked bytes, without a leading byte order mark, to `consumer`.
    ///
    /// The consumer may have been given bytes of a member that turns out to be damaged. Then forget what it made of
    /// them and read again with `members` set to the report's `wholeMembers`: only so many members are unpacked.
    ///
    /// - Throws: `LogFileError`, or what the consumer throws.
    package func read(members: Int = .max, into consumer: inout some ByteConsumer) throws -> FileReport {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError(step: .open, path: path, code: errno) }
        defer { close(descriptor) }
        let stamp = LogFile.settledStamp(of: descriptor)
        var input = FileInput(descriptor: descriptor, path: path, blockSize: blockSize)
        try input.readBlock(&consumer)
        var window = Window(blockSize: blockSize)
        var report = FileReport()
        report.stamp = stamp
        if input.startsWithGzipMagic {
            try inflateMembers(members, from: &input, through: &window, into: &consumer, &report)
        } else {
            while input.available > 0 {
                window.append(input.takeAll())
                try window.offer(to: &consumer, atEnd: false)
                try input.readBlock(&consumer)
            }
        }
        if report.status == .truncated {
            try window.offerCut(to: &consumer)
        } else {
            try window.offer(to: &consumer, atEnd: true)
        }
        while input.available > 0 {
            _ = input.takeAll()
            try input.readBlock(&consumer)
        }
        report.bytes = input.bytesRead
        if stamp?.bytes != input.bytesRead { report.stamp = nil }
        report.fingerprint = input.fingerprint
        return report
    }

    private func inflateMembers(
        _ members: Int, from input: inout FileInput, through window: inout Window,
        into consumer: inout some ByteConsumer, _ report: inout FileReport
    ) throws {
        guard members > 0 else {
            report.status = .damaged
            return
        }
        var inflater = try Inflater(path: path)
        var memberStart = input.position
        // Bytes that the window has had of the member; and how many of those it is about to get once more.
        var (given, repeated) = (0, 0)
        while true {
            let room = repeated > 0 ? min(repeated, blockSize) : blockSize
            let (filled, step) = window.inflate(with: &inflater, from: &input, room: room)
            let isDamaged =
                step == .memberDamaged || step == .memberEnded && !inflater.agrees(with: input.lastTaken(8))
            var isCut = false
            if step == .moreToCome && input.available == 0 {
                try input.readBlock(&consumer)
                // A full block may have left output behind that needs no more input.
                isCut = input.available == 0 && filled < room
            }
            if (isDamaged || isCut) && !inflater.isZlib {
                window.dropLast(filled)
                repeated = given
                inflater.startAgainWithZlib()
                try input.goBack(to: memberStart)
                continue
            }
            if isDamaged {
                report.status = .damaged
                return
            }
            if repeated > 0 {
                window.dropLast(filled)
                repeated -= filled
            } else {
                given += filled
                try window.offer(to: &consumer, atEnd: false)
            }
            if isCut {
                report.status = try inflater.isNearEnd && hasWrongCRC(memberAt: memberStart) ? .damaged : .truncated
                return
            }
            guard step == .memberEnded else { continue }
            report.wholeMembers += 1
            switch try nextMember(in: &input, &consumer) {
            case .none:
                return
            case .cut:
                report.status = .truncated
                return
            case .trailingBytes(let offset):
                report.trailingBytesAt = offset
                return
            case .member where report.wholeMembers == members:
                report.status = .damaged
                return
            case .member:
                inflater.reset()
                memberStart = input.position
                given = 0
            }
        }
    }

    private enum Next {
        case none
        case cut
        case member
        case trailingBytes(Int)
    }

    /// What follows a member, behind zero padding.
    private func nextMember(in input: inout FileInput, _ consumer: inout some ByteConsumer) throws -> Next {
        while true {
            input.skipZeros()
            if input.available == 0 {
                try input.readBlock(&consumer)
                if input.available == 0 { return .none }
                continue
            }
            if input.available == 1 && input.byte(0) == 0x1F {
                try input.readBlock(&consumer)
                if input.available == 1 { return .cut }
            }
            return input.startsWithGzipMagic ? .member : .trailingBytes(input.position)
        }
    }
}
