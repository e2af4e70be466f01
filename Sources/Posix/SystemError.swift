/// A call of the operating system that failed.
package struct SystemError: Error, Equatable, Sendable {
    /// The call's name, as in its manual page.
    package let call: String
    /// The file or folder that it was about.
    package let path: String
    /// `errno`.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }
}
