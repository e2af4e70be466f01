import Calendar
import Messages

/// The content of a pipeline file: checked, with defaults filled in.
package struct Pipeline: Sendable {
    /// What to do with a damaged or truncated file.
    package enum DamagedFiles: String, CaseIterable, Sendable {
        /// Records before the damage count; the log date is partial.
        case skip
        /// The log date is held back.
        case fail
    }

    /// The pipeline file's path, as the user gave it.
    package let file: String
    /// The absolute folder of the file. The sources' patterns are relative to it.
    package let folder: String
    /// The zone of days and of times without an offset.
    package let zone: ZoneRules
    /// The absolute folder that holds `push.db` and the partitions.
    package var output: String
    /// Log dates within this number of days are within reach of each other. From 0 to 3650.
    package let windowDays: Int
    package static let defaultWindowDays = 30
    /// The largest share of rejected records in an accepted load. From 0 to 1.
    package let rejectRatio: Double
    /// `skip` by default.
    package let damagedFiles: DamagedFiles
    /// The number of days for which ids are kept; nil to keep them for ever. At least 8, and at least twice
    /// `windowDays`. Not part of the fingerprint.
    package let idDays: Int?
    /// In the order in which the files are read; empty if the pipeline names none.
    package let deliveries: [DeliveryFiles]
    /// In the order of the file, at most 100. Not part of the fingerprint.
    package let checks: [Check]
    /// At least one and at most 1,000. Their order decides ties between records.
    package let sources: [Source]
    /// The names of the actions of all sources, each once, sorted by bytes. At most 1,000.
    package let actionNames: [String]
    /// The zones that decide what a time means, the pipeline's first. Another one that is UTC has no rules to change.
    var zones: [ZoneRules] {
        sources.flatMap { [$0.lineZone, $0.payloadZone] }.reduce(into: [zone]) { zones, zone in
            guard let zone, zone.name != ZoneRules.utc.name, !zones.contains(where: { $0.name == zone.name }) else {
                return
            }
            zones.append(zone)
        }
    }

    /// The names and rule versions of all zones, the pipeline's zone first.
    package var zoneVersions: String { zones.map(\.version).joined(separator: " ") }

    /// The errors if past log dates are to be loaded: patterns without a date.
    let undatedFiles: [Message]
    /// The errors if this machine alone is to load the files: patterns that are URIs.
    let filesAtURI: [Message]
    /// Warnings about likely mistakes, in the order of the file.
    package let warnings: [Message]
}

extension Pipeline {
    /// The warnings that apply to a command.
    /// - Parameter outputIsGiven: whether the command names the output's folder itself.
    package func warnings(outputIsGiven: Bool) -> [Message] {
        warnings.filter { $0.code != .missingOutput || !outputIsGiven }
    }

    /// Whether 'backfill' takes the pipeline file.
    package var hasBackfill: Bool { undatedFiles.isEmpty }

    /// Checks that past log dates can be loaded: every source's pattern must contain the date.
    package func checkDatePlaceholders() throws(PipelineFileError) {
        if !undatedFiles.isEmpty { throw PipelineFileError(messages: undatedFiles) }
    }

    /// Checks that this machine alone can load the files: no pattern may be a URI.
    package func checkLocalFiles() throws(PipelineFileError) {
        if !filesAtURI.isEmpty { throw PipelineFileError(messages: filesAtURI) }
    }

    /// The latest log date for which a source has files; nil if there is none, or the folders cannot be searched.
    package var latestDateWithFiles: LogDate? {
        sources.compactMap { source in (try? source.files.dates(in: folder))?.last }.max()
    }
}
