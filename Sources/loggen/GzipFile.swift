import CZlib
import Reference

/// A gzip file being written. zlib writes no name and no time into its header, so the same bytes give the same file.
final class GzipFile {
    private let path: String
    private var file: gzFile?
    private(set) var unpackedBytes = 0
    private(set) var packedBytes = 0

    /// - Parameter level: zlib's, from 1 to 9.
    init(path: String, level: Int) throws {
        self.path = path
        file = gzopen(path, "wb\(level)")
        guard file != nil, gzbuffer(file, 256 * 1024) == 0 else { throw LoggenError(path: path) }
    }

    deinit {
        if let file { gzclose(file) }
    }

    func write(_ bytes: Bytes) throws {
        guard bytes.isEmpty || gzwrite(file, bytes, UInt32(bytes.count)) == bytes.count else {
            throw LoggenError(path: path)
        }
        unpackedBytes += bytes.count
    }

    func close() throws {
        guard gzflush(file, Z_FINISH) == Z_OK else { throw LoggenError(path: path) }
        packedBytes = Int(gzoffset(file))
        let status = gzclose(file)
        file = nil
        guard status == Z_OK else { throw LoggenError(path: path) }
    }
}
