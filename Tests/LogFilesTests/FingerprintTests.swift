import Foundation
import Support
import Testing

@testable import LogFiles

@Suite struct FingerprintTests {
    @Test(arguments: [0, 1, 7, 8, 9, 262_143, 262_144, 600_001])
    func aFingerprintIsTheSameWithoutUnpacking(size: Int) throws {
        let folder = try ScratchFolder()
        for magic: [UInt8] in [[], [0x1F, 0x8B]] {
            let bytes = magic + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let path = try folder.file(bytes)
            usleep(25_000)
            var consumer = Collecting()
            let report = try LogFile(path).read(into: &consumer)
            var total = 0
            let (outline, stamp) = try LogFile(path).outline { total += $0 }
            #expect(outline.fingerprint == report.fingerprint)
            #expect(total == bytes.count)
            #expect(stamp == report.stamp)
            #expect(stamp?.bytes == bytes.count)
        }
    }

    @Test func aFileThatWasJustWrittenHasNoStamp() throws {
        let folder = try ScratchFolder()
        let path = try folder.file([1, 2, 3])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 0.005)], ofItemAtPath: path)
        #expect(try LogFile(path).outline().stamp == nil)
    }
}
