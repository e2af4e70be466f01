import Events

/// Receives records. Each record is accepted, filtered or rejected exactly once. Spans are valid only during a call.
package protocol RecordSink {
    /// Called before the records of a line, or of a body that begins in it. Not called on the fast path.
    mutating func begin(line: Int)

    /// Accepts a record. `delivery` is the delivery id in normal form: valid UTF-8 in lower case.
    mutating func accept(_ record: Record, delivery: Span<UInt8>)

    /// Accepts several records at once, because a call per record would cost more than reading it. Their delivery ids
    /// are in `bytes`, and all have a user agent.
    mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>)

    /// Counts a valid record that does not count.
    mutating func filter(_ reason: FilterReason)

    /// Counts an invalid record.
    /// - Parameters:
    ///   - line: 1-based.
    ///   - detail: makes a sentence that explains the reason; may be empty.
    ///   - evidence: raw bytes of the record, for `maskedSample`.
    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>)
}

extension RecordSink {
    package mutating func begin(line: Int) {}

    /// Counts an invalid record without a detail.
    package mutating func reject(_ reason: RejectReason, line: Int, evidence: Span<UInt8>) {
        reject(reason, line: line, detail: { "" }, evidence: evidence)
    }

    /// Accepts the records one by one.
    package mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>) {
        for index in found.indices {
            accept(found[index], in: bytes, hasUserAgent: true)
        }
    }

    @inline(never)
    mutating func accept(_ event: FoundEvent, in bytes: Span<UInt8>, hasUserAgent: Bool) {
        let record = Record(
            id: event.id, kind: event.kind, time: event.time, action: event.action, platform: event.platform,
            hasUserAgent: hasUserAgent)
        accept(record, delivery: bytes.extracting(event.delivery..<event.delivery + Int(event.deliveryCount)))
    }
}

/// A small buffer of events for a sink, which accepts several at once.
struct FoundEvents {
    private var events: InlineArray<32, FoundEvent>
    private var count = 0

    init() {
        let filler = FoundEvent(
            id: EventID(high: 0, low: 0), kind: .hex, time: 0, action: 0, platform: .unknown, delivery: 0..<0)
        events = InlineArray(repeating: filler)
    }

    /// Adds an event that was found in `bytes`; passes all on if the buffer is full.
    @inline(__always)
    mutating func append(_ event: FoundEvent, in bytes: Span<UInt8>, _ sink: inout some RecordSink) {
        events[count] = event
        count &+= 1
        if count == events.count { flush(to: &sink, bytes) }
    }

    /// Passes all events to the sink.
    mutating func flush(to sink: inout some RecordSink, _ bytes: Span<UInt8>) {
        guard count > 0 else { return }
        sink.accept(events.span.extracting(0..<count), in: bytes)
        count = 0
    }
}
