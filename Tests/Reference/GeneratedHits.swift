/// Writes records of one source and log date. `faults` is the percentage of each kind of fault.
package struct GeneratedRecords {
    var world: GeneratedWorld
    var source: Pipeline.Source
    var logDate: Day
    var faults: Int
    var writer: GeneratedLineWriter

    private func userAgent(_ random: inout SplitMix64) -> Bytes {
        Bytes(
            random.pick([
                "-", "", "Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)",
                "Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A.240105.004)",
                "Dalvik/2.1.0 (Linux; U)", "app/1 CFNetwork/1410.0.3 Darwin/22.6.0", "android iphone", "curl/8 \"q\"\\",
                "Shop%2F7.1%20CFNetwork%2F1410.0.3%20Darwin", "Dalvik%2f2.1.0%20%28Linux%29", "x%2Android%20",
                "iPad%zz 5%20",
                "iPad; Android", "Appli \u{E9}tude CPU OS 9", "CPU OS",
            ]))
    }

    private func status(_ random: inout SplitMix64) -> String {
        random.chance(faults)
            ? random.pick([
                "404", "404", "404", "500", "199", "400", "-", "0", "abc", "0200", "499", "", "20", "2000", "00", "000",
                "+20", "2OO",
                "-1", "--", " 200", "600", "200.0",
            ])
            : random.pick(["200", "200", "200", "204", "302", "399"])
    }

    private func timeText(_ random: inout SplitMix64) -> String? {
        guard random.chance(faults) else { return nil }
        return random.pick([
            "", "-", "32/Jan/2026:00:00:00 +0000", "19/Nov/2026:24:00:00 +0000", "29/Feb/2025:00:00:00 +0000",
            "19/nov/2026:00:00:00 +0000", "19/Nov/2026:10:00:00 +0160", "2026-13-01T00:00:00Z", "17635968x0.123",
            "2026-11-19T10:00:60Z", "19/Nov/2026:23:59:60 +0000", "2026-11-19T10:00:00.Z", "1763596800.",
            "1763596800", "2026-11-19", "19/Nov/2026:10:00:00 +2400", "29/Feb/2024:10:00:00",
            "19/Nov/2026:10:00:00.584 +0100", "19/Nov/2026:10:00:00.5849999", "19/Nov/2026:10:00:00.",
            "19/Nov/2026:10:00:00. +0100", "19/Nov/2026:10:00:00:584", "19/Nov/2026:10:00:00.5 0100",
            "19/Nov/2026:10:00:00.5  +0100",
        ])
    }

    // MARK: collector

    func collectorLine(_ random: inout SplitMix64) -> Bytes {
        var request = GeneratedRequest()
        request.time = world.time(logDate, &random)
        request.timeText = timeText(&random)
        request.status = status(&random)
        request.userAgent = userAgent(&random)
        request.method =
            random.chance(faults) ? random.pick(["HEAD", "get", "PUT", "-", ""]) : random.pick(["GET", "GET", "POST"])
        request.hasProtocol = !random.chance(5)
        let path =
            random.chance(faults)
            ? random.pick(["/r/test", "/R/", "/", "/r/9862", "/rest/head", "/r//x", "r/", "", "/r;a", "/%72/"])
            : random.chance(80)
                ? "/r/"
                : random.pick(["/r", "//r/", "/r//", "https://t.example.com:443/r/", "http://t.example.com//r"])
        request.uri = path + random.pick(random.chance(faults) ? ["", "?", "#?"] : ["?"]) + query(&random)
        if random.chance(faults) {
            request.request = Bytes(random.pick(["-", "", "\u{16}\u{3}\u{1}", "GET", "GET  /r/"]))
        }
        if random.chance(faults / 2) {
            request.missing = [random.pick(["request", "request_method", "status", "http_user_agent", "time", "msec"])]
        }
        if random.chance(8) { request.loose = loose(request.uri, &random) }
        let line = writer.line(request, &random)
        return random.chance(faults) ? malformed(line, &random) : line
    }

    /// A text that looks like a request, of a hit or not, with the line's own `id` or another one.
    private func loose(_ uri: String, _ random: inout SplitMix64) -> Bytes {
        let method = random.pick(["GET ", "GET ", " POST ", "\"GET ", "HEAD ", "GET", "GET\t", "T "])
        let target = random.pick([
            uri, uri, "/r/?id=h99,a,7", "https://x//r?a=b&id=h99", "/r/x?id=h99,a,7", "/r?ID=h99", "/r/?id", "",
            uri.replacing(",", with: "%2C"), "/r/?id=h\\\"9",
        ])
        return Bytes(method + target + random.pick(["", " HTTP/1.1", "\" 200", "\\\" 200", "\t"]))
    }

    private func query(_ random: inout SplitMix64) -> String {
        let message = random.pick(world.messages)
        var first = message.collectorPart(&random)
        var second = random.pick(world.deliveries).split(separator: " ").joined(separator: "%20")
        let codes = source.actions["0"] == nil ? ["1", "2", "7"] : ["9", "0", "0"]
        var third = random.pick(["1", "2", "7", "3", "4", "5"] + codes)
        if random.chance(faults) {
            first = random.pick([
                "", " ", "%20", "h", "h0", "153d80x", "hSOC1", "h12345678901234567", "1685a5", "h%00a", "h 5", "h-5",
                "h00000000000000000", "é5", "h5\"", "h5\u{1}", "h5\\",
            ])
        }
        if random.chance(faults) {
            second = random.pick([
                "", "%20", "+", "a%09b", "%FFx", "%e9", String(repeating: "z", count: 128),
                String(repeating: "z", count: 129), "%ZZ", "%", "ÀB", "a%00", "a\"b", "a\u{1}b",
                "a\\",
            ])
        }
        if random.chance(faults) {
            third = random.pick([
                "", "d57ff6", "6", "9", "0", "a", "07", "x", "bf9fea0f", "%37", " 7", "7%20", "-1", "F",
            ])
        }
        let comma = random.chance(85) ? "," : random.pick(["%2C", "%2c"])
        var parts = [first, second, third]
        if random.chance(faults / 2) {
            parts = random.pick([["h5"], ["h5", "a"], ["", "", ""], ["h5", "a", "7", ""], [""]])
        }
        if random.chance(5) { parts = parts.map { random.pick(["%20", "%09", ""]) + $0 + random.pick(["", "%20"]) } }
        var parameters = ["id=" + parts.joined(separator: comma)]
        if random.chance(faults / 2) {
            parameters = [random.pick(["id", "ID=h5,a,7", "Id=h5,a,7", "idx=1", "", "%69d=h5,a,7"])]
        }
        if random.chance(70) {
            let mcid =
                random.pick(["mcId", "mcId", "mcid", "MCID"]) + "=" + (random.chance(85) ? "00000001234567890" : "")
            parameters.append(mcid)
        }
        if random.chance(10) { parameters.append("mcId=") }
        if random.chance(10) { parameters.append("p1=a%20b") }
        if random.chance(5) { parameters.append("id=h77,x,1") }
        if random.chance(15) { parameters = random.shuffle(parameters) }
        return parameters.joined(separator: random.chance(97) ? "&" : random.pick(["&&", ";", "&amp;"]))
    }

    /// A line that mostly does not fit its layout.
    private func malformed(_ line: Bytes, _ random: inout SplitMix64) -> Bytes {
        switch random.below(10) {
        case 0: return Bytes(line.prefix(random.below(line.count + 1)))
        case 1: return Bytes("not a log line")
        case 2: return line.filter { $0 != UInt8(ascii: "\"") }
        case 3: return Bytes(line.dropFirst(random.number(1...3)))
        case 4: return Bytes(" ")
        default: return mutated(line, &random)
        }
    }

    // MARK: mzip, users_track and events

    /// One mzip body, one element of `events`, or one event of a vendor.
    func element(_ random: inout SplitMix64) -> GeneratedJSON {
        var element = GeneratedJSON.object([])
        func set(at path: String, _ value: GeneratedJSON) {
            let paths = [path] + (source.otherPaths[path] ?? [])
            // Before the path with the value are some that lead to nothing.
            let chosen = random.below(paths.count)
            for other in paths[..<chosen] where random.chance(60) {
                element.set(other, random.pick([.raw("null"), .string([]), .string(Bytes(" \t"))]))
            }
            element.set(paths[chosen], value)
            if random.chance(1) { element.set(path, .raw(random.pick(["null", "1", "\"h99\""]))) }
        }
        func set(_ name: String, _ value: GeneratedJSON) {
            if let path = source.fields[name] { set(at: path, value) }
        }
        let codes = source.actions.keys.sorted()
        let code = random.pick(codes)
        var action = GeneratedJSON.string(Bytes(code))
        if Bytes(code).isDigits, random.chance(60) { action = .raw(code) }
        if random.chance(faults) {
            action = random.pick([
                .raw("null"), .raw("true"), .raw("1.0"), .raw("[1]"), .raw("99"), .string(Bytes("other")),
                .string(Bytes(" " + code)), .string([]), .raw("1e0"),
            ])
        }
        if !random.chance(faults / 2) { set("action", action) }
        if random.chance(30) {
            let isFault = random.chance(faults * 4)
            set(
                "tracking",
                isFault
                    ? random.pick([
                        .string(Bytes("off")), .string(Bytes("OFF ")), .raw("true"), .string(Bytes("activado")),
                        .string([]), .raw("1"),
                    ])
                    : random.pick([.string(Bytes("on")), .string(Bytes(" On\t")), .raw("null")]))
        }
        if !random.chance(faults / 2) { set("broadlog_id", broadlogID(&random)) }
        for path in source.idParts where !random.chance(faults / 2) { set(at: path, idPart(&random)) }
        if !random.chance(faults / 2) { set("delivery_id", deliveryID(&random)) }
        if source.times.isEmpty, random.chance(92) { set("time", time(&random)) }
        for timed in source.times where random.chance(70) {
            set(
                at: timed.path,
                random.chance(20)
                    ? random.pick([.raw("null"), .string([]), .string(Bytes("2001-02-03"))]) : time(&random))
        }
        for path in source.required where random.chance(90) { set(at: path, .string(Bytes("x"))) }
        if random.chance(50) {
            set(
                "platform",
                random.pick([
                    .string(Bytes("ios")), .string(Bytes("android")), .string(Bytes("Web")), .string(Bytes("IOS")),
                    .string(Bytes("kindle")), .string(Bytes(" ios")), .raw("null"), .raw("1"),
                    .string(Bytes("unknown")), .string(Bytes("Chrome")), .string(Bytes("\u{212A}indle")), .raw("01"),
                ]))
        }
        for key in NamedDelivery.keys where random.chance(70) { set(key, deliveryName(&random)) }
        if random.chance(30) { element.set("external_id", .string(Bytes("user-7"))) }
        if random.chance(faults / 2) {
            let path = random.pick(source.fields.values.sorted() + source.idParts)
            element.set(
                "\"\(pathNames(path)[0])\"", .raw(random.pick(["null", "[]", "7", "\"x\"", "[null]", "[[7]]"])))
        }
        if random.chance(20) { element.shuffleKeys(&random) }
        if random.chance(10) { element.putIntoArrays(percent: 30, &random) }
        return element
    }

    private func deliveryName(_ random: inout SplitMix64) -> GeneratedJSON {
        let long = String(repeating: random.pick(["é", "a", "\u{1F4E3}"]), count: random.number(40...210))
        return random.pick([
            .string(Bytes("Black Friday")), .string(Bytes(" Wave 2\t")), .string(Bytes("a\u{1}b")), .string([]),
            .string(Bytes("ana@example.com")), .string(Bytes(long)), .string(Bytes("x" + long)), .raw("null"),
            .raw("7"),
            .raw("\"\\u00e9\\ud83d\\udce3\""), .string(Bytes("A")), .string(Bytes("B")),
        ])
    }

    private func broadlogID(_ random: inout SplitMix64) -> GeneratedJSON {
        guard random.chance(faults) else { return random.pick(world.messages).json(&random) }
        return random.pick([
            .raw("null"), .string([]), .string(Bytes(" \t")), .raw("0"), .raw("-5"), .raw("1.5"), .raw("true"),
            .raw("{}"), .raw("18446744073709551615"), .raw("18446744073709551616"), .string(Bytes("h0")),
            .string(Bytes("0000")), .string(Bytes("a\u{1}b")), .string(Bytes("h")), .raw("\"\\ud800x\""),
            .string(Bytes(String(repeating: "o", count: 128))), .string(Bytes(String(repeating: "o", count: 129))),
            .raw("1e3"), .raw("-0"), .string(Bytes("ffffffffffffffff")), .string(Bytes("sd57fd6")), .raw("3039"),
        ])
    }

    /// One of the values that make an id together.
    private func idPart(_ random: inout SplitMix64) -> GeneratedJSON {
        guard random.chance(faults) else {
            if case .uuid(let text) = random.pick(world.messages).kind, random.chance(50) {
                return .string(Bytes(text.uppercased()))
            }
            return random.pick([
                .string(Bytes("user-7")), .string(Bytes(" user-7\t")), .raw("34600111222"),
                .string(Bytes("34600111222")),
            ])
        }
        return random.pick([
            .raw("null"), .string([]), .string(Bytes(" \t")), .raw("0"), .raw("-5"), .raw("1.5"), .raw("true"),
            .raw("{}"),
            .string(Bytes("a\u{1F}b")), .raw("\"\\ud800x\""), .string(Bytes("user@example.com")),
            .string(Bytes(String(repeating: "o", count: 512))), .string(Bytes(String(repeating: "o", count: 513))),
            .raw(String(repeating: "9", count: 512)), .raw("1\(String(repeating: "0", count: 512))"),
        ])
    }

    private func deliveryID(_ random: inout SplitMix64) -> GeneratedJSON {
        guard random.chance(faults) else {
            let text = random.pick(world.deliveries)
            if Bytes(text).isDigits, random.chance(50) { return .raw(text) }
            return .string(Bytes(random.chance(10) ? " " + text + " " : text))
        }
        return random.pick([
            .raw("null"), .string([]), .string(Bytes("  ")), .raw("-0"), .raw("-12"), .raw("1.5"), .raw("false"),
            .raw("[]"), .raw(String(repeating: "9", count: 128)), .raw(String(repeating: "9", count: 129)),
            .string(Bytes("a\tb")), .string(Bytes(String(repeating: "z", count: 129))), .raw("\"\\u0000\""),
            .raw("\"A\\u00c9\""),
        ])
    }

    private func time(_ random: inout SplitMix64) -> GeneratedJSON {
        if random.chance(faults) {
            return random.pick([
                .raw("null"), .raw("true"), .string([]), .string(Bytes("yesterday")), .string(Bytes(" 1763596800")),
                .raw("1e11"), .raw("1.7635968e9"), .raw("1e400"), .raw("-1e400"), .raw("-1"), .raw("0.0001e13"),
                .string(Bytes("1763596800.")), .string(Bytes("1e9")), .string(Bytes("2026-02-30T00:00:00Z")),
                .string(Bytes("2026-11-19T10:00Z")), .string(Bytes("99999999999.999")), .raw("100000000000"),
                .raw("99999999999999.9"), .raw("100000000000000"), .raw("99999999999999999"), .raw("1e17"),
                .raw("19691231235959"), .raw("20991231235959"), .raw("20261131100000"),
                .string(Bytes("20261119235960")),
                .string(Bytes("99999999999999999999999")), .string(Bytes("2026-11-19T10:00:00+24:00")), .raw("[]"),
            ])
        }
        let milliseconds = world.payloadTime(logDate, &random)
        let time = GeneratedTime(milliseconds: milliseconds, zone: world.zone)
        let zone = source.format == .events ? source.timeZone : nil
        if random.chance(15) {
            let text = time.ofDatabase(defaultOffset: zone == nil ? 0 : nil, &random)
            return Bytes(text).isDigits && random.chance(50) ? .raw(text) : .string(Bytes(text))
        }
        switch random.below(7) {
        case 6: return .raw("\(milliseconds)" + random.pick(["123", "123456", "123.5", "999999.999"]))
        case 0: return .string(Bytes(time.iso8601(defaultOffset: 0, &random)))
        case 1: return .string(Bytes(time.iso8601(defaultOffset: 0, &random)))
        case 2: return .raw(random.chance(50) ? time.msec() : String(floored(milliseconds, by: 1000)))
        case 3: return .string(Bytes(milliseconds >= 100_000_000_000 ? String(milliseconds) : time.msec()))
        case 4: return .string(Bytes(logDate.description))
        default: return .raw(milliseconds >= 100_000_000_000 ? String(milliseconds) : time.msec())
        }
    }

    /// A payload's JSON with a fault in it.
    private func broken(_ json: Bytes, _ random: inout SplitMix64) -> Bytes {
        switch random.below(8) {
        case 0: return Bytes(json.prefix(random.below(json.count)))
        case 1: return json + Bytes(random.pick(["}", "x", " {}", ","]))
        case 2:
            return Bytes("{\"a\":")
                + Bytes(
                    random.pick([
                        "01", "1.", "nul", "'x'", "+1", "\"\\q\"", "\"\u{1}\"", ",", "\"\\u12g4\"", "Infinity", "tru e",
                    ])) + Bytes("}")
        case 3:
            return Bytes("{\"a\":\"")
                + random.pick([[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]])
                + Bytes("\"}")
        case 4:
            let depth = random.pick([63, 64])
            return Bytes("{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}")
        case 5: return Bytes("{,}")
        case 6: return mutated(json, &random)
        default: return Bytes(random.pick(["[]", "null", "{}", "\"x\"", "{} {}"]))
        }
    }

    /// The request around a payload, for layouts other than `body`.
    private func line(payload: Bytes, _ random: inout SplitMix64) -> Bytes {
        var request = GeneratedRequest()
        request.method = random.chance(faults) ? "GET" : "POST"
        request.uri =
            random.chance(faults)
            ? random.pick(["/", source.path + "/", "/r/"])
            : random.pick([source.path, "/" + source.path, "https://api.example.com" + source.path + "?x=1"])
        request.time = world.time(logDate, &random)
        request.timeText = timeText(&random)
        request.status = status(&random)
        request.userAgent = userAgent(&random)
        request.body = random.chance(faults) ? random.pick([nil, [], Bytes("-")]) : payload
        let line = writer.line(request, &random)
        return random.chance(faults) ? malformed(line, &random) : line
    }

    func mzipLine(_ random: inout SplitMix64) -> Bytes {
        var element = element(&random)
        if random.chance(50) { element.set("security", .string(Bytes("aGVsbG8+/w=="))) }
        if random.chance(20) { element.set("log_content.data.title", .string(Bytes("\u{964C}\u{964C} a+b & c/d"))) }
        var json = element.text(space: random.pick([0, 0, 10]), breaksLines: random.chance(50), &random)
        if random.chance(faults) { json = broken(json, &random) }
        if random.chance(faults / 2) {
            json = Bytes(random.pick(["", " ", "AbCd/+==", "[1]", "\u{0B}{}", "\u{FEFF}{}"]))
        }
        if random.chance(5) { json = Bytes(" \n") + json }
        let space = UInt8(ascii: "+")
        let words = percentEncoded(json, &random) { $0 != 0x20 && !isUnreserved($0) }
        var form = words.flatMap { byte in byte == 0x20 ? random.pick([[space], [space], Bytes("%20")]) : [byte] }
        if random.chance(faults / 2) { form += Bytes(random.pick(["%", "%4", "%ZZ", "%%"])) }
        var payload = random.chance(90) ? Bytes("mzip=") + form : form
        if random.chance(10) { payload = Bytes(random.pick(["a=b&", "Mzip=x&", "mzipx=1&"])) + Bytes("mzip=") + form }
        if random.chance(10) { payload += Bytes(random.pick(["&x=1", "&mzip=%7B%7D", "&"])) }
        if random.chance(faults / 2) { payload = Bytes(random.pick(["a=b", "=", "mzi=%7B%7D", "x", "mzip=", "%"])) }
        return source.layout == .body ? payload : line(payload: payload, &random)
    }

    func usersTrackBody(breaksLines: Bool, _ random: inout SplitMix64) -> Bytes {
        var body = GeneratedJSON.object([])
        if random.chance(20) { body.set("api_key", .string(Bytes("SECRET"))) }
        if random.chance(92) {
            var events = (0..<random.pick([0, 1, 1, 2, 3, 5])).map { _ in element(&random) }
            if random.chance(faults * 2) {
                events.append(.raw(random.pick(["null", "1", "[]", "\"x\"", "{}", "{\"name\":1}"])))
            }
            body.set("events", .array(random.shuffle(events)))
        }
        for name in ["attributes", "purchases"] where random.chance(25) {
            body.set(
                name, .array((0..<random.below(3)).map { .raw("{\"external_id\":\"user-\($0)\",\"price\":1.5e1}") }))
        }
        if random.chance(faults / 2) {
            body.set(
                random.pick(["events", "purchases", "attributes"]),
                .raw(random.pick(["{}", "null", "\"\"", "[]", "[{}]"])))
        }
        if random.chance(faults / 2) { body = .object([("braze_id", .raw("\"x\"")), ("custom_events", .raw("[]"))]) }
        if random.chance(30) { body.shuffleKeys(&random) }
        let text = body.text(space: random.pick([0, 10, 50]), breaksLines: breaksLines, &random)
        return random.chance(faults) ? broken(text, &random) : text
    }

    /// One object of an events file.
    func eventsBody(breaksLines: Bool, _ random: inout SplitMix64) -> Bytes {
        var body = element(&random)
        if let path = source.elements {
            var events = (0..<random.pick([0, 1, 1, 2, 3, 5])).map { _ in element(&random) }
            if random.chance(faults * 2) { events.append(.raw(random.pick(["null", "1", "[]", "\"x\"", "{}"]))) }
            body = .object([("kind", .string(Bytes("batch")))])
            if !random.chance(faults) { body.set(path, .array(events)) }
            if random.chance(faults) { body.set(path, .raw(random.pick(["{}", "null", "\"text\"", "[]", "[{}]"]))) }
            if random.chance(faults) {
                body.set(String(path.split(separator: ".")[0]), .raw(random.pick(["1", "{}"])))
            }
        }
        if random.chance(30) { body.shuffleKeys(&random) }
        let text = body.text(space: random.pick([0, 10, 50]), breaksLines: breaksLines, &random)
        return random.chance(faults) ? broken(text, &random) : text
    }

    /// A request with one object, or with an array of them.
    func eventsLine(_ random: inout SplitMix64) -> Bytes {
        var payload = eventsBody(breaksLines: false, &random)
        if random.chance(30) {
            let more = (0..<random.below(4)).map { _ in eventsBody(breaksLines: false, &random) }
            payload = Bytes("[") + more.joined(separator: Bytes(random.pick([",", " , "]))) + Bytes("]")
        }
        return line(payload: payload, &random)
    }

    func usersTrackLine(_ random: inout SplitMix64) -> Bytes {
        line(payload: usersTrackBody(breaksLines: false, &random), &random)
    }
}

extension GeneratedRecords {
    /// Records that speak of one message, at one time, but for their faults.
    package init(
        pipeline: Pipeline, source: Pipeline.Source, logDate: Day, id: String, delivery: String, time: Int,
        faults: Int, _ random: inout SplitMix64
    ) {
        var world = GeneratedWorld(pipeline: pipeline, &random)
        (world.messages, world.deliveries, world.moment) = ([GeneratedMessage(id: id)], [delivery], time)
        let writer = GeneratedLineWriter(source: source, zone: world.zone, &random)
        self.init(world: world, source: source, logDate: logDate, faults: faults, writer: writer)
    }

    /// A line of the source, or a body of one line.
    package func record(_ random: inout SplitMix64) -> Bytes {
        switch source.format {
        case .collector: collectorLine(&random)
        case .mzip: mzipLine(&random)
        case .usersTrack where source.layout == .body: usersTrackBody(breaksLines: false, &random)
        case .usersTrack: usersTrackLine(&random)
        case .events where source.layout == .csv: writer.table.row(element(&random), breaksLines: false, &random)
        case .events where source.layout == .body: eventsBody(breaksLines: false, &random)
        case .events: eventsLine(&random)
        }
    }

    /// The line that its lines need before them, if any.
    package func header(_ random: inout SplitMix64) -> [Bytes] {
        if source.layout == .csv { return [writer.table.header(&random)] }
        return source.layout.hasFieldsLines ? [writer.columns.fieldsLine] : []
    }
}

/// Whether a form has the byte as it is.
package func isUnreserved(_ byte: UInt8) -> Bool {
    [byte].isHex || (0x41...0x7A).contains(byte) && ![0x5B, 0x5C, 0x5D, 0x5E, 0x60].contains(byte)
        || ".-_~".utf8.contains(byte)
}

/// With up to three bytes changed, removed, doubled or inserted.
func mutated(_ bytes: Bytes, _ random: inout SplitMix64) -> Bytes {
    var bytes = bytes
    for _ in 0..<random.number(1...3) where !bytes.isEmpty {
        let index = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[index] ^= 1 << UInt8(random.below(8))
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[index], at: index)
        case 3: bytes.insert(random.pick(Bytes("\"\\{}[],:% \n\r\t=&?/\0")), at: index)
        default:
            // Often one that separates the parts of a time.
            let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
            let isColon = index % 3 == 0 && !colons.isEmpty
            bytes[isColon ? colons[index % colons.count] : index] = UInt8(random.below(256))
        }
    }
    return bytes
}
