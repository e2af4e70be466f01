import GRDBSQLite

/// Compares a row with the current row of a selection of all columns of its table, as SQLite orders values.
struct RowComparison: ValueSink {
    private let present: RowStatement
    private let isKey: [Bool]
    private var column: Int32 = 0
    /// The order of the keys: negative, 0 or positive.
    private(set) var keyOrder = 0
    /// Whether all values are equal.
    private(set) var isEqual = true

    /// - Parameter isKey: by column, whether it belongs to the key. The key columns must be in key order.
    init(with present: RowStatement, isKey: [Bool]) {
        self.present = present
        self.isKey = isKey
    }

    mutating func addNull() { add(SQLITE_NULL) { _, _ in 0 } }
    mutating func add(_ number: Int64) { add(SQLITE_INTEGER) { RowComparison.order(number, $0.number($1)) } }
    mutating func add(_ number: Double) { add(SQLITE_FLOAT) { RowComparison.order(number, $0.double($1)) } }
    mutating func add(text: Span<UInt8>) { add(SQLITE_TEXT) { $0.compare(text, column: $1) } }
    mutating func add(blob: Span<UInt8>) { add(SQLITE_BLOB) { $0.compare(blob, column: $1) } }

    private mutating func add(_ type: Int32, _ compare: (RowStatement, Int32) -> Int) {
        let order = type == present.type(column) ? compare(present, column) : rank(type) - rank(present.type(column))
        if order != 0 {
            isEqual = false
            if keyOrder == 0, isKey[Int(column)] { keyOrder = order }
        }
        column += 1
    }

    private static func order<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
        a == b ? 0 : a < b ? -1 : 1
    }

    private func rank(_ type: Int32) -> Int {
        switch type {
        case SQLITE_NULL: 0
        case SQLITE_INTEGER, SQLITE_FLOAT: 1
        case SQLITE_TEXT: 2
        default: 3
        }
    }
}
