import Foundation

/// A deflate encoder for logs: faster than zlib at its fastest, and as tight.
///
/// It looks for the last place where the same four bytes stood, takes the match if there is one, and gives each
/// block Huffman codes of its own. What it writes hangs on its input alone, not on a library's version.
///
/// Every read lies within the bytes handed in: words are loaded only up to eight bytes before the block's end, and
/// matches end with it. Every write lies within memory for the worst case: `tokens` holds one per byte, and the
/// writer's memory eight bytes per token and the block's header.
struct QuickDeflate: ~Copyable {
    private static let blockLength = 128 * 1024
    private static let hashBits: UInt32 = 14

    private let places = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1 << Int(hashBits))
    /// A literal as its byte, a match as `isMatch | length << 16 | distance - 1`.
    private let tokens = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: blockLength)
    private let output = UnsafeMutableRawPointer.allocate(byteCount: blockLength * 8 + 4096, alignment: 8)
    private let lengths = MatchLengths()
    private let literals = HuffmanCode(symbols: 286)
    private let distances = HuffmanCode(symbols: 30)
    private var writer: BitWriter

    private static let isMatch: UInt32 = 1 << 31

    init() {
        writer = BitWriter(output: output)
    }

    deinit {
        places.deallocate()
        tokens.deallocate()
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
            encodeBlock(tokens: count)
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
        let lastWord = block.upperBound - 8
        // Where nothing has matched for a while, as within random digits, only every second place is tried.
        var misses = 0
        while position < block.upperBound {
            if position <= lastWord, misses < 10 || misses & 1 == 0 {
                let word = base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
                let slot = Int((word &* 0x9E37_79B1) &>> (32 - Self.hashBits))
                let candidate = Int(places[slot]) - 1
                places[slot] = UInt32(truncatingIfNeeded: position + 1)
                if candidate >= 0, position - candidate <= 32_768,
                    base.loadUnaligned(fromByteOffset: candidate, as: UInt32.self) == word
                {
                    let limit = min(258, block.upperBound - position)
                    let length = Self.matchLength(base, candidate, position, limit: limit)
                    let distance = UInt32(truncatingIfNeeded: position - candidate - 1)
                    tokens[count] = Self.isMatch | UInt32(truncatingIfNeeded: length) << 16 | distance
                    literals.weights[lengths.symbol(length)] += 1
                    distances.weights[Self.distanceSymbol(distance)] += 1
                    count += 1
                    position += length
                    misses = 0
                    continue
                }
            }
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            tokens[count] = UInt32(byte)
            literals.weights[Int(byte)] += 1
            count += 1
            position += 1
            misses += 1
        }
        return count
    }

    /// How many bytes are alike at both places; the first four are.
    private static func matchLength(_ base: UnsafeRawPointer, _ left: Int, _ right: Int, limit: Int) -> Int {
        var length = 4
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

    private mutating func encodeBlock(tokens count: Int) {
        literals.weights[256] = 1
        literals.build()
        distances.build()
        // A copy, so that its three numbers stay in registers.
        var writer = self.writer
        putHeader(to: &writer)
        for place in 0..<count {
            let token = tokens[place]
            guard token & Self.isMatch != 0 else {
                writer.put(entry: literals.entries[Int(token)])
                continue
            }
            let length = Int(token >> 16 & 0x1FF)
            writer.put(entry: literals.entries[lengths.symbol(length)])
            writer.put(entry: lengths.extra(length))
            let distance = token & 0x7FFF
            let symbol = Self.distanceSymbol(distance)
            writer.put(entry: distances.entries[symbol])
            let extraBits = UInt64(max(2, symbol) / 2 - 1)
            writer.put(UInt64(distance) & (1 &<< extraBits - 1), extraBits)
        }
        writer.put(entry: literals.entries[256])
        self.writer = writer
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
    private static func distanceSymbol(_ distance: UInt32) -> Int {
        guard distance >= 4 else { return Int(distance) }
        let power = UInt32(truncatingIfNeeded: 31 - distance.leadingZeroBitCount)
        return Int(2 * power + (distance &>> (power - 1) & 1))
    }
}

/// Bits, the lowest first, to memory that its owner has made large enough.
struct BitWriter {
    private let output: UnsafeMutableRawPointer
    private var written = 0
    private var bits: UInt64 = 0
    private var bitCount: UInt64 = 0

    init(output: UnsafeMutableRawPointer) {
        self.output = output
    }

    /// At most 48 bits at a time; whole bytes go to the output at once.
    @inline(__always)
    mutating func put(_ value: UInt64, _ count: UInt64) {
        bits |= value &<< bitCount
        bitCount &+= count
        output.storeBytes(of: bits, toByteOffset: written, as: UInt64.self)
        written &+= Int(truncatingIfNeeded: bitCount &>> 3)
        bits = bits &>> (bitCount & ~7)
        bitCount &= 7
    }

    /// A code and its length, as `HuffmanCode` keeps them.
    @inline(__always)
    mutating func put(entry: UInt32) {
        put(UInt64(entry & 0xFFFF), UInt64(entry &>> 16))
    }

    /// Ends with a whole byte.
    mutating func fillByte() {
        put(0, (8 - bitCount) & 7)
    }

    /// The whole bytes so far, which may be written over from now on.
    mutating func take() -> UnsafeRawBufferPointer {
        defer { written = 0 }
        return UnsafeRawBufferPointer(start: output, count: written)
    }
}

/// What deflate writes for the match lengths from 3 to 258: a symbol, and what distinguishes the lengths that share it.
struct MatchLengths: ~Copyable {
    private let symbols = UnsafeMutableBufferPointer<Int>.allocate(capacity: 259)
    private let extras = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 259)

    init() {
        for length in 0...258 {
            let offset = max(0, length - 3)
            // Four symbols for every power of two, from 8 on; the longest match has one of its own.
            let bits = offset < 8 || length == 258 ? 0 : Int.bitWidth - 3 - offset.leadingZeroBitCount
            symbols[length] = length == 258 ? 285 : 257 + 4 * bits + offset >> bits
            extras[length] = UInt32(bits) << 16 | UInt32(offset & (1 << bits - 1))
        }
    }

    deinit {
        symbols.deallocate()
        extras.deallocate()
    }

    @inline(__always)
    func symbol(_ length: Int) -> Int { symbols[length] }

    @inline(__always)
    func extra(_ length: Int) -> UInt32 { extras[length] }
}

/// The lowest bits in the opposite order: deflate writes codes from their highest bit.
func reversed(_ value: UInt64, _ count: Int) -> UInt64 {
    var result: UInt64 = 0
    for place in 0..<count where value >> UInt64(place) & 1 == 1 {
        result |= 1 << UInt64(count - 1 - place)
    }
    return result
}

/// A prefix code of at most 15 bits, from how often each symbol occurs.
struct HuffmanCode: ~Copyable {
    let weights: UnsafeMutableBufferPointer<Int>
    /// For each symbol its code's length in the upper 16 bits, the code in the lower; 0 for symbols that do not occur.
    let entries: UnsafeMutableBufferPointer<UInt32>

    init(symbols: Int) {
        weights = .allocate(capacity: symbols)
        weights.initialize(repeating: 0)
        entries = .allocate(capacity: symbols)
        entries.initialize(repeating: 0)
    }

    deinit {
        weights.deallocate()
        entries.deallocate()
    }

    func clear() {
        weights.update(repeating: 0)
    }

    func build() {
        // A code has at least two symbols, or some readers refuse it.
        for symbol in 0..<2 where weights.count(where: { $0 > 0 }) < 2 { weights[symbol] = max(1, weights[symbol]) }
        var divisor = 1
        while !measure(dividing: divisor) { divisor *= 2 }
        assignCodes()
    }

    /// Huffman's algorithm over weights made coarser by a divisor; false if a code gets longer than 15 bits.
    private func measure(dividing divisor: Int) -> Bool {
        var nodes = weights.indices.filter { weights[$0] > 0 }
            .map { (weight: weights[$0] / divisor + 1, symbol: $0) }
            .sorted { ($0.weight, $0.symbol) < ($1.weight, $1.symbol) }
            .map { (weight: $0.weight, parent: -1, symbol: $0.symbol) }
        let leaves = nodes.count
        // Leaves and inner nodes are both in order of weight: the two lightest are at the front of either.
        var leaf = 0
        var inner = leaves
        func takeLightest() -> Int {
            if leaf < leaves, inner >= nodes.count || nodes[leaf].weight <= nodes[inner].weight {
                leaf += 1
                return leaf - 1
            }
            inner += 1
            return inner - 1
        }
        for _ in 1..<leaves {
            let (left, right) = (takeLightest(), takeLightest())
            nodes.append((nodes[left].weight + nodes[right].weight, -1, -1))
            nodes[left].parent = nodes.count - 1
            nodes[right].parent = nodes.count - 1
        }
        var depths = Array(repeating: 0, count: nodes.count)
        for node in nodes.indices.dropLast().reversed() { depths[node] = depths[nodes[node].parent] + 1 }
        guard depths.allSatisfy({ $0 <= 15 }) else { return false }
        entries.update(repeating: 0)
        for node in 0..<leaves { entries[nodes[node].symbol] = UInt32(depths[node]) << 16 }
        return true
    }

    /// Codes of one length follow one another, shorter ones before longer ones.
    private func assignCodes() {
        var next = 0
        for length in 1...15 {
            next <<= 1
            for symbol in entries.indices where entries[symbol] >> 16 == length {
                entries[symbol] |= UInt32(reversed(UInt64(next), length))
                next += 1
            }
        }
    }
}
