import Dispatch
import Foundation
import Synchronization

/// The one place that spreads work over threads.
enum Fanout {
    /// Calls `body` with each number below `pieces` on at most `jobs` threads, lower numbers first, and returns after
    /// the last.
    static func run(jobs: Int, pieces: Int, _ body: @Sendable (Int) -> Void) {
        let next = Atomic<Int>(0)
        workers(min(jobs, pieces)) { _ in
            while true {
                let piece = next.add(1, ordering: .relaxed).oldValue
                guard piece < pieces else { return }
                body(piece)
            }
        }
    }

    /// The same, with the results in order.
    /// - Throws: `Stopped` if the stop flag is raised. After that nothing more is begun.
    static func map<Value: Sendable>(
        jobs: Int, pieces: Int, stop: StopFlag, _ body: @Sendable (Int) -> Value
    ) throws(Stopped) -> [Value] {
        let results = Slots<Value>(pieces)
        run(jobs: jobs, pieces: pieces) { piece in
            if !stop.isRaised { results.put(body(piece), at: piece) }
        }
        try stop.check()
        return try results.takeAll()
    }

    /// Calls `body` with each number below `count`, on as many threads as the machine has cores.
    static func workers(_ count: Int, _ body: @Sendable (Int) -> Void) {
        guard count > 1 else { return count == 1 ? body(0) : () }
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
