import Counting
import Events
import Foundation
import Warehouse

/// The figures of one day by log date, or all figures of one log date: those of a shard, or of several shards together. As no
/// message is in two shards, their figures add up.
struct DayFigures: Codable, Sendable {
    /// The rows of the partition of one log date, as the tables' `bytes` have them.
    private struct Part: Codable {
        /// In days since 1970-01-01.
        let logDate: Int32
        let daily: Data
        let funnel: Data
        let hourly: Data
    }

    /// In days since 1970-01-01; nil for all days of a log date.
    private let day: Int32?
    private let names: EventNames
    /// If all days of log dates are there: by log date, the sums of the shards' digests by day.
    private(set) var digests: [Int: [Int: DayDigest]] = [:]
    /// In the order of log dates. The numbers of names belong to `names`.
    private let tables: [Part]

    /// Adds up the rows that partitions have for the day, or for all days.
    /// - Parameter sources: the pipeline's sources. They come first, in this order.
    init(_ day: Int32? = nil, adding parts: [FigurePart], sources: [String]) {
        self.day = day
        let global = GlobalNames(parts.map(\.names), pipelineSources: sources)
        names = global.names
        var tables: [Int32: DailyTables] = [:]
        for (index, part) in parts.enumerated() {
            let days = day.map { [$0] } ?? part.days
            tables[part.logDate, default: DailyTables()].add(part.tables, of: days, at: index, global)
        }
        self.tables = tables.sorted { $0.key < $1.key }.map { logDate, tables in
            Part(
                logDate: logDate, daily: Data(tables.daily.bytes), funnel: Data(tables.funnel.bytes),
                hourly: Data(tables.hourly.bytes))
        }
    }

    /// Takes the digests of the figures of a shard's partition.
    mutating func addDigests(of part: FigurePart) {
        let digests = [Int32: DayDigest](part.tables, part.names, logDate: part.logDate)
        add([Int(part.logDate): Dictionary(uniqueKeysWithValues: digests.map { (Int($0), $1) })])
    }

    mutating func add(_ others: [Int: [Int: DayDigest]]) {
        for (logDate, days) in others {
            for (day, digest) in days { digests[logDate, default: [:]][day, default: DayDigest()] += digest }
        }
    }

    /// The rows, by log date.
    func parts() throws(ClusterError) -> [FigurePart] {
        let limits = NameCounts(names)
        do {
            return try tables.map { part in
                let tables = DailyTables(
                    daily: try DailyActions(bytes: [UInt8](part.daily).span, limits: limits),
                    funnel: try DailyFunnel(bytes: [UInt8](part.funnel).span, limits: limits),
                    hourly: try HourlyActions(bytes: [UInt8](part.hourly).span, limits: limits))
                return FigurePart(
                    days: day.map { [$0] } ?? tables.days, logDate: part.logDate, names: names, tables: tables)
            }
        } catch {
            throw .damagedFrame
        }
    }
}
