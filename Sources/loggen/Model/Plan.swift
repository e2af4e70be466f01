import ArgumentParser
import Foundation

enum Kind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case collector, mzip
    case usersTrack = "users_track"

    /// The name of its source in the pipeline file.
    var source: String {
        switch self {
        case .collector: "adobe"
        case .mzip: "momo"
        case .usersTrack: "braze"
        }
    }

    /// Its share of a date's records, where all kinds are written.
    var weight: Int {
        self == .collector ? 8 : 1
    }
}

enum IDForm: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// 32-bit ids, each date's in a range of its own that grows with the date, as a database sequence gives them.
    case hex
    /// 32-bit ids without order.
    case random
    case uuid
    /// Half hex, half UUIDs.
    case mixed
}

enum McID: String, CaseIterable, ExpressibleByArgument, Sendable {
    case none
    /// On the hits of the Campaign Standard SDK, told by its user agents.
    case sdk
    case all
}

enum Layout: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Collector lines as NCSA combined; mzip and users_track as bare bodies.
    case combined
    /// All kinds as lines of an nginx `log_format` with the request body.
    case nginx
    /// All kinds as nginx `escape=json` lines.
    case json
}

enum Noise: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Accepted records and their duplicates only.
    case none
    /// Also what a healthy night has: other requests, tracked links, failed hits, unmapped events.
    case everyday
    /// Also every odd spelling, every filter and every reject reason.
    case all
}

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
