import ArgumentParser
import Calendar
import Dispatch
import Foundation
import Synchronization

@main
struct Loggen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loggen",
        abstract: "Write synthetic push-tracking logs of any size, with the truth beside them.",
        discussion: """
            The same arguments give the same bytes (with the same zlib). Beside the logs stand push.yaml, a pipeline that \
            fits them, and deliveries/campaigns.csv, which names the campaigns and says how many messages were sent. \
            --truth computes the tables that pushetl must arrive at once all dates are loaded, by plain logic and in \
            memory: meant for up to a hundred thousand records or so. No address, id or name in the logs belongs to anyone.

            The traffic has a shape. Campaigns of very different size are sent at some hour of each date. Their \
            messages arrive within minutes to hours, and of those who open them half do so within half an hour, some \
            after days, few at night. Other messages come as busy as the hours are. From the first date to the last, \
            Android opens less and less of what it shows. A campaign of the middle date fails: it was sent, and hardly \
            any of it arrives.

            EXAMPLES
              Three dates of all kinds, with every oddity, and what they come to:
                loggen --records 20000 --from 2026-11-17 --to 2026-11-19 --out logs --truth logs/truth

              A night for benchmarks: 6 million hits in two files:
                loggen --preset easy --records 6000000 --from 2026-11-19 --files 2 --level 6 --out bench
            """)

    enum Preset: String, CaseIterable, ExpressibleByArgument {
        case easy, hard
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
    var from: LogDate

    @Option(help: "The last log date (default: the first).")
    var to: LogDate?

    @Option(help: "The folder to write to.")
    var out: String

    @Option(help: "The folder for the truth, as CSV tables (default: none).")
    var truth: String?

    @Option(help: "easy: collector only, hex ids, 40 user agents. hard: UUIDs, mcId everywhere, 20,000 user agents.")
    var preset: Preset?

    @Option(help: "The kinds of logs, with commas between: collector,mzip,users_track (default: all).")
    var kinds: String?

    @Option(help: "Files of each kind and date.")
    var files = 2

    @Option(help: "Broadlog ids: hex (growing with the date), random (hex), uuid, mixed (default: hex).")
    var ids: Plan.IDForm?

    @Option(help: "Distinct user agents (default: 400).")
    var userAgents: Int?

    @Option(help: "Deliveries of a date. Three in four of them, at most 12, are campaigns.")
    var deliveries = 300

    @Option(help: "Of a thousand records, those that belong to an earlier date.")
    var late = 30

    @Option(help: "What else is in the logs: none, everyday (filtered), all (filtered, rejected, odd) (default: all).")
    var noise: Plan.Noise?

    @Option(
        help: """
            The lines of the collector: as web servers and load balancers log them. With nginx and json, mzip and \
            users_track are requests with their bodies as well; with the others they are bare bodies. The hits are the \
            same with every layout, but for the odd lines of --noise all, some of which only combined can hold (default: combined).
            """)
    var layout: Layout?

    @Option(help: "The level at which zlib packs, 1 to 9. 6 is what most hosts use.")
    var level = 1

    @Option(help: "Within how many days a hit is the same (the pipeline's window_days).")
    var windowDays = 30

    @Option(help: "The time zone of the days.")
    var timezone = "Europe/Madrid"

    func validate() throws { _ = try plan() }

    func run() throws {
        let universe = Universe(plan: try plan())
        let started = Date()
        let files = try Self.write(universe, to: out)
        let seconds = Date().timeIntervalSince(started)
        let deliveries = CampaignList(universe: universe, files: files).text
        try TextFile.write(deliveries, to: "\(out)/deliveries/campaigns.csv")
        let pipeline = universe.plan.pipeline.yaml(output: "warehouse")
        try TextFile.write(
            pipeline.replacing("deliveries/campaigns/*", with: "deliveries/*.csv"), to: "\(out)/push.yaml")
        let records = files.reduce(0) { $0 + $1.records }
        let (unpacked, packed) = files.reduce((0, 0)) { ($0.0 + $1.unpackedBytes, $0.1 + $1.packedBytes) }
        print(
            """
            \(records) records in \(files.count) files: \(unpacked) bytes, \(packed) gzipped; \
            \(String(format: "%.3f", seconds)) s, \(Int(Double(records) / max(seconds, 0.000_001))) records/s
            """)
        if let truth { try Truth(plan: universe.plan, folder: out, deliveries: deliveries).write(to: truth) }
    }

    /// Writes all files, several at a time.
    static func write(_ universe: Universe, to out: String) throws -> [LogFile.Summary] {
        let files = universe.plan.files
        for path in Set(files.map { "\(out)/\($0.kind.rawValue)/\($0.date)" }) {
            do {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } catch {
                throw LoggenError(path: path)
            }
        }
        let next = Atomic(0)
        let results = Mutex<[Int: Result<LogFile.Summary, any Error>]>([:])
        let workers = min(ProcessInfo.processInfo.activeProcessorCount, files.count)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            // Each worker takes the next file that is not taken yet, and none after a failure.
            while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < files.count {
                let result = Result {
                    let log = try LogFile(universe: universe, file: files[index], folder: out)
                    return switch log.file.kind {
                    case .collector: try CollectorFile(log).write()
                    case .mzip: try MzipFile(log).write()
                    case .usersTrack: try UsersTrackFile(log).write()
                    }
                }
                if case .failure = result { next.store(files.count, ordering: .relaxed) }
                results.withLock { $0[index] = result }
            }
        }
        return try results.withLock { try $0.sorted { $0.key < $1.key }.map { try $0.value.get() } }
    }

    private func plan() throws -> Plan {
        let last = to ?? from
        guard from <= last else { throw ValidationError("--to \(last) is before --from \(from).") }
        guard last.dayNumber - from.dayNumber < 4000 else { throw ValidationError("At most 4000 dates at a time.") }
        guard let zone = try? ZoneDatabase.zone(timezone) else {
            throw ValidationError("'\(timezone)' is no time zone, give a name such as Europe/Madrid.")
        }
        for (name, value, range) in [
            ("records", records, 0...1_000_000_000), ("files", files, 1...100_000), ("level", level, 1...9),
            ("deliveries", deliveries, 1...100_000), ("late", late, 0...500), ("window-days", windowDays, 0...3650),
            ("user-agents", userAgents ?? 1, 1...1_000_000),
        ] {
            guard range.contains(value) else {
                throw ValidationError("--\(name) must lie between \(range.lowerBound) and \(range.upperBound).")
            }
        }
        guard let layout = layout ?? Layout(argument: "combined") else {
            throw ValidationError("There are no layouts.")
        }
        return Plan(
            seed: seed, recordsPerDate: records, firstDate: from, lastDate: last, kinds: try chosenKinds(),
            filesPerKind: files, ids: ids ?? (preset == .hard ? .uuid : .hex),
            userAgents: userAgents ?? (preset == .easy ? 40 : preset == .hard ? 20_000 : 400),
            hasMcIDs: preset == .hard, deliveries: deliveries, latePerMille: late,
            noise: noise ?? (preset == nil ? .all : .everyday), layout: layout, level: level, windowDays: windowDays,
            zone: zone)
    }

    /// The kinds asked for, always in the order of the pipeline file.
    private func chosenKinds() throws -> [Plan.Kind] {
        guard let kinds else { return preset == nil ? Plan.Kind.allCases : [.collector] }
        let names = kinds.split(separator: ",").map(String.init)
        for name in names where Plan.Kind(rawValue: name) == nil {
            throw ValidationError("'\(name)' is no kind of log; there are collector, mzip and users_track.")
        }
        guard !names.isEmpty else { throw ValidationError("--kinds names none.") }
        return Plan.Kind.allCases.filter { names.contains($0.rawValue) }
    }
}

extension LogDate: ExpressibleByArgument {
    /// `2026-11-19`
    public init?(argument: String) {
        self.init(argument)
    }
}
