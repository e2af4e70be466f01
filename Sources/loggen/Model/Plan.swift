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
                    let ofKind = records(of: kind)
                    let extra = index < ofKind % filesPerKind ? 1 : 0
                    return File(kind: kind, date: date, index: index, records: ofKind / filesPerKind + extra)
                }
            }
        }
    }

    /// A date's records of a kind; what does not divide goes to the first kind.
    func records(of kind: Kind) -> Int {
        let weights = kinds.reduce(0) { $0 + $1.weight }
        let share = recordsPerDate * kind.weight / weights
        guard kind == kinds.first else { return share }
        return recordsPerDate - kinds.dropFirst().reduce(0) { $0 + recordsPerDate * $1.weight / weights }
    }
}
