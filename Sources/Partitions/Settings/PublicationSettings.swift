import Calendar
import Events
import Foundation

/// The settings of the pipeline file for publishing.
package struct PublicationSettings: Sendable {
    package var zone: ZoneRules
    /// Log dates are within reach of each other if they are at most this many days apart.
    package var windowDays: Int
    /// In pipeline order.
    package var sourceNames: [String]
    /// Names of sources without which a log date is partial.
    package var requiredSources: Set<String> = []
    /// The fingerprint of the pipeline file, for `about`. The figures do not depend on it.
    package var pipeline: String
    /// Whether a log date was read by other rules of a time zone than the present ones. Then its fingerprint in
    /// `partitions` is another than the pipeline's.
    package var isReadByOtherRules: @Sendable (PartitionSummary) -> Bool = { _ in false }
    /// Identifies the checks of the pipeline file. The figures do not depend on it, but what is kept of their findings does.
    package var checks = ""
    /// For `about`. The figures do not depend on it.
    package var programVersion: String
    /// What the delivery files say, and its version; nil to leave what push.db has.
    package var deliveries: (list: DeliveryList, version: String?)?

    package init(
        zone: ZoneRules, windowDays: Int, sourceNames: [String], pipeline: String = "", programVersion: String
    ) {
        self.zone = zone
        self.windowDays = windowDays
        self.sourceNames = sourceNames
        self.pipeline = pipeline
        self.programVersion = programVersion
    }

    /// Equal versions and equal partitions give equal figures. The number at the front changes when the rules of the
    /// figures change.
    package var version: String {
        let quoted = sourceNames.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return "3; time zone \(zone.version); window_days \(windowDays); sources \(quoted.joined(separator: ", "))"
    }

    /// The required sources on a line each.
    private var required: String { requiredSources.sorted().joined(separator: "\n") }

    /// What push.db notes, by key.
    package var facts: [String: String] {
        [
            "settings": version, "pipeline": pipeline, "checks": checks, "timezone": zone.name,
            "window_days": String(windowDays), "schema_version": String(OutputSchema.version),
            "version": programVersion, "required": required,
        ]
    }

    /// The settings of a `version`; nil if it is none, or if its time zone is not known here.
    package init?(version: String, required: String, programVersion: String) {
        let form = /[0-9]+; time zone ([^ ;]+)(?: [^;]*)?; window_days ([0-9]+); sources "(.*)"/.dotMatchesNewlines()
        guard let parts = version.wholeMatch(of: form), let windowDays = Int(parts.2),
            let zone = try? ZoneDatabase.zone(String(parts.1))
        else { return nil }
        let sources = parts.3.components(separatedBy: "\", \"").map { $0.replacing("\"\"", with: "\"") }
        self.init(zone: zone, windowDays: windowDays, sourceNames: sources, programVersion: programVersion)
        requiredSources = Set(required.split(separator: "\n").map(String.init))
    }
}

/// The resources of a publishing.
package struct PublishingResources: Sendable {
    /// Bytes for blocks of events, for all workers together. Names, daily rows and events of shared messages need more.
    package var memory: Int
    package var workers: any Workers
    /// The lowest number of events in a piece of work, unless fewer are left.
    package var leastPiece = 16 * EventBlock.capacity
    /// The log dates whose partitions this process has just written. They need not be verified.
    package var justWritten: Set<LogDate> = []
    /// The log dates that this process has loaded, also if their partitions had the same content already.
    package var justLoaded: Set<LogDate> = []
    /// Called often, on any thread. True ends the publishing with `.stopped` before anything is written.
    package var isStopped: @Sendable () -> Bool

    package init(
        memory: Int = 256 << 20, workers: any Workers = SerialWorkers(),
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.memory = memory
        self.workers = workers
        self.isStopped = isStopped
    }

    /// Throws `.stopped` if the publishing must end.
    package func check() throws(WarehouseError) {
        if isStopped() { throw .stopped }
    }
}

/// Distributes work over threads. The warehouse has no threads of its own.
package protocol Workers: Sendable {
    /// The number of pieces that run at the same time; at least 1.
    var count: Int { get }

    /// Calls `body` with each number below `pieces` and returns the results in this order. Pieces may run in parallel,
    /// on any thread.
    /// - Throws: an error of `body`. Pieces that have not started by then are skipped.
    func map<Result: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result]

    /// Runs `body` on the caller's thread, and `other` beside it if there are several threads. Returns what `other` gives.
    /// - Throws: the error of `body`, or else that of `other`.
    func beside<Result: Sendable>(
        _ other: @Sendable @escaping () throws -> Result, body: () throws -> Void
    ) throws -> Result
}

extension Workers {
    package func beside<Result: Sendable>(
        _ other: @Sendable @escaping () throws -> Result, body: () throws -> Void
    ) throws -> Result {
        try body()
        return try other()
    }
}

/// Runs the pieces one after another on the caller's thread.
package struct SerialWorkers: Workers {
    package init() {}

    package var count: Int { 1 }

    package func map<Result: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        var results: [Result] = []
        for piece in 0..<pieces { results.append(try body(piece)) }
        return results
    }
}
