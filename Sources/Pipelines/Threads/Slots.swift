import Dispatch
import Foundation
import Synchronization

/// A place for each piece's result.
///
/// `@unchecked Sendable`: the values, which may go from thread to thread themselves, are only touched under the lock.
final class Slots<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value?]

    init(_ count: Int) {
        values = Array(repeating: nil, count: count)
    }

    func put(_ value: Value, at index: Int) {
        lock.withLock { values[index] = value }
    }

    /// The results in order, those that came to nothing left out.
    func take() -> [Value] {
        lock.withLock {
            defer { values = [] }
            return values.compactMap { $0 }
        }
    }
}
