import Events
import Support
import Testing

import struct Reference.SplitMix64

@testable import Records

@Suite struct QuickHitTests {
    static let iPhone = "Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)"
    static let pixel = "Mozilla/5.0 (Linux; U; Android 14; en-US; Pixel 8 Build/UQ1A.240105.004)"

    static func line(
        host: String = "203.0.113.7", time: String = "19/Nov/2026:10:00:00 +0100",
        request: String = "GET /r/?id=h1685a5,d57fd6,7&mcId=0123456789012345678901234567890 HTTP/1.1",
        status: String = "200", referer: String = "-", agent: String = iPhone
    ) -> String {
        "\(host) - - [\(time)] \"\(request)\" \(status) 0 \"\(referer)\" \"\(agent)\""
    }

    static let ordinary: [String] = [
        line(),
        line(agent: pixel),
        line(request: "GET /r/?id=h1685a5,d57fd6,1 HTTP/1.1", agent: pixel),
        line(request: "POST /r/?id=hd7e15e5c,d57fd6,2&mcid=1 HTTP/1.1", agent: pixel),
        line(request: "POST /r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6,0123456789abcdef,d57ff6 HTTP/1.1"),
        line(request: "GET /r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6,d57fd6,2&mcId=1 HTTP/2.0"),
        line(request: "GET /r/?id=hFFFFFFFFd7e15e5c,d57fd6,2&mcid=1 HTTP/2.0"),
        line(request: "GET /r/?id=d1685a5,d57fd6,d57ff6&p1=x HTTP/1.1"),
        line(host: "2001:db8:85a3:8d3:1319:8a2e:370:7348", status: "404"),
        line(status: "500", referer: "https://example.com/a?b=c", agent: "curl/8.0 and some more text"),
        line(time: "25/Oct/2026:02:30:00 +0200", agent: "MyApp/3 CFNetwork/1410.0.3 Darwin/22.6.0"),
        line(agent: "Dalvik/2.1.0 (Linux; U; iPhone; Android 14)"),
        line(agent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0"),
        line(agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"),
        line(agent: "Mozilla/5.0 (Windows NT 10.0; rv:109.0) Gecko/20100101 Firefox/115.0 iPad"),
        line(agent: iPhone) + " \"192.0.2.1\" rt=0.003",
        line(request: "GET / HTTP/1.1"), line(host: "h", request: "GET /robots.txt HTTP/1.1", status: "404"),
        line(request: "GET /r/test HTTP/1.1", agent: "HealthCheck/2.0"),
        line(request: "POST /img/logo.png?id=1 HTTP/1.1"),
    ]

    /// What the quick way says of a line that lies between others; nil if it leaves it to the obvious way.
    private func quick(_ line: [UInt8], _ rules: RecordRules, before: Int = 0) -> Collected? {
        var parser = LineParser(rules)
        var sink = Collected()
        let text = [UInt8](repeating: 0x0A, count: before) + line + [0x0A] + Self.behind
        let read = parser.parseOrdinaryLines(text.span, from: before, into: &sink)
        // The same with as little after it as there may be, all of it markers; debug builds check every load.
        var other = Collected()
        let tight = Array(text[..<(before + line.count + 1)]) + Self.markers
        let again = parser.parseOrdinaryLines(tight.span, from: before, into: &other)
        #expect(again.end == read.end && again.lines == read.lines && other == sink)
        guard read.lines > 0 else {
            #expect(sink.items.isEmpty && read.end == before)
            return nil
        }
        #expect(read.end == before + line.count + 1 && read.lines == 1)
        return sink
    }

    private static let markers = Array(
        "iPoivPPFoiAndroidDalvik/CFNetwork/iPhoneiPadCPU OS oivPFPFPvoivPF".utf8.prefix(63))

    /// No ordinary line, but one that would end whatever a line leaves open.
    private static let behind = Array(
        "\" 200 0 \"-\" \"Android iPhone\" \"x\" \"y\" 1234567890123456789012345678901234567890".utf8)

    private func obvious(_ line: [UInt8], _ rules: RecordRules) -> Collected {
        var parser = LineParser(rules)
        var sink = Collected()
        parser.parse(line.span, number: 1, into: &sink)
        // The quick way tells none.
        sink.details = sink.details.map { _ in "" }
        return sink
    }

    @Test(arguments: ordinary) func ordinaryLinesAreReadQuickly(line: String) {
        let line = Array(line.utf8)
        let rules = RecordRules.collector()
        #expect(quick(line, rules) == obvious(line, rules))
    }

    @Test(arguments: ordinary) func joinedLinesAreReadAsTheObviousWayReadsThem(line: String) {
        let rules = RecordRules.collector()
        for other in Self.ordinary {
            for joint in ["", " ", "\r", "\u{0}"] { _ = compare(Array((line + joint + other).utf8), rules) }
        }
        let lost = obvious(Array((line + Self.line(request: "GET /r/?id=h9,a,7 HTTP/1.1")).utf8), rules)
        #expect(lost.codes == ["joined_lines"])
        // A referer is text that is not read.
        let referer = Self.line(referer: "GET /r/?id=h9,a,7", agent: Self.pixel)
        #expect(!compare(Array(referer.utf8), rules))
        #expect(obvious(Array(referer.utf8), rules).codes == ["joined_lines"])
    }

    private func compare(_ line: [UInt8], _ rules: RecordRules, before: Int = 0) -> Bool {
        // A line feed would make two lines of it.
        guard !line.contains(0x0A), let said = quick(line, rules, before: before) else { return false }
        let expected = obvious(line, rules)
        if said != expected {
            Issue.record("\(String(decoding: line, as: UTF8.self)): \(said.items) and \(expected.items)")
        }
        return true
    }

    /// A broken line of an ordinary minute, which the lines before and after it are of too.
    @Test func aLineIsReadTheSameBetweenOrdinaryLines() {
        let rules = RecordRules.collector()
        let neighbour = Array(Self.line(time: "19/Nov/2026:06:30:07 +0100").utf8)
        let uuid = "POST /r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6,d57fd6,2"
        for line in [
            Self.line(time: "19/Nov/2026:06:30:00 +0100"), Self.line(), Self.line(request: uuid, agent: "iPad"),
        ] {
            let ordinary = Array(line.utf8)
            for place in ordinary.indices {
                var text = neighbour + [0x0A]
                var expected = obvious(neighbour, rules)
                func add(_ line: [UInt8]) {
                    text += line + [0x0A] + neighbour + [0x0A]
                    expected.items += obvious(line, rules).items + obvious(neighbour, rules).items
                }
                for byte in UInt8.min...UInt8.max where byte != 0x0A {
                    var line = ordinary
                    line[place] = byte
                    add(line)
                }
                add(Array(ordinary[..<place] + ordinary[(place + 1)...]))
                add(Array(ordinary[...place] + ordinary[place...]))
                #expect(inARow(text, rules).sink.items == expected.items, "\(place)")
            }
        }
    }

    /// What is made of lines in a row, the quick way as far as that goes.
    private func inARow(_ text: [UInt8], _ rules: RecordRules) -> (sink: Collected, quickOnes: Int) {
        var parser = LineParser(rules)
        var sink = Collected()
        var (start, quickOnes) = (0, 0)
        while start < text.count {
            let read = parser.parseOrdinaryLines(text.span, from: start, into: &sink)
            quickOnes += read.lines
            start = read.end
            guard let end = text[start...].firstIndex(of: 0x0A) else { break }
            parser.parse(text.span.extracting(start..<end), number: 1, into: &sink)
            start = end + 1
        }
        return (sink, quickOnes)
    }

    @Test(arguments: ordinary) func aLineIsReadTheSameWhereverItLiesAndHoweverLongItsPartsAre(line: String) {
        let rules = RecordRules.collector()
        let ordinary = Array(line.utf8)
        for before in 0..<70 { #expect(compare(ordinary, rules, before: before)) }
        for place in ordinary.indices {
            for length in [1, 7, 16, 17, 64, 70] {
                _ = compare(Array(ordinary[..<place] + ordinary[min(place + length, ordinary.count)...]), rules)
                let more = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                _ = compare(Array(ordinary[..<place] + more + ordinary[place...]), rules)
            }
        }
    }

    @Test func aLineWithoutEndOrTooNearTheEndIsLeftAlone() {
        let line = Array((Self.line() + "\n").utf8)
        for more in 0..<200 {
            var parser = LineParser(.collector())
            var sink = Collected()
            let text = Array((line + line + line).prefix(line.count + more))
            let read = parser.parseOrdinaryLines(text.span, from: 0, into: &sink)
            #expect(read.lines == (more >= 63 ? 1 : 0) + (more >= line.count + 63 ? 1 : 0))
            #expect(read.end == read.lines * line.count && sink.items.count == read.lines)
        }
    }

    /// Mostly of one day, now and then of none.
    private func time(_ random: inout SplitMix64) -> String {
        let dates = ["19/Nov/2026", "19/Nov/2026", "19/Nov/2026", "20/Nov/2026", "19/Nov/2025", "31/Nov/2026"]
        let odd = ["24:00:00", "09:60:00", "23:59:60", "00:00:00", "23:59:59", "99:99:99", "10;00:00", "10:0a:00"]
        let offsets = ["+0100", "+0100", "+0100", "-0930"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hour = two(Int.random(in: 0..<24, using: &random))
        let usual = "\(hour):\(two(Int.random(in: 0..<60, using: &random))):07"
        let time = Int.random(in: 0..<8, using: &random) == 0 ? odd.randomElement(using: &random) : usual
        let (date, offset) = (dates.randomElement(using: &random), offsets.randomElement(using: &random))
        return "\(date ?? ""):\(time ?? "") \(offset ?? "")"
    }

    /// Line feeds and quotes are marked some kilobytes at a time: lines that lie across, are longer, or end at once.
    @Test(arguments: Long.cases(Array(0..<40), oneOf: 4)) func linesInARowAreReadAsOneByOne(seed: Int) {
        let rules = RecordRules.collector()
        var random = SplitMix64(seed: UInt64(seed + 100))
        var text: [UInt8] = []
        var expected = Collected()
        for _ in 0..<300 {
            let ordinary = Self.ordinary.randomElement(using: &random) ?? ""
            var line = Array(ordinary.replacing("19/Nov/2026:10:00:00 +0100", with: time(&random)).utf8)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: line = []
            case 1: line = Array(line.prefix(Int.random(in: 0...70, using: &random)))
            case 2:
                let length = Int.random(in: 1...20_000, using: &random)
                line.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "a"), count: length), at: line.count - 1)
            case 3: line.insert(contentsOf: Array("\"\"".utf8), at: Int.random(in: 0..<line.count, using: &random))
            default: break
            }
            text += line + [0x0A]
            if !line.isEmpty { expected.items += obvious(line, rules).items }
        }
        let (sink, quickOnes) = inARow(text, rules)
        #expect(sink.items == expected.items)
        #expect(quickOnes > 150)
    }

    @Test(arguments: [false, true]) func theQuickWaySaysWhatTheObviousWaySays(requireMcid: Bool) {
        let rules = RecordRules.collector(requireMcid: requireMcid)
        let fragments = Self.fragments.map { Array($0.utf8) }
        var random = SplitMix64(seed: requireMcid ? 1 : 2)
        var quickOnes = 0
        let rounds = Long.isOn ? 60_000 : 15_000
        for round in 0..<rounds {
            var line = Array(Self.ordinary[round % Self.ordinary.count].utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) { mutate(&line, fragments, &random) }
            if compare(line, rules) { quickOnes += 1 }
        }
        #expect(quickOnes > rounds / 3)
    }

    private static let fragments = [
        "\\x22", "\\\"", "\\", "\"", " ", "%2C", ",", "&", "=", "-", "]", "[", "/", "?", "Android", "Dalvik/", "iPad",
        "CPU OS ", "CFNetwork/", "CFNetwork%2F", "%41ndroid", "%20", "\\x41ndroid", "\\xAAndroid", "&mcId=", "&mcid=2",
        "id=", "é", "\u{0}", "ABCDEF", "0",
        "\" \"", "\" 200 0 \"-\" \"", "POST", "https://x:1", "POST /r/",
        "Mozilla/5.0 (iPhone; CPU OS 17_6 like Mac OS X; ",
        "Mozilla/5.0 (Linux; U; Android", "GET /r/?id=h77,a,7", "GET ", "T ",
        "\"GET /r/?id=h1685a5,d57fd6,7 HTTP/1.1\" 200",
    ]

    private func mutate(_ line: inout [UInt8], _ fragments: [[UInt8]], _ random: inout SplitMix64) {
        let place = Int.random(in: 0..<max(line.count, 1), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where !line.isEmpty: line.remove(at: place)
        case 2:
            let end = min(line.count, place + Int.random(in: 1...12, using: &random))
            if !line.isEmpty { line.removeSubrange(place..<end) }
        case 3: line = Array(line[..<place])
        default:
            line.insert(
                contentsOf: fragments[Int.random(in: 0..<fragments.count, using: &random)], at: min(place, line.count))
        }
    }
}
