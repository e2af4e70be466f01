import Events

/// The resources for one publish.
package struct PublishingResources: Sendable {
    /// Bytes for blocks in hand, of all workers together. Names, daily rows and the shared messages' events come on top.
    package var memory: Int
    package var workers: any Workers
    /// A piece of work has no fewer events than this, unless there are none left.
    package var leastPiece = 16 * EventBlock.capacity
    /// Log dates whose partitions this process has just written, so that they need not be verified.
    package var justWritten: Set<Int32> = []
    /// Asked now and then. True ends the publish with `.stopped` before anything is written.
    package var isStopped: @Sendable () -> Bool

    package init(
        memory: Int = 256 << 20, workers: any Workers = SerialWorkers(),
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.memory = memory
        self.workers = workers
        self.isStopped = isStopped
    }

    /// Throws `.stopped` once the publish shall end.
    func check() throws(WarehouseError) {
        if isStopped() { throw .stopped }
    }
}
