import CVectors

/// Room for bytes that are written the quick way; sound for the same reasons, with `withUnsafeMutableBytes` around it.
struct UncheckedRoom {
    private let base: UnsafeMutableRawPointer
    let count: Int

    @inline(__always)
    init?(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    /// Where it begins, for those who know how much they write.
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
