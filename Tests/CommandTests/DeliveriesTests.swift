import Foundation
import Support
import Testing

private let pipeline = Workplace.onePipeline + "deliveries:\n  files: deliveries/*.csv\n"

/// Three messages of two deliveries are loaded, and `file` names some deliveries.
private func loaded(_ file: String) throws -> Workplace {
    let place = try Workplace.withHits(
        [
            Workplace.hit("h1,d1,7", agent: "Android"), Workplace.hit("h1,d1,1", "10:00:05", agent: "Android"),
            Workplace.hit("h2,d1,7", agent: "iPhone"), Workplace.hit("h3,d2,7", agent: "iPhone"),
        ], pipeline: pipeline)
    try place.scratch.write(file, to: "deliveries/a.csv")
    place.settle()
    return place
}

@Suite(.needsPushetl)
struct DeliveriesTests {
    private let stays = "; what was read from the delivery files before is kept\n"

    @Test func deliveriesGetTheirNamesAndWhatWasSent() throws {
        let place = try loaded(
            """
            delivery_id;label;campaign;platform;sent;delivered;sent_at
            D1;"Black ""Friday""\";Autumn;;10;9;2026-11-19T08:00:00+01:00
            d1;;;ios;4;;
            d3;Later;;web;;;

            """)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(
            try place.rows("SELECT * FROM deliveries") == [
                "d1|Black \"Friday\"|Autumn||2026-11-19 07:00:00|1|2026-11-19|2026-11-19",
                "d2|||||0|2026-11-19|2026-11-19", "d3|Later||||1||",
            ])
        #expect(
            try place.rows(
                "SELECT delivery_id, sent, delivered, messages, impressed, opened, opened_10s, arrived_of_sent, "
                    + "impressed_of_sent, clicked_of_sent, opened_of_sent FROM delivery_results") == [
                    "d1|10|9|2|2|1|1||0.2|0.0|0.1", "d2|||1|1|0|0||||",
                    "d3|||0|0|0|0||||",
                ])
        #expect(
            try place.rows(
                "SELECT delivery_id, platform, sent, delivered, messages, opened, impressed_of_sent FROM delivery_platforms"
            ) == [
                "d1|android|||1|1|", "d1|ios|4||1|0|0.25", "d2|ios|||1|0|",
                "d3|web|||0|0|",
            ])
        #expect(
            try place.scratch.text("out/deliveries.csv") == """
                delivery_id,platform,label,campaign,variant,sent_at,sent,delivered
                d1,,"Black ""Friday""\",Autumn,,2026-11-19 07:00:00Z,10,9
                d1,ios,"Black ""Friday""\",Autumn,,2026-11-19 07:00:00Z,4,
                d3,web,Later,,,,,

                """)
    }

    @Test func changedFilesAreNoticedWithoutLoading() throws {
        let place = try loaded("delivery_id,label\nd1,a\nd3,c\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let loads = try place.rows("SELECT count(*) FROM loads")
        let before = place.outputBytes()
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
        #expect(place.outputBytes() == before)
        #expect(try !place.run("status").stdout.contains("deliveries"))
        #expect(try place.run("status", "--json").object()["deliveries"] as? String == "unchanged")

        try place.scratch.write("delivery_id,label,sent\nd1,b,7\nd2,x,\n", to: "deliveries/a.csv")
        let changed = try place.run("status")
        #expect(changed.stdout.contains("\n  deliveries  changed (the next run publishes them)\n"))
        #expect(try place.run("status", "--json").object()["deliveries"] as? String == "changed")
        #expect(place.outputBytes() == before)
        // This date has no files.
        #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
        #expect(
            try place.rows("SELECT delivery_id, label, in_file, first_day FROM deliveries") == [
                "d1|b|1|2026-11-19", "d2|x|1|2026-11-19",
            ])
        #expect(try place.rows("SELECT delivery_id, sent FROM delivery_results") == ["d1|7", "d2|"])
        #expect(try place.rows("SELECT count(*) FROM loads") == loads)
        #expect(try !place.run("status").stdout.contains("deliveries"))

        // Without the key, nothing names them.
        try place.scratch.write(Workplace.onePipeline, to: "push.yaml")
        #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
        #expect(try place.rows("SELECT delivery_id, label, in_file FROM deliveries") == ["d1||0", "d2||0"])
        #expect(!place.scratch.exists("out/deliveries.csv"))
        #expect(try place.run("status", "--json").object()["deliveries"] == nil)
    }

    @Test func filesThatCannotBeUsedLeaveWhatWasThere() throws {
        let place = try loaded("delivery_id,label\nd1,a\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let bad: [(String?, String)] = [
            (nil, "no delivery files (deliveries/*.csv); put them there, or check 'deliveries'"),
            ("", "deliveries/a.csv: the file is empty; it needs a header with the columns' names"),
            (
                "d1,a\n",
                "deliveries/a.csv:1: the header has no column 'delivery_id'; "
                    + "name the column of the delivery ids in 'columns', as 'delivery_id'"
            ),
            (
                "delivery_id|label\nd1|a\n",
                "deliveries/a.csv:1: the header has no column 'delivery_id'; "
                    + "name the column of the delivery ids in 'columns', as 'delivery_id'"
            ),
            ("delivery_id,label\nd1,\"b\n", "deliveries/a.csv:2: a quote begins there and never ends; close it"),
            ("delivery_id,a,a\nd1,b\n", "deliveries/a.csv:1: the header has two columns 'a'; rename one"),
            (
                // No header, so the values are not shown.
                "d1,secret,secret\n",
                "deliveries/a.csv:1: the header has no column 'delivery_id'; "
                    + "name the column of the delivery ids in 'columns', as 'delivery_id'"
            ),
            (
                "delivery_id,label\rd1,b\r",
                "deliveries/a.csv:1: the lines end in CR alone; save the file with line endings LF or CRLF"
            ),
        ]
        for (text, sentence) in bad {
            try place.scratch.remove("deliveries/a.csv")
            if let text { try place.scratch.write(text, to: "deliveries/a.csv") }
            let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19")
            #expect(outcome.exit == 65)
            #expect(outcome.stderr == "error: " + sentence + stays)
            #expect(try place.rows("SELECT delivery_id, label FROM deliveries") == ["d1|a", "d2|"])
            let status = try place.run("status")
            #expect(status.stderr == "warning: " + sentence + stays)
            #expect(status.stdout.contains("\n  deliveries  cannot be read (see the warning)\n"))
            if text == nil { try place.scratch.write("x", to: "deliveries/a.csv") }
        }
    }

    @Test func whereNothingIsKeptTheMessageSaysSo() throws {
        let place = try loaded("delivery_id,label\nd1,a\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.remove("deliveries/a.csv")
        try place.scratch.remove("out/deliveries.csv")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr == "error: no delivery files (deliveries/*.csv); put them there, or check 'deliveries'; "
                + "until then no delivery has a name\n")
        #expect(try place.rows("SELECT delivery_id, label FROM deliveries") == ["d1|", "d2|"])
    }

    @Test func aHeaderWithoutRowsIsNamed() throws {
        let place = try loaded("delivery_id,label\n")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr
                == "warning: deliveries/a.csv: the file has a header and no rows, so it names no delivery\n")
    }

    /// The row of `deliveries.csv` is longer than any of the file's.
    @Test func aRowThatIsMergedFromLongOnesIsReadAgain() throws {
        let (label, variant) = (String(repeating: "a", count: 700_000), String(repeating: "\"", count: 400_000))
        let place = try loaded("delivery_id,label,variant\nd1,\(label),\nd1,,x\(variant)\nd2,b,\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        place.settle()
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write(
            Workplace.hit("h9,d2,7").replacing("19/Nov", with: "18/Nov") + "\n", to: "logs/2026-11-18.log")
        place.settle()
        #expect(try place.run("run", "--date", "2026-11-18").exit == 0)
        #expect(
            try place.rows("SELECT delivery_id, length(label), length(variant), in_file FROM deliveries")
                == ["d1|700000|400001|1", "d2|1||1"])
        #expect(try place.run("doctor").exit == 0)
    }

    @Test func formulasOfRatesLeaveOutWhatIsNotKnownToBeSent() throws {
        let place = try loaded("delivery_id,sent\nd1,4\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let rates = try place.rows(
            "SELECT column_name, formula FROM columns_help WHERE table_name = 'delivery_results' AND kind = 'rate'")
        #expect(rates.count == 4)
        for rate in rates {
            let (name, formula) = (rate.prefix { $0 != "|" }, rate.drop { $0 != "|" }.dropFirst())
            #expect(
                try place.rows("SELECT \(formula) FROM delivery_results")
                    == place.rows("SELECT \(name) FROM delivery_results WHERE delivery_id = 'd1'"))
        }
    }

    @Test func loadsPublishWithUnusableFiles() throws {
        let place = try loaded("delivery_id,label\nd1,\"a\n")
        let outcome = try place.run("run", "--date", "2026-11-19", "--json")
        #expect(outcome.exit == 65)
        let errors = try outcome.object()["errors"] as? [[String: Any]]
        #expect(errors?.map { $0["code"] as? String } == ["deliveries_open_quote"])
        #expect(errors?.map { $0["line"] as? Int } == [2])
        #expect(try place.rows("SELECT delivery_id, in_file FROM deliveries") == ["d1|0", "d2|0"])
        #expect(!place.scratch.exists("out/deliveries.csv"))
    }

    @Test func aValueThatCannotBeReadCountsAsEmptyAndOnlyRowsWithoutIdOrPlatformAreLeftOut() throws {
        let id = String(repeating: "x", count: 200)
        let place = try loaded(
            "delivery_id,label,platform,sent,sent_at\n\(id),secret,,1\nd1,a,,-5,2026-11-18\nd1,b,,9,secret\n"
                + "d1,c,secret,5\nd1,d,,5,,6\nd2,e,,secret,secret\n")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr == """
                warning: deliveries/a.csv:2: the row was left out: its 'delivery_id' cannot be read
                warning: deliveries/a.csv:3: the value of 'sent' cannot be read and counts as empty
                warning: deliveries/a.csv:4: the value of 'sent_at' cannot be read and counts as empty
                warning: deliveries/a.csv:5: the row was left out: its 'platform' cannot be read
                warning: deliveries/a.csv:6: the row was left out: it has more fields than the header
                warning: deliveries/a.csv:7: the value of 'sent_at' cannot be read and counts as empty
                warning: deliveries/a.csv:7: the value of 'sent' cannot be read and counts as empty

                """)
        #expect(
            try place.rows("SELECT delivery_id, label, sent_at, sent FROM delivery_results") == [
                "d1|b|2026-11-18 00:00:00|9", "d2|e||",
            ])
        // Also the next command says so, and nothing is loaded or published again.
        let again = try place.run("run", "--date", "2026-11-19", "--json").object()
        let codes = (again["warnings"] as? [[String: Any]])?.map { $0["code"] as? String }
        #expect(
            codes == [
                "deliveries_bad_row", "deliveries_bad_value", "deliveries_bad_value", "deliveries_bad_row",
                "deliveries_too_many_fields", "deliveries_bad_value", "deliveries_bad_value",
            ])
    }

    @Test func tenWarningsAFileAreFollowedByANumber() throws {
        let place = try loaded("delivery_id,sent\n" + (1...12).map { "d\($0),x\n" }.joined())
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.last == "warning: deliveries/a.csv: 2 more rows or values cannot be read")
    }

    @Test func countsThatAreTooLargeAreUnknownAndSaid() throws {
        let most = "9223372036854775807"
        let place = try loaded(
            "delivery_id,platform,sent,delivered\nd1,android,\(most),5\nd1,ios,1,6\nd2,,\(most),\nd3,,9223372036854775808,\n"
        )
        for _ in 0..<2 {
            let outcome = try place.run("run", "--date", "2026-11-19")
            #expect(outcome.exit == 0)
            #expect(
                outcome.stderr == """
                    warning: deliveries/a.csv:5: the value of 'sent' cannot be read and counts as empty
                    warning: 'sent' or 'delivered' of d1 adds up to more than 9,223,372,036,854,775,807 over the platforms, so the sum is unknown; check the delivery files

                    """)
        }
        #expect(
            try place.rows("SELECT delivery_id, sent, delivered FROM delivery_results") == [
                "d1||11", "d2|\(most)|", "d3||",
            ])
        #expect(
            try place.rows("SELECT platform, sent FROM delivery_platforms WHERE delivery_id = 'd1'") == [
                "android|\(most)", "ios|1",
            ])
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.run("report").exit == 0)
        let json = try place.run("run", "--date", "2026-11-19", "--json").object()
        let codes = (json["warnings"] as? [[String: Any]])?.map { $0["code"] as? String }
        #expect(codes == ["deliveries_bad_value", "deliveries_uncountable"])
    }

    @Test func fewerSentThanArrivedAreKeptWithAWarning() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d1,8"), Workplace.hit("h2,d1,8")],
            pipeline: pipeline.replacing("format: collector", with: "format: collector\n    actions: {8: arrival}"))
        try place.scratch.write("delivery_id,sent\nd1,1\n", to: "deliveries/a.csv")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr == """
                warning: 1 delivery arrived more often than sent: d1 (1 sent, 2 arrived); check 'sent' in the delivery files

                """)
        #expect(try place.rows("SELECT sent, arrived, arrived_of_sent FROM delivery_results") == ["1|2|2.0"])
    }

    @Test func damagedTablesArePutRight() throws {
        let place = try loaded("delivery_id,label,sent\nd1,a,7\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = try place.dump()
        let changes = [
            "UPDATE delivery_results SET sent = 8", "DELETE FROM deliveries", "DROP TABLE delivery_platforms",
        ]
        for change in changes {
            for keepsCache in [true, false] {
                try Support.execute(change, on: place.scratch.path("out/push.db"))
                if !keepsCache { try place.scratch.remove("out/partitions/.kept") }
                let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19")
                #expect(outcome.stderr.contains(/was changed by something else: (other rows in|no) table deliver/))
                #expect(try place.dump() == before)
            }
        }
        // Without a cache, and nothing wrong, nothing is written.
        try place.scratch.remove("out/partitions/.kept")
        let bytes = place.bytes("out/push.db")
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").stderr == "")
        #expect(place.bytes("out/push.db") == bytes)
    }

    /// A file of many rows, so that reading it takes a while.
    private func manyRows(_ count: Int) -> String {
        "delivery_id,label,sent\n" + (0..<count).map { "e\($0),Wave \($0),\($0)\n" }.joined()
    }

    /// Starts a run, and stops it while it has the delivery file open. Nil if the run was too fast for that.
    private func stopped(_ place: Workplace) throws -> RunningProgram? {
        let running = try place.start(["run", "--date", "2026-11-19"], until: "out/partitions/2026-11-19.sqlite")
        let path = place.scratch.url.resolvingSymlinksInPath().path + "/deliveries/a.csv"
        while running.isRunning {
            guard running.hasOpen(path) else { continue }
            running.send(SIGSTOP)
            usleep(1000)
            if running.hasOpen(path) { return running }
            running.send(SIGCONT)
        }
        return nil
    }

    @Test(arguments: ["append", "truncate", "replace"])
    func aFileThatIsWrittenToWhileItIsReadCannotBeUsed(change: String) throws {
        var rows = 100_000
        while true {
            let place = try loaded(manyRows(rows))
            guard let running = try stopped(place) else {
                rows *= 2
                continue
            }
            let path = place.scratch.path("deliveries/a.csv")
            switch change {
            case "append":
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data("d2,late,2\n".utf8))
                try file.close()
            case "truncate": truncate(path, 100)
            default: try place.scratch.write("delivery_id,label\nd1,other\n", to: "deliveries/a.csv")
            }
            running.send(SIGCONT)
            let outcome = try running.wait()
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr
                    == "error: deliveries/a.csv: the file changed while it was read; run again when it is complete; "
                    + "until then no delivery has a name\n")
            #expect(try place.rows("SELECT delivery_id, in_file FROM deliveries") == ["d1|0", "d2|0"])
            #expect(!place.scratch.exists("out/deliveries.csv"))

            place.settle()
            #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-19").exit == 0)
            let label = try place.rows(
                "SELECT label FROM deliveries WHERE delivery_id = 'd\(change == "append" ? 2 : 1)'")
            #expect(label == [change == "append" ? "late" : change == "truncate" ? "" : "other"])
            return
        }
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func aMillionRowsTakeBoundedMemory() throws {
        let place = try loaded(manyRows(1_000_000) + "D1,Black,7\n")
        // In KiB, of the memory that the program asks for.
        let limited = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        let script = "ulimit -d 600000 && exec \"$0\" \"$@\""
        let outcome = try limited.run(
            ["-c", script, place.program.executable.path, "run", "--date", "2026-11-19", "--pipeline", "push.yaml"],
            in: place.scratch.url)
        #expect(outcome.exit == 0)
        #expect(try place.rows("SELECT count(*), sum(sent) FROM delivery_results") == ["1000002|499999500007"])
        #expect(
            try place.rows("SELECT delivery_id, label, sent FROM delivery_results WHERE messages > 0") == [
                "d1|Black|7", "d2||",
            ])
    }
}
