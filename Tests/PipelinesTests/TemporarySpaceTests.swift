import Foundation
import LogFiles
import Testing

@testable import Pipelines

@Suite struct TemporarySpaceTests {
    private func file(_ bytes: [UInt8], size: Int) throws -> InputFile {
        let path = NSTemporaryDirectory() + "/space-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return InputFile(source: 0, found: FoundFile(path: path, location: path, bytes: size))
    }

    @Test func gzippedFilesTakeMoreThanPlainOnesOfTheirSize() throws {
        let gzipped = try file([0x1F, 0x8B, 8], size: 100_000_000)
        let plain = try file(Array("plain".utf8), size: 100_000_000)
        #expect(TemporarySpace([gzipped], memory: 1 << 30).needed == 17_000_000)
        #expect(TemporarySpace([plain], memory: 1 << 30).needed == 2_500_000)
        #expect(TemporarySpace([gzipped, plain], memory: 1 << 30).needed == 19_500_000)
    }

    @Test func whatTheMemoryDoesNotHoldIsThereTwice() throws {
        let gzipped = try file([0x1F, 0x8B, 8], size: 100_000_000)
        #expect(TemporarySpace([gzipped], memory: 20_000_000).needed == 17_000_000 + 13_666_667)
    }

    @Test func lessRoomThanThatIsAnError() throws {
        let space = TemporarySpace([try file([0x1F, 0x8B, 8], size: 100_000_000)], memory: 1 << 30)
        try space.check(free: 17_000_000, in: "/out")
        #expect(throws: SpaceError(folder: "/out", needed: 17_000_000, free: 16_999_999)) {
            try space.check(free: 16_999_999, in: "/out")
        }
    }
}
