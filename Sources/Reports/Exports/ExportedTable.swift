import Partitions

/// A table of push.db in an export: the names of its files, and how they are recognised.
struct ExportedTable {
    let table: Table

    var name: String { table.name }

    /// Tables with a day have a folder with a file for each month, the others one file.
    var hasMonths: Bool { table.columns.first?.name == "day" }

    var header: [UInt8] { CSVLine.header(table.columns.map(\.name)) }

    /// The path of the file of a month in `folder`; of a table without days the month is nil.
    func path(_ month: String?, in folder: String) -> String {
        month.map { "\(folder)/\(name)/\($0).csv" } ?? "\(folder)/\(name).csv"
    }

    /// The month of a file in the table's folder; nil if the export gives no such name.
    static func month(ofFile name: String) -> String? {
        name.wholeMatch(of: /([0-9]{4}-(?:0[1-9]|1[0-2]))\.csv/).map { String($0.1) }
    }

    /// Whether a file with this first line is one of the export: it begins with the table's first column, and has those
    /// of the key. So the files of another version of the program are recognised too, and those with a byte order mark.
    func isHeader(_ line: [UInt8]) -> Bool {
        guard line.last == 0x0D else { return false }
        let mark = CSVForm.byteOrderMark
        let text = line.dropLast().dropFirst(line.starts(with: mark) ? mark.count : 0)
        let names = String(decoding: text, as: UTF8.self).split(separator: ",").map(String.init)
        return names.first == table.columns.first?.name && Set(names).isSuperset(of: table.key)
    }

    /// Selects the rows of some months in the order of the key. Without limits it selects all, whatever their days are.
    func selection(_ months: ExportMonths) -> String {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let limits = [months.first.map { "day >= '\($0)-01'" }, months.last.map { "day <= '\($0)-31'" }].compactMap {
            $0
        }
        let range = hasMonths && !limits.isEmpty ? " WHERE \(limits.joined(separator: " AND "))" : ""
        return "SELECT \(names) FROM \(name)\(range) ORDER BY \(table.key.joined(separator: ", "))"
    }
}
