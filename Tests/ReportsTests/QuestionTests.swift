import Calendar
import Foundation
import SQLite
import Testing

@testable import Reports

@Suite struct QuestionTests {
    /// A date or an id of the sample logs would be wrong in anybody else's tool.
    @Test func noQueryNamesTheSampleLogs() {
        #expect(Question.all.count >= 15)
        #expect(Set(Question.all.map(\.title)).count == Question.all.count)
        for question in Question.all {
            #expect(question.sql.firstMatch(of: /[0-9]{4}-[0-9]{2}/) == nil, "\(question.sql)")
            let names = question.sql.matches(of: /(?:delivery_id|label|campaign|variant|source) (?:=|IN|LIKE) ?\(?'/)
            #expect(names.isEmpty, "\(question.sql)")
        }
    }

    private func answer(_ title: String, _ scene: Scene) throws -> [[String]] {
        let question = try #require(Question.all.first { $0.title == title })
        return try scene.rows(question.sql)
    }

    /// Days up to the last, of which some are missing or partial, and one day has half of the messages.
    private func gaps(days: Int = 24) -> Scene {
        let isLoaded = { $0 % 9 != 4 }
        var scene = Scene.usual(days: days) { index in
            isLoaded(index)
                ? [.init(messages: index == 10 || index == 12 ? 400 : 1000)] : [.init(messages: 7, opened: 1, late: 7)]
        }
        for index in 0..<days where !isLoaded(index) { scene.loads[Scene.lastDate.adding(days: -index)] = nil }
        scene.loads[Scene.lastDate.adding(days: -12)]?.status = .partial
        return scene
    }

    @Test func daysThatAreNotLoadedMakeNoAnswerWrong() throws {
        let scene = gaps(days: 60)
        // The 9th is unusual. The 7th is partial, and what is left of missing days is no day to judge.
        #expect(try answer("Which days are unusual for their weekday?", scene).map { $0[0] } == ["2026-11-09"])
        // Of each weekday, 200 opens on every complete day.
        let weekdays = try answer("On which weekdays?", scene)
        #expect(weekdays.count == 7 && weekdays.allSatisfy { $0[3] == "200.0" })
        let complete = try scene.integer("SELECT count(*) FROM partitions WHERE status = 'complete'")
        #expect(weekdays.compactMap { Int($0[1]) }.reduce(0, +) == complete)
        for question in Question.all { _ = try scene.rows(question.sql) }
    }

    @Test func failuresAndVariantsAreThoseOfTheReport() throws {
        var scene = gaps()
        let day = Scene.lastDate.adding(days: -1)
        let known = [("a", 900, 100), ("b", 900, 200), ("c", 800, 50), ("d", 850, 50), ("e", 850, 50)]
        for (id, messages, opened) in known {
            scene.add([.init(delivery: id, messages: messages, impressed: messages, opened: opened)], on: day)
        }
        for (id, variant) in [("a", "A"), ("b", "B")] {
            scene.name(id, id, campaign: "Spring", variant: variant, day: day, sent: 1000)
        }
        for id in ["c", "d", "e"] { scene.name(id, id, day: day, sent: 1000) }
        scene.name("gone", "Gone", day: day, sent: 5000)
        #expect(try answer("Which delivery failed?", scene) == [["gone", "Gone", "5000", "0", "0.0", "0.85"]])
        #expect(try scene.report().text.contains("A delivery failed: 'Gone' with 0 messages"))
        let variants = try answer("Which variant is better, and is it chance?", scene)
        #expect(variants.map { $0[1] } == ["B", "A"])
        for (row, opened) in zip(variants, [200, 100]) {
            let interval = try #require(Proportion(part: opened, whole: 1000).interval)
            #expect(
                abs((Double(row[5]) ?? 0) - interval.lowerBound) < 0.001
                    && abs((Double(row[6]) ?? 0) - interval.upperBound) < 0.001)
        }
        let z = try #require(Proportion(part: 100, whole: 1000).z(above: Proportion(part: 200, whole: 1000)))
        #expect(abs((Double(variants[1][7]) ?? 0) - z) < 0.06)
    }

    /// Deliveries that scatter make z smaller, in the question as on the page.
    @Test func variantsHaveTheDispersionOfThePage() throws {
        var scene = gaps()
        let day = Scene.lastDate.adding(days: -1)
        let opened = ["a": [60, 140, 90], "b": [150, 260, 170], "c": [200, 210, 190]]
        for (variant, counts) in opened {
            for (index, count) in counts.enumerated() {
                scene.add(
                    [.init(delivery: "\(variant)\(index)", messages: 900, clicked: count, opened: count)], on: day)
            }
        }
        for (variant, counts) in opened {
            for index in counts.indices {
                scene.name(
                    "\(variant)\(index)", variant, campaign: "Spring", variant: variant, day: day, sent: 1000)
            }
        }
        let answer = try answer("Which variant is better, and is it chance?", scene)
        let page = try scene.page().table("variants")
        // The page has the z of the best and the worst, which is the last row of the answer.
        #expect(answer.map { $0[1] } == ["c", "b", "a"] && page.dropFirst().map { $0[1] } == ["c", "b", "a"])
        #expect(answer[2][7] == "-" + page[1][7])
        let plain = try #require(Proportion(part: 600, whole: 3000).z(above: Proportion(part: 290, whole: 3000)))
        #expect(try #require(Double(page[1][7])) < plain / 2)
    }
}
