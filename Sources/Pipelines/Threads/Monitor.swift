import Foundation

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
