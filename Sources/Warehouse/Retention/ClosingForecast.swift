/// What a publishing would close, settle and erase, by what is loaded now.
package struct ClosingForecast {
    package private(set) var result = ClosingResult()

    package init(
        _ closing: Closing, in folder: OutputFolder, _ settings: PublicationSettings
    ) throws(WarehouseError) {
        let (before, loaded) = (try ClosedDates(in: folder), try folder.logDates())
        guard let first = loaded.first else { return }
        var closed = before ?? ClosedDates(first: first, settings)
        closed.move(to: closing.through, first: closing.first ?? (before?.through == nil ? first : closed.first))
        for logDate in loaded where closed.dates[logDate] == nil && closed.holds(logDate) {
            closed.dates[logDate] = ClosedDates.Entry(version: "")
        }
        result = ClosingResult(closed, since: before)
        result.settled = closed.dates.filter { $1.settled == nil && closed.isDue($0) }.keys.sorted()
        for logDate in result.settled { closed.dates[logDate]?.settled = "" }
        result.erased = try folder.partitionDates().filter(closed.isErasable)
    }
}
