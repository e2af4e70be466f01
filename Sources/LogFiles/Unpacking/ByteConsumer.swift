/// A consumer of a file's unpacked bytes.
package protocol ByteConsumer {
    /// Takes bytes from the front of `bytes` and returns their number. The other bytes are passed again in the next
    /// call, followed by more. With `atEnd` this is the last call, and bytes that are not taken are lost.
    mutating func consume(_ bytes: Span<UInt8>, atEnd: Bool) throws -> Int

    /// Called instead of the last `consume` if the file is truncated. `bytes` are the bytes that have not been taken.
    mutating func endCut(_ bytes: Span<UInt8>) throws
}

extension ByteConsumer {
    /// Ignores the incomplete bytes.
    package mutating func endCut(_ bytes: Span<UInt8>) throws {}
}
