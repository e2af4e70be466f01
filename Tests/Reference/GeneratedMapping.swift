/// Writes JSON lines whose values lie where `layout_fields` or the layout say, or at the keys of nginx.
struct GeneratedMapping {
    let keys: [String: String]
    /// The names of the values that tell the request.
    private let request: [String]
    private let isArrayPercent: Int
    private let timeKey: String

    init(keys: [String: String], _ random: inout SplitMix64) {
        self.keys = keys
        var choices = [["request"], ["method", "url"]]
        if keys["url"] != nil { choices += [["method", "url"], ["method", "url"]] }
        if keys["path"] != nil { choices += [["method", "path"], ["method", "path", "query"]] }
        request = random.pick(choices)
        isArrayPercent = random.pick([0, 5, 50])
        timeKey = keys["time"] ?? random.pick(ReceiptTime.allCases).rawValue
    }

    func line(_ values: GeneratedRequest, zone: Zone, _ random: inout SplitMix64) -> Bytes {
        var line = GeneratedJSON.object([("remote_addr", .string(Bytes("203.0.113.7")))])
        func add(_ name: String, unmapped key: String?, _ value: GeneratedJSON) {
            guard let path = keys[name] ?? key else { return }
            if let key, values.missing.contains(key) { return }
            var value = value
            if random.chance(2) {
                value = random.pick([
                    .raw("null"), .raw("7"), .raw("{}"), .raw("true"), .string([]), .raw("[]"), .raw("200"),
                    .raw("[null]"), .array([.array([value])]), .raw("[{}]"),
                ])
            } else if random.chance(keys[name] == nil ? 1 : isArrayPercent) {
                value = .array(random.pick([[value], [value, .raw("1")], [value, .raw("null")]]))
            }
            line.set(path, value)
        }
        let (path, query) = values.uriParts
        let withoutMark = query.hasPrefix("?") && random.chance(70) ? Bytes(query.dropFirst()) : query
        let host = random.chance(30) && !values.uri.contains("://") ? "https://t.example.com" : ""
        for name in request {
            switch name {
            case "request": add(name, unmapped: "request", .string(values.requestLine))
            case "method": add(name, unmapped: "request_method", .string(Bytes(values.method)))
            case "url": add(name, unmapped: "request_uri", .string(Bytes(host + values.uri)))
            case "path" where !request.contains("query") || keys["query"] == nil:
                add(name, unmapped: nil, .string(Bytes(values.uri)))
            case "path": add(name, unmapped: nil, .string(path))
            default: add(name, unmapped: nil, .string(withoutMark))
            }
        }
        let time = GeneratedTime(milliseconds: values.time, zone: zone)
        if keys["date"] != nil {
            let iso = time.iso8601(defaultOffset: nil, &random)
            add("date", unmapped: nil, .string(Bytes(String(iso.prefix(10)))))
            add("time", unmapped: timeKey, .string(Bytes(values.timeText ?? String(iso.dropFirst(11)))))
        } else {
            add("time", unmapped: timeKey, timeValue(time, wrong: values.timeText, &random))
        }
        let status = Bytes(values.status)
        let isNumber = status.isDigits && status.first != 0x30 && random.chance(60)
        if random.chance(3) { add("status", unmapped: "status", .raw("500")) }
        add("status", unmapped: "status", isNumber ? .raw(values.status) : .string(status))
        add("user_agent", unmapped: "http_user_agent", .string(values.userAgent))
        if let body = values.body { add("request_body", unmapped: "request_body", .string(body)) }
        if keys["time"] == nil, timeKey != "time_local", random.chance(10) {
            line.set("time_local", random.pick([.raw("null"), .string([])]))
        }
        if random.chance(10) { line.set("extra", .raw("{\"a\":[1,2.5e3,null,true]}")) }
        if random.chance(30) { line.shuffleKeys(&random) }
        return line.text(space: random.pick([0, 0, 20]), breaksLines: false, &random)
    }

    private func timeValue(
        _ time: GeneratedTime, wrong: String?, _ random: inout SplitMix64
    ) -> GeneratedJSON {
        if let wrong {
            return random.pick([
                .string(Bytes(wrong)), .string(Bytes(wrong)), .raw("1763596800"), .raw("99999999999.999"),
                .raw("100000000000"), .raw("100000000000.9"), .raw("1763596800123.75"), .string(Bytes("100000000000")),
                .raw("253402300799999"), .raw("253402300800000"), .raw("-1"), .string(Bytes("1763596800123.")),
                .string(Bytes("0001763596800.5")), .raw("99999999999999"), .raw("100000000000000"),
                .raw("99999999999999999"),
                .raw("253402300799999999999"), .raw("253402300800000000000"), .string(Bytes(" 1763596800")),
                .raw("1.7635968e9"), .raw("1.763596800123E+12"), .raw("17635968000000e-4"), .raw("1e400"),
                .string(Bytes("1763596800e0")), .string(Bytes("1e")),
            ])
        }
        if keys["time"] != nil || timeKey == "time", random.chance(15) {
            let text = time.ofDatabase(defaultOffset: nil, &random)
            return Bytes(text).isDigits && random.chance(50) ? .raw(text) : .string(Bytes(text))
        }
        let milliseconds = "\(max(0, time.milliseconds))"
        // The unmapped keys but `time` have forms of their own.
        if keys["time"] == nil, let form = ReceiptTime(rawValue: timeKey), form != .time {
            switch form {
            case .timeLocal: return .string(Bytes(time.timeLocal(&random)))
            case .timeISO8601: return .string(Bytes(time.iso8601(defaultOffset: nil, &random)))
            default: return random.chance(50) ? .raw(time.msec()) : .string(Bytes(time.msec()))
            }
        }
        switch random.below(6) {
        case 0: return .string(Bytes(time.timeLocal(&random)))
        case 1, 2: return .string(Bytes(time.iso8601(defaultOffset: nil, &random)))
        case 3: return random.chance(50) ? .raw(time.msec()) : .string(Bytes(time.msec()))
        default:
            let text = milliseconds + random.pick(["", "", ".5", ".999999", "999", "123456", "000.9"])
            return random.chance(60) ? .raw(text) : .string(Bytes(text))
        }
    }
}
