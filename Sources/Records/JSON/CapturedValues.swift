/// The values of one event at the paths that were captured, by the indexes of the paths.
struct CapturedValues: ~Escapable {
    private let nodes: Span<JSONValue>
    /// By path, the index of its value.
    private let ends: Span<Int>

    @_lifetime(copy nodes, copy ends)
    init(_ nodes: Span<JSONValue>, ends: Span<Int>) {
        self.nodes = nodes
        self.ends = ends
    }

    @inline(__always)
    subscript(path: Int) -> JSONValue { nodes[ends[path]] }
}
