import Events
import Foundation
import Warehouse

/// Sections 7 and 8 of the contract, slow and obvious: every event is compared with every other.
struct Recomputation {
    struct Placed {
        let hit: Hit
        let logDate: Int32
        let sourcePosition: Int
        let day: String
    }

    let events: [Placed]
    let window: Int
    let lastLogDate: Int32

    init(_ loads: [Load], window: Int, zone: TimeZone, sources: [String]) {
        let unknown = sortedTexts(loads.flatMap { $0.hits.map(\.source) }.filter { !sources.contains($0) })
        let order = sources + unknown
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd"
        events = loads.flatMap { load in
            load.hits.map { hit in
                let date = Date(timeIntervalSince1970: Double(hit.time) / 1000)
                return Placed(
                    hit: hit, logDate: load.logDate, sourcePosition: order.firstIndex(of: hit.source) ?? -1,
                    day: formatter.string(from: date))
            }
        }
        self.window = window
        lastLogDate = loads.map(\.logDate).max() ?? 0
    }

    func withinReach(_ a: Placed, _ b: Placed) -> Bool {
        abs(a.logDate - b.logDate) <= window
    }

    func sameMessage(_ a: Placed, _ b: Placed) -> Bool {
        a.hit.section == b.hit.section && a.hit.id == b.hit.id
    }

    /// The order of records of one key, or, with the action, of events of one message.
    func precedes(_ a: Placed, _ b: Placed, action: Bool) -> Bool {
        if a.hit.time != b.hit.time { return a.hit.time < b.hit.time }
        if a.sourcePosition != b.sourcePosition { return a.sourcePosition < b.sourcePosition }
        for (x, y) in [
            (a.hit.delivery, b.hit.delivery), (a.hit.platform.name, b.hit.platform.name),
            action ? (a.hit.action, b.hit.action) : ("", ""),
        ] where !x.utf8.elementsEqual(y.utf8) {
            return x.utf8.lexicographicallyPrecedes(y.utf8)
        }
        return a.logDate < b.logDate
    }

    func counts(_ event: Placed) -> Bool {
        !events.contains {
            $0.logDate != event.logDate && withinReach($0, event) && sameMessage($0, event)
                && $0.hit.action == event.hit.action && precedes($0, event, action: false)
        }
    }

    func dailyActions() -> [String] {
        var rows: [String: (events: Int, duplicates: Int, times: [Int64])] = [:]
        for event in events {
            let hit = event.hit
            let key = [event.day, epoch(event.day), hit.source, hit.platform.name, hit.delivery, hit.action]
                .joined(separator: "|")
            var row = rows[key] ?? (0, 0, [])
            if counts(event) {
                row.events += 1
                row.duplicates += hit.records - 1
                row.times.append(hit.time)
            } else {
                row.duplicates += hit.records
            }
            rows[key] = row
        }
        return sortedTexts(
            rows.map { key, row in
                "\(key)|\(row.events)|\(row.duplicates)|\(text(row.times.min()))|\(text(row.times.max()))"
            })
    }

    func dailyFunnel() -> [String] {
        var rows: [String: [Int]] = [:]
        for event in events {
            let near = events.filter { withinReach($0, event) && sameMessage($0, event) }
            if near.contains(where: { precedes($0, event, action: true) }) { continue }
            let has = Set(near.map(\.hit.action))
            let clicked = has.contains("click")
            let opened = has.contains("open")
            let impressed = has.contains("impression")
            let added = [
                true, has.contains("arrival"), impressed, clicked, opened, clicked && !opened, opened && !clicked,
                opened && !impressed,
            ]
            let key = [event.day, epoch(event.day), event.hit.platform.name, event.hit.delivery]
                .joined(separator: "|")
            let row = rows[key] ?? Array(repeating: 0, count: 8)
            rows[key] = zip(row, added).map { $0 + ($1 ? 1 : 0) }
        }
        return sortedTexts(
            rows.map { key, row in
                let rates = [row[3], row[4], row[5]].map { String(Double($0) / Double(row[0])) }
                return ([key] + row.map(String.init) + rates).joined(separator: "|")
            })
    }

    func days() -> [String] {
        var rows: [String: (events: Int, messages: Int)] = [:]
        for row in dailyActions().map({ $0.split(separator: "|") }) {
            rows[String(row[0]), default: (0, 0)].events += Int(row[6]) ?? 0
        }
        for row in dailyFunnel().map({ $0.split(separator: "|") }) {
            rows[String(row[0]), default: (0, 0)].messages += Int(row[4]) ?? 0
        }
        return rows.map { key, row in
            let isFinal = Int(lastLogDate) > Int(day(key)) + window
            return "\(key)|\(epoch(key))|\(row.events)|\(row.messages)|\(isFinal ? 1 : 0)"
        }.sorted()
    }

    private func epoch(_ date: String) -> String {
        String(Int(day(date)) * 86_400)
    }

    private func text(_ time: Int64?) -> String {
        guard let time else { return "NULL" }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: (Double(time) / 1000).rounded(.down)))
    }
}
