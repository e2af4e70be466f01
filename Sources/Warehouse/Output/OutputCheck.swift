import Calendar
import GRDB
import Posix

/// How push.db differs from the state that the last command left, and what must be written because of that.
struct OutputCheck: Sendable {
    var faults = OutputFaults()
    /// Whether a new file replaces push.db.
    var needsNewFile = false
    /// The tables that are made again.
    var rewritten: Set<String> = []
    /// The digests of the rows as they should be, without rewritten tables. Nil if they are not known.
    var digests: TableDigests?
    /// The digests of the rows as they are. Set only if the expected digests are not known.
    var found: TableDigests?
    /// The rows of tables that cannot be computed again.
    var history: [String: [[DatabaseValue]]] = [:]
    /// The file that was checked.
    var stamp: FileStamp?
    /// The schema version of a file that an earlier version of the program wrote; nil for others.
    var earlierSchema: Int?
    /// Whether it is in WAL mode.
    var hasWAL = false

    init() {}

    init(of stamp: FileStamp, digests: TableDigests?) {
        self.stamp = stamp
        self.digests = digests
    }

    /// Whether the file must be written even if no figure changes.
    var needsWriting: Bool {
        needsNewFile || !rewritten.isEmpty || !faults.settings.isEmpty || !faults.triggers.isEmpty
    }

    /// A new file, without any rows of the present one.
    /// - Parameter reason: why the present file cannot be used; nil if there is none.
    static func newFile(because reason: String?) -> OutputCheck {
        var check = OutputCheck()
        check.needsNewFile = true
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

    /// Marks a damaged table. Only valid dates are reported.
    mutating func rewriteRows(of table: String, _ dates: Set<String>) {
        rewrite(table, .otherRows(dates: dates.filter { CalendarText.day(of: $0) != nil }.sorted()))
    }

    /// The entries of `publication`, without those whose rows are made again.
    func trusted(_ published: [String: String]) -> [String: String] {
        if rewritten.contains(OutputSchema.publication.name) { return [:] }
        let areListsGone = !rewritten.isDisjoint(with: [OutputSchema.files.name, OutputSchema.outcomes.name])
        return published.filter { item, _ in
            if CalendarText.day(of: item) != nil { return !areListsGone }
            return rewritten.isDisjoint(with: OutputSchema.daily.map(\.name))
        }
    }
}
