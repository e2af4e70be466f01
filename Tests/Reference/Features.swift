/// What a generated thing has in one respect, such as `layout: alb`.
package struct Feature: Hashable, CustomStringConvertible, Sendable {
    package let group: String
    package let value: String

    package init(_ group: String, _ value: String) {
        self.group = group
        self.value = value
    }

    package init(_ group: String, _ isSo: Bool) { self.init(group, isSo ? "yes" : "no") }

    package var description: String { "\(group): \(value)" }
}

/// All features in one respect.
package struct FeatureGroup: Sendable {
    /// How many of them a thing has.
    package enum Count: Sendable {
        case one, oneAtMost, several
        /// Several, whose pairs say nothing.
        case any
    }

    let name: String
    let values: [String]
    let count: Count

    package init(_ name: String, _ values: [String] = ["no", "yes"], has count: Count = .one) {
        self.name = name
        self.values = values
        self.count = count
    }
}

/// Features that never stand with some of another group.
package struct FeatureRule: Sendable {
    /// Those of a group; all of them if no value is given.
    package struct Choice: Sendable {
        let group: String
        let values: [String]

        package init(_ group: String, _ values: String...) {
            self.init(group, all: values)
        }

        package init(_ group: String, all values: [String]) {
            self.group = group
            self.values = values
        }
    }

    let some: Choice
    let others: Choice
    /// Whether `some` stand with no other features of the second group. Otherwise they stand with none of `others`.
    let isOnly: Bool
    let reason: String

    package static func only(_ some: Choice, with others: Choice, because reason: String) -> FeatureRule {
        FeatureRule(some: some, others: others, isOnly: true, reason: reason)
    }

    package static func never(_ some: Choice, with others: Choice, because reason: String) -> FeatureRule {
        FeatureRule(some: some, others: others, isOnly: false, reason: reason)
    }
}

/// Which pairs of features generated things have had, and which they can have.
package struct FeaturePairs: Sendable {
    private let groups: [FeatureGroup]
    private let features: [Feature]
    private let numbers: [Feature: Int]
    /// How many things have had both of two features, by the number of the one, then by that of the other.
    private var counts: [Int]
    /// The places of the pairs that can be made.
    private var wanted: Set<Int> = []
    /// Why others cannot, by their places.
    private var reasons: [Int: String] = [:]
    /// Features that things have had, and that no group lists.
    private var unlisted: Set<Feature> = []

    package init(_ groups: [FeatureGroup], rules: [FeatureRule]) {
        self.groups = groups
        let features = groups.flatMap { group in group.values.map { Feature(group.name, $0) } }
        let numbers = Dictionary(uniqueKeysWithValues: features.enumerated().map { ($1, $0) })
        (self.features, self.numbers) = (features, numbers)
        counts = [Int](repeating: 0, count: features.count * features.count)
        // By the number of a feature, those that may stand with it.
        var allowed = features.map { feature in
            let isOne = groups.contains { $0.name == feature.group && [.one, .oneAtMost].contains($0.count) }
            return Set(
                features.indices.filter { number in
                    !isOne || features[number] == feature || features[number].group != feature.group
                })
        }
        for rule in rules {
            let some = FeaturePairs.numbers(of: rule.some, in: groups, numbers)
            let named = FeaturePairs.numbers(of: rule.others, in: groups, numbers)
            let all = FeaturePairs.numbers(of: FeatureRule.Choice(rule.others.group), in: groups, numbers)
            let others = rule.isOnly ? all.subtracting(named) : named
            for number in some { allowed[number].subtract(others) }
            for number in others { allowed[number].subtract(some) }
            for first in some {
                for second in others { reasons[place(min(first, second), max(first, second))] = rule.reason }
            }
        }
        wanted = placesOfPossible(allowed)
    }

    private static func numbers(
        of choice: FeatureRule.Choice, in groups: [FeatureGroup], _ numbers: [Feature: Int]
    ) -> Set<Int> {
        let group = groups.first { $0.name == choice.group }
        let values = choice.values.isEmpty ? group?.values ?? [] : choice.values
        let found = values.compactMap { numbers[Feature(choice.group, $0)] }
        precondition(!found.isEmpty && found.count == values.count, "a rule names \(choice), which no group lists")
        return Set(found)
    }

    /// Takes over all features of one thing.
    package mutating func add(_ thing: [Feature]) {
        var own: Set<Int> = []
        for feature in thing {
            if let number = numbers[feature] { own.insert(number) } else { unlisted.insert(feature) }
        }
        for first in own {
            for second in own { counts[place(first, second)] += 1 }
        }
    }

    package mutating func add(_ other: FeaturePairs) {
        for index in counts.indices { counts[index] += other.counts[index] }
        unlisted.formUnion(other.unlisted)
    }

    /// How many pairs can be made.
    package var possible: Int { wanted.count }

    package var areComplete: Bool { wanted.allSatisfy { counts[$0] > 0 } }

    /// What can be and was never made, in sentences.
    package var missing: [String] {
        let never = features.indices.filter { counts[place($0, $0)] == 0 }
        let parts = Set(never)
        return never.map { "Never made: \(features[$0])." }
            + pairs.filter { first, second in
                let place = place(first, second)
                return wanted.contains(place) && counts[place] == 0 && parts.isDisjoint(with: [first, second])
            }.map { "Never made: \(features[$0]), with \(features[$1])." }
    }

    /// What was made although a rule says that it cannot be, in sentences.
    package var contradictions: [String] {
        unlisted.map { "No group lists “\($0)”." }.sorted()
            + pairs.filter { first, second in
                !wanted.contains(place(first, second)) && counts[place(first, second)] > 0
            }.map { first, second in
                let reason = reasons[place(first, second)] ?? "a third feature keeps them apart"
                return "Made, though “\(reason)”: \(features[first]), with \(features[second])."
            }
    }

    /// Where the count of a pair is.
    private func place(_ first: Int, _ second: Int) -> Int { first * features.count + second }

    /// Two features each, of different groups, or of one of which a thing may have several.
    private var pairs: [(first: Int, second: Int)] {
        features.indices.flatMap { first in
            features.indices.dropFirst(first + 1).filter { second in
                let group = features[first].group
                return features[second].group != group || counts(of: group) == .several
            }.map { (first, $0) }
        }
    }

    private func counts(of group: String) -> FeatureGroup.Count? { groups.first { $0.name == group }?.count }

    /// The places of the pairs that no rule forbids, nor keeps apart by a third group, of which each stands only with others.
    private func placesOfPossible(_ allowed: [Set<Int>]) -> Set<Int> {
        let needed = Set(groups.filter { $0.count == .one }.map(\.name))
        return Set(
            pairs.filter { first, second in
                let common = allowed[first].intersection(allowed[second])
                return allowed[first].contains(second)
                    && needed.isSubset(of: common.lazy.map { features[$0].group })
            }.map { place($0, $1) })
    }
}
