/// A buffer that can be made empty.
protocol ReusableBuffer { init() }

extension Array: ReusableBuffer {}

/// Moves a buffer out of its owner, so that its bytes can be read while the owner works on.
func take<Buffer>(_ buffer: inout Buffer) -> Buffer where Buffer: ReusableBuffer {
    var taken = Buffer()
    swap(&taken, &buffer)
    return taken
}
