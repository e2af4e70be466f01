import LogFiles
import Messages
import Partitions

/// What the files of a log date add up to.
struct FileTotals: Sendable {
    /// Number of log files.
    let files: Int
    /// Their size on disk, in bytes.
    let bytes: Int
    /// Counts of the records of each source, by its index; empty if the files were not read.
    let tallies: [FileTally]
    /// The records of each source by outcome and reason. Outcomes that did not occur are left out.
    let outcomes: [OutcomeCount]
    /// Counts of the records of all files.
    let tally: FileTally
    /// Files that are truncated or damaged, or have bytes after their end.
    let faultyFiles: [(path: String, report: FileReport)]
    /// Why a partition made from these files is partial; empty if it is complete.
    let partialCauses: [PartialCause]
    /// Warnings about the sources.
    let warnings: [Message]

    init(_ results: [FileResult], of plan: LogDatePlan) {
        files = results.count
        bytes = results.reduce(0) { $0 + $1.report.bytes }
        tallies = results.reduce(into: Array(repeating: FileTally(), count: plan.pipeline.sources.count)) {
            $0[$1.file.source] += $1.tally
        }
        outcomes = zip(plan.pipeline.sources, tallies).flatMap { source, tally in
            tally.counts.map { count in
                OutcomeCount(
                    source: source.name, outcome: count.outcome, reason: count.reason, records: count.records)
            }
        }
        tally = tallies.reduce(into: FileTally()) { $0 += $1 }
        faultyFiles = results.filter { $0.report.status != .ok || $0.report.trailingBytesAt != nil }.map {
            ($0.file.found.path, $0.report)
        }
        partialCauses =
            results.compactMap { PartialCause(path: $0.file.found.path, status: $0.report.status) }
            + plan.missingSources.map { .missingSource(name: $0.name) }
        let missing = plan.missingSources.map { source in
            Message(
                .missingSource,
                text:
                    "source '\(source.name)' has no files (\(path: source.files.text(on: plan.date))), so the date is partial"
            ).acceptable(on: plan.date)
        }
        warnings = missing + Plausibility(of: plan, tallies: tallies).ofRecords
    }

    /// The totals of files that were not read.
    init(unread found: [InputFile]) {
        files = found.count
        bytes = found.reduce(0) { $0 + $1.found.bytes }
        tallies = []
        outcomes = []
        tally = FileTally()
        faultyFiles = []
        partialCauses = []
        warnings = []
    }
}
