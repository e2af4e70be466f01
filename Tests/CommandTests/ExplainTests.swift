import Foundation
import Support
import Testing

/// What explain prints as JSON of the messages that an id finds.
private func explained(_ place: Workplace, _ id: String) throws -> [[String: Any]] {
    let outcome = try place.run("explain", "--json", "--", id)
    #expect(outcome.exit == 0)
    #expect(outcome.stderr == "")
    return try #require(try outcome.object()["messages"] as? [[String: Any]])
}

@Suite(.needsPushetl, .sampleLogs)
struct ExplainTests {
    @Test func explainShowsEveryEventAndTheFunnelRow() throws {
        let place = try SampleLogs.loaded()
        let outcome = try place.run("explain", "h1685a5")
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "")
        #expect(
            outcome.stdout == """
                message 1685a5, id space push

                  log date    day         time (Europe/Madrid)  source  delivery  platform  action      records
                  2026-11-17  2026-11-17  2026-11-17 09:01:14   adobe   d57fd6    android   impression        1  counts, the message's first
                  2026-11-17  2026-11-17  2026-11-17 09:01:51   adobe   d57fd6    android   click             1  counts
                  2026-11-17  2026-11-17  2026-11-17 09:02:28   adobe   d57fd6    android   open              2  counts
                  2026-11-18  2026-11-17  2026-11-17 10:00:00   momo    d57fd6    ios       arrival           4  counts
                  2026-11-18  2026-11-18  2026-11-18 09:01:51   adobe   d57fd6    android   open              1  duplicate of log date 2026-11-17, 2026-11-17 09:02:28, adobe

                  daily_funnel 2026-11-17, android, d57fd6: arrived, impressed, clicked, opened

                """)
    }

    @Test(arguments: [
        "h1685a5", "H1685A5", "1685a5", "00001685a5", "s1685a5", "d1685a5", "h1685a5,d57fd6,7", "h1685a5%2Cd57fd6%2C1",
        " h00001685a5 ", "1476005",
    ])
    func everySpellingOfAnIDFindsTheMessage(_ id: String) throws {
        let messages = try explained(SampleLogs.loaded(), id)
        #expect(messages.map { $0["broadlog_id"] as? String } == ["1685a5"])
        #expect((messages.first?["events"] as? [Any])?.count == 5)
    }

    @Test(arguments: [
        "https://t.example.com/r/?id=h1685a5,d57fd6,7&mcId=5550001",
        "https://t.example.com/r/?ID=h1685a5,d57fd6,7&mcId=5550001",
        "https://t.example.com/r/?mcId=5550001&Id=h1685a5%2Cd57fd6%2C7", "mcId=5550001&id=h1685a5",
        "id=h1685a5;mcId=5550001", "id=h1685a5%26mcId%3D5550001",
        "https%3A%2F%2Ft.example.com%2Fr%2F%3Fid%3Dh1685a5%26mcId%3D5550001",
        "%253Fid%253Dh1685a5%2526mcId%253D5550001",
        "5.55.0.001 - - [x] \"GET /r/?id=h1685a5,d57fd6,7&mcId=5550001 HTTP/1.1\" 200 0",
    ])
    func onlyTheIDOfAURLIsReadAndShown(_ argument: String) throws {
        let place = try SampleLogs.loaded()
        #expect(try explained(place, argument).map { $0["broadlog_id"] as? String } == ["1685a5"])
        for text in [argument, argument.replacing("1685a5", with: "99")] {
            for options in [[], ["--json"]] {
                let outcome = try place.run(["explain", text] + options)
                #expect(outcome.exit == 0)
                #expect(!(outcome.stdout + outcome.stderr).contains("555"))
            }
        }
    }

    @Test(arguments: [
        (["https://t.example.com/r/?mcId=5550001"], "There is no parameter 'id'; give the id alone, or as id=…."),
        (["mcId=5550001"], "There is no parameter 'id'; give the id alone, or as id=…."),
        (["{\"security\":\"5550001\"}"], "There is no parameter 'id'; give the id alone, or as id=…."),
        (["h1685a5", "mcId=5550001"], "Give one id, in quotes if it is a URL."),
        (
            ["5550001@example.com\u{1}"],
            "'***' is not a message's id: give it as in a URL (h1685a5), or as in a payload "
                + "(1685a5, a UUID, or another text of up to 128 bytes); 0 is no id."
        ),
    ])
    func whatIsNoIDIsNotShown(_ arguments: [String], _ sentence: String) throws {
        for options in [[], ["--json"], ["--log-format", "json"]] {
            let outcome = try SampleLogs.loaded().run(["explain"] + options + arguments)
            #expect(outcome.exit == 64)
            #expect(!(outcome.stdout + outcome.stderr).contains("5550"))
            if options.isEmpty { #expect(outcome.stderr.hasPrefix("error: \(sentence)\n")) }
        }
    }

    @Test func anIDIsShownWithItsControlCharactersEscaped() throws {
        let place = try SampleLogs.loaded()
        let shown = try place.run("explain", "a\u{9b}b\u{202e}").stdout
        #expect(shown.hasPrefix("a\\u{9b}b\\u{202e}: no event of this message"))
        #expect(try place.run("explain", "YWJj==").stdout.hasPrefix("YWJj==: no event of this message"))
        #expect(try place.run("explain", "id=a%3Db").stdout.contains("no event of this message"))
        #expect(try place.run("explain", "a@example.com").stdout.hasPrefix("***: no event of this message"))
        let json = try place.run("explain", "a\u{9b}", "--json")
        #expect(json.stdout.contains("a\\u009b"))
    }

    @Test func anAmbiguousIDShowsEveryMessage() throws {
        let place = try Workplace.withHits(
            ["h1685a5", "hd1685a5", "h12345", "h3039"].map { Workplace.hit("\($0),d,2") })
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        for (id, both, form) in [
            ("d1685a5", ["1685a5", "d1685a5"], "message 1685a5 (as in a URL), id space push\n"),
            ("12345", ["12345", "3039"], "message 3039 (as a JSON integer), id space push\n"),
        ] {
            #expect(try explained(place, id).map { $0["broadlog_id"] as? String } == both)
            let text = try place.run("explain", id).stdout
            #expect(text.contains(form))
            #expect(text.contains("message \(id) (as a JSON string), id space push\n"))
            #expect(text.contains("daily_funnel 2026-11-19, unknown, d: clicked, dismissed\n"))
        }
    }

    @Test func explainCanPrintOneJSONObject() throws {
        let place = try SampleLogs.loaded()
        let message = try #require(try explained(place, "h1685a5").first)
        #expect(message["id_space"] as? String == "push")
        #expect(message["kind"] as? String == "hex")
        #expect(message["read_as"] as? String == "url")
        let events = try #require(message["events"] as? [[String: Any]])
        try #require(events.count == 5)
        #expect(events[0]["counts"] as? Bool == true)
        #expect(events[0]["is_first"] as? Bool == true)
        #expect(events[4]["counts"] as? Bool == false)
        #expect(
            events[4]["preceded_by"] as? [String: String] == [
                "log_date": "2026-11-17", "time": "2026-11-17 09:02:28", "source": "adobe",
            ])
        let funnel = try #require(message["funnel"] as? [[String: Any]])
        #expect(funnel.map { $0["platform"] as? String } == ["android"])
        #expect(funnel.map { $0["dismissed"] as? Bool } == [false])
    }

    @Test func uuidsAndOpaqueIDsOfEveryIDSpaceAreFound() throws {
        let pipeline =
            Workplace.onePipeline + """
                  - name: other
                    format: users_track
                    id_space: other
                    files: more/%Y-%m-%d.json
                    actions: {seen: impression}

                """
        let uuid = "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"
        let place = try Workplace.withHits([Workplace.hit("h\(uuid),d,7")], pipeline: pipeline)
        let elements = [uuid.uppercased(), "caf\u{e9} 1", "-dash"].map { id in
            #"{"name":"seen","time":"2026-11-19T11:00:00Z","properties":{"broadlogId":"\#(id)","deliveryId":"e"}}"#
        }
        try place.scratch.write(
            #"{"events":[\#(elements.joined(separator: ","))]}"#, to: "more/2026-11-19.json")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try explained(place, "h" + uuid).map { $0["id_space"] as? String } == ["other", "push"])
        #expect(try explained(place, "caf\u{e9} 1").map { $0["broadlog_id"] as? String } == ["caf\u{e9} 1"])
        #expect(try explained(place, "-dash").count == 1)
    }

    @Test func anUnknownMessageIsNoError() throws {
        let place = try SampleLogs.loaded()
        let outcome = try place.run("explain", "h99")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stdout
                == "h99: no event of this message in 3 loaded log dates; looked for 99 (as in a URL); "
                + "records that were filtered or rejected are not events\n")
        #expect(try place.run("explain", "h99", "--output", "nowhere").stdout.contains("in 0 loaded log dates"))
        #expect(!place.scratch.exists("nowhere"))
        #expect(try explained(place, "h99").isEmpty)
        #expect(try place.run("explain", "h1685a5", "--quiet").stdout == "")
    }

    @Test(arguments: ["", "  ", "0", "h0000", "a\u{1}b", String(repeating: "x", count: 129)])
    func anInvalidIDIsWrongUsage(_ id: String) throws {
        let outcome = try SampleLogs.loaded().run("explain", id)
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.contains("' is not a message's id: give it as in a URL"))
    }

    @Test func explainSkipsADamagedPartition() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        try place.scratch.write("no database", to: "out/partitions/2026-11-19.sqlite")
        let before = place.bytes("out/push.db")
        let outcome = try place.run("explain", "h1")
        #expect(outcome.exit == 74)
        #expect(outcome.stdout.contains("  2026-11-20  2026-11-19  2026-11-19 10:00:00  adobe   d         unknown "))
        #expect(outcome.stderr.hasPrefix("warning: "))
        #expect(outcome.stderr.contains("out/partitions/2026-11-19.sqlite: is not a SQLite database"))
        #expect(place.bytes("out/push.db") == before)
    }
}
