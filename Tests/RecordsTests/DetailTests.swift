import Foundation
import Testing

import struct Reference.SplitMix64

@testable import Records

/// What a reject says of a line that does not fit its layout.
@Suite struct DetailTests {
    private func detail(_ rules: RecordRules, layout: String? = nil, _ line: String) -> String? {
        parse(rules, layout: layout, line).details.first
    }

    private func detail(_ layout: String, _ line: String) throws -> String? {
        detail(.collector(try Layout(parsing: layout)), layout: layout, line)
    }

    private static let request = "\"GET /r/?id=h1,2,7 HTTP/1.1\""
    private static let time = "[19/Nov/2026:10:00:00 +0100]"

    @Test(arguments: [
        ("- - - \(time) GET /r/?id=h1,2,7", "expected '\"' at byte 36, before the request; found a letter"),
        ("", nil),
        ("alone", "expected a space at byte 6, before the identity; found the end of the line"),
        (" - - \(time)", "expected a host at byte 1; found a space"),
        ("h - - 19/Nov/2026", "expected ' [' at byte 18, before the time; found the end of the line"),
        ("h -  [", "expected a user at byte 5; found a space"),
        ("h - - [19", "expected ']' at byte 10, after the time; found the end of the line"),
        ("h - - \(time)\t", "expected a space at byte 35, before the request; found a tab"),
        ("h - - \(time) \"GET /", "expected '\"' at byte 42, after the request; found the end of the line"),
        ("h - - \(time) \(request)- 200", "expected a space at byte 64, before the status; found a hyphen"),
        ("h - - \(time) \(request) ", "expected a space at byte 65, before the size; found the end of the line"),
        ("h - - \(time) \(request) OK 0", "expected a status of three digits at byte 65; found a letter"),
        ("h - - \(time) \(request) 20 0", "expected a status of three digits at byte 67; found a space"),
        ("h - - \(time) \(request) 2000 0", "expected a status of three digits at byte 68; found a digit"),
        ("h - - \(time) \(request) 200 ", "expected a size at byte 69; found the end of the line"),
        (
            "h - - \(time) \(request) 200 0 \u{E9}",
            "expected '\"' at byte 71, before the referer; found a byte above 0x7F"
        ),
        (
            "h - - \(time) \(request) 200 0 \"-\"",
            "expected a space at byte 74, before the user agent; found the end of the line"
        ),
        ("h - - \(time) \(request) 200 0 \"-\" (", "expected '\"' at byte 75, before the user agent; found a bracket"),
        (
            "h - - \(time) \(request) 200 0 \"-\" \"x\\\"",
            "expected '\"' at byte 79, after the user agent; found the end of the line"
        ),
    ])
    func combinedSaysWhereItStopsToFit(line: String, expected: String?) throws {
        #expect(try detail("combined", line) == expected.map { "combined: " + $0 })
    }

    @Test(arguments: [
        ("[$time_local] \"$request\" $status", "x", "expected '[' at byte 1, before $time_local; found a letter"),
        (
            "[$time_local] \"$request\" $status", "[",
            "expected '] \"' at byte 2, before $request; found the end of the line"
        ),
        (
            "[$time_local] \"$request\" $status", "[] \"GET /\"200",
            "expected a space at byte 11, before $status; found a digit"
        ),
        (
            "[$time_local] \"$request\" $status", "[] \"GET /\" 2x0",
            "expected a status of three digits at byte 13; found a letter"
        ),
        (
            "$msec\\t$request\\t\\t$status|", "1\tGET",
            "expected '\\t\\t' at byte 6, before $status; found the end of the line"
        ),
        (
            "$msec\\t$request\\t$status|", "1\tGET\t200",
            "expected '|' at byte 10, after $status; found the end of the line"
        ),
        ("$remote_addr - $status", "h", "expected ' - ' at byte 2, before $status; found the end of the line"),
        ("$msec $status", "1 200", "expected $request, or $request_method and $request_uri; the format has neither"),
        ("$request", "GET /r/?id=h1,2,7", "expected a time; found none"),
    ])
    func aLogFormatSaysWhereItStopsToFit(format: String, line: String, expected: String) throws {
        #expect(try detail(format, line) == "log_format: " + expected)
    }

    @Test(arguments: [
        ("{", "expected the rest of the JSON object at byte 2; found the end of the line"),
        (#"{"a":1 "b":2}"#, "expected ',' or '}' at byte 8; found a quote"),
        (#"{"a":[1 2]}"#, "expected ',' or ']' at byte 9; found a digit"),
        (#"{"a" 1}"#, "expected ':' at byte 6; found a digit"),
        ("{a:1}", "expected a key in quotes at byte 2; found a letter"),
        (#"{"a":x}"#, "expected a JSON value at byte 6; found a letter"),
        (#"{"a":01}"#, "expected a well-formed number at byte 7; found a digit"),
        (#"{"a":"\q"}"#, "expected a JSON escape at byte 8; found a letter"),
        ("{\"a\":\"\u{1}\"}", "expected no control character in a string at byte 7; found a control character"),
        (" [1]", "expected '{' at byte 2; found a bracket"),
        (#"{"request":1}"#, "expected a string 'request', or 'request_method' and 'request_uri'; found none"),
        (#"{"status":true}"#, "expected a status of three digits at byte 11; found a letter"),
        (#"{"status":"20"}"#, "expected a status of three digits at byte 14; found a quote"),
        (#"{"status":[200]}"#, "expected a status of three digits at byte 11; found a bracket"),
        (#"{"status":20.0}"#, "expected a status of three digits at byte 13; found a point"),
    ])
    func jsonSaysWhereItStopsToFit(line: String, expected: String) {
        #expect(detail(.collector(.json(.nginx)), line) == "json: " + expected)
    }

    @Test(arguments: [
        ("log_content=%7B%7D&token=x", "body: expected a field 'mzip'; found none"),
        ("mzip=%7B%22a%GG", "body: expected a hexadecimal digit at byte 14, after '%'; found a letter"),
        ("mzip=%7B%2", "body: expected a hexadecimal digit at byte 11, after '%'; found the end of the line"),
        ("a=%&mzip=%7B%&b=c", "body: expected a hexadecimal digit at byte 14, after '%'; found a punctuation mark"),
        ("%7B%%", "body: expected a hexadecimal digit at byte 5, after '%'; found a punctuation mark"),
    ])
    func aBodySaysWhatIsWrongWithItsForm(line: String, expected: String) {
        #expect(detail(.mzip(), line) == expected)
    }

    @Test func aFormWithinALogIsFoundThere() throws {
        let rules = RecordRules.mzip(try Layout(parsing: "$status \"$request_body\""))
        #expect(
            detail(rules, "200 \"mzip=%7x\"")
                == "log_format: expected a hexadecimal digit at byte 13, after '%'; found a letter")
        #expect(detail(rules, "200 \"a=b\"") == "log_format: expected a field 'mzip' in $request_body; found none")
        #expect(
            detail(.mzip(.json(.nginx)), #"{"request_body":"mzip=%g"}"#)
                == "json: expected a hexadecimal digit at byte 24, after '%'; found a letter")
        #expect(
            detail(rules, "OK \"mzip=x\"") == "log_format: expected a status of three digits at byte 1; found a letter")
        #expect(detail(rules, "200 \"mzip=x\"")?.isEmpty == true)
    }

    @Test(arguments: [
        ("19/Nov/2026 10:00:00", "found a space at byte 19"), ("19/11/2026:10:00:00", "found a digit at byte 11"),
        ("19/Nov/2026:10:00", "found its end at byte 25"), ("19/Nov/2026:10:00:00.", "found its end at byte 29"),
        ("19/Nov/2026:10:00:00 0100", "found a digit at byte 29"),
        ("32/Nov/2026:10:00:00", "found a date that does not exist"),
        ("19/Xyz/2026:25:00:00", "found a date that does not exist"),
        ("19/Nov/2026:10:61:00.5", "found a time of day that does not exist"),
        ("19/Nov/2026:10:00:00 +0160", "found an offset that does not exist"),
        ("19/Nov/2026:10:00:00 +01000", "found a digit at byte 34"), ("-", "found a hyphen at byte 8"),
    ])
    func aBadTimeIsSaidToBeOne(time: String, expected: String) throws {
        let form = "combined: expected a time, dd/Mon/yyyy:HH:MM:SS +hhmm, from byte 8 on; "
        #expect(try detail("combined", "h - - [\(time)] \(Self.request) 200 0") == form + expected)
    }

    @Test(arguments: [
        ("$time_iso8601", "2026-11-19 10.00", "yyyy-mm-ddTHH:MM:SS+hh:mm", "found a point at byte 14"),
        ("$time_iso8601", "2026-11-19", "yyyy-mm-ddTHH:MM:SS+hh:mm", "found its end at byte 11"),
        (
            "$time_iso8601", "2026-11-19T25:00:00Z", "yyyy-mm-ddTHH:MM:SS+hh:mm",
            "found a time of day that does not exist"
        ),
        ("$time_iso8601", "2026-02-29T25:00:00Z", "yyyy-mm-ddTHH:MM:SS+hh:mm", "found a date that does not exist"),
        ("$msec", "253402300800.000", "seconds.milliseconds", "found a time beyond the year 9999"),
        ("$msec", "1795078800.x", "seconds.milliseconds", "found a letter at byte 12"),
        ("$msec", "-1", "seconds.milliseconds", "found a hyphen at byte 1"),
    ])
    func aBadTimeOfALogFormatIsSaidToBeOne(variable: String, time: String, form: String, expected: String) throws {
        let line = "\(time)|GET /r/?id=h1,2,7"
        #expect(
            try detail(variable + "|$request", line)
                == "log_format: expected a time, \(form), from byte 1 on; \(expected)")
    }

    @Test(arguments: [
        ("%{%F %T %Z}t", "2026-11-19 10:00:00 CEST", "a zone that is neither GMT, UTC, Z nor an offset"),
        ("%{%F %T %z}t", "2026-11-19 10:00:00 +2400", "an offset that does not exist"),
        ("%{%F %T}t", "2026-11-19 10:0:00", "a colon at byte 16"), ("%{%F %T}t", "2026-Nov-19", "a letter at byte 6"),
        ("%{%F %T %Z}t", "2026-02-29 10:00:00 CET", "a date that does not exist"),
        ("%{%F %T %Z}t", "2026-11-19 24:00:00 CET", "a time of day that does not exist"),
        ("%{%Y %j %T}t", "2026 366 10:00:00", "a date that does not exist"),
        ("%{msec}t", "999999999999999999", "a time beyond the year 9999"),
        ("%{usec}t", "99999999999999999999", "a time beyond the year 9999"),
    ])
    func aTimeThatCannotBeIsNamedAsWhatItIs(format: String, time: String, expected: String) throws {
        let text = format.dropFirst(2).dropLast(2)
        let found = try detail(format + "|%r", "\(time)|GET /r/?id=h1,2,7")
        #expect(found == "LogFormat: expected a time, \(text), from byte 1 on; found \(expected)")
    }

    @Test func aBadTimeInJSONIsSaidToBeOne() {
        let all = "dd/Mon/yyyy:HH:MM:SS +hhmm, yyyy-mm-ddTHH:MM:SS+hh:mm or a unix time"
        for (time, expected) in [
            (#""19/Nov/2O26""#, "found a letter at byte 18"), (#""2026-11_19""#, "found a punctuation mark at byte 17"),
            ("true", "found a letter at byte 9"),
        ] {
            let line = #"{"time":\#(time),"request":"GET /r/?id=h1,2,7"}"#
            let from = time.hasPrefix("\"") ? 10 : 9
            #expect(
                detail(.collector(.json(.nginx)), line)
                    == "json: expected a time, \(all), from byte \(from) on; \(expected)")
        }
    }

    @Test func aPayloadWithoutAnyTimeTellsOfTheLayoutsTime() throws {
        let rules = RecordRules.usersTrack(try Layout(parsing: "$msec $request_body"))
        let body = #"{"events":[{"name":"push_open","properties":{"broadlogId":"h1","deliveryId":"2"}}]}"#
        #expect(
            detail(rules, "x " + body)
                == "log_format: expected a time, seconds.milliseconds, from byte 1 on; found a letter at byte 1")
        #expect(
            parse(.mzip(), "mzip={\"log_content\":{\"type\":1,\"data\":{\"_mId\":\"h1\",\"_dId\":2}}}").details == [""])
    }

    @Test func otherReasonsSayAll() {
        #expect(detail(.collector(), hit(id: "h1,2")) == "")
        #expect(detail(.collector(), hit(id: ",,")) == "")
        #expect(detail(.mzip(), "mzip=x") == "")
    }

    private static let lines: [(layout: String, line: String)] = [
        (
            "combined",
            "203.0.113.77 - qvzk [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=hxqz,zzk,7&mcId=kqjx HTTP/1.1\" 200 4711 \"wxyzq\" \"QJvx/5.0\""
        ),
        (
            "$remote_addr [$time_local] \"$request\" $status | $http_user_agent |",
            "203.0.113.77 [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=hxqz,zzk,7\" 200 | QJvx/5.0 |"
        ),
        (
            "json",
            #"{"time_local":"19/Nov/2026:10:00:00 +0100","request":"GET /r/?id=hxqz,zzk,7","status":200,"http_user_agent":"QJvx"}"#
        ),
    ]

    /// The line is read from left to right, and the detail names the first byte that cannot stand where it stands.
    @Test(arguments: lines) func aDetailNamesAByteOfTheLineAndNothingElse(layout: String, line: String) throws {
        let rules = RecordRules.collector(try Layout(parsing: layout))
        let values = [
            "203.0", "qvzk", "hxqz", "zzk", "kqjx", "4711", "wxyzq", "QJvx", "2026", "GET", "Nov", "HTTP",
        ]
        var random = SplitMix64(seed: 12)
        var found = Set<String>()
        for _ in 0..<4000 {
            var bytes = Array(line.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(bytes[place], at: place)
                case 2: bytes = Array(bytes[...place])
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let read = parse(rules, layout: layout, bytes)
            guard let detail = read.details.first else { continue }
            let isExplained = ["malformed_line", "bad_time"].contains(read.codes[0])
            #expect(isExplained == !detail.isEmpty, "\(detail)")
            guard read.codes == ["malformed_line"], let match = detail.firstMatch(of: /at byte (\d+).*; found (.*)/),
                let byte = Int(match.1)
            else { continue }
            let kind = byte <= bytes.count ? Misfit.kind(bytes[byte - 1]) : "the end of the line"
            #expect((1...bytes.count + 1).contains(byte) && match.2 == kind, "\(detail)")
            #expect(!values.contains { detail.contains($0) }, "\(detail)")
            found.insert(detail)
            // What comes after that byte makes no difference; but the end of a status is looked for before it is read, and what
            // follows a faulty object is another reject.
            guard byte <= bytes.count, !detail.contains("status") else { continue }
            for rest in ["", "x", "\" 200 0 \"-\" \"-\"", "}] | \\"] {
                #expect(parse(rules, Array(bytes[..<byte]) + Array(rest.utf8)).details.first == detail)
            }
        }
        #expect(found.count > 20)
    }
}
