/// A failed system call.
package struct SystemError: Error, Equatable, Sendable {
    /// The name of the call, as in its manual page.
    package let call: String
    /// The path of the file or folder.
    package let path: String
    /// A `code` of our own: a FIFO, a socket or a device is where a file should be.
    package static let notAFile: Int32 = -1

    /// The value of `errno`, or `notAFile`.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }
}

/// Whether a file was whole when it was read.
package enum FileStatus: String, Codable, Sendable {
    case ok
    /// A gzip or zstd file ends inside a member, or a plain file became shorter while it was read.
    case truncated
    /// A member of such a file has invalid data, a wrong CRC or a wrong length.
    case damaged
}
