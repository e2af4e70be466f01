import Events
import SQLite

/// A row of a table, with a value for each column.
protocol TableRow: Sendable {
    /// - Parameter names: the names that belong to the numbers in the row.
    func write<Sink: ValueSink>(_ names: EventNames, to sink: inout Sink) throws(Sink.Failure)
}

extension [DatabaseValue]: TableRow {
    func write<Sink: ValueSink>(_: EventNames, to sink: inout Sink) throws(Sink.Failure) {
        for value in self { try sink.add(value) }
    }
}
