import Calendar
import Events
import Foundation
import Messages

package struct PublishingResources: Sendable {
    /// Bytes for blocks of events, for all workers together. Names, daily rows and events of shared messages need more.
    package var memory: Int
    package var workers: any Workers
    /// The lowest number of events in a piece of work, unless fewer are left.
    package var leastPiece = 16 * EventBlock.capacity
    /// The log dates whose partitions this process has just written. They need not be verified.
    package var justWritten: Set<LogDate> = []
    /// The log dates that this process has loaded, also if their partitions had the same content already.
    package var justLoaded: Set<LogDate> = []
    /// Called often, on any thread. True ends the publishing with `Stopped` before anything is written.
    package var isStopped: @Sendable () -> Bool

    package init(
        memory: Int = 256 << 20, workers: any Workers = SerialWorkers(),
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.memory = memory
        self.workers = workers
        self.isStopped = isStopped
    }

    /// Throws `Stopped` if the publishing must end.
    package func check() throws {
        if isStopped() { throw Stopped() }
    }
}
