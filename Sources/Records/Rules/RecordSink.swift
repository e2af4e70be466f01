import Events

/// Where records go: each one comes to exactly one of the three.
package protocol RecordSink {
    /// `delivery` is the delivery id, trimmed, in lower case, in valid UTF-8; it lives for the call only.
    mutating func accept(_ record: Record, delivery: Span<UInt8>)

    /// Accepts several records at once, whose delivery ids are in `bytes`; a call each would cost more than reading them.
    /// All of them have a user agent.
    mutating func accept(_ found: Span<FoundEvent>, in bytes: Span<UInt8>)

    mutating func filter(_ reason: FilterReason)

    /// `line` is 1-based; `detail` makes the sentence that says why a line does not fit its layout, empty for other
    /// reasons; `evidence` are bytes of the record as they were read, for `maskedSample`. They live for the call only.
    mutating func reject(_ reason: RejectReason, line: Int, detail: () -> String, evidence: Span<UInt8>)
}

extension RecordSink {
    package mutating func reject(_ reason: RejectReason, line: Int, evidence: Span<UInt8>) {
        reject(reason, line: line, detail: { "" }, evidence: evidence)
    }

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
