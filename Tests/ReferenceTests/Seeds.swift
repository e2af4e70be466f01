import Foundation
import Support
import Testing

/// What became of a seed.
enum Comparison: Equatable, Sendable {
    /// All that was compared is the same. `work` says how much that was, such as `["tables": 17]`.
    case same(_ work: [String: Int] = [:])
    case different(String)
    /// There was nothing to compare.
    case skipped(String)

    init(_ fault: String?) {
        self = fault.map(Comparison.different) ?? .same()
    }
}

/// The seeds that a test tries. `PUSHETL_FIRST_SEED` and `PUSHETL_SEEDS` in the environment choose another first seed and
/// another number of seeds. `PUSHETL_FIRST_FAULT=1` ends with the first difference, and cuts no history down.
struct Seeds {
    static let endWithFirstFault = ProcessInfo.processInfo.environment["PUSHETL_FIRST_FAULT"] == "1"
    private static let mostDifferences = endWithFirstFault ? 1 : 8

    let range: Range<UInt64>

    /// - Parameters:
    ///   - count: how many are tried always.
    ///   - long: how many in the long form.
    init(_ count: UInt64, long: UInt64? = nil, from start: UInt64 = 0) {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["PUSHETL_FIRST_SEED"].flatMap(UInt64.init) ?? start
        let usual = Long.isOn ? long ?? count : count
        range = first..<first + (environment["PUSHETL_SEEDS"].flatMap(UInt64.init) ?? usual)
    }

    /// Expects no difference with any of the seeds, and a comparison with at least half of them. Each has a folder of its own,
    /// and all cores work. Prints what became of the seeds.
    func expectSame(_ compare: @Sendable (UInt64, Program, ScratchFolder) throws -> Comparison) throws {
        let program = try #require(Program.built)
        let (results, begin) = (SeedResults(), ContinuousClock.now)
        DispatchQueue.concurrentPerform(iterations: range.count) { index in
            let seed = range.lowerBound + UInt64(index)
            if results.differences.count >= Seeds.mostDifferences { return }
            do {
                results.add(try compare(seed, program, ScratchFolder()), seed)
            } catch {
                results.add(.different("\(error)"), seed)
            }
        }
        let seconds = begin.duration(to: .now).formatted(.units(allowed: [.seconds], width: .narrow))
        print("\(Test.current?.name ?? ""), \(range.count) seeds: \(results); \(seconds)")
        let differences = results.differences.map { seed, difference in
            "seed \(seed), again with PUSHETL_FIRST_SEED=\(seed) PUSHETL_SEEDS=1 PUSHETL_KEEP=1: \(difference)"
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
        #expect(results.compared * 2 >= range.count || !differences.isEmpty, "\(results)")
    }
}

/// What became of the seeds of a test. `@unchecked`: all access is under the lock.
private final class SeedResults: CustomStringConvertible, @unchecked Sendable {
    private let lock = NSLock()
    private var results: [UInt64: Comparison] = [:]

    func add(_ result: Comparison, _ seed: UInt64) {
        lock.withLock { results[seed] = result }
    }

    private var inOrder: [(seed: UInt64, result: Comparison)] {
        lock.withLock { results.map { ($0, $1) } }.sorted { $0.0 < $1.0 }
    }

    var differences: [(seed: UInt64, text: String)] {
        inOrder.compactMap { seed, result in
            if case .different(let text) = result { (seed, text) } else { nil }
        }
    }

    /// How many seeds came to a comparison.
    var compared: Int {
        inOrder.count { if case .skipped = $0.result { false } else { true } }
    }

    /// `27 same, 1 different (7), 2 skipped (3 no log date, 5 no log date); 81 tables`
    var description: String {
        var (same, different, skipped, work) = (0, [String](), [String](), [String: Int]())
        for (seed, result) in inOrder {
            switch result {
            case .same(let counts):
                same += 1
                for (name, count) in counts { work[name, default: 0] += count }
            case .different: different.append("\(seed)")
            case .skipped(let reason): skipped.append("\(seed) \(reason)")
            }
        }
        func list(_ seeds: [String]) -> String { seeds.isEmpty ? "" : " (\(seeds.joined(separator: ", ")))" }
        let sums = work.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return
            "\(same) same, \(different.count) different\(list(different)), \(skipped.count) skipped\(list(skipped))"
            + (sums.isEmpty ? "" : "; " + sums.joined(separator: ", "))
    }
}
