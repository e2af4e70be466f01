import CXattr
import Foundation

/// An open file. The code that opens it must close it. A call that a signal interrupts (EINTR) is repeated.
package struct FileDescriptor: Sendable {
    /// The descriptor of the operating system; negative if an open call failed.
    package let number: Int32
    /// The path for error messages.
    package let path: String

    /// Wraps a descriptor that is already open.
    package init(_ number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    /// Opens a file for reading.
    package init(reading path: String) throws(SystemError) {
        try self.init(path, flags: O_RDONLY)
    }

    /// Opens a regular file, or a link to one. Never waits for the other end of a FIFO.
    /// - Throws: EISDIR for a folder, `SystemError.notAFile` for a FIFO, a socket or a device.
    package init(file path: String, flags: Int32 = O_RDONLY) throws(SystemError) {
        try self.init(path, flags: flags | O_NONBLOCK)
        do {
            try checkIsFile()
        } catch {
            close()
            throw error
        }
    }

    /// Creates a new file for reading and writing. Throws if the file exists.
    package init(creating path: String) throws(SystemError) {
        try self.init(path, flags: O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file with the flags of `open(2)`, and `O_CLOEXEC`.
    package init(_ path: String, flags: Int32) throws(SystemError) {
        number = open(path, flags | O_CLOEXEC, 0o666)
        self.path = path
        guard number < 0 else { return }
        // What open(2) says of a socket, and of a FIFO that nobody reads.
        throw errno == ENXIO ? SystemError(call: "open", path: path, code: SystemError.notAFile) : error("open")
    }

    /// Closes the file. Errors are ignored.
    package func close() {
        Foundation.close(number)
    }

    /// Reads into a range of `bytes`, until the range is full or the file ends. Returns the number of bytes read.
    /// - Parameter offset: where to read in the file; nil reads at the file's position and moves it.
    package func fill(_ bytes: inout [UInt8], in range: Range<Int>, at offset: Int? = nil) throws(SystemError) -> Int {
        try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            var rest = UnsafeMutableBufferPointer(rebasing: bytes[range])
            while rest.count > 0 {
                let count =
                    if let offset {
                        pread(number, rest.baseAddress, rest.count, off_t(offset + range.count - rest.count))
                    } else {
                        read(number, rest.baseAddress, rest.count)
                    }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw error("read") }
                if count == 0 { break }
                rest = UnsafeMutableBufferPointer(rebasing: rest[count...])
            }
            return range.count - rest.count
        }
    }

    /// Writes all bytes.
    /// - Parameter offset: where to write in the file; nil writes at the file's position and moves it.
    package func write(_ bytes: Span<UInt8>, at offset: Int? = nil) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            var rest = bytes
            while rest.count > 0 {
                let count =
                    if let offset {
                        pwrite(number, rest.baseAddress, rest.count, off_t(offset + bytes.count - rest.count))
                    } else {
                        Foundation.write(number, rest.baseAddress, rest.count)
                    }
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw error("write") }
                rest = UnsafeBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Sets the file's position.
    package func seek(to position: Int) throws(SystemError) {
        if lseek(number, off_t(position), SEEK_SET) < 0 { throw error("lseek") }
    }

    /// Sets the file's permissions, whatever the process's umask (`fchmod`).
    func setMode(_ mode: mode_t) throws(SystemError) {
        if fchmod(number, mode) != 0 { throw error("fchmod") }
    }

    /// Flushes the file's bytes to the disk and waits for it (`fsync`).
    package func sync() throws(SystemError) {
        if fsync(number) != 0 { throw error("fsync") }
    }

    /// - Throws: EISDIR for a folder, `SystemError.notAFile` for a FIFO, a socket or a device.
    private func checkIsFile() throws(SystemError) {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw error("fstat") }
        if let code = FileKind(status.st_mode).openingCode { throw SystemError(call: "open", path: path, code: code) }
    }

    private func error(_ call: String) -> SystemError {
        SystemError(call: call, path: path, code: errno)
    }
}
