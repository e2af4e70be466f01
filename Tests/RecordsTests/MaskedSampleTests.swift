import Testing

@testable import Records

@Suite struct MaskedSampleTests {
    private func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return maskedSample(bytes.span)
    }

    @Test func aSampleShowsWhatIsHarmless() {
        #expect(
            masked(hit("GET /r/?id=hSOC1,d57fd6,7&mcId=0123456789 HTTP/1.1", agent: "Mozilla/5.0 (iPhone; x)"))
                == "*** - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=hSOC1,d57fd6,7&mcId=*** HTTP/1.1\" 200 *** \"-\" \"*** (***; ***)\""
        )
        #expect(
            masked(
                #"{"external_id":"juan","name":"push_open","time":"2026-11-19T10:00:00Z","properties":{"broadlogId":true}}"#
            )
                == #"{"external_id":"***","name":"push_open","time":"2026-11-19T10:00:00Z","properties":{"broadlogId":true}}"#
        )
        #expect(
            masked(
                "mzip=%7B%22log_content%22%3A%7B%22time%22%3A1763596800123%2C%22type%22%3A1%7D%2C%22security%22%3A%22aGV%3D%22"
            )
                == #"mzip={"log_content":{"time":1763596800123,"type":1},"security":"***=""#)
    }

    private static let secrets = [
        "203.0.113.7", "2001:db8:85a3:8d3:1319:8a2e:370:7348", "fe80::1ff:fe23:4567:890a",
        "01234567890123456789012345678901234567",
        "aGVsbG8+/wQ9zT==", "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad",
        "fK9x_Ab3:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx", "user-8817263", "juan.perez@example.com", "juan+x@example.com",
        "+34600123456", "+34 600 12 34 56", "(600) 123-456", "600123456", "5f2b8c1d9e0a4b7c8d6e5f4a", "7f00000101",
    ]

    private static let templates = [
        "@ - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h1,2 HTTP/1.1\" 200 0 \"-\" \"x\"",
        "1.2.3.4 - @ [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h1,2,7&mcId=@ HTTP/1.1\" 200 0 \"https://x/?e=@\" \"@\"",
        "\"POST /rest/head/@ HTTP/1.1\" 200 @",
        #"{"log_content":{"time":1,"data":{"_mId":"h1","x":"@"},"type":"@"},"security":"@"}"#,
        #"{"events":[{"external_id":"@","name":"@","properties":{"broadlogId":true,"email":"@"}}],"email" : "@", "phone":"@"#,
        #"{"user_alias":{"alias_name":"@","alias_label":"x"},"braze_id":"@","push_tokens":[{"token":"@"},"@"]}"#,
        "security=@&mzip=@&token=@", "security: @", "{security:@,phone:@", "'@','@'", "call @ or @ now", "@",
        "{\"@\":1}", "@=1", "[@]",
        #"{"request_body":"{\"events\":[{\"external_id\":\"@\",\"phone\":\"@\"}]}"}"#,
        "{\\x22external_id\\x22:\\x22@\\x22}",
    ]

    private func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            byte.isDigit || byte.isLetter
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private func logEscaped(_ text: String) -> String {
        text.utf8.map { byte in
            byte == 0x22 || byte == 0x5C
                ? "\\x" + String(byte, radix: 16, uppercase: true) : String(UnicodeScalar(byte))
        }.joined()
    }

    /// Six bytes in a row, of each place where they can begin.
    private func sixes(_ bytes: some Sequence<UInt8>) -> [UInt64] {
        var six = 0 as UInt64
        var all: [UInt64] = []
        for (place, byte) in bytes.enumerated() {
            six = (six << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
            if place >= 5 { all.append(six) }
        }
        return all
    }

    /// Cuts the front or the back off at every `step`th place.
    private func cuts(_ text: String, _ step: Int) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        return stride(from: bytes.count, to: 0, by: -step).map { Array(bytes[..<$0]) }
            + stride(from: 1, to: bytes.count, by: step).map { Array(bytes[$0...]) }
    }

    @Test(arguments: secrets) func noSixCharactersOfASecretAreShown(secret: String) {
        let parts = Set(sixes(secret.utf8))
        for template in Self.templates {
            let plain = template.replacing("@", with: secret)
            let encoded = [
                percentEncoded(plain), "mzip=" + percentEncoded(plain), logEscaped(plain),
                percentEncoded(percentEncoded(plain)), logEscaped(logEscaped(plain)),
                template.replacing("@", with: percentEncoded(secret)),
            ]
            for bytes in cuts(plain, 1) + encoded.flatMap({ cuts($0, 13) }) {
                let sample = maskedSample(bytes.span)
                guard sixes(sample.utf8).contains(where: parts.contains) else { continue }
                Issue.record("\(secret) of \(String(decoding: bytes, as: UTF8.self)): \(sample)")
                return
            }
        }
    }

    @Test func aSampleIsShortPlainText() {
        for bytes in [
            [UInt8](repeating: 0x7B, count: 100_000), [UInt8](0...255), [], [0xFF, 0x00, 0x5C], Array("%".utf8),
        ] {
            let sample = maskedSample(bytes.span)
            #expect(sample.utf8.count <= 200)
            #expect(sample.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }
}
