import Foundation

/// How many seeds a test tries: `PUSHETL_SEEDS`, else its usual number. `PUSHETL_FIRST_SEED` is where it begins.
enum Seeds {
    static func range(usual: Int) -> Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["PUSHETL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
        let count = environment["PUSHETL_SEEDS"].flatMap(UInt64.init) ?? UInt64(usual)
        return first..<first + count
    }

    /// Tries the seeds on all cores; the faults of the first few that have one, in the order of the seeds.
    static func faults(_ seeds: Range<UInt64>, _ fault: @Sendable (UInt64) -> String?) -> [String] {
        let found = Faults()
        DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
            let seed = seeds.lowerBound + UInt64(index)
            if found.count >= 8 { return }
            if let message = fault(seed) { found.add(seed, "seed \(seed): \(message)") }
        }
        return found.inOrder
    }
}

/// `@unchecked`: all access to `messages` is under the lock.
private final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var messages: [UInt64: String] = [:]

    var count: Int {
        lock.withLock { messages.count }
    }

    var inOrder: [String] {
        lock.withLock { messages.sorted { $0.key < $1.key }.map(\.value) }
    }

    func add(_ seed: UInt64, _ message: String) {
        lock.withLock { messages[seed] = message }
    }
}
