/// Moves overlapping labels apart.
enum LabelSpacing {
    /// Returns the new positions, in the order of the given ones. Each is at least `distance` from the next. They lie
    /// within the range as far as they fit. Labels that are too close move up and down by the same amount.
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
        /// The sum of the positions that the first label would have if each label in turn stayed at its place.
        var sum: Double

        var first: Double { sum / Double(count) }
    }

    /// Joins sorted positions into groups that do not overlap. Within a group, the labels are as near to their places
    /// as possible.
    private static func groups(of sorted: [Double], apart distance: Double) -> [Group] {
        assert(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
        var groups: [Group] = []
        for position in sorted {
            var group = Group(count: 1, sum: position)
            while let last = groups.last, last.first + Double(last.count) * distance > group.first {
                groups.removeLast()
                // This group now starts `last.count` labels below the first label of the group before.
                group.sum += last.sum - Double(group.count * last.count) * distance
                group.count += last.count
            }
            groups.append(group)
        }
        return groups
    }
}
