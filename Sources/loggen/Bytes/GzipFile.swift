import CZlib
import Reference

/// A gzip file being written. zlib writes no name and no time into its header, so the same bytes give the same file.
final class GzipFile {
    private let path: String
    private let level: Int
    /// Nil when it has been closed.
    private var file: gzFile?
    private(set) var compressedBytes = 0

    /// - Parameter level: zlib's, from 1 to 9.
    init(path: String, level: Int) throws {
        self.path = path
        self.level = level
        try open("wb")
    }

    deinit {
        if let file { gzclose(file) }
    }

    func write(_ bytes: Bytes) throws {
        guard bytes.isEmpty || gzwrite(file, bytes, UInt32(bytes.count)) == bytes.count else {
            throw LoggenError(path: path)
        }
    }

    /// Ends a member and begins the next one.
    func startMember() throws {
        try close()
        try open("ab")
    }

    func close() throws {
        guard gzflush(file, Z_FINISH) == Z_OK else { throw LoggenError(path: path) }
        compressedBytes = Int(gzoffset(file))
        let status = gzclose(file)
        file = nil
        guard status == Z_OK else { throw LoggenError(path: path) }
    }

    private func open(_ mode: String) throws {
        file = gzopen(path, "\(mode)\(level)")
        guard file != nil, gzbuffer(file, 256 * 1024) == 0 else { throw LoggenError(path: path) }
    }
}
