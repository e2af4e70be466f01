import Calendar
import Foundation
import Posix

/// The folder of an output: `push.db`, and `partitions/2026-11-19.sqlite` for each log date.
package struct OutputFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var databasePath: String { path + "/push.db" }
    /// Where a new push.db is written before it takes its place.
    var temporaryDatabasePath: String { path + "/.push.db.tmp" }
    package var partitionsPath: String { path + "/partitions" }
    /// What is kept so that less work is done again; it may be removed at any time between two commands.
    package var cachePath: String { partitionsPath + "/.kept" }

    /// The place of a log date's partition; `logDate` in days since 1970-01-01.
    package func partitionPath(_ logDate: Int32) -> String {
        "\(partitionsPath)/\(CalendarText.date(ofDay: logDate)).sqlite"
    }

    /// Makes the folder and `partitions` in it, with the folders above them. Returns those that were not there, the
    /// outermost first.
    @discardableResult
    package func create() throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.create(partitionsPath) }
    }

    /// Removes those of some folders that are empty, the innermost first: a command that came to nothing leaves none behind.
    package func removeEmpty(_ folders: [String]) {
        guard !folders.isEmpty else { return }
        for folder in [cachePath] + folders.reversed() { rmdir(folder) }
    }

    /// The log dates that have a partition file, in order. None if the folder is not there.
    package func logDates() throws(WarehouseError) -> [Int32] {
        var dates: [Int32] = []
        for name in try OutputFolder.names(in: partitionsPath) where name.hasSuffix(".sqlite") {
            if let day = CalendarText.day(of: String(name.dropLast(7))) { dates.append(day) }
        }
        return dates.sorted()
    }

    /// Removes the temporary files that a killed writer left; returns their paths. Only for who holds the output.
    @discardableResult
    package func removeLeftovers() throws(WarehouseError) -> [String] {
        var removed: [String] = []
        for suffix in ["", "-journal"] where unlink(temporaryDatabasePath + suffix) == 0 {
            removed.append(temporaryDatabasePath + suffix)
        }
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

    /// The names in a folder. A folder that does not exist has no names.
    static func names(in path: String) throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.names(in: path) }
    }
}
