import Foundation
import Reports
import SQLite
import Support
import Testing

/// Each question of the documentation, asked of two months with missing, partial and empty log dates, against plain loops
/// over the hits that were read.
@Suite(.needsPushetl)
struct QuestionGapTests {
    private let logs = GappyLogs()
    private let days = 0..<GappyLogs.count
    private let delivery = "d4x0"

    @Test func everyAnswerIsThatOfTheHits() throws {
        let place = try Workplace()
        for (name, text) in logs.files { try place.scratch.write(text, to: name) }
        let load = try place.run(
            "backfill", "--quiet", "--from", "\(GappyLogs.date(0))", "--to", "\(GappyLogs.date(GappyLogs.count - 1))")
        #expect(load.exit == 65, "\(load.stderr)")
        let database = try Connection(path: place.scratch.path("out/push.db"))
        for question in Question.all {
            let sql = question.sql { parameter in
                switch parameter {
                case .from: "'\(GappyLogs.date(0))'"
                case .to: "'\(GappyLogs.date(GappyLogs.count - 1))'"
                case .delivery: "'\(delivery)'"
                }
            }
            let rows = try database.read { try Row.fetchAll($0, sql: sql) }.map { row in
                row.databaseValues.map { $0 == .null ? "" : $0.description }
            }
            let answer = try #require(answers[question.title], "\(question.title)")
            let expected = answer()
            #expect(!rows.isEmpty && rows.count == expected.count, "\(question.title): \(rows) is not \(expected)")
            for (row, wanted) in zip(rows, expected) {
                #expect(isSame(row, wanted), "\(question.title): \(row) is not \(wanted)")
            }
        }
    }

    /// Rates are rounded.
    private func isSame(_ row: [String], _ expected: [String]) -> Bool {
        row.count == expected.count
            && zip(row, expected).allSatisfy { a, b in
                if a == b { return true }
                guard a.contains("."), let a = Double(a), let b = Double(b) else { return false }
                return abs(a - b) <= 0.0011
            }
    }

    // MARK: The answers

    private typealias Message = GappyLogs.Message

    private var answers: [String: () -> [[String]]] {
        [
            "What became of our messages?": became, "Can yesterday be compared yet?": maturity,
            "Which platform opens more?": platforms, "Does a platform get worse?": trend,
            "How soon do people open?": delays, "What is the median time to open?": median,
            "How many opens happened on a day?": opens, "At which hour do people open?": hours,
            "On which weekdays?": weekdays, "How do the weeks compare?": weeks,
            "Which days are unusual for their weekday?": unusual, "What changed since the last publishing?": changes,
            "Which deliveries were opened most?": mostOpened, "What became of one delivery?": oneDelivery,
            "What share of what was sent was shown and opened?": shares,
            "What share of what was sent arrived on the devices?": arrivals, "Which deliveries are best?": best,
            "Which delivery failed?": failed, "Which deliveries are best at equal age?": bestAtEqualAge,
            "Why is sent many times too large?": repeated, "Which variant is better, and is it chance?": variants,
            "Which deliveries have no name, and which no hits?": unnamed,
            "Which messages arrived and were never shown?": neverShown, "What do the SDKs get wrong?": incomplete,
            "How much is sent twice?": duplicates, "How late do hits come?": lateness, "Is every day loaded?": loaded,
            "Which records could not be read?": rejects,
        ]
    }

    private func rate(_ part: Int, _ whole: Int) -> String {
        whole == 0 ? "" : String((Double(part) / Double(whole) * 1000).rounded() / 1000)
    }
    private func day(_ day: Int) -> String { GappyLogs.date(day).description }
    private func count(_ messages: [Message], _ action: String) -> Int { messages.filter { $0.has(action) }.count }
    private func within(_ messages: [Message], _ seconds: Int) -> Int {
        messages.filter { $0.delay.map { $0 <= seconds } ?? false }.count
    }
    private func both(_ messages: [Message]) -> Int {
        messages.filter { $0.has("open") && $0.has("impression") }.count
    }
    private func messages(_ day: Int) -> [Message] { logs.messages.filter { $0.day == day } }
    private func byPlatform(_ isIn: (Int) -> Bool) -> [(platform: String, messages: [Message])] {
        ["android", "ios"].map { name in
            (name, logs.messages.filter { $0.platform == name && isIn($0.day) })
        }
    }
    private func opens(_ day: Int) -> Int { logs.read.filter { $0.day == day && $0.action == "open" }.count }
    private var daysWithEvents: [Int] { Set(logs.read.map(\.day)).sorted() }

    private func became() -> [[String]] {
        daysWithEvents.filter(days.contains).map { number in
            let all = messages(number)
            return [
                day(number), GappyLogs.status(number), "\(all.count)", "\(count(all, "impression"))",
                "\(count(all, "click"))", "\(count(all, "open"))", rate(count(all, "open"), all.count),
            ]
        }
    }

    private func maturity() -> [[String]] {
        daysWithEvents.map {
            [
                day($0), GappyLogs.status($0), "\(messages($0).count)", "\(GappyLogs.laterLogDates($0))",
                GappyLogs.isFinal($0) ? "1" : "0",
            ]
        }
    }

    private func platforms() -> [[String]] {
        byPlatform(GappyLogs.isComplete).map { name, all in
            [
                name, "\(all.count)", "\(count(all, "impression"))", rate(count(all, "open"), all.count),
                rate(both(all), count(all, "impression")),
            ]
        }
    }

    private func trend() -> [[String]] {
        daysWithEvents.filter(GappyLogs.isComplete).map { number in
            [day(number)]
                + byPlatform { $0 == number }.map { rate(both($0.messages), count($0.messages, "impression")) }
        }
    }

    private func delays() -> [[String]] {
        byPlatform(GappyLogs.isMature).map { name, all in
            let seen = within(all, .max)
            return [name, "\(seen)"] + [10, 300, 3600, 86400].map { rate(within(all, $0), seen) }
        }
    }

    /// Of the sorted delays the one in the middle lies above a step and not above the next.
    private func median() -> [[String]] {
        let names = [
            "0 s", "10 s", "1 min", "5 min", "15 min", "30 min", "1 h", "2 h", "6 h", "12 h", "24 h", "72 h", "7 days",
        ]
        let delays = logs.messages.filter { GappyLogs.isMature($0.day) }.compactMap(\.delay).sorted()
        return [("median", 0.5), ("90th percentile", 0.9)].map { name, share in
            let delay = delays[Int((Double(delays.count) * share).rounded(.up)) - 1]
            let step = GappyLogs.steps.firstIndex { delay <= $0 } ?? 0
            return [name, "\(delays.count)", names[step], names[step + 1]]
        }
    }

    private func opens() -> [[String]] {
        days.filter { opens($0) > 0 }.map { [day($0), GappyLogs.status($0), "\(opens($0))"] }
    }

    private func hours() -> [[String]] {
        let hours = Dictionary(
            grouping: logs.read.filter { $0.action == "open" && GappyLogs.isComplete($0.day) }, by: \.hour)
        return hours.map { (hour: $0.key, opens: $0.value.count) }
            .sorted { ($1.opens, $0.hour) < ($0.opens, $1.hour) }.prefix(5).map { ["\($0.hour)", "\($0.opens)"] }
    }

    private func weekdays() -> [[String]] {
        (1...7).map { weekday in
            let days = days.filter { GappyLogs.weekday($0) == weekday && GappyLogs.isComplete($0) }
            let opens = days.reduce(0) { $0 + self.opens($1) }
            return [
                "\(weekday)", "\(days.count)", "\(opens)",
                "\((Double(opens) / Double(days.count) * 10).rounded() / 10)",
            ]
        }
    }

    /// The first day is a Monday.
    private func weeks() -> [[String]] {
        (0..<9).map { week in
            let days = daysWithEvents.filter { $0 / 7 == week && GappyLogs.isMature($0) }
            let all = days.flatMap { messages($0) }
            return [
                "2026-W\(39 + week)", day(week * 7), "\(days.count)", "\(all.count)", "\(within(all, 86400))",
                rate(within(all, 86400), all.count),
            ]
        }.filter { $0[2] != "0" }
    }

    private func unusual() -> [[String]] {
        days.filter(GappyLogs.isComplete).compactMap { number in
            let before = (1...4).map { number - 7 * $0 }.filter(GappyLogs.isComplete)
            guard before.count > 1 else { return nil }
            let mean = Double(before.reduce(0) { $0 + messages($1).count }) / Double(before.count)
            let ratio = Double(messages(number).count) / mean
            guard ratio < 2.0 / 3 || ratio > 1.5 else { return nil }
            return [
                day(number), "\(messages(number).count)", "\(before.count)", "\(mean.rounded())",
                "\((ratio * 100).rounded() / 100)",
            ]
        }
    }

    private func changes() -> [[String]] {
        daysWithEvents.map { number in
            let all = messages(number)
            return [
                day(number), "\(logs.read.filter { $0.day == number }.count)", "\(all.count)", "\(count(all, "open"))",
            ]
        }
    }

    // MARK: Deliveries

    private func messages(of delivery: GappyLogs.Delivery) -> [Message] {
        logs.messages.filter { $0.delivery == delivery.id }
    }

    private func firstDay(_ delivery: GappyLogs.Delivery) -> Int? {
        logs.read.filter { $0.delivery == delivery.id }.map(\.day).min()
    }

    private var sentOnCompleteDays: [GappyLogs.Delivery] {
        logs.deliveries.filter { $0.sentDay.map(GappyLogs.isComplete) ?? false }
    }

    private func mostOpened() -> [[String]] {
        logs.deliveries.map { (delivery: $0, all: messages(of: $0), opened: count(messages(of: $0), "open")) }
            .sorted { ($1.opened, $0.delivery.id) < ($0.opened, $1.delivery.id) }.prefix(5).map {
                [$0.delivery.id, $0.delivery.label, "\($0.all.count)", "\($0.opened)", rate($0.opened, $0.all.count)]
            }
    }

    private func oneDelivery() -> [[String]] {
        let all = logs.messages.filter { $0.delivery == delivery }
        return Set(all.map(\.day)).sorted().flatMap { number in
            ["android", "ios"].compactMap { platform in
                let all = all.filter { $0.day == number && $0.platform == platform }
                return all.isEmpty
                    ? nil
                    : [day(number), platform, "\(all.count)"]
                        + ["arrival", "impression", "click", "open"].map { "\(count(all, $0))" }
            }
        }
    }

    private func shares() -> [[String]] {
        let rows = ["Daily", "Spring"].map { campaign in
            let deliveries = sentOnCompleteDays.filter { $0.campaign == campaign }
            let sent = deliveries.reduce(0) { $0 + ($1.allSent ?? 0) }
            let all = deliveries.flatMap(messages(of:))
            let rates = [rate(all.count, sent), rate(count(all, "impression"), sent), rate(count(all, "open"), sent)]
            return (sent: sent, cells: [campaign, "\(deliveries.count)", "\(sent)"] + rates)
        }
        return rows.sorted { $0.sent > $1.sent }.map(\.cells)
    }

    private func arrivals() -> [[String]] {
        ["android", "ios"].map { platform in
            var sent = 0
            var all: [Message] = []
            for delivery in sentOnCompleteDays {
                guard let it = delivery.sent.first(where: { $0.platform == platform }) else { continue }
                sent += it.count
                all += messages(of: delivery).filter { $0.platform == platform }
            }
            let arrived = count(all, "arrival")
            let isKnown = platform == "ios"
            return [
                platform, "\(sent)", isKnown ? "\(arrived)" : "", isKnown ? rate(arrived, sent) : "",
                rate(all.count, sent),
            ]
        }
    }

    private func best() -> [[String]] {
        var rows: [(id: String, rate: Double, cells: [String])] = []
        for delivery in logs.deliveries {
            guard let sent = delivery.allSent else { continue }
            let opened = count(messages(of: delivery), "open")
            let cells = [delivery.label, delivery.variant, "\(sent)", "\(opened)", rate(opened, sent)]
            rows.append((delivery.id, Double(opened) / Double(sent), cells))
        }
        return rows.sorted { ($1.rate, $0.id) < ($0.rate, $1.id) }.prefix(5).map(\.cells)
    }

    /// d46x1 has five messages, and one that was sent has none. Those of missing and partial dates are not judged.
    private func failed() -> [[String]] {
        let judged = sentOnCompleteDays.filter {
            ($0.allSent ?? 0) >= 500 && ($0.sentDay ?? 0) < GappyLogs.count - 1
                && (firstDay($0) ?? $0.sentDay).map(GappyLogs.isComplete) ?? false
        }
        let known = judged.map { Double(messages(of: $0).count) / Double($0.allSent ?? 1) }.sorted()
        let median = (known[known.count / 2] + known[(known.count - 1) / 2]) / 2
        let rows = judged.map { (delivery: $0, known: Double(messages(of: $0).count) / Double($0.allSent ?? 1)) }
            .filter { $0.known < median / 5 }.sorted { $0.known < $1.known }
            .map { delivery, known in
                [
                    delivery.id, delivery.label, "\(delivery.allSent ?? 0)", "\(messages(of: delivery).count)",
                    "\((known * 1000).rounded() / 1000)", "\((median * 1000).rounded() / 1000)",
                ]
            }
        #expect(rows.map { $0[0] } == ["gone", "d46x1"])
        return rows
    }

    private func bestAtEqualAge() -> [[String]] {
        var rows: [(id: String, rate: Double, cells: [String])] = []
        for delivery in logs.deliveries {
            guard let first = firstDay(delivery), GappyLogs.isMature(first) else { continue }
            let all = messages(of: delivery).filter { $0.day == first }
            let soon = within(all, 86400)
            guard all.count >= 100 else { continue }
            let cells = [delivery.label, day(first), "\(all.count)", "\(soon)", rate(soon, all.count)]
            rows.append((delivery.id, Double(cells[4]) ?? 0, cells))
        }
        return rows.sorted { ($1.rate, $0.id) < ($0.rate, $1.id) }.prefix(5).map { [$0.id] + $0.cells }
    }

    private func repeated() -> [[String]] {
        var sums = (wrong: 0, right: 0)
        for delivery in logs.deliveries {
            let all = messages(of: delivery)
            let rows = Set(all.map { "\($0.day) \($0.platform)" }).count
            sums.wrong += rows * (delivery.allSent ?? 0)
            sums.right += all.isEmpty ? 0 : delivery.allSent ?? 0
        }
        return [["\(sums.wrong)", "\(sums.right)"]]
    }

    private func variants() -> [[String]] {
        var rows: [(cells: [String], n: Double, k: Double)] = []
        for variant in ["A", "B"] {
            let deliveries = sentOnCompleteDays.filter { $0.variant == variant }
            let sent = deliveries.reduce(0) { $0 + ($1.allSent ?? 0) }
            let opened = count(deliveries.flatMap(messages(of:)), "open")
            let cells = ["Spring", variant, "\(deliveries.count)", "\(sent)", rate(opened, sent)]
            rows.append((cells, Double(sent), Double(opened)))
        }
        rows.sort { $0.k / $0.n > $1.k / $1.n }
        let best = rows[0]
        return rows.map { cells, n, k in
            // Wilson's ends, the roots of (p - x)² = z² x (1 - x) / n.
            let p = k / n
            let z = 1.96 * 1.96 / n
            let (a, b) = (1 + z, 2 * p + z)
            let root = (b * b - 4 * a * p * p).squareRoot()
            let pooled = (best.k + k) / (best.n + n)
            let error = (pooled * (1 - pooled) * (1 / n + 1 / best.n)).squareRoot()
            let distance = (p - best.k / best.n) / error
            return cells + [(b - root) / (2 * a), (b + root) / (2 * a)].map { "\(($0 * 1000).rounded() / 1000)" }
                + ["\((distance * 10).rounded() / 10)"]
        }
    }

    private func unnamed() -> [[String]] {
        var groups: [String: (deliveries: Int, messages: Int)] = [:]
        for delivery in logs.deliveries where delivery.sentDay != nil || firstDay(delivery) != nil {
            let key = "\(delivery.sentDay == nil ? 0 : 1)|\(firstDay(delivery) == nil ? 0 : 1)"
            groups[key, default: (0, 0)].deliveries += 1
            groups[key, default: (0, 0)].messages += messages(of: delivery).count
        }
        return groups.sorted { $0.key < $1.key }.map {
            $0.key.split(separator: "|").map(String.init) + ["\($0.value.deliveries)", "\($0.value.messages)"]
        }
    }

    // MARK: The logs

    private func neverShown() -> [[String]] {
        let all = byPlatform(GappyLogs.isComplete).map { ($0.platform, $0.messages.filter { $0.has("arrival") }) }
        return all.filter { !$0.1.isEmpty }.map { [$0, "\($1.count)", "\($1.count - count($1, "impression"))"] }
    }

    private func incomplete() -> [[String]] {
        byPlatform(GappyLogs.isComplete).map { platform, all in
            let opened = all.filter { $0.has("open") }
            return [platform]
                + [opened.count, opened.count - count(opened, "click"), opened.count - both(all)].map { "\($0)" }
        }
    }

    private func duplicates() -> [[String]] {
        var rows: [(names: [String], share: Double, cells: [String])] = []
        for source in ["adobe", "second"] {
            for action in ["arrival", "click", "impression", "open"] {
                let hits = logs.read.filter { $0.source == source && $0.action == action }
                let duplicates = hits.filter { $0.lines == 2 }.count
                guard duplicates > 40 else { continue }
                let share = rate(duplicates, hits.count + duplicates)
                rows.append(([source, action], Double(share) ?? 0, ["\(hits.count)", "\(duplicates)", share]))
            }
        }
        // Of equal ones, the first by name comes first, as they are here.
        return rows.enumerated().sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }
            .map { $0.element.names + $0.element.cells }
    }

    private func lateness() -> [[String]] {
        let hits = logs.read.filter { GappyLogs.isComplete($0.day) }
        return Dictionary(grouping: hits, by: { $0.logDate - $0.day }).sorted { $0.key < $1.key }.map {
            [
                "\($0.key)", "\($0.value.count)",
                "\((10000 * Double($0.value.count) / Double(hits.count)).rounded() / 100)",
            ]
        }
    }

    private func loaded() -> [[String]] {
        days.map { number in
            let status = GappyLogs.status(number)
            let sources = status == "" ? [] : status == "partial" ? ["adobe"] : ["adobe", "second"]
            let lines = logs.read.filter { $0.logDate == number }.reduce(0) { $0 + $1.lines }
            let faults = number == GappyLogs.empty ? 0 : sources.count
            return status == ""
                ? [day(number), "not loaded", "", ""]
                : [day(number), status, "\(lines + faults)", "\(faults)"]
        }
    }

    private func rejects() -> [[String]] {
        let complete = days.filter { GappyLogs.isComplete($0) && $0 != GappyLogs.empty }.count
        let all = days.filter { GappyLogs.status($0) != "" && $0 != GappyLogs.empty }.count
        return [["adobe", "malformed_line", "\(all)"], ["second", "malformed_line", "\(complete)"]]
    }
}
