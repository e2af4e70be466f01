import Calendar
import Foundation
import Hashing
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
    struct Entry: Codable, Equatable, Sendable {
        /// The version of its partition.
        var version: String
        /// The identity of its settled file; nil until it is settled.
        var settled: String?
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
    var dates: [Int32: Entry] = [:]
    package internal(set) var settings: Settings
    /// Log dates that were to be passed although they need something.
    package internal(set) var skipped: Set<Int32> = []
    /// Settled log dates whose figures were given up.
    package internal(set) var forgotten: Set<Int32> = []
    /// Log dates that are not closed, were published, and have no partition any more.
    package internal(set) var lost: Set<Int32> = []

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
    func isDue(_ logDate: Int32) -> Bool { through.map { Int(logDate) <= Int($0) - windowDays } ?? false }

    /// Whether nothing needs the ids of a log date any more: all that is within reach of it is settled.
    package func isErasable(_ logDate: Int32) -> Bool {
        guard let through, holds(logDate), Int(logDate) <= Int(through) - 2 * windowDays else { return false }
        return dates.allSatisfy { other, entry in entry.settled != nil || !areWithinReach(other, logDate) }
    }

    /// Whether a load of a log date that was held back is erased, also if nothing of the log date was ever loaded.
    func isHeldLoadErasable(_ logDate: Int32) -> Bool {
        through.map { Int(logDate) <= Int($0) - 2 * windowDays } ?? false
    }

    /// Moves the last closed log date on.
    /// - Parameter first: the first log date that is loaded now.
    mutating func move(to target: Int32?, first: Int32) {
        self.first = through == nil ? first : min(first, self.first)
        if let target, target >= self.first { through = max(target, through ?? target) }
    }

    /// Gives up the figures of a closed log date for good: the next publishing takes them out of push.db, and removes its files.
    /// Returns false if nothing of such a log date was loaded. The caller must hold the output's lock.
    package static func forget(_ logDate: Int32, in folder: OutputFolder) throws(WarehouseError) -> Bool {
        guard var closed = try ClosedDates(in: folder), closed.holds(logDate) else { return false }
        if closed.forgotten.contains(logDate) { return true }
        guard closed.dates.removeValue(forKey: logDate) != nil else { return false }
        closed.forgotten.insert(logDate)
        try closed.write(in: folder)
        return true
    }

    func areWithinReach(_ a: Int32, _ b: Int32) -> Bool { abs(Int(a) - Int(b)) <= windowDays }
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

    static func path(in folder: OutputFolder) -> String { "\(folder.partitionsPath)/\(name)" }

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

    /// Writes the record durably. The caller must hold the output's lock.
    func write(in folder: OutputFolder) throws(WarehouseError) {
        func texts(_ days: Set<Int32>) -> [String] { days.sorted().map(CalendarText.date) }
        let stored = Stored(
            through: through.map(CalendarText.date), first: CalendarText.date(ofDay: first),
            dates: Dictionary(uniqueKeysWithValues: dates.map { (CalendarText.date(ofDay: $0), $1) }),
            settings: settings, skipped: texts(skipped), forgotten: texts(forgotten), lost: texts(lost))
        let path = ClosedDates.path(in: folder)
        let text = try JSONEncoder.stored.bytes(stored, for: path)
        let bytes = Array("\(OutputFolder.mark(text.span, ClosedDates.name))\n".utf8) + text
        try reportingCalls { () throws(SystemError) in try WholeFile.store(bytes, at: path, durably: true) }
    }
}
