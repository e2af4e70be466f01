import ArgumentParser
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
            --truth writes the tables that pushetl must arrive at once all dates are loaded. The tests' reference reads the \
            logs for it, slowly and in memory: meant for up to a hundred thousand records or so. No address, id or name in \
            the logs belongs to anyone.

            The traffic has a shape. Campaigns of very different size are sent at some hour of each date. Their \
            messages arrive within minutes to hours, and of those who open them half do so within half an hour, some \
            after days, few at night. Other messages come as busy as the hours are.

            EXAMPLES
              A date of all kinds, with odd records, and what they come to:
                loggen --records 20000 --from 2026-11-19 --out logs --truth logs/truth

              A night for benchmarks: 6 million hits in two files:
                loggen --preset easy --records 6000000 --from 2026-11-19 --files 2 --out bench
            """)

    @OptionGroup var plan: Plan

    @Option(help: "The folder to write to.")
    var out: String

    @Option(help: "The folder for the truth, as CSV tables (default: none).")
    var truth: String?

    func run() throws {
        let universe = Universe(plan: plan)
        try Self.write(universe, to: out)
        let deliveries = CampaignList(universe: universe).text
        try TextFile.write(deliveries, to: "\(out)/deliveries/campaigns.csv")
        let pipeline = plan.pipeline.yaml(output: "warehouse")
        try TextFile.write(
            pipeline.replacing("deliveries/campaigns/*", with: "deliveries/*.csv"), to: "\(out)/push.yaml")
        if let truth { try Truth(plan: plan, folder: out, deliveries: deliveries).write(to: truth) }
        print("\(plan.allFiles.reduce(0) { $0 + $1.records }) records in \(plan.allFiles.count) files")
    }

    /// Writes all files, several at a time.
    static func write(_ universe: Universe, to out: String) throws {
        let files = universe.plan.allFiles
        for path in Set(files.map { "\(out)/\($0.kind.rawValue)/\($0.date)" }) {
            // Without the folder, its files cannot be made either.
            try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let failures = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let kind: LogFile.Type =
                switch files[index].kind {
                case .collector: CollectorFile.self
                case .mzip: MzipFile.self
                case .usersTrack: BodiesFile.self
                }
            do {
                try kind.init(universe: universe, file: files[index], folder: out).write()
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        if let error = failures.withLock({ $0.first }) { throw error }
    }
}
