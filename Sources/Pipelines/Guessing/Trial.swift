import Calendar
import Events
import Foundation
import Records

/// What becomes of the records of a sample if it is read in a certain way.
package struct Trial: Sendable {
    package let draft: SourceDraft
    package let tally: FileTally
    /// The accepted records by the code or name of their action.
    package let actions: [String: Int]
    /// The accepted records of each day, in UTC.
    package let days: [LogDate: Int]
    /// Accepted records whose platform is known.
    package let knownPlatforms: Int
    /// The sum of the times of the accepted records, which another time zone changes unless they tell their offset.
    let instants: Int64
    /// Whether several accepted records all have one time, which then is that of something else.
    private let hasOneTime: Bool
    /// The first reject: its detail, or else its reason.
    let firstReject: String?
    /// The lines that do not fit the layout, from 1.
    package let misfits: [Int]

    /// Nil if the draft has no valid layout.
    init?(_ draft: SourceDraft, _ lines: SampleLines, zone: ZoneRules = .utc, requireMcid: Bool = false) {
        guard let rules = draft.rules(zone: zone, requireMcid: requireMcid) else { return nil }
        var reader = RecordReader(rules)
        var sink = TrialSink()
        reader.readSample(lines.bytes.span, isAtEnd: lines.isAtEnd, rules, into: &sink)
        self.draft = draft
        tally = sink.tally
        let names = reader.actions
        actions = Dictionary(
            sink.actions.map { (draft.format == .collector ? String($0) : names[$0] ?? "", $1) }, uniquingKeysWith: +)
        days = Dictionary(uniqueKeysWithValues: sink.days.map { (LogDate(dayNumber: $0), $1) })
        knownPlatforms = sink.knownPlatforms
        misfits = sink.misfits
        firstReject = sink.firstReject
        instants = sink.instants
        hasOneTime = tally.accepted > 1 && !sink.hasSeveralTimes
    }

    package var hits: Int { tally.hits }

    /// Whether hits are read, and not all of them are rejected for their time.
    var isOfUse: Bool { hits > 0 && (tally.accepted > 0 || tally.count(.badTime) == 0) }

    /// Records that fit the layout.
    package var fitting: Int { tally.records - tally.count(.malformedLine) }

    /// Whether this is a better way to read the same sample. A layout that reads more is better unless it loses hits: one
    /// without a status, or one that does not go to the line's end, also fits lines that do not belong here.
    func isBetter(than other: Trial) -> Bool {
        let (new, old) = (likelyHits, other.likelyHits)
        let difference = abs(new - old)
        if difference * 100 > max(new, old) { return new > old }
        if hasOneTime != other.hasOneTime { return other.hasOneTime }
        if draft.values != other.draft.values { return draft.values > other.draft.values }
        if difference * 200 > max(new, old) { return new > old }
        if (knownPlatforms > 0) != (other.knownPlatforms > 0) { return knownPlatforms > 0 }
        if draft.length != other.draft.length { return draft.length > other.draft.length }
        return other.rank.lexicographicallyPrecedes(rank)
    }

    /// The hits, unless the status of most of them stops them: then it is no status.
    private var likelyHits: Int {
        let errors = tally.count(.httpError)
        return errors * 2 > hits ? hits - errors : hits
    }

    /// What matters most comes first. Statuses that stop a hit show that the layout has a status.
    private var rank: [Int] {
        let stopped = tally.count(.trackingDisabled) + tally.count(.httpError)
        return [likelyHits, fitting, stopped, knownPlatforms * 1000 / max(1, tally.accepted)]
    }
}

/// Counts the records of a sample.
private struct TrialSink: RecordSink {
    private(set) var tally = FileTally()
    private(set) var actions: [UInt16: Int] = [:]
    private(set) var days: [Int: Int] = [:]
    private(set) var knownPlatforms = 0
    private(set) var misfits: [Int] = []
    private(set) var firstReject: String?
    private(set) var instants: Int64 = 0
    private(set) var hasSeveralTimes = false
    private var firstTime: Int64?
    private var clock = DayClock(zone: .utc)

    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        tally.accept(record)
        actions[record.action, default: 0] += 1
        days[Int(clock.day(of: record.time)), default: 0] += 1
        if record.platform != .unknown { knownPlatforms += 1 }
        instants &+= record.time
        if let firstTime, firstTime != record.time { hasSeveralTimes = true }
        firstTime = firstTime ?? record.time
    }

    mutating func filter(_ reason: FilterReason) {
        tally.filter(reason)
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        tally.reject(reason, path: "", line: line, detail: "")
        if firstReject == nil { firstReject = [detail(), reason.code].first { !$0.isEmpty } }
        if reason == .malformedLine { misfits.append(line) }
    }
}
