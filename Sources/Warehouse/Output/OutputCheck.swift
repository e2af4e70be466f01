import Calendar
import GRDB
import Posix

/// What stands in push.db's place, beside what the last command left there.
struct OutputCheck: Sendable {
    var faults = OutputFaults()
    /// Whether a new file takes its place.
    var isAnew = false
    /// The tables that are made again in it.
    var rewritten: Set<String> = []
    /// Digests of the rows as they should be, those of rewritten tables left out. Nil where nobody knows them.
    var digests: TableDigests?
    /// Digests of the rows as they are; only where nobody knows how they should be.
    var found: TableDigests?
    /// Rows of tables that nothing can compute again.
    var history: [String: [[DatabaseValue]]] = [:]
    /// The file that was looked at.
    var stamp: FileStamp?
    /// Whether it is in WAL mode.
    var hasWAL = false

    init() {}

    init(of stamp: FileStamp, digests: TableDigests?) {
        self.stamp = stamp
        self.digests = digests
    }

    /// Whether the tables, or settings of the file, are to be written whatever the figures are.
    var needsWriting: Bool { isAnew || !rewritten.isEmpty || !faults.settings.isEmpty || !faults.triggers.isEmpty }

    /// A new file, without anything of what was there.
    static func anew(because reason: String?) -> OutputCheck {
        var check = OutputCheck()
        check.isAnew = true
        check.faults.unusable = reason
        check.rewritten = Set(OutputSchema.tables.map(\.name))
        check.digests = TableDigests()
        return check
    }

    mutating func rewrite(_ table: String, _ fault: OutputFaults.TableFault) {
        faults.tables[table] = fault
        rewritten.insert(table)
        digests?.remove(table)
    }

    /// Of what stands for a date in a damaged table only dates are told.
    mutating func rewriteRows(of table: String, _ dates: Set<String>) {
        rewrite(table, .otherRows(dates: dates.filter { CalendarText.day(of: $0) != nil }.sorted()))
    }

    /// What `publication` says, but for that of which the rows are made again.
    func trusted(_ published: [String: String]) -> [String: String] {
        if rewritten.contains(OutputSchema.publication.name) { return [:] }
        let areListsGone = !rewritten.isDisjoint(with: [OutputSchema.files.name, OutputSchema.outcomes.name])
        return published.filter { item, _ in
            if CalendarText.day(of: item) != nil { return !areListsGone }
            return !rewritten.contains { item.hasPrefix($0 + " ") }
        }
    }
}
