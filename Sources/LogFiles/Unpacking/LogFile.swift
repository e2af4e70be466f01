import Posix

/// How a file ended.
package enum FileStatus: String, Sendable {
    case ok
    /// A gzip file that ends inside a member, or a plain one that is shorter at its end than it was when it was opened.
    case truncated
    /// A gzip file with bad data, or a bad CRC or length, in a member.
    case damaged
}

/// What reading a file to its end has told.
package struct FileReport: Sendable {
    package var status = FileStatus.ok
    package var isGzipped = false
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

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
    }
}

/// A log file, gzipped (any number of members) or plain, told apart by its first bytes.
package struct LogFile: Sendable {
    /// What unpacks, and its version.
    package static let library = Inflater.library

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    static func open(_ path: String) throws(LogFileError) -> FileDescriptor {
        do {
            return try FileDescriptor(reading: path)
        } catch {
            throw LogFileError(step: .open, path: path, code: error.code)
        }
    }

    /// What `body` reads from an open file.
    static func reading<Result>(_ body: () throws(SystemError) -> Result) throws(LogFileError) -> Result {
        do {
            return try body()
        } catch {
            throw LogFileError(step: .read, path: error.path, code: error.code)
        }
    }
}
