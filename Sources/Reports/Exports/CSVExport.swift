import Messages
import Output
import Partitions
import Posix
import SQLite

/// Writes tables of push.db as CSV files. A table without days gives one file, any other table a file per month.
///
/// A file whose rows have not changed is left alone. Other files are written aside and renamed. Files of months that a
/// table no longer has are removed. Only files of an export are replaced or removed: their names fit, and the first
/// line has the table's columns. If another file has such a name, nothing is written at all.
package struct CSVExport: Sendable {
    /// The tables that are exported by default: all except those about single files and commands.
    package static let defaultTables = tableNames.filter {
        !["files", "runs", "changes", "loads"].contains($0)
    }

    /// All tables.
    package static let tableNames = OutputSchema.tables.map(\.name)

    /// Whether a table has a row for each day, so that its files are months.
    package static func hasDays(_ name: String) -> Bool {
        OutputSchema.tables.contains { $0.name == name && $0.hasMonths }
    }

    private let tables: [Table]
    private let months: ExportMonths
    private let folder: String
    private let form: CSVForm

    /// - Parameters:
    ///   - tables: names of `tableNames`; others are ignored.
    ///   - months: tables without days are written whole.
    ///   - folder: created if it does not exist.
    package init(_ tables: [String], of months: ExportMonths, to folder: String, as form: CSVForm = .plain) {
        self.tables = OutputSchema.tables.filter { tables.contains($0.name) }
        self.months = months
        self.folder = folder
        self.form = form
    }

    /// Returns what was done with each file, by table and month.
    /// - Throws: `Fault` or `OutputError`. The files that were renamed before remain; each is whole.
    package func write(_ output: OutputDatabase) throws -> [ExportedFile] {
        try output.reading(else: Fault.withoutOutput) { database in
            let former = try formerFiles()
            try checkDays(in: database, former: former)
            var files: [ExportedFile] = []
            for table in tables {
                let written = try write(table, of: database, isStopped: output.isStopped)
                let gone = Set(former[table.name] ?? []).subtracting(written.compactMap(\.month))
                files += written + (try remove(gone.sorted(), of: table))
            }
            return files
        }
    }

    /// The months of each table that have a file already. Throws if something that is not of an export has a name that
    /// this one would write or remove.
    private func formerFiles() throws -> [String: [String]] {
        try ExportFolder.export.check(folder: folder)
        var former: [String: [String]] = [:]
        for table in tables {
            guard table.hasMonths else {
                try check(table.path(nil, in: folder), of: table)
                continue
            }
            let place = "\(folder)/\(table.name)"
            try ExportFolder.export.check(folder: place)
            let names = try reportingExport { try Folder.names(in: place) }
            let present = names.compactMap(Table.month).filter(months.contains)
            for month in present { try check(table.path(month, in: folder), of: table) }
            former[table.name] = present
        }
        return former
    }

    private func check(_ path: String, of table: Table) throws {
        let file = OwnFile(path: path) { head in table.isHeader(Array(head.prefix { $0 != 0x0A })) }
        try ExportFolder.export.check(file)
    }

    /// Throws if the range of months has neither days nor files, since it is probably a mistake.
    private func checkDays(in database: Database, former: [String: [String]]) throws {
        guard months.isLimited, tables.contains(where: \.hasMonths), former.values.allSatisfy(\.isEmpty) else { return }
        let known: [String] = try database.column("SELECT DISTINCT month FROM calendar")
        if known.contains(where: months.contains) { return }
        throw Fault(.noDays, text: "there are no days \(months.text); nothing was written", exitStatus: .noInput)
    }

    private func write(_ table: Table, of database: Database, isStopped: () -> Bool) throws -> [ExportedFile] {
        var files: [ExportedFile] = []
        var file = table.hasMonths ? nil : try CSVFile(of: table, month: nil, in: folder, as: form)
        var line = CSVLine(as: form)
        var count = 0
        if table.hasMonths { try database.checkEnds(of: "day", in: table.name) }
        try database.forEach(table.selection(of: months)) { row in
            for (index, column) in table.columns.enumerated() { try row.check(index, as: column) }
            if table.hasMonths {
                let month = String(try row.date(0).description.prefix(7))
                if file?.month != month {
                    if let file { files.append(try file.finish()) }
                    file = try CSVFile(of: table, month: month, in: folder, as: form)
                }
            }
            try line.set(to: row, columns: table.columns)
            try file?.append(line)
            count += 1
            if count % 1024 == 0, isStopped() { throw Fault.exportStopped }
        }
        if let file { files.append(try file.finish()) }
        return files
    }

    private func remove(_ months: [String], of table: Table) throws -> [ExportedFile] {
        var files: [ExportedFile] = []
        for month in months {
            let path = table.path(month, in: folder)
            try reportingExport { try WholeFile.remove(path) }
            files.append(ExportedFile(path: path, table: table.name, month: month, rows: nil, state: .removed))
        }
        return files
    }
}

/// A file of a table that is being written.
private final class CSVFile {
    let month: String?
    private let table: Table
    private let file: RewrittenFile
    private var rows = 0

    init(of table: Table, month: String?, in folder: String, as form: CSVForm) throws {
        self.table = table
        self.month = month
        file = try reportingExport {
            let path = table.path(month, in: folder)
            try Folder.create(Folder.parent(of: path))
            let file = try RewrittenFile(path)
            try file.append(form.start + table.header(as: form))
            return file
        }
    }

    func append(_ line: CSVLine) throws {
        try reportingExport { try file.append(line.bytes) }
        rows += 1
    }

    func finish() throws -> ExportedFile {
        let isWritten = try reportingExport { try file.finish() }
        return ExportedFile(
            path: file.path, table: table.name, month: month, rows: rows, state: isWritten ? .written : .unchanged)
    }
}

/// A table of push.db in an export: the names of its files, and how they are recognised.
extension Table {
    /// Whether the table has a folder with a file per month: its first column is a day.
    var hasMonths: Bool { columns.first?.name == "day" }

    func header(as form: CSVForm) -> [UInt8] { CSVLine.header(columns.map(\.name), as: form) }

    /// The path of the file of a month in `folder`; of a table without days the month is nil.
    func path(_ month: String?, in folder: String) -> String {
        month.map { "\(folder)/\(name)/\($0).csv" } ?? "\(folder)/\(name).csv"
    }

    /// The month of a file in the table's folder; nil if the export gives no such name.
    static func month(ofFile name: String) -> String? {
        name.wholeMatch(of: /([0-9]{4}-(?:0[1-9]|1[0-2]))\.csv/).map { String($0.1) }
    }

    /// Whether a file with this first line is of an export: the line begins with the table's first column, and has all
    /// columns of its key. This holds for files of other versions of the program, and for files in each form.
    func isHeader(_ line: [UInt8]) -> Bool {
        guard line.last == 0x0D else { return false }
        let mark = CSVForm.byteOrderMark
        let text = line.dropLast().dropFirst(line.starts(with: mark) ? mark.count : 0)
        let separators = CSVForm.Separator.allCases.map(\.byte)
        let names = text.split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
        return names.first == columns.first?.name && Set(names).isSuperset(of: key)
    }

    /// Selects the rows of some months in the order of the key. Without limits, all rows are selected, even those with
    /// an invalid day.
    func selection(of months: ExportMonths) -> String {
        let limits = [months.first.map { "day >= '\($0)-01'" }, months.last.map { "day <= '\($0)-31'" }].compactMap {
            $0
        }
        return selection(where: hasMonths && !limits.isEmpty ? limits.joined(separator: " AND ") : nil)
    }
}
