import Events

/// The resources of a publishing.
package struct PublishingResources: Sendable {
    /// Bytes for blocks of events, for all workers together. Names, daily rows and events of shared messages need more.
    package var memory: Int
    package var workers: any Workers
    /// The lowest number of events in a piece of work, unless fewer are left.
    package var leastPiece = 16 * EventBlock.capacity
    /// The log dates whose partitions this process has just written. They need not be verified.
    package var justWritten: Set<Int32> = []
    /// The log dates that this process has loaded, also if their partitions had the same content already.
    package var justLoaded: Set<Int32> = []
    /// Called often, on any thread. True ends the publishing with `.stopped` before anything is written.
    package var isStopped: @Sendable () -> Bool

    package init(
        memory: Int = 256 << 20, workers: any Workers = SerialWorkers(),
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.memory = memory
        self.workers = workers
        self.isStopped = isStopped
    }

    /// Throws `.stopped` if the publishing must end.
    package func check() throws(WarehouseError) {
        if isStopped() { throw .stopped }
    }
}

/// Distributes work over threads. The warehouse has no threads of its own.
package protocol Workers: Sendable {
    /// The number of pieces that run at the same time; at least 1.
    var count: Int { get }

    /// Calls `body` with each number below `pieces` and returns the results in this order. Pieces may run in parallel,
    /// on any thread.
    /// - Throws: an error of `body`. Pieces that have not started by then are skipped.
    func map<Result: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Result]
}

/// Runs the pieces one after another on the caller's thread.
package struct SerialWorkers: Workers {
    package init() {}

    package var count: Int { 1 }

    package func map<Result: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Result] {
        var results: [Result] = []
        for piece in 0..<pieces { results.append(try body(piece)) }
        return results
    }
}
