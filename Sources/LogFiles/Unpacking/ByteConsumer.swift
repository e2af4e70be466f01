/// Takes a file's unpacked bytes, a block at a time.
package protocol ByteConsumer {
    /// Takes from the front of `bytes` and returns how many bytes it took; the rest comes again with more behind it.
    /// With `atEnd` nothing follows: what is not taken is lost.
    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int

    /// The file is cut off behind `bytes`, which no call has taken yet.
    mutating func endCut(_ bytes: Span<UInt8>) throws
}

extension ByteConsumer {
    /// What is incomplete does not count.
    package mutating func endCut(_ bytes: Span<UInt8>) throws {}
}
