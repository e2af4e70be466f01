/// What random pipelines are made of besides the layouts `combined`, `json`, `body` and plain log_formats.
package enum GeneratedLayouts {
    static func collector(_ random: inout SplitMix64) -> Pipeline.Layout {
        let choice = random.below(20)
        switch choice {
        case 0..<3: return .combined
        case 3..<6: return .json
        case 6: return .nginx(random.pick(collectorFormats))
        case 7: return .nginx(pasted(random.pick(collectorFormats), &random))
        case 8..<12:
            let format = apacheFormat(&random)
            return .apache(random.chance(25) ? pasted(format, &random) : format)
        case 12..<14: return .w3c
        case 14..<16: return .cloudfront
        case 16..<18: return .alb
        default: return ofCloud(choice - 18)
        }
    }

    /// JSON with keys of its own.
    private static func ofCloud(_ choice: Int) -> Pipeline.Layout {
        let all = Pipeline.Layout.named.filter { $0.isJSON && $0 != .json }
        return all[choice % all.count]
    }

    static func payload(_ random: inout SplitMix64) -> Pipeline.Layout {
        let choice = random.below(12)
        switch choice {
        case 0..<5: return .body
        case 5..<8: return .json
        case 8: return .nginx(random.pick(payloadFormats))
        case 9: return .nginx(pasted(random.pick(payloadFormats), &random))
        default: return ofCloud(choice - 10)
        }
    }

    /// Gives a source several layouts in `percent` of the cases, which its lines have in turn. Sometimes it has lines
    /// that are left out.
    static func mix(_ source: inout Pipeline.Source, percent: Int, _ random: inout SplitMix64) {
        if source.layout != .body, random.chance(20) { source.skip = random.pick(skipped) }
        guard mayBeAmongOthers(source.layout), random.chance(percent) else { return }
        for _ in 0..<random.number(1...3) {
            let other = source.format == .collector ? collector(&random) : payload(&random)
            let isKnown = source.layouts.contains { plain($0) == plain(other) || $0.isJSON && other.isJSON }
            if mayBeAmongOthers(other), !isKnown { source.otherLayouts.append(other) }
        }
        let layouts = random.shuffle(source.layouts)
        (source.layout, source.otherLayouts) = (layouts[0], Array(layouts.dropFirst()))
        if let json = layouts.first(where: \.isJSON) { source.layoutFields = jsonFields(json, &random) }
    }

    private static let skipped = [
        ["[error]"], ["[warn]", "[error]"], ["stderr", "GET"], ["\u{e9}", "{", "\":"], ["xx"],
    ]

    private static func mayBeAmongOthers(_ layout: Pipeline.Layout) -> Bool {
        ![.body, .csv, .w3c, .cloudfront].contains(layout)
    }

    /// The text of a layout as it is written without quotes around it.
    private static func plain(_ layout: Pipeline.Layout) -> String {
        withoutPastedQuotes(layout.text).replacing("\\\"", with: "\"")
    }

    /// A line of a server's standard error.
    static func errorLine(_ random: inout SplitMix64) -> Bytes {
        Bytes(
            random.pick([
                "2026/11/19 10:00:00 [error] 7#7: *1 open() \"/r\" failed, request: \"GET /r/?id=h1,2,7\"",
                "2026/11/19 10:00:00 [warn] 7#7: a client request body is buffered", "stderr",
                "{\"level\":\"[error]\"}", " {\"level\":\"[warn]\"", "caf\u{e9}", "{", "[error", "xxx",
                "{\"a\":1} [error]", ",{\"request\":\"x\"}",
            ]))
    }

    // MARK: layout_fields

    private static let jsonPaths = [
        "a", "b.c", "b.d", "b.c.e", "req.line", "req.m", "req.headers.User-Agent", "@timestamp", "time", "request",
        "status", "request_uri", "request.uri", "log.http.q", "request_body", "d", "ts", "msec", "httpRequest.status",
        "httpRequest", "k.l.m.n.o", "payload",
    ]

    /// Random mappings for a JSON layout; often none.
    static func jsonFields(_ layout: Pipeline.Layout, _ random: inout SplitMix64) -> [String: String] {
        guard layout.isJSON else { return [:] }
        let percent = layout == .json ? random.pick([0, 20, 50, 90]) : random.pick([0, 0, 10, 30])
        let names = [
            "time", "date", "request", "method", "url", "path", "query", "status", "user_agent", "request_body",
        ]
        var fields: [String: String] = [:]
        for (name, path) in zip(names, random.shuffle(jsonPaths)) where random.chance(percent) { fields[name] = path }
        // A date has a time of its own.
        if fields["date"] != nil, fields["time"] == nil { fields["time"] = "clock" }
        if fields["date"] != nil, random.chance(50) { fields["date"] = nil }
        return fields
    }

    // MARK: pasted formats

    /// A format as it stands in a configuration: one or more strings in quotes.
    private static func pasted(_ format: String, _ random: inout SplitMix64) -> String {
        let plain = format.split(separator: "\\\"", omittingEmptySubsequences: false).joined(separator: "\"")
        // A format in double quotes is known as a paste by an escaped quote.
        let hasQuote = plain.contains("\"")
        let quote: Character = hasQuote && random.chance(50) ? "\"" : "'"
        var strings: [String] = [""]
        var isEscaped = false
        for character in plain {
            if !isEscaped, random.chance(4) { strings.append("") }
            isEscaped = !isEscaped && character == "\\"
            strings[strings.count - 1] += (character == quote ? "\\" : "") + String(character)
        }
        let text = strings.map { "\(quote)\($0)\(quote)" }.joined(separator: random.pick([" ", "  ", "    "]))
        return random.pick(["", "", " "]) + text + random.pick(["", ";", " ;", " "])
    }

    // MARK: Apache formats

    /// A random `LogFormat` that tells the request and the time.
    private static func apacheFormat(_ random: inout SplitMix64) -> String {
        let separator = random.pick([" ", " ", " ", "|", "\\t", "; ", " - ", " $ "])
        func quoted(_ text: String) -> String {
            let quote = random.pick(["\"", "\\\""])
            return quote + text + quote
        }
        func modified(_ directive: String) -> String {
            "%" + random.pick(["", "", "", ">", "<", "!404", "200,302", "!400,501<", "<304"]) + directive
        }
        let isSpaced = separator.contains(" ")
        /// A value that holds spaces needs quotes between spaces.
        func spaced(_ directive: String) -> String {
            isSpaced || random.chance(40) ? quoted(modified(directive)) : modified(directive)
        }
        var fields = [random.pick(["%h", "%a", "%{c}a", "%>h", "%h%l", "%l%u%h"])]
        switch random.below(4) {
        case 0, 1: fields.append(spaced("r"))
        case 2: fields += [modified("m"), random.chance(30) ? quoted("%U%q") : modified("U") + modified("q")]
        default: fields += [modified("m"), modified("U"), modified("q")]
        }
        let time = time(&random)
        fields.append(time)
        if random.chance(10) { fields.append(time == "%t" ? random.pick(["%{sec}t", "%{begin:%F %T}t"]) : "%t") }
        if random.chance(85) { fields.append(random.chance(30) ? quoted(modified("s")) : modified("s")) }
        if random.chance(85) {
            fields.append(spaced("{" + random.pick(["User-Agent", "User-agent", "user-agent", "USER-AGENT"]) + "}i"))
        }
        for directive in ["b", "D", "{Referer}i", "{ms}T", "^FB", "{X-Id}^ti", "O", "{User-Agent}o", "%", "{c}p%k"]
        where random.chance(12) {
            fields.append("%" + directive)
        }
        fields = random.shuffle(fields)
        // A last request is without quotes here and there.
        if random.chance(20), let request = fields.firstIndex(where: { $0.hasPrefix("%") && $0.hasSuffix("r") }) {
            fields.append(fields.remove(at: request))
        }
        return fields.joined(separator: separator)
    }

    /// `%t`, or a `%{…}t` that tells a date and a time, perhaps with one for the fraction of a second after it.
    private static func time(_ random: inout SplitMix64) -> String {
        let moment = random.pick(["", "", "", "begin:", "end:"])
        let fraction = random.pick([
            "", "", ".%{\(moment)msec_frac}t", ",%{\(moment)usec_frac}t", " at %{msec_frac}t", "%{usec_frac}t",
            "%{msec_frac}t",
        ])
        switch random.below(8) {
        case 0: return "%t"
        case 1, 2:
            return random.pick([
                "%{sec}t%{msec_frac}t", "%{begin:sec}t%{begin:usec_frac}t", "%{\(moment)sec}t\(fraction)",
                "%{\(moment)msec}t", "%{usec}t", "%{%s}t\(fraction)", "(%{%s}t)",
                "%400,501{sec}t",
            ])
        default: break
        }
        let dates = [
            "%Y-%m-%d", "%F", "%d/%b/%Y", "%D", "%e %b %Y", "%Y.%j", "%d.%m.%y", "%h %d %Y", "%Y%m%d", "%e-%h-%y",
        ]
        let weekday = random.pick(["", "", "%a", "%A", "%%"])
        let touches = random.pick([" ", ", ", "-", "/", "_", "+", "."])
        var date = (weekday.isEmpty ? "" : weekday + touches) + random.pick(dates)
        var clock = random.pick(["%H:%M:%S", "%T", "%R:%S", "%k:%M:%S", "%H%M%S"])
        let zone = random.pick(["", "", "%z", " %z", " %Z", " %z (%Z)", " %z %Z"])
        if random.chance(15) { swap(&date, &clock) }
        let joint = random.pick([" ", "T", ":", ", ", "%t"])
        let text = "%{\(moment)\(date)\(joint)\(clock)\(zone)}t\(fraction)"
        switch random.below(5) {
        case 0: return "[" + text + "]"
        case 1: return "\"" + text + "\""
        case 2: return "\"%{\(date)\(joint)\(clock)\(zone)}t\" \"%{usec_frac}t\""
        default: return text
        }
    }
}

private let collectorFormats = [
    "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\" \"$request_body\"",
    "$time_iso8601 $status $request_method $request_uri \"$http_user_agent\"",
    "$msec|$status|$request_method|$request_uri|$http_user_agent",
    "\"$time_iso8601\" \"$request\" \"$status\" \"$http_user_agent\" rt=$request_time",
    "${msec} \"$request\" \"$http_user_agent\" $status",
    "$status $msec \"$request\" $http_user_agent",
    "$status $time_local $http_user_agent|$request",
    "$http_user_agent|$msec $status $request",
    "<$remote_addr> time=$time_local; req=\"$request\"; it's $status",
    "$time_local $status \"$request\" \"$http_user_agent\"",
    "$remote_addr\\t$request\\t$http_user_agent\\t$status\\t$time_local",
    "$scheme$host \\\"$request\\\" $time_iso8601\\t$status",
]

private let payloadFormats = [
    "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\"",
    "$msec $status \"$request_body\"", "$remote_addr $time_local $status \"$request_body\"",
    "$time_iso8601 $request_method $request_uri $status $request_body",
    "\"$request_body\" \"$http_user_agent\" $request_method $request_uri $msec",
]
