import Foundation
import GRDB
import Reference

/// The built `pushetl`, run in a folder of its own.
struct Program {
    let executable: URL

    /// The program beside the test bundle, or the one that `PUSHETL_BINARY` names; nil where it is not built.
    static let built: Program? = {
        let environment = ProcessInfo.processInfo.environment
        var places = [environment["PUSHETL_BINARY"].map { URL(fileURLWithPath: $0) }]
        places.append(Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("pushetl"))
        places.append(Bundle.main.bundleURL.deletingLastPathComponent().appendingPathComponent("pushetl"))
        places.append(Bundle.main.bundleURL.appendingPathComponent("pushetl"))
        guard let place = places.compactMap({ $0 }).first(where: isProgram) else { return nil }
        let program = Program(executable: place)
        // An empty shell of a program, before it is written, ends with 0 whatever it is told.
        let folder = CaseFolder()
        defer { folder.remove() }
        return program.run(["run", "--no-such-option"], in: folder.url) == 64 ? program : nil
    }()

    private static func isProgram(_ place: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: place.path)
    }

    /// The exit code; what is printed goes to `stdout` and `stderr` in the folder.
    func run(_ arguments: [String], in folder: URL) -> Int32 {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        for name in ["stdout", "stderr"] {
            _ = FileManager.default.createFile(atPath: folder.appendingPathComponent(name).path, contents: nil)
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: folder.appendingPathComponent("stdout").path)
        process.standardError = FileHandle(forWritingAtPath: folder.appendingPathComponent("stderr").path)
        do {
            try process.run()
        } catch {
            return -1
        }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}

/// A fresh temporary folder with a case's pipeline and logs.
struct CaseFolder {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pushetl-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ pipeline: Pipeline, output: String = "out", writesDefaults: Bool = false) {
        write(Bytes(pipeline.yaml(output: output, writesDefaults: writesDefaults)), to: "push.yaml")
    }

    func write(_ bytes: Bytes, to path: String) {
        let file = url.appendingPathComponent(path)
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data(bytes).write(to: file)
    }

    func remove(_ path: String) {
        try? FileManager.default.removeItem(at: url.appendingPathComponent(path))
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// `run --date`, with the arguments that every run has.
    func load(_ program: Program, _ date: Day, output: String? = nil, _ more: [String] = []) -> Int32 {
        var arguments = ["run", "--date", "\(date)", "--pipeline", "push.yaml", "--no-progress"] + more
        if let output { arguments += ["--output", output] }
        return program.run(arguments, in: url)
    }

    /// The first lines that the program wrote to stderr.
    var messages: String {
        let text = (try? String(contentsOf: url.appendingPathComponent("stderr"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").prefix(6).joined(separator: "\n")
    }

    func backfill(_ program: Program, _ from: Day, _ to: Day, output: String, _ more: [String] = []) -> Int32 {
        program.run(
            [
                "backfill", "--from", "\(from)", "--to", "\(to)", "--pipeline", "push.yaml", "--no-progress",
                "--output",
                output,
            ] + more, in: url)
    }

    /// Tables of a database, by the columns of the expected ones.
    func tables(_ path: String, like expected: [OutputTable]) throws -> [OutputTable] {
        try read(path) { database in
            try expected.map { table in
                OutputTable(table.name, table.columns, try rows(database, table.name, table.columns))
            }
        }
    }

    /// The output DB as a whole, its history aside.
    func dump(_ path: String = "out/push.db") throws -> [OutputTable] {
        let names = [
            "daily_actions", "daily_funnel", "days", "partitions", "files", "outcomes", "columns_help", "publication",
        ]
        return try read(path) { database in
            try names.map { name in
                let columns = try database.columns(in: name).map(\.name)
                return OutputTable(name, columns, try rows(database, name, columns))
            }
        }
    }

    private func read<T>(_ path: String, _ body: (Database) throws -> T) throws -> T {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: url.appendingPathComponent(path).path, configuration: configuration)
        return try queue.read(body)
    }

    private func rows(_ database: Database, _ table: String, _ columns: [String]) throws -> [OutputRow] {
        let sql = "SELECT " + columns.map { "\"\($0)\"" }.joined(separator: ", ") + " FROM \"\(table)\""
        return try GRDB.Row.fetchAll(database, sql: sql).map { row in
            row.databaseValues.map { value in
                switch value.storage {
                case .null: .null
                case .int64(let number): .integer(Int(number))
                case .double(let number): .real(number)
                case .string(let text): .text(text)
                case .blob(let data): .text("a blob: \(data.base64EncodedString())")
                }
            }
        }
    }
}

/// The first rows that two tables do not share, or nil where they are equal.
func difference(_ found: [OutputTable], _ expected: [OutputTable]) -> String? {
    for (found, expected) in zip(found, expected) where found != expected {
        var lines = ["table \(expected.name) (\(expected.columns.joined(separator: ", ")))"]
        var missing = expected.rows
        var surplus: [OutputRow] = []
        for row in found.rows {
            if let index = missing.firstIndex(of: row) { missing.remove(at: index) } else { surplus.append(row) }
        }
        lines += missing.prefix(4).map { "  expected \($0)" } + surplus.prefix(4).map { "  found    \($0)" }
        if missing.count > 4 || surplus.count > 4 {
            lines.append("  … \(missing.count) missing, \(surplus.count) surplus")
        }
        return lines.joined(separator: "\n")
    }
    return nil
}
