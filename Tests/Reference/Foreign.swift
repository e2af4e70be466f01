/// The kind of a file that is neither gzip, zstd nor text. It is recognised in the first 512 bytes, unpacked if the file
/// is compressed. Nil for a file that is read.
package func foreignKind(_ file: Bytes) -> String? {
    let unpacked = Unpacked(file)
    return unpacked.foreign ?? kind(Bytes(unpacked.beginning.prefix(512)))
}

private func kind(_ beginning: Bytes) -> String? {
    func begins(_ bytes: Bytes) -> Bool { beginning.starts(with: bytes) }
    if begins([0xFD] + Bytes("7zXZ\0")) { return "xz" }
    if begins([0x28, 0xB5, 0x2F, 0xFD]) { return "zstd" }
    if begins([0x04, 0x22, 0x4D, 0x18]) { return "lz4" }
    if let first = beginning.first, 0x50...0x5F ~= first, beginning.dropFirst().starts(with: [0x2A, 0x4D, 0x18]) {
        return "zstd"
    }
    for level in 1...9 where begins(Bytes("BZh\(level)")) {
        let mark = Bytes(beginning.dropFirst(4).prefix(6))
        if [Bytes("1AY&SY"), [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].contains(mark) { return "bzip2" }
    }
    if begins(Bytes("PK\u{3}\u{4}")) || begins(Bytes("PK\u{5}\u{6}")) { return "zip" }
    let magic = Bytes(beginning.dropFirst(257))
    if magic.starts(with: Bytes("ustar\0")) || magic.starts(with: Bytes("ustar  \0")) { return "tar" }
    if begins(Bytes("Obj\u{1}")) { return "avro" }
    if begins(Bytes("PAR1")) {
        let isText = beginning.dropFirst(4).allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        if !isText || beginning.count < 512 && beginning.suffix(4) == Bytes("PAR1") { return "parquet" }
    }
    if begins([0x1F, 0x8B]) { return "gzip" }
    return begins([0xFF, 0xFE]) || begins([0xFE, 0xFF]) ? "utf16" : nil
}
