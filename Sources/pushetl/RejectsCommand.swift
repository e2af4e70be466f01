import ArgumentParser
import Foundation
import LogFiles
import Pipelines
import Warehouse

struct RejectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "List records that could not be read, with their place.",
        discussion: """
            One line a record, PATH:LINE: REASON: SAMPLE, with personal values masked; at most 1,000 a reason and \
            file are kept.

              pushetl rejects --date 2026-11-19
            """)

    @Option(help: ArgumentHelp("Only this log date, YYYY-MM-DD (default: all that are loaded).", valueName: "date"))
    var date: LogDate?

    @OptionGroup var options: PipelineOptions
    @OptionGroup(visibility: .hidden) var load: LoadOptions

    private struct Listing: Encodable {
        let rejects: [Entry]
    }

    private struct Entry: Encodable {
        let logDate: String
        let source: String
        let path: String
        let line: Int
        let reason: String
        let sample: String
    }

    func run() throws {
        let pipeline = try options.readPipeline()
        let folder = OutputFolder(options.outputFolder ?? pipeline.output)
        if let date, !loaded(in: folder).contains(Int32(date.dayNumber)) {
            Console.error("\(date): is not loaded; 'pushetl run --date \(date)' loads it")
            throw ExitCode(ExitStatus.noInput.rawValue)
        }
        var entries: [Entry] = []
        for logDate in date.map({ [Int32($0.dayNumber)] }) ?? loaded(in: folder) {
            do {
                try list(logDate, in: folder, &entries)
            } catch {
                throw Console.failure(error)
            }
        }
        if options.json { try Console.result(Listing(rejects: entries)) }
    }

    private func loaded(in folder: OutputFolder) -> [Int32] {
        (try? folder.logDates()) ?? []
    }

    private func list(_ logDate: Int32, in folder: OutputFolder, _ entries: inout [Entry]) throws {
        let text = LogDate(dayNumber: Int(logDate)).description
        var found: [Reject] = []
        try Partition(logDate: logDate, folder: folder).forEachReject { reject in
            found.append(reject)
            return true
        }
        for reject in found where options.json {
            entries.append(
                Entry(
                    logDate: text, source: reject.source, path: reject.path, line: reject.line, reason: reject.reason,
                    sample: reject.sample))
        }
        for reject in found where !options.json && !options.quiet {
            Console.result("\(reject.path):\(reject.line): \(reject.reason): \(reject.sample)")
        }
    }
}
