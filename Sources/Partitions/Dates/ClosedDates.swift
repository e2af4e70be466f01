import Calendar
import Foundation
import Messages
import Posix

/// Which log dates are closed, and what became of them. Ids are erased only as this record says. No setting and no
/// clock takes back what it says, and `through` never decreases.
///
/// Let w be `window_days`. The closed log dates are those from w days before `first` up to `through`; they are not
/// loaded any more. For a log date up to `through` - w, everything within reach is closed. So it can settle: its
/// contribution is written into its partition. For a log date up to `through` - 2 w, everything within reach can
/// settle. After that nothing needs its ids.
///
/// It is the file `partitions/closed`, written durably. The first line is a hash of the second:
///
///     0f1e2d3c4b5a6978
///     {"dates":{"2026-05-01":{"pipeline":"3a…","settled":"9c…","version":"0f…"}},"first":"2026-05-01","given_up":[],
///     "lost":[],"passed":[],"settings":{"sources":["adobe"],"timezone":"UTC","window_days":30},"through":"2026-08-01"}
package struct ClosedDates: Codable, Equatable, Sendable {
    /// A closed log date that was loaded.
    package struct Entry: Codable, Equatable, Sendable {
        /// The version of its partition.
        package var version: String
        /// The fingerprint of the pipeline file at its load.
        package var pipeline: String
        /// Identifies its final rows, as its partition has it; nil until it is settled.
        package var settled: String?

        package init(version: String, pipeline: String) {
            self.version = version
            self.pipeline = pipeline
        }

        package init(_ partition: PartitionSummary) {
            self.init(version: partition.version, pipeline: partition.pipeline)
        }
    }

    /// The settings behind the settled figures. Until a log date has settled, the settings of the last publishing.
    package struct Settings: Codable, Equatable, Sendable {
        package var timezone: String
        package var windowDays: Int
        /// In the order that decides ties between records.
        package var sources: [String]

        private enum CodingKeys: String, CodingKey {
            case timezone, sources
            case windowDays = "window_days"
        }
    }

    /// The last closed log date; nil if there is none yet.
    package internal(set) var through: LogDate?
    /// The first loaded log date. If an earlier log date is loaded later, it becomes the first one only when no log
    /// date with files is missing between the two.
    package internal(set) var first: LogDate
    package var dates: [LogDate: Entry] = [:]
    package internal(set) var settings: Settings
    /// Log dates that may be closed although they need something. They are not closed yet.
    package var passed: Set<LogDate> = []
    /// Closed log dates whose figures were given up: their partitions are not read any more.
    package var givenUp: Set<LogDate> = []
    /// Log dates that are not closed, were published, and have no partition any more.
    package var lost: Set<LogDate> = []

    private enum CodingKeys: String, CodingKey {
        case through, first, dates, settings, passed, lost
        case givenUp = "given_up"
    }

    package var windowDays: Int { settings.windowDays }
    package var hasSettled: Bool { dates.values.contains { $0.settled != nil } }

    /// Whether a log date is closed, so that it may not be loaded any more.
    package func holds(_ date: LogDate) -> Bool {
        through.map { date <= $0 && date >= first.adding(days: -windowDays) } ?? false
    }

    /// Whether everything up to `target` is closed, and nothing older than `first` was loaded.
    package func hasClosed(through target: LogDate, from firstLoaded: LogDate) -> Bool {
        through.map { $0 >= target } ?? false && firstLoaded >= first
    }

    /// Whether a closed log date had a partition when it was closed.
    package func wasLoaded(_ date: LogDate) -> Bool { dates[date] != nil }

    package func isSettled(_ date: LogDate) -> Bool { dates[date]?.settled != nil }

    /// Whether all that is within reach of a log date is closed.
    func isDue(_ date: LogDate) -> Bool { through.map { date <= $0.adding(days: -windowDays) } ?? false }

    /// Whether nothing needs the ids of a log date any more: all loaded log dates within reach are settled.
    package func isErasable(_ date: LogDate) -> Bool {
        holds(date) && isLongClosed(date)
            && dates.allSatisfy { other, entry in entry.settled != nil || !other.isWithin(windowDays, of: date) }
    }

    /// Whether a log date is so old that its held-back load is erased, even if it was never loaded.
    package func isLongClosed(_ date: LogDate) -> Bool {
        through.map { date <= $0.adding(days: -2 * windowDays) } ?? false
    }

    /// The log dates that can settle now, in order: all partitions within reach are readable. `hindrance` is the first
    /// log date that keeps others from settling, since its partition is damaged or gone.
    ///
    /// - Parameters:
    ///   - readable: the log dates whose events can be read.
    ///   - anew: settled log dates whose partitions lack the final rows.
    package func due(readable: Set<LogDate>, anew: Set<LogDate> = []) -> (dates: [LogDate], hindrance: LogDate?) {
        var (due, hindrances): ([LogDate], [LogDate]) = ([], [])
        for date in dates.filter({ ($1.settled == nil || anew.contains($0)) && isDue($0) }).keys.sorted() {
            let hindrance = dates.keys.filter { other in
                other.isWithin(windowDays, of: date) && (!isSettled(other) || anew.contains(date))
                    && !readable.contains(other)
            }.min()
            if let hindrance { hindrances.append(hindrance) } else { due.append(date) }
        }
        return (due, hindrances.min())
    }

    /// Whether a closed log date can settle once its partition holds ids: no partition within reach is erased.
    package func canSettleAgain(_ date: LogDate, in folder: OutputFolder) -> Bool {
        dates.keys.allSatisfy { other in
            guard other != date, other.isWithin(windowDays, of: date) else { return true }
            // One that cannot be read may come back with its ids, unless these were due to be erased.
            return (try? Partition(of: other, in: folder))?.summary.hasIDs ?? !isErasable(other)
        }
    }

    /// - Throws: `.stray` if a closed log date that was never loaded has a file in the place of its partition.
    package func checkPlace(of date: LogDate, in folder: OutputFolder) throws(OutputError) {
        let path = folder.partitionPath(date)
        if holds(date), !wasLoaded(date), FileStamp(path: path) != nil { throw OutputError(.stray, at: path) }
    }

    /// - Throws: `.lostSettled` if the partition of a settled log date is an older copy, without the final rows, and
    ///   cannot settle again.
    package func checkFinalRows(of partition: PartitionSummary, in folder: OutputFolder) throws(OutputError) {
        let date = partition.logDate
        guard isSettled(date), dates[date]?.settled != partition.settled, !canSettleAgain(date, in: folder) else {
            return
        }
        throw .olderCopy(at: folder.partitionPath(date))
    }

    /// Closes log dates up to `target`.
    /// - Parameter first: the first log date that is loaded now.
    package mutating func move(to target: LogDate?, first: LogDate) {
        self.first = through == nil ? first : min(first, self.first)
        if let target, target >= self.first { through = max(target, through ?? target) }
    }

    /// Gives up the figures of a closed log date for good. Returns false if the log date was never loaded.
    package mutating func giveUp(_ date: LogDate) -> Bool {
        guard holds(date), dates.removeValue(forKey: date) != nil else { return false }
        givenUp.insert(date)
        return true
    }
}

// Reading and writing

extension ClosedDates {
    package static func path(in folder: OutputFolder) -> String { "\(folder.partitionsPath)/\(OwnName.closedDates)" }

    /// The record of an output; nil if it has none.
    /// - Throws: `.lostRecord` if the record cannot be read. A record that is missing altogether is noticed by `check`,
    ///   if a partition without ids exists.
    package init?(in folder: OutputFolder) throws {
        let path = ClosedDates.path(in: folder)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.readFile(path)
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else {
                throw Fault.system(path, call: error.call, code: error.code)
            }
            return nil
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            bytes[..<end].elementsEqual(
                OutputFolder.mark(of: bytes.span.extracting((end + 1)...), named: OwnName.closedDates).utf8),
            let closed = try? JSONDecoder().decode(ClosedDates.self, from: Data(bytes[(end + 1)...]))
        else { throw OutputError(.lostRecord("is not as it was written"), at: path) }
        self = closed
    }

    /// Writes the record durably.
    package func write(in locked: LockedOutput) throws {
        assert(through.map { $0 >= first } ?? dates.isEmpty)
        assert(passed.isDisjoint(with: lost) && !passed.contains { holds($0) })
        assert(dates.allSatisfy { ($1.settled == nil || isDue($0)) && !givenUp.contains($0) })
        let path = ClosedDates.path(in: locked.folder)
        let text = try JSONEncoder.stored.bytes(self, for: path)
        let mark = OutputFolder.mark(of: text.span, named: OwnName.closedDates)
        try locked.store(Array("\(mark)\n".utf8) + text, at: path)
    }
}

extension ClosedDates {
    /// A record for an output without closed log dates.
    package init(first: LogDate, settings: PublicationSettings) {
        self.first = first
        self.settings = Settings(timezone: "", windowDays: 0, sources: [])
        fix(settings, sources: [])
    }

    /// Checks that the settings still lead to the settled figures. New rules of the same time zone are allowed, since
    /// settled log dates keep their figures.
    package func check(_ settings: PublicationSettings) throws(Fault) {
        guard hasSettled else { return }
        let known = self.settings
        func check(_ what: String, was: String, now: String, advice: String = "set it back") throws(Fault) {
            if was == now { return }
            throw Fault(
                .fixedSetting,
                text:
                    "\(what) was \(was) when log dates settled, and is \(now); settled figures cannot be computed again; "
                    + "\(advice), or give another output, which is loaded anew", exitStatus: .badPipeline)
        }
        try check("timezone", was: known.timezone, now: settings.zone.name)
        try check("dedup.window_days", was: "\(known.windowDays)", now: "\(settings.windowDays)")
        let lost = known.sources.filter { !settings.sourceNames.contains($0) }
        let order = Set(known.sources).ordered(as: settings.sourceNames)
        if let name = lost.first, order != known.sources {
            throw Fault(
                .fixedSetting,
                text: """
                    source '\(name)' is no longer in the pipeline file, and log dates have settled with it; a renamed source \
                    counts as another one; name it '\(name)' again, and keep a source that is not used any more, with \
                    'required: false'; or give another output, which is loaded anew
                    """, exitStatus: .badPipeline)
        }
        try check(
            "the order of the sources", was: known.sources.joined(separator: ", "), now: order.joined(separator: ", "))
    }

    /// Takes over the settings of a publishing.
    /// - Parameter sources: the names of sources in the partitions that settle.
    package mutating func fix(_ settings: PublicationSettings, sources: some Sequence<String>) {
        let all = Set(self.settings.sources).union(sources).union(settings.sourceNames)
        self.settings = Settings(
            timezone: settings.zone.name, windowDays: settings.windowDays,
            sources: all.ordered(as: settings.sourceNames))
    }
}
