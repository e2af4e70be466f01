import Calendar
import SQLite

/// A row of a database that anybody may have changed. A value that no command writes ends the reading: `.corrupt`, with
/// the name of the column and without the value.
package struct CheckedRow {
    /// More than any logs hold. Eight million such counts add up without overflow.
    private static let largestCount = 1 << 40

    /// The values, unchecked.
    package let row: Statement
    let path: String

    /// A count, or a sum of counts.
    package func count(_ index: Int) throws(WarehouseError) -> Int {
        let count = try number(index)
        guard (0...CheckedRow.largestCount).contains(count) else { throw damage(index, "is not a count") }
        return count
    }

    package func number(_ index: Int) throws(WarehouseError) -> Int {
        guard case .int64(let number) = value(index) else { throw damage(index, "is not an integer") }
        return Int(number)
    }

    /// A count that a delivery file names; nil for NULL.
    package func optionalCountOfAnySize(_ index: Int) throws(WarehouseError) -> Int? {
        guard !isNull(index) else { return nil }
        let count = try number(index)
        guard count >= 0 else { throw damage(index, "is not a count") }
        return count
    }

    package func text(_ index: Int) throws(WarehouseError) -> String {
        guard case .string(let text) = value(index) else { throw damage(index, "is not text") }
        return text
    }

    /// Nil for NULL.
    package func optionalText(_ index: Int) throws(WarehouseError) -> String? {
        isNull(index) ? nil : try text(index)
    }

    package func date(_ index: Int) throws(WarehouseError) -> LogDate {
        guard case .string(let text) = value(index), let date = LogDate(text) else {
            throw damage(index, "is not a date")
        }
        return date
    }

    /// Nil for NULL.
    package func optionalDate(_ index: Int) throws(WarehouseError) -> LogDate? {
        isNull(index) ? nil : try date(index)
    }

    /// Checks the type of a column of a table.
    package func check(_ index: Int, as column: Table.Column) throws(WarehouseError) {
        if column.mayBeNull, isNull(index) { return }
        switch (column.type, value(index)) {
        case (.integer, .int64), (.real, .double), (.text, .string), (.dateTime, .string): break
        case (.date, _): _ = try date(index)
        default: throw damage(index, "is not of type \(column.type.rawValue)")
        }
    }

    private func value(_ index: Int) -> DatabaseValue { row.value(Int32(index)) }

    private func isNull(_ index: Int) -> Bool { if case .null = value(index) { true } else { false } }

    private func damage(_ index: Int, _ fault: String) -> WarehouseError {
        .corrupt(path: path, detail: "a value of '\(row.columnNames[index])' \(fault)")
    }
}
