import Foundation

/// A value that threads share. A thread can wait until the value has changed as it needs.
///
/// `@unchecked Sendable`: the value is only touched under the condition's lock.
final class Monitor<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Waits until `isReady` is true, then changes the value. Returns what `body` returns.
    @discardableResult
    func change<Result>(when isReady: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result) -> Result {
        condition.withLock {
            while !isReady(value) { condition.wait() }
            defer { condition.broadcast() }
            return body(&value)
        }
    }
}
