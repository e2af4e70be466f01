import Calendar
import Events
import Foundation
import Messages
import Reports
import SQLite
import Support

@testable import Output
@testable import Partitions

/// What happened, and what of it was loaded. Whoever reads figures gets a push.db that the program has published: equal scenes
/// share one.
struct Scene: Hashable {
    /// The messages of a delivery on a day, most of which happens from 19:00 on. An eighth of opens come without an impression, as
    /// far as there are such messages.
    struct Messages: Hashable {
        var platform = Platform.android
        var delivery = "d1"
        var messages = 1000
        var impressed = 900
        var clicked = 300
        var opened = 200
        /// Nil for a tenth.
        var openedWithoutClick: Int?
        /// How many are opened 27 hours later, as the next log date says.
        var openedNextDay = 0
        /// Of how many the next log date tells all.
        var late = 0
        /// Whether there are events that say that they were sent.
        var isSent = false
        var failed = 0
        /// Nil if it is that of the other events.
        var opensOn: Platform?
    }

    struct Load: Hashable {
        var status = PartitionStatus.complete
        fileprivate var codes: [String] = []
        fileprivate var sentences: [String] = []
        fileprivate var gaps: [String] = []
        fileprivate var isAccepted = false
    }

    private struct Name: Hashable {
        let label: String
        let campaign: String?
        let variant: String?
        let day: LogDate?
        let sent: Int?
    }

    static let lastDate = LogDate(dayNumber: 20_776)

    /// The log dates that are loaded. Events of others are lost.
    var loads: [LogDate: Load] = [:]
    /// By the day on which they were first seen.
    var messages: [LogDate: [Messages]] = [:]
    var windowDays = 30
    private var holds: [LogDate: String] = [:]
    private var names: [String: Name] = [:]
    private var edits: [String] = []

    /// Log dates up to the last that are complete.
    static func usual(days: Int = 56, _ messages: (_ daysAgo: Int) -> [Messages] = { _ in [Messages()] }) -> Scene {
        var scene = Scene()
        for daysAgo in 0..<days {
            scene.loads[lastDate.adding(days: -daysAgo)] = Load()
            scene.add(messages(daysAgo), on: lastDate.adding(days: -daysAgo))
        }
        return scene
    }

    mutating func add(_ all: [Messages], on day: LogDate) { messages[day, default: []] += all }

    /// Holds back a later load of a log date.
    mutating func hold(_ date: LogDate, because detail: String) { holds[date] = detail }

    /// Gives the load of a log date warnings.
    mutating func warn(
        _ codes: String, _ sentences: [String] = [], gaps: [String] = [], of date: LogDate, isAccepted: Bool = false
    ) {
        let status = loads[date]?.status ?? .complete
        loads[date] = Load(
            status: status, codes: codes.split(separator: ",").map(String.init), sentences: sentences, gaps: gaps,
            isAccepted: isAccepted)
    }

    /// Puts a line into the delivery file, in the place of a former one.
    /// - Parameter day: the day that it was sent on.
    mutating func name(
        _ delivery: String, _ label: String, campaign: String? = nil, variant: String? = nil, day: LogDate? = nil,
        sent: Int? = nil
    ) {
        names[delivery] = Name(label: label, campaign: campaign, variant: variant, day: day, sent: sent)
    }

    /// Has somebody edit push.db after it was published.
    mutating func edit(_ sql: String) { edits.append(sql) }

    /// Gives a delivery another id in push.db. The scene itself would take ids for one that Swift treats as equal.
    mutating func rename(_ delivery: String, to id: String) {
        for table in ["deliveries", "delivery_results", "delivery_platforms", "daily_actions", "daily_funnel"] {
            edit("UPDATE \(table) SET delivery_id = '\(id)' WHERE delivery_id = '\(delivery)'")
        }
    }
}

// MARK: What the program makes of it

extension Scene {
    private static let published = Kept<Scene, ScratchFolder>()

    func output() throws -> OutputDatabase {
        OutputDatabase(OutputFolder(try Scene.published.value(of: self, orMade: publish).root))
    }

    private func publish() throws -> ScratchFolder {
        struct Held: Encodable { let shown: HeldRecord }
        let scratch = try ScratchFolder()
        let folder = OutputFolder(scratch.root)
        let locked = LockedOutput(folder: folder)
        try folder.create()
        for date in loads.keys { try load(date, into: folder) }
        for (date, detail) in holds {
            let record = HeldRecord(
                logDate: date, heldAt: 0, reason: "loss", detail: detail,
                installed: loads[date].map { _ in date.description })
            try locked.hold(Held(shown: record), rejects: [String](), as: "\(date)\(OwnName.held)")
        }
        var settings = PublicationSettings(
            zone: .utc, windowDays: windowDays, sourceNames: ["adobe"], programVersion: "1")
        var list = DeliveryList()
        for (id, it) in names {
            list.add(id, label: it.label, campaign: it.campaign, variant: it.variant, day: it.day, sent: it.sent)
        }
        settings.deliveries = (list, "1")
        var resources = PublishingResources()
        resources.justWritten = Set(loads.keys)
        let request = PublishRequest(settings: settings, resources: resources, loads: loads.map(Scene.record))
        let output = OutputDatabase(folder)
        _ = try output.publish(request, in: locked)
        if loads.isEmpty, holds.isEmpty {
            // A push.db without log dates is left where the only partition has gone.
            try load(Scene.lastDate, into: folder)
            _ = try output.publish(request, in: locked)
            unlink(folder.partitionPath(Scene.lastDate))
            _ = try output.publish(request, in: locked)
        }
        for sql in edits { try execute(sql, on: folder.databasePath) }
        // A report reads push.db alone.
        try scratch.remove("partitions")
        return scratch
    }

    private static func record(of date: LogDate, _ load: Load) -> LoadRecord {
        func texts(_ words: [String]) -> [MessageText] { words.map { "\($0)" } }
        let warnings = LoadWarnings(
            codes: load.codes, sentences: texts(load.sentences), gaps: texts(load.gaps), isAccepted: load.isAccepted)
        let told = warnings.sentences.map { $0.shown(.stored) }.joined(separator: "\n")
        return LoadRecord(
            logDate: date, startedAt: 0, finishedAt: 0,
            verdict: load.isAccepted ? .accepted : load.status == .partial ? .partial : .loaded,
            detail: told.isEmpty ? nil : told, warnings: warnings, files: 1, records: 0, accepted: 0, filtered: 0,
            rejected: 0, events: 0, duplicates: 0)
    }

    private func load(_ date: LogDate, into folder: OutputFolder) throws {
        let before = messages[date.adding(days: -1)] ?? []
        let loaded = LoadedDate(
            date: date, status: loads[date]?.status ?? .complete,
            before: before.contains { $0.openedNextDay > 0 || $0.late > 0 } ? before : [], own: messages[date] ?? [])
        try loaded.install(into: folder)
    }
}

// MARK: What is read of it

extension Scene {
    func integer(_ sql: String) throws -> Int { try Database(output().path, isReadOnly: true).value(sql) ?? 0 }

    func rows(_ sql: String) throws -> [[String]] {
        try Database(output().path, isReadOnly: true).rows(sql) { $0.values.map(\.text) }
    }

    private static let usualReports = Kept<Scene, Report>()

    /// - Parameter request: nil for the usual report, which is made once.
    func report(_ request: ReportRequest? = nil) throws -> Report {
        func report() throws -> Report { try Report(of: output()) { _ in request ?? ReportRequest() } }
        return try request == nil ? Scene.usualReports.value(of: self, orMade: report) : report()
    }

    func page(_ request: ReportRequest? = nil) throws -> ParsedPage {
        try ParsedPage(try report(request).html)
    }
}
