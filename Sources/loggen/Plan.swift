import ArgumentParser
import Calendar
import Reference

/// Everything that decides what is written; two equal plans give equal files.
struct Plan: Sendable {
    /// A kind of log.
    enum Kind: String, CaseIterable, Sendable {
        case collector, mzip
        case usersTrack = "users_track"

        /// The name of its source in the pipeline file; what its files are called, before and after their number; its
        /// share of a date's records, where all kinds are written.
        var traits: (source: String, file: String, suffix: String, weight: Int) {
            switch self {
            case .collector: ("adobe", "host", ".log.gz", 8)
            case .mzip: ("momo", "arrivals", ".gz", 1)
            case .usersTrack: ("braze", "track", ".json.gz", 1)
            }
        }
    }

    enum IDForm: String, CaseIterable, ExpressibleByArgument {
        /// 32-bit ids, each date's in a range of its own that grows with the date, as a database sequence gives them.
        case hex
        /// 32-bit ids without order.
        case random
        case uuid
        /// Half hex, half UUIDs.
        case mixed
    }

    enum Noise: String, CaseIterable, ExpressibleByArgument {
        /// Accepted records and their duplicates only.
        case none
        /// Also what a healthy night has: other requests, tracked links, failed hits, unmapped events.
        case everyday
        /// Also every odd spelling, and what is rejected.
        case all
    }

    /// One file to write.
    struct File: Sendable {
        var kind: Kind
        var date: LogDate
        var index: Int
        var records: Int

        /// `collector/2026-11-19/host1.log.gz`
        var path: String { "\(kind.rawValue)/\(date)/\(kind.traits.file)\(index + 1)\(kind.traits.suffix)" }
    }

    var seed: UInt64
    var recordsPerDate: Int
    var firstDate: LogDate
    var lastDate: LogDate
    var kinds: [Kind]
    var filesPerKind: Int
    var ids: IDForm
    var userAgents: Int
    /// Whether all hits have an mcId, or only those of the Campaign Standard SDK, told by its user agents.
    var hasMcIDs: Bool
    var deliveries: Int
    var latePerMille: Int
    var noise: Noise
    var layout: Layout
    var level: Int
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
    func isUnnamed(_ date: LogDate, rank: Int) -> Bool { rank == 4 && date == firstDate }

    /// The hits that each collector file of a date carries.
    func shippedHits(on weekday: Int) -> Int {
        filesPerKind > 1 ? records(of: .collector, on: weekday) / filesPerKind / 200 : 0
    }

    var dates: [LogDate] { (firstDate.dayNumber...lastDate.dayNumber).map(LogDate.init(dayNumber:)) }

    var files: [File] {
        dates.flatMap { date in
            kinds.flatMap { kind in
                (0..<filesPerKind).map { index in
                    let records = records(of: kind, on: date.weekday, inFile: index)
                    return File(kind: kind, date: date, index: index, records: records)
                }
            }
        }
    }

    /// A date's records of a kind; what does not divide goes to the first kind.
    private func records(of kind: Kind, on weekday: Int) -> Int {
        let records = recordsPerDate * LogDate.volumes[weekday] / 100
        let weights = kinds.reduce(0) { $0 + $1.traits.weight }
        func share(_ kind: Kind) -> Int { records * kind.traits.weight / weights }
        return kind == kinds.first ? records - kinds.dropFirst().reduce(0) { $0 + share($1) } : share(kind)
    }

    /// A file's records.
    func records(of kind: Kind, on weekday: Int, inFile index: Int) -> Int {
        let ofKind = records(of: kind, on: weekday)
        return ofKind / filesPerKind + (index < ofKind % filesPerKind ? 1 : 0)
    }

    /// Each file draws from a stream of its own, so that it does not matter who writes it when.
    func seed(of file: File) -> UInt64 {
        let kind = UInt64(file.kind == .collector ? 1 : file.kind == .mzip ? 2 : 3)
        let place = kind << 60 ^ UInt64(bitPattern: Int64(file.date.dayNumber)) << 20 ^ UInt64(file.index)
        return SplitMix64.mix(SplitMix64.mix(seed &+ 0x1234_5678) ^ place)
    }

    /// The pipeline that fits the logs.
    var pipeline: Pipeline {
        var pipeline = Pipeline()
        pipeline.timeZone = zone.name
        pipeline.windowDays = windowDays
        pipeline.deliveries = [DeliveryEntry(name: "campaigns")]
        pipeline.sources = kinds.map { kind in
            let (name, _, suffix, _) = kind.traits
            let format = Pipeline.Format(rawValue: kind.rawValue) ?? .collector
            var source = Pipeline.Source(name: name, format: format, files: "\(kind.rawValue)/%Y-%m-%d/*\(suffix)")
            if kind == .collector || layout.hasBodies { source.layout = layout.pipelineLayout }
            if kind == .mzip { source.platform = "ios" }
            if kind == .usersTrack {
                source.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
            }
            return source
        }
        return pipeline
    }
}

extension LogDate {
    /// Monday is 0. 1970-01-01 was a Thursday.
    var weekday: Int { (dayNumber % 7 + 10) % 7 }

    /// The records of each weekday, where a Tuesday has a hundred.
    static let volumes = [90, 100, 100, 100, 120, 70, 80]
}
