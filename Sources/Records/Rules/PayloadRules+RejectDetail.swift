extension PayloadRules {
    /// The detail of a reject of an event that lacks a value: that a name of the value's path holds a dot, if the event
    /// has one. Nil if there is nothing to say. It is made only for rejects that are stored, because it reads the event
    /// again.
    func detail(of reason: RejectReason, in event: Span<UInt8>) -> String? {
        let joined = paths(of: reason).flatMap { Self.joiningNames(of: $0) }
        guard !joined.isEmpty else { return nil }
        var scanner = JSONScanner(capturing: joined, takesFirst: true)
        guard scanner.scanRow(event, at: 0, depth: 1) >= 0,
            let found = joined.indices.first(where: { !scanner.value($0).isAbsent })
        else { return nil }
        let name = joined[found].first { $0.contains(".") } ?? ""
        return "fields: the name '\(name)' holds a dot; put it in double quotes, '\(PathText.text(joined[found]))'"
    }

    /// The paths with two names next to each other, or more, joined by dots.
    private static func joiningNames(of path: [String]) -> [[String]] {
        path.indices.flatMap { start in
            path.indices.filter { $0 > start }.map { end in
                Array(path[..<start]) + [path[start...end].joined(separator: ".")] + Array(path[(end + 1)...])
            }
        }
    }
}
