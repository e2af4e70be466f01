/// The bytes are not a valid event block.
package enum EventBlockError: Error, Equatable {
    /// Fewer bytes than a header.
    case tooShort(bytes: Int)
    /// The hash does not match: the bytes are damaged.
    case hashDiffers
    /// Sizes, counts or ids contradict each other.
    case inconsistent
}
