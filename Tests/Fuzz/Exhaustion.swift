import Foundation
import LogFiles
import Reference

@testable import Records

// Not a fuzzer: every byte of a few dozen lines of each kind is replaced by each of 256 values, removed and doubled. What
// comes of it is read alone and between ordinary neighbours, and must be what the reference says of it.
//
// By default a few lines of each kind, with an eighth of the values at each place; all with EXHAUSTIVE=1, which takes
// many minutes.

private let isWhole = ProcessInfo.processInfo.environment["EXHAUSTIVE"] == "1"
nonisolated(unsafe) private var isDone = false

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard !isDone else { return 0 }
    isDone = true
    let jobs = collectorJobs + mzipJobs + usersTrackJobs
    let chosen = isWhole ? jobs : jobs.filter(\.isBrief)
    // All access is under the lock.
    nonisolated(unsafe) var (done, variants) = (0, 0)
    let lock = NSLock()
    DispatchQueue.concurrentPerform(iterations: chosen.count) { index in
        let count = chosen[index].run()
        lock.withLock {
            variants += count
            done += 1
            if isWhole { progress("\(done) of \(chosen.count) lines, \(variants) variants") }
        }
    }
    print("\(variants) variants of \(chosen.count) lines: the program says what the reference says")
    return 0
}

private func progress(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

private struct Job {
    let twin: Twin
    let line: [UInt8]
    /// What lies before and after a variant.
    let neighbour: [UInt8]
    /// Whether it is tried where there is little time.
    let isBrief: Bool
    /// Whether the source is a sequence of bodies, which has no lines.
    let readsBodies: Bool

    /// Tries all variants, those of one place together, and returns how many they are.
    func run() -> Int {
        var count = 0
        for place in line.indices {
            var variants: [[UInt8]] = []
            for byte in UInt8.min...UInt8.max where byte != line[place] {
                guard isWhole || (Int(byte) + place) % 8 == 0 else { continue }
                var variant = line
                variant[place] = byte
                variants.append(variant)
            }
            variants.append(Array(line[..<place] + line[(place + 1)...]))
            variants.append(Array(line[...place] + line[place...]))
            count += variants.count
            readsBodies ? compareBodies(variants) : compareLines(variants)
        }
        return count
    }

    private func compareLines(_ variants: [[UInt8]]) {
        var text = neighbour + [0x0A]
        var lines = 1
        let ofNeighbour = twin.records(neighbour)
        var expected = twin.expected(ofNeighbour, linesBefore: 0)
        for variant in variants {
            let records = twin.records(variant)
            // The same records, whatever the order within a body.
            let alone = twin.expected(records, linesBefore: 0).sorted()
            let found = twin.linesFound(Unpacked(variant)).sorted()
            expect(found == alone, explain(variant, found, alone))
            expected += twin.expected(records, linesBefore: lines)
            lines += variant.count { $0 == 0x0A } + 1
            expected += twin.expected(ofNeighbour, linesBefore: lines)
            lines += 1
            text += variant + [0x0A] + neighbour + [0x0A]
        }
        let found = twin.linesInARow(text).sorted()
        expected.sort()
        guard found != expected else { return }
        for (found, expected) in zip(found, expected) where found != expected {
            expect(false, "between neighbours the program: \(found), the reference: \(expected)\n\(self.text(line))")
        }
        expect(false, "\(found.count) records, expected \(expected.count)\n\(self.text(line))")
    }

    private func compareBodies(_ variants: [[UInt8]]) {
        for variant in variants {
            for file in [variant, neighbour + [0x0A] + variant + [0x0A] + neighbour] {
                let (found, expected) = (
                    twin.bodiesFound(file, chunk: file.count).sorted(), twin.expected(file).sorted()
                )
                expect(found == expected, explain(variant, found, expected))
            }
        }
    }

    private func explain(_ line: [UInt8], _ found: [String], _ expected: [String]) -> String {
        "the program: \(found)\nthe reference: \(expected)\n\(text(line))"
    }

    private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self).debugDescription }
}

// MARK: Collectors

private let iPhone = "Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)"
private let pixel = "Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A.240105.004)"
private let chrome = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0"

private func hit(
    _ request: String = "GET /r/?id=h1685a5,d57fd6,7&mcId=0123456789 HTTP/1.1", host: String = "203.0.113.7",
    time: String = "19/Nov/2026:06:30:00 +0100", status: String = "200 0", referer: String = "-",
    agent: String = iPhone
) -> String {
    "\(host) - - [\(time)] \"\(request)\" \(status) \"\(referer)\" \"\(agent)\""
}

private let uuid = "6b6499a8-9d43-4bc5-acf0-b6aeb96846f6"

/// The first ones are tried where there is little time.
private let combinedLines = [
    hit(), hit("POST /r/?id=h\(uuid),0123456789abcdef,d57ff6&mcId=1 HTTP/1.1", agent: pixel),
    hit("GET /r/?id=hFFFFFFFFd7e15e5c,A%20b,2", status: "404 -", referer: "https://a.example/?b=\\\"c", agent: "iPad"),
    hit(agent: pixel), hit(agent: chrome), hit(agent: "Dalvik/2.1.0 (Linux; U; iPhone; Android 14)"),
    hit(agent: "MyApp/3 CFNetwork/1410.0.3 Darwin/22.6.0"), hit(agent: ""), hit(agent: "-"),
    hit(agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"),
    hit(agent: "Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US) and then a Dalvik/ far behind it"),
    hit(agent: "Mozilla/5.0 (Windows NT 10.0; rv:109.0) Gecko/20100101 Firefox/115.0 iPad CPU OS "),
    hit("GET /r/?id=h1685a5,d57fd6,1 HTTP/1.1"), hit("GET /r/?id=H00000001685A5,D57FD6,2 HTTP/2.0"),
    hit("POST /r/?id=hd7e15e5c,d57fd6,2&mcid=1 HTTP/1.1"), hit("GET /r/?id=d1,d57fd6,d57ff6&p1=x HTTP/1.1"),
    hit("GET /r/?id=hffffffff7fffffff,0123456789abcdefg,5 HTTP/1.1"), hit("GET /r/?id=h0,a,1 HTTP/1.1"),
    hit("GET /r/?id=h\(uuid.uppercased()),d57fd6,2&mcId=1 HTTP/2.0"), hit("GET /r?id=%68%31%2C2%2c7"),
    hit("GET https://t.example.com:443//r/?a=b&id=h1,2,7 HTTP/1.1"), hit("GET /r/?id=,,&mcId= HTTP/1.1"),
    hit("GET /robots.txt HTTP/1.1", status: "404 162"), hit("GET / HTTP/1.1"), hit("GET /r/test HTTP/1.1"),
    hit("-", status: "400 0"), hit("\\x16\\x03\\x01"), hit(host: "2001:db8:85a3:8d3:1319:8a2e:370:7348"),
    hit(time: "25/Oct/2026:02:30:00 +0200"), hit(time: "29/Mar/2026:02:30:00"), hit(time: "31/Dec/2026:23:59:60 +0000"),
    hit(time: "25/Sep/2018:06:05:27.584"), hit(time: "29/Feb/2024:23:59:59.9999 -0330"), hit(status: "302 43"),
    hit(status: "0 0"), hit(status: "- -"), hit(status: "499 0", referer: "https://example.com/a?b=c"),
    hit() + " \"192.0.2.1\" rt=0.003", hit("GET /r/?id=h1,2,3&mcId=%41&MCID=b HTTP/1.1"),
    "203.0.113.7 - John Doe [19/Nov/2026:06:30:00 +0100] \"GET /r/?id=h1,2,7 HTTP/1.1\" 200 43",
]

private let collectorJobs: [Job] = {
    let twins = [Twin(.collector, .combined), Twin(.collector, .combined) { $0.requiresMcid = true }]
    var jobs: [Job] = []
    for (index, line) in combinedLines.enumerated() {
        // An ordinary line of the same minute, so that what the clock remembers is of use to the variants.
        let time = line.split(separator: "[", maxSplits: 1)[1].prefix(20)
        let isUsual = time.hasPrefix("19/Nov/2026")
        let neighbour = isUsual ? hit(time: "19/Nov/2026:06:30:07 +0100") : hit(time: "\(time) +0200")
        for (twin, isBrief) in zip(twins, [index < 3, index == 0]) {
            jobs.append(
                Job(
                    twin: twin, line: Array(line.utf8), neighbour: Array(neighbour.utf8), isBrief: isBrief,
                    readsBodies: false))
        }
    }
    let logFormat =
        "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\" $time_iso8601 $msec"
    let others: [(Pipeline.Layout, String)] = [
        (
            .nginx(logFormat),
            "203.0.113.7 [19/Nov/2026:06:30:00.123 +0100] \"GET /r/?id=h1,\\x412,7 HTTP/1.1\" 200 \"iPad\" \"-\" - -"
        ),
        (
            .nginx("$msec|$status|$request_method|$request_uri|$http_user_agent"),
            "1795078800.12|0|GET|/r?id=h1,2,7|iPad"
        ),
        (
            .nginx("\"$time_iso8601\" $request_uri $request_method $status"),
            "\"2026-11-19T06:30:00.5Z\" /r/?id=h1,2,7 GET 204"
        ),
        (
            .nginx("$status $request_method $request_uri $time_local"),
            "200 GET /r/?id=h1,2,7 19/Nov/2026:06:30:00 +0100 x"
        ),
        (
            .json,
            #"{"time_local":"19/Nov/2026:06:30:00 +0100","request":"GET \/r/?id=\u00681,2,7 HTTP/1.1","status":200,"http_user_agent":"iPad"}"#
        ),
        (
            .json,
            #"{"status":"404","msec":1795078800.123,"time":"x","request_method":"GET","request_uri":"/r/?id=h1,2,7","a":[{}]}"#
        ),
    ]
    for (layout, line) in others {
        let bytes = Array(line.utf8)
        jobs.append(
            Job(twin: Twin(.collector, layout), line: bytes, neighbour: bytes, isBrief: false, readsBodies: false))
    }
    return jobs
}()

// MARK: Payloads

private func arrival(
    id: String = "\"h1685a5\"", delivery: String = "\"d57fd6\"", time: String = "1795078800", more: String = ""
) -> String {
    #"{"log_content":{"data":{"_mId":\#(id),"_dId":\#(delivery)\#(more)},"type":1,"time":\#(time)}}"#
}

/// `security` last, as the extension sends it.
private func form(_ json: String) -> String {
    var text = "mzip="
    for byte in json.utf8 {
        let isPlain = byte.isLetter || byte.isDigit || "-_.".utf8.contains(byte)
        let hex = (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        text += byte == 0x20 ? "+" : isPlain ? String(UnicodeScalar(byte)) : "%" + hex
    }
    return text
}

private let payloads = [
    arrival(more: #","title":"a b é + \u00e9 \ud83d\ude00","_acsDeliveryTracking":"on""#),
    arrival(id: "\"\(uuid)\""), arrival(id: "\"h\(uuid.uppercased())\"", delivery: "57"),
    arrival(id: "12345", delivery: "\"A b\""), arrival(id: "\"T-ab3ae1e11a12771a-9831-0\""), arrival(id: "\" hello \""),
    arrival(id: "\"ffffffffd7e15e5c\"", time: "\"2026-11-19T10:00:00.123Z\""), arrival(time: "1795078800123"),
    arrival(time: "\"2026-11-19 10:00:00:5+01:00\""), arrival(time: "\"1795078800.5\""), arrival(time: "1.7950788e9"),
    arrival(time: "\"2026-11-19\""), arrival(delivery: "-0"), arrival(delivery: "\"campa\u{F1}a 7\""),
    arrival(more: #","_acsDeliveryTracking":" OFF ""#), arrival(more: #","_mId":"h2""#),
    arrival(more: #","a":[[1,-0.5e-3],{"b":null,"c":[true,false]}]"#), arrival(id: "\"00000000000000000000001\""),
    arrival(id: "18446744073709551615"), arrival(id: "\"\\u0068\\u0031\""), "{}", " {\"log_content\":{\"type\":99}} ",
    arrival(more: ",\"title\":\"" + String(repeating: "x", count: 70) + "\""), arrival(id: "null"),
]

private let mzipJobs: [Job] = {
    var jobs: [Job] = []
    let body = Twin(.mzip, .body) { $0.platform = "ios" }
    let neighbour = form(payloads[0]) + "&security=aGVsbG8%2B"
    func add(_ twin: Twin, _ line: String, beside neighbour: String, isBrief: Bool = false) {
        jobs.append(
            Job(
                twin: twin, line: Array(line.utf8), neighbour: Array(neighbour.utf8), isBrief: isBrief,
                readsBodies: false))
    }
    for (index, payload) in payloads.enumerated() {
        add(body, form(payload) + (index % 3 == 0 ? "&security=a%2B" : ""), beside: neighbour, isBrief: index == 4)
    }
    add(body, "a=b&mzip=" + form(payloads[0]).dropFirst(5) + "&mzip=x", beside: neighbour)
    add(body, String(form(payloads[1]).dropFirst(5)), beside: neighbour)
    let format = "$msec $request_method $request_uri $status \"$http_user_agent\" \"$request_body\""
    let line = "1795078800.1 POST /push/log/iosarrive 200 \"iPad\" \"\(form(payloads[0]))\""
    add(Twin(.mzip, .nginx(format)), line, beside: line)
    let object =
        #"{"time":1795078800,"request":"POST /push/log/iosarrive HTTP/1.1","status":"204","request_body":"\#(form(payloads[2]))"}"#
    add(Twin(.mzip, .json), object, beside: object)
    return jobs
}()

private let usersTrackJobs: [Job] = {
    func event(_ id: String, _ time: String, _ more: String = "") -> String {
        #"{"name":"push_open","time":\#(time),"properties":{"broadlogId":\#(id),"deliveryId":"d57fd6"\#(more)}}"#
    }
    let iso = "\"2026-11-19T10:00:00.123+01:00\""
    let bodies = [
        #"{"events":[\#(event("\"h1685a5\"", iso))],"attributes":[]}"#,
        #"{"api_key":"x","attributes":[{"external_id":"u"}],"events":[\#(event("\"\(uuid)\"", "1795078800", #","platform":"Android""#)),{"name":"other"}]}"#,
        #"{"purchases":[{"price":1.5e1}],"events":[\#(event("12345", "null")),1,\#(event("\"x y\"", iso))]}"#,
        #"{"events":[],"\u0065vents":[\#(event("\"a\\u00e9\"", iso, #","_acsDeliveryTracking":"on""#))]}"#,
        #"{"braze_id":"x","custom_events":[]}"#, #"{"events":{}}"#,
    ]
    var jobs: [Job] = []
    let neighbour = Array(#"{"events":[\#(event("\"h5\"", iso))]}"#.utf8)
    let format = "$time_iso8601 $request_method $request_uri $status \"$request_body\""
    for (index, body) in bodies.enumerated() {
        jobs.append(
            Job(
                twin: Twin(.usersTrack, .body), line: Array(body.utf8), neighbour: neighbour, isBrief: index == 0,
                readsBodies: true))
        let escaped = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\x22")
        let line = "2026-11-19T10:00:00+01:00 POST /users/track 201 \"\(escaped)\""
        jobs.append(
            Job(
                twin: Twin(.usersTrack, .nginx(format)), line: Array(line.utf8), neighbour: Array(line.utf8),
                isBrief: false, readsBodies: false))
    }
    return jobs
}()
