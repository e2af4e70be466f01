import ArgumentParser
import Calendar
import Reference

/// Everything that decides what is written; two equal plans give equal files.
struct Plan: Sendable {
    enum IDForm: String, CaseIterable, ExpressibleByArgument {
        /// 32-bit ids, each date's in a range of its own that grows with the date, as a database sequence gives them.
        case hex
        /// 32-bit ids without order.
        case random
        case uuid
        /// Half hex, half UUIDs.
        case mixed
    }

    enum McID: String, CaseIterable, ExpressibleByArgument {
        case none
        /// On the hits of the Campaign Standard SDK, told by its user agents.
        case sdk
        case all
    }

    enum Noise: String, CaseIterable, ExpressibleByArgument {
        /// Accepted records and their duplicates only.
        case none
        /// Also what a healthy night has: other requests, tracked links, failed hits, unmapped events.
        case everyday
        /// Also every odd spelling, every filter and every reject reason.
        case all
    }

    var seed: UInt64
    var recordsPerDate: Int
    var firstDate: LogDate
    var lastDate: LogDate
    var kinds: [Kind]
    var filesPerKind: Int
    var ids: IDForm
    var userAgents: Int
    var mcID: McID
    var requireMcID: Bool
    var deliveries: Int
    var latePerMille: Int
    var noise: Noise
    var layout: Layout
    var level: Int
    var memberRecords: Int
    var longLines: Int
    var windowDays: Int
    var zone: ZoneRules

    /// Of a delivery that fails, one message in so many arrives.
    static let lostPerArrival: UInt64 = 40

    /// Whether a delivery fails: one of the middle date, if there are enough to do without it.
    func fails(_ date: LogDate, rank: Int) -> Bool {
        let middle = firstDate.adding(days: (lastDate.dayNumber - firstDate.dayNumber) / 2)
        return rank == 3 && date == middle && rank < Campaign.count(ofDeliveries: deliveries) && deliveries > 4
    }

    /// Whether a campaign is the one that the delivery file lacks.
    func isUnnamed(_ date: LogDate, rank: Int) -> Bool {
        rank == 4 && date == firstDate
    }

    /// The hits that each collector file of a date carries.
    func shippedHits(on weekday: Weekday) -> Int {
        filesPerKind > 1 ? records(of: .collector, on: weekday) / filesPerKind / 200 : 0
    }

    var dates: [LogDate] {
        (firstDate.dayNumber...lastDate.dayNumber).map(LogDate.init(dayNumber:))
    }

    /// One file to write.
    struct File: Sendable {
        var kind: Kind
        var date: LogDate
        var index: Int
        var records: Int

        /// `collector/2026-11-19/host1.log.gz`
        var path: String {
            "\(kind.rawValue)/\(date)/\(kind.fileName)\(index + 1)\(kind.suffix)"
        }
    }

    var files: [File] {
        dates.flatMap { date in
            kinds.flatMap { kind in
                (0..<filesPerKind).map { index in
                    let records = records(of: kind, on: Weekday(date), inFile: index)
                    return File(kind: kind, date: date, index: index, records: records)
                }
            }
        }
    }

    /// A date's records of a kind; what does not divide goes to the first kind.
    func records(of kind: Kind, on weekday: Weekday) -> Int {
        let records = recordsPerDate * weekday.volume / 100
        let weights = kinds.reduce(0) { $0 + $1.weight }
        let share = records * kind.weight / weights
        guard kind == kinds.first else { return share }
        return records - kinds.dropFirst().reduce(0) { $0 + records * $1.weight / weights }
    }

    /// A file's records.
    func records(of kind: Kind, on weekday: Weekday, inFile index: Int) -> Int {
        let ofKind = records(of: kind, on: weekday)
        return ofKind / filesPerKind + (index < ofKind % filesPerKind ? 1 : 0)
    }

    /// Each file draws from a stream of its own, so that it does not matter who writes it when.
    func seed(of file: File) -> UInt64 {
        let kind = UInt64(file.kind == .collector ? 1 : file.kind == .mzip ? 2 : 3)
        let place = kind << 60 ^ UInt64(bitPattern: Int64(file.date.dayNumber)) << 20 ^ UInt64(file.index)
        return SplitMix64.mix(SplitMix64.mix(seed &+ 0x1234_5678) ^ place)
    }
}
