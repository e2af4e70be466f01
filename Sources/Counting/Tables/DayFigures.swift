import Events

/// The figures of one day, by log date: those of a shard, or of several shards together. As no message is in two shards,
/// their figures add up.
///
/// As bytes, see `ByteWriter`: the day, the names of sources, actions and deliveries, the number of log dates, and for each
/// log date its number and the three tables, as their `bytes` have them.
package struct DayFigures: Sendable {
    /// The tables of the partition of one log date.
    package typealias Part = (logDate: Int32, names: EventNames, tables: DailyTables)

    /// In days since 1970-01-01.
    package let day: Int32
    package let names: EventNames
    /// By log date, in days since 1970-01-01. The numbers of names belong to `names`.
    package private(set) var tables: [Int32: DailyTables] = [:]

    /// Takes the rows that partitions have for the day.
    /// - Parameter sources: the pipeline's sources. They come first, in this order.
    package init(_ day: Int32, of parts: [Part], sources: [String]) {
        self.day = day
        let global = GlobalNames(parts.map(\.names), pipelineSources: sources)
        names = global.names
        for (index, part) in parts.enumerated() {
            tables[part.logDate, default: DailyTables()].add(part.tables, of: [day], at: index, global)
        }
    }

    /// Adds up the figures of several shards for the day.
    package init(_ day: Int32, adding figures: [DayFigures], sources: [String]) {
        self.day = day
        let global = GlobalNames(figures.map(\.names), pipelineSources: sources)
        names = global.names
        for (index, figures) in figures.enumerated() {
            for (logDate, part) in figures.tables {
                tables[logDate, default: DailyTables()].add(part, of: [day], at: index, global)
            }
        }
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.add(day)
        for texts in [names.sources, names.actions, names.deliveries] { writer.add(texts) }
        writer.add(UInt32(tables.count))
        for (logDate, tables) in tables.sorted(by: { $0.key < $1.key }) {
            writer.add(logDate)
            for list in [tables.daily.bytes, tables.funnel.bytes, tables.hourly.bytes] { writer.add(list) }
        }
        return writer.bytes
    }

    /// Reads what `bytes` wrote. Throws an error if the bytes are damaged.
    package init(bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        day = try reader.number()
        names = EventNames(
            sources: try reader.texts(), actions: try reader.texts(), deliveries: try reader.texts())
        let limits = NameCounts(names)
        for _ in 0..<(try reader.number(UInt32.self)) {
            let logDate = try reader.number(Int32.self)
            let (daily, funnel, hourly) = (try reader.list(), try reader.list(), try reader.list())
            tables[logDate] = DailyTables(
                daily: try DailyActions(bytes: daily.span, limits: limits),
                funnel: try DailyFunnel(bytes: funnel.span, limits: limits),
                hourly: try HourlyActions(bytes: hourly.span, limits: limits))
        }
        guard reader.isAtEnd else { throw ByteReaderError() }
    }
}
