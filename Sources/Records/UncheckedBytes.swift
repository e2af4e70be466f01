import Foundation

/// The bytes of a line while it is read the quick way: loads that are not checked one by one, since the checks would cost
/// as much as all the rest there.
///
/// Why this is sound: it lives within `withUnsafeBytes` of the line's span and never leaves it, so the memory is there and
/// nobody writes to it; and all who load from it (`HitRules.quick`, `UserAgent.quickPlatform`) first make sure that the
/// place lies in the line, and say how. Debug builds check every load, and the tests run there on cut and mutated lines.
struct UncheckedBytes {
    private let base: UnsafeRawPointer
    let count: Int

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        assert(index >= 0 && index < count)
        return (base + index).load(as: UInt8.self)
    }

    /// Eight bytes, the first one lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        assert(index >= 0 && index + 8 <= count)
        return UInt64(littleEndian: (base + index).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        assert(index >= 0 && index + 4 <= count)
        return UInt32(littleEndian: (base + index).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    func vector(at index: Int) -> SIMD16<UInt8> {
        assert(index >= 0 && index + 16 <= count)
        return (base + index).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The first place of `byte` at or after `start`, which is not behind the end.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        assert(start >= 0 && start <= count)
        guard let found = memchr(base + start, Int32(byte), count &- start) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
