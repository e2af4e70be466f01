/// A file to be written, and how an earlier version of it is recognised.
struct OwnFile {
    let path: String
    /// Whether a file that begins with these bytes may be replaced.
    let isOurs: (_ head: [UInt8]) -> Bool
}
