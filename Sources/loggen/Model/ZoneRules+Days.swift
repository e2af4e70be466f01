import Calendar

extension ZoneRules {
    /// Seconds east of Greenwich at an instant in seconds.
    func offset(at second: Int) -> Int {
        Int(offset(at: Int64(second)))
    }

    /// The first instant of a day, in seconds.
    func start(of day: LogDate) -> Int {
        let midnight = day.dayNumber * 86_400
        return midnight - Int(offset(atLocal: Int64(midnight)))
    }

    /// Whether the clocks are turned near an instant, so that a local time alone could mean two of them.
    func turns(near second: Int) -> Bool {
        offset(at: second - 10_800) != offset(at: second + 10_800)
    }
}
