import CSQLite
import SQLite

/// Compares a row with the current row of a selection of all columns of its table, as SQLite orders values.
struct RowComparison: ValueSink {
    private let present: Statement
    private let keyPositions: [Int]
    private var column: Int32 = 0
    /// The order of the keys: negative, 0 or positive.
    private(set) var keyOrder = 0
    /// The position in the key of the column that decided.
    private var decidedBy = Int.max
    /// Whether all values are equal.
    private(set) var isEqual = true

    /// - Parameter keyPositions: by column, its position in the key; `Int.max` if it does not belong to the key.
    init(with present: Statement, keyPositions: [Int]) {
        self.present = present
        self.keyPositions = keyPositions
    }

    mutating func addNull() { add(SQLITE_NULL) { _, _ in 0 } }
    mutating func add(_ number: Int64) { add(SQLITE_INTEGER) { RowComparison.order(number, $0.number($1)) } }
    mutating func add(_ number: Double) { add(SQLITE_FLOAT) { RowComparison.order(number, $0.double($1)) } }
    mutating func add(text: Span<UInt8>) { add(SQLITE_TEXT) { $0.compare(text, column: $1) } }
    mutating func add(blob: Span<UInt8>) { add(SQLITE_BLOB) { $0.compare(blob, column: $1) } }

    private mutating func add(_ type: Int32, _ compare: (Statement, Int32) -> Int) {
        let order = type == present.type(column) ? compare(present, column) : rank(type) - rank(present.type(column))
        // An integer and a real number differ, even if they have the same value.
        if order != 0 || type != present.type(column) { isEqual = false }
        if order != 0, keyPositions[Int(column)] < decidedBy {
            (keyOrder, decidedBy) = (order, keyPositions[Int(column)])
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
