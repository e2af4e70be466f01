/// The rule by which a zone goes on for ever, in the form of POSIX's variable `TZ` with the extensions of RFC 8536:
/// `CET-1CEST,M3.5.0,M10.5.0/3`, `<+0330>-3:30`, `EST5EDT,0/0,J365/25`. Its offsets are positive to the west.
struct RecurringRule {
    let standard: LocalTimeType
    private let saving: Saving?

    /// Daylight saving time, and when it begins and ends each year on the clocks that are shown until then.
    private struct Saving {
        let type: LocalTimeType
        let begin: YearlyTime
        let end: YearlyTime
    }

    /// Returns nil if the text is no such rule.
    init?(_ text: String) {
        var text = RuleText(text)
        guard let name = text.abbreviation(), let offset = text.offset() else { return nil }
        standard = LocalTimeType(offset: -offset, abbreviation: name)
        if text.isAtEnd {
            saving = nil
            return
        }
        guard let savingName = text.abbreviation() else { return nil }
        var savingOffset = standard.offset + 3600
        if !text.skip(",") {
            guard let offset = text.offset(), text.skip(",") else { return nil }
            savingOffset = -offset
        }
        guard let begin = YearlyTime(&text), text.skip(","), let end = YearlyTime(&text), text.isAtEnd else {
            return nil
        }
        saving = Saving(
            type: LocalTimeType(offset: savingOffset, abbreviation: savingName), begin: begin, end: end)
    }

    /// The changes in a range of years, in ascending order; empty without daylight saving.
    func changes(in years: ClosedRange<Int>) -> [ZoneChange] {
        guard let saving else { return [] }
        var changes: [ZoneChange] = []
        for year in years {
            let both = [
                ZoneChange(
                    instant: saving.begin.seconds(in: year) - Int64(standard.offset), type: saving.type),
                ZoneChange(
                    instant: saving.end.seconds(in: year) - Int64(saving.type.offset), type: standard),
            ]
            for change in both.sorted(by: { $0.instant < $1.instant }) {
                // Where daylight saving lasts all year, one ends at the instant at which the next begins.
                if let last = changes.last, last.instant >= change.instant { changes.removeLast() }
                changes.append(change)
            }
        }
        assert(zip(changes, changes.dropFirst()).allSatisfy { $0.instant < $1.instant })
        return changes
    }
}
