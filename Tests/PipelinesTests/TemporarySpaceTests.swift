import Testing

@testable import Pipelines

@Suite struct TemporarySpaceTests {
    @Test func gzippedFilesTakeMoreThanPlainOnesOfTheirSize() {
        #expect(TemporarySpace(gzipped: 100_000_000, plain: 0, memory: 1 << 30).needed == 17_000_000)
        #expect(TemporarySpace(gzipped: 0, plain: 100_000_000, memory: 1 << 30).needed == 2_500_000)
        #expect(TemporarySpace(gzipped: 100_000_000, plain: 100_000_000, memory: 1 << 30).needed == 19_500_000)
    }

    @Test func whatTheMemoryDoesNotHoldIsThereTwice() {
        let space = TemporarySpace(gzipped: 100_000_000, plain: 0, memory: 20_000_000)
        #expect(space.needed == 17_000_000 + 13_666_667)
    }

    @Test func lessRoomThanThatIsAnError() throws {
        let space = TemporarySpace(gzipped: 100_000_000, plain: 0, memory: 1 << 30)
        try space.check(free: 17_000_000, in: "/out")
        #expect(throws: SpaceError(folder: "/out", needed: 17_000_000, free: 16_999_999)) {
            try space.check(free: 16_999_999, in: "/out")
        }
    }
}
