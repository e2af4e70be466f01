import Calendar
import Foundation
import Messages
import Posix

/// Which log dates are closed, and what became of them. All erasing of ids follows from this record, and from nothing else: no
/// setting and no clock takes back what it says, and `through` never decreases.
///
/// With w days of `window_days`: every log date from w before `first` up to `through` is closed, so that it is loaded no more.
/// All that is within reach of a log date up to `through` - w is closed, so such a log date can be settled: what it contributes
/// is written into its settled file. All that is within reach of a log date up to `through` - 2 w can be settled, and then
/// nothing needs its ids.
///
/// It is the file `partitions/closed`, written durably. The first line is a hash of the second:
///
///     0f1e2d3c4b5a6978
///     {"dates":{"2026-05-01":{"settled":"9c…","version":"0f…"}},"first":"2026-05-01","forgotten":[],"lost":[],
///     "settings":{"sources":["adobe"],"timezone":"UTC","window_days":30},"skipped":[],"through":"2026-08-01"}
package struct ClosedDates: Equatable, Sendable {
    /// A closed log date that was loaded.
    package struct Entry: Codable, Equatable, Sendable {
        /// The version of its partition.
        package var version: String
        /// The identity of its settled file; nil until it is settled.
        package var settled: String?

        package init(version: String) {
            self.version = version
        }
    }

    /// The settings of the settled figures. As long as nothing is settled, those of the last publishing.
    package struct Settings: Codable, Equatable, Sendable {
        package var timezone: String
        package var windowDays: Int
        /// In the order that breaks ties.
        package var sources: [String]

        private enum CodingKeys: String, CodingKey {
            case timezone, sources
            case windowDays = "window_days"
        }
    }

    private static let name = "closed"
    /// The cache of what settled files say. If it is there, log dates have settled, whatever became of their files.
    static let settledName = "settled"

    /// The last closed log date; nil if there is none yet. In days since 1970-01-01, like all log dates here.
    package internal(set) var through: Int32?
    /// The first log date that is loaded. One that was loaded later, before it, counts once no log date with files is missing
    /// between them.
    package internal(set) var first: Int32
    package var dates: [Int32: Entry] = [:]
    package internal(set) var settings: Settings
    /// Log dates that were to be passed although they need something.
    package var skipped: Set<Int32> = []
    /// Settled log dates whose figures were given up.
    package internal(set) var forgotten: Set<Int32> = []
    /// Log dates that are not closed, were published, and have no partition any more.
    package var lost: Set<Int32> = []

    package var windowDays: Int { settings.windowDays }
    package var hasSettled: Bool { dates.values.contains { $0.settled != nil } }

    /// Whether a log date may no longer be loaded.
    package func holds(_ logDate: Int32) -> Bool {
        through.map { logDate <= $0 && Int(logDate) >= Int(first) - windowDays } ?? false
    }

    /// Whether a closed log date had a partition when it was closed.
    package func wasLoaded(_ logDate: Int32) -> Bool { dates[logDate] != nil }

    package func isSettled(_ logDate: Int32) -> Bool { dates[logDate]?.settled != nil }

    /// Whether all that is within reach of a log date is closed.
    package func isDue(_ logDate: Int32) -> Bool { through.map { Int(logDate) <= Int($0) - windowDays } ?? false }

    /// The log dates that are to settle, in order: the partitions of all within reach are there. Also the first that hinders
    /// others, since its own is damaged or gone.
    package func due(readable: Set<Int32>) -> (logDates: [Int32], hindrance: Int32?) {
        var (logDates, hindrances): ([Int32], [Int32]) = ([], [])
        for logDate in dates.filter({ $1.settled == nil && isDue($0) }).keys.sorted() {
            let hindrance = dates.keys.filter {
                areWithinReach($0, logDate) && !isSettled($0) && !readable.contains($0)
            }.min()
            if let hindrance { hindrances.append(hindrance) } else { logDates.append(logDate) }
        }
        return (logDates, hindrances.min())
    }

    /// Whether nothing needs the ids of a log date any more: all that is within reach of it is settled.
    package func isErasable(_ logDate: Int32) -> Bool {
        guard let through, holds(logDate), Int(logDate) <= Int(through) - 2 * windowDays else { return false }
        return dates.allSatisfy { other, entry in entry.settled != nil || !areWithinReach(other, logDate) }
    }

    /// Whether a load of a log date that was held back is erased, also if nothing of the log date was ever loaded.
    package func isHeldLoadErasable(_ logDate: Int32) -> Bool {
        through.map { Int(logDate) <= Int($0) - 2 * windowDays } ?? false
    }

    /// Moves the last closed log date on.
    /// - Parameter first: the first log date that is loaded now.
    package mutating func move(to target: Int32?, first: Int32) {
        self.first = through == nil ? first : min(first, self.first)
        if let target, target >= self.first { through = max(target, through ?? target) }
    }

    /// Gives up the figures of a closed log date for good: the next publishing takes them out of push.db, and removes its files.
    /// Returns false if nothing of such a log date was loaded.
    package static func forget(_ logDate: Int32, in held: HeldOutput) throws(WarehouseError) -> Bool {
        guard var closed = try ClosedDates(in: held.folder), closed.holds(logDate) else { return false }
        if closed.forgotten.contains(logDate) { return true }
        guard closed.dates.removeValue(forKey: logDate) != nil else { return false }
        closed.forgotten.insert(logDate)
        try closed.write(in: held)
        return true
    }

    package func areWithinReach(_ a: Int32, _ b: Int32) -> Bool { abs(Int(a) - Int(b)) <= windowDays }
}

// Reading and writing

extension ClosedDates {
    private struct Stored: Codable {
        let through: String?
        let first: String
        let dates: [String: Entry]
        let settings: Settings
        let skipped: [String]
        let forgotten: [String]
        let lost: [String]
    }

    package static func path(in folder: OutputFolder) -> String { "\(folder.partitionsPath)/\(name)" }

    /// The record of an output; nil if it has none.
    /// - Throws: `.retention` if the record cannot be read, or is missing although log dates are settled.
    package init?(in folder: OutputFolder) throws(WarehouseError) {
        let path = ClosedDates.path(in: folder)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try WholeFile.readFile(path)
        } catch {
            if error.code == ENOTDIR { return nil }
            guard error.code == ENOENT else { throw .system(path: path, call: error.call, errno: error.code) }
            let names = try OutputFolder.names(in: folder.partitionsPath)
            guard !names.contains(where: { PartitionName($0)?.isSettled ?? false }),
                folder.cached(ClosedDates.settledName) == nil
            else {
                throw .retention(.record(path: path, detail: "is missing, and there are settled log dates"))
            }
            return nil
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            bytes[..<end].elementsEqual(OutputFolder.mark(bytes.span.extracting((end + 1)...), ClosedDates.name).utf8),
            let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes[(end + 1)...])),
            let closed = ClosedDates(stored)
        else { throw .retention(.record(path: path, detail: "is not as it was written")) }
        self = closed
    }

    private init?(_ stored: Stored) {
        func days(_ texts: some Collection<String>) -> [Int32]? {
            let days = texts.compactMap(CalendarText.day)
            return days.count == texts.count ? days : nil
        }
        guard let first = CalendarText.day(of: stored.first),
            let skipped = days(stored.skipped), let forgotten = days(stored.forgotten), let lost = days(stored.lost),
            let dates = days(stored.dates.keys)
        else { return nil }
        let through = stored.through.flatMap(CalendarText.day)
        if through == nil, stored.through != nil { return nil }
        self.init(through: through, first: first, settings: stored.settings)
        self.dates = Dictionary(uniqueKeysWithValues: zip(dates, stored.dates.values))
        (self.skipped, self.forgotten, self.lost) = (Set(skipped), Set(forgotten), Set(lost))
    }

    /// Writes the record durably.
    package func write(in held: HeldOutput) throws(WarehouseError) {
        assert(through.map { $0 >= first } ?? dates.isEmpty)
        assert(skipped.isDisjoint(with: lost) && !skipped.contains { holds($0) })
        assert(dates.allSatisfy { ($1.settled == nil || isDue($0)) && !forgotten.contains($0) })
        func texts(_ days: Set<Int32>) -> [String] { days.sorted().map(CalendarText.date) }
        let stored = Stored(
            through: through.map(CalendarText.date), first: CalendarText.date(ofDay: first),
            dates: Dictionary(uniqueKeysWithValues: dates.map { (CalendarText.date(ofDay: $0), $1) }),
            settings: settings, skipped: texts(skipped), forgotten: texts(forgotten), lost: texts(lost))
        let path = ClosedDates.path(in: held.folder)
        let text = try JSONEncoder.stored.bytes(stored, for: path)
        try held.store(Array("\(OutputFolder.mark(text.span, ClosedDates.name))\n".utf8) + text, at: path)
    }
}

extension ClosedDates {
    /// The record of an output in which nothing is closed yet.
    package init(first: Int32, _ settings: PublicationSettings) {
        self.init(first: first, settings: Settings(timezone: "", windowDays: 0, sources: []))
        fix(settings, sources: [])
    }

    /// Checks that settings give the figures that are settled already. New rules of the same time zone are let pass: they leave
    /// settled log dates as they are.
    package func check(_ settings: PublicationSettings) throws(Fault) {
        guard hasSettled else { return }
        let known = self.settings
        func check(_ what: String, _ was: String, _ now: String, _ advice: String = "set it back") throws(Fault) {
            if was == now { return }
            throw Fault(
                "fixed_setting",
                "\(what) was \(was) when log dates settled, and is \(now); settled figures cannot be computed again; "
                    + "\(advice), or give another output, which is loaded anew", .badPipeline)
        }
        try check("timezone", known.timezone, settings.zone.name)
        try check("dedup.window_days", "\(known.windowDays)", "\(settings.windowDays)")
        try check(
            "the order of the sources", known.sources.joined(separator: ", "),
            ClosedDates.order(Set(known.sources), settings.sourceNames).joined(separator: ", "),
            "set it back, and keep a source that is not used any more, with 'required: false'")
    }

    /// Takes over the settings of a publishing.
    /// - Parameter sources: those of the partitions that settle.
    package mutating func fix(_ settings: PublicationSettings, sources: some Sequence<String>) {
        let all = Set(self.settings.sources).union(sources).union(settings.sourceNames)
        self.settings = Settings(
            timezone: settings.zone.name, windowDays: settings.windowDays,
            sources: ClosedDates.order(all, settings.sourceNames))
    }

    /// The order of sources: that of the pipeline file, then those that it no longer has, by name.
    private static func order(_ sources: Set<String>, _ pipeline: [String]) -> [String] {
        let others = sources.subtracting(pipeline).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return pipeline.filter(sources.contains) + others
    }
}
