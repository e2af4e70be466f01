import Foundation
import Reference
import Support
import Synchronization
import Testing

/// Random cases and histories are worth what they are made of: each pair of features that can stand together does so in some
/// seed. Where one no longer does, make it more often, or say in a rule why it cannot be. The short form tries 250 seeds of
/// cases, and asks only that no rule is wrong.
@Suite struct CoverageTests {
    @Test func theCasesHaveEveryPairOfFeatures() {
        expectAll(
            of: FeaturePairs(GeneratedCase.featureGroups, rules: GeneratedCase.featureRules), inShortForm: !Long.isOn
        ) { seed in
            GeneratedCase(seed: seed).features
        }
    }

    @Test func theStepsOfHistoriesHaveEveryPairOfFeatures() {
        expectAll(of: FeaturePairs(History.stepGroups, rules: History.stepRules)) { seed in
            History(seed: seed).stepFeatures
        }
    }

    @Test func theHistoriesHaveEveryStepAfterEveryOther() {
        expectAll(of: FeaturePairs(History.orderGroups, rules: History.orderRules)) { seed in
            History(seed: seed).orderFeatures
        }
    }

    /// Tries seeds until they have made all pairs, at most 10,000.
    private func expectAll(
        of none: FeaturePairs, inShortForm isShort: Bool = false,
        _ features: @escaping @Sendable (UInt64) -> [[Feature]]
    ) {
        let begin = ContinuousClock.now
        let sum = Mutex(none)
        var seeds = 0
        while seeds < (isShort ? 250 : 10_000), seeds == 0 || !sum.withLock({ $0.areComplete }) {
            let first = UInt64(seeds)
            DispatchQueue.concurrentPerform(iterations: 10) { part in
                var own = none
                for seed in 0..<25 as Range<UInt64> {
                    for thing in features(first + UInt64(part) * 25 + seed) { own.add(thing) }
                }
                sum.withLock { [own] in $0.add(own) }
            }
            seeds += 250
        }
        let all = sum.withLock { $0 }
        let seconds = begin.duration(to: .now).formatted(.units(allowed: [.seconds], width: .narrow))
        print("\(Test.current?.name ?? ""): \(all.possible) pairs in \(seeds) seeds; \(seconds)")
        let faults = all.contradictions + (isShort ? [] : all.missing)
        #expect(faults.isEmpty, "\(seeds) seeds:\n\(faults.joined(separator: "\n"))")
    }
}
