import Calendar
import Reference
import Support
import Testing

@testable import loggen

/// Truths small enough to be worked out by hand.
@Suite struct TruthTests {
    private func truth(
        _ hits: [(day: Int, message: String, action: String, at: Int)], window: Int = 30,
        deliveries: String = ""
    ) throws -> Truth {
        let plan = try smallPlan { $0.windowDays = window }
        let files = plan.dates.map { date in
            var file = FileTruth(
                file: Plan.File(kind: .collector, date: date, index: 0, records: 0), keepsHits: true)
            for hit in hits where hit.day == date.day {
                file.accept(
                    Hit(
                        idSpace: "push", broadlogID: Bytes(hit.message), action: hit.action, time: hit.at * 1000,
                        source: "adobe", deliveryID: Bytes("d1"), platform: "ios"))
            }
            return file
        }
        return Truth(plan: plan, files: files, deliveries: deliveries)
    }

    private func table(_ name: String, _ truth: Truth) throws -> [String] {
        let folder = try ScratchFolder()
        try truth.write(to: folder.root)
        return try folder.text("\(name).csv").split(separator: "\n").dropFirst().map(String.init)
    }

    // 1794900000 is 2026-11-17 07:20:00 UTC.

    @Test func aHitSentAgainOnALaterDateCountsOnItsFirst() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (18, "x1", "open", 1_794_986_400)])
        #expect(
            try table("daily_actions", truth) == [
                "2026-11-17,adobe,ios,d1,open,1,0",
                "2026-11-18,adobe,ios,d1,open,0,1",
            ])
        #expect(
            try table("daily_funnel", truth) == [
                "2026-11-17,ios,d1,1,0,0,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.0,1.0,0.0,"
            ])
    }

    @Test func aHitSentAgainOutsideTheWindowCountsAgain() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (19, "x1", "open", 1_795_072_800)], window: 1)
        #expect(try table("days", truth) == ["2026-11-17,complete,1,1,1,1", "2026-11-19,complete,1,1,0,0"])
    }

    @Test func aClickAloneIsADismissalAndDuplicatesAreInTheRowOfTheirEvent() throws {
        let truth = try truth([
            (17, "x1", "impression", 1_794_900_000), (17, "x1", "click", 1_794_900_005),
            (17, "x1", "click", 1_794_900_009), (17, "x2", "click", 1_794_900_001), (18, "x2", "open", 1_794_986_400),
        ])
        #expect(
            try table("daily_actions", truth) == [
                "2026-11-17,adobe,ios,d1,click,2,1",
                "2026-11-17,adobe,ios,d1,impression,1,0",
                "2026-11-18,adobe,ios,d1,open,1,0",
            ])
        #expect(
            try table("daily_funnel", truth) == [
                "2026-11-17,ios,d1,2,0,1,2,1,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1.0,0.5,0.5,0.0"
            ])
        #expect(
            try table("daily_paths", truth) == ["2026-11-17,ios,0,0,1,1,1", "2026-11-17,ios,0,1,1,0,1"])
        #expect(
            try table("daily_lateness", truth) == [
                "2026-11-17,2026-11-17,0,adobe,3,1", "2026-11-18,2026-11-18,0,adobe,1,0",
            ])
        #expect(
            try table("daily_totals", truth) == [
                "2026-11-17,ios,3,1,2,0,1,2,1,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
                "2026-11-18,ios,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
            ])
        #expect(
            try table("partitions", truth) == [
                "2026-11-17,complete,1,4,4,0,0,3,1,0", "2026-11-18,complete,1,1,1,0,0,1,0,0",
                "2026-11-19,complete,1,0,0,0,0,0,0,0",
            ])
        #expect(try table("outcomes", truth) == ["2026-11-17,adobe,accepted,,4", "2026-11-18,adobe,accepted,,1"])
    }

    @Test func deliveriesHaveWhatTheFileSaysAndWhatTheLogsSay() throws {
        let named = """
            delivery_id,platform,label,campaign,variant,sent_at,sent,delivered
            d1,,"a, b",c,A,2026-11-17 08:20:00,8,
            d1,ios,"a, b",c,A,2026-11-17T08:20:00+01:00,4,3
            d1,web,"a, b",c,A,2026-11-17 08:20:00,2,2
            d2,,,,,2026-11-17 08:20:00,0,
            """
        let hits = [
            (17, "x1", "impression", 1_794_900_000), (17, "x1", "open", 1_794_900_005),
            (18, "x2", "click", 1_794_986_400),
        ]
        let truth = try truth(hits, deliveries: named)
        #expect(
            try table("deliveries", truth) == [
                "d1,\"a, b\",c,A,2026-11-17 07:20:00,1,2026-11-17,2026-11-18", "d2,,,,2026-11-17 07:20:00,1,,",
            ])
        let funnel = "2,0,1,1,1,1,1,0,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1"
        let nothing = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"
        #expect(
            try table("delivery_results", truth) == [
                "d1,\"a, b\",c,A,2026-11-17 07:20:00,2026-11-17,2026-11-17,2026-11-18,8,5,\(funnel),,0.125,0.125,0.125",
                "d2,,,,2026-11-17 07:20:00,2026-11-17,,,0,,\(nothing),,,,",
            ])
        #expect(
            try table("delivery_platforms", truth) == [
                "d1,ios,4,3,\(funnel),,0.25,0.25,0.25", "d1,web,2,2,\(nothing),,0.0,0.0,0.0",
            ])
    }

    @Test func aDayBeginsAtMidnightInThePipelinesZone() throws {
        let truth = try truth([(17, "x1", "open", 1_794_870_000 - 1), (17, "x2", "open", 1_794_870_000)])
        #expect(try table("days", truth) == ["2026-11-16,,1,1,3,0", "2026-11-17,complete,1,1,2,0"])
    }
}
