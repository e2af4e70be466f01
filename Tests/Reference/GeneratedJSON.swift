/// JSON to be written, valid or not.
indirect enum GeneratedJSON {
    case raw(String)
    case string(Bytes)
    case array([GeneratedJSON])
    case object([(String, GeneratedJSON)])

    /// Puts a value at `a.b.c`. If there is a value already, the key stands there twice.
    mutating func set(_ path: String, _ value: GeneratedJSON) { set(pathNames(path)[...], value) }

    private mutating func set(_ keys: ArraySlice<String>, _ value: GeneratedJSON) {
        guard case .object(var members) = self, let key = keys.first else { return }
        if keys.count == 1 {
            members.append((key, value))
        } else if let index = members.lastIndex(where: { $0.0 == key }), case .object = members[index].1 {
            members[index].1.set(keys.dropFirst(), value)
        } else {
            var inner = GeneratedJSON.object([])
            inner.set(keys.dropFirst(), value)
            members.append((key, inner))
        }
        self = .object(members)
    }

    /// Puts some of the values within an object into arrays, before others.
    mutating func putIntoArrays(percent: Int, _ random: inout SplitMix64) {
        guard case .object(var members) = self else { return }
        for index in members.indices {
            members[index].1.putIntoArrays(percent: percent, &random)
            guard random.chance(percent) else { continue }
            let others: [GeneratedJSON] = random.pick([[], [.raw("null")], [.raw("{\"id\":[1]}"), .raw("\"x\"")]])
            members[index].1 = random.chance(5) ? .array([]) : .array([members[index].1] + others)
        }
        self = .object(members)
    }

    mutating func shuffleKeys(_ random: inout SplitMix64) {
        guard case .object(var members) = self else { return }
        for index in members.indices { members[index].1.shuffleKeys(&random) }
        self = .object(random.shuffle(members))
    }

    /// White space stands in `space` percent of the gaps. It has line breaks only if `breaksLines`.
    func text(space: Int, breaksLines: Bool, _ random: inout SplitMix64) -> Bytes {
        func gap() -> Bytes {
            guard random.chance(space) else { return [] }
            return Bytes(random.pick(breaksLines ? ["\n", "\n  ", " ", "\r\n", "\t"] : [" ", "\t", "  "]))
        }
        switch self {
        case .raw(let text): return Bytes(text)
        case .string(let bytes): return quoted(bytes, &random)
        case .array(let elements):
            let inner = elements.map { gap() + $0.text(space: space, breaksLines: breaksLines, &random) + gap() }
            return Bytes("[") + inner.joined(separator: Bytes(",")) + Bytes("]")
        case .object(let members):
            let inner = members.map { key, value in
                gap() + quoted(Bytes(key), &random) + gap() + Bytes(":") + gap()
                    + value.text(space: space, breaksLines: breaksLines, &random) + gap()
            }
            return Bytes("{") + inner.joined(separator: Bytes(",")) + Bytes("}")
        }
    }
}

private func quoted(_ bytes: Bytes, _ random: inout SplitMix64) -> Bytes {
    var output = Bytes("\"")
    for byte in bytes {
        switch byte {
        case 0x22, 0x5C: output += [0x5C, byte]
        case 0x2F where random.chance(50): output += Bytes("\\/")
        case 0..<0x20: output += Bytes("\\u00" + hexDigits(byte))
        case 0x20..<0x7F where random.chance(1): output += Bytes("\\u00" + hexDigits(byte))
        default: output.append(byte)
        }
    }
    return output + Bytes("\"")
}
