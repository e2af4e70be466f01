/// The paths that a scan captures, as a tree of keys. The nodes are in preorder: node 0 is the scanned value itself,
/// and the descendants of a node follow it directly.
struct JSONPaths {
    struct Node {
        /// The byte range of the key in `keys`.
        var keyStart: Int
        var keyLength: Int
        /// The first eight bytes of the key, padded with zeros, and the mask of the bytes that belong to the key.
        var word: UInt64
        var mask: UInt64
        /// The last eight bytes of a key of eight or more bytes.
        var lastWord: UInt64
        /// The index after the last descendant.
        var subtreeEnd: Int
    }

    private(set) var nodes: [Node] = []
    private var keys: [UInt8] = []
    /// The node of each path, in the order of the paths.
    private(set) var ends: [Int]

    /// - Parameter paths: each path is a list of keys; the empty path is the scanned value itself.
    init(_ paths: [[String]]) {
        ends = Array(repeating: 0, count: paths.count)
        add(key: "", paths.indices.map { ($0, paths[$0][...]) })
    }

    private mutating func add(key: String, _ paths: [(index: Int, rest: ArraySlice<String>)]) {
        let node = nodes.count
        let start = keys.count
        keys += Array(key.utf8)
        let length = keys.count - start
        let word = keys[start...].prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let mask = length >= 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
        let lastWord = length < 8 ? 0 : keys.suffix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        nodes.append(
            Node(keyStart: start, keyLength: length, word: word, mask: mask, lastWord: lastWord, subtreeEnd: 0))
        var children: [(key: String, paths: [(Int, ArraySlice<String>)])] = []
        for path in paths {
            guard let next = path.rest.first else {
                ends[path.index] = node
                continue
            }
            let deeper = (path.index, path.rest.dropFirst())
            // By bytes, because String's own equality would treat two encodings of é as one key.
            if let known = children.firstIndex(where: { $0.key.utf8.elementsEqual(next.utf8) }) {
                children[known].paths.append(deeper)
            } else {
                children.append((next, [deeper]))
            }
        }
        for child in children { add(key: child.key, child.paths) }
        nodes[node].subtreeEnd = nodes.count
    }

    /// The child of `node` with the key in `range`; -1 if there is none.
    @inline(__always)
    func child(of node: Int, named text: Span<UInt8>, in range: Range<Int>) -> Int {
        let nodes = nodes.span
        var child = node + 1
        let end = nodes[node].subtreeEnd
        guard child < end else { return -1 }
        let hasWord = range.lowerBound + 8 <= text.count
        let word = hasWord ? text.word(at: range.lowerBound) : 0
        while child < end {
            if nodes[child].keyLength == range.count, !hasWord || word & nodes[child].mask == nodes[child].word {
                let isFound =
                    switch range.count {
                    case ...8 where hasWord: true
                    case 8...16: text.word(at: range.upperBound - 8) == nodes[child].lastWord && hasWord
                    default:
                        text.holds(
                            keys.span.extracting(nodes[child].keyStart..<nodes[child].keyStart + range.count),
                            at: range.lowerBound)
                    }
                if isFound { return child }
            }
            child = nodes[child].subtreeEnd
        }
        return -1
    }
}
