/// Moves labels that would cover one another apart.
enum LabelSpacing {
    /// New positions in the order of the given ones, each at least `distance` from the next, and within the range as far
    /// as they fit. Labels that are too close move up and down alike, so that they stay around their places.
    static func apart(_ positions: [Double], by distance: Double, within range: ClosedRange<Double>) -> [Double] {
        let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        var moved = positions
        var index = 0
        for group in groups(of: order.map { positions[$0] }, apart: distance) {
            for place in 0..<group.count {
                moved[order[index]] = group.first + Double(place) * distance
                index += 1
            }
        }
        var limit = range.upperBound
        for index in order.reversed() {
            moved[index] = min(moved[index], limit)
            limit = moved[index] - distance
        }
        var next = range.lowerBound
        for index in order {
            moved[index] = max(moved[index], next)
            next = moved[index] + distance
        }
        return moved
    }

    /// Labels that touch one another.
    private struct Group {
        var count: Int
        /// The sum of the places at which each label would have the first one.
        var sum: Double

        var first: Double { sum / Double(count) }
    }

    /// Sorted positions as groups that do not cover one another, each with its labels as near to their places as can be.
    private static func groups(of sorted: [Double], apart distance: Double) -> [Group] {
        assert(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
        var groups: [Group] = []
        for position in sorted {
            var group = Group(count: 1, sum: position)
            while let last = groups.last, last.first + Double(last.count) * distance > group.first {
                groups.removeLast()
                // Seen from the first label of the group before, this group begins `last.count` labels lower.
                group.sum += last.sum - Double(group.count * last.count) * distance
                group.count += last.count
            }
            groups.append(group)
        }
        return groups
    }
}
