import CVectors

/// Memory that the fast path writes to. Its stores are not bounds-checked. This is sound for the same reasons as
/// `UncheckedBytes`, with `withUnsafeMutableBytes` around it.
struct UncheckedOutput {
    private let base: UnsafeMutableRawPointer
    let count: Int

    @inline(__always)
    init?(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    /// The address of the first byte, for C functions.
    var start: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    @inline(__always)
    func store(_ byte: UInt8, at index: Int) {
        assert(index >= 0 && index < count)
        (base + index).storeBytes(of: byte, as: UInt8.self)
    }

    @inline(__always)
    func store(_ vector: SIMD16<UInt8>, at index: Int) {
        assert(index >= 0 && index + 16 <= count)
        (base + index).storeBytes(of: vector, as: SIMD16<UInt8>.self)
    }
}
