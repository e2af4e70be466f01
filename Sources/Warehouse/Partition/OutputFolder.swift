import Calendar
import Foundation
import Posix

/// The folder of an output. It contains `push.db`, and for each log date a partition such as
/// `partitions/2026-11-19.sqlite`.
package struct OutputFolder: Hashable, Sendable {
    package let path: String
    /// Whether cache files may be written and removed.
    private(set) var mayCache = true

    package init(_ path: String) {
        self.path = path
    }

    /// The same folder, in which the cache is only read.
    var withoutCaching: OutputFolder {
        var folder = self
        folder.mayCache = false
        return folder
    }

    package var databasePath: String { path + "/push.db" }
    /// A new push.db is written here, and then renamed.
    var temporaryDatabasePath: String { path + "/.push.db.tmp" }
    package var partitionsPath: String { path + "/partitions" }
    /// The cache: files that save work. They may be removed at any time between two commands.
    package var cachePath: String { partitionsPath + "/.kept" }

    /// The path of a log date's partition. `logDate` is in days since 1970-01-01.
    package func partitionPath(_ logDate: Int32) -> String {
        "\(partitionsPath)/\(CalendarText.date(ofDay: logDate)).sqlite"
    }

    /// Creates the folder with `partitions` in it, and the folders above. Returns the folders that were missing,
    /// outermost first.
    @discardableResult
    package func create() throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.create(partitionsPath) }
    }

    /// Removes the empty folders among `folders`, innermost first. So a command without a result leaves no folders
    /// behind.
    package func removeEmpty(_ folders: [String]) {
        guard !folders.isEmpty else { return }
        for folder in [cachePath] + folders.reversed() { rmdir(folder) }
    }

    /// The log dates that have a partition file, sorted. Empty if there is no folder.
    package func logDates() throws(WarehouseError) -> [Int32] {
        var dates: [Int32] = []
        for name in try OutputFolder.names(in: partitionsPath) where name.hasSuffix(".sqlite") {
            if let day = CalendarText.day(of: String(name.dropLast(7))) { dates.append(day) }
        }
        return dates.sorted()
    }

    /// Removes the temporary files of killed commands and returns their paths. The caller must hold the output's lock.
    @discardableResult
    package func removeLeftovers() throws(WarehouseError) -> [String] {
        var removed: [String] = []
        for suffix in ["", "-journal"] where unlink(temporaryDatabasePath + suffix) == 0 {
            removed.append(temporaryDatabasePath + suffix)
        }
        if unlink(temporaryDeliveriesPath) == 0 { removed.append(temporaryDeliveriesPath) }
        for folder in [partitionsPath, cachePath, heldPath] {
            for name in try OutputFolder.names(in: folder).sorted() where name.hasPrefix(".") && name.hasSuffix(".tmp")
            {
                let path = "\(folder)/\(name)"
                try reportingCalls { () throws(SystemError) in try WholeFile.remove(path) }
                removed.append(path)
            }
        }
        return removed
    }

    /// The names in a folder; empty if there is no such folder.
    static func names(in path: String) throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.names(in: path) }
    }
}
