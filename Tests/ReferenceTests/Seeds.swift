import Foundation
import Support
import Testing

/// The seeds that a test tries. `PUSHETL_FIRST_SEED` and `PUSHETL_SEEDS` in the environment choose another first seed and
/// another number of seeds.
struct Seeds {
    let range: Range<UInt64>

    /// Those of a test that always runs.
    static func quick(_ count: UInt64) -> Seeds {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["PUSHETL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
        return Seeds(range: first..<first + (environment["PUSHETL_SEEDS"].flatMap(UInt64.init) ?? count))
    }

    /// Those of a long test, which begin after the quick ones.
    static func long(_ range: Range<UInt64>) -> Seeds { Seeds(range: range) }

    /// Expects no fault with any of the seeds. Each has a folder of its own, and all cores work.
    func expectNoFault(_ fault: @Sendable (UInt64, Program, ScratchFolder) throws -> String?) throws {
        let program = try #require(Program.built)
        let faults = Faults()
        DispatchQueue.concurrentPerform(iterations: range.count) { index in
            let seed = range.lowerBound + UInt64(index)
            if faults.count >= 8 { return }
            do {
                guard let message = try fault(seed, program, ScratchFolder()) else { return }
                faults.add(seed, message)
            } catch {
                faults.add(seed, "\(error)")
            }
        }
        #expect(faults.count == 0, "\(faults)")
    }
}

/// What was found wrong with seeds. `@unchecked`: all access to `messages` is under the lock.
private final class Faults: CustomStringConvertible, @unchecked Sendable {
    private let lock = NSLock()
    private var messages: [UInt64: String] = [:]

    var count: Int {
        lock.withLock { messages.count }
    }

    func add(_ seed: UInt64, _ message: String) {
        lock.withLock { messages[seed] = message }
    }

    var description: String {
        let inOrder = lock.withLock { messages.sorted { $0.key < $1.key } }
        return inOrder.map { seed, message in
            "seed \(seed), again with PUSHETL_FIRST_SEED=\(seed) PUSHETL_SEEDS=1 PUSHETL_KEEP=1: \(message)"
        }.joined(separator: "\n\n")
    }
}
