/// Lines of Apache and of load balancers.
extension GeneratedLineWriter {
    func apache(_ request: GeneratedRequest, _ format: String, _ random: inout SplitMix64) -> Bytes {
        let local = GeneratedTime(milliseconds: request.time, zone: zone)
        let time = GeneratedApacheTime(local, hasOffset: format.contains("%z"), &random)
        // A text that is no time stands in one of the places.
        var wrongTime = request.timeText
        let (path, query) = request.uriParts
        var line: Bytes = []
        var rest = Bytes(format)[...]
        while let byte = rest.popFirst() {
            let next = rest.first ?? 0
            if byte == UInt8(ascii: "\\"), "t\"'\\".utf8.contains(next) {
                rest.removeFirst()
                line.append(next == UInt8(ascii: "t") ? 0x09 : next)
                continue
            }
            guard byte == UInt8(ascii: "%") else {
                line.append(byte)
                continue
            }
            rest = rest.drop { "!<>,0123456789".utf8.contains($0) }
            var argument: String?
            if rest.first == UInt8(ascii: "{") {
                let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
                rest = rest.dropFirst(text.count + 2)
                argument = Bytes(text).text
            }
            let letter = rest.popFirst() ?? 0
            switch Character(Unicode.Scalar(letter)) {
            case "%": line.append(letter)
            case "t":
                guard let argument else {
                    line += Bytes("[") + request.time(local.timeLocal(style: timeStyle, &random), &random) + Bytes("]")
                    continue
                }
                let moment = ["begin:", "end:"].first { argument.hasPrefix($0) } ?? ""
                let right = Bytes(time.text(String(argument.dropFirst(moment.count))))
                if let wrong = wrongTime, random.chance(60) {
                    line += random.chance(50) ? Bytes(wrong) : mutated(right, &random)
                    wrongTime = nil
                } else {
                    line += right
                }
            case "r": line += escaped(request.requestLine)
            case "m": line += escaped(Bytes(request.method))
            case "U": line += escaped(path)
            case "q": line += escaped(query)
            case "s": line += Bytes(request.status)
            case "i" where argument?.lowercased() == "user-agent": line += escaped(request.userAgent)
            case "^": rest = rest.dropFirst(2)
            case "h", "a": line += Bytes("203.0.113.7")
            default: line += Bytes(random.pick(["-", "43", "0.004"]))
            }
        }
        return line + Bytes(random.chance(8) ? " more" : "") + request.loose
    }

    func alb(_ request: GeneratedRequest, _ random: inout SplitMix64) -> Bytes {
        let local = GeneratedTime(milliseconds: request.time, zone: zone)
        let isClassic = random.chance(25)
        let (date, time) = local.utc(&random)
        let usual = random.chance(90) ? date + "T" + time + "Z" : local.iso8601(defaultOffset: nil, &random)
        let type = random.chance(97) ? random.pick(["http", "https", "h2", "grpcs", "ws", "wss"]) : "tcp"
        var fields = isClassic ? [] : [type]
        fields += [request.timeText ?? usual, "app/push/50dc6c495c0c9188", "203.0.113.7:2817", "10.0.0.1:80"]
        fields += [
            "0.000", random.pick(["0.001", "-1"]), "0.000", request.status, random.pick(["200", "-"]), "34", "366",
        ]
        if random.chance(1) { fields.remove(at: random.below(fields.count)) }
        var line = Bytes(fields.joined(separator: " ") + " \"")
        if let whole = request.request {
            line += escaped(whole)
        } else {
            let host = request.uri.contains("://") ? "" : "https://t.example.com:443"
            let end = request.hasProtocol ? random.pick([" HTTP/1.1", " HTTP/2.0", " - ", " a b HTTP/1.1"]) : ""
            line += escaped(Bytes(request.method + " " + host + request.uri + end))
        }
        line += Bytes("\"")
        if isClassic, random.chance(30) { return line }
        line += Bytes(" \"") + escaped(request.userAgent) + Bytes("\"")
        return line + request.loose
            + Bytes(random.pick(["", " - -", " ECDHE TLSv1.2 arn:aws:x \"Root=1\" \"-\"", " \"unclosed"]))
    }
}

extension GeneratedRequest {
    /// The path, and the query with its question mark.
    var uriParts: (path: Bytes, query: Bytes) {
        let text = Bytes(uri)
        let end = text.firstIndex(of: UInt8(ascii: "?")) ?? text.count
        return (Bytes(text[..<end]), Bytes(text[end...]))
    }
}
