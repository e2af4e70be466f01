/// A value has another type than the one asked for. The value itself may be an id, so it is not named.
package struct ValueTypeError: Error, CustomStringConvertible {
    @usableFromInline
    init() {}

    package var description: String { "a value has the wrong type" }
}
