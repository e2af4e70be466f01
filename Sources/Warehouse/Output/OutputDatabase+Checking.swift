import Foundation
import GRDB
import Posix

extension OutputDatabase {
    /// Whether push.db is the file that the last command left, with no transaction of another to be undone. It is not
    /// opened.
    var isAsLeft: Bool {
        guard access(path + "-journal", F_OK) != 0, let stamp = OutputDigests.stamp(in: folder) else { return false }
        return stamp == FileStamp(path: path)
    }

    /// Compares what stands in push.db's place with what the last command left there. Only for who holds the output.
    ///
    /// - Throws: what keeps the file from being read and is not its own fault, or that it is another application's or a
    ///   newer version's.
    func check(isStopped: @escaping @Sendable () -> Bool = { false }) throws(WarehouseError) -> OutputCheck {
        let kept = OutputDigests(in: folder)
        if isAsLeft, let kept, let stamp = kept.stamp { return OutputCheck(of: stamp, digests: kept.digests) }
        do throws(WarehouseError) {
            // A killed command's transaction is undone first, which changes the file.
            _ = try readUnchecked(isStopped: isStopped) { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
            guard let stamp = FileStamp(path: path) else { return .anew(because: nil) }
            // An empty file is what a killed command of former versions may have left.
            if stamp.bytes == 0 { return .anew(because: kept == nil ? nil : "it is empty") }
            return try readUnchecked(isStopped: isStopped) { try check($0, stamp, beside: kept) } ?? .anew(because: nil)
        } catch {
            guard let damage = error.damage, kept != nil || DatabaseFile.isOutput(path) else { throw error }
            return anew(because: damage)
        }
    }

    /// A new file that keeps of the present one what can be read and not be computed again, and knows what is lost.
    func anew(because damage: String) -> OutputCheck {
        var check = OutputCheck.anew(because: damage)
        _ = try? readUnchecked { database in
            check.faults.lost = (try? OutputObjects(database).foreign) ?? []
            for table in OutputSchema.history { check.history[table.name] = table.readableRows(in: database) }
        }
        return check
    }

    private func check(_ database: Database, _ stamp: FileStamp, beside kept: OutputDigests?) throws -> OutputCheck {
        let objects = try OutputObjects(database)
        if try objects.isEmpty && Int.fetchOne(database, sql: "PRAGMA application_id") == 0 {
            // SQLite takes a few bytes of anything for an empty database.
            guard kept != nil || stamp.bytes >= 512 else { throw WarehouseError.notSQLite(path: path) }
            return .anew(because: kept == nil ? nil : "it is empty")
        }
        var check = OutputCheck(of: stamp, digests: nil)
        let isOlder = try checkMarks(database, objects, kept, &check)
        check.hasWAL = try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
        if check.hasWAL { check.faults.settings.append("journal_mode") }
        // Unlike quick_check it compares indexes with their tables.
        let structure = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
        if structure != ["ok"] {
            // SQLite's first line is a heading: "*** in database main ***".
            let lines = structure.joined(separator: "\n").split(separator: "\n").filter { !$0.hasPrefix("***") }
            throw WarehouseError.corrupt(path: path, detail: lines.first.map(String.init) ?? "its structure is faulty")
        }
        check.faults.triggers = objects.foreignTriggers
        let faulty = objects.faultyTables
        if isOlder {
            // An upgrade is no fault: all that can be computed is made again.
            let remade = OutputSchema.tables.filter { table in
                faulty[table.name] != nil || !OutputSchema.history.contains { $0.name == table.name }
            }
            check.rewritten = Set(remade.map(\.name))
            check.digests = TableDigests()
            return check
        }
        let sound = OutputSchema.tables.filter { faulty[$0.name] == nil }
        let found = try TableDigests(of: sound, in: database)
        if let kept {
            // A killed command has committed or has not.
            let candidates = [kept.digests, kept.committing].compactMap { $0 }.map { digests in
                (digests: digests, differences: found.differences(from: digests))
            }
            let nearest = candidates.min { $0.differences.count < $1.differences.count }
            check.digests = nearest?.digests
            for (table, dates) in nearest?.differences ?? [:] {
                check.rewriteRows(of: table, dates)
            }
        } else {
            check.found = found
        }
        for (table, fault) in faulty { check.rewrite(table, fault) }
        return check
    }

    /// Whether the file is of an older version. Throws if it is another application's, or a newer version's.
    private func checkMarks(
        _ database: Database, _ objects: OutputObjects, _ kept: OutputDigests?, _ check: inout OutputCheck
    ) throws -> Bool {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if application != file.applicationID {
            guard objects.hasOutputTables else {
                throw WarehouseError.foreign(path: path, applicationID: application)
            }
            check.faults.settings.append("application_id")
        }
        guard version != file.schema else { return false }
        // SQLite counts its transactions: without one since, a byte has changed, and nobody has set another version.
        let isTransaction = kept?.changeCounter == nil || kept?.changeCounter != DatabaseFile.changeCounter(path)
        if version > file.schema, isTransaction {
            throw WarehouseError.newerSchema(path: path, schema: version, known: file.schema)
        }
        if version < file.schema, kept == nil { return true }
        check.faults.settings.append("user_version")
        return false
    }
}

extension DatabaseFile {
    /// Whether a file that SQLite does not read is a push.db all the same, by what can be seen of it.
    static func isOutput(_ path: String) -> Bool {
        let head = head(of: path, bytes: 1 << 16)
        if head.allSatisfy({ $0 == 0 }) { return true }
        let application = withUnsafeBytes(of: UInt32(output(path).applicationID).bigEndian, Array.init)
        return head.count >= 72 && Array(head[68..<72]) == application
            || String(decoding: head, as: UTF8.self).contains("CREATE TABLE \(OutputSchema.publication.name) ")
    }
}
