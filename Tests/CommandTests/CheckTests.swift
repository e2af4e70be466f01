import Foundation
import Support
import Testing

/// The checks of the article Pipeline file, night by night.
@Suite(.needsPushetl)
struct CheckTests {
    private static let days = 90
    private static let first = Date(timeIntervalSince1970: 1_785_542_400)

    /// `2026-08-01` for day 1.
    private static func date(_ day: Int) -> String { text(day, "yyyy-MM-dd") }

    private static func text(_ day: Int, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: first.addingTimeInterval(Double(day - 1) * 86_400))
    }

    private static func hit(_ id: String, day: Int, agent: String) -> String {
        let time = text(day, "dd/MMM/yyyy") + ":10:00:00 +0000"
        return "192.0.2.1 - - [\(time)] \"GET /r/?id=h\(id) HTTP/1.1\" 200 0 \"-\" \"\(agent)\"\n"
    }

    private static let (android, ios) = ("Dalvik/2.1.0 (Linux; Android 14)", "App/1 CFNetwork/1.0 Darwin/23.0")

    /// Some messages of a delivery, half of them by each platform; one in ten is opened.
    private static func messages(_ count: Int, delivery: Int, day: Int, agents: [String] = [android, ios]) -> String {
        (1...count).map { number in
            let id = String(delivery * 10_000 + number, radix: 16)
            let agent = agents[number % agents.count]
            return hit("\(id),d\(delivery),7", day: day, agent: agent)
                + (number % 10 == 0 ? hit("\(id),d\(delivery),1", day: day, agent: agent) : "")
        }.joined()
    }

    /// Of each log date the messages of one delivery. Then there are a delivery that fails on day 40, one of day 45 whose
    /// hits come three days later, one that is planned for day 85, and on other days what the other checks are there for.
    private static func log(of day: Int) -> String {
        let usual = messages(40, delivery: day, day: day)
        switch day {
        case 48: return usual + messages(1000, delivery: 145, day: 45)
        case 52: return messages(40, delivery: day, day: day, agents: [android])
        case 55: return usual.replacing("GET /r/?id=", with: "GET /other?id=")
        case 60: return usual + messages(20, delivery: 160, day: day)
        case 64: return usual + messages(1000, delivery: 164, day: day)
        case 68: return messages(40, delivery: day, day: day, agents: [android, ios, android, "-"])
        case 76: return usual + "no request\n"
        case 85: return usual + messages(1000, delivery: 185, day: day)
        default: return usual
        }
    }

    private static let deliveries =
        "delivery_id,label,sent_at,sent\n"
        + (1...days).map { "d\($0),Usual,\(date($0))T09:00:00,50\n" }.joined()
        + "d140,Failed,\(date(40))T09:00:00,5000\nd145,Late,\(date(45))T09:00:00,2000\n"
        + "d160,Understated,\(date(60))T09:00:00,10\nd185,Planned,\(date(85))T09:00:00,2000\n"

    private struct Answer: Decodable {
        struct Message: Decodable {
            let code: String
            let message: String
        }

        let exitCode: Int
        let warnings: [Message]
        let errors: [Message]
    }

    /// The checks as they stand in the article.
    private static func examples() throws -> String {
        let file = Workplace.packageFolder.appendingPathComponent("Sources/pushetl/pushetl.docc/PipelineFile.md")
        let article = try String(contentsOf: file, encoding: .utf8)
        return try String(#require(article.firstMatch(of: /```yaml\n(checks:.*?)```/.dotMatchesNewlines())).1)
    }

    @Test func eachOfTheArticleSpeaksOnce() throws {
        let checks = try Self.examples()
        let place = try Workplace()
        try place.scratch.write(
            Workplace.onePipeline + "deliveries: {files: deliveries.csv}\n" + checks,
            to: "push.yaml")
        try place.scratch.write(Self.deliveries, to: "deliveries.csv")
        // Of day 72 there is no log.
        for day in 1...Self.days where day != 72 {
            try place.scratch.write(Self.log(of: day), to: "logs/\(Self.date(day)).log")
        }
        let quiet = try place.run("backfill", "--from", Self.date(1), "--to", Self.date(37), "-q")
        #expect(quiet.stderr == "" && quiet.exit == 0)

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var (told, still, codes): ([String], [Int: String], [Int: Int]) = ([], [:], [:])
        for day in 38...Self.days where day != 72 {
            let outcome = try place.run("run", "--date", Self.date(day), "--json")
            let answer = try decoder.decode(Answer.self, from: Data(outcome.stdout.utf8))
            if answer.exitCode != 0 { codes[day] = answer.exitCode }
            for message in answer.warnings + answer.errors {
                switch message.code {
                case "check_found": told.append("\(day): \(message.message)")
                case "checks_still_find": still[day] = message.message
                // Such as a silent hour.
                default: break
                }
            }
        }
        #expect(
            told == [
                "41: check 'nobody_opened' found 1 row: delivery_id d140, label Failed",
                "41: check 'hardly_logged' found 1 row: delivery_id d140, label Failed",
                "46: check 'nobody_opened' found 1 new row: delivery_id d145, label Late",
                "46: check 'hardly_logged' found 1 new row: delivery_id d145, label Late",
                "48: check 'late' found 1 row: log_date \(Self.date(48))",
                "52: check 'platform_gone' found 1 row: platform ios",
                "55: check 'silent_day' found 1 row: day \(Self.date(55))",
                "55: check 'platform_gone' found 1 row: platform android",
                "60: check 'more_than_sent' found 1 row: delivery_id d160, label Understated",
                "64: check 'without_name' found 1 row: delivery_id d164",
                "68: check 'unknown_platforms' found 1 row: day \(Self.date(68))",
                "73: check 'gap' found 1 row: day \(Self.date(72))",
                "76: check 'rejects' found 1 row: log_date \(Self.date(76))",
            ])
        // What is still found is one line for all, for a week.
        #expect(codes == [52: 65, 55: 65])
        let before = "checks still find what they found before: "
        #expect(still[42] == before + "nobody_opened (1 row), hardly_logged (1 row)")
        #expect(still[47] == before + "nobody_opened (2 rows), hardly_logged (2 rows)")
        #expect(still[48] == nil && still[84] == nil)
        #expect(Array(checks.matches(of: /- name:/)).count == 10)
    }
}
