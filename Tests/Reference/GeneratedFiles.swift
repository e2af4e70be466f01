/// A file's text before it is packed.
struct GeneratedText {
    var bytes: Bytes

    /// Lines joined as a log file.
    init(lines: [Bytes], faults: Int, _ random: inout SplitMix64) {
        let end = Bytes(random.chance(80) ? "\n" : "\r\n")
        bytes = random.chance(8) ? byteOrderMarks(lines.count) : []
        for line in lines {
            bytes += line + (random.chance(3) ? Bytes("\r\n") : end)
            if random.chance(3) { bytes += end }
        }
        if random.chance(lines.count == 1 ? 60 : 20), !bytes.isEmpty { bytes.removeLast(min(bytes.count, end.count)) }
        if random.chance(faults / 3) { bytes = mutated(bytes, &random) }
    }

    /// users_track bodies in one of the forms of an export.
    init(bodies: [Bytes], faults: Int, _ random: inout SplitMix64) {
        switch random.below(6) {
        case 0: bytes = Bytes("[") + bodies.joined(separator: Bytes(",\n")) + Bytes("]\n")
        case 1: bytes = Bytes("[\n  ") + bodies.joined(separator: Bytes(" ,\n  ")) + Bytes("\n]")
        case 2: bytes = Bytes(bodies.joined())
        case 3: bytes = Bytes(bodies.joined(separator: Bytes("\n\n")))
        default: bytes = Bytes(bodies.joined(separator: Bytes("\n"))) + Bytes(random.chance(80) ? "\n" : "")
        }
        if random.chance(8) { bytes = byteOrderMarks(bodies.count) + bytes }
        if random.chance(faults) {
            let junk = Bytes(
                random.pick(["x", "\nnot json\n{", "}", "\n\"a\" {\"events\":[]}\n", "\n{\n", "\0", "\u{0B}"]))
            bytes.insert(contentsOf: junk, at: random.below(bytes.count + 1))
        }
        // Objects cut off at the end of a line, within one another. The rest of the case does not depend on them.
        var opens = SplitMix64(seed: UInt64(bytes.count))
        if faults > 0, opens.chance(faults) {
            for _ in 0..<opens.pick([2, 20, 200]) {
                let open = Bytes(
                    opens.pick(["\n{\"a\":1,\n", "\n{\"a\":\n", "\n{\"events\":[\n", "\n[{\"a\":[\n"]))
                bytes.insert(contentsOf: open, at: opens.below(bytes.count + 1))
            }
        }
        if random.chance(faults / 3) { bytes = mutated(bytes, &random) }
    }
}

/// Pads some texts with spaces, after a comma or a line end, until the bytes after them lie around offset `length`.
func padded(_ text: Bytes, percent: Int, length: Int) -> Bytes {
    // The rest of the case does not depend on it.
    var random = SplitMix64(seed: UInt64(text.count * 31 + length))
    guard random.chance(percent) else { return text }
    let places = text.indices.filter { $0 > 0 && Bytes(",\n").contains(text[$0 - 1]) }
    let place = places.isEmpty ? 0 : random.pick(places)
    let count = length - place - random.below(max(1, min(400, text.count - place)))
    return text[..<place] + Bytes(repeating: 0x20, count: max(0, count)) + text[place...]
}

/// The bytes that the program unpacks at a time.
let blockSize = 1 << 18

/// A byte order mark, of some texts two: only the first is none of the text.
private func byteOrderMarks(_ records: Int) -> Bytes {
    Bytes([Bytes](repeating: [0xEF, 0xBB, 0xBF], count: records % 3 == 0 ? 2 : 1).joined())
}

/// A text after the signature of another kind of file, which may have a wrong bit. Sometimes it is gzipped instead.
func foreignOrNearly(_ text: Bytes, _ random: inout SplitMix64) -> Bytes {
    let signatures: [Bytes] = [
        [0xFD] + Bytes("7zXZ\0"), [0x28, 0xB5, 0x2F, 0xFD], [0x04, 0x22, 0x4D, 0x18], [0x53, 0x2A, 0x4D, 0x18],
        Bytes("BZh91AY&SY"), Bytes("PK\u{3}\u{4}"), Bytes("PK\u{5}\u{6}"), Bytes("Obj\u{1}"), Bytes("PAR1\u{15}"),
        Bytes("PAR1"), [0x1F, 0x8B, 8], [0xFF, 0xFE], [0xFE, 0xFF],
        Bytes(repeating: 0x20, count: 257) + Bytes("ustar\0"), Bytes(repeating: 0, count: 257) + Bytes("ustar  \0"),
    ]
    if random.chance(10) { return GzipRecipe().member(text) }
    var signature = random.pick(signatures)
    if random.chance(50) { signature[random.below(signature.count)] ^= UInt8(1 << random.below(8)) }
    return signature + text
}

/// A text packed into a file, plain, gzip or zstd, which may be damaged or cut.
func packed(_ text: Bytes, faultPercent: Int, _ random: inout SplitMix64) -> Bytes {
    if random.chance(25) { return text }
    // The rest of the case does not depend on these.
    var next = random
    var kinds = SplitMix64(seed: next.next() ^ UInt64(text.count))
    let isTiny = faultPercent > 0 && kinds.chance(faultPercent == 100 ? 10 : 4)
    let tiny = kinds.chance(50) ? Bytes(text.prefix(kinds.number(1...3))) : Bytes(kinds.pick(["x\n", "\n", "x\r\n"]))
    var members: [Bytes] = [isTiny ? tiny : text]
    if random.chance(50) {
        for _ in 0..<random.number(1...4) {
            let last = members.removeLast()
            let cut = random.below(last.count + 1)
            members += [Bytes(last[..<cut]), Bytes(last[cut...])]
        }
    }
    var file: Bytes = []
    var starts: [Int] = []
    let zstdPercent = kinds.pick([0, 0, 50, 100])
    var isGzip = true
    for member in members {
        starts.append(file.count)
        let recipe = GzipRecipe(
            level: Int32(random.pick([0, 1, 6, 9])), strategy: Int32(random.pick([0, 0, 2, 4])),
            hasLongHeader: random.chance(15))
        isGzip = !kinds.chance(zstdPercent)
        if isGzip {
            file += recipe.member(member)
        } else {
            if kinds.chance(10) { file += [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3] }
            file += ZstdRecipe(
                level: Int32(kinds.pick([1, 3, 19])), hasChecksum: kinds.chance(50), hasSize: kinds.chance(50)
            ).frame(member)
        }
        if random.chance(15) {
            file += Bytes(repeating: random.pick([0, 0, 0x0A, 0x0D, 0x20]), count: random.pick([1, 2, 7, 512]))
        }
    }
    if random.chance(8) && isGzip {
        file += random.pick([
            Bytes("garbage"), [0x1F, 0x00], [0, 0, 0x8B], Bytes("\u{1}GET \u{1}/r/?id=h5\u{1},a,7\n"),
            [0xFF, 0x0A, 0xFE],
        ])
    }
    guard random.chance(faultPercent) else { return file }
    switch random.below(6) {
    case 4: return file + random.pick([Bytes("garbage\n"), Bytes("\u{1}\rx\r"), Bytes("GET /r/?id=h5,a,7")])
    case 5: return file + [1, 2, 3] + GzipRecipe().member(text)
    case 0:
        let anywhere = random.below(file.count)
        return Bytes(file.prefix(kinds.chance(20) ? kinds.number(1...5) : anywhere))
    case 1:
        let missing = random.number(1...12)
        // Sometimes a byte of the CRC is wrong, and at most the length after it is cut.
        if kinds.chance(40), file.count >= 8 {
            file[file.count - kinds.number(5...8)] ^= UInt8(1 << kinds.below(8))
            file.removeLast((missing + 2) / 3)
        } else {
            file.removeLast(min(file.count, missing))
        }
        return file
    case 2:
        // The CRC or the length of one member.
        let index = random.below(starts.count)
        let end = index + 1 < starts.count ? starts[index + 1] : file.count
        file[max(0, end - random.number(1...8))] ^= UInt8(1 << random.below(8))
        return file
    default:
        let anywhere = random.below(file.count)
        // Often in the header of a member, most of which has few bytes.
        let inHeader = kinds.pick(starts) + kinds.below(30)
        file[kinds.chance(40) && inHeader < file.count ? inHeader : anywhere] ^= UInt8(1 << random.below(8))
        return file
    }
}
