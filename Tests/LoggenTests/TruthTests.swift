import Foundation
import Testing

@testable import loggen

/// Truths that can be told by hand.
struct TruthTests {
    private func truth(
        _ hits: [(day: Int, message: String, action: String, at: Int)], window: Int = 30
    ) throws -> Truth {
        let plan = try smallPlan { $0.windowDays = window }
        let files = plan.dates.map { date in
            var file = FileTruth(
                file: Plan.File(kind: .collector, date: date, index: 0, records: 0), keepsHits: true)
            for hit in hits where Day(year: 2026, month: 11, day: hit.day) == date {
                file.accept(
                    Hit(
                        message: hit.message, action: hit.action, time: hit.at * 1000, source: 0, delivery: "d1",
                        platform: .ios, date: date))
            }
            return file
        }
        return Truth(plan: plan, files: files)
    }

    private func table(_ name: String, _ truth: Truth, window: Int = 30) throws -> [String] {
        let plan = try smallPlan { $0.windowDays = window }
        return try inNewFolder { folder in
            try truth.write(to: folder, plan: plan)
            let text = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
            return text.split(separator: "\n").dropFirst().map(String.init)
        }
    }

    // 1794900000 is 2026-11-17 07:20:00 UTC.

    @Test func `a hit that is sent again on a later date counts on its first`() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (18, "x1", "open", 1_794_986_400)])
        #expect(
            try table("daily_actions", truth) == [
                "2026-11-17,adobe,ios,d1,open,1,0,2026-11-17 07:20:00,2026-11-17 07:20:00",
                "2026-11-18,adobe,ios,d1,open,0,1,,",
            ])
        #expect(try table("daily_funnel", truth) == ["2026-11-17,ios,d1,1,0,0,0,1,0,1,1,0.0,1.0,0.0"])
    }

    @Test func `out of reach it counts again`() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (19, "x1", "open", 1_795_072_800)], window: 1)
        #expect(try table("days", truth, window: 1) == ["2026-11-17,1,1,1", "2026-11-19,1,1,0"])
    }

    @Test func `a click alone is a dismissal, and duplicates go to the event's row`() throws {
        let truth = try truth([
            (17, "x1", "impression", 1_794_900_000), (17, "x1", "click", 1_794_900_005),
            (17, "x1", "click", 1_794_900_009), (17, "x2", "click", 1_794_900_001), (18, "x2", "open", 1_794_986_400),
        ])
        #expect(
            try table("daily_actions", truth) == [
                "2026-11-17,adobe,ios,d1,click,2,1,2026-11-17 07:20:01,2026-11-17 07:20:05",
                "2026-11-17,adobe,ios,d1,impression,1,0,2026-11-17 07:20:00,2026-11-17 07:20:00",
                "2026-11-18,adobe,ios,d1,open,1,0,2026-11-18 07:20:00,2026-11-18 07:20:00",
            ])
        #expect(try table("daily_funnel", truth) == ["2026-11-17,ios,d1,2,0,1,2,1,1,0,1,1.0,0.5,0.5"])
        #expect(
            try table("partitions", truth) == [
                "2026-11-17,complete,1,4,4,0,0,3,1,0", "2026-11-18,complete,1,1,1,0,0,1,0,0",
                "2026-11-19,complete,1,0,0,0,0,0,0,0",
            ])
        #expect(try table("outcomes", truth) == ["2026-11-17,adobe,accepted,,4", "2026-11-18,adobe,accepted,,1"])
    }

    @Test func `a day begins at midnight in the pipeline's zone`() throws {
        let truth = try truth([(17, "x1", "open", 1_794_870_000 - 1), (17, "x2", "open", 1_794_870_000)])
        #expect(try table("days", truth) == ["2026-11-16,1,1,0", "2026-11-17,1,1,0"])
    }
}

struct SpellingTests {
    @Test(arguments: [
        (TimeText.zulu, "\"2026-11-17T07:20:00Z\"", 0), (.offset, "\"2026-11-17T08:20:00+01:00\"", 0),
        (.fraction, "\"2026-11-17T07:20:00.123Z\"", 123), (.brazePattern, "\"2026-11-17T08:20:00:123+0100\"", 123),
        (.shortOffset, "\"2026-11-17T09:20:00+02\"", 0), (.seconds, "1794900000", 0),
        (.milliseconds, "1794900000123", 123), (.zoneless, "\"2026-11-17 07:20:00\"", 0),
        (.decimalText, "\"1794900000.123\"", 123), (.dateAlone, "\"2026-11-17\"", -26_400_000),
        (.nanoseconds, "\"2026-11-17T07:20:00.123987654Z\"", 123), (.decimal, "1794900000.1239", 123),
        (.west, "\"2026-11-17T02:20:00.123-05:00\"", 123), (.exponent, "1794900000.123e0", 123),
        (.millisecondText, "\"1794900000123\"", 123),
    ])
    func `a time says what it can`(spelling: TimeText, json: String, milliseconds: Int) {
        let (text, time) = spelling.spell(1_794_900_000_123)
        #expect(text == json)
        #expect(time == 1_794_900_000_000 + milliseconds)
    }

    @Test func `a payload's time counts within the window, else the receipt's, else the date's start`() throws {
        let times = PayloadTimes(plan: try smallPlan(), date: Day(year: 2026, month: 11, day: 17))
        let start = 1_794_870_000_000
        let earliest = start - 30 * 86_400_000
        let end = start + 2 * 86_400_000
        for (payload, expected) in [(earliest, false), (end - 1, false), (earliest - 1, true), (end, true)] {
            let settled = try #require(times.settle(payload: payload, receipt: nil))
            #expect(settled.clockFallback == expected)
            #expect(settled.time == (expected ? start : payload))
        }
        #expect(times.settle(payload: end, receipt: 5999)?.time == 5000)
        #expect(times.settle(payload: nil, receipt: 5999)?.clockFallback == false)
        #expect(times.settle(payload: nil, receipt: nil) == nil)
    }

    @Test(arguments: ["2026-11-17", "2024-02-29", "1970-01-01", "1969-12-31", "0001-01-01"])
    func `a day reads back as it is written`(text: String) {
        #expect(Day(text)?.text == text)
    }

    @Test(arguments: ["2026-02-29", "2026-11-31", "2026-13-01", "2026-1-1", "17/11/2026", "", "2026-11-17 "])
    func `what no calendar has is no day`(text: String) {
        #expect(Day(text) == nil)
    }

    @Test func `the pipeline file fits the logs`() throws {
        let text = PipelineFile(plan: try smallPlan { $0.layout = .nginx }).text
        #expect(
            text == """
                # The logs that loggen wrote here, seed 7. Use it with
                #   pushetl --pipeline push.yaml
                version: 1
                timezone: Europe/Madrid
                output: warehouse
                dedup:
                  window_days: 30
                sources:
                  - name: adobe
                    format: collector
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: collector/%Y-%m-%d/*.log.gz
                  - name: momo
                    format: mzip
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: mzip/%Y-%m-%d/*.gz
                    platform: ios
                  - name: braze
                    format: users_track
                    layout: '$remote_addr - [$time_iso8601] "$request" $status "$http_user_agent" "$request_body"'
                    files: users_track/%Y-%m-%d/*.json.gz
                    actions: {push_impression: impression, push_click: click, push_open: open}

                """)
    }
}
