/// A value of SQLite.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case int64(Int64)
    case double(Double)
    case string(String)
    case blob([UInt8])
}

extension DatabaseValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
