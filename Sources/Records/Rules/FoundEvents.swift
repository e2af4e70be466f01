import Events

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
    mutating func append(_ event: FoundEvent, in bytes: Span<UInt8>, flushingTo sink: inout some RecordSink) {
        assert(count < events.count)
        events[count] = event
        count &+= 1
        if count == events.count { flush(to: &sink, from: bytes) }
    }

    /// Passes all events to the sink.
    mutating func flush(to sink: inout some RecordSink, from bytes: Span<UInt8>) {
        guard count > 0 else { return }
        sink.accept(events.span.extracting(0..<count), in: bytes)
        count = 0
    }
}
