import Events
import Records
import Testing

@testable import Pipelines

/// Lines and objects in one file, by two layouts.
@Suite struct RecordReaderTests {
    /// The outcomes, with the lines of rejects.
    private struct Collected: RecordSink {
        var outcomes: [String] = []

        mutating func accept(_ record: Record, delivery: Span<UInt8>) { outcomes.append("\(record.id.low)") }
        mutating func filter(_ reason: FilterReason) { outcomes.append(reason.code) }
        mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
            outcomes.append("\(reason.code) \(line)")
        }
    }

    private static let rules = {
        var rules = RecordRules(
            format: .collector, layout: .combined, actions: ["7": 0], zone: .utc,
            window: LogWindow(start: 0, end: 0, days: 0))
        rules.layouts = ["combined", "json"].compactMap { try? Layout(parsing: $0) }
        rules.skip = ["[error]"]
        return rules
    }()

    /// What the text becomes if it comes in pieces of so many bytes.
    private func read(_ text: [UInt8], pieces: Int, isFast: Bool, isCut: Bool) -> [String] {
        var reader = RecordReader(Self.rules)
        reader.beginFile(Self.rules)
        var sink = Collected()
        var (taken, end) = (0, 0)
        while end < text.count {
            end = min(end + pieces, text.count)
            let isLast = end == text.count && !isCut
            taken += reader.read(text.span.extracting(taken..<end), atEnd: isLast, isFast: isFast, into: &sink)
        }
        if isCut { reader.endCut(text.span.extracting(taken..<end), into: &sink) }
        return sink.outcomes
    }

    private static func hit(_ id: Int, host: String = "192.0.2.1") -> String {
        "\(host) - - [19/Nov/2026:10:00:00 +0000] \"GET /r/?id=h\(id),a,7 HTTP/1.1\" 200 0 \"-\" \"Android\""
    }

    private static func object(_ id: Int) -> String {
        "{\"time\":1795082400,\"request\":\"GET /r/?id=h\(id),a,7 HTTP/1.1\"}"
    }

    @Test(arguments: ["\n", "\r\n", "\n\n"], [false, true])
    func linesAndObjectsAreReadInTurn(end: String, isCut: Bool) {
        let lines = [
            Self.hit(1), Self.object(2), Self.hit(3), Self.hit(4), Self.object(5) + "," + Self.object(6), "[error]",
            Self.hit(7, host: "{"), Self.object(8) + " x", Self.hit(9), "x", " " + Self.object(16), Self.hit(17),
            Self.object(18) + Self.object(19),
        ]
        let step = end == "\n\n" ? 2 : 1
        let expected = [
            "1", "2", "3", "4", "5", "6", "skipped", "malformed_line \(6 * step + 1)", "8",
            "malformed_line \(7 * step + 1)",
            "9", "malformed_line \(9 * step + 1)", "22", "23", "24", "25",
        ]
        let text = Array(lines.joined(separator: end).utf8)
        for isFast in [false, true] {
            for pieces in Array(1...150) + [text.count] {
                #expect(read(text, pieces: pieces, isFast: isFast, isCut: isCut) == expected, "in pieces of \(pieces)")
            }
        }
    }

    /// The whole objects of a cut line count, and other cut lines do not.
    @Test func aCutLineCountsForItsObjects() {
        for (last, outcomes) in [
            (Self.object(2) + "{\"time\":1", ["1", "2"]), (Self.hit(2), ["1"]), ("{", ["1"]),
            (" " + Self.object(2), ["1"]),
        ] {
            let text = Array((Self.hit(1) + "\n" + last).utf8)
            for pieces in [1, 7, text.count] {
                #expect(read(text, pieces: pieces, isFast: true, isCut: true) == outcomes)
            }
        }
    }
}
