import Calendar

/// The content of a pipeline file: checked, with defaults filled in.
package struct Pipeline: Sendable {
    /// What to do with a damaged or truncated file.
    package enum DamagedFiles: String, CaseIterable, Sendable {
        /// Records before the damage count; the log date is partial.
        case skip
        /// The log date is held back.
        case fail
    }

    /// What to do if a source has far fewer or far more records than is usual on that weekday.
    package enum Volume: String, CaseIterable, Sendable {
        /// Volumes are not compared.
        case off
        case warn
        /// The log date is held back.
        case hold
    }

    /// The pipeline file's path, as the user gave it.
    package let file: String
    /// The absolute folder of the file. The sources' patterns are relative to it.
    package let folder: String
    /// The zone of days and of times without an offset.
    package let zone: ZoneRules
    /// The absolute folder that holds `push.db` and the partitions.
    package let output: String
    /// From 0 to 3650.
    package let windowDays: Int
    /// From 0 to 1.
    package let rejectRatio: Double
    /// `skip` by default.
    package let damagedFiles: DamagedFiles
    /// `warn` by default. The fingerprint does not contain it: it never changes what an accepted load holds.
    package let volume: Volume
    /// How many days ids are held; nil if they stay. At least twice `windowDays` and 8. The fingerprint does not contain it.
    package let idDays: Int?
    /// In the order in which the files are read; empty if the pipeline names none.
    package let deliveries: [DeliveryFiles]
    /// At least one, at most 1,000; their order breaks ties between records.
    package let sources: [Source]
    /// The actions of all sources, by their bytes, each once; at most 1,000.
    package let actionNames: [String]
    /// The zones' names and the versions of their rules, the pipeline's first.
    package var zoneVersions: String {
        ([zone] + sources.compactMap(\.zone)).map(\.version).joined(separator: " ")
    }

    /// Things that are allowed and look like slips, in the order of their locations.
    package let warnings: [PipelineFileError.Problem]
}
