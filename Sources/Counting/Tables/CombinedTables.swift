import Events

/// The daily figures of several partitions together, of some days.
struct Figures: Sendable {
    private let days: ChangedDays
    private(set) var daily = DailyActions()
    private(set) var funnel = DailyFunnel()

    init(of days: ChangedDays) {
        self.days = days
    }

    /// Adds what a partition's figures have of the days: `part` is the partition's, whose numbers are those of `names` at
    /// `index`.
    mutating func merge(
        _ part: KeptFigures.Body, of partition: Partition, _ limits: EventNumberLimits, at index: Int,
        _ names: GlobalNames, days present: some Collection<Int32>
    ) throws(WarehouseError) {
        do {
            if !days.daily.isDisjoint(with: present) {
                var filter = DayFilter(days.daily)
                try Figures.forEachRow(of: part.daily, limits, else: try partition.daily(limits)) {
                    add($0, $1, at: index, names, &filter)
                }
            }
            if !days.funnel.isDisjoint(with: present) {
                var filter = DayFilter(days.funnel)
                try Figures.forEachRow(of: part.funnel, limits, else: try partition.funnel(limits)) {
                    add($0, $1, at: index, names, &filter)
                }
            }
        } catch let error as WarehouseError {
            throw error
        } catch {
            throw .corrupt(path: partition.path, detail: "what was kept of its figures is none")
        }
    }

    @inline(__always)
    private static func forEachRow<Rows: PackedRows>(
        of bytes: [UInt8]?, _ limits: EventNumberLimits, else own: @autoclosure () throws -> Rows,
        _ body: (PackedKey, Rows.Value) -> Void
    ) throws {
        if let bytes { return try Rows.forEachRow(in: bytes.span, limits, body) }
        for entry in try own().table.entries { body(entry.key, entry.value) }
    }

    @inline(__always)
    private mutating func add(
        _ key: PackedKey, _ sums: DailyActions.Sums, at index: Int, _ names: GlobalNames, _ filter: inout DayFilter
    ) {
        let row = DailyActions.Row(key)
        guard filter.holds(row.day) else { return }
        let source = UInt16(truncatingIfNeeded: names.sources.global(Int(row.source), of: index))
        let delivery = names.deliveries.global(Int(row.delivery), of: index)
        let action = UInt16(truncatingIfNeeded: names.actions.global(Int(row.action), of: index))
        daily.merge(sums, at: PackedKey(row.day, source, row.platform, delivery, action))
    }

    @inline(__always)
    private mutating func add(
        _ key: PackedKey, _ messages: Int, at index: Int, _ names: GlobalNames, _ filter: inout DayFilter
    ) {
        guard messages != 0, filter.holds(DailyFunnel.day(key)) else { return }
        let delivery = names.deliveries.global(Int(UInt32(truncatingIfNeeded: key.high)), of: index)
        funnel.merge(messages, at: PackedKey(high: (key.high >> 32) << 32 | UInt64(delivery), low: key.low))
    }
}

/// Whether days are among some, asked of rows whose neighbours mostly have the same day.
private struct DayFilter {
    private let days: Set<Int32>
    private var known: (day: Int32, isHeld: Bool)?

    init(_ days: Set<Int32>) {
        self.days = days
    }

    @inline(__always)
    mutating func holds(_ day: Int32) -> Bool {
        if let known, known.day == day { return known.isHeld }
        let isHeld = days.contains(day)
        known = (day, isHeld)
        return isHeld
    }
}
