import CZlib
import Foundation

/// A gzip file being written, its header without time or name, so that the same bytes give the same file.
struct GzipFile: ~Copyable {
    private let path: String
    private let file: FileHandle
    private var quick: QuickDeflate
    /// Takes the place of the quick encoder, where there is one.
    private let zlib: ZlibDeflate?
    private var checksum: UInt = 0
    private var memberBytes = 0
    private(set) var compressedBytes: Int

    /// Deflate, no flags, no time, written on Unix.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// Level 0 is loggen's own quick encoder; 1 to 9 are zlib's.
    init(path: String, level: Int) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw LoggenError.unwritable(path) }
        let zlib = level == 0 ? nil : try ZlibDeflate(level: level)
        try Self.put(Self.header, to: file, path)
        self.path = path
        self.file = file
        self.zlib = zlib
        quick = QuickDeflate()
        compressedBytes = Self.header.count
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
        checksum = crc32_z(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        memberBytes += bytes.count
        try deflate(bytes, isLast: false)
    }

    /// Ends a member and begins the next one.
    mutating func startMember() throws {
        try endMember()
        try Self.put(Self.header, to: file, path)
        compressedBytes += Self.header.count
        checksum = 0
        memberBytes = 0
    }

    mutating func close() throws {
        try endMember()
        do {
            try file.close()
        } catch {
            throw LoggenError.unwritable(path)
        }
    }

    private mutating func endMember() throws {
        try deflate(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        let trailer = UInt64(checksum) & 0xFFFF_FFFF | UInt64(truncatingIfNeeded: memberBytes) << 32
        try Self.put((0..<8).map { UInt8(truncatingIfNeeded: trailer >> (8 * UInt64($0))) }, to: file, path)
        compressedBytes += 8
    }

    private static func put(_ bytes: [UInt8], to file: FileHandle, _ path: String) throws {
        try bytes.withUnsafeBytes { try write($0, to: file, path) }
    }

    private mutating func deflate(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws {
        let (file, path) = (file, path)
        var made = 0
        let hand = { (bytes: UnsafeRawBufferPointer) in
            made += bytes.count
            try Self.write(bytes, to: file, path)
        }
        if let zlib {
            try zlib.encode(bytes, isLast: isLast, to: hand)
        } else {
            try quick.encode(bytes, to: hand)
            if isLast { try quick.finish(to: hand) }
        }
        compressedBytes += made
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: FileHandle, _ path: String) throws {
        do {
            try file.write(contentsOf: bytes)
        } catch {
            throw LoggenError.unwritable(path)
        }
    }
}

/// zlib's encoder, without gzip's header and trailer.
///
/// `stream` has a stable address, as zlib asks, from `init` to `deinit`; `output` is written only by `deflate`,
/// within its capacity, and read right after.
final class ZlibDeflate {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 * 1024)

    init(level: Int) throws {
        stream.initialize(to: z_stream())
        let rawDeflate: Int32 = -15
        let status = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, rawDeflate, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw LoggenError.compression(status) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    func encode(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            let status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            guard status != Z_STREAM_ERROR else { throw LoggenError.compression(status) }
            let made = output.count - Int(stream.pointee.avail_out)
            try write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made]))
        } while stream.pointee.avail_out == 0
        if isLast { deflateReset(stream) }
    }
}
