import Synchronization

/// The results of pieces of work, by the piece's index.
final class Slots<Value: Sendable>: Sendable {
    private let values: Mutex<[Value?]>

    init(_ count: Int) {
        values = Mutex(Array(repeating: nil, count: count))
    }

    func put(_ value: Value, at index: Int) {
        values.withLock { $0[index] = value }
    }

    /// The results in order; nil for a piece that was not done. To be called once.
    func take() -> [Value?] {
        values.withLock { values in
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
