import Posix

/// How a file ended.
package enum FileStatus: String, Sendable {
    case ok
    /// A gzip file that ends inside a member, or a plain one that is shorter at its end than it was when it was opened.
    case truncated
    /// A gzip file with bad data, or a bad CRC or length, in a member.
    case damaged
}
