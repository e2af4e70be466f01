import Dispatch
import Foundation
import Messages
import Partitions
import Synchronization

/// The one place that spreads work over threads.
enum Fanout {
    /// Calls `body` with each number below `pieces` on at most `jobs` threads, lower numbers first. Returns the results in
    /// order, without those that are nil.
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

    /// The same, until the stop flag is raised.
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
    /// Calls `make` with each number below `pieces`, in parallel, and passes the products to `take` one at a time, in order.
    /// Every thread has a state of its own. Returns all states.
    ///
    /// The thread that completes the next product in order passes on all that are ready, so no thread waits for a writer. At
    /// most four products a thread wait for an earlier one.
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
/// `@unchecked Sendable`: everything is only touched under the condition's lock. `take` is called without the lock, by one
/// thread at a time: the thread that has set `isTaking`.
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

/// Asks all workers to stop. Any thread may raise it, at any time.
package final class StopFlag: Sendable {
    /// The signal that raised it; 0 before that.
    private let signal = Atomic<Int32>(0)

    package init() {}

    package var isRaised: Bool { signal.load(ordering: .relaxed) != 0 }

    /// Asks all workers to stop because of a signal.
    package func raise(_ signal: Int32 = SIGINT) {
        self.signal.store(signal, ordering: .relaxed)
    }

    /// The exit code of a command that was stopped, as shells have it: 130 after SIGINT, 143 after SIGTERM.
    package var exitCode: Int32 { 128 + signal.load(ordering: .relaxed) }

    package func check() throws(Stopped) {
        if isRaised { throw Stopped() }
    }
}

/// The stop flag was raised.
package struct Stopped: MessageError {
    package var message: Message {
        Message("stopped", text: "stopped; nothing is lost, and the same command does the rest")
    }
}

/// Threads for one publish, or for an archive of reports. They report its progress.
package struct FanoutWorkers: Workers {
    package let count: Int
    private let progress: LoadProgress

    package init(count: Int, progress: LoadProgress) {
        self.count = count
        self.progress = progress
    }

    package func map<Value: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let hasFailed = Atomic<Bool>(false)
        progress.update { $0.steps += pieces }
        // After a failure, pieces are left out.
        let results = Fanout.compactMap(jobs: count, pieces: pieces) { piece -> Result<Value, Failure>? in
            defer { progress.update { $0.doneSteps += 1 } }
            guard !hasFailed.load(ordering: .relaxed) else { return nil }
            let result = Result { () throws(Failure) in try body(piece) }
            if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
            return result
        }
        var values: [Value] = []
        for result in results { values.append(try result.get()) }
        return values
    }

    package func beside<Value: Sendable>(
        _ other: @Sendable @escaping () throws -> Value, body: () throws -> Void
    ) throws -> Value {
        guard count > 1 else { return try SerialWorkers().beside(other, body: body) }
        let result = Monitor<Result<Value, any Error>?>(nil)
        DispatchQueue.global().async {
            let value = Result { try other() }
            result.change { $0 = value }
        }
        let ending = Result { try body() }
        // It uses what the caller has, so it ends first.
        let value = result.change(when: { $0 != nil }, \.self)
        try ending.get()
        guard let value else { preconditionFailure("it is there") }
        return try value.get()
    }
}

/// A value that threads share, and whose changes they wait for.
///
/// `@unchecked Sendable`: the value is only touched under the condition's lock.
final class Monitor<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Changes the value, once it is as wanted. Returns what `body` does.
    @discardableResult
    func change<Result>(when isReady: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result) -> Result {
        condition.withLock {
            while !isReady(value) { condition.wait() }
            defer { condition.broadcast() }
            return body(&value)
        }
    }
}

/// The memory that a file has for its zstd window while it is read. Only the thread that unpacks the file exchanges it.
final class WindowShare: Sendable {
    /// The bytes for the windows of all files that are read at once, and the most. One window is granted in any case.
    private let windows: Monitor<Int>
    private let most: Int
    private let held = Atomic<Int>(0)

    init(_ windows: Monitor<Int>, most: Int) {
        self.windows = windows
        self.most = most
    }

    var bytes: Int { held.load(ordering: .relaxed) }

    /// Gives back what it has, and takes other memory. Waits until it is there: who waits has none, so one always goes on.
    func exchange(for bytes: Int) {
        windows.change { $0 -= self.bytes }
        windows.change(when: { $0 == 0 || bytes == 0 || $0 + bytes <= most }, { $0 += bytes })
        held.store(bytes, ordering: .relaxed)
    }
}
