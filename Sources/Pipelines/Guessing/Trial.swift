import Calendar
import Events
import Records

/// The result of reading a sample by a draft, as a load would.
package struct Trial: RecordSink, Sendable {
    package let draft: SourceDraft
    package private(set) var tally = FileTally()
    /// The number of accepted records by the code or name of their action. For a vendor's events that name their
    /// action, the number of all events, also of those with an unknown action.
    package private(set) var actions: [String: Int] = [:]
    /// The number of a vendor's events by the word for their platform.
    package private(set) var platformWords: [String: Int] = [:]
    /// The records of each day, in UTC, also those out of the window.
    package private(set) var days: [LogDate: Int] = [:]
    /// The number of accepted records with a known platform.
    private(set) var knownPlatforms = 0
    /// The accepted records, joined by message. Actions have the same names as in `actions`.
    package private(set) var messages = SampleMessages()
    /// The lines that do not fit the layout, from 1.
    private(set) var misfits: [Int] = []
    /// The number of misfits that are server messages, as on standard error, by the level in the line.
    private(set) var serverMessages: [String: Int] = [:]
    /// The detail of the first reject, or its reason if it has no detail.
    private(set) var firstReject: String?
    /// The sum of the times of these records. Another time zone changes it, unless the times have offsets.
    private(set) var instants: Int64 = 0
    /// The number of values that the layout reads: of a request usually four, the request, its time, its status and the
    /// user agent.
    private let values: Int
    /// The number of values that the layout names, including the skipped ones. A named layout counts as the longest.
    private let length: Int
    /// The times that count; nil if all do.
    private let window: LogWindow?
    private var codes: [UInt16: Int] = [:]
    private var firstTime: Int64?
    private var hasSeveralTimes = false
    private var clock = DayClock(zone: .utc)

    /// Nil if the draft has no valid layout.
    /// - Parameters:
    ///   - window: the times that count; nil if all do.
    ///   - events: the guess for a vendor's export; nil for the other formats.
    init?(
        of draft: SourceDraft, on lines: SampleLines, zone: ZoneRules = .utc, requireMcid: Bool = false,
        window: LogWindow? = nil, events: EventGuess? = nil
    ) {
        guard var rules = draft.rules(zone: zone, requireMcid: requireMcid) else { return nil }
        if let events {
            if draft.namesActions {
                let names = EventWords.actions(named: events.names.keys).keys
                rules.actions = Dictionary(uniqueKeysWithValues: zip(names, 0...))
            }
            rules.learnsActions = false
            rules.platforms = EventWords.platforms(events.platformWords.keys)
            rules.payloadZone = zone
            platformWords = events.platformWords
        }
        self.draft = draft
        self.window = window
        (values, length) = rules.layout.format.map { ($0.fields.count, $0.length) } ?? (4, .max)
        var reader = RecordReader(rules)
        reader.readSample(lines.bytes.span, isAtEnd: lines.isAtEnd, rules: rules, into: &self)
        func name(_ code: UInt16) -> String {
            if !draft.namesActions { return draft.times.isEmpty ? draft.action : draft.times[Int(code)].action }
            return draft.format == .collector ? String(code) : reader.actions[code] ?? ""
        }
        for (code, count) in codes { actions[name(code), default: 0] += count }
        messages = messages.renamed { UInt16($0).map(name) }
        if let events, draft.namesActions { actions = events.names.merging(events.hiddenNames) { a, _ in a } }
    }

    package mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        days[clock.day(of: record.time), default: 0] += 1
        instants &+= record.time
        guard window?.holds(record.time) ?? true else {
            tally.filter(.outOfWindow)
            return
        }
        tally.accept(record)
        codes[record.action, default: 0] += 1
        messages.add(String(record.action), of: record.id, kind: record.kind, in: "")
        if record.platform != .unknown { knownPlatforms += 1 }
        if let firstTime, firstTime != record.time { hasSeveralTimes = true }
        firstTime = firstTime ?? record.time
    }

    package mutating func filter(_ reason: FilterReason) { tally.filter(reason) }

    package mutating func reject(
        _ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>
    ) {
        tally.reject(reason, path: "", line: line, detail: "")
        if firstReject == nil { firstReject = [detail(), reason.code].first { !$0.isEmpty } }
        guard reason == .malformedLine else { return }
        misfits.append(line)
        if let level = ServerMessage.level(in: evidence) { serverMessages[level, default: 0] += 1 }
    }

    // MARK: Judging

    package var hits: Int { tally.hits }

    /// Whether hits are read, and not all of them are rejected for their time.
    var isOfUse: Bool { hits > 0 && (tally.accepted > 0 || tally.count(.badTime) == 0) }

    /// Records that fit the layout.
    package var fitting: Int { tally.records - tally.count(.malformedLine) }

    /// Whether several accepted records all have the same time. It is then the time of something else.
    private var hasOneTime: Bool { tally.accepted > 1 && !hasSeveralTimes }

    /// Whether this draft reads the sample better. A layout that reads more values is better unless it loses hits. A
    /// layout without a status, or without the end of the line, also fits lines that do not belong to the log.
    func isBetter(than other: Trial) -> Bool {
        let new = likelyHits
        let old = other.likelyHits
        let difference = abs(new - old)
        if difference * 100 > max(new, old) { return new > old }
        if hasOneTime != other.hasOneTime { return other.hasOneTime }
        if values != other.values { return values > other.values }
        if difference * 200 > max(new, old) { return new > old }
        if (knownPlatforms > 0) != (other.knownPlatforms > 0) { return knownPlatforms > 0 }
        if length != other.length { return length > other.length }
        return other.rank.lexicographicallyPrecedes(rank)
    }

    /// The number of hits. If the supposed status would stop most of them, it is no status, and they are left out.
    private var likelyHits: Int {
        let errors = tally.count(.httpError)
        return errors * 2 > hits ? hits - errors : hits
    }

    /// Compared in this order. Hits that a status stops show that the layout has a status.
    private var rank: [Int] {
        let stopped = tally.count(.trackingDisabled) + tally.count(.httpError)
        return [likelyHits, fitting, stopped, knownPlatforms * 1000 / max(1, tally.accepted)]
    }
}
