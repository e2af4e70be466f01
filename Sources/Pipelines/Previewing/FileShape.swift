import Calendar
import Configuration
import Events
import LogFiles
import Messages
import Posix
import Records

/// The facts about a log file that may be shown to strangers: the outcomes of its first records, and a few masked
/// lines.
package struct FileShape: Sendable {
    package struct Reject: Encodable, Sendable {
        /// The reason's code.
        package let reason: String
        package let sample: String
    }

    package let packing: Packing
    /// The state of the file as far as it was read.
    package let status: FileStatus
    /// Whether it is no log, but an archive or the like.
    package let isForeign: Bool
    package let tally: FileTally
    /// The first lines, masked.
    package let lines: [String]
    /// The first record of each reason, masked.
    package let rejects: [Reject]

    private static let mostLines = 2

    /// Reads the sample of a file.
    /// - Parameter source: the index of the file's source.
    /// - Throws: `LogFileError`.
    package init(of file: Preview.File, pipeline: Pipeline, source: Int, date: LogDate) throws {
        let input = InputFile(source: source, found: FoundFile(path: file.path, location: file.location, bytes: 0))
        let rules = LogDatePlan(pipeline, date: date, files: [input]).rules[source]
        let keys = SampleKeys(forStrangers: rules)
        let sample = try input.naming { try Sample(ofFileAt: $0) }
        var sink = ShapeSink(keys: keys)
        var reader = RecordReader(rules)
        reader.readSample(sample.bytes.span, isAtEnd: sample.isAtEnd, rules: rules, into: &sink)
        packing = sample.beginning.packing
        status = sample.status
        isForeign = sample.beginning.foreignKind != nil
        tally = sink.tally
        rejects = sink.rejects
        lines = sample.bytes.split(separator: 0x0A, maxSplits: Self.mostLines).prefix(Self.mostLines).map { line in
            maskedSample(of: line.span, keys: keys)
        }
    }
}

/// Counts records, and keeps the first reject of each reason.
private struct ShapeSink: RecordSink {
    let keys: SampleKeys
    private(set) var tally = FileTally()
    private(set) var rejects: [FileShape.Reject] = []

    init(keys: SampleKeys) { self.keys = keys }

    mutating func accept(_ record: Record, delivery: Span<UInt8>) { tally.accept(record) }

    mutating func filter(_ reason: FilterReason) { tally.filter(reason) }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        if tally.count(reason) == 0 {
            rejects.append(FileShape.Reject(reason: reason.code, sample: maskedSample(of: evidence, keys: keys)))
        }
        tally.reject(reason, path: "", line: line, detail: "")
    }
}
