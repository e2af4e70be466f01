/// Who reads the CSV files.
package enum CSVForm: Equatable, Sendable {
    /// What stands between two values.
    package enum Separator: String, CaseIterable, Sendable {
        case comma = ","
        case semicolon = ";"
        case tab

        /// - Parameter text: as an option has it. A tab may also be given as itself.
        package init?(text: String) { self.init(rawValue: text == "\t" ? Separator.tab.rawValue : text) }

        var byte: UInt8 {
            switch self {
            case .comma: UInt8(ascii: ",")
            case .semicolon: UInt8(ascii: ";")
            case .tab: 0x09
            }
        }
    }

    /// For programs: values as they are.
    case plain
    /// For a double click in Excel: with a byte order mark, and with texts that Excel leaves alone. Excel expects the
    /// separator of the system's language.
    case excel(Separator)

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes before the names of the columns.
    var start: [UInt8] { self == .plain ? [] : CSVForm.byteOrderMark }

    var separator: UInt8 {
        if case .excel(let separator) = self { separator.byte } else { Separator.comma.byte }
    }
}
