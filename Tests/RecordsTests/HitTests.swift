import Events
import Testing

@testable import Records

/// A combined line with this request.
func hit(
    _ request: String, status: String = "200", time: String = "19/Nov/2026:10:00:00 +0100", agent: String = "curl/8.0"
) -> String {
    "203.0.113.7 - - [\(time)] \"\(request)\" \(status) 0 \"-\" \"\(agent)\""
}

func hit(id: String, query: String = "&mcId=1") -> String {
    hit("GET /r/?id=\(id)\(query) HTTP/1.1")
}

@Suite struct HitTests {
    private func code(_ line: String, requireMcid: Bool = false) -> String {
        parse(.collector(requireMcid: requireMcid), line).codes.first ?? "nothing"
    }

    @Test(arguments: [
        ("no line at all", "malformed_line"),
        (hit("-"), "not_tracking"),
        (hit(""), "not_tracking"),
        (hit("\\x16\\x03\\x01"), "not_tracking"),
        (hit("HEAD /r/?id=h1,2,7 HTTP/1.1"), "not_tracking"),
        (hit("get /r/?id=h1,2,7 HTTP/1.1"), "not_tracking"),
        (hit("GET /R/?id=h1,2,7 HTTP/1.1"), "not_tracking"),
        (hit("GET /r/?ID=h1,2,7 HTTP/1.1"), "not_tracking"),
        (hit("GET /r/test HTTP/1.1"), "not_tracking"),
        (hit("GET /r/9862?tagid=home HTTP/1.1"), "not_tracking"),
        (hit("GET /r/ HTTP/1.1"), "not_tracking"),
        (hit("GET /r/?id=h1,2,7"), "accepted"),
        (hit("GET /r?id=h1,2,7 HTTP/1.1"), "accepted"),
        (hit("GET //r///?id=h1,2,7 HTTP/1.1"), "accepted"),
        (hit("GET https://t.example.com:443/r/?id=h1,2,7 HTTP/1.1"), "accepted"),
        (hit("GET https://t.example.com:443//r/?a=b&id=h1,2,7 HTTP/1.1"), "accepted"),
        (hit("POST /r/?id=h1,2,7 HTTP/1.1"), "accepted"),
        (hit("GET /r/?id HTTP/1.1"), "malformed_id"),
        (hit("GET /r/?id= HTTP/1.1"), "malformed_id"),
        (hit(id: "h1,2"), "malformed_id"),
        (hit(id: "h1,2,7,1"), "malformed_id"),
        (hit(id: ",,"), "empty_id"),
        (hit(id: "h153d80,b670ea,"), "empty_id"),
        (hit(id: "%20,2,7"), "empty_id"),
        (hit(id: "1685a5,2,7"), "malformed_id"),
        (hit(id: "h,2,7"), "malformed_id"),
        (hit(id: "h0,2,7"), "malformed_id"),
        (hit(id: "hSOC1,2,7"), "malformed_id"),
        (hit(id: "h12345678901234567,2,7"), "malformed_id"),
        (hit(id: "h1,a%01b,7"), "malformed_id"),
        (hit(id: "h1,\(String(repeating: "x", count: 129)),7"), "malformed_id"),
        (hit(id: "h1,\(String(repeating: "x", count: 128)),7"), "accepted"),
        (hit(id: "h1,2,x"), "malformed_id"),
        (hit(id: "h1,2,a"), "link"),
        (hit(id: "d1bd500,13ccd4c,13ccd88"), "link"),
        (hit(id: "s1685a5,d57fd6,d57ff5"), "link"),
        (hit("GET https://t-info.mail.adobe.com/r/?id=h18c130e8,fd4c527c,bf9fea0f"), "link"),
        (hit("GET /r/?id=h554970bb,cc766bf,187167&p1=x"), "link"),
        (hit(id: "h1,2,07"), "link"),
        (hit(id: "h1,2,6"), "unknown_action"),
        (hit(id: "%68%31%2C2%2c7"), "accepted"),
        (hit(id: "h153d80%252Cb670ea%252C7"), "malformed_id"),
        (hit(id: "h1,%zz,7"), "accepted"),
        (hit("GET /r/?id=h1,2,7&id=broken HTTP/1.1"), "accepted"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "404"), "tracking_disabled"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "499"), "http_error"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "199"), "http_error"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "302"), "accepted"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "-"), "accepted"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "0"), "http_error"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "000"), "http_error"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "999"), "http_error"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "OK"), "malformed_line"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "20"), "malformed_line"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "2000"), "malformed_line"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "00"), "malformed_line"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "+20"), "malformed_line"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", status: "--"), "malformed_line"),
        (hit("GET / HTTP/1.1", status: "OK"), "malformed_line"),
        (hit("GET / HTTP/1.1", status: "0"), "not_tracking"),
        (hit("GET /r/?id=h1,2,7 HTTP/1.1", time: "30/Feb/2026:10:00:00 +0100"), "bad_time"),
    ])
    func aLineHasOneOutcome(line: String, expected: String) {
        #expect(code(line) == expected)
    }

    @Test(arguments: [
        // The fault on the left comes first, though the one on the right is there too.
        ("GET /x?id=h1,2 HTTP/1.1", "404", "not_tracking"),
        ("GET /r/?id=,2 HTTP/1.1", "404", "malformed_id"),
        ("GET /r/?id=zz,,7 HTTP/1.1", "404", "empty_id"),
        ("GET /r/?id=hzz,2,f1 HTTP/1.1", "404", "malformed_id"),
        ("GET /r/?id=h1,2,f1 HTTP/1.1", "404", "link"),
        ("GET /r/?id=h1,2,9 HTTP/1.1", "404", "unknown_action"),
        ("GET /r/?id=h1,2,7 HTTP/1.1", "404", "not_push"),
        ("GET /r/?id=h1,2,7&mcid= HTTP/1.1", "404", "not_push"),
        ("GET /r/?id=h1,2,7&MCID=x HTTP/1.1", "404", "tracking_disabled"),
        ("GET /r/?id=h1,2,7&mcId=x HTTP/1.1", "200", "bad_time"),
    ])
    func theFirstFaultInOrderIsTheReason(request: String, status: String, expected: String) {
        #expect(code(hit(request, status: status, time: "never"), requireMcid: true) == expected)
    }

    @Test(
        arguments: [
            ("h153d80,b670ea,7", 0x153d80, "b670ea", 17), ("h153d80,b670ea,1", 0x153d80, "b670ea", 11),
            ("h1bd500,13ccd4c,7", 0x1bd500, "13ccd4c", 17),
            ("h1c1380,1442de4,2", 0x1c1380, "1442de4", 12), ("h11901a,86f10d,3", 0x11901a, "86f10d", 13),
            ("h11901a,86f10d,4", 0x11901a, "86f10d", 14), ("h11901a,86f10d,5", 0x11901a, "86f10d", 15),
            ("hd828,deliveryId,2", 0xd828, "deliveryid", 12),
            ("d1685a5,d57fd6,3", 0x1685a5, "d57fd6", 13), ("h3039,2,1", 12345, "2", 11),
            ("h34aa061c0c56,2,1", 57_904_851_586_134, "2", 11), ("h80000000,2,1", 2_147_483_648, "2", 11),
            ("h7fffffffffffffff,2,1", 0x7fff_ffff_ffff_ffff, "2", 11), ("hffffffffd7e15e5c,2,1", 0xd7e1_5e5c, "2", 11),
            ("hd7e15e5c,2,1", 0xd7e1_5e5c, "2", 11), ("hffffffff7fffffff,2,1", 0xffff_ffff_7fff_ffff, "2", 11),
            ("h05,2,1", 5, "2", 11), ("H1685A5,%20AB%20,1", 0x1685a5, "ab", 11),
            ("h61c0c56,+2+,5", 0x61c0c56, "+2+", 15),
        ] as [(String, UInt64, String, UInt16)])
    func anIDIsReadInAllItsSpellings(id: String, number: UInt64, delivery: String, action: UInt16) {
        let read = parse(.collector(), hit(id: id))
        #expect(read.records.map(\.id) == [EventID(high: 0, low: number)])
        #expect(read.records.map(\.kind) == [.hex])
        #expect(read.records.map(\.action) == [action])
        #expect(read.deliveries == [delivery])
    }

    @Test(arguments: [
        ("Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US)", Platform.ios), ("x iPad", .ios), ("CPU OS ", .ios),
        ("iPad Android", .android),
        ("MyApp CFNetwork/1", .ios), ("iphone", .unknown), ("Dalvik/2.1 iPhone", .android), ("-", .unknown),
        ("iPhone and a long way from it there comes an Android", .android), ("", .unknown),
        ("\\x41ndroid", .android), ("\\xAAndroid", .unknown), ("Mozilla/5.0 (Linux; U; Android 14; en-US)", .android),
        ("Mozilla/5.0 (iPhone; CPU OS 17_6_1 like Mac OS X; en-US) Dalvik/", .android),
        ("Shop%2F7.1%20CFNetwork%2F1410", .ios), ("Shop%2F7.1 CFNetwork%2F1410", .unknown), ("CPU%20OS%209", .ios),
        ("%41ndroid", .unknown), ("%41ndroid%20", .android), ("x%2Android%20iPad", .ios), ("Dalvik%2f2%zz", .android),
        ("Mozilla%2F5.0%20%28X11%3B%20Linux%29%20and%20a%20long%20way%20from%20it%20an%20%41ndroid", .android),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) CPU_OS and CFNetwork alone", .unknown),
    ])
    func thePlatformComesFromTheUserAgent(agent: String, platform: Platform) {
        let request = "GET /r/?id=h1685a5,d57fd6,7&mcId=0123456789012345678901234567890123456789 HTTP/1.1"
        #expect(parse(.collector(), hit(request, agent: agent)).records.map(\.platform) == [platform])
        let posted = request.replacing("GET", with: "POST")
        #expect(parse(.collector(), hit(posted, agent: agent)).records.map(\.platform) == [platform])
    }

    @Test func anEmptyLineIsNoRecordAndALongOneIsRead() {
        #expect(parse(.collector(), "").items.isEmpty)
        #expect(parse(.collector(), [UInt8](repeating: 0x61, count: 1 << 20)).codes == ["malformed_line"])
    }
}
