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

        init(_ date: LogDate, _ reject: Reject) {
            logDate = date.description
            source = reject.source
            path = reject.path
            line = reject.line
            reason = reject.reason
            sample = reject.sample
        }
    }

    func run() throws {
        let pipeline = try options.readPipeline()
        let folder = OutputFolder(options.outputFolder ?? pipeline.output)
        let loaded = try logDates(in: folder)
        if let date, !loaded.contains(Int32(date.dayNumber)) {
            Console.error("\(date): is not loaded; 'pushetl run --date \(date)' loads it, or says why it was held back")
            throw ExitCode(ExitStatus.noInput.rawValue)
        }
        var entries: [Entry] = []
        var hasDamage = false
        for logDate in date.map({ [Int32($0.dayNumber)] }) ?? loaded {
            let found: [Reject]
            do throws(WarehouseError) {
                found = try rejects(of: logDate, in: folder)
            } catch {
                guard error.isDamage else { throw Console.failure(error) }
                Console.warn(Sentence.of(error))
                hasDamage = true
                continue
            }
            if options.json {
                entries += found.map { Entry(LogDate(dayNumber: Int(logDate)), $0) }
            } else if !options.quiet && !found.isEmpty {
                try Console.result(found.map { Sentence.of($0) }.joined(separator: "\n"))
            }
        }
        if options.json { try Console.result(Listing(rejects: entries)) }
        if hasDamage { throw ExitCode(ExitStatus.failedIO.rawValue) }
    }

    private func logDates(in folder: OutputFolder) throws(ExitCode) -> [Int32] {
        do throws(WarehouseError) {
            return try folder.logDates()
        } catch {
            throw Console.failure(error)
        }
    }

    private func rejects(of logDate: Int32, in folder: OutputFolder) throws(WarehouseError) -> [Reject] {
        var rejects: [Reject] = []
        try Partition(logDate: logDate, folder: folder).forEachReject { reject in
            rejects.append(reject)
            return true
        }
        return rejects
    }
}
