/// A failed system call.
package struct SystemError: Error, Equatable, Sendable {
    /// The name of the call, as in its manual page.
    package let call: String
    /// The path of the file or folder.
    package let path: String
    /// The value of `errno`.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }
}
