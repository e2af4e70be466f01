extension OutputDatabase {
    /// What a publishing would close, settle and erase now. Writes nothing.
    package func forecast(
        _ closing: Closing, _ settings: PublicationSettings
    ) throws(WarehouseError) -> ClosingResult {
        let (before, loaded) = (try ClosedDates(in: folder), try folder.logDates())
        guard let first = loaded.first else { return ClosingResult() }
        var closed = before ?? ClosedDates(first: first, settings)
        closed.move(to: closing.through, first: first)
        for logDate in loaded where closed.dates[logDate] == nil && closed.holds(logDate) {
            closed.dates[logDate] = ClosedDates.Entry(version: "")
        }
        var result = ClosingResult(closed, since: before)
        result.settled = closed.dates.filter { $1.settled == nil && closed.isDue($0) }.keys.sorted()
        for logDate in result.settled { closed.dates[logDate]?.settled = "" }
        result.erased = try folder.partitionDates().filter(closed.isErasable)
        return result
    }
}

extension ClosedDates {
    /// Moves the last closed log date on.
    /// - Parameter first: the first log date that is loaded now.
    mutating func move(to target: Int32?, first: Int32) {
        self.first = through == nil ? first : min(first, self.first)
        if let target, target >= self.first { through = max(target, through ?? target) }
    }
}

extension ClosingResult {
    /// - Parameter before: nil if no log date was closed.
    init(_ closed: ClosedDates, since before: ClosedDates?) {
        through = closed.through
        if let through { self.closed = max(0, Int(through) - Int(before?.through ?? closed.first - 1)) }
    }
}
