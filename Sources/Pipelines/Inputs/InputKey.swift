/// A file by its source and the bytes of its path. Swift takes texts for equal that differ in their bytes.
struct InputKey: Hashable, Sendable {
    let source: String
    private let bytes: [UInt8]

    var path: String { String(decoding: bytes, as: UTF8.self) }

    init(source: String, path: String) {
        self.source = source
        bytes = Array(path.utf8)
    }
}
