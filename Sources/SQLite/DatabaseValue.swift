/// A value of SQLite.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case int64(Int64)
    case double(Double)
    case string(String)
    case blob([UInt8])

    /// Whether SQLite would store the same of both. Swift takes texts for equal that differ in their bytes; of blobs
    /// nobody asks.
    func isStoredLike(_ other: DatabaseValue) -> Bool {
        switch (self, other) {
        case (.int64(let a), .int64(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
        case (.null, .null): true
        default: false
        }
    }
}
