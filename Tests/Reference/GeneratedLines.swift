/// The values of a line of an access log.
struct GeneratedRequest {
    var method = "GET"
    var uri = ""
    var hasProtocol = true
    var status = "200"
    /// Milliseconds.
    var time = 0
    /// Written instead of the time, for times that cannot be read.
    var timeText: String?
    var userAgent = Bytes("-")
    var body: Bytes?
    /// Written instead of method and URI.
    var request: Bytes?
    /// A text behind the line, or in its referer, that looks like another request.
    var loose: Bytes = []
    /// The keys that a JSON line does not have.
    var missing: Set<String> = []

    /// The time as a server writes it, or what stands in its place.
    func time(_ right: String, _ random: inout SplitMix64) -> Bytes {
        guard let timeText else { return Bytes(right) }
        var time = Bytes(right)
        switch random.below(4) {
        case 0: time = mutated(time, &random)
        case 1, 2:
            // Often one of those that separate its parts.
            let separators = time.indices.filter { Bytes("/:+-., T").contains(time[$0]) }
            let isSeparator = random.chance(60) && !separators.isEmpty
            time[isSeparator ? random.pick(separators) : random.below(time.count)] = UInt8(random.below(256))
        default: time = Bytes(timeText)
        }
        return time
    }

    var requestLine: Bytes {
        request ?? Bytes(method + " " + uri + (hasProtocol ? " HTTP/1.1" : ""))
    }
}

/// Writes lines of one layout.
package struct GeneratedLineWriter {
    package enum Escaping: CaseIterable {
        case nginx
        case apache

        package func escaped(_ value: Bytes) -> Bytes {
            var output: Bytes = []
            for byte in value {
                switch (byte, self) {
                case (0x22, .apache), (0x5C, .apache): output += [0x5C, byte]
                case (0x0A, .apache): output += Bytes("\\n")
                case (0x0D, .apache): output += Bytes("\\r")
                case (0x09, .apache): output += Bytes("\\t")
                case (0x22, .nginx), (0x5C, .nginx), (0..<0x20, .nginx), (0x7F..., .nginx):
                    output += Bytes("\\x" + hexDigits(byte).uppercased())
                case (0..<0x20, _), (0x7F..., _): output += Bytes("\\x" + hexDigits(byte))
                default: output.append(byte)
                }
            }
            return output
        }
    }

    var layout: Pipeline.Layout
    var zone: Zone
    var escaping: Escaping
    /// Nil if times are written in several ways.
    var timeStyle: GeneratedTime.Style?
    /// The columns of w3c and cloudfront.
    var columns: GeneratedColumns
    /// Where JSON lines have their values.
    var mapping: GeneratedMapping
    /// The columns of CSV.
    var table: GeneratedTable

    init(source: Pipeline.Source, zone: Zone, _ random: inout SplitMix64) {
        layout = source.layout
        self.zone = source.timeZone.map { Zone($0) } ?? zone
        table = GeneratedTable(source, &random)
        columns = GeneratedColumns(isEncoded: layout == .cloudfront, &random)
        mapping = GeneratedMapping(keys: source.jsonKeys, &random)
        escaping = random.pick(Escaping.allCases)
        if random.chance(50) { timeStyle = GeneratedTime.Style(&random) }
    }

    func line(_ request: GeneratedRequest, _ random: inout SplitMix64) -> Bytes {
        switch layout {
        case .combined: combined(request, &random)
        case .nginx(let format): nginx(request, withoutPastedQuotes(format), &random)
        case .apache(let format): apache(request, withoutPastedQuotes(format), &random)
        case .w3c, .cloudfront: columns.line(request, &random)
        case .alb: alb(request, &random)
        case .body, .csv: request.body ?? []
        default: mapping.line(request, zone: zone, &random)
        }
    }

    func escaped(_ value: Bytes) -> Bytes { escaping.escaped(value) }

    private func combined(_ request: GeneratedRequest, _ random: inout SplitMix64) -> Bytes {
        let right = GeneratedTime(milliseconds: request.time, zone: zone).timeLocal(style: timeStyle, &random)
        let user = random.chance(90) ? "-" : random.pick(["anna", "anna maria", "a [b", ""])
        var line = Bytes("203.0.113.7 - \(user) [") + request.time(right, &random) + Bytes("] \"")
        line += escaped(request.requestLine)
        line += Bytes("\" \(request.status) ") + Bytes(random.pick(["43", "0", "-"]))
        if request.userAgent == Bytes("-"), random.chance(30) { return line }
        let referer =
            random.chance(90) ? Bytes("-") : escaped(Bytes("https://example.com/\"x\"") + request.loose)
        line += Bytes(" \"") + referer + Bytes("\" \"") + escaped(request.userAgent) + Bytes("\"")
        if random.chance(10) { line += Bytes(random.pick([" \"-\" 0.004", " ", "x", " \"unclosed"])) }
        return line + request.loose
    }

    private func nginx(_ request: GeneratedRequest, _ format: String, _ random: inout SplitMix64) -> Bytes {
        let time = GeneratedTime(milliseconds: request.time, zone: zone)
        let values: [(String, Bytes)] = [
            ("$time_local", request.time(time.timeLocal(style: timeStyle, &random), &random)),
            ("$time_iso8601", request.time(time.iso8601(defaultOffset: nil, &random), &random)),
            ("$msec", request.time(time.msec(), &random)), ("${msec}", request.time(time.msec(), &random)),
            ("$request_method", Bytes(request.method)), ("$request_uri", Bytes(request.uri)),
            ("$request_body", request.body ?? Bytes("-")), ("$request_time", Bytes("0.004")),
            ("$request", request.requestLine), ("$status", Bytes(request.status)),
            ("$http_user_agent", request.userAgent), ("$remote_addr", Bytes("203.0.113.7")),
            ("\\t", Bytes("\t")), ("\\\"", Bytes("\"")), ("\\'", Bytes("'")), ("$scheme", Bytes("https")),
            ("$host", Bytes("t.example.com")),
            ("$remote_user", Bytes("-")), ("$body_bytes_sent", Bytes("43")), ("$http_referer", Bytes("-")),
        ]
        var line: Bytes = []
        var rest = Bytes(format)
        while !rest.isEmpty {
            if let (name, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                line += name.hasPrefix("$") ? escaped(value) : value
                rest = Bytes(rest.dropFirst(name.utf8.count))
            } else {
                line.append(rest.removeFirst())
            }
        }
        return line + Bytes(random.chance(8) ? " more" : "") + request.loose
    }
}
