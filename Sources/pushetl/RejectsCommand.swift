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
        var entries: [Entry] = []
        do {
            let dates = try date.map { [Int32($0.dayNumber)] } ?? folder.logDates()
            for logDate in dates {
                let text = LogDate(dayNumber: Int(logDate)).description
                let partition: Partition
                do {
                    partition = try Partition(logDate: logDate, folder: folder)
                } catch WarehouseError.missing {
                    Console.error("\(text): is not loaded; 'pushetl run --date \(text)' loads it")
                    throw ExitCode(ExitStatus.noInput.rawValue)
                }
                try partition.forEachReject { reject in
                    if options.json {
                        entries.append(
                            Entry(
                                logDate: text, source: reject.source, path: reject.path, line: reject.line,
                                reason: reject.reason, sample: reject.sample))
                    } else if !options.quiet {
                        Console.result("\(reject.path):\(reject.line): \(reject.reason): \(reject.sample)")
                    }
                    return true
                }
            }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Console.failure(error)
        }
        if options.json { try Console.result(Listing(rejects: entries)) }
    }
}
