import Calendar
import Events
import Messages
import Partitions
import Records

/// Counts of the records of one file, or of several, by outcome.
package struct FileTally: Codable, Sendable {
    /// The location of a record.
    package struct Location: Codable, Sendable {
        /// As the pattern of the source gives it.
        package let path: String
        /// From 1 in the unpacked file.
        package let line: Int
        /// Why the line does not fit its layout; empty where the reason says all.
        package let detail: String
    }

    /// The records with one outcome and reason.
    package struct Count: Sendable {
        package let outcome: OutcomeCount.Outcome
        /// The reason's code, such as `malformed_line`; empty for accepted records.
        package let reason: String
        package let records: Int
        /// The location of the first reject, in the order of the files; nil for other outcomes.
        package let first: Location?
    }

    /// At most this many rejects of one reason and file are stored.
    static let rejectsKept = 1000

    /// All records: accepted, filtered and rejected.
    package private(set) var records = 0
    package private(set) var accepted = 0
    /// Accepted records whose payload time was implausible.
    package private(set) var clockFallback = 0
    /// Whether every accepted record has a user agent, and none of these names a platform.
    private(set) var allAgentsUnknown = true
    /// Whether a time without an offset was read, so that the zone decided its meaning.
    var usesZone = false
    /// Why no row of a CSV file can be read.
    package var headerFault: HeaderFault?
    // Copy-on-write: the tallies of thousands of files share these arrays until they count something.
    private var filteredCounts = FileTally.noneFiltered
    private var rejectedCounts = FileTally.noneRejected
    private var firstLocations = FileTally.noLocations

    private static let noneFiltered = [Int](repeating: 0, count: FilterReason.allCases.count)
    private static let noneRejected = [Int](repeating: 0, count: RejectReason.allCases.count)
    private static let noLocations = [Location?](repeating: nil, count: RejectReason.allCases.count)

    package init() {}

    /// Whether there is a count for each reason. A decoded tally may come from a program with other reasons.
    package var isWellFormed: Bool {
        filteredCounts.count == FileTally.noneFiltered.count && rejectedCounts.count == FileTally.noneRejected.count
            && firstLocations.count == FileTally.noLocations.count
    }

    package var filtered: Int { filteredCounts.reduce(0, +) }
    package var rejected: Int { rejectedCounts.reduce(0, +) }

    package func count(_ reason: FilterReason) -> Int { filteredCounts[Int(reason.rawValue)] }
    package func count(_ reason: RejectReason) -> Int { rejectedCounts[Int(reason.rawValue)] }

    /// The number of records that are surely hits or payloads, including those that do not count.
    package var hits: Int {
        let reasons: [FilterReason] = [.link, .notPush, .trackingDisabled, .httpError, .trackingOff, .outOfWindow]
        return accepted + reasons.reduce(0) { $0 + count($1) } + count(RejectReason.joinedLines)
    }

    /// The counts of accepted records, then of filtered ones, then of rejects. Zero counts are left out.
    package var counts: [Count] {
        let accepted = Count(outcome: .accepted, reason: "", records: accepted, first: nil)
        let filtered = FilterReason.allCases.map { reason in
            Count(outcome: .filtered, reason: reason.code, records: count(reason), first: nil)
        }
        let rejected = RejectReason.allCases.map { reason in
            Count(
                outcome: .rejected, reason: reason.code, records: count(reason),
                first: firstLocations[Int(reason.rawValue)])
        }
        return ([accepted] + filtered + rejected).filter { $0.records > 0 }
    }

    @inline(__always)
    mutating func accept(_ record: Record) {
        records &+= 1
        accepted &+= 1
        if record.clockFallback { clockFallback &+= 1 }
        if record.platform != .unknown || !record.hasUserAgent { allAgentsUnknown = false }
    }

    /// Accepts several records, all of which have a user agent.
    mutating func accept(_ found: Span<FoundEvent>) {
        records &+= found.count
        accepted &+= found.count
        // Most logs name a platform in the first record, so the loop seldom runs.
        if allAgentsUnknown {
            for index in found.indices where found[index].platform != .unknown { allAgentsUnknown = false }
        }
    }

    @inline(__always)
    mutating func filter(_ reason: FilterReason) {
        records &+= 1
        filteredCounts[Int(reason.rawValue)] &+= 1
    }

    mutating func reject(_ reason: RejectReason, path: String, line: Int, detail: String) {
        records += 1
        rejectedCounts[Int(reason.rawValue)] += 1
        if firstLocations[Int(reason.rawValue)] == nil {
            firstLocations[Int(reason.rawValue)] = Location(path: path, line: line, detail: detail)
        }
    }

    package static func += (total: inout FileTally, part: FileTally) {
        total.records += part.records
        total.accepted += part.accepted
        total.clockFallback += part.clockFallback
        total.usesZone = total.usesZone || part.usesZone
        total.headerFault = total.headerFault ?? part.headerFault
        total.allAgentsUnknown = total.allAgentsUnknown && part.allAgentsUnknown
        for index in total.filteredCounts.indices where part.filteredCounts[index] > 0 {
            total.filteredCounts[index] += part.filteredCounts[index]
        }
        for index in total.rejectedCounts.indices where part.rejectedCounts[index] > 0 {
            total.rejectedCounts[index] += part.rejectedCounts[index]
            if total.firstLocations[index] == nil { total.firstLocations[index] = part.firstLocations[index] }
        }
    }
}

extension OutcomeCount.Outcome: Encodable {}

extension FileTally.Count: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "outcome": outcome, "reason": reason, "records": records,
            "first_path": first.map { encoder.shownPaths.opening($0.path) }, "first_line": first?.line,
            "first_detail": first?.detail.isEmpty == false ? first?.detail : nil,
        ])
    }
}

extension Fault {
    /// The error that accepted records became neither events nor duplicates: a fault of the program.
    package static func lostRecords(_ date: LogDate, accepted: Int, events: Int, duplicates: Int) -> Fault {
        Fault(
            Message(
                .partitionMismatch,
                text: """
                    \(date): \(accepted) records accepted, but \(events) events + \(duplicates) duplicates: a fault of pushetl, \
                    please report it; nothing was published
                    """), exitStatus: .internalFault)
    }
}
