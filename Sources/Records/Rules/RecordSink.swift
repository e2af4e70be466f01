import Events

/// Receives records. Each record is accepted, filtered or rejected exactly once. Spans are valid only during a call.
package protocol RecordSink {
    /// Called before the records of a line, or of a body that begins in it. Not called on the fast path.
    mutating func begin(line: Int)

    /// Accepts a record. `delivery` is the delivery id in normal form: valid UTF-8 in lower case.
    mutating func accept(_ record: Record, delivery: Span<UInt8>)

    /// The same for a record that may call its delivery something.
    mutating func accept(_ record: Record, delivery: Span<UInt8>, names: [FoundName])

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

    package mutating func accept(_ record: Record, delivery: Span<UInt8>, names: [FoundName]) {
        accept(record, delivery: delivery)
    }

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
