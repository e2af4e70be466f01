/// A value has another type or form than the one asked for. The value itself may be an id, so it is not named.
package struct ValueError: Error, CustomStringConvertible {
    package let column: String
    let fault: String
    /// What it was selected by.
    package let sql: String

    package init(column: String, fault: String, sql: String) {
        self.column = column
        self.fault = fault
        self.sql = sql
    }

    package var description: String { "a value of '\(column)' \(fault)" }
}
