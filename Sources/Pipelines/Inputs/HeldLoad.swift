import Calendar
import Configuration
import Foundation
import Partitions
import Records

/// The last load of a log date, which was held back. It keeps the reason, the rejects, and the files and settings of
/// the load. These tell whether another attempt can end differently. It is stored until the log date is loaded.
///
/// It is the file `partitions/.held/2026-11-19.jsonl`: a line for the load, then a line for each reject.
///
///     {"code":"loss","detail":"…","files":[{"bytes":172,"fingerprint":"0f…","path":"a.log.gz","source":"adobe"}],…}
///     {"detail":"","line":95,"path":"a.log.gz","reason":"bad_time","sample":"***","source":"adobe"}
package struct HeldLoad: Codable, Sendable {
    /// The number of a source's records that were rejected for one reason.
    package struct RejectCount: Codable, Sendable {
        package let source: String
        /// The code of a `RejectReason`.
        package let reason: String
        package let records: Int
    }

    package let reason: HoldReason
    /// The counts of all rejects, including those without a stored sample, in the order of sources and reasons.
    package let rejected: [RejectCount]
    let files: [FormerFile]
    /// The pipeline's fingerprint, its sources, and its limits.
    let pipeline: String
    let sources: [LoadedSource]
    let limits: String
    /// In the table `held`.
    private let shown: HeldRecord
    /// The version of the partition that was installed then; nil if there was no readable one.
    let installed: String?
    /// The rejects to store. Decoding leaves them out: see `rejects(_:in:)`.
    var rejects: [Reject] = []

    private enum CodingKeys: String, CodingKey {
        case reason, rejected, files, pipeline, sources, limits, shown
        case installed = "standing"
    }

    /// - Parameter former: the load that was held back before, if there is one. Its time stays if nothing else has
    ///   changed.
    init(
        _ reason: HoldReason, of date: LogDate, rejected: [RejectCount], files: [FormerFile], pipeline: Pipeline,
        sources: [LoadedSource], installed: String?, rejects: [Reject], since former: HeldLoad?
    ) {
        self.reason = reason
        self.rejected = rejected
        self.files = files
        self.pipeline = pipeline.fingerprint
        self.sources = sources
        limits = pipeline.limits
        self.installed = installed
        self.rejects = rejects
        var heldAt = Date().milliseconds
        if let former, former.reason == reason, former.files == files, former.pipeline == self.pipeline {
            heldAt = former.shown.heldAt
        }
        shown = HeldRecord(
            logDate: date, heldAt: heldAt, reason: reason.code, detail: reason.message.text.shown(.stored),
            installed: installed)
    }
}

extension HeldLoad {
    /// Reads the held-back load of a log date. Nil if there is none, if its file cannot be read, or if another
    /// partition was installed since. `version` is the version of the installed partition; nil if none is readable.
    package init?(_ date: LogDate, in output: OutputFolder, installed version: String?) {
        guard let line = output.heldLines(HeldLoad.name(date), atMost: 1).first,
            let value = try? JSONDecoder().decode(HeldLoad.self, from: line),
            version == nil || version == value.installed
        else { return nil }
        self = value
    }

    /// The names of the sources with lines that fitted no layout.
    var misfits: Set<String> {
        Set(rejected.filter { reasonsOfMisfits.contains($0.reason) }.map(\.source))
    }

    /// Writes the load and its rejects, durably.
    package func write(_ date: LogDate, in locked: LockedOutput) throws {
        try locked.hold(self, rejects: rejects, as: HeldLoad.name(date))
    }

    /// The rejects of a held-back load, in the order of its files.
    package static func rejects(_ date: LogDate, in output: OutputFolder) -> [Reject] {
        output.heldLines(name(date)).dropFirst().compactMap { line in
            try? JSONDecoder().decode(Reject.self, from: line)
        }
    }

    /// Ends the hold.
    static func remove(_ date: LogDate, in locked: LockedOutput) throws {
        try locked.endHold(name(date))
    }

    private static func name(_ date: LogDate) -> String { "\(date)" + OwnName.held }
}
