import Reference

// The first byte picks a source of payloads, whether its file is truncated, and the longest body; lines or bodies follow.

// That of SampleLogs/nginx-request-body.
private let format =
    "$remote_addr - [$time_iso8601] \"$request\" $status \"$http_user_agent\" \"$request_body\""

private let lineTwins = [
    Twin(.mzip, .body), Twin(.mzip, .body) { $0.fields["platform"] = "log_content.data.platform" },
    Twin(.mzip, .nginx(format)) { $0.platform = "ios" }, Twin(.mzip, .json), Twin(.usersTrack, .nginx(format)),
    Twin(.usersTrack, .json), Twin(.events, .json) { $0.mapEvents() },
]
private let bodyTwins = [
    Twin(.usersTrack, .body), Twin(.events, .body) { $0.mapEvents() },
    Twin(.events, .body) {
        $0.mapEvents()
        $0.elements = "batch.items"
    },
    Twin(.events, .body) {
        $0.mapEvents()
        $0.mapPlaces()
        $0.times = [Pipeline.TimedAction("open", "opened.at"), Pipeline.TimedAction("arrival", "\"seen.at\"")]
    },
    Twin(.events, .csv) {
        $0.mapEvents()
        $0.mapPlaces()
    },
]

extension Pipeline.Source {
    fileprivate mutating func mapEvents() {
        path = "/hooks/events"
        fields = ["delivery_id": "message.id", "action": "kind", "time": "time", "platform": "platform"]
        idParts = ["message.id", "user"]
        platforms = ["chrome": "web"]
        actions = ["opened": "open", "7": "impression"]
    }

    fileprivate mutating func mapPlaces() {
        otherPaths = ["message.id": ["id"], "platform": ["os"], "user": ["\"user.id\""]]
        required = ["platform"]
        timeZone = "Europe/Madrid"
    }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    var input = Input(data, size)
    let choice = Int(input.byte())
    let bytes = input.bytes
    // Bodies are read past the unpacking. A file may also end inside the signature of a packed one.
    guard !bytes.starts(with: [0x1F, 0x8B]), bytes.isEmpty || !Unpacked(bytes).text.isEmpty else { return -1 }
    let (variant, kind) = choice.quotientAndRemainder(dividingBy: lineTwins.count + bodyTwins.count)
    guard kind >= lineTwins.count else {
        lineTwins[kind].compareLines(bytes)
        return 0
    }
    let bodyTwin = bodyTwins[kind - lineTwins.count]
    var file = Unpacked(bytes)
    if variant & 1 != 0 { file.status = .truncated }
    let longestBody = variant & 2 != 0 ? 60 + 30 * (variant >> 2) : nil
    // A single number of that length is a fault, which the reference does not know.
    if let longestBody {
        let numbers = bytes.split { !"+-.0123456789Ee".utf8.contains($0) }
        if numbers.contains(where: { $0.count >= longestBody }) { return -1 }
    }
    let expected = bodyTwin.expected(file, longestBody: longestBody).sorted()
    for chunk in [bytes.count + 1, choice / 4 + 1] {
        let found = bodyTwin.bodiesFound(file, chunk: chunk, longestBody: longestBody).sorted()
        expect(
            found == expected, "the program, \(chunk) at a time: \(found)\nthe reference: \(expected)")
    }
    return 0
}
