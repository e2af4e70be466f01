import Foundation

/// What begins at a place in a file.
enum MemberKind {
    case gzip, zstd, skippable, other
    /// The file ends inside a magic number.
    case cut

    init(_ rest: ArraySlice<UInt8>) {
        let magic = Bytes(rest.prefix(4))
        let skippable = (0x50...0x5F).map { [$0, 0x2A, 0x4D, 0x18] as Bytes }
        let all = [[0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD]] + skippable
        if magic.starts(with: all[0]) {
            self = .gzip
        } else if magic == all[1] {
            self = .zstd
        } else if skippable.contains(magic) {
            self = .skippable
        } else {
            self = !magic.isEmpty && all.contains { $0.starts(with: magic) } ? .cut : .other
        }
    }

    /// What a file begins with. An lz4 file may begin with a skippable frame too.
    init(file: Bytes) {
        self.init(file[...])
        if self == .skippable, file.count >= 8 {
            let magic = file.prefix(512).dropFirst(8 + littleEndian(file[4..<8])).prefix(4)
            if Bytes(magic) == [0x04, 0x22, 0x4D, 0x18] { self = .other }
        }
    }
}

extension Member {
    /// RFC 8878. Only the unpacking is left to libzstd.
    init(zstd file: ArraySlice<UInt8>) {
        if let foreign = Member.foreignKind(Bytes(file.prefix(18))) {
            self = .foreign(foreign)
            return
        }
        let (bytes, used, code) = unpacked(Bytes(file))
        if Zstd.isError(code) != 0 {
            self = .bad(bytes)
        } else if code == 0 {
            self = .whole(bytes, rest: file.dropFirst(used))
        } else {
            self = .cut(bytes)
        }
    }

    private static func foreignKind(_ header: Bytes) -> String? {
        guard header.count > 5 else { return nil }
        let isSingle = header[4] & 0x20 != 0
        let dictionary = [0, 1, 2, 4][Int(header[4] & 3)]
        let size = [isSingle ? 1 : 0, 2, 4, 8][Int(header[4] >> 6)]
        let fields = header.dropFirst(isSingle ? 5 : 6)
        guard fields.count >= dictionary + size else { return nil }
        if fields.prefix(dictionary).contains(where: { $0 != 0 }) { return "zstdDictionary" }
        let content = fields.dropFirst(dictionary).prefix(size)
        if isSingle {
            let isLarge = content.dropFirst(4).contains { $0 != 0 } || littleEndian(content.prefix(4)) > 128 << 20
            return isLarge ? "zstdWindow" : nil
        }
        let (exponent, eighths) = (10 + Int(header[5] >> 3), Int(header[5] & 7))
        return exponent > 27 || exponent == 27 && eighths > 0 ? "zstdWindow" : nil
    }
}

/// libzstd unpacks nothing of a damaged frame that has room as a whole, so the room is that in which foreign files are recognised.
private func unpacked(_ input: Bytes) -> (bytes: Bytes, used: Int, code: Int) {
    guard let context = Zstd.createUnpacker() else { fatalError("no memory") }
    defer { _ = Zstd.freeUnpacker(context) }
    var (bytes, room): (Bytes, Bytes) = ([], Bytes(repeating: 0, count: 512))
    return input.withUnsafeBufferPointer { input in
        var source = [Int(bitPattern: input.baseAddress), input.count, 0]
        while true {
            let (code, count) = room.withUnsafeMutableBufferPointer { room in
                var target = [Int(bitPattern: room.baseAddress), room.count, 0]
                return (Zstd.unpack(context, &target, &source), target[2])
            }
            bytes += room.prefix(count)
            if code == 0 || Zstd.isError(code) != 0 || source[2] == input.count && count < room.count {
                return (bytes, source[2], code)
            }
        }
    }
}

/// How to make a zstd frame.
package struct ZstdRecipe {
    package var level: Int32 = 3
    package var hasChecksum = false
    package var hasSize = true
    /// The logarithm of the window; 0 for the level's own.
    package var windowLog: Int32 = 0

    package init(level: Int32 = 3, hasChecksum: Bool = false, hasSize: Bool = true, windowLog: Int32 = 0) {
        (self.level, self.hasChecksum, self.hasSize, self.windowLog) = (level, hasChecksum, hasSize, windowLog)
    }

    package func frame(_ bytes: Bytes) -> Bytes {
        guard let context = Zstd.createPacker() else { fatalError("no memory") }
        defer { _ = Zstd.freePacker(context) }
        for (parameter, value) in [
            (100, level), (101, windowLog), (200, hasSize ? 1 : 0), (201, hasChecksum ? 1 : 0),
        ] as [(Int32, Int32)] {
            _ = Zstd.setParameter(context, parameter, value)
        }
        var packed = Bytes(repeating: 0, count: bytes.count + bytes.count / 64 + 512)
        let capacity = packed.count
        let count = Zstd.pack(context, &packed, capacity, bytes, bytes.count)
        guard Zstd.isError(count) == 0 else { fatalError("libzstd failed") }
        return Bytes(packed.prefix(count))
    }
}

/// libzstd, which every Debian has. A build needs no header of it.
private enum Zstd {
    typealias Context = OpaquePointer
    static let createUnpacker = function("ZSTD_createDCtx", as: (@convention(c) () -> Context?).self)
    static let freeUnpacker = function("ZSTD_freeDCtx", as: (@convention(c) (Context) -> Int).self)
    static let unpack = function(
        "ZSTD_decompressStream",
        as: (@convention(c) (Context, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> Int).self)
    static let createPacker = function("ZSTD_createCCtx", as: (@convention(c) () -> Context?).self)
    static let freePacker = function("ZSTD_freeCCtx", as: (@convention(c) (Context) -> Int).self)
    static let setParameter = function(
        "ZSTD_CCtx_setParameter", as: (@convention(c) (Context, Int32, Int32) -> Int).self)
    static let pack = function(
        "ZSTD_compress2",
        as: (@convention(c) (Context, UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, Int) -> Int).self)
    static let isError = function("ZSTD_isError", as: (@convention(c) (Int) -> UInt32).self)

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
        guard let library = dlopen("libzstd.so.1", RTLD_NOW), let symbol = dlsym(library, name) else {
            fatalError("libzstd is not installed")
        }
        return unsafeBitCast(symbol, to: type)
    }
}
