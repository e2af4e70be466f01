import Foundation
import GRDB
import Posix

extension OutputDatabase {
    /// Whether push.db is the file that the last command left and has no unfinished transaction. Does not open the
    /// file.
    var isAsLeft: Bool {
        guard access(path + "-journal", F_OK) != 0, let stamp = OutputDigests.stamp(in: folder) else { return false }
        return stamp == FileStamp(path: path)
    }

    /// Compares push.db with the state that the last command left. The caller must hold the output's lock.
    ///
    /// - Throws: errors that are not damage of the file; also if it belongs to another application or a newer version.
    func check(isStopped: @escaping @Sendable () -> Bool = { false }) throws(WarehouseError) -> OutputCheck {
        let cached = OutputDigests(in: folder)
        if isAsLeft, let cached, let stamp = cached.stamp { return OutputCheck(of: stamp, digests: cached.digests) }
        do throws(WarehouseError) {
            // First undo the transaction of a killed command. This changes the file.
            _ = try readUnchecked(isStopped: isStopped) { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
            guard let stamp = FileStamp(path: path) else { return .newFile(because: nil) }
            // A command that was killed early may have left an empty file.
            if stamp.bytes == 0 { return .newFile(because: cached == nil ? nil : "it is empty") }
            return try readUnchecked(isStopped: isStopped) { try check($0, stamp, cached) } ?? .newFile(because: nil)
        } catch {
            guard let damage = error.damage, cached != nil || DatabaseFile.isOutput(path) else { throw error }
            return newFile(because: damage)
        }
    }

    /// A new file. It takes over the rows that cannot be computed again, as far as they can be read. Tables, views and
    /// indexes of others are lost.
    func newFile(because damage: String) -> OutputCheck {
        var check = OutputCheck.newFile(because: damage)
        _ = try? readUnchecked { database in
            check.faults.lost = (try? OutputObjects(database).foreign) ?? []
            for table in OutputSchema.history { check.history[table.name] = table.readableRows(in: database) }
        }
        return check
    }

    private func check(_ database: Database, _ stamp: FileStamp, _ cached: OutputDigests?) throws -> OutputCheck {
        let objects = try OutputObjects(database)
        if try objects.isEmpty && Int.fetchOne(database, sql: "PRAGMA application_id") == 0 {
            // SQLite accepts a few arbitrary bytes as an empty database.
            guard cached != nil || stamp.bytes >= 512 else { throw WarehouseError.notSQLite(path: path) }
            return .newFile(because: cached == nil ? nil : "it is empty")
        }
        var check = OutputCheck(of: stamp, digests: nil)
        try checkMarks(database, objects, cached, &check)
        check.hasWAL = try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
        if check.hasWAL { check.faults.settings.append("journal_mode") }
        // Unlike quick_check, this compares indexes with their tables.
        let structure = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
        if structure != ["ok"] {
            // The first line of the result is a heading: "*** in database main ***".
            let lines = structure.joined(separator: "\n").split(separator: "\n").filter { !$0.hasPrefix("***") }
            throw WarehouseError.corrupt(path: path, detail: lines.first.map(String.init) ?? "its structure is faulty")
        }
        check.faults.triggers = objects.foreignTriggers
        let faulty = objects.faultyTables
        if check.earlierSchema != nil {
            // An upgrade is no fault. All tables that can be computed are made again.
            let remade = OutputSchema.tables.filter { table in
                faulty[table.name] != nil || !OutputSchema.history.contains { $0.name == table.name }
            }
            check.rewritten = Set(remade.map(\.name))
            check.digests = TableDigests()
            return check
        }
        if try !OutputStatistics.areComplete(in: database) { check.faults.settings.append("sqlite_stat1") }
        let sound = OutputSchema.tables.filter { faulty[$0.name] == nil }
        let found = try TableDigests(of: sound, in: database)
        if let cached {
            let nearest = cached.nearest(to: found)
            check.digests = nearest.digests
            for (table, dates) in nearest.differences { check.rewriteRows(of: table, dates) }
        } else {
            check.found = found
        }
        for (table, fault) in faulty { check.rewrite(table, fault) }
        return check
    }

    /// Compares the application and the schema's version.
    /// - Throws: if it belongs to another application or a newer version.
    private func checkMarks(
        _ database: Database, _ objects: OutputObjects, _ cached: OutputDigests?, _ check: inout OutputCheck
    ) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if application != file.applicationID {
            guard objects.hasOutputTables else {
                throw WarehouseError.foreign(path: path, applicationID: application)
            }
            check.faults.settings.append("application_id")
        }
        guard version != file.schema else { return }
        // If the transaction counter has not changed since the last command, nobody has set another version. Then a
        // byte is damaged.
        let isTransaction = cached?.changeCounter == nil || cached?.changeCounter != DatabaseFile.changeCounter(path)
        if version > file.schema, isTransaction {
            throw WarehouseError.newerSchema(path: path, schema: version, known: file.schema)
        }
        if version < file.schema, cached == nil {
            check.earlierSchema = version
        } else {
            check.faults.settings.append("user_version")
        }
    }
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
