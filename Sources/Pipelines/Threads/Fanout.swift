import Dispatch
import Foundation
import Messages
import Synchronization

/// Spreads work over threads. No other code does.
enum Fanout {
    /// Calls `body` with each number below `pieces` on at most `jobs` threads, lower numbers first. Returns the results
    /// in order, without those that are nil.
    static func compactMap<Value: Sendable>(jobs: Int, pieces: Int, _ body: @Sendable (Int) -> Value?) -> [Value] {
        let next = Atomic<Int>(0)
        let values = Mutex([Value?](repeating: nil, count: pieces))
        DispatchQueue.concurrentPerform(iterations: min(jobs, pieces)) { _ in
            while true {
                let piece = next.add(1, ordering: .relaxed).oldValue
                guard piece < pieces else { return }
                let value = body(piece)
                values.withLock { $0[piece] = value }
            }
        }
        return values.withLock { $0 }.compactMap(\.self)
    }

    /// Like `compactMap`, until the stop flag is raised.
    /// - Throws: `Stopped` if the stop flag is raised. After that nothing more is begun.
    static func map<Value: Sendable>(
        jobs: Int, pieces: Int, stop: StopFlag, _ body: @Sendable (Int) -> Value
    ) throws(Stopped) -> [Value] {
        let values = compactMap(jobs: jobs, pieces: pieces) { stop.isRaised ? nil : body($0) }
        try stop.check()
        return values
    }
}

extension Fanout {
    /// Calls `make` with each number below `pieces`, in parallel, and passes the products to `take` one at a time, in
    /// order. Every thread has a state of its own. Returns all states.
    ///
    /// The thread that completes the next product in order passes on all that are ready, so no thread waits for a
    /// writer. At most four products a thread wait for an earlier one.
    ///
    /// - Throws: the first error. After it nothing more is made.
    static func inOrder<State: Sendable, Product: Sendable>(
        jobs: Int, pieces: Int, state: @Sendable () -> State,
        make: @Sendable (inout State, Int) throws -> Product, take: @Sendable (Product) throws -> Void
    ) throws -> [State] {
        let queue = OrderedProducts<Product>(pieces: pieces, ahead: 4 * jobs)
        let workers = min(jobs, pieces)
        let states = compactMap(jobs: workers, pieces: workers) { _ in
            var state = state()
            while let piece = queue.nextPiece() {
                queue.put(Result { try make(&state, piece) }, of: piece, take: take)
            }
            return state
        }
        try queue.check()
        return states
    }
}

/// Products that wait for their turn in the order.
///
/// `@unchecked Sendable`: everything is only touched under the condition's lock. `take` is called without the lock, by
/// one thread at a time: the thread that has set `isTaking`.
private final class OrderedProducts<Product: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let pieces: Int
    private let ahead: Int
    private var begun = 0
    private var taken = 0
    private var waiting: [Int: Product] = [:]
    private var isTaking = false
    private var failure: (any Error)?

    init(pieces: Int, ahead: Int) {
        self.pieces = pieces
        self.ahead = ahead
    }

    /// The next piece to make; nil once there are no more.
    func nextPiece() -> Int? {
        condition.withLock {
            while failure == nil && begun < pieces && begun >= taken + ahead { condition.wait() }
            guard failure == nil, begun < pieces else { return nil }
            begun += 1
            return begun - 1
        }
    }

    func put(_ result: Result<Product, any Error>, of piece: Int, take: (Product) throws -> Void) {
        condition.lock()
        defer { condition.unlock() }
        switch result {
        case .success(let product): waiting[piece] = product
        case .failure(let error): fail(error)
        }
        guard !isTaking else { return }
        isTaking = true
        while failure == nil, let product = waiting.removeValue(forKey: taken) {
            condition.unlock()
            let outcome = Result { try take(product) }
            condition.lock()
            taken += 1
            if case .failure(let error) = outcome { fail(error) }
            condition.broadcast()
        }
        isTaking = false
    }

    func check() throws {
        if let failure = condition.withLock({ failure }) { throw failure }
    }

    private func fail(_ error: any Error) {
        failure = failure ?? error
        condition.broadcast()
    }
}
