import Foundation
import Posix
import Support
import Testing

@Suite struct FileStampTests {
    private static let old: Int64 = 1_000_000_000_000_000_001

    private func stamp(modified: Int64, changed: Int64) throws -> FileStamp {
        let text = #"{"bytes":1,"inode":2,"modified":\#(modified),"changed":\#(changed)}"#
        return try JSONDecoder().decode(FileStamp.self, from: Data(text.utf8))
    }

    @Test(
        arguments: [
            (0, 0, 20_000_000, true), (0, 0, 19_999_999, false),
            // A copy that kept its time: only the change is young.
            (-3_600_000_000_000, 0, 10_000_000, false),
            // Times ahead of ours.
            (0, 1_000_000_000_000, 20_000_000, false), (1_000_000_000_000, 0, 20_000_000, true),
        ] as [(Int64, Int64, Int64, Bool)])
    func aFileThatHasJustChangedIsNotSettled(modified: Int64, changed: Int64, now: Int64, settled: Bool) throws {
        let stamp = try stamp(modified: Self.old + modified, changed: Self.old + changed)
        #expect(stamp.isSteady(at: Self.old + now) == settled)
    }

    @Test func wholeSecondsNeedTwoOfThem() throws {
        let stamp = try stamp(modified: Self.old - 1, changed: Self.old - 1)
        #expect(!stamp.isSteady(at: Self.old - 1 + 1_999_999_999))
        #expect(stamp.isSteady(at: Self.old - 1 + 2_000_000_000))
    }

    @Test func aFileHasAStampAndAFolderHasNone() throws {
        let folder = try ScratchFolder()
        let path = try folder.file([1, 2, 3])
        let stamp = try #require(FileStamp(path: path))
        #expect(stamp.bytes == 3)
        #expect(abs(FileStamp.now() - stamp.changed) < 60_000_000_000)
        #expect(FileStamp(path: path) == stamp)
        #expect(FileStamp(path: folder.url.path) == nil)
        #expect(FileStamp(path: path + "-none") == nil)
    }
}
