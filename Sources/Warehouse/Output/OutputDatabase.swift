import Foundation
import GRDB

/// `push.db`: the daily figures of all partitions, for BI tools. Every change is one transaction.
package struct OutputDatabase: Sendable {
    package let folder: OutputFolder
    /// Seconds between two attempts while others lock the database.
    static let pause = 0.02

    /// Seconds to wait for a reader or another writer before an operation fails with `.busy`.
    package let busyTimeout: Double
    /// Called several times a second while others lock the database, with the seconds waited so far.
    private let didWait: @Sendable (Double) -> Void

    package init(
        _ folder: OutputFolder, busyTimeout: Double = 30, didWait: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.folder = folder
        self.busyTimeout = busyTimeout
        self.didWait = didWait
    }

    package var path: String { folder.databasePath }
    package var exists: Bool { access(path, F_OK) == 0 }
    var file: DatabaseFile { .output(path) }

    /// Reads with `body`; nil if there is no output DB yet. While a writer locks it, `isStopped` is called several
    /// times a second.
    package func read<T>(
        isStopped: @escaping @Sendable () -> Bool = { false }, _ body: (Database) throws -> T
    ) throws(WarehouseError) -> T? {
        try readUnchecked(isStopped: isStopped) { try file.check($0) ? try body($0) : nil } ?? nil
    }

    /// Like `read`, but without a check of the schema.
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
            // One read transaction, so that everything read is of one publishing.
            return try queue.read(body)
        }
    }

    /// Connections wait for locks until the timeout, or until `isStopped` returns true.
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
