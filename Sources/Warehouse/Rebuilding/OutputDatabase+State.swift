import Calendar
import Foundation
import Posix
import SQLite

extension OutputDatabase {
    /// Whether push.db is the file that the last command left, has no unfinished transaction, and nobody has found a
    /// fault in it since. Does not open it as a database.
    package var isAsLeft: Bool {
        guard access(filePath + "-journal", F_OK) != 0, !isSuspect, let left = OutputDigests.stamp(in: folder) else {
            return false
        }
        return left == OutputStamp(path)
    }

    /// Compares push.db with the state that the last command left. The caller must hold the output's lock.
    ///
    /// - Throws: errors that are not damage of the file; also if it belongs to another application or a newer version.
    func state(isStopped: @escaping @Sendable () -> Bool = { false }) throws(WarehouseError) -> OutputState {
        let kept = OutputDigests(in: folder)
        if isAsLeft, let kept, let stamp = kept.stamp {
            return OutputState(content: .sound(kept.digests), stamp: stamp.file)
        }
        do throws(WarehouseError) {
            // First undo the transaction of a killed command. This changes the file.
            _ = try readUnchecked(isStopped: isStopped) { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
            guard let stamp = FileStamp(path: path) else { return .missing }
            // A command that was killed early may have left an empty file.
            if stamp.bytes == 0 { return kept == nil ? .missing : .rebuilt(because: .damage("it is empty")) }
            let found = try readUnchecked(isStopped: isStopped) { try state(of: $0, stamp, kept) }
            return found ?? .missing
        } catch {
            guard let damage = error.damage, isKnownAsOutput else { throw error }
            return .rebuilt(because: .damage(damage))
        }
    }

    /// Whether a file that cannot be read is a damaged push.db, which the next command that may write makes anew, and not
    /// somebody's file under its name.
    var isKnownAsOutput: Bool { OutputDigests.exists(in: folder) || DatabaseFile.isOutput(path) }

    private func state(
        of database: Database, _ stamp: FileStamp, _ kept: OutputDigests?
    ) throws -> OutputState {
        let objects = try OutputObjects(database)
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if objects.all.isEmpty, application == 0 {
            // SQLite accepts a few arbitrary bytes as an empty database.
            guard stamp.bytes >= 512 else { throw WarehouseError.notSQLite(path: path) }
            return kept == nil ? .missing : .rebuilt(because: .damage("it is empty"))
        }
        guard application == file.applicationID || objects.hasOutputTables else {
            throw WarehouseError.foreign(path: path, applicationID: application)
        }
        guard version <= file.schema else {
            throw WarehouseError.newerSchema(path: path, schema: version, known: file.schema)
        }
        var differences = try OutputDatabase.structureFaults(database, objects) + objects.faultyTables
        let encoding = try String.fetchOne(database, sql: "PRAGMA encoding") ?? ""
        // The order of texts in the file depends on it.
        if encoding != "UTF-8" { differences.append(.encoding(encoding)) }
        // A command that was killed while it brought the file up has left no state of its rows before.
        let isEarlier =
            kept.map(\.digests.isEmpty) ?? (version < file.schema || OutputDigests.areOfOtherColumns(in: folder))
        if isEarlier, !objects.faultyTables.isEmpty {
            return OutputState(content: .unusable(earlierSchema: version))
        }
        var content = OutputState.Content.unusable(earlierSchema: nil)
        if differences.isEmpty {
            let found = try TableDigests(of: OutputSchema.tables, in: database)
            if let kept, !isSuspect {
                differences = OutputDatabase.list(kept.differences(from: found))
                content = .sound(found)
            } else {
                content = .uncompared(found)
            }
        }
        var faults = OutputFaults(differences: differences)
        if application != file.applicationID { faults.settings.append("application_id") }
        if version != file.schema { faults.settings.append("user_version") }
        let hasWAL = try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
        if hasWAL { faults.settings.append("journal_mode") }
        if try !OutputStatistics.areComplete(in: database) { faults.settings.append("sqlite_stat1") }
        faults.triggers = objects.foreignTriggers
        if !differences.isEmpty { content = .unusable(earlierSchema: nil) }
        return OutputState(content: content, faults: faults, stamp: stamp, hasWAL: hasWAL)
    }

    /// What SQLite finds wrong in the pages, the tables and the indexes of a push.db; at most one fault.
    package static func structureFaults(_ database: Database) throws -> [OutputFaults.Difference] {
        try structureFaults(database, try OutputObjects(database))
    }

    private static func structureFaults(
        _ database: Database, _ objects: OutputObjects
    ) throws -> [OutputFaults.Difference] {
        // Unlike quick_check, this compares indexes with their tables. Nil if a table has an index or a constraint of others
        // with a collation or a function that is not known here.
        func lines(_ argument: String) throws -> [Substring]? {
            do {
                return try String.fetchAll(database, sql: "PRAGMA integrity_check(\(argument))")
                    .joined(separator: "\n").split(separator: "\n")
            } catch let error as DatabaseError where error.resultCode == .error {
                return nil
            }
        }
        let ours = OutputSchema.tables.map(\.name).filter { name in objects.all.contains { $0.name == name } }
        let found = try lines("100") ?? ours.flatMap { try lines($0) ?? [] }
        // The first line of the result is a heading: "*** in database main ***". Rows of others that break a rule of
        // their own table are no damage.
        let rules = objects.foreign.filter { $0.type == "table" }.flatMap { table in
            [" in \(table.name)", " in \(table.name)."]
        }
        let faults = found.filter { line in
            line != "ok" && !line.hasPrefix("***")
                && !rules.contains { line.hasSuffix($0) || $0.hasSuffix(".") && line.contains($0) }
        }
        return faults.first.map { [.damage(String($0))] } ?? []
    }

    /// The differences in the order of the tables' names. Only valid dates are named.
    static func list(_ differences: [String: Set<String>]) -> [OutputFaults.Difference] {
        differences.sorted { $0.key < $1.key }.map { table, dates in
            .otherRows(table: table, dates: dates.filter { CalendarText.day(of: $0) != nil }.sorted())
        }
    }

    private static let suspicion = "push.suspect"

    /// Whether a command has found a fault in a push.db that was as the last command had left it.
    private var isSuspect: Bool { access("\(folder.cachePath)/\(OutputDatabase.suspicion)", F_OK) == 0 }

    /// Makes the next command that may write compare push.db with the partitions. Returns false if that cannot be noted.
    @discardableResult
    package func suspect() -> Bool { folder.cache([], as: OutputDatabase.suspicion) }

    func endSuspicion() { folder.removeCached(OutputDatabase.suspicion) }
}

extension DatabaseFile {
    /// Whether a file that SQLite cannot read is a push.db, judged by its first bytes.
    static func isOutput(_ path: String) -> Bool {
        let head = head(of: path, bytes: 1 << 16)
        if head.allSatisfy({ $0 == 0 }) { return true }
        let application = withUnsafeBytes(of: UInt32(output(path).applicationID).bigEndian, Array.init)
        return head.count >= 72 && Array(head[68..<72]) == application
            || String(decoding: head, as: UTF8.self).contains("CREATE TABLE \(OutputSchema.publication.name) ")
    }
}
