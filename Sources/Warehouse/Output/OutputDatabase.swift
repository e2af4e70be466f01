import Foundation
import GRDB

/// `push.db`: the daily figures of all partitions together, for BI tools. Every change of it is one transaction.
package struct OutputDatabase: Sendable {
    package let folder: OutputFolder
    /// Seconds between two tries where others hold it.
    static let pause = 0.02

    /// Seconds to wait for a reader or another writer.
    package let busyTimeout: Double
    /// Is told several times a second, while others hold it, for how many seconds it has waited.
    private let didWait: @Sendable (Double) -> Void

    package init(
        _ folder: OutputFolder, busyTimeout: Double = 30, didWait: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.folder = folder
        self.busyTimeout = busyTimeout
        self.didWait = didWait
    }

    package var path: String { folder.databasePath }
    var file: DatabaseFile { .output(path) }

    /// Reads with `body`; nil if there is no output DB yet. While a writer holds it, `isStopped` is asked several times a
    /// second.
    func read<T>(
        isStopped: @escaping @Sendable () -> Bool = { false }, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        try readUnchecked(isStopped: isStopped) { try file.check($0) ? try body($0) : nil } ?? nil
    }

    /// The same with a database of whatever schema.
    func readUnchecked<T>(
        isStopped: @escaping @Sendable () -> Bool = { false }, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        do throws(WarehouseError) {
            return try readOnly(isStopped, body)
        } catch {
            if case .busy = error, isStopped() { throw .stopped }
            guard case .interrupted = error else { throw error }
            try rollBack()
            return try readOnly(isStopped, body)
        }
    }

    private func readOnly<T>(
        _ isStopped: @escaping @Sendable () -> Bool, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(path: path, call: "stat", errno: errno)
        }
        var configuration = configuration(isStopped)
        configuration.readonly = true
        return try reportingFacts(of: path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // One read transaction, so that all of it is of one publication.
            return try queue.read(body)
        }
    }

    /// Waits for others up to the timeout, or until it is stopped.
    func configuration(_ isStopped: @escaping @Sendable () -> Bool) -> Configuration {
        let tries = Int(busyTimeout / OutputDatabase.pause)
        var configuration = DatabaseFile.configuration(busyTimeout: busyTimeout)
        configuration.busyMode = .callback { [didWait] count in
            guard count < tries, !isStopped() else { return false }
            didWait(Double(count) * OutputDatabase.pause)
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
            return true
        }
        return configuration
    }
}
