import ArgumentParser
import Foundation

/// Everything that decides what is written; two equal plans give equal files.
struct Plan: Sendable {
    var seed: UInt64
    var recordsPerDate: Int
    var firstDate: Day
    var lastDate: Day
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
    var zone: Zone

    /// Of a delivery that fails, one message in so many arrives.
    static let lostPerArrival: UInt64 = 40

    /// The delivery that fails, if there are enough to do without it.
    var failing: (date: Day, rank: Int)? {
        let rank = 3
        guard rank < Campaign.count(ofDeliveries: deliveries), deliveries > 4 else { return nil }
        return (firstDate + (lastDate.number - firstDate.number) / 2, rank)
    }

    /// The campaign that the delivery file lacks.
    var unnamed: (date: Day, rank: Int)? {
        let rank = 4
        return rank < Campaign.count(ofDeliveries: deliveries) ? (firstDate, rank) : nil
    }

    /// The hits that each collector file of a date carries.
    func shippedHits(on weekday: Weekday) -> Int {
        filesPerKind > 1 ? records(of: .collector, on: weekday) / filesPerKind / 200 : 0
    }

    var dates: [Day] {
        (firstDate.number...lastDate.number).map(Day.init(number:))
    }

    /// One file to write.
    struct File: Sendable {
        var kind: Kind
        var date: Day
        var index: Int
        var records: Int

        /// `collector/2026-11-19/host1.log.gz`
        var path: String {
            let name =
                switch kind {
                case .collector: "host\(index + 1).log.gz"
                case .mzip: "arrivals\(index + 1).gz"
                case .usersTrack: "track\(index + 1).json.gz"
                }
            return "\(kind.rawValue)/\(date.text)/\(name)"
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
}
