extension Drawing {
    /// Writes a name to the left of a bar that begins at `left`, or above the bar where there is no room.
    mutating func name(_ name: String, beside left: Double, y: Double) {
        text(name, at: (isRoomy ? left - 12 : 0, y), from: isRoomy ? .end : .start)
    }

    /// A bar for a value above 0 is at least one pixel wide, so that it can be seen.
    mutating func bar(for value: Double, from corner: Point, to end: Double, height: Double) {
        let width = max(end - corner.x, value > 0 ? 1 : 0)
        rectangle(at: corner, width: width, height: height, style: "bar", radius: 2)
    }

    mutating func comparedMark(_ x: Double?, y: Double, height: Double) {
        guard let x else { return }
        line(from: (x, y - 3), to: (x, y + height + 3), style: "compared")
    }

    /// Explains the marks, below the bars. Does nothing if no bar has a mark.
    mutating func endKey(_ name: String?, of marks: [Double?], left: Double, above: Double) {
        guard let name, marks.contains(where: { $0 != nil }) else { return }
        comparedKey(named: name, at: (left, height + above))
        height += above + 22
    }
}
