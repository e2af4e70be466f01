import Calendar
import Configuration
import Foundation
import Partitions
import Records

/// A log date's last load, which was held back. It is stored until the date is loaded: it has the reason and the rejects,
/// and the files and the pipeline that say whether another attempt can end differently.
///
/// It is the file `partitions/.held/2026-11-19.jsonl`: a line for the load, then a line for each reject.
///
///     {"code":"loss","detail":"…","files":[{"bytes":172,"fingerprint":"0f…","path":"a.log.gz","source":"adobe"}],…}
///     {"detail":"","line":95,"path":"a.log.gz","reason":"bad_time","sample":"***","source":"adobe"}
package struct HeldLoad: Codable, Sendable {
    /// How many records of a source were rejected for a reason.
    package struct RejectCount: Codable, Sendable {
        package let source: String
        /// The code of a `RejectReason`.
        package let reason: String
        package let records: Int
    }

    /// Why it was held back.
    package let reason: HoldReason
    /// Counts of all rejects, also of those without a stored sample; in the order of sources and reasons.
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
    /// Those that are to be stored. They are read apart.
    var rejects: [Reject] = []

    private enum CodingKeys: String, CodingKey {
        case reason, rejected, files, pipeline, sources, limits, shown
        case installed = "standing"
    }

    /// - Parameter former: the last load that was held back, if there is one.
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
    /// The held-back load of a log date, if it is still the last one: no other partition was installed since. Nil if there is
    /// none, or if the file cannot be read. `version` is that of the installed partition; nil if there is no readable one.
    package init?(_ date: LogDate, in output: OutputFolder, installed version: String?) {
        guard let line = output.heldLines(HeldLoad.name(date), atMost: 1).first,
            let value = try? JSONDecoder().decode(HeldLoad.self, from: line),
            version == nil || version == value.installed
        else { return nil }
        self = value
    }

    /// Sources of which a line did not fit its layout.
    var misfits: Set<String> {
        Set(rejected.filter { $0.reason == RejectReason.malformedLine.code }.map(\.source))
    }

    /// Writes the load and its rejects, durably.
    package func write(_ date: LogDate, in held: HeldOutput) throws {
        try held.hold(self, rejects: rejects, as: HeldLoad.name(date))
    }

    /// The rejects of a held-back load, in the order of its files.
    package static func rejects(_ date: LogDate, in output: OutputFolder) -> [Reject] {
        output.heldLines(name(date)).dropFirst().compactMap { line in
            try? JSONDecoder().decode(Reject.self, from: line)
        }
    }

    /// Forgets the hold, since the date is loaded.
    static func remove(_ date: LogDate, in held: HeldOutput) throws {
        try held.endHold(name(date))
    }

    private static func name(_ date: LogDate) -> String { "\(date)" + OwnName.held }
}
