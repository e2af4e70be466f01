/// Who reads the CSV files.
package enum CSVForm: Sendable {
    /// For programs: values as they are.
    case plain
    /// For a double click in Excel: with a byte order mark, and with texts that Excel leaves alone.
    case excel

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes before the names of the columns.
    var start: [UInt8] { self == .excel ? CSVForm.byteOrderMark : [] }
}
