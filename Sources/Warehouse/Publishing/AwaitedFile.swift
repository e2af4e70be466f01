import Dispatch
import GRDB
import Synchronization

/// A partition's file that another thread has still to finish: whoever reads it waits until then.
final class AwaitedFile: Sendable {
    private let result = Mutex<Result<DatabaseQueue, WarehouseError>?>(nil)
    private let isThere = DispatchGroup()

    init() {
        isThere.enter()
    }

    /// Says what became of it, the finished file or why there is none. Only the first answer counts.
    func arrive(_ answer: Result<DatabaseQueue, WarehouseError>) {
        let isFirst = result.withLock { result in
            guard result == nil else { return false }
            result = answer
            return true
        }
        if isFirst { isThere.leave() }
    }

    /// Waits for the finished file.
    func queue() throws(WarehouseError) -> DatabaseQueue {
        isThere.wait()
        guard let answer = result.withLock({ $0 }) else { throw .stopped }
        return try answer.get()
    }
}
