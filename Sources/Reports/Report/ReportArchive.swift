import Output
import Partitions
import Posix

/// A page for each week and each month of push.db in a folder, and an index of them:
///
///     index.html       a calendar with a link to each page
///     2026-11.html     a month
///     2026/W47.html    a week
///
/// Each file depends on push.db and on what is compared alone. So nothing has to be kept of the nights before: all pages are
/// made, and a file is written only if its bytes are others. What else lies in the folder is left alone.
package struct ReportArchive: Sendable {
    private let folder: String
    private let comparison: ReportComparison

    /// - Parameter folder: created if it does not exist.
    package init(in folder: String, comparison: ReportComparison) {
        self.folder = folder
        self.comparison = comparison
    }

    /// Returns what was done with each file. The index is the last, so that what it links to is there.
    /// - Throws: `ReportError`, `ExportError` or `WarehouseError`. If a file of others is in the way, nothing is written. The
    ///   files that were renamed before remain; each is whole.
    package func write(_ output: OutputDatabase, _ workers: some Workers) throws -> [ExportedFile] {
        let index = try output.report { ArchiveIndex(table: try DayTable(in: $0)) }
        let pages = index.pages
        for place in Set([folder] + pages.map { Folder.parent(of: path($0)) }).sorted() {
            try ExportFolder.check(place)
        }
        for path in pages.map(path) + [indexPath] { try ExportFolder.check(path, isOurs: ReportPage.isPage) }
        // Each page is read in a transaction of its own, so that no command has to wait long for push.db.
        let files = try workers.map(pages.count) { number in
            if output.isStopped() { throw ExportError.stopped }
            let request = ReportRequest(pages[number], comparison: comparison)
            return try write(Report(of: output) { _ in request }.html, to: path(pages[number]))
        }
        return files + [try write(index.html, to: indexPath)]
    }

    private var indexPath: String { "\(folder)/index.html" }

    private func path(_ page: ArchivedPeriod) -> String { "\(folder)/\(page.path)" }

    private func write(_ html: String, to path: String) throws(ExportError) -> ExportedFile {
        try ExportFolder.write(Array(html.utf8), to: path, isOurs: ReportPage.isPage)
    }
}
