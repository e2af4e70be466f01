import Support
import Testing

@testable import loggen

/// Truths small enough to be worked out by hand.
@Suite struct TruthTests {
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
        let folder = try ScratchFolder()
        try truth.write(to: folder.root, plan: plan)
        return try folder.text("\(name).csv").split(separator: "\n").dropFirst().map(String.init)
    }

    // 1794900000 is 2026-11-17 07:20:00 UTC.

    @Test func aHitSentAgainOnALaterDateCountsOnItsFirst() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (18, "x1", "open", 1_794_986_400)])
        #expect(
            try table("daily_actions", truth) == [
                "2026-11-17,adobe,ios,d1,open,1,0,2026-11-17 07:20:00,2026-11-17 07:20:00",
                "2026-11-18,adobe,ios,d1,open,0,1,,",
            ])
        #expect(
            try table("daily_funnel", truth) == ["2026-11-17,ios,d1,1,0,0,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0.0,1.0,0.0,"])
    }

    @Test func aHitSentAgainOutsideTheWindowCountsAgain() throws {
        let truth = try truth([(17, "x1", "open", 1_794_900_000), (19, "x1", "open", 1_795_072_800)], window: 1)
        #expect(try table("days", truth, window: 1) == ["2026-11-17,1,1,1,1", "2026-11-19,1,1,0,0"])
    }

    @Test func aClickAloneIsADismissalAndDuplicatesAreInTheRowOfTheirEvent() throws {
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
        #expect(
            try table("daily_funnel", truth) == [
                "2026-11-17,ios,d1,2,0,1,2,1,1,0,1,0,0,0,0,0,0,0,0,0,0,1.0,0.5,0.5,0.0"
            ])
        #expect(
            try table("daily_paths", truth) == ["2026-11-17,ios,0,0,1,1,1", "2026-11-17,ios,0,1,1,0,1"])
        #expect(
            try table("daily_lateness", truth) == [
                "2026-11-17,2026-11-17,0,adobe,3,1", "2026-11-18,2026-11-18,0,adobe,1,0",
            ])
        #expect(
            try table("daily_totals", truth) == [
                "2026-11-17,ios,3,1,2,0,1,2,1,1,0,1,0,0,0,0,0,0,0,0,0,0",
                "2026-11-18,ios,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
            ])
        #expect(
            try table("partitions", truth) == [
                "2026-11-17,complete,1,4,4,0,0,3,1,0", "2026-11-18,complete,1,1,1,0,0,1,0,0",
                "2026-11-19,complete,1,0,0,0,0,0,0,0",
            ])
        #expect(try table("outcomes", truth) == ["2026-11-17,adobe,accepted,,4", "2026-11-18,adobe,accepted,,1"])
    }

    @Test func aDayBeginsAtMidnightInThePipelinesZone() throws {
        let truth = try truth([(17, "x1", "open", 1_794_870_000 - 1), (17, "x2", "open", 1_794_870_000)])
        #expect(try table("days", truth) == ["2026-11-16,1,1,3,0", "2026-11-17,1,1,2,0"])
    }
}
