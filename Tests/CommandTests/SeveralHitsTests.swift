import Foundation
import Reference
import Support
import Testing

/// Logs whose lines hold several hits, and bytes between the members of a gzip file.
@Suite(.needsPushetl)
struct SeveralHitsTests {
    private static func hits(_ count: Int) -> [String] {
        (1...count).map { Workplace.hit("h\(String($0, radix: 16)),d57fd6,7", agent: "Dalvik/2.1 (Android 14)") }
    }

    private static func objects(_ count: Int) -> [String] {
        (1...count).map { number in
            let id = "h\(String(number, radix: 16)),d57fd6,7"
            return #"{"ts":"2026-11-19T10:00:00Z","method":"GET","url":"/r/?id=\#(id)","code":200,"ua":"Dalvik/2.1"}"#
        }
    }

    private static func wrapped(_ lines: [String]) -> String {
        let text = lines.map { $0.replacing("\"", with: "\\\"") + "\\n" }.joined()
        return #"{"log":"\#(text)","stream":"stdout"}"#
    }

    /// The lines two by two, with a text between them.
    private static func pairs(_ lines: [String], _ joint: String = "") -> String {
        stride(from: 0, to: lines.count, by: 2).map { lines[$0] + joint + lines[$0 + 1] + "\n" }.joined()
    }

    /// The draft of `guess`, and what `run` and `preview` make of it.
    private struct Found {
        let draft: String
        let run: Program.Outcome
        let preview: Program.Outcome
        /// 0 if nothing is published.
        let events: Int

        /// The words of the last line of what `preview` counts.
        var lastCount: [Substring] { preview.stdout.split(separator: "\n").last?.split(separator: " ") ?? [] }
    }

    private func found(in bytes: [UInt8], name: String = "a-20261119.log") throws -> Found {
        let place = try Workplace()
        try place.scratch.write(bytes, to: "logs/\(name)")
        let guess = try place.run("guess", "logs/\(name)", "--out", "push.yaml")
        #expect(guess.exit == 0, "\(guess.stderr)")
        let preview = try place.run("preview", "--date", "2026-11-19")
        let run = try place.run("run", "--date", "2026-11-19")
        let isPublished = place.scratch.exists("warehouse/push.db")
        let events = isPublished ? try place.rows("SELECT sum(events) FROM daily_actions", "warehouse/push.db") : []
        return Found(
            draft: try place.scratch.text("push.yaml"), run: run, preview: preview,
            events: events.first.flatMap(Int.init) ?? 0)
    }

    @Test(arguments: [
        (pairs(hits(10)), "5 lines hold", 5), (pairs(hits(10), " "), "5 lines hold", 5),
        (hits(10).joined(separator: "\r") + "\r", "1 line holds", 1),
    ])
    func joinedLinesAreRejectedAndTold(text: String, words: String, rejects: Int) throws {
        let found = try found(in: Array(text.utf8))
        #expect(
            found.draft.contains(
                "# check: \(words) more than one hit: line ends are missing, or a CR alone, and such lines are rejected as "
                    + "joined_lines\n"))
        #expect(
            found.preview.stderr.contains(
                "warning: logs/a-20261119.log: \(words) more than one hit, so all their hits are lost"))
        #expect(found.lastCount == ["collector", "rejected", "joined_lines", "\(rejects)"])
        #expect(found.run.exit == 65)
        #expect(found.run.stdout.contains("\(rejects)  joined_lines, first at logs/a-20261119.log:1\n"))
        #expect(found.run.stderr.contains("held back: \(rejects) of \(rejects) records were rejected"))
    }

    @Test func aFewJoinedLinesCountAsRejects() throws {
        let lines = Self.hits(100)
        let text = lines.prefix(98).map { $0 + "\n" }.joined() + lines[98] + lines[99]
        let found = try found(in: Array(text.utf8))
        #expect(found.draft.contains("# check: 1 line holds more than one hit: "))
        #expect(found.run.exit == 0 && found.events == 98)
        #expect(found.run.stdout.contains("1  joined_lines, first at logs/a-20261119.log:99\n"))
    }

    @Test(arguments: [
        pairs(objects(10)), pairs(objects(10), ","), pairs(objects(10), "\u{0}\u{0} "), objects(10).joined(),
        objects(10).joined(separator: "\r"), hits(10).map { wrapped([$0]) }.joined(),
    ])
    func objectsAreReadWhereverLinesEnd(text: String) throws {
        let found = try found(in: Array(text.utf8))
        #expect(found.run.exit == 0 && found.events == 10)
        #expect(found.draft.contains(" more than one hit, and each hit is read\n"))
    }

    @Test func aMessageOfSeveralLinesIsSeveralRecords() throws {
        let hits = Self.hits(30)
        let text = stride(from: 0, to: 30, by: 3).map { Self.wrapped(Array(hits[$0..<$0 + 3])) + "\n" }.joined()
        let found = try found(in: Array(text.utf8))
        #expect(found.draft.contains("30 lines: 30 fit, 30 hits\n"))
        #expect(found.draft.contains("# check: 10 lines hold more than one hit, and each hit is read\n"))
        #expect(found.preview.stdout.contains(", 10 lines\n"))
        #expect(found.lastCount == ["collector", "accepted", "30"])
        #expect(found.run.exit == 0 && found.events == 30)
    }

    @Test func whatFollowsAFaultyObjectIsOneMoreReject() throws {
        let place = try Workplace.withHits(
            [#"{"a":tru}"# + Workplace.hit("h1,d,7")], pipeline: Workplace.jsonLines + "limits: {reject_ratio: 1}\n")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(
            outcome.stdout.contains(
                "2  malformed_line, first at logs/2026-11-19.log:1: json: expected a JSON value at byte 9; "))
        let details = try place.run("rejects").stdout.split(separator: "\n")
        #expect(details.count == 2)
        #expect(
            details[1].contains(
                ":1: malformed_line: json: not read from byte 10 on, since the object before is faulty: "))
    }

    // MARK: members

    private func gzip(_ lines: ArraySlice<String>) -> [UInt8] {
        GzipRecipe().member(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    @Test(arguments: ["\n", "\r\n", " ", "\u{0}\n \r\n\u{0}\u{0}"], ["\n", "", " \u{0}"])
    func lineEndsSpacesAndZerosBetweenMembersAreSkipped(between: String, after: String) throws {
        let hits = Self.hits(20)
        let file = gzip(hits[..<10]) + Array(between.utf8) + gzip(hits[10...]) + Array(after.utf8)
        let found = try found(in: file, name: "a-20261119.log.gz")
        #expect(found.run.exit == 0 && found.events == 20)
        #expect(!found.draft.contains("offset"))
        #expect(found.run.stderr.isEmpty)
    }

    private static let line = Array((Workplace.hit("h99,d57fd6,7") + "\n").utf8)

    @Test(
        arguments: [
            ("a line", line), ("a line without an end", line.dropLast()), ("a word", Array("end\n".utf8)),
            ("a line after others", [1, 2, 0x0A] + line),
            ("a member after others", [1, 2] + GzipRecipe().member(line)),
            ("a frame after others", [1, 2] + ZstdRecipe().frame(line)),
        ] as [(String, [UInt8])])
    func textOrAMemberAfterOtherBytesIsDamage(name: String, bytes: [UInt8]) throws {
        let member = gzip(Self.hits(20)[...])
        let found = try found(in: member + bytes, name: "a-20261119.log.gz")
        let told = "a-20261119.log.gz: the bytes from offset \(member.count) on are "
        #expect(found.draft.contains("# check: logs/\(told)no gzip data and are ignored\n"), "\(name)")
        #expect(found.preview.stderr.contains("warning: logs/\(told)not gzip data and were ignored\n"))
        #expect(found.preview.stdout.contains("; the file is damaged\n"))
        #expect(found.run.exit == 65 && found.events == 20, "\(name)")
        #expect(found.run.stderr.contains("warning: logs/\(told)not gzip data and were ignored\n"))
        #expect(found.run.stderr.contains("the file is damaged; only what comes before the damage counts"))
    }

    @Test func otherBytesAfterTheLastMemberAreIgnored() throws {
        let member = gzip(Self.hits(20)[...])
        let found = try found(in: member + [0x0A, 1, 0xFF, 0x0A, 0x0A], name: "a-20261119.log.gz")
        let told = "logs/a-20261119.log.gz: the bytes from offset \(member.count + 1) on are "
        #expect(found.run.exit == 0 && found.events == 20)
        #expect(found.draft.contains("# check: \(told)no gzip data and are ignored\n"))
        #expect(found.preview.stderr == "warning: \(told)not gzip data and were ignored\n")
        #expect(found.run.stderr == found.preview.stderr)
    }

    // MARK: lines that are too long

    @Test func aSourceOfLinesThatAreAllTooLongHoldsTheDateBack() throws {
        let place = try Workplace()
        try place.scratch.write(Workplace.twoSources, to: "push.yaml")
        try place.scratch.write(Self.hits(100).joined(separator: "\n"), to: "logs/2026-11-19.log")
        try place.scratch.write(Self.hits(10_000).joined(separator: "\r"), to: "more/2026-11-19.log")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-19: held back: source 'second': no record was accepted, and 1 is too long (over 1 MiB, a JSON "
                    + "object over 8 MiB); the former content is kept; lines must end in LF or CRLF, not in CR alone; fix the "
                    + "files, or give --force\n"))
        #expect(try place.run("status", "--check").exit == 65)
        #expect(try place.run("run", "--date", "2026-11-19", "--force").exit == 0)
        // Objects may be in a line of any length.
        try place.scratch.write(
            Workplace.twoSources.replacing(
                "collector, files: more",
                with: "collector, layout: json, layout_fields: {time: ts, url: url, method: method}, files: more"),
            to: "push.yaml")
        try place.scratch.write(Self.objects(20_000).joined(), to: "more/2026-11-19.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM daily_totals") == ["20000"])
    }
}
