import Events

/// Events on their way to a sink, some at a time.
struct FoundEvents {
    private var events: InlineArray<32, FoundEvent>
    private var count = 0

    init() {
        let none = FoundEvent(
            id: EventID(high: 0, low: 0), kind: .hex, time: 0, action: 0, platform: .unknown, delivery: 0..<0)
        events = InlineArray(repeating: none)
    }

    @inline(__always)
    mutating func append(_ event: FoundEvent, in bytes: Span<UInt8>, _ sink: inout some RecordSink) {
        events[count] = event
        count &+= 1
        if count == events.count { hand(to: &sink, bytes) }
    }

    mutating func hand(to sink: inout some RecordSink, _ bytes: Span<UInt8>) {
        guard count > 0 else { return }
        sink.accept(events.span.extracting(0..<count), in: bytes)
        count = 0
    }
}
