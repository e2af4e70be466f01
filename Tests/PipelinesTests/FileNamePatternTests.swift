import Calendar
import Testing

@testable import Pipelines

/// `Tests/Transcripts/guess-files.md` has more names, and what their patterns find.
@Suite struct FileNamePatternTests {
    @Test(arguments: [
        // logrotate, with the .gz that comes a night later, and without it
        ("/var/log/nginx/access.log-20261119.gz", "/var/log/nginx/access.log-%Y%m%d*"),
        ("/var/log/nginx/access.log-20261119", "/var/log/nginx/access.log-%Y%m%d*"),
        ("/var/log/nginx/access.log-2026111908.gz", "/var/log/nginx/access.log-%Y%m%d*.gz"),
        // folders by date
        ("/logs/2026-11-19/collector-01.log.gz", "/logs/%Y-%m-%d/collector-*.log.gz"),
        ("/logs/2026-11-19/access.log", "/logs/%Y-%m-%d/access.log"),
        ("/logs/2026/11/19/node7.json", "/logs/%Y/%m/%d/node*.json"),
        ("/gcs/requests/2026/11/19/08:00:00_08:59:59_S0.json", "/gcs/requests/%Y/%m/%d/*_S*.json"),
        ("/cf/E1PUSH.2026-11-19-21.1a5cvh0q.gz", "/cf/E1PUSH.%Y-%m-%d*.gz"),
        ("/d/access_2026_11_19.log", "/d/access_%Y_%m_%d.log"), ("/d/19-11-2026.log", "/d/%d-%m-%Y.log"),
        ("/d/access-2026323.log", "/d/access-%Y%j.log"), ("/d/access-2026-323.log", "/d/access-%Y-%j.log"),
        // folders below the date
        ("/l/2026-11-19T08/web1/access.log", "/l/%Y-%m-%dT*/web*/access.log"),
        // before the date, and after it
        ("/l/23-59_access_2026-11-19.log", "/l/*_access_%Y-%m-%d.log"),
        ("/l/shop-7d9f8b6c5-xkzvq_2026-11-19.log", "/l/shop-*_%Y-%m-%d.log"),
        ("/l/deadbeef-4e5f-6789-abcd-ef0123456789.2026-11-19.log", "/l/*.%Y-%m-%d.log"),
        // no date, and what looks like one
        ("/l/261119.log", "/l/261119.log"),
        ("/var/log/nginx/access.log", "/var/log/nginx/access.log"), ("/d/20261341.log", "/d/20261341.log"),
        ("/d/123456789.log", "/d/123456789.log"), ("/d/19260101.log", "/d/19260101.log"),
        // what patterns give a meaning
        ("/d/50%/a[1]*?.log-20261119", "/d/50%%/a[[]*][*][?].log-%Y%m%d*"),
        ("/d/otoño-2026-11-19.gz", "/d/otoño-%Y-%m-%d*"),
    ])
    func aPathGivesAPattern(path: String, pattern: String) {
        #expect(FileNamePattern(path, day: nil).text == pattern)
    }

    /// A year of two digits needs the records' day.
    @Test(arguments: [
        ("/l/ex261119.log", "/l/ex%y%m%d.log"), ("/l/u_ex26111908.log", "/l/u_ex%y%m%d*.log"),
        ("/l/access-101112.log", "/l/access-101112.log"),
    ])
    func aYearOfTwoDigitsIsNearTheDayOfTheRecords(path: String, pattern: String) {
        #expect(FileNamePattern(path, day: LogDate(year: 2026, month: 11, day: 18)).text == pattern)
    }

    /// A folder may have another date, such as that of a backup.
    @Test func ofSeveralDatesTheDayOfTheRecordsTells() throws {
        let path = "/backup-2026-01-02/access-2026-11-19.log"
        let november = try #require(LogDate(year: 2026, month: 11, day: 18))
        let pattern = FileNamePattern(path, day: november)
        #expect(pattern.text == "/backup-2026-01-02/access-%Y-%m-%d.log")
        #expect(pattern.date == LogDate(year: 2026, month: 11, day: 19))
        let january = try #require(LogDate(year: 2026, month: 1, day: 1))
        #expect(FileNamePattern(path, day: january).text.hasPrefix("/backup-%Y-%m-%d/access-"))
        #expect(FileNamePattern(path, day: nil).date == LogDate(year: 2026, month: 11, day: 19))
    }

    @Test(arguments: [
        ("/d/%Y-%m-%d/a.log", "/d/2026-11-19/web-a.log", "/d/2026-11-19/web-b.log", "/d/%Y-%m-%d/web-*.log"),
        ("", "/d/2026-11-19/damaged.log", "/d/2026-11-19/sound.log", "/d/%Y-%m-%d/*.log"),
        ("", "/web-a/2026-11-19/x.log", "/web-b/2026-11-19/x.log", "/web-*/%Y-%m-%d/x.log"),
    ])
    func namesThatDifferInOnePartAreMerged(_: String, one: String, other: String, merged: String) {
        #expect(FileNamePattern(one, day: nil).merged(with: FileNamePattern(other, day: nil))?.text == merged)
    }

    @Test func otherNamesAreNotMerged() {
        let one = FileNamePattern("/a/2026-11-19/x.log", day: nil)
        #expect(one.merged(with: FileNamePattern("/b/2026-11-19/y.log", day: nil)) == nil)
        #expect(one.merged(with: FileNamePattern("/a/x/2026-11-19/x.log", day: nil)) == nil)
        #expect(one.merged(with: FileNamePattern("/a/20261119/x.log", day: nil)) == nil)
    }
}
