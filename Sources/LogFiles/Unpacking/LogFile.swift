/// A log file, gzipped (any number of members) or plain, told apart by its first bytes.
package struct LogFile: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }
}
