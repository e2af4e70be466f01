import Calendar
import Foundation
import Messages
import Support
import Testing

@testable import LogFiles

/// A fresh folder with empty files.
private func folder(with files: [String]) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    for file in files { try folder.write([], to: file) }
    return folder
}

private func folder(with files: String) throws -> ScratchFolder {
    try folder(with: files.split(separator: " ").map(String.init))
}

@Suite struct FilePatternTests {
    private static let february = (1...28).map { "2026-02-\($0 < 10 ? "0" : "")\($0)" }.joined(separator: " ")

    @Test(
        arguments: [
            ("", "'files' must not be empty"),
            ("a\0b", "'files' must not hold line breaks or other control characters"),
            ("logs/", namesFolder), ("/", namesFolder), ("logs/..", namesFolder), (".", namesFolder),
            ("a/%H.gz", "unknown placeholder '%H' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'"),
            ("a%", percent), ("a%/b", percent), ("a[b/c]", bracket("a[b")), ("[]", bracket("[]")),
            ("[!]", bracket("[!]")), ("x[z-a]", "the range 'z-a' in 'files' runs backwards"),
        ])
    func aBadPatternIsRefused(text: String, words: String) {
        let error = #expect(throws: FilePatternError.self) { try FilePattern(text) }
        #expect(error?.text.shown(.stored) == words)
    }

    private static let namesFolder = "'files' names a folder; add the names of the files in it, such as '*.gz'"
    private static let percent = "a '%' with nothing after it in 'files'; write '%%' for a percent sign"

    private static func bracket(_ part: String) -> String {
        "a '[' without ']' in 'files', in '\(part)'; write '[[]' for a bracket"
    }

    /// On 11 November 2026, whose month and day are the same digits.
    @Test(
        arguments: [
            ("logs/%Y-%m-%d/*.log", "logs/2026-11-11/host11.log", "logs/%Y-%m-%d/host11.log"),
            ("logs/*%Y%m%d*", "logs/a-11-20261111-11.gz", "logs/a-11-%Y%m%d-11.gz"),
            ("/x/**/%y%j.?z", "/x/2026/11/26315.gz", "/x/2026/11/%y%j.gz"),
            ("a/**/%d", "a/b/c/11", "a/b/c/%d"), ("100%%-%d-[0-9]", "100%-11-7", "100%%-%d-7"),
            ("*-%d", "50%-11", "50%%-%d"), ("%Y/x", "2025/x", nil), ("%Y/x", "2026/y", nil),
            ("../%m/a", "../11/a", "../%m/a"),
            ("s3a://b/%Y/*.gz", "s3a://b/2026/x.gz", "s3a://b/%Y/x.gz"),
        ] as [(String, String, String?)])
    func aPathWithoutItsDateIsThatOfAnyDate(pattern: String, path: String, undated: String?) throws {
        let date = try #require(LogDate("2026-11-11"))
        let found = try FilePattern(pattern).undated(path, on: date)
        #expect(found == undated)
        if let found { #expect(try FilePattern(found).text(on: date) == path) }
    }

    @Test(
        arguments: [
            // Names, stars, one character
            ("a.gz", "a.gz", "a.gz"), ("*.gz", "a.gz b.txt .c.gz ab.gz gz .gz", "a.gz ab.gz"), ("*", "a .b", "a"),
            ("?.gz", "a.gz ab.gz é.gz .gz", "a.gz é.gz"), ("a*b*c", "abc aXbYc ac abcb", "aXbYc abc"),
            ("**.gz", "a.gz d/b.gz", "a.gz"), ("a**", "a ab b", "a ab"),
            // Sets
            ("[a-c].gz", "a.gz c.gz d.gz -.gz", "a.gz c.gz"), ("[!a-c]", "a d", "d"), ("[^a-c]", "a d", "d"),
            ("[a-]x", "ax -x bx", "-x ax"), ("[]a]x", "]x ax bx", "]x ax"), ("[*]", "* a", "*"),
            ("[[]a]", "[a] a", "[a]"),
            ("[%Y]", "% Y 2", "% Y"), ("[a^]", "^ a b", "^ a"), ("[α-ω]", "β b", "β"), ("[.]a", ".a", ""),
            // Dots
            (".a", ".a", ".a"), (".*", ".a .b c", ".a .b"), ("?a", ".a", ""), ("[!x]a", ".a", ""),
            (".d/*", ".d/a", ".d/a"), ("*", ".\u{301}a b", "b"), ("*/b", "\u{301}a/b", "\u{301}a/b"),
            ("d/\u{301}a", "d/\u{301}a", "d/\u{301}a"), ("\u{E9}*", "\u{E9}a e\u{301}a", "\u{E9}a"),
            ("*\u{301}?", "\u{E9}a e\u{301}a", "e\u{301}a"),
            ("*/a", ".d/a d/a", "d/a"), ("**/a", ".d/a d/.e/a d/f/a a", "a d/f/a"), ("./a", "a", "./a"),
            // Folders
            ("d/*", "d/a d/e/b f/c", "d/a"), ("*/*", "a d/a d/e/b", "d/a"), ("d//a", "d/a", "d/a"),
            ("**", "a d/b d/e/c", "a d/b d/e/c"), ("d/**", "a d/b d/e/c", "d/b d/e/c"),
            ("**/*.gz", "a.gz d/b.gz d/e/c.gz d/x", "a.gz d/b.gz d/e/c.gz"), ("**/**/a", "a d/a d/e/a", "a d/a d/e/a"),
            ("d/**/e/**/a", "d/e/a d/x/e/y/a d/e/e/a d/a", "d/e/a d/e/e/a d/x/e/y/a"),
            ("d/*/../a", "d/a d/e/b", "d/e/../a"),
            ("a/b", "a", ""), ("d", "d/a", ""), ("*", "d/a", ""),
            // Dates
            ("%Y-%m-%d.gz", "2026-11-19.gz 2026-11-18.gz", "2026-11-19.gz"),
            ("%Y/%m/%d/*", "2026/11/19/a 2026/11/18/b", "2026/11/19/a"),
            ("%y%m%d/*.gz", "261119/a.gz 20261119/a.gz 261118/a.gz", "261119/a.gz"), ("%y%j", "26323 2026323", "26323"),
            ("%Y/%y%m%d", "2026/261119 2126/261119", "2026/261119"),
            ("%Y%j", "2026323 2026324", "2026323"), ("100%%-%d", "100%-19", "100%-19"),
            ("x%Y*", "x2026 x2026a x2025", "x2026 x2026a"),
            ("%Y/**/%m%d-?", "2026/1119-a 2026/h/1119-b 2026/h/1118-c", "2026/1119-a 2026/h/1119-b"),
        ] as [(String, String, String)])
    func filesOfTheLogDateAreFound(pattern: String, files: String, found: String) throws {
        let scratch = try folder(with: files)
        let date = try #require(LogDate("2026-11-19"))
        let paths = try FilePattern(pattern).files(on: date, in: scratch.root).map(\.path)
        #expect(paths == found.split(separator: " ").map(String.init))
        // A search for several dates finds the same files as one search for each.
        let dates = (-1...1).map { date.adding(days: $0) }
        let several = try FilePattern(pattern).files(on: dates, in: scratch.root)
        for date in dates {
            #expect(try several[date] ?? [] == FilePattern(pattern).files(on: date, in: scratch.root))
        }
    }

    @Test func aFoundFileHasItsPathLocationAndSize() throws {
        let scratch = try folder(with: ["logs/2026-11-19/b.gz", "logs/2026-11-19/a.gz", "pipelines/p.yaml"])
        try scratch.write("four", to: "logs/2026-11-19/a.gz")
        let date = try #require(LogDate("2026-11-19"))
        let base = scratch.root + "/pipelines"
        #expect(
            try FilePattern("../logs/%Y-%m-%d/*.gz").files(on: date, in: base) == [
                FoundFile(
                    path: "../logs/2026-11-19/a.gz", location: base + "/../logs/2026-11-19/a.gz", bytes: 4),
                FoundFile(
                    path: "../logs/2026-11-19/b.gz", location: base + "/../logs/2026-11-19/b.gz", bytes: 0),
            ])
        let absolute = scratch.root + "/logs/%Y-%m-%d/a.*"
        let path = scratch.root + "/logs/2026-11-19/a.gz"
        #expect(
            try FilePattern(absolute).files(on: date, in: "/nowhere") == [
                FoundFile(path: path, location: path, bytes: 4)
            ])
    }

    @Test(
        arguments: [
            (
                "hdfs://nn:8020/logs/%Y-%m-%d/*.gz", "hdfs://nn:8020/logs/????-??-??/*.gz",
                "hdfs://nn:8020/logs/2026-11-19/*.gz"
            ),
            ("s3a://b/a[0-9]{,}\\%%/x?%j", "s3a://b/a?\\{\\,\\}\\\\%/x????", "s3a://b/a?\\{\\,\\}\\\\%/x?323"),
        ])
    func aURIIsAGlobOfHadoop(_ text: String, _ ofAll: String, _ ofOne: String) throws {
        let pattern = try FilePattern(text)
        #expect(pattern.hadoopGlob(on: nil) == ofAll)
        #expect(pattern.hadoopGlob(on: LogDate("2026-11-19")) == ofOne)
    }

    @Test func theFilesAtAURIAreThoseOfAListing() throws {
        let date = try #require(LogDate("2026-11-19"))
        let pattern = try FilePattern("hdfs:///logs/%Y-%m-%d/[ab]*.gz")
        var listing = FileListing()
        let uris = [
            "hdfs://nn/logs/2026-11-19/b.gz", "hdfs:/logs/2026-11-19/a: é.gz", "hdfs://nn/logs/2026-11-20/a.gz",
            "hdfs://nn/logs/2026-11-19/c.gz", "hdfs://nn/logs/2026-11-19/_b.gz", "hdfs://nn/more/logs/2026-11-19/a.gz",
        ]
        listing.add(uris.map { FileListing.File(location: $0, bytes: 7, modified: 1_700_000_000_123) }, of: pattern)
        let found = try FilePatterns([pattern]).files(on: date, in: "/nowhere", listing: listing)
        #expect(found.map(\.path) == ["hdfs:///logs/2026-11-19/a: é.gz", "hdfs:///logs/2026-11-19/b.gz"])
        #expect(found.map(\.location) == ["hdfs:/logs/2026-11-19/a: é.gz", "hdfs://nn/logs/2026-11-19/b.gz"])
        #expect(found.map(\.stamp?.modified) == [1_700_000_000_123_000_000, 1_700_000_000_123_000_000])
        #expect(try FilePatterns([pattern]).files(on: date, in: "/nowhere") == [])
        // Whatever time a store gives, the program goes on.
        for modified in [Int64.min, -1, 0, .max] {
            var odd = FileListing()
            odd.add([FileListing.File(location: uris[0], bytes: 7, modified: modified)], of: pattern)
            let stamp = try FilePatterns([pattern]).files(on: date, in: "/nowhere", listing: odd).first?.stamp
            #expect(stamp?.isSteady(at: 1_800_000_000_000_000_000) == (modified < .max))
        }
        for path in ["/a://b/c", "a/b://c/d", "a:/b", "://a/b", "a"] { #expect(FilePattern.uriRoot(of: path) == nil) }
    }

    @Test func pathsAreSortedByTheirBytes() throws {
        let names = ["a.gz", "B.gz", "é.gz", "a-1.gz", "a/x.gz", "z.gz", "￿.gz", "😀.gz"]
        let scratch = try folder(with: names)
        let paths = try FilePattern("**/*.gz").files(on: LogDate(dayNumber: 0), in: scratch.root).map(\.path)
        #expect(paths == ["B.gz", "a-1.gz", "a.gz", "a/x.gz", "z.gz", "é.gz", "￿.gz", "😀.gz"])
    }

    @Test func linksAreFollowedAndAFileIsFoundOnce() throws {
        let scratch = try folder(with: ["real/b.gz", "elsewhere/c.gz"])
        try scratch.makeLink("real/a.gz", to: "b.gz")
        try scratch.makeLink("real/c.gz", to: "../elsewhere/c.gz")
        try scratch.makeLink("real/folder.gz", to: "../elsewhere")
        try scratch.makeLink("linked", to: "elsewhere")
        let date = LogDate(dayNumber: 0)
        #expect(
            try FilePattern("real/*.gz").files(on: date, in: scratch.root).map(\.path) == ["real/a.gz", "real/c.gz"])
        #expect(try FilePattern("l*/*.gz").files(on: date, in: scratch.root).map(\.path) == ["linked/c.gz"])
        // `**` follows no link.
        #expect(
            try FilePattern("**/c.gz").files(on: date, in: scratch.root).map(\.path) == ["elsewhere/c.gz"])
    }

    @Test func aLinkThatLeadsNowhereIsAFile() throws {
        let scratch = try folder(with: ["d/a.gz"])
        try scratch.makeLink("d/gone.gz", to: "nothing")
        try scratch.makeLink("d/inside.gz", to: "a.gz/b")
        try scratch.makeLink("d/loop.gz", to: "loop.gz")
        try scratch.makeLink("d/long.gz", to: String(repeating: "x", count: 300))
        let date = LogDate(dayNumber: 0)
        let names = ["gone", "inside", "long", "loop"]
        let found = try FilePattern("d/*.gz").files(on: date, in: scratch.root)
        #expect(found.map(\.path) == ["d/a.gz"] + names.map { "d/\($0).gz" })
        for name in names {
            let one = try FilePattern("d/\(name).gz").files(on: date, in: scratch.root)
            #expect(one.map(\.bytes) == [0])
        }
        #expect(try FilePattern("d/none.gz").files(on: date, in: scratch.root).isEmpty)
    }

    @Test func aLinkThatLeadsToNoFolderIsAnError() throws {
        let scratch = try folder(with: ["logs/1970-01-02/a"])
        try scratch.makeLink("logs/1970-01-01", to: "../disk")
        try scratch.makeLink("logs/1970-01-03", to: "1970-01-03")
        let dates = (0...3).map { LogDate(dayNumber: $0) }
        for last in ["a", "*", "**/*", "b/a"] {
            let pattern = try FilePattern("logs/%Y-%m-%d/\(last)")
            #expect(throws: Fault.self) { try pattern.files(on: dates, in: scratch.root) }
            #expect(throws: Fault.self) { try pattern.files(on: dates[0], in: scratch.root) }
            #expect(throws: Fault.self) { try pattern.files(on: dates[2], in: scratch.root) }
            let paths = try pattern.files(on: dates[1], in: scratch.root).map(\.path)
            #expect(paths == (last == "b/a" ? [] : ["logs/1970-01-02/a"]))
            #expect(try pattern.files(on: dates[3], in: scratch.root).isEmpty)
        }
        // The folder in which a search begins may be on a disk that is not there now.
        try scratch.makeLink("unmounted", to: "disk")
        for last in ["a", "*"] {
            let pattern = try FilePattern("unmounted/\(last)")
            #expect(try pattern.files(on: dates[0], in: scratch.root).isEmpty)
            #expect(pattern.missingFolder(in: scratch.root) == "unmounted")
        }
    }

    @Test func aPipeIsNoFile() throws {
        let scratch = try folder(with: ["a"])
        #expect(mkfifo(scratch.path("pipe"), 0o600) == 0)
        try scratch.makeLink("link", to: "pipe")
        try scratch.makeLink("device", to: "/dev/zero")
        let date = LogDate(dayNumber: 0)
        #expect(try FilePattern("*").files(on: date, in: scratch.root).map(\.path) == ["a"])
        for name in ["pipe", "link", "device"] {
            #expect(try FilePattern(name).files(on: date, in: scratch.root).isEmpty)
        }
    }

    @Test func aMatchingNameThatIsNotUTF8IsAnError() throws {
        let scratch = try folder(with: [])
        let path = Array((scratch.root + "/b").utf8) + [0xff] + Array(".gz".utf8) + [0]
        let file = path.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { path in
            path.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
        }
        try #require(file >= 0)
        close(file)
        let date = LogDate(dayNumber: 0)
        let error = #expect(throws: Fault.self) { try FilePattern("*.gz").files(on: date, in: scratch.root) }
        #expect(error?.message.code == .nameNotUtf8 && error?.message.path == "b\u{fffd}.gz")
        #expect(try FilePattern("a*").files(on: date, in: scratch.root).isEmpty)
    }

    @Test(.enabled(if: getuid() != 0, "root may read every folder"))
    func anUnreadableFolderIsAnError() throws {
        let scratch = try folder(with: ["d/a"])
        chmod(scratch.path("d"), 0)
        defer { chmod(scratch.path("d"), 0o700) }
        let date = LogDate(dayNumber: 0)
        for (text, sentence) in [
            ("d/*", "d/: the folder cannot be searched: permission denied; make it readable and run again"),
            ("d/a", "d/a: cannot be looked at: permission denied; make it readable and run again"),
        ] {
            let error = #expect(throws: Fault.self) { try FilePattern(text).files(on: date, in: scratch.root) }
            #expect(error?.message.words == sentence)
        }
        #expect(try FilePattern("d/*").missingFolder(in: scratch.root) == nil)
    }

    @Test func manyStarsAreMatchedWithoutBacktracking() throws {
        let name = String(repeating: "a", count: 200)
        let scratch = try folder(with: [name])
        let pattern = try FilePattern(String(repeating: "*a", count: 40) + "*b")
        #expect(try pattern.files(on: LogDate(dayNumber: 0), in: scratch.root).isEmpty)
    }

    @Test(
        arguments: [
            ("a/b/*.gz", "", "a/b"), ("a/b/*.gz", "a/x", "a/b"), ("a/b/*.gz", "a/b/x", nil), ("a/%Y/c/*", "", "a"),
            ("a/%Y/c/*", "a/x", nil), ("*.gz", "", nil), ("a/**/x", "a", "a"),
            ("../nowhere-else/x", "", "../nowhere-else"),
            ("/nowhere-at-all/%Y/x", "", "/nowhere-at-all"), ("/%Y", "", nil),
        ] as [(String, String, String?)])
    func aMissingFolderIsNamed(pattern: String, files: String, missing: String?) throws {
        let scratch = try folder(with: files)
        #expect(try FilePattern(pattern).missingFolder(in: scratch.root) == missing)
    }

    @Test(
        arguments: [
            ("%Y-%m-%d/*", true), ("%y%m%d", true), ("%y%j", true), ("%y", false), ("%Y/%m/%d", true), ("x%Y%j", true),
            ("%d/%j/%Y", true), ("%Y/%m", false), ("%Y/%d", false), ("%m-%d", false), ("%j", false), ("%Y", false),
            ("%%Y%m%d", false), ("a/*", nil), ("a/%%Y", nil), ("[%Y]", nil),
        ] as [(String, Bool?)])
    func aPatternKnowsWhetherItHasAWholeDate(pattern: String, tells: Bool?) throws {
        let pattern = try FilePattern(pattern)
        #expect(pattern.determinesDay == (tells ?? false))
        #expect(pattern.hasDatePlaceholder == (tells != nil))
    }

    @Test func aYearOfTwoDigitsIsNoneOfAnotherCentury() throws {
        let scratch = try folder(with: "991119/a")
        let pattern = try FilePattern("%y%m%d/a")
        let dates = try [1999, 2099, 2199].map { try #require(LogDate(year: $0, month: 11, day: 19)) }
        #expect(try pattern.files(on: dates, in: scratch.root).keys.sorted() == [dates[1]])
        #expect(try dates.map { try pattern.files(on: $0, in: scratch.root).count } == [0, 1, 0])
    }

    @Test(
        arguments: [
            (
                "%Y-%m-%d/*.gz", "2026-11-19/a.gz 2026-11-18/b.txt 2026-11-17/c.gz 2026-02-30/d.gz",
                "2026-11-17 2026-11-19"
            ),
            ("%Y/%m/%d.gz", "2026/11/19.gz 2026/1/18.gz 2024/02/29.gz 2025/02/29.gz", "2024-02-29 2026-11-19"),
            ("%Y/%j/*", "2026/323/a 2026/000/b 2026/366/c 2024/366/d", "2024-12-31 2026-11-19"),
            ("%Y/%m/%Y-%m-%d.gz", "2026/11/2026-11-19.gz 2026/10/2026-11-18.gz", "2026-11-19"),
            ("%Y/%m-%d-%j", "2026/11-19-323 2026/11-19-322", "2026-11-19"),
            ("*%Y%m%d*", "x120261119 0000-01-01", "2026-11-19"),
            ("*-%Y%m%d*.gz", "a-20261119.gz b-20261119-2.gz c-2026111.gz", "2026-11-19"),
            ("%Y-%m.gz", "2026-02.gz", february),
            ("%y%m%d.gz", "261119.gz 000229.gz 991231.gz 261301.gz", "2000-02-29 2026-11-19 2099-12-31"),
            ("%Y/%y%j", "2026/26323 2025/26323 1999/99001", "2026-11-19"),
            ("%m-%d.gz", "11-19.gz", ""), ("logs/*.gz", "logs/a.gz", ""),
            ("%Y-%m-%d/**/*.gz", "2026-11-19/a/b/c.gz", "2026-11-19"),
            ("%Y-%m-%d/x.gz", "2026-11-19/x.gz/a 2026-11-18/x.gz", "2026-11-18"), ("%Y-%m-%d/*", "", ""),
        ] as [(String, String, String)])
    func datesWithFilesAreFound(pattern: String, files: String, dates: String) throws {
        let scratch = try folder(with: files)
        let pattern = try FilePattern(pattern)
        let found = try pattern.dates(in: scratch.root)
        #expect(found.map(\.description) == dates.split(separator: " ").map(String.init))
        for date in found {
            #expect(try !pattern.files(on: date, in: scratch.root).isEmpty)
        }
    }
}
