/// The bytes of a block do not read as one.
package enum EventBlockError: Error, Equatable {
    case tooShort(bytes: Int)
    case hashDiffers
    case inconsistent
}
