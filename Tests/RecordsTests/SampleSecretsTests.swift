import Testing

import struct Reference.SplitMix64

@testable import Records

/// Lines with secrets in them that were damaged on their way: whatever became of them, no sample shows a secret.
@Suite struct SampleSecretsTests {
    /// `@` is where a line of this kind holds something personal.
    private static let lines = [
        #"@ - @ [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,d57fd6,7&mcId=@ HTTP/1.1" 200 0 "https://x.example/r?id=@" "@ (iPhone; @)""#,
        #"@ - - [19/Nov/2026:10:00:00 +0100] "GET /r/?mcid=@&externalId=@&id=h1,,9&e=@&p1=@ HTTP/2.0" 404 0"#,
        #"web1 time=1795046400.123 @ "POST https://@:443//r/?id=h6b6499a8-9d43-4bc5-acf0-b6aeb96846f6,2,&p1=@" 200 @ "@""#,
        #"level=warn time=2026-11-19 10:00:00 @ @ user=@ status=500 message="call @ or @" "#,
        #"{"external_id":"@","name":"push_open","time":"2026-11-19T10:00:00Z","properties":{"broadlogId":"h1685a5","deliveryId":12345,"platform":"ios","name":"@"},"id":"@"}"#,
        #"{"attributes":[{"email":"@","phone" : "@","push_tokens":[{"app_id":"@","token":"@"}]}],"events":[{"user_alias":{"alias_name":"@"},"time":"@","name":"@","type":"@"}]}"#,
        #"{"log_content":{"data":{"_mId":"h1","x":"@","_dId":"d57fd6"},"time":1795046400123,"type":1,"to":["@","@"]},"security":"@","token":"@"}"#,
        #"security=@&mzip={"security":"@","log_content":{"time":"@","type":"1"}}&token=@"#,
        #"{"time_iso8601":"2026-11-19T10:00:00+01:00","remote_addr":"@","request":"GET /r/?id=h1685a5&mcId=@ HTTP/1.1","status":200,"http_user_agent":"@","request_body":"{\"id\":\"@\",\"external_id\":\"@\"}"}"#,
        #"{"user_alias":{"alias_name":"@","alias_label":"x"},"braze_id":"@","push_tokens":[{"token":"@"},"@"]}"#,
        #""POST /rest/head/@ HTTP/1.1" 200 @"#, "security: @", "{security:@,phone:@", "'@','@'", "call @ or @ now", "@",
        #"{"event":{"kind":"@","timestamp":"@","device":"@","device_type":"@","id":"@"},"message":{"id":"@"},"user":{"id":"@"}}"#,
        #"{"@":1}"#, "[@]", #"{"external_id":"@"}"#,
    ]

    @Test func noSecretIsShownWhateverBecomesOfItsLine() {
        for seed in 0..<3000 {
            var random = SplitMix64(seed: UInt64(seed))
            let (line, secrets) = Self.line(&random)
            for sample in [SampleKeys.mzip, .usersTrack, .events].map({ maskedSample(of: line.span, keys: $0) }) {
                for secret in secrets where Self.shows(sample, secret) {
                    Issue.record("seed \(seed): \(secret) of \(String(decoding: line, as: UTF8.self)): \(sample)")
                }
            }
        }
    }

    /// Whether eight bytes of the secret can be read in a row, or all of it if it is shorter.
    private static func shows(_ sample: String, _ secret: String) -> Bool {
        let count = min(8, secret.utf8.count)
        return !Set(runs(sample, count)).isDisjoint(with: runs(secret, count))
    }

    /// The `count` bytes, at most 8, from each place where there are as many.
    private static func runs(_ text: String, _ count: Int) -> [UInt64] {
        var run = 0 as UInt64
        var all: [UInt64] = []
        for (place, byte) in text.utf8.enumerated() {
            run = (run << 8 | UInt64(byte)) & (.max >> UInt64(64 - 8 * count))
            if place >= count - 1 { all.append(run) }
        }
        return all
    }

    /// A damaged line, and the secrets that were in it before.
    private static func line(_ random: inout SplitMix64) -> ([UInt8], [String]) {
        var secrets: [String] = []
        var line: [UInt8] = []
        for byte in lines.randomElement(using: &random, or: "").utf8 {
            guard byte == UInt8(ascii: "@") else {
                line.append(byte)
                continue
            }
            secrets.append(secret(&random))
            line += secrets[secrets.count - 1].utf8
        }
        // What no id looks like may stand anywhere, in the midst of a word too.
        if Bool.random(using: &random) {
            secrets.append(address(&random))
            line.insert(contentsOf: secrets[secrets.count - 1].utf8, at: .random(in: 0...line.count, using: &random))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) { damage(&line, &random) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            line.removeFirst(.random(in: 0...line.count, using: &random))
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { line = escaped(line, &random) }
        if Int.random(in: 0..<2, using: &random) == 0 { damage(&line, &random) }
        return (line, secrets)
    }

    /// Drops or doubles a byte of punctuation, moves it on or makes another one of it.
    private static func damage(_ line: inout [UInt8], _ random: inout SplitMix64) {
        let start = Int.random(in: 0...line.count, using: &random)
        guard let place = line[start...].firstIndex(where: { !$0.isLetter && !$0.isDigit }) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line.remove(at: place)
        case 1: line.insert(line[place], at: place)
        case 2: line.swapAt(place, min(place + 1, line.count - 1))
        default: line[place] = ascii("&=\"' ,:;?{}[]\\%/_-").randomElement(using: &random) ?? 0x20
        }
    }

    private static func escaped(_ line: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        let isForm = Bool.random(using: &random)
        return line.flatMap { byte -> [UInt8] in
            if byte.isDigit || byte.isLetter || !isForm && byte != 0x22 && byte != 0x5C { return [byte] }
            return ascii((isForm ? "%" : "\\x") + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        }
    }
}

extension SampleSecretsTests {
    private static func secret(_ random: inout SplitMix64) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: text(38, "0123456789", &random)
        case 1: text(10, "0123456789abcdef", &random)
        case 2: text(22, base64, &random) + "=="
        case 3:
            text(3, letters, &random) + "_" + text(5, letters, &random)
                + ["", "=", "=="].randomElement(using: &random, or: "")
        case 4: text(5, letters, &random) + text(2, "0123456789", &random)
        case 5: "user-" + text(6, "0123456789", &random)
        case 6: text(32, "0123456789abcdef", &random)
        default: address(&random)
        }
    }

    /// An address of any kind, a telephone number or a device's token.
    private static func address(_ random: inout SplitMix64) -> String {
        func digits(_ count: Int) -> String { text(count, "123456789", &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "203.0.113." + digits(2)
        case 1:
            return ["2001:db8:\(digits(4)):8d3:1319:8a2e:370:\(digits(4))", "fe80::\(digits(3)):\(digits(4))"]
                .randomElement(using: &random, or: "")
        case 2: return text(4, letters, &random) + "." + text(4, letters, &random) + "@example.com"
        case 3: return text(11, letters, &random) + ":APA91b" + text(30, base64, &random)
        default:
            let parts = ["6" + digits(2), digits(3), digits(3)]
            let start = ["", "+34", "+34 ", "0034 ", "34", "1", "170"].randomElement(using: &random, or: "")
            return start + parts.joined(separator: ["", "", " ", "-", "."].randomElement(using: &random, or: ""))
        }
    }

    private static func text(_ count: Int, _ letters: String, _ random: inout SplitMix64) -> String {
        String((0..<count).map { _ in letters.randomElement(using: &random) ?? "0" })
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
}

extension Array where Element == String {
    fileprivate func randomElement(using random: inout SplitMix64, or other: String) -> String {
        randomElement(using: &random) ?? other
    }
}
