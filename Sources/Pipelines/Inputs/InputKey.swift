/// A file by its source and the bytes of its path. Swift takes texts for equal that differ in their bytes.
struct InputKey: Hashable, Sendable {
    let source: String
    let path: String
    private let bytes: [UInt8]

    init(_ source: String, _ path: String) {
        self.source = source
        self.path = path
        bytes = Array(path.utf8)
    }

    static func == (a: InputKey, b: InputKey) -> Bool { a.bytes == b.bytes && a.source == b.source }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(bytes)
    }
}
