import CChecksum
import CZlib
import Testing

@Test func theChecksumIsZlibsForEveryLengthAndStart() {
    var state: UInt64 = 7
    let bytes = (0..<5000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
    var crc: UInt32 = 0
    for count in Array(0..<300) + Array(500..<800) + [1023, 1024, 1025, 4000] {
        for start in [0, 1, 7, 16, 33] {
            bytes.withUnsafeBufferPointer { buffer in
                let slice = UnsafeBufferPointer(rebasing: buffer[start..<(start + count)])
                let ours = checksum_crc32(crc, slice.baseAddress, count)
                #expect(UInt(ours) == crc32_z(UInt(crc), slice.baseAddress, count), "\(count) bytes from \(start)")
                crc = ours
            }
        }
    }
}
