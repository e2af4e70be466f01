import Foundation

/// A deflate encoder for logs: several times faster than zlib at its fastest, and tighter.
///
/// It looks for the last place where the same eight bytes stood, takes the match if there is one, and gives each
/// block Huffman codes of its own. Shorter matches would cost more time than they save bytes: what differs from line
/// to line are mostly random digits. What it writes hangs on its input alone, not on a library's version.
///
/// Every read lies within the bytes handed in: words are loaded only where their eight bytes end within the block,
/// and matches end with it. Every write lies within memory for the worst case: `runs` holds one per eight bytes
/// and the last literals, and the writer's memory two bytes per byte and the block's header.
struct QuickDeflate: ~Copyable {
    private static let blockLength = 128 * 1024
    private static let hashBits: UInt64 = 14
    private static let shortestMatch = 8
    /// Bytes that differ are tried at every fourth place; where a match is found, the next three are kept as well, so
    /// that one of them is met when the same bytes come again, and the match is extended to its start.
    private static let step = 4

    private let places = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1 << Int(hashBits))
    private let runs = UnsafeMutableBufferPointer<Run>.allocate(capacity: blockLength / shortestMatch + 1)
    private let output = UnsafeMutableRawPointer.allocate(byteCount: blockLength * 2 + 4096, alignment: 8)
    private let lengths = MatchLengths()
    private let literals = HuffmanCode(symbols: 286)
    private let distances = HuffmanCode(symbols: 30)
    private var writer: BitWriter

    /// Bytes as they are, and the match that comes after them; the last of a block has none.
    private struct Run {
        var literals: UInt32
        var length: UInt16
        var distanceLessOne: UInt16
    }

    init() {
        writer = BitWriter(output: output)
    }

    deinit {
        places.deallocate()
        runs.deallocate()
        output.deallocate()
    }

    /// Encodes bytes as blocks and hands each over; a match never reaches before `bytes`.
    mutating func encode(_ bytes: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let base = bytes.baseAddress else { return }
        places.initialize(repeating: 0)
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.blockLength, bytes.count)
            let count = findMatches(base, start..<end)
            encodeBlock(base + start, runs: count)
            try write(writer.take())
            start = end
        }
    }

    /// The last block, which is empty, and the bits up to a whole byte.
    mutating func finish(to write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let lastBlockOfFixedCodes: UInt64 = 0b011
        writer.put(lastBlockOfFixedCodes, 10)
        writer.fillByte()
        try write(writer.take())
    }

    private func findMatches(_ base: UnsafeRawPointer, _ block: Range<Int>) -> Int {
        literals.clear()
        distances.clear()
        var count = 0
        var position = block.lowerBound
        var firstLiteral = position
        let lastTry = block.upperBound - Self.shortestMatch - Self.step + 1
        while position <= lastTry {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let slot = Self.slot(word)
            var candidate = Int(places[slot])
            places[slot] = UInt32(truncatingIfNeeded: position)
            let difference = base.loadUnaligned(fromByteOffset: candidate, as: UInt64.self) ^ word
            // An empty slot says 0: a place like any other, but for the first, which is at no distance from itself.
            let distanceLessOne = UInt64(truncatingIfNeeded: position &- candidate &- 1)
            guard difference | distanceLessOne &>> 15 == 0 else {
                position += Self.step
                continue
            }
            for next in position + 1..<position + Self.step { keep(base, next) }
            var length = Self.matchLength(base, candidate, position, limit: min(258, block.upperBound - position))
            while position > firstLiteral, candidate > 0, length < 258,
                base.load(fromByteOffset: position - 1, as: UInt8.self)
                    == base.load(fromByteOffset: candidate - 1, as: UInt8.self)
            {
                position -= 1
                candidate -= 1
                length += 1
            }
            countLiterals(base, firstLiteral..<position)
            literals.weights[lengths.symbol(length)] += 1
            distances.weights[Self.distanceSymbol(distanceLessOne)] += 1
            runs[count] = Run(
                literals: UInt32(truncatingIfNeeded: position - firstLiteral),
                length: UInt16(truncatingIfNeeded: length),
                distanceLessOne: UInt16(truncatingIfNeeded: distanceLessOne))
            count += 1
            position += length
            firstLiteral = position
        }
        countLiterals(base, firstLiteral..<block.upperBound)
        runs[count] = Run(
            literals: UInt32(truncatingIfNeeded: block.upperBound - firstLiteral), length: 0, distanceLessOne: 0)
        return count + 1
    }

    @inline(__always)
    private static func slot(_ word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> (64 - hashBits))
    }

    @inline(__always)
    private func keep(_ base: UnsafeRawPointer, _ position: Int) {
        let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        places[Self.slot(word)] = UInt32(truncatingIfNeeded: position)
    }

    @inline(__always)
    private func countLiterals(_ base: UnsafeRawPointer, _ range: Range<Int>) {
        for place in range { literals.weights[Int(base.load(fromByteOffset: place, as: UInt8.self))] &+= 1 }
    }

    /// How many bytes are alike at both places; the first eight are.
    private static func matchLength(_ base: UnsafeRawPointer, _ left: Int, _ right: Int, limit: Int) -> Int {
        var length = shortestMatch
        while length + 8 <= limit {
            let difference =
                base.loadUnaligned(fromByteOffset: left + length, as: UInt64.self)
                ^ base.loadUnaligned(fromByteOffset: right + length, as: UInt64.self)
            if difference != 0 { return length + difference.trailingZeroBitCount / 8 }
            length += 8
        }
        while length < limit {
            let byte = base.load(fromByteOffset: left + length, as: UInt8.self)
            guard byte == base.load(fromByteOffset: right + length, as: UInt8.self) else { break }
            length += 1
        }
        return length
    }

    private mutating func encodeBlock(_ bytes: UnsafeRawPointer, runs count: Int) {
        literals.weights[256] = 1
        literals.build()
        distances.build()
        lengths.build(literals)
        // A copy, so that its three numbers stay in registers.
        var writer = self.writer
        putHeader(to: &writer)
        var next = bytes
        for place in 0..<count {
            let run = runs[place]
            putLiterals(next, Int(run.literals), to: &writer)
            next += Int(run.literals)
            if run.length > 0 {
                putMatch(run, to: &writer)
                next += Int(run.length)
            }
        }
        writer.put(entry: literals.entries[256])
        self.writer = writer
    }

    /// Three at a time: their codes have at most 45 bits.
    @inline(__always)
    private func putLiterals(_ bytes: UnsafeRawPointer, _ count: Int, to writer: inout BitWriter) {
        var place = 0
        while place + 3 <= count {
            let first = literals.entries[Int(bytes.load(fromByteOffset: place, as: UInt8.self))]
            let second = literals.entries[Int(bytes.load(fromByteOffset: place + 1, as: UInt8.self))]
            let third = literals.entries[Int(bytes.load(fromByteOffset: place + 2, as: UInt8.self))]
            let (one, two) = (UInt64(first &>> 16), UInt64(first &>> 16) &+ UInt64(second &>> 16))
            writer.put(
                UInt64(first & 0xFFFF) | UInt64(second & 0xFFFF) &<< one | UInt64(third & 0xFFFF) &<< two,
                two &+ UInt64(third &>> 16))
            place &+= 3
        }
        while place < count {
            writer.put(entry: literals.entries[Int(bytes.load(fromByteOffset: place, as: UInt8.self))])
            place &+= 1
        }
    }

    /// The codes of a length and a distance and what distinguishes them have at most 20 and 28 bits.
    @inline(__always)
    private func putMatch(_ match: Run, to writer: inout BitWriter) {
        let length = lengths.entry(Int(match.length))
        let distance = UInt64(match.distanceLessOne)
        let symbol = Self.distanceSymbol(distance)
        let code = distances.entries[symbol]
        let extraBits = UInt64(max(2, symbol) / 2 - 1)
        let lengthBits = UInt64(length &>> 24)
        let codeBits = lengthBits &+ UInt64(code &>> 16)
        writer.put(
            UInt64(length & 0xFF_FFFF) | UInt64(code & 0xFFFF) &<< lengthBits
                | (distance & (1 &<< extraBits - 1)) &<< codeBits,
            codeBits &+ extraBits)
    }

    /// The code lengths, each as the four bits of a code in which 0 to 15 are equally long: a little longer than it
    /// could be, once in a block.
    private func putHeader(to writer: inout BitWriter) {
        let blockOfOwnCodes: UInt64 = 0b100
        writer.put(blockOfOwnCodes, 3)
        writer.put(286 - 257, 5)
        writer.put(30 - 1, 5)
        writer.put(19 - 4, 4)
        // The three symbols for repetitions come first, and are not used.
        for place in 0..<19 { writer.put(place < 3 ? 0 : 4, 3) }
        for entry in literals.entries { writer.put(reversed(UInt64(entry >> 16), 4), 4) }
        for entry in distances.entries { writer.put(reversed(UInt64(entry >> 16), 4), 4) }
    }

    /// 0 to 3 for themselves; from there two symbols for every power of two.
    @inline(__always)
    private static func distanceSymbol(_ distance: UInt64) -> Int {
        guard distance >= 4 else { return Int(distance) }
        let power = UInt64(truncatingIfNeeded: 63 - distance.leadingZeroBitCount)
        return Int(2 * power + (distance &>> (power - 1) & 1))
    }
}
