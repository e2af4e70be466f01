/// A log file: gzip or zstd, with any number of members, or plain. Its first bytes decide which.
package struct LogFile: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }
}
