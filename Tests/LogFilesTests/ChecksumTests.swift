import CChecksum
import CZlib
import Reference
import Testing

@Suite struct ChecksumTests {
    @Test func theChecksumEqualsZlibsForEveryLengthAndStart() {
        var random = SplitMix64(seed: 7)
        let bytes = (0..<5000).map { _ in UInt8(random.below(256)) }
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
}
