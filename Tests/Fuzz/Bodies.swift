import Reference

// The first byte picks a source of payloads; lines or bodies follow.

private let format = "$remote_addr [$time_local] \"$request\" $status \"$http_user_agent\" \"$request_body\""

private let lineTwins = [
    Twin(.mzip, .body), Twin(.mzip, .body) { $0.fields["platform"] = "log_content.data.platform" },
    Twin(.mzip, .nginx(format)) { $0.platform = "ios" }, Twin(.mzip, .json), Twin(.usersTrack, .nginx(format)),
    Twin(.usersTrack, .json),
]
private let bodyTwin = Twin(.usersTrack, .body)

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var input = Input(data, size)
    let choice = Int(input.byte())
    let bytes = input.bytes
    guard !bytes.starts(with: [0x1F, 0x8B]) else { return -1 }
    let kind = choice % (lineTwins.count + 2)
    guard kind >= lineTwins.count else {
        lineTwins[kind].compareLines(bytes)
        return 0
    }
    let expected = bodyTwin.expected(bytes).sorted()
    for chunk in [bytes.count + 1, choice / 4 + 1] {
        let found = bodyTwin.bodiesFound(bytes, chunk: chunk).sorted()
        expect(
            found == expected, "the program, \(chunk) at a time: \(found)\nthe reference: \(expected)")
    }
    return 0
}
