import ArgumentParser
import Calendar
import Configuration
import Messages
import Output
import Partitions
import Pipelines

struct StatusCommand: PushetlCommand {
    /// At most this many bytes of logs are read to compare files.
    private static let readLimit = 256 << 20

    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show which log dates are loaded, which need attention and why, and which days are final.",
        discussion: """
            Prints a calendar of the log dates: C complete, P partial, H held back, S stale (a file is new or has another \
            content, or the pipeline has changed: 'pushetl backfill' loads it), X shrunk (files of it are gone), D damaged \
            partition, M missing although there are files, . missing; with 'retention' also c closed, s settled, e ids \
            erased. A day is final once a log date more than window_days \
            after it is loaded. After that, only hits that reach the collector even later can change its figures.

              pushetl status
              pushetl status --from 2026-11-01

            For monitoring: exits 65 if a log date needs something, and prints one line for each reason, with its log dates:
              pushetl status --check --quiet

            It looks for stale, partial and missing dates among the last 30, up to yesterday, or from --from on. It looks \
            for dates of any age that are held back, damaged, loaded and not published, or of a former pipeline file and can \
            be loaded again. Yesterday must be loaded. On none of the last 7 loaded log dates may files be missing that the \
            log dates before it had; 'pushetl run --date D --force' accepts such a date as it is.
            """)

    @Option(date: "The first log date to show: YYYY-MM-DD, yesterday, today, or -N. (default: the first that is known)")
    var from: DateArgument?

    @Option(date: "The last log date to show. (default: the last that is known)")
    var to: DateArgument?

    @Flag(help: "Exit 65 if a log date needs something, and say which and why.")
    var check = false

    @Flag(help: "Show the numbers of each log date too.")
    var verbose = false

    @OptionGroup var threads: JobsOptions
    @OptionGroup var patience: WaitOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.file.readPipeline()
        output.paths = options.shownPaths(of: pipeline)
        let run = PipelineRun(
            pipeline, output: options.outputFolder,
            resources: RunResources(
                jobs: threads.jobs, wait: patience.wait, progress: printing.progress()))
        let range = try DateRange(from: from, to: to, in: pipeline.zone)
        var known = try StatusCommand.knownLogDates(
            of: run, in: check ? DateRange() : range, isCheck: check, output: output)
        let deliveries = DeliveryReading(pipeline, output: run.output)
        for fault in deliveries.faults { output.warn(fault) }
        let needs = try check ? StatusCommand.tellNeeds(of: known, run: run, in: range, output: output) : nil
        if check { known.states.removeAll { !range.contains($0.date) } }
        return try OutputStatus(
            of: run.database, known: known, deliveries: deliveries, paths: output.paths, needs: needs,
            isVerbose: verbose)
    }

    /// Finds the states of the log dates. Reports folders that could not be searched, and sources that could not be
    /// compared.
    private static func knownLogDates(
        of run: PipelineRun, in range: DateRange, isCheck: Bool, output: CommandOutput
    ) throws -> KnownLogDates {
        let known = try run.knownLogDates(in: range, readLimit: StatusCommand.readLimit)
        for failure in known.failures {
            // A check must fail if a folder cannot be searched.
            if isCheck { output.fail(failure) } else { output.warn(failure.message) }
        }
        for warning in known.warnings { output.warn(warning) }
        let loaded = known.states.filter { $0.partition != .missing }.map(\.date)
        if let kept = FormerPipeline(known.states, loaded: loaded)?.kept { output.warn(kept) }
        return known
    }

    /// Says what log dates need. If one needs something, the exit code is 65.
    private static func tellNeeds(
        of known: KnownLogDates, run: PipelineRun, in range: DateRange, output: CommandOutput
    ) throws -> [LogDateNeed] {
        let yesterday = LogDate.today(in: run.pipeline.zone).adding(days: -1)
        let needs = known.needs(
            in: range, yesterday: yesterday, published: try run.database.publishedVersions())
        if !needs.isEmpty { output.end(.badData) }
        output.tell(needs.map { Notice(.error, message: $0.message) })
        return needs
    }

    /// Ends as `status --check` would.
    static func tellNeeds(of pipeline: Pipeline, options: PipelineOptions, output: CommandOutput) throws {
        output.paths = options.shownPaths(of: pipeline)
        let run = PipelineRun(pipeline, output: options.outputFolder, resources: RunResources())
        let known = try knownLogDates(of: run, in: DateRange(), isCheck: true, output: output)
        _ = try tellNeeds(of: known, run: run, in: DateRange(), output: output)
    }
}

/// The states of all log dates, and the totals of the output DB.
struct OutputStatus: CommandResult {
    private let output: String
    private let known: KnownLogDates
    private let days: Int
    private let events: Int
    /// The last final day.
    private let finalThrough: String?
    /// The versions of the partitions that push.db shows.
    private let published: [LogDate: String]
    /// Log dates with partitions that are not published yet.
    private let unpublished: [LogDate]
    /// The state of the delivery files against push.db: unchanged, changed or unusable. Nil if the pipeline names no
    /// delivery files.
    private let deliveries: String?
    private let ids: StoredIDs
    /// The log dates that need something; nil without `--check`.
    private let needs: [LogDateNeed]?
    /// Whether any log date is loaded, be it shown or not.
    private let isLoaded: Bool
    private let paths: ShownPaths
    private let isVerbose: Bool
    let layout = ResultLayout.painted

    init(
        of database: OutputDatabase, known: KnownLogDates, deliveries: DeliveryReading, paths: ShownPaths,
        needs: [LogDateNeed]?, isVerbose: Bool
    ) throws {
        self.known = known
        self.needs = needs
        self.paths = paths
        self.isVerbose = isVerbose
        output = paths.opening(database.path)
        isLoaded = try !database.folder.logDates().isEmpty
        let published = try database.publishedVersions()
        self.published = published
        unpublished = known.states.compactMap { state in
            guard let summary = state.summary, published[summary.logDate] != summary.version else { return nil }
            return state.date
        }
        ids = try StoredIDs(in: database.folder)
        let accepted = OutputDatabase(database.folder, busyTimeout: 1).acceptedDeliveries
        self.deliveries =
            if !deliveries.faults.isEmpty {
                "unusable"
            } else if deliveries.isChanged {
                "changed"
            } else {
                accepted == nil ? nil : "unchanged"
            }
        let days = try database.days()
        self.days = days.count
        var events = 0
        for day in days {
            let (sum, isTooLarge) = events.addingReportingOverflow(day.events)
            guard day.events >= 0, !isTooLarge else {
                throw OutputError(.corrupt("a value of 'events' is not a count"), at: database.path)
            }
            events = sum
        }
        self.events = events
        finalThrough = days.last(where: \.isFinal)?.day.description
    }

    private var idsSince: String? { ids.logDates.first?.description }

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "output": output, "log_dates": known.states, "days": days, "events": events, "final_through": finalThrough,
            "unpublished": unpublished, "deliveries": deliveries, "closed_through": known.closedThrough,
            "ids_since": idsSince, "ids_log_dates": ids.logDates.count, "ids_bytes": ids.bytes, "needs": needs,
        ])
    }
}

extension OutputStatus {
    /// The most groups of log dates that are listed with their reasons.
    private static let listedGroups = 20
    /// Columns of the terminal.
    private static let width = Console.width ?? 80

    /// What needs something, then a line for each month, with a letter for each day, and a legend.
    var text: String {
        guard known.states.contains(where: { $0.partition != .missing || $0.held != nil }) else {
            let waiting = known.states.filter { $0.files > 0 }.map(\.date)
            return "\(output.shown): \(isLoaded ? "no log date of this range is loaded" : "nothing is loaded yet")"
                + (waiting.isEmpty ? "" : "; there are files of \(Text.ranges(waiting))")
        }
        let lines = [output.shown] + reasons + warnings + [""] + calendar + [""] + counts + figures
        return (lines + (isVerbose ? numbers : [])).joined(separator: "\n")
    }

    /// A line for each log date that is loaded.
    private var numbers: [String] {
        var table = TextTable([.left, .left] + Array(repeating: .right, count: 7))
        table.add(["log date", "", "files", "records", "events", "duplicates", "filtered", "rejected", "clock"])
        for state in known.states {
            guard let summary = state.summary else { continue }
            let numbers = [
                summary.files, summary.records, summary.events, summary.duplicates, summary.filtered,
                summary.rejected, summary.clockFallback,
            ]
            table.add(["\(state.date)", state.letter.text] + numbers.map(Text.number))
        }
        return [""] + table.lines + ["clock: accepted with another time, since the device's clock was wrong"]
    }

    private var calendar: [String] {
        var lines = ["           1        10        20        30"]
        var month: (year: Int, month: Int)?
        var filled = 0
        for state in known.states {
            let date = state.date
            if month?.year != date.year || month?.month != date.month {
                month = (date.year, date.month)
                lines.append("  \(date.description.prefix(7))  ")
                filled = 0
            }
            let (letter, colour) = state.letter
            let gap = String(repeating: " ", count: date.day - 1 - filled)
            lines[lines.count - 1] += gap + (colour?.paint(letter) ?? letter)
            filled = date.day
        }
        return lines + [
            "", "  C complete  P partial  H held back  S stale  X shrunk  D damaged",
            "  M missing, has files  . missing"
                + (known.states.contains { $0.phase != .open } ? "  c closed  s settled  e ids erased" : ""),
        ]
    }

    private var counts: [String] {
        var lines: [String] = []
        func row(_ name: String, list: Bool = true, where isMeant: (LogDateState) -> Bool) {
            let dates = known.states.filter(isMeant).map(\.date)
            guard !dates.isEmpty else { return }
            let start = "  " + Text.column(name, width: 12) + Text.number(dates.count)
            lines +=
                list
                ? Text.wrapped(start + "  " + Text.ranges(dates), width: OutputStatus.width, indent: 14) : [start]
        }
        let loaded = known.states.filter { $0.partition != .missing }.map(\.date)
        if let first = loaded.first, let last = loaded.last { lines.append("  log dates   \(first) to \(last)") }
        row("open", list: false) { $0.phase == .open && $0.partition != .missing && known.closedThrough != nil }
        row("closed", list: false) { $0.phase == .closed && $0.partition != .missing }
        row("settled", list: false) { $0.phase == .settled }
        row("ids erased", list: false) { $0.phase == .erased }
        row("complete", list: false) { $0.partition == .complete }
        row("partial") { $0.partition == .partial }
        row("held back") { $0.held != nil }
        row("stale") { $0.isStale && $0.held == nil }
        row("shrunk") { $0.isShrunk && !$0.hasLostAll && $0.phase == .open }
        row("logs gone") { $0.hasLostAll }
        row("damaged") { $0.partition == .damaged }
        row("missing") { $0.partition == .missing && $0.held == nil }
        row("  has files") { $0.partition == .missing && $0.held == nil && $0.files > 0 && $0.phase == .open }
        row("too late") { $0.refusedFiles > 0 }
        row("uncompared") { $0.phase == .open && !$0.uncompared.isEmpty }
        row("warnings") { !$0.warnings.isEmpty }
        return lines
    }

    private var figures: [String] {
        var lines = ["  days        \(Text.number(days)), \(Text.plural(events, of: "event"))"]
        lines.append("  final       " + (finalThrough.map { "through \($0)" } ?? "no day yet"))
        if let idsSince {
            lines.append(
                "  ids         since \(idsSince), \(Text.plural(ids.logDates.count, of: "log date")), \(Text.bytes(ids.bytes))"
            )
        }
        if !unpublished.isEmpty {
            lines += Text.wrapped(
                "  unpublished \(Text.ranges(unpublished)) (the next run publishes them)", width: OutputStatus.width,
                indent: 14)
        }
        switch deliveries {
        case "changed": lines.append("  deliveries  changed (the next run publishes them)")
        case "unusable": lines.append("  deliveries  cannot be read (see the warning)")
        default: break
        }
        return lines
    }

    /// Log dates with the same text.
    private typealias Group = (dates: [LogDate], text: String)

    /// Why log dates need something, or at least a look, with the command that mends it.
    private var reasons: [String] {
        let needs = Dictionary(known.needs(published: published).map { ($0.state.date, $0.message) }) { first, _ in
            first
        }
        let notices = known.states.compactMap { state -> Notice? in
            // Only the words are printed, so the code of this message does not matter.
            let look = state.needsLook ? Message(.stale, text: state.text).about(state.date) : nil
            return (needs[state.date] ?? look).map { Notice(.warning, message: $0) }
        }.gathered()
        guard !notices.isEmpty else { return [] }
        let more = notices.count - OutputStatus.listedGroups
        return [""]
            + notices.prefix(OutputStatus.listedGroups).flatMap { notice in
                Text.wrapped("  \(notice.message.shown(paths).words)", width: OutputStatus.width, indent: 4)
            } + (more > 0 ? ["  and \(more) more reasons; --json lists all"] : [])
    }

    /// The warnings of the loads, of the last log dates.
    private var warnings: [String] {
        // Warnings about missing files and hours are among the reasons, as long as they need something.
        let needs = Set(known.needs(published: published).filter(\.isGap).map(\.state.date))
        let groups = groups { state in
            state.warnings.isEmpty || needs.contains(state.date) ? nil : "warning: " + state.warnings.text.shown(paths)
        }
        guard !groups.isEmpty else { return [] }
        let more = groups.dropLast(OutputStatus.listedGroups).reduce(0) { $0 + $1.dates.count }
        return [""]
            + (more > 0 ? ["  warnings of \(Text.plural(more, of: "log date")) before; --json lists all"] : [])
            + groups.suffix(OutputStatus.listedGroups).flatMap(lines)
    }

    /// The log dates for which `text` returns a text, in order. Consecutive log dates with the same text form one
    /// group.
    private func groups(_ text: (LogDateState) -> String?) -> [Group] {
        var groups: [Group] = []
        for state in known.states {
            guard let text = text(state) else { continue }
            if let last = groups.last, last.text == text, last.dates.last?.adding(days: 1) == state.date {
                groups[groups.count - 1].dates.append(state.date)
            } else {
                groups.append(([state.date], text))
            }
        }
        return groups
    }

    private func lines(_ group: Group) -> [String] {
        Text.wrapped("  \(Text.ranges(group.dates))  \(group.text)", width: OutputStatus.width, indent: 4)
    }
}

extension LogDateState {
    /// Whether a person should look at it.
    fileprivate var needsLook: Bool {
        letter.colour != nil || refusedFiles > 0 || isHoldOver || phase == .open && !uncompared.isEmpty
    }

    fileprivate var letter: (text: String, colour: Colour?) {
        if phase != .open, partition != .damaged {
            if partition == .missing { return (".", nil) }
            return (phase == .closed ? "c" : phase == .settled ? "s" : "e", nil)
        }
        if isShrunk { return ("X", hasLostAll ? nil : .red) }
        if partition == .damaged { return ("D", .red) }
        if held != nil { return ("H", .red) }
        if partition == .missing { return files > 0 ? ("M", .yellow) : (".", nil) }
        if isStale { return ("S", .yellow) }
        return partition == .partial ? ("P", .yellow) : ("C", nil)
    }
}
