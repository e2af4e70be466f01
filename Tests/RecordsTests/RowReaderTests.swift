import Support
import Testing

import struct Reference.SplitMix64

@testable import Records

/// What a reader makes of a file that comes in pieces of `chunk` more bytes each, and what it says of the header.
private func readRows(
    _ rules: RecordRules, _ bytes: [UInt8], chunk: Int, isTruncated: Bool = false
) -> (found: Collected, fault: HeaderFault?) {
    var sink = Collected()
    var reader = RowReader(rules)
    var (done, end) = (0, 0)
    while end < bytes.count {
        end = min(end + chunk, bytes.count)
        let ending: BodyReader.Ending = end < bytes.count ? .moreComes : isTruncated ? .cut : .fileEnds
        done += reader.read(bytes.span.extracting(done..<end), ending: ending, into: &sink)
    }
    return (sink, reader.headerFault)
}

@Suite struct RowReaderTests {
    private static let rules: RecordRules = {
        var rules = RecordRules.events(.csv)
        rules.fields = [
            .broadlogID: ["id"], .deliveryID: ValuePlace(firstOf: [["campaign"], ["flow"]]), .action: ["kind"],
            .time: ["at"], .platform: ["os"],
        ]
        rules.actions = ["open": 42, "7": 43]
        return rules
    }()

    private static let header = "id,campaign,flow,kind,at,os\n"

    /// The same of the reference.
    private func codes(_ text: String, _ rules: RecordRules = Self.rules, isTruncated: Bool = false) -> [String] {
        let bytes = Array(text.utf8)
        let (found, fault) = readRows(rules, bytes, chunk: bytes.count + 1, isTruncated: isTruncated)
        #expect(fault == nil)
        expectReference(found, rules, bytes, isTruncated: isTruncated)
        for chunk in 1...max(1, min(bytes.count, 80)) {
            #expect(readRows(rules, bytes, chunk: chunk, isTruncated: isTruncated).found == found, "\(chunk)")
        }
        return found.items.map { item in
            switch item {
            case .accepted(let record, let delivery): "\(delivery) \(record.action)"
            case .filtered(let reason): reason.code
            case .rejected(let reason, let line, _): "\(reason.code) \(line)"
            }
        }
    }

    /// A truncated file may end within a row of several lines. What is there of it may show that no row begins on its first line.
    @Test(
        arguments: [
            ("m,\"a\n<row>o,\"c", ["malformed_line 2", "c 42"]),
            ("m,c,,open,1795078800,ios,\"x\n<row>", ["malformed_line 2", "c 42"]),
            ("m,\"a\n\"x", ["malformed_line 2"]), ("m,\"a\n<row>", []), ("m,\"a\n\"\r", []), ("m,\"a\"x", []),
        ])
    func aRowThatIsCutOffLosesItsFirstLineAlone(text: String, codes: [String]) {
        let text = Self.header + text.replacing("<row>", with: "n,c,,open,1795078800,ios\n")
        #expect(self.codes(text, isTruncated: true) == codes)
    }

    /// Each line is a reject, and the row after them counts. This takes no time that grows with the square of the lines.
    @Test func eachLineMayOpenAQuote() {
        let lines = 50_000
        let text = Self.header + String(repeating: "27\",\"\n", count: lines) + "m,\"\"\nm,c,,open,1795078800,ios\n"
        let codes = readRows(Self.rules, Array(text.utf8), chunk: 1 << 20).found.items.map { item in
            switch item {
            case .accepted: "accepted"
            case .filtered(let reason): reason.code
            case .rejected(let reason, _, _): reason.code
            }
        }
        #expect(codes.count { $0 == "malformed_line" } == lines)
        #expect(codes.last == "accepted")
    }

    @Test(
        arguments: [
            ("m,Spring,,open,2026-11-19 10:00:00,ios\n", ["spring 42"]), ("m,,Flow,7,1795078800,", ["flow 43"]),
            ("m,,Flow,7,1795078800\r\n", ["flow 43"]), ("m,\" \",\"a \"\"b\"\"\",open,1795078800\n", ["a \"b\" 42"]),
            ("m,\"a\nb\",,open,1795078800\nm,c,,open,x\n", ["malformed_id 2", "bad_time 4"]),
            ("m,c,,other,1795078800\n", ["unmapped_action"]), ("m,c,,\n", ["missing_action 2"]),
            ("m,,\" \",open,1795078800\n", ["missing_id 2"]), ("\"\"\n\n", ["missing_action 2"]),
            ("m,c,,open,1795078800,ios,\nm,c,,open,1795078800\n", ["malformed_line 2", "c 42"]),
            ("m,\"c\"x,,open,1795078800\nm,c,,open,1795078800\n", ["malformed_line 2", "c 42"]),
            ("m,\"c\nm,c,,open,1795078800\n", ["malformed_line 2", "c 42"]),
            ("\"m,c\nm,\"\"c\"\",,open,1795078800\n", ["malformed_line 2", "malformed_line 3"]),
            (
                "m,\"c\nd\",,open,1795078800,,7\nm,c,,open,1795078800\n",
                ["malformed_line 2", "unmapped_action", "c 42"]
            ),
            ("m,c;d,,open,1795078800\n", ["c;d 42"]), ("m,c,,open,\"1763596800,5\"\n", ["bad_time 2"]),
        ] as [(String, [String])])
    func aRowIsAnEvent(rows: String, expected: [String]) {
        #expect(codes(Self.header + rows) == expected)
    }

    @Test(arguments: [
        "", "\n\r\n", "id;campaign;flow;kind;at;os", "\n\"id\"\t campaign \tflow\tkind\tat\tos\tmore\n",
        "os,at,kind,flow,campaign,id\r\n",
    ])
    func aHeaderAloneHasNoRecords(text: String) {
        #expect(codes(text) == [])
    }

    @Test func headersOfJoinedExportsAreNoRecords() {
        let rows = "m,c,,open,1795078800,\n"
        let marked = "\u{FEFF}\"id\", campaign ,flow,kind,at,os\r\n"
        let last = "\u{FEFF}m,,e,7,1795078800"
        let other = "os,at,kind,flow,campaign,id\nios,1795078800,open,,d,m\n"
        #expect(
            codes([Self.header, rows, Self.header, rows, marked, other, "x,kind\n", Self.header, last].joined())
                == ["c 42", "c 42", "d 42", "missing_action 8", "e 43"])
    }

    @Test(
        arguments: [
            ("id,campaign,kind,at,os\n", .missingColumns(["flow"], found: ["id", "campaign", "kind", "at", "os"])),
            (
                "34600111222,maria@example.com,,Größe,a b-1_2.c,abc123456,at\n",
                .missingColumns(
                    ["campaign", "flow", "id", "kind", "os"], found: [nil, nil, nil, nil, "a b-1_2.c", nil, "at"])
            ),
            ("id,campaign,flow,kind,at,os,os\n", .columnTwice("os")),
            ("id,campaign,flow,kind,at,os\rm,c,,open\r", .bareReturns),
            ("id,campaign,flow,kind,at,\"os\n", .malformed), ("id,campaign,flow,kind,at,\"os\"x\n", .malformed),
        ] as [(String, HeaderFault)])
    func aHeaderWithoutItsColumnsIsAFault(header: String, fault: HeaderFault) {
        let bytes = Array((header + "m,c,,open,1795078800\n").utf8)
        for chunk in 1...bytes.count {
            let read = readRows(Self.rules, bytes, chunk: chunk)
            #expect(read.fault == fault)
            #expect(read.found.items == [])
        }
    }

    @Test(
        arguments: [
            ("m,\"c\"x,,open", "csv: expected ',' at byte 6, after a value in quotes; found a letter", "***"),
            (
                "m,c,f,open,0,ios;x,\"y\"",
                "csv: expected the end of the row at byte 19, after 6 values; found a comma", "***"
            ),
            ("m,\"c", "csv: expected a quote that closes the one at byte 3; found none", "***"),
            ("jane,c,f,open,x@y.es,ios", "", "***,***,***,open,***,ios"),
            ("jane,,f,open,2026-13-19 10:00:00,iOS", "", "***,,***,open,***,iOS"),
            ("a\u{1}b,c,f,open,2026-11-19T10:00:00Z,34600111222", "", "***,***,***,open,2026-11-19T10:00:00Z,***"),
        ])
    func aRejectTellsWhereAndKeepsLittle(row: String, detail: String, sample: String) {
        let found = readRows(Self.rules, Array((Self.header + row).utf8), chunk: 1000).found
        #expect(found.details == [detail])
        guard case .rejected(_, let line, let evidence)? = found.items.first else {
            Issue.record("\(found.items)")
            return
        }
        #expect(line == 2)
        #expect(maskedSample(of: Array(evidence.utf8).span, keys: SampleKeys(Self.rules)) == sample)
    }

    @Test func textsToSkipAreLookedForInALineThatCannotBeRead() {
        var rules = Self.rules
        rules.skip = ["-- "]
        let rows = "-- 7 rows, \"\",,,,,,\nm,c,,open,-- \n\"-- x\nm,\"c\"-- \n"
        #expect(codes(Self.header + rows, rules) == ["skipped", "bad_time 3", "skipped", "skipped"])
    }

    /// A million lines after the one with the quote.
    @Test(.timeLimit(.minutes(1))) func anOpenQuoteLosesItsLineAlone() {
        let rows = String(repeating: "m,c,,open,1795078800,\n", count: 200_000)
        let text = Self.header + "m,\"c\n" + rows + "m,\"c\n" + rows
        let found = readRows(Self.rules, Array(text.utf8), chunk: 1 << 18).found
        #expect(found.records.count == 400_000)
        #expect(found.codes.filter { $0 != "accepted" } == ["line_too_long", "line_too_long"])
        #expect(found.rejectedLines == [2, 200_003])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func anyFileReadsAsTheReferenceSaysInPiecesOfAnySize(seed: UInt64) {
        let pieces = [
            "m,c,,open,1795078800,ios\n", "m,c,,open,20261119100000", "\"", "\"\"", ",", ";", "\n", "\r\n", "\r", "x",
            "open",
            "\"a\nb\"", "\"a,b\"", "\u{FEFF}", Self.header, "os,at,kind,flow,campaign,id\n",
            "m;c;;open;1795078800;ios\n",
            "1795078800", "é", "\"id\",", "m,\"c \"\"d\"\"\",,7,1795078800\r\n",
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<(Long.isOn ? 2000 : 300) {
            let few = (0..<Int.random(in: 2...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            let body = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                few[Int.random(in: 0..<few.count, using: &random)]
            }
            let header = Int.random(in: 0..<8, using: &random) == 0 ? "" : Self.header
            var bytes = Array((header + body.joined()).utf8)
            // The first line stays mostly whole.
            if !bytes.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // That of a file is left out before.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            for isTruncated in [false, true] where !bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                let whole = readRows(Self.rules, bytes, chunk: bytes.count + 1, isTruncated: isTruncated)
                expectReference(whole.found, Self.rules, bytes, isTruncated: isTruncated)
                let chunk = Int.random(in: 1...60, using: &random)
                let read = readRows(Self.rules, bytes, chunk: chunk, isTruncated: isTruncated)
                #expect(read.found == whole.found && read.fault == whole.fault, "\(chunk): \(bytes)")
            }
        }
    }
}
