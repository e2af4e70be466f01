import Calendar
import Events
import Foundation
import Testing

@testable import Records

/// A sink that keeps what it is given.
struct Collected: RecordSink, Equatable {
    enum Item: Equatable {
        case accepted(Record, delivery: String)
        case filtered(FilterReason)
        case rejected(RejectReason, line: Int, evidence: String)
    }

    var items: [Item] = []
    /// Those of the rejects.
    var details: [String] = []

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        items.append(.accepted(record, delivery: text(delivery)))
    }

    mutating func filter(_ reason: FilterReason) {
        items.append(.filtered(reason))
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        details.append(detail())
        items.append(.rejected(reason, line: line, evidence: text(evidence)))
    }

    /// Each item's reason, `accepted` for an accepted one.
    var codes: [String] {
        items.map { item in
            switch item {
            case .accepted: "accepted"
            case .filtered(let reason): reason.code
            case .rejected(let reason, _, _): reason.code
            }
        }
    }

    var records: [Record] {
        items.compactMap { if case .accepted(let record, _) = $0 { record } else { nil } }
    }

    var deliveries: [String] {
        items.compactMap { if case .accepted(_, let delivery) = $0 { delivery } else { nil } }
    }

    var rejectedLines: [Int] {
        items.compactMap { if case .rejected(_, let line, _) = $0 { line } else { nil } }
    }
}

func text(_ bytes: Span<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

/// What a parser makes of lines, which is what the reference makes of them.
/// - Parameter layout: as in `expectReference`.
func parse(_ rules: RecordRules, layout: String? = nil, _ lines: [UInt8]...) -> Collected {
    var parser = LineParser(rules)
    var sink = Collected()
    var quickly = Collected()
    for (number, line) in lines.enumerated() {
        parser.parse(line.span, number: number + 1, into: &sink)
        // The quick way must say the same, or nothing.
        let last = sink.items.last
        let text = line + [0x0A] + [UInt8](repeating: 0x0A, count: 64)
        if parser.parseOrdinaryLines(text.span, from: 0, into: &quickly).lines > 0 {
            #expect(quickly.items.last == last)
        }
    }
    let areLines = lines.allSatisfy { !$0.contains(0x0A) && $0.last != 0x0D && $0.first != 0xEF }
    if areLines, !rules.format.hasBodies || rules.layout != .body {
        expectReference(sink, rules, layout: layout, Array(lines.joined(separator: [0x0A])))
    }
    return sink
}

func parse(_ rules: RecordRules, layout: String? = nil, _ line: String) -> Collected {
    parse(rules, layout: layout, Array(line.utf8))
}

extension RecordRules {
    static let madrid = (try? ZoneDatabase.zone("Europe/Madrid")) ?? .utc

    /// 2026-11-19 in Madrid.
    static let window = LogWindow(start: 1_795_042_800_000, end: 1_795_129_200_000, days: 30)

    static func collector(_ layout: Layout = .combined, requireMcid: Bool = false) -> RecordRules {
        RecordRules(
            format: .collector, requireMcid: requireMcid, layout: layout,
            actions: ["1": 11, "2": 12, "7": 17, "3": 13, "4": 14, "5": 15], zone: madrid, window: window)
    }

    static func mzip(_ layout: Layout = .body) -> RecordRules {
        RecordRules(
            format: .mzip, layout: layout, actions: ["1": 21], zone: madrid, window: window,
            path: "/push/log/iosarrive", platform: .ios, fields: .mzip)
    }

    static func usersTrack(_ layout: Layout = .body) -> RecordRules {
        RecordRules(
            format: .usersTrack, layout: layout,
            actions: ["push_impression": 31, "push_click": 32, "push_open": 33], zone: madrid, window: window,
            path: "/users/track", fields: .usersTrack)
    }

    /// A vendor's events, whose id is the message's and the device's together.
    /// - Parameter elements: the path of the array of events.
    static func events(_ layout: Layout = .body, elements: String = "") -> RecordRules {
        var fields: FieldPaths = [
            .deliveryID: ["message", "id"], .action: ["event", "kind"], .time: ["event", "timestamp"],
            .platform: ["event", "device_type"],
        ]
        fields.idParts = [["message", "id"], ["event", "device"]]
        var rules = RecordRules(
            format: .events, layout: layout,
            actions: ["message.push.received": 41, "message.push.clicked": 42, "7": 43],
            zone: madrid, window: window, path: "/hooks/events", fields: fields)
        rules.platforms = ["Chrome": .web, "5": .ios]
        rules.elements = elements.split(separator: ".").map(String.init)
        return rules
    }
}
