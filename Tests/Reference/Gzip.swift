import CZlib

/// The content of a file.
package struct Unpacked {
    package enum Status: String {
        case ok
        case truncated
        case damaged
    }

    package var status = Status.ok
    package var text: Bytes = []
    /// The text and what could be unpacked of a bad member. Nil if no member is bad.
    private var textWithBadMember: Bytes?

    /// What can be unpacked from the beginning of the file, whether it is damaged or not.
    package var beginning: Bytes { textWithBadMember ?? text }

    /// Why a frame cannot be unpacked; nil if none is met.
    package private(set) var foreign: String?
    /// Whether there is a zstd frame.
    package private(set) var hasZstd = false

    /// A plain file is its own text. A compressed file is unpacked member by member.
    package init(_ file: Bytes) {
        if MemberKind(file: file) == .other {
            text = file
            return
        }
        var rest = file[...]
        var isGzip = false
        while !rest.isEmpty {
            let kind = MemberKind(rest)
            hasZstd = hasZstd || kind == .zstd || kind == .skippable
            switch kind {
            case .gzip:
                guard let after = take(Member(gzip: rest)) else { return }
                rest = after
            case .zstd:
                guard let after = take(Member(zstd: rest)) else { return }
                rest = after
            case .skippable:
                let header = rest.prefix(8)
                guard header.count == 8, rest.count - 8 >= littleEndian(header.suffix(4)) else {
                    status = .truncated
                    return
                }
                rest = rest.dropFirst(8 + littleEndian(header.suffix(4)))
            case .cut:
                status = .truncated
                return
            case .other:
                // After a gzip member it is ignored, unless it may hold records.
                if !isGzip || mayHoldRecords(Bytes(rest)) { status = .damaged }
                return
            }
            isGzip = kind == .gzip
            rest = rest.drop { [0, 0x0A, 0x0D, 0x20].contains($0) }
        }
    }

    /// Returns what comes after the member; nil if nothing does.
    private mutating func take(_ member: Member) -> ArraySlice<UInt8>? {
        switch member {
        case .whole(let bytes, let rest):
            text += bytes
            return rest
        case .cut(let bytes):
            text += bytes
            status = .truncated
        case .bad(let bytes):
            status = .damaged
            textWithBadMember = text + bytes
        case .foreign(let kind): foreign = kind
        }
        return nil
    }
}

/// Whether bytes hold the magic number of a member, a line of printable ASCII, or sixteen bytes of it in a row.
private func mayHoldRecords(_ bytes: Bytes) -> Bool {
    if [[0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD]].contains(where: { bytes.firstIndex(of: $0, from: 0) != nil }) {
        return true
    }
    func isPrintable(_ byte: UInt8) -> Bool { byte == 0x09 || 0x20...0x7E ~= byte }
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
    return lines.dropLast().contains { !$0.isEmpty && $0.allSatisfy(isPrintable) }
        || bytes.split { !isPrintable($0) }.contains { $0.count >= 16 }
}

/// One member of a gzip file, or one frame of a zstd file.
enum Member {
    case whole(Bytes, rest: ArraySlice<UInt8>)
    /// The file ends inside it. The bytes are those that could be inflated.
    case cut(Bytes)
    /// It has a fault. The bytes are those that could be inflated.
    case bad(Bytes)
    /// A zstd frame whose window is too large, or that needs a dictionary.
    case foreign(String)

    /// RFC 1952. Only the inflating is left to zlib.
    init(gzip file: ArraySlice<UInt8>) {
        var rest = file
        let header = Bytes(rest.prefix(10))
        if header.count > 3, header[2] != 8 {
            self = .bad([])
            return
        }
        let flags = header.count > 3 ? header[3] : 0
        if flags & 0xE0 != 0 {
            self = .bad([])
            return
        }
        guard header.count == 10 else {
            self = .cut([])
            return
        }
        rest = rest.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count >= 2 else {
                self = .cut([])
                return
            }
            let length = littleEndian(rest.prefix(2))
            guard rest.count >= 2 + length else {
                self = .cut([])
                return
            }
            rest = rest.dropFirst(2 + length)
        }
        // The name and the comment, which end with a zero byte.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            guard let end = rest.firstIndex(of: 0) else {
                self = .cut([])
                return
            }
            rest = rest[(end + 1)...]
        }
        if flags & 2 != 0 {
            guard rest.count >= 2 else {
                self = .cut([])
                return
            }
            let checksum = crc(Bytes(file[file.startIndex..<rest.startIndex])) & 0xFFFF
            guard littleEndian(rest.prefix(2)) == checksum else {
                self = .bad([])
                return
            }
            rest = rest.dropFirst(2)
        }
        let (bytes, used, code) = inflated(Bytes(rest))
        switch code {
        case Z_STREAM_END:
            let trailer = rest.dropFirst(used).prefix(8)
            if trailer.count >= 4, littleEndian(trailer.prefix(4)) != crc(bytes) {
                self = .bad(bytes)
            } else if trailer.count < 8 {
                self = .cut(bytes)
            } else if littleEndian(trailer.suffix(4)) != bytes.count & 0xFFFF_FFFF {
                self = .bad(bytes)
            } else {
                self = .whole(bytes, rest: rest.dropFirst(used + 8))
            }
        case Z_OK, Z_BUF_ERROR: self = .cut(bytes)
        default: self = .bad(bytes)
        }
    }
}

func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 * 256 + Int($1) }
}

package func crc(_ bytes: Bytes) -> Int {
    Int(crc32(0, bytes, UInt32(bytes.count)))
}

/// Inflates a raw stream at once, into a buffer that grows until everything fits.
private func inflated(_ input: Bytes) -> (bytes: Bytes, used: Int, code: Int32) {
    var input = input + [0]
    let available = input.count - 1
    var capacity = 1 << 16
    while true {
        var output = Bytes(repeating: 0, count: capacity)
        var stream = z_stream()
        inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        let code = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(available)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                return inflate(&stream, Z_NO_FLUSH)
            }
        }
        inflateEnd(&stream)
        if stream.avail_out > 0 || code == Z_STREAM_END {
            return (Bytes(output.prefix(Int(stream.total_out))), Int(stream.total_in), code)
        }
        capacity *= 4
    }
}

/// How to make a gzip member.
package struct GzipRecipe {
    package var level: Int32 = 6
    package var strategy: Int32 = 0
    /// With a name, an extra field, a comment and a header checksum.
    package var hasLongHeader = false

    package init(level: Int32 = 6, strategy: Int32 = 0, hasLongHeader: Bool = false) {
        self.level = level
        self.strategy = strategy
        self.hasLongHeader = hasLongHeader
    }

    /// One whole gzip member.
    package func member(_ bytes: Bytes) -> Bytes {
        var header: Bytes = [0x1F, 0x8B, 8, hasLongHeader ? 0x1E : 0, 0, 0, 0, 0, 0, 3]
        if hasLongHeader {
            header += [4, 0] + Bytes("ab\0\0") + Bytes("access.log\0") + Bytes("a comment\0")
            let checksum = crc(header)
            header += [UInt8(checksum & 0xFF), UInt8(checksum >> 8 & 0xFF)]
        }
        var trailer: Bytes = []
        for number in [crc(bytes), bytes.count] {
            for shift in [0, 8, 16, 24] { trailer.append(UInt8(number >> shift & 0xFF)) }
        }
        return header + deflated(bytes) + trailer
    }

    private func deflated(_ bytes: Bytes) -> Bytes {
        var input = bytes + [0]
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, -15, 8, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        var output = Bytes(repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
            }
        }
        let count = Int(stream.total_out)
        deflateEnd(&stream)
        return Bytes(output.prefix(count))
    }
}
