import Foundation

/// The results of pieces of work, by the piece's index.
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

    /// The results in order; nil for a piece that was not done. To be called once.
    func take() -> [Value?] {
        lock.withLock {
            defer { values = [] }
            return values
        }
    }

    /// The results in order. To be called once.
    ///
    /// - Throws: `Stopped` if a piece was not done.
    func takeAll() throws(Stopped) -> [Value] {
        let values = take()
        let done = values.compactMap { $0 }
        guard done.count == values.count else { throw Stopped() }
        return done
    }
}
