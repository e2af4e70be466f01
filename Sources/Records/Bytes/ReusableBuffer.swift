/// A buffer that has an empty value.
protocol ReusableBuffer { init() }

extension Array: ReusableBuffer {}

/// Moves a buffer out of its owner and leaves an empty one. So the buffer can be read while the owner is mutated. The
/// caller moves it back afterwards, to reuse its memory.
func take<Buffer>(_ buffer: inout Buffer) -> Buffer where Buffer: ReusableBuffer {
    var taken = Buffer()
    swap(&taken, &buffer)
    return taken
}
