import ArgumentParser
import Reference

/// Everything that decides what is written; two equal plans give equal files.
struct Plan: ParsableArguments, Sendable {
    enum Preset: String, CaseIterable, ExpressibleByArgument {
        case easy, hard
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
        /// What a healthy night has: other requests, tracked links, failed hits, unmapped events.
        case everyday
        /// Also every odd spelling, and what is rejected.
        case all
    }

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case collector, mzip
        case usersTrack = "users_track"

        /// Its format and the name of its source in the pipeline file; what its files are called, before and after
        /// their number; its share of a date's records, where all kinds are written.
        var traits: (format: Pipeline.Format, source: String, file: String, suffix: String, weight: Int) {
            switch self {
            case .collector: (.collector, "adobe", "host", ".log.gz", 8)
            case .mzip: (.mzip, "momo", "arrivals", ".gz", 1)
            case .usersTrack: (.usersTrack, "braze", "track", ".json.gz", 1)
            }
        }
    }

    /// One file to write.
    struct File: Sendable {
        var kind: Kind
        var date: Day
        var index: Int
        var records: Int

        /// `collector/2026-11-19/host1.log.gz`
        var path: String { "\(kind.rawValue)/\(date)/\(kind.traits.file)\(index + 1)\(kind.traits.suffix)" }
    }

    @Option(help: "Where all chance comes from.")
    var seed: UInt64 = 1

    @Option(
        help: """
            Records of a Tuesday, Wednesday or Thursday, over all kinds and files. A Monday has 90 % of them, a Friday \
            120, a Saturday 70, a Sunday 80.
            """)
    var records = 10_000

    @Option(help: "The first log date.")
    var from: Day

    @Option(help: "The last log date (default: the first).")
    var to: Day?

    @Option(
        help: """
            easy: collector only, hex ids, 40 user agents in place of 400. hard: collector only, UUIDs, mcId everywhere, \
            20,000 user agents.
            """)
    var preset: Preset?

    @Option(help: "A kind of logs (default: all).")
    var kinds: [Kind] = []

    @Option(help: "Files of each kind and date.")
    var files = 2

    @Option(help: "Broadlog ids: hex (growing with the date), random (hex), uuid, mixed (default: hex).")
    var ids: IDForm?

    @Option(help: "Deliveries of a date. Three in four of them, at most 12, are campaigns.")
    var deliveries = 300

    @Option(help: "Of a thousand records, those that belong to an earlier date.")
    var late = 30

    @Option(help: "What else is in the logs: everyday (filtered), all (filtered, rejected, odd) (default: all).")
    var noise: Noise?

    @Option(help: "The level at which zlib packs, 1 to 9. 6 is what most hosts use.")
    var level = 1

    @Option(help: "Within how many days a hit is the same (the pipeline's window_days).")
    var windowDays = 30

    func validate() throws {
        guard from <= lastDate else { throw ValidationError("--to \(lastDate) is before --from \(from).") }
        guard lastDate.number - from.number < 4000 else { throw ValidationError("At most 4000 dates at a time.") }
        for (name, value, range) in [
            ("records", records, 0...1_000_000_000), ("files", files, 1...100_000), ("level", level, 1...9),
            ("deliveries", deliveries, 1...100_000), ("late", late, 0...500), ("window-days", windowDays, 0...3650),
        ] {
            guard range.contains(value) else {
                throw ValidationError("--\(name) must lie between \(range.lowerBound) and \(range.upperBound).")
            }
        }
    }

    /// Of the days.
    static let timeZone = "Europe/Madrid"

    // What the preset says where an option does not.
    var chosenKinds: [Kind] {
        let usual = preset == nil ? Kind.allCases : [.collector]
        return Kind.allCases.filter { (kinds.isEmpty ? usual : kinds).contains($0) }
    }
    var idForm: IDForm { ids ?? (preset == .hard ? .uuid : .hex) }
    /// Distinct user agents.
    var agentCount: Int { preset == .easy ? 40 : preset == .hard ? 20_000 : 400 }
    var usedNoise: Noise { noise ?? (preset == nil ? .all : .everyday) }

    var lastDate: Day { to ?? from }
    var dates: [Day] { (from.number...lastDate.number).map(Day.init(number:)) }

    var allFiles: [File] {
        let ofDate = chosenKinds.flatMap { kind in (0..<files).map { (kind, $0) } }
        return dates.flatMap { date in
            zip(ofDate, records(on: date.weekday)).map {
                File(kind: $0.0, date: date, index: $0.1, records: $1)
            }
        }
    }

    /// The records of each of a date's files. What does not divide goes to the first kind, and to a kind's first files.
    func records(on weekday: Int) -> [Int] {
        let records = records * Day.volumes[weekday] / 100
        let weights = chosenKinds.map(\.traits.weight)
        var kinds = weights.map { records * $0 / weights.reduce(0, +) }
        kinds[0] += records - kinds.reduce(0, +)
        return kinds.flatMap { kind in (0..<files).map { kind / files + ($0 < kind % files ? 1 : 0) } }
    }

    /// Each file draws from a stream of its own, so that it does not matter who writes it when.
    func seed(of file: File) -> UInt64 {
        let kind = UInt64(1 + (Kind.allCases.firstIndex(of: file.kind) ?? 0))
        let place = kind << 60 ^ UInt64(bitPattern: Int64(file.date.number)) << 20 ^ UInt64(file.index)
        return SplitMix64.mix(SplitMix64.mix(seed &+ 0x1234_5678) ^ place)
    }

    /// The pipeline that fits the logs.
    var pipeline: Pipeline {
        var pipeline = Pipeline()
        pipeline.timeZone = Self.timeZone
        pipeline.windowDays = windowDays
        pipeline.deliveries = [DeliveryEntry(name: "campaigns")]
        pipeline.sources = chosenKinds.map { kind in
            let (format, name, _, suffix, _) = kind.traits
            var source = Pipeline.Source(name: name, format: format, files: "\(kind.rawValue)/%Y-%m-%d/*\(suffix)")
            if kind == .mzip { source.platform = "ios" }
            if kind == .usersTrack {
                source.actions = ["push_impression": "impression", "push_click": "click", "push_open": "open"]
            }
            return source
        }
        return pipeline
    }
}

extension Day: ExpressibleByArgument {
    /// `2026-11-19`
    package init?(argument: String) {
        self.init(argument)
    }

    func adding(days: Int) -> Day { Day(number: number + days) }

    /// Monday is 0. 1970-01-01 was a Thursday.
    var weekday: Int { (number % 7 + 10) % 7 }

    /// The records of each weekday, where a Tuesday has a hundred.
    static let volumes = [90, 100, 100, 100, 120, 70, 80]
}
