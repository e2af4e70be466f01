import Events
import SQLite

/// Writes rows of the tables by delivery, many at a time.
struct DeliveryWriter {
    private static let rowsAtATime = 1024

    private let database: Database
    /// Rows that are not written yet, by table.
    private var waiting: [[DeliveryRow]] = OutputSchema.byDelivery.map { _ in [] }
    /// The number of rows written or removed.
    private(set) var changes = 0

    init(_ database: Database) {
        self.database = database
    }

    /// Adds a row, or replaces the one with its key. Call `finish` after the last row.
    mutating func write(_ row: DeliveryRow) throws {
        let table = row.kind.table
        waiting[table].append(row)
        if waiting[table].count == DeliveryWriter.rowsAtATime { try flush(table) }
    }

    mutating func remove(_ kind: DeliveryRow.Kind, of delivery: ExactText) throws {
        var key = [delivery.text.databaseValue]
        if case .platform(let platform) = kind { key.append(platform.name.databaseValue) }
        let table = OutputSchema.byDelivery[kind.table]
        let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
        try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(condition)").execute(key)
        changes += 1
    }

    mutating func finish() throws {
        for table in waiting.indices { try flush(table) }
    }

    private mutating func flush(_ index: Int) throws {
        let table = OutputSchema.byDelivery[index]
        changes += waiting[index].count
        try RowStatement.insert(
            waiting[index], by: table.replacement, in: database)
        waiting[index].removeAll(keepingCapacity: true)
    }
}
