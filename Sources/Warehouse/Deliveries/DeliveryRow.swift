import Counting
import Events

/// A row of a table by delivery.
struct DeliveryRow: TableRow {
    enum Kind: Sendable {
        case delivery
        case result
        case platform(Platform)
    }

    let kind: Kind
    let id: String
    /// What the delivery files say; nil if they do not name it.
    let named: Delivery?
    /// Days since 1970-01-01.
    var days: ClosedRange<Int32>?
    /// In the order of `FunnelColumn`; empty for `deliveries`.
    var funnel: [Int] = []

    var sent: Int? { count(\.sent) }

    private func count(_ count: KeyPath<Delivery.Counts, Int?>) -> Int? {
        guard case .platform(let platform) = kind else { return named?.total(count) }
        return named?.counts.first { $0.platform == platform }?[keyPath: count]
    }

    func write<Sink: ValueSink>(_: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        try sink.add(id)
        if case .platform(let platform) = kind {
            try sink.add(platform.name)
        } else {
            try sink.add(text: named?.label)
            try sink.add(text: named?.campaign)
            try sink.add(text: named?.variant)
            try sink.add(time: named?.sentAt)
        }
        if case .delivery = kind {
            try sink.add(Int64(named == nil ? 0 : 1))
            for day in [days?.lowerBound, days?.upperBound] {
                if let day { try sink.add(date: day) } else { try sink.addNull() }
            }
            return
        }
        try sink.add(count: sent)
        try sink.add(count: count(\.delivered))
        for count in funnel { try sink.add(Int64(count)) }
        for column in [FunnelColumn.arrived, .impressed, .clicked, .opened] {
            if let sent, sent > 0 {
                try sink.add(Double(funnel[column.rawValue]) / Double(sent))
            } else {
                try sink.addNull()
            }
        }
    }
}

extension ValueSink {
    fileprivate mutating func add(text: String?) throws(Failure) {
        if let text { try add(text) } else { try addNull() }
    }

    fileprivate mutating func add(count: Int?) throws(Failure) {
        if let count { try add(Int64(count)) } else { try addNull() }
    }
}
