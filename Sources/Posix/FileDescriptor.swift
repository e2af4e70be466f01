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
        try self.init(path, O_RDONLY)
    }

    /// Creates a new file for reading and writing. Throws if the file exists.
    package init(creating path: String) throws(SystemError) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file with the flags of `open(2)`, and `O_CLOEXEC`.
    package init(_ path: String, _ flags: Int32) throws(SystemError) {
        number = open(path, flags | O_CLOEXEC, 0o666)
        self.path = path
        if number < 0 { throw error("open") }
    }

    /// Closes the file. Errors are ignored.
    package func close() {
        Foundation.close(number)
    }

    /// Reads from the file's position into a range of `bytes`, until the range is full or the file ends. Returns the
    /// number of bytes read.
    package func fill(_ bytes: inout [UInt8], _ range: Range<Int>) throws(SystemError) -> Int {
        try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try fill(UnsafeMutableBufferPointer(rebasing: bytes[range])) { buffer, count, _ in
                read(number, buffer, count)
            }
        }
    }

    /// Reads from `offset` until the buffer is full or the file ends. Returns the number of bytes read. Does not move
    /// the file's position.
    package func fill(_ bytes: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(SystemError) -> Int {
        try fill(bytes) { buffer, count, done in pread(number, buffer, count, off_t(offset + done)) }
    }

    /// Writes all bytes at the file's position.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) {
        try write(bytes) { buffer, count, _ in Foundation.write(number, buffer, count) }
    }

    /// Writes all bytes at `offset`. Does not move the file's position.
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
        try write(bytes) { buffer, count, done in pwrite(number, buffer, count, off_t(offset + done)) }
    }

    /// Sets the file's position.
    package func seek(to position: Int) throws(SystemError) {
        if lseek(number, off_t(position), SEEK_SET) < 0 { throw error("lseek") }
    }

    /// Flushes the file's bytes to the disk and waits for it (`fsync`).
    package func sync() throws(SystemError) {
        if fsync(number) != 0 { throw error("fsync") }
    }

    /// Calls `call` with the rest of the buffer, its size, and the number of bytes already read.
    private func fill(
        _ bytes: UnsafeMutableBufferPointer<UInt8>, _ call: (UnsafeMutablePointer<UInt8>?, Int, Int) -> Int
    ) throws(SystemError) -> Int {
        var done = 0
        while done < bytes.count {
            let count = call(bytes.baseAddress.map { $0 + done }, bytes.count - done, done)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw error("read") }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Calls `call` with the rest of the bytes, their number, and the number of bytes already written.
    private func write(
        _ bytes: Span<UInt8>, _ call: (UnsafePointer<UInt8>?, Int, Int) -> Int
    ) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            var done = 0
            while done < bytes.count {
                let count = call(bytes.baseAddress.map { $0 + done }, bytes.count - done, done)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw error("write") }
                done += count
            }
        }
    }

    private func error(_ call: String) -> SystemError {
        SystemError(call: call, path: path, code: errno)
    }
}
