/// For whom an export writes CSV files.
package enum CSVForm: Sendable {
    /// For programs: values as they are.
    case plain
    /// For a double click in Excel: with a byte order mark, and with texts that Excel leaves alone.
    case excel

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What a file begins with, before the names of the columns.
    var start: [UInt8] { self == .excel ? CSVForm.byteOrderMark : [] }
}
