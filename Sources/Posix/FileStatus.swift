/// Whether a file was whole when it was read.
package enum FileStatus: String, Codable, Sendable {
    case ok
    /// A gzip or zstd file ends inside a member, or a plain file became shorter while it was read.
    case truncated
    /// A member of such a file has invalid data, a wrong CRC or a wrong length.
    case damaged
}
