/// The columns of a w3c or cloudfront file, in a random order, and how its lines are written.
struct GeneratedColumns {
    private var names: [String]
    private let separator: String
    /// As CloudFront encodes its values.
    private let isEncoded: Bool
    private let quotePercent: Int

    init(isEncoded: Bool, _ random: inout SplitMix64) {
        self.isEncoded = isEncoded
        separator = random.chance(isEncoded ? 80 : 35) ? "\t" : " "
        quotePercent = random.pick([0, 0, 10, 60])
        names = ["date", "time", "cs-method", "cs-uri-stem", "cs-uri-query"]
        if random.chance(90) { names.append("sc-status") }
        if random.chance(90) { names.append("cs(User-Agent)") }
        for other in [
            "s-ip", "c-ip", "cs(Referer)", "sc-bytes", "time-taken", "x-edge-location", "cs-host", "sc-substatus",
        ]
        where random.chance(30) {
            names.append(other)
        }
        // The whole URI, in place of the path or beside it.
        if !isEncoded, random.chance(20) {
            if random.chance(80) { names[3] = "cs-uri" } else { names.append("cs-uri") }
        }
        if random.chance(70) { names = random.shuffle(names) }
        // A name that comes twice, with another value.
        if random.chance(8) { names.append(random.pick(names)) }
    }

    /// Leaves out one of the columns that are read.
    mutating func spoil(_ random: inout SplitMix64) {
        let lost = random.pick(["date", "time", "cs-method", "cs-uri-stem", "cs-uri-query"])
        names.removeAll { $0 == lost }
        if random.chance(10) { names = [] }
    }

    var fieldsLine: Bytes {
        Bytes("#Fields: " + names.joined(separator: " "))
    }

    /// The `#Fields:` line, often with others around it.
    func directives(_ random: inout SplitMix64) -> [Bytes] {
        var lines: [Bytes] = []
        if random.chance(60) { lines.append(Bytes("#Version: 1.0")) }
        if random.chance(30) { lines.append(Bytes("#Software: Microsoft Internet Information Services 10.0")) }
        if random.chance(10) { lines.append(Bytes("#Fields: date time x")) }
        let gap = random.pick([" ", " ", " ", "  ", "\t"])
        lines.append(
            Bytes("#Fields:" + random.pick([" ", "", "\t"]) + names.joined(separator: gap) + random.pick(["", " "])))
        if random.chance(20) { lines.append(Bytes("#Date: 2026-11-19 00:00:00")) }
        return lines
    }

    func line(_ request: GeneratedRequest, _ random: inout SplitMix64) -> Bytes {
        let values = values(request, &random)
        if isEncoded, random.chance(25) { return json(values, &random) }
        var seen: Set<String> = []
        let texts = names.map { name -> Bytes in
            let isFirst = seen.insert(name).inserted
            let value = values[name].map { isFirst ? $0 : Bytes("other") } ?? Bytes(random.pick(["-", "43", "a"]))
            return written(value, name, &random)
        }
        let line = Bytes(texts.joined(separator: Bytes(separator)))
        return line + Bytes(random.chance(8) ? random.pick([separator, separator + "more", separator + "\"x"]) : "")
    }

    /// The values before they are quoted.
    private func values(_ request: GeneratedRequest, _ random: inout SplitMix64) -> [String: Bytes] {
        let utc = GeneratedTime(milliseconds: request.time, zone: Zone("UTC")).utc(&random)
        var (date, time) = utc
        if let wrong = request.timeText {
            (date, time) = random.pick([
                (wrong, time), (date, wrong), ("-", time), (date, "-"), ("", ""), ("2026-02-30", time),
                (date, "24:00:00"), (date, "23:59:60"), (date, "10:00"), (date, "10:00:00+01:00"), (date, "10:00:00Z"),
                (date, "10:00:00:5"), (date, "1:00:00"), (date + "T10:00:00", ""), ("19/Nov/2026", time),
            ])
        }
        var (path, query) = request.uriParts
        var method = Bytes(request.method)
        if let whole = request.request {
            let parts = whole.pieces(" ")
            method = parts[0]
            path = parts.count > 1 ? parts[1] : []
            query = []
        }
        if query.hasPrefix("?") { query.removeFirst() }
        var userAgent = request.userAgent
        if isEncoded {
            path = encoded(path, &random)
            query = encoded(query, &random)
            userAgent = encoded(encoded(userAgent, &random), &random)
        }
        var uri = Bytes(random.pick(["", "", "t.example.com", "https://t.example.com:443"])) + path
        if !query.isEmpty, random.chance(30) { uri += Bytes("?") + (random.chance(90) ? query : []) }
        return [
            "cs-uri": uri, "date": Bytes(date), "time": Bytes(time), "cs-method": method, "cs-uri-stem": path,
            "cs-uri-query": query,
            "sc-status": Bytes(request.status), "cs(User-Agent)": userAgent,
        ]
    }

    /// A value as a line has it: a hyphen for nothing, perhaps in quotes.
    private func written(_ value: Bytes, _ name: String, _ random: inout SplitMix64) -> Bytes {
        if value.isEmpty, random.chance(85) { return Bytes("-") }
        var value = value
        if name == "cs(User-Agent)", separator == " ", random.chance(80) {
            value = value.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
        }
        let needsQuotes = value.contains(separator) || value.hasPrefix("\"")
        guard random.chance(needsQuotes ? 95 : quotePercent) else { return value }
        var quoted = Bytes("\"")
        for byte in value { quoted += byte == UInt8(ascii: "\"") ? [byte, byte] : [byte] }
        return quoted + Bytes("\"" + (random.chance(1) ? "x" : ""))
    }

    /// As CloudFront encodes a value. Sometimes something is left as it is.
    private func encoded(_ value: Bytes, _ random: inout SplitMix64) -> Bytes {
        if random.chance(3) { return value }
        var output = percentEncoded(value, &random) {
            $0 <= 0x20 || $0 >= 0x7F || "<>\"#%{}|\\^~[]`'".utf8.contains($0)
        }
        if random.chance(2) { output += Bytes(random.pick(["%", "%4", "%zz"])) }
        return output
    }

    /// CloudFront's JSON form.
    private func json(_ values: [String: Bytes], _ random: inout SplitMix64) -> Bytes {
        var members: [(String, GeneratedJSON)] = [("x-edge-location", .string(Bytes("MAD50")))]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !random.chance(1) {
            let isNumber = name == "sc-status" && value.isDigits && value.first != 0x30 && random.chance(40)
            let text = GeneratedJSON.string(value.isEmpty && random.chance(80) ? Bytes("-") : value)
            members.append((name, isNumber ? .raw(value.text) : text))
            if random.chance(1) {
                members.append((name, .raw(random.pick(["null", "7", "\"\"", "[\"GET\"]", "{}", "true"]))))
            }
        }
        return GeneratedJSON.object(random.shuffle(members)).text(
            space: random.pick([0, 0, 20]), breaksLines: false, &random)
    }
}
