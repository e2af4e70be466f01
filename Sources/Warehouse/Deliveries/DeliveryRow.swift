import Counting
import Events

/// A row of a table by delivery.
struct DeliveryRow: TableRow {
    enum Kind: Hashable, Sendable {
        case delivery
        case result
        case platform(Platform)
    }

    let kind: Kind
    let id: ExactText
    /// What the delivery files say; nil if they do not name it.
    let named: Delivery?
    /// Days since 1970-01-01.
    var sentDay: Int32?
    var days: ClosedRange<Int32>?
    /// Whether it can be known that nothing arrived.
    var knowsArrivals = false
    /// In the order of `FunnelColumn`; empty for `deliveries`.
    var funnel: [Int] = []

    /// The numerators of the rates.
    private static let rated: [FunnelColumn] = [.arrived, .impressed, .clicked, .opened]

    var sent: Int? {
        guard case .platform(let platform) = kind else { return named?.sent }
        return named?.counts.first { $0.platform == platform }?.sent
    }

    private var delivered: Int? {
        guard case .platform(let platform) = kind else { return named?.delivered }
        return named?.counts.first { $0.platform == platform }?.delivered
    }

    var arrived: Int { funnel[FunnelColumn.arrived.rawValue] }

    func write<Sink: ValueSink>(_: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(id.text)
        if case .platform(let platform) = kind {
            try sink.add(platform.name)
        } else {
            try sink.add(text: named?.label)
            try sink.add(text: named?.campaign)
            try sink.add(text: named?.variant)
            try sink.add(time: named?.sentAt)
        }
        if kind == .delivery { try sink.add(Int64(named == nil ? 0 : 1)) }
        if kind == .result { try sink.add(date: sentDay) }
        if kind == .delivery || kind == .result {
            try sink.add(date: days?.lowerBound)
            try sink.add(date: days?.upperBound)
        }
        if kind == .delivery { return }
        let sent = sent
        try sink.add(count: sent)
        try sink.add(count: delivered)
        for count in funnel { try sink.add(Int64(count)) }
        for column in DeliveryRow.rated {
            if let sent, sent > 0, column != .arrived || knowsArrivals {
                try sink.add(Double(funnel[column.rawValue]) / Double(sent))
            } else {
                try sink.addNull()
            }
        }
    }
}

extension DeliveryRow.Kind {
    /// The index of the table in `OutputSchema.byDelivery`.
    var table: Int {
        switch self {
        case .delivery: 0
        case .result: 1
        case .platform: 2
        }
    }
}

extension ValueSink {
    mutating func add(text: String?) throws(Failure) {
        if let text { try add(text) } else { try addNull() }
    }

    mutating func add(date day: Int32?) throws(Failure) {
        if let day { try add(date: day) } else { try addNull() }
    }

    mutating func add(count: Int?) throws(Failure) {
        if let count { try add(Int64(count)) } else { try addNull() }
    }
}
