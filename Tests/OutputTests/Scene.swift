import Calendar
import Counting
import Events
import Foundation
import Output
import SQLite
import Support

@testable import Partitions

/// An event in plain texts, as the tests think of it.
struct Hit: Hashable {
    var idSpace = "push"
    var kind = Section.Kind.hex
    var id: UInt64
    /// Milliseconds since 1970.
    var time: Int64
    var source = "adobe"
    var delivery = "d1"
    var action = "open"
    var platform = Platform.ios
    var records = 1

    var section: Section { Section(idSpace: idSpace, kind: kind) }
}

/// One log date's hits: one for each (idSpace, kind, id, action).
struct Load {
    var logDate: LogDate
    var hits: [Hit]
    var version: String?
    var rejects: [Reject] = []
}

func day(_ text: String) -> LogDate {
    LogDate(text) ?? LogDate(dayNumber: 0)
}

/// Milliseconds since 1970 of a UTC text `YYYY-MM-DD HH:MM:SS`.
func time(_ text: String) -> Int64 {
    let parts = text.dropFirst(11).split(separator: ":").compactMap { Int64($0) }
    return (Int64(day(String(text.prefix(10))).dayNumber) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1000
}

/// A fresh output folder, removed with the value.
final class Scene {
    private let scratch: ScratchFolder
    let folder: OutputFolder

    init() throws {
        scratch = try ScratchFolder()
        folder = OutputFolder(scratch.path("output"))
        try folder.create()
    }

    var locked: LockedOutput { LockedOutput(folder: folder) }

    var output: OutputDatabase { OutputDatabase(folder, busyTimeout: 0.2) }

    func settings(
        zone: String = "UTC", window: Int = 30, sources: [String] = ["adobe", "momo", "braze"]
    ) -> PublicationSettings {
        PublicationSettings(
            zone: (try? ZoneDatabase.zone(zone)) ?? .utc, windowDays: window, sourceNames: sources, programVersion: "1")
    }

    @discardableResult
    func publish(_ request: PublishRequest) throws -> Publication { try output.publish(request, in: locked) }

    @discardableResult
    func publish(_ settings: PublicationSettings? = nil, resources: PublishingResources = PublishingResources()) throws
        -> Publication
    {
        try publish(PublishRequest(settings: settings ?? self.settings(), resources: resources))
    }

    /// Writes a partition as the loader would, in blocks of `blockSize` events.
    func load(_ load: Load, sourceOrder: [String] = ["adobe", "momo", "braze"], blockSize: Int = 3) throws {
        let writer = try PartitionWriter(of: load.logDate, in: folder)
        let names = EventNames(
            sources: sourceOrder, actions: sortedTexts(load.hits.map(\.action)),
            deliveries: sortedTexts(load.hits.map(\.delivery)))
        try writer.write(names)
        var figures = StandaloneTables(names)
        var days = DayClock(zone: .utc)
        for section in Set(load.hits.map(\.section)).sorted() {
            var events: [Event] = load.hits.filter { $0.section == section }.map { $0.event(names) }
            events.sort { (a: Event, b: Event) -> Bool in a.id != b.id ? a.id < b.id : a.action < b.action }
            figures.add(events.span, days: &days)
            figures.endMessage(days: &days)
            for start in stride(from: 0, to: events.count, by: blockSize) {
                let block = EventBlock(encoding: Array(events[start..<min(start + blockSize, events.count)]))
                try writer.append(block, section: section)
            }
        }
        figures.flush()
        writer.write(LogDateRows(figures.tables))
        for reject in load.rejects { try writer.write(reject) }
        writer.conclude(load.summary)
        try writer.finish()
        try writer.install()
    }

    /// The rows of a query on the output DB, each a line of texts.
    func rows(_ sql: String, path: String? = nil) throws -> [String] {
        try Database(path ?? folder.databasePath, isReadOnly: true).rows(sql) { row in
            row.values.map(\.text).joined(separator: "|")
        }
    }

    /// The messages of some keys, in all partitions.
    func search(_ keys: [MessageSearch.Key], _ settings: PublicationSettings) throws -> MessageSearch {
        let partitions = try PartitionSet(
            in: folder, record: nil, known: KnownPartitions(), resources: PublishingResources())
        return try MessageSearch(keys, in: partitions, settings: settings)
    }

    /// Everything in the output DB but its history.
    func dump() throws -> [String] {
        let tables = try rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('runs', 'changes', 'loads') AND name NOT GLOB '[_]*' ORDER BY name"
        )
        var lines = try rows("PRAGMA user_version") + rows("SELECT sql FROM sqlite_master ORDER BY name")
        for table in tables {
            let isAbout = table == "about"
            lines += try [table] + rows("SELECT * FROM \(table)\(isAbout ? " WHERE key <> 'history_since'" : "")")
        }
        return lines
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

func sortedTexts(_ texts: [String]) -> [String] {
    Set(texts).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

extension Hit {
    func event(_ names: EventNames) -> Event {
        func place(_ text: String, _ texts: [String]) -> Int { texts.firstIndex(of: text) ?? 0 }
        return Event(
            id: EventID(high: kind == .hex ? 0 : id &* 0x9E37_79B9, low: id), time: time,
            delivery: UInt32(place(delivery, names.deliveries)), records: UInt32(records),
            source: UInt16(place(source, names.sources)), action: UInt16(place(action, names.actions)),
            platform: platform)
    }
}

extension Load {
    var summary: PartitionSummary {
        let records = hits.reduce(0) { $0 + $1.records }
        return PartitionSummary(
            logDate: logDate, status: .complete, files: 0, records: records + 3, accepted: records, filtered: 2,
            rejected: 1, events: hits.count, duplicates: records - hits.count, clockFallback: 0, pipeline: "p1",
            zone: "UTC", windowDays: 30, version: version ?? String(hits.hashValue))
    }
}

extension EventBlock {
    /// Encodes 1 to `capacity` events, which must be sorted by (id, action).
    init(encoding events: [Event]) {
        var encoder = EventBlockEncoder()
        self = encoder.encode(events.span)
    }
}
