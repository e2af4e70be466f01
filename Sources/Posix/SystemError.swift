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
