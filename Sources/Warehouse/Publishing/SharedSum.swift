import Foundation

/// A sum that workers add to.
///
/// `@unchecked Sendable`: `sum` and `error` are touched only between `lock` and `unlock` of the one lock.
final class SharedSum<Sum>: @unchecked Sendable {
    private let lock = NSLock()
    private var sum: Sum
    private var error: WarehouseError?

    init(_ sum: Sum) {
        self.sum = sum
    }

    /// Computes a part, and lets it add itself; nothing any more once a part has failed.
    func add(_ part: () throws(WarehouseError) -> ((inout Sum) -> Void)) {
        guard lock.withLock({ error == nil }) else { return }
        do throws(WarehouseError) {
            let add = try part()
            lock.withLock { add(&sum) }
        } catch {
            lock.withLock { self.error = self.error ?? error }
        }
    }

    func result() throws(WarehouseError) -> Sum {
        if let error { throw error }
        return sum
    }
}
