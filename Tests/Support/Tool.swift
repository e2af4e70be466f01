import Foundation

/// A program of the system that a test needs. It may be missing.
package enum Tool: String {
    case bash, bzip2, gzip, iconv, jq, logrotate, lz4, pigz, python3, script, sqlite3, tar, timeout, xz
    case zdump, zip, zopfli, zstd

    /// Where it is in one of the folders of `PATH`; nil if it is not installed.
    package var path: String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(rawValue)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a command of the shell, and returns what it writes to stdout.
    package static func output(of command: String, in folder: ScratchFolder) throws -> [UInt8] {
        let shell = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        let outcome = try shell.run(["-c", "\(command) >output"], in: folder.url)
        guard outcome.exit == 0 else { throw ToolError(command: command, outcome: outcome) }
        return try folder.bytes("output")
    }
}

package struct ToolError: Error {
    package let command: String
    package let outcome: Program.Outcome
}
