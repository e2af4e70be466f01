/// What unpacking a zstd frame takes.
struct ZstdHeader {
    /// The largest window that is unpacked, as a power of two: 128 MiB.
    static let windowLog: Int32 = 27

    /// The bytes of content that the unpacker must keep.
    let window: Int
    /// Whether the frame was made with a dictionary.
    let hasDictionary: Bool

    var foreignKind: ForeignKind? {
        hasDictionary ? .zstdDictionary : window > 1 << ZstdHeader.windowLog ? .zstdWindow : nil
    }
}
