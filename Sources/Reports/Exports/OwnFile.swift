/// A file that is written whole, and how it is known from those of others.
struct OwnFile {
    let path: String
    /// Whether a file that begins with these bytes may be replaced.
    let isOurs: (_ head: [UInt8]) -> Bool
}
