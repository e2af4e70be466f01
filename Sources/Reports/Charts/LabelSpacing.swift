/// Moves labels that would cover one another apart.
enum LabelSpacing {
    /// New positions in the order of the given ones, each at least `distance` from the next, and within the range as far
    /// as they fit.
    static func apart(_ positions: [Double], by distance: Double, within range: ClosedRange<Double>) -> [Double] {
        let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        var moved = positions
        var next = range.lowerBound
        for index in order {
            moved[index] = max(positions[index], next)
            next = moved[index] + distance
        }
        var limit = range.upperBound
        for index in order.reversed() {
            moved[index] = max(min(moved[index], limit), range.lowerBound)
            limit = moved[index] - distance
        }
        return moved
    }
}
