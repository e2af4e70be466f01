import Events
import Partitions
import Records

/// Takes the records of one worker's files. Accepted records go to the collector, others are counted, and rejects stored.
struct RecordTally: RecordSink {
    var collector: EventCollector
    private(set) var tally = FileTally()
    private(set) var rejects: [Reject] = []

    private var firstSection = 0
    private var source: UInt16 = 0
    private var sourceName = ""
    private var path = ""
    private let sampleKeys: [SampleKeys]

    /// `sampleKeys` are by source index.
    init(collector: EventCollector, sampleKeys: [SampleKeys]) {
        self.collector = collector
        self.sampleKeys = sampleKeys
    }

    /// `firstSection` is the index of the section for the source's hex ids; those for UUIDs and opaque ids follow it.
    mutating func beginFile(_ file: InputFile, sourceName: String, firstSection: Int) {
        tally = FileTally()
        rejects = []
        source = UInt16(file.source)
        self.sourceName = sourceName
        self.firstSection = firstSection
        path = file.found.path
    }

    @inline(__always)
    mutating func accept(_ record: Record, delivery: Span<UInt8>) {
        tally.accept(record)
        collector.append(
            Event(
                id: record.id, time: record.time, delivery: collector.delivery(delivery), source: source,
                action: record.action, platform: record.platform),
            section: firstSection &+ Int(record.kind.rawValue))
    }

    mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>) {
        tally.accept(found)
        collector.append(found, in: bytes, source: source, firstSection: firstSection)
    }

    mutating func filter(_ reason: FilterReason) {
        tally.filter(reason)
    }

    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>) {
        let isKept = tally.count(reason) < FileTally.rejectsKept
        let detail = isKept ? detail() : ""
        tally.reject(reason, path: path, line: line, detail: detail)
        guard isKept else { return }
        rejects.append(
            Reject(
                source: sourceName, path: path, line: line, reason: reason.code, detail: detail,
                sample: maskedSample(evidence, sampleKeys[Int(source)])))
    }
}
