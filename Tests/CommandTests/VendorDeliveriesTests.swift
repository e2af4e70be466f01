import Support
import Testing

/// The pipelines of `Pipelines` for delivery lists as Adobe Campaign and Braze write them, on their sample files.
@Suite(.needsPushetl)
struct VendorDeliveriesTests {
    private let place: Workplace

    init() throws {
        place = try Workplace.withSamples()
    }

    private func results(_ vendor: String, _ columns: String) throws -> [String] {
        let pipeline = "Pipelines/deliveries-\(vendor).yaml"
        #expect(try place.run("validate", pipeline).stdout == "\(pipeline): valid, 1 source\n")
        let outcome = try place.run("run", "--date", "2026-11-19", "--pipeline", pipeline)
        #expect(outcome.exit == 0 && outcome.stderr == "", "\(outcome)")
        return try place.rows(
            "SELECT \(columns) FROM delivery_results WHERE sent IS NOT NULL", "warehouse-deliveries-\(vendor)/push.db")
    }

    @Test func anAdobeListHasDecimalIDsSemicolonsAByteOrderMarkAndWindowsLineEnds() throws {
        let list = try place.scratch.bytes("SampleLogs/deliveries-adobe/deliveries.csv")
        #expect(list.starts(with: [0xEF, 0xBB, 0xBF]) && list.suffix(2) == [0x0D, 0x0A])
        #expect(
            try results("adobe", "delivery_id, label, campaign, sent_at, sent, delivered, messages, impressed, opened")
                == [
                    "71ffa3|Black Friday, wave 1|Black Friday|2026-11-19 08:00:00|5|5|0|0|0",
                    "8452123|Rebajas de otoño; última semana|Otoño|2026-11-19 08:00:00|28|26|12|12|0",
                    "fd4c527c|Test \"internal\"||2026-11-18 16:30:00|3|0|0|0|0",
                ])
    }

    @Test func theSendsOfBrazeAreSplitByPlatformAndVariant() throws {
        #expect(
            try results("braze", "label, variant, sent_at, sent, delivered, impressed, opened, impressed_of_sent") == [
                "Weekend offers|A|2026-11-19 08:00:00|6||3|1|0.5", "Weekend offers|B|2026-11-19 08:00:00|6||3|2|0.5",
            ])
        #expect(
            try place.rows(
                "SELECT variant, platform, p.sent, p.opened FROM delivery_platforms p JOIN deliveries USING (delivery_id)",
                "warehouse-deliveries-braze/push.db") == ["A|android|4|1", "A|ios|2|0", "B|android|4|1", "B|ios|2|1"])
    }
}
