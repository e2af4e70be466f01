import ArgumentParser
import Calendar
import Configuration
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Records

struct RejectsCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "List records that could not be read, with their location.",
        discussion: """
            Prints one line per record, PATH:LINE: REASON: DETAIL: SAMPLE, with personal values masked. At most 1,000 \
            records are kept per reason and file. If the last load of a date was held back, these are the rejects of that \
            load.

              pushetl rejects --date 2026-11-19
              pushetl rejects --reason malformed_line --limit 10
              pushetl rejects --summary
            """)

    @Option(
        date: "Only this log date: YYYY-MM-DD, yesterday, today, or -N. (default: all that are loaded or held back)")
    var date: DateArgument?

    @Option(
        help: ArgumentHelp("Only rejects of this reason, such as malformed_line. (default: all)", valueName: "reason"))
    var reason: String?

    @Option(help: ArgumentHelp("Only rejects of this source. (default: all)", valueName: "source"))
    var source: String?

    @Option(number: "Print at most this many. (default: all that are kept)")
    var limit: Int?

    @Flag(help: "Print their numbers by log date, source and reason instead, including those that are not kept.")
    var summary = false

    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func validate() throws {
        if let reason, !RejectReason.allCases.contains(where: { $0.code == reason }) {
            let codes = RejectReason.allCases.map(\.code)
            let near =
                reason.nearest(of: codes).map { "did you mean '\($0)'?" } ?? "the reasons are "
                + codes.joined(separator: ", ")
            throw ValidationError("There is no reason '\(reason.shown)'; \(near)")
        }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        if limit != nil, summary {
            throw ValidationError("--limit is for the records themselves; --summary prints all their numbers.")
        }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        // The pipeline's zone tells what day it is, and paths of records are relative to its folder. Without the
        // pipeline, paths are shown as they are stored.
        let isNeeded = if case .daysAgo = date { true } else { false }
        let isUseful = !summary && FileManager.default.fileExists(atPath: options.file.pipelineFile)
        let pipeline = try isNeeded || isUseful ? options.file.readPipeline() : options.readPipelineIfNeeded()
        output.paths = options.shownPaths(of: pipeline)
        let folder = try options.output(of: pipeline)
        let date = date?.logDate(in: pipeline?.zone ?? .utc)
        let known = Set(try folder.logDates()).union(
            try folder.heldDates())
        if let date, !known.contains(date) {
            output.end(.noInput)
            output.fail(try notLoaded(date, in: folder, pipeline: pipeline))
            return nil
        }
        let ids = try StoredIDs(in: folder)
        if let date, !summary, ids.areErased(date) {
            output.warn(
                Message(
                    .idsErased,
                    text:
                        "\(date): its records are erased with its ids; --summary prints how many were rejected, and why",
                    logDate: date))
        }
        let nothing = nothing(on: date, dates: known.count, ids: ids, pipeline: pipeline)
        var listing = RejectListing(isSummary: summary, nothing: nothing, paths: output.paths)
        for date in date.map({ [$0] }) ?? known.sorted() {
            do {
                try add(date, from: folder, paths: output.paths, to: &listing)
            } catch let error as OutputError where error.kind == .missing {
                // Neither a held-back load nor a partition can be read.
            } catch let error as OutputError where error.isDamage {
                output.end(.failedIO)
                output.fail(error.message.about(date, isNamed: false))
            }
            if listing.count >= limit ?? .max { break }
            if output.wantsText, !summary, limit == nil {
                // The rejects of several years may not fit into memory.
                try output.print(listing.takeText())
            }
        }
        return listing
    }

    /// The message that a log date is not loaded, and whether it can be loaded.
    private func notLoaded(_ date: LogDate, in folder: OutputFolder, pipeline: Pipeline?) throws -> Message {
        let isClosed = try ClosedDates(in: folder)?.holds(date) ?? false
        // Without the pipeline, or if its files cannot be searched here, the files are not known.
        let files = try? pipeline.map { try Preview.files(of: $0, on: date) }
        if let pipeline, let files, files.isEmpty, !isClosed {
            return pipeline.noFiles(for: [date], outcome: "; it is not loaded")
        }
        let rest: MessageText =
            isClosed
            ? "it is closed, so it never will be"
            : "\(command: "run --date \(date)") loads it" + (files == nil ? ", if it has files" : "")
        return Message(.notLoaded, text: "\(date): is not loaded; \(rest)", logDate: date)
    }

    private func add(
        _ date: LogDate, from folder: OutputFolder, paths: ShownPaths, to listing: inout RejectListing
    ) throws {
        let partition = Result {
            let partition = try Partition(of: date, in: folder)
            if KnownPartitions(in: folder).content(of: date, in: folder)?.isSound != true { try partition.verify() }
            return partition
        }
        // A damaged partition is reported below.
        let version = try? partition.get().summary.version
        let held = HeldLoad(date, in: folder, installed: version)
        if let held { listing.take(held.reason, of: date) }
        if summary {
            let counts =
                try held?.rejected.map { ($0.source, $0.reason, $0.records) }
                ?? partition.get().outcomes().filter { $0.outcome == .rejected }
                .map { ($0.source, $0.reason, $0.records) }
            for (source, reason, records) in counts where isWanted(source: source, reason: reason) {
                listing.count(date, source: source, reason: reason, records: records)
            }
            return
        }
        let most = limit ?? .max
        func take(_ reject: Reject) -> Bool {
            if isWanted(source: reject.source, reason: reject.reason) {
                listing.add(date, reject: reject, paths: paths)
            }
            return listing.count < most
        }
        if held == nil { return try partition.get().forEachReject(take) }
        for reject in HeldLoad.rejects(date, in: folder) where !take(reject) { return }
    }

    /// The sentence that there are no rejects.
    private func nothing(on date: LogDate?, dates: Int, ids: StoredIDs, pipeline: Pipeline?) -> String {
        guard dates > 0 else { return "no log date is loaded, so there are no rejects" }
        if let date, !summary, ids.areErased(date) { return "" }
        let place = date?.description ?? Text.plural(dates, of: "log date")
        let wanted = (reason.map { " as \($0)" } ?? "") + (source.map { " of source \($0.shown)" } ?? "")
        let erased = summary || date != nil ? nil : ids.erasedBefore?.description
        let names = pipeline?.sources.map(\.name) ?? []
        let isUnknown = source.map { !names.isEmpty && !names.contains($0) } ?? false
        return "\(place): no rejects\(wanted)"
            + (isUnknown ? "; the pipeline has no such source, but \(names.map(\.shown).joined(separator: ", "))" : "")
            + (erased.map { "; those of log dates before \($0) are erased with their ids" } ?? "")
    }

    private func isWanted(source: String, reason: String) -> Bool {
        (self.source == nil || self.source == source) && (self.reason == nil || self.reason == reason)
    }
}

/// A list of rejects, or of their counts.
struct RejectListing: CommandResult {
    private struct Entry: Encodable {
        let date: LogDate
        let reject: Reject

        func encode(to encoder: any Encoder) throws {
            try encoder.encode([
                "log_date": date, "source": reject.source, "path": encoder.shownPaths.opening(reject.path),
                "line": reject.line, "reason": reject.reason, "detail": reject.detail, "sample": reject.sample,
            ])
        }
    }

    /// Whether the list has counts instead of single rejects.
    let isSummary: Bool
    /// The sentence to show if there are no rejects.
    private let nothing: String
    private let paths: ShownPaths
    /// Why log dates are held back: perhaps not for their records, but for a file or a header.
    private var held: [Message] = []
    private var rejects: [Entry] = []
    private var counts: [JSONObject] = []
    private var lines: [String] = []
    private var table = TextTable([.left, .left, .left, .right])
    private var isEmpty = true

    init(isSummary: Bool, nothing: String, paths: ShownPaths) {
        self.isSummary = isSummary
        self.nothing = nothing
        self.paths = paths
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.encode(["rejects": isSummary ? nil : rejects, "counts": isSummary ? counts : nil])
    }

    /// The number of entries, either rejects or counts.
    var count: Int { rejects.count + counts.count }

    mutating func add(_ date: LogDate, reject: Reject, paths: ShownPaths) {
        isEmpty = false
        lines.append(reject.text.shown(paths))
        rejects.append(Entry(date: date, reject: reject))
    }

    mutating func take(_ reason: HoldReason, of date: LogDate) { held.append(reason.message(of: date)) }

    mutating func count(_ date: LogDate, source: String, reason: String, records: Int) {
        isEmpty = false
        table.add(["\(date)", source.shown, reason, Text.number(records)])
        counts.append(["log_date": date, "source": source, "reason": reason, "records": records])
    }

    /// Returns the text so far, and removes it from the list.
    mutating func takeText() -> String {
        defer { (lines, rejects) = ([], []) }
        return lines.joined(separator: "\n")
    }

    var text: String {
        isEmpty
            ? ([nothing] + held.map { $0.shown(paths).words }).joined(separator: "\n")
            : (isSummary ? table.lines : lines).joined(separator: "\n")
    }
}
