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

    /// Of the years 1900, 1970, 2262, 2300, 2301 and 2446, in seconds. A file system may store the nearest time that it has.
    private static let farTimes = [
        -2_208_988_800, 0, 9_223_372_036, 9_223_372_037, 10_413_792_000, 10_445_328_000, 15_032_385_535,
    ]

    @Test(arguments: farTimes) func aTimeOfAnyYearMakesASteadyStamp(seconds: Int) throws {
        let folder = try ScratchFolder()
        let unset = FileStamp(path: try folder.file([1]))
        let time = timespec(tv_sec: seconds, tv_nsec: 1)
        #expect(utimensat(AT_FDCWD, folder.path("file"), [time, time], 0) == 0)
        let stamp = try #require(FileStamp(path: folder.path("file")))
        #expect(stamp != unset)
        #expect(stamp.isSteady(at: FileStamp.now() + 3_000_000_000))
        let stored = try JSONEncoder().encode(stamp)
        #expect(try JSONDecoder().decode(FileStamp.self, from: stored) == stamp)
    }

    /// As a damaged file of the cache may say.
    @Test(arguments: [Int64.min, .max, 0]) func anyNumberIsATime(number: Int64) throws {
        let stamp = try stamp(modified: number, changed: number)
        for now in [Int64.min, 0, .max] { _ = stamp.isSteady(at: now) }
    }
}
