import Foundation
import Support
import Testing

@testable import Reports

/// What people ask who have never seen the program, and what the first page that they open says to it: or that the logs do
/// not tell, in the article about what is left out.
@Suite struct StrangerTests {
    enum Answer: Sendable {
        /// A row of a table on a page.
        case row([String], of: String, on: ReportSubject?)
        /// Words of a section of a page, the cells of its tables one after the other.
        case words(String, in: String, on: ReportSubject?)
        /// The question in the article that comes closest.
        case leftOut(String)
    }

    struct Question: Sendable, CustomTestStringConvertible {
        let words: String
        let answer: Answer

        init(_ words: String, _ answer: Answer) {
            self.words = words
            self.answer = answer
        }

        var testDescription: String { words }
    }

    private static let blackFriday = ReportSubject.campaign("Black Friday")
    private static let outcome = "what became of it"

    static let ofACampaignManager = [
        Question(
            "How many pushes did Black Friday send?",
            .row(["sent", "4000", "–", "–"], of: outcome, on: blackFriday)),
        Question(
            "How many people opened the app by them, and is that more than usual?",
            .row(["opened", "784", "19.6 % of sent", "8.0 %"], of: outcome, on: blackFriday)),
        Question(
            "Which of its two texts was better, and is it chance?",
            .words("Black FridayShort12,00047223.6 %21.8–25.5 %6.4Black FridayLong", in: "variants", on: blackFriday)),
        Question(
            "Did it do better on Android or on iOS?", .row(["ios", "17.6 %"], of: "platforms", on: blackFriday)),
        Question(
            "How soon did people open it?",
            .words("67 % come within an hour and 84 % within 24 hours", in: "delay", on: blackFriday)),
        Question(
            "How many of the opens came on the first day?",
            .row(["1", "800", "3120", "720", "656", "83.7 %"], of: "days since it began", on: blackFriday)),
        Question(
            "Which delivery was the best of the month?",
            .row(["Black Friday short b1", "23.6 %"], of: "all deliveries, campaigns", on: nil)),
        Question(
            "Did one of our deliveries go wrong?",
            .words("News of 13/11 B with 10 messages of 1,000 sent (1.0 %)", in: "findings", on: nil)),
        Question(
            "What became of one delivery alone?",
            .row(["opened", "312", "15.6 % of sent", "8.0 %"], of: outcome, on: .delivery("b2"))),
        Question("Who has bought because of it?", .leftOut("Who bought, registered or unsubscribed?")),
    ]

    static let ofAProductOwner = [
        Question(
            "How many pushes were there in four weeks, and how many in the four before?",
            .row(["Messages", "all", "28", "16410", "14000", "+17.2 %"], of: "headline figures, exact", on: nil)),
        Question(
            "What share of what we send is opened?",
            .row(
                ["Opened of sent", "campaigns", "28", "10.2 %", "8.0 %", "+2.2 pt"], of: "headline figures, exact",
                on: nil)),
        Question(
            "Which platform opens more?",
            .row(["ios", "12.6 %", "8.9 %", "+3.7 pt"], of: "platforms, campaigns", on: nil)),
        Question(
            "At what time of the week do people open?",
            .words("Most on Fri from 18:00 on: 175 opens in that hour.", in: "hours", on: nil)),
        Question(
            "How many arrive on an iPhone and are never seen?",
            .words("Of 3,402 messages that arrived, 340 were not impressed, clicked or opened.", in: "funnel", on: nil)),
        Question("Can I trust these figures?", .words("All 28 log dates are complete.", in: "trust", on: nil)),
        Question("Does anything stand out?", .words("Variants of Black Friday differ", in: "findings", on: nil)),
        Question(
            "Do yesterday's figures still change?", .words("27 Nov – 28 Nov 2026 still grow", in: "operator", on: nil)),
        Question(
            "How many people have the app, and allow pushes?",
            .leftOut("How many have the app, or allow it to show pushes?")),
        Question(
            "Which version of the app opens less?",
            .leftOut("Which version of the app, device, country or language?")),
    ]

    private static let months = Kept<String, Month>()
    private static let reports = Kept<String, Report>()

    @Test(arguments: ofACampaignManager + ofAProductOwner)
    func thePageThatIsOpenedFirstAnswers(_ question: Question) throws {
        func page(_ subject: ReportSubject?) throws -> ParsedPage {
            let report = try Self.reports.value(of: String(describing: subject)) {
                let month = try Self.months.value(of: "", orMade: Month.init)
                return try Report(of: month.output) { _ in ReportRequest(of: subject) }
            }
            return try ParsedPage(report.html)
        }
        switch question.answer {
        case .row(let row, let table, let subject):
            let found = try #require(try page(subject).row(row[0], of: table))
            #expect(Array(found.prefix(row.count)) == row)
        case .words(let words, let section, let subject):
            let text = try page(subject).element(section)?.text.replacing("\u{A0}", with: " ")
            #expect(text?.contains(words) == true, "\(text ?? "")")
        case .leftOut(let words):
            #expect(try Self.leftOut().contains("| \(words) "))
        }
    }

    private static func leftOut() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(
            contentsOf: root.appendingPathComponent("Sources/pushetl/pushetl.docc/LeftOut.md"), encoding: .utf8)
    }
}
