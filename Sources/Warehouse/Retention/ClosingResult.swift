/// What a publishing has done about old log dates, or would do.
package struct ClosingResult: Equatable, Sendable {
    /// The last closed log date; nil if there is none.
    package internal(set) var through: Int32?
    /// How many were closed just now, loaded or not.
    package internal(set) var closed = 0
    /// In order, like `erased`.
    package internal(set) var settled: [Int32] = []
    /// The log dates whose ids were erased.
    package internal(set) var erased: [Int32] = []
    /// A log date with a partition that is damaged or gone, so that those within reach do not settle; nil if there is none.
    package internal(set) var hindrance: Int32?
    /// Why files could not be removed.
    package internal(set) var failure: WarehouseError?

    package init() {}

    /// - Parameter before: nil if no log date was closed.
    init(_ closed: ClosedDates, since before: ClosedDates?) {
        through = closed.through
        if let through { self.closed = max(0, Int(through) - Int(before?.through ?? closed.first - 1)) }
    }
}
