import Calendar
import Events
import Testing

@testable import Records

/// Where values lie, and how an event tells what happened.
@Suite struct FieldTests {
    private static let time = 1_795_078_800_000 as Int64

    private func rules(_ fields: FieldPaths, change: (inout RecordRules) -> Void = { _ in }) -> RecordRules {
        var rules = RecordRules.events()
        rules.fields = fields
        rules.actions = ["open": 42, "sent": 41]
        change(&rules)
        return rules
    }

    private static let fields: FieldPaths = [
        .broadlogID: ["id"], .deliveryID: ["campaign"], .action: ["kind"], .time: ["at"], .platform: ["os"],
    ]

    @Test(
        arguments: [
            ("event.kind", ["event", "kind"]), ("a", ["a"]), ("\"event.kind\"", ["event.kind"]),
            ("\"event.kind\".id", ["event.kind", "id"]), ("a.\"b.c\"", ["a", "b.c"]), ("\"a\".\"b\"", ["a", "b"]),
            ("a\"b", ["a\"b"]), ("é.\"ß.\"", ["é", "ß."]), ("", nil), (".", nil), ("a.", nil), (".a", nil),
            ("a..b", nil),
            ("\"\"", nil), ("\"a", nil), ("\"a\"b", nil), ("\"a\".", nil), ("a.\"b", nil),
        ] as [(String, [String]?)])
    func aPathIsNames(text: String, names: [String]?) {
        #expect(PathText.names(text) == names)
        if let names { #expect(PathText.names(PathText.text(names)) == names) }
    }

    @Test(
        arguments: [
            (#"{"id":"a","id2":"b"}"#, "a"), (#"{"id2":"b"}"#, "b"), (#"{"id":null,"id2":"b"}"#, "b"),
            (#"{"id":"","id2":"b"}"#, "b"), (#"{"id":" \t","id2":"b"}"#, "b"), (#"{"id":[],"id2":"b"}"#, "b"),
            (#"{"id":[null,"x"],"id2":"b"}"#, "b"), (#"{"id":{},"id2":"b"}"#, nil), (#"{"id":true,"id2":"b"}"#, nil),
            (#"{"id":"\u0020","id2":"b"}"#, "b"), (#"{"id":"a","id":null,"id2":"b"}"#, "b"), (#"{"x":1}"#, "missing"),
            (#"{"id":"","id2":" "}"#, "missing"),
        ] as [(String, String?)])
    func theFirstPathWithAValueCounts(ids: String, delivery: String?) {
        var fields = Self.fields
        fields[.broadlogID] = ["at"]
        fields[.deliveryID] = ValuePlace(firstOf: [["id"], ["id2"]])
        let found = read(rules(fields), String(ids.dropLast()) + #","kind":"open","at":1795078800}"#)
        switch delivery {
        case "missing": #expect(found.codes == ["missing_id"])
        // What is malformed stays so.
        case nil: #expect(found.codes == ["malformed_id"])
        case let delivery?: #expect(found.deliveries == [delivery])
        }
    }

    @Test func alsoOfAPartOfAnID() {
        var fields = Self.fields
        fields[.broadlogID] = []
        fields.idParts = [["campaign"], ValuePlace(firstOf: [["user", "id"], ["device"]])]
        let events = [#""device":"d""#, #""user":{"id":"d"}"#, #""user":{"id":" "},"device":[]"#].map {
            #"{"kind":"open","at":1795078800,"campaign":"c",\#($0)}"#
        }
        let found = read(rules(fields), events.joined())
        #expect(found.codes == ["accepted", "accepted", "missing_id"])
        #expect(Set(found.records.map(\.id)).count == 1)
    }

    @Test(
        arguments: [
            (#"{"a":{"b":"x"}}"#, "x"), (#"{"a":[{"b":"x"},{"b":"y"}]}"#, "x"), (#"{"a":{"b":["x","y"]}}"#, "x"),
            (#"{"a":[[{"b":[["x"]]}]]}"#, "x"), (#"{"a":[{"c":1},{"b":"y"}]}"#, nil), (#"{"a":[]}"#, nil),
            (#"{"a":[1,{"b":"y"}]}"#, nil), (#"{"a":[{"b":"x"}],"a":[]}"#, nil), (#"{"a":[{"b":"x"}],"a":7}"#, nil),
            (#"{"a":{"b":[]}}"#, nil), (#"{"a":{"b":["x"],"b":[]}}"#, nil),
            (#"{"a":{"b":[{"x":["y"]}]}}"#, "malformed"),
        ] as [(String, String?)])
    func throughAnArrayAPathLeadsToItsFirstElement(event: String, delivery: String?) {
        var fields = Self.fields
        (fields[.broadlogID], fields[.deliveryID]) = (["at"], ["a", "b"])
        let found = read(rules(fields), String(event.dropLast()) + #","kind":["open"],"at":[1795078800]}"#)
        switch delivery {
        case nil: #expect(found.codes == ["missing_id"])
        case "malformed": #expect(found.codes == ["malformed_id"])
        case let delivery?: #expect(found.deliveries == [delivery])
        }
    }

    @Test(arguments: [
        (#"{"tags":["x"],"a.b":{"c":1}}"#, true), (#"{"tags":"x","a.b":{"c":false}}"#, true), (#"{"tags":"x"}"#, false),
        (#"{"tags":[],"a.b":{"c":1}}"#, false), (#"{"tags":[null],"a.b":{"c":1}}"#, false),
        (#"{"tags":" ","a.b":{"c":1}}"#, false), (#"{"tags":{},"a.b":{"c":[{}]}}"#, true),
        (#"{"tags":"x","a":{"b":{"c":1}}}"#, false), (#"{"tags":"x","a.b":{"c":null}}"#, false),
    ])
    func whatLacksARequiredValueIsNoneOfOurs(event: String, isOurs: Bool) {
        let rules = rules(Self.fields) { $0.require = [["tags"], ["a.b", "c"]] }
        #expect(read(rules, event).codes == [isOurs ? "missing_action" : "not_push"])
    }

    @Test func onlyAnObjectCanLackAValue() {
        let rules = rules(Self.fields) { ($0.require, $0.elements) = ([["tags"]], ["items"]) }
        #expect(
            read(rules, #"{"items":[1,{},[{}],null]}"#).codes == [
                "missing_action", "not_push", "missing_action", "missing_action",
            ])
    }

    @Test func anActionMayBeConstant() {
        let rules = rules(Self.fields) { ($0.action, $0.fields[.action], $0.actions) = (7, [], [:]) }
        let found = read(rules, #"{"id":"m","campaign":"c","at":1795078800,"kind":1.5}{}"#)
        #expect(found.codes == ["accepted", "missing_id"])
        #expect(found.records.map(\.action) == [7])
        var mzip = RecordRules.mzip()
        (mzip.action, mzip.fields[.action]) = (7, [])
        #expect(
            parse(mzip, #"{"log_content":{"time":1795050000,"data":{"_mId":"h1","_dId":"d"}}}"#).records.map(\.action)
                == [7])
    }

    private func timed() -> RecordRules {
        rules(Self.fields) { rules in
            (rules.fields[.action], rules.fields[.time], rules.fields[.tracking]) = ([], [], ["track"])
            rules.times = [(3, ["sent_at"]), (1, ["seen", "at"]), (2, ["opened_at"])]
        }
    }

    @Test(arguments: [
        (#""opened_at":"2026-11-19 10:00:00","sent_at":1795078800"#, ["3 1795078800000", "2 1795082400000"]),
        (#""seen":[{"at":1795078800}]"#, ["1 1795078800000"]), (#""sent_at":null,"opened_at":"""#, ["unmapped_action"]),
        (#""x":1"#, ["unmapped_action"]),
        (#""sent_at":"never","opened_at":1795078800"#, ["bad_time", "2 1795078800000"]),
        (#""sent_at":"2025-01-01","opened_at":1795078800"#, ["out_of_window", "2 1795078800000"]),
        (#""sent_at":1795078800,"opened_at":1795078800,"campaign":null"#, ["missing_id", "missing_id"]),
        (#""sent_at":1795078800,"opened_at":1795078800,"track":"off""#, ["tracking_off", "tracking_off"]),
        (#""sent_at":1795078800,"track":1,"opened_at":{}"#, ["bad_tracking", "bad_tracking"]),
    ])
    func eachTimeIsARecord(values: String, expected: [String]) {
        let found = read(timed(), #"{"id":"m","campaign":"c",\#(values)}"#)
        let items = found.items.map { item in
            switch item {
            case .accepted(let record, _): "\(record.action) \(record.time)"
            case .filtered(let reason): reason.code
            case .rejected(let reason, _, _): reason.code
            }
        }
        #expect(items == expected)
    }

    @Test func whatIsNoObjectHasNoTimes() throws {
        var rules = timed()
        rules.elements = ["items"]
        #expect(
            read(rules, #"{"items":[1,[],"x",{}]}"#).codes == [
                "missing_action", "missing_action", "missing_action", "unmapped_action",
            ])
        var logged = timed()
        logged.layouts = [try Layout(parsing: "$request_body")]
        #expect(parse(logged, layout: "$request_body", "5").codes == ["missing_action"])
    }

    @Test func timesWithoutAZoneAreInThatOfTheSource() throws {
        for (text, madrid, utc) in [
            ("\"2026-11-19 10:00:00\"", Self.time, Self.time + 3_600_000),
            ("20261119100000", Self.time, Self.time + 3_600_000),
            ("\"20261119100000\"", Self.time, Self.time + 3_600_000),
            ("\"2026-11-19\"", Self.time - 36_000_000, Self.time - 32_400_000),
            ("\"2026-11-19 09:00:00 UTC\"", Self.time, Self.time), ("1795078800", Self.time, Self.time),
        ] {
            let event = #"{"id":"m","campaign":"c","kind":"open","at":\#(text)}"#
            for (zone, time) in [(RecordRules.madrid as ZoneRules?, madrid), (nil, utc)] {
                let rules = rules(Self.fields) { $0.payloadZone = zone }
                #expect(read(rules, event).records.map(\.time) == [time], "\(text)")
                var reader = BodyReader(rules)
                var sink = Collected()
                _ = reader.read(Array(event.utf8).span, ending: .fileEnds, into: &sink)
                #expect(reader.hasUsedZone == (zone != nil && madrid != utc))
            }
        }
    }

    @Test(arguments: [
        (
            #"{"event.kind":"open"}"#, ["event", "kind"],
            #"'event.kind' holds a dot; put it in double quotes, '"event.kind"'"#
        ),
        (#"{"a":{"b.c":{"d":1}}}"#, ["a", "b", "c", "d"], #"'b.c' holds a dot; put it in double quotes, 'a."b.c".d'"#),
        (#"{"event":"open"}"#, ["event", "kind"], ""), (#"{"kind":null}"#, ["kind"], ""),
    ])
    func aNameWithADotIsTold(event: String, path: [String], detail: String) {
        var fields = Self.fields
        fields[.action] = ValuePlace(path)
        let found = read(rules(fields), event)
        #expect(found.codes == ["missing_action"])
        #expect(found.details == [detail.isEmpty ? "" : "fields: the name " + detail])
    }
}
