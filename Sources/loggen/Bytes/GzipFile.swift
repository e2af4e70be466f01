import CZlib
import Foundation

/// A gzip file being written. zlib writes no name and no time into its header, so the same bytes give the same file.
///
/// `stream` has a stable address, as zlib asks, from `init` to `deinit`; `output` is written only by `deflate`, within its
/// capacity, and read right after.
final class GzipFile {
    private let path: String
    private let file: FileHandle
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 * 1024)
    private(set) var compressedBytes = 0

    /// - Parameter level: zlib's, from 1 to 9.
    init(path: String, level: Int) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw LoggenError.unwritable(path) }
        self.path = path
        self.file = file
        stream.initialize(to: z_stream())
        // 15 bits of window, +16: gzip.
        let status = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw LoggenError.compression(status) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try deflate(bytes, Z_NO_FLUSH)
    }

    /// Ends a member and begins the next one.
    func startMember() throws {
        try endMember()
    }

    func close() throws {
        try endMember()
        do {
            try file.close()
        } catch {
            throw LoggenError.unwritable(path)
        }
    }

    private func endMember() throws {
        try deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
        deflateReset(stream)
    }

    private func deflate(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) throws {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            let status = CZlib.deflate(stream, flush)
            guard status != Z_STREAM_ERROR else { throw LoggenError.compression(status) }
            let made = output.count - Int(stream.pointee.avail_out)
            do {
                try file.write(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made]))
            } catch {
                throw LoggenError.unwritable(path)
            }
            compressedBytes += made
        } while stream.pointee.avail_out == 0
    }
}
