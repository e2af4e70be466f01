import Events
import Foundation

/// What the pipeline file says about publishing.
package struct PublicationSettings: Sendable {
    package var zone: TimeZone
    /// As the pipeline file has it.
    package var zoneName: String
    package var windowDays: Int
    /// In the order of the pipeline file.
    package var sourceNames: [String]

    package init(zone: TimeZone, zoneName: String, windowDays: Int, sourceNames: [String]) {
        self.zone = zone
        self.zoneName = zoneName
        self.windowDays = windowDays
        self.sourceNames = sourceNames
    }

    /// Equal versions mean equal figures from equal partitions. The number in front changes with the figures' meaning.
    var version: String {
        let quoted = sourceNames.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return "1; time zone \(zoneName); window_days \(windowDays); sources \(quoted.joined(separator: ", "))"
    }
}

/// The means that a publishing may use.
package struct PublicationMeans: Sendable {
    /// Calls `body` with each number below `pieces`, at the same time or one after another, and returns after the last.
    package typealias Fanout = @Sendable (_ pieces: Int, _ body: @Sendable (Int) -> Void) -> Void

    /// Bytes for blocks in hand, of all workers together. Names and daily rows come on top.
    package var memory: Int
    /// How many pieces `fanout` works on at the same time.
    package var workers: Int
    package var fanout: Fanout
    /// Pieces have no fewer events than this, unless there are none left.
    package var leastPiece = 16 * EventBlock.capacity
    /// Log dates whose partitions have just been written by this process, so that they need not be verified.
    package var justWritten: Set<Int32> = []
    /// Partitions that are put in place meanwhile. `recording` must not return before they are there.
    package var arriving: [ArrivingPartition] = []
    /// Asked now and then; true ends the publishing with `.stopped` before anything is written.
    package var isStopped: @Sendable () -> Bool

    package init(
        memory: Int = 256 << 20, workers: Int = 1,
        fanout: @escaping Fanout = { pieces, body in for piece in 0..<pieces { body(piece) } },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.memory = memory
        self.workers = max(workers, 1)
        self.fanout = fanout
        self.isStopped = isStopped
    }
}

/// What a publishing did.
package struct Publication: Sendable {
    /// Whether the output DB was written.
    package var changed: Bool
    /// Whether the command's rows of the history were written with it.
    package var isRecorded: Bool
    /// The log dates whose partitions the figures were made from, in order.
    package var logDates: [Int32]
    /// Partitions that were left out, and why.
    package var damaged: [WarehouseError]
    /// How push.db was not as the last command had left it; nil if it was.
    package var repaired: OutputFaults?
}
