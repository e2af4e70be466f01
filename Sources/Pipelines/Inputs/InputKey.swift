/// A file's source and path. Paths are compared by bytes, since Swift's `==` treats some different byte sequences as
/// equal.
struct InputKey: Hashable, Sendable {
    let source: String
    private let bytes: [UInt8]

    var path: String { String(decoding: bytes, as: UTF8.self) }

    init(source: String, path: String) {
        self.source = source
        bytes = Array(path.utf8)
    }
}
