/// `type time elb client target t t t elb_status target_status received sent "request" "user agent"`, and perhaps more.
/// Lines of Classic load balancers have no type, and the older ones no user agent.
func readALB(_ line: Bytes, zone: Zone) -> LogLine? {
    let isClassic = line.first.map { [$0].isDigits } == true
    var fields: [Bytes] = isClassic ? [[]] : []
    var rest = line
    while fields.count < 12 {
        guard let (field, after) = rest.cut(at: " "), !field.isEmpty else { return nil }
        fields.append(field)
        rest = after
    }
    let types = ["http", "https", "h2", "grpcs", "ws", "wss"]
    guard isClassic || types.contains(fields[0].text) else { return nil }
    guard rest.hasPrefix("\""), let requestEnd = closingQuote(in: rest, from: 1) else { return nil }
    var found = LogLine()
    let request = unescaped(Bytes(rest[1..<requestEnd]))
    // The URL may hold spaces: it ends at the last one.
    let words = request.pieces(" ")
    found.method = words[0]
    found.uri = Bytes((words.count > 2 ? words.dropFirst().dropLast() : words.dropFirst()).joined(separator: [0x20]))
    found.status = fields[8]
    found.setTime(.timeISO8601, fields[1], zone: zone)
    let afterRequest = Bytes(rest[(requestEnd + 1)...])
    if afterRequest.isEmpty { return isClassic ? found : nil }
    guard afterRequest.hasPrefix(" \""), let agentEnd = closingQuote(in: afterRequest, from: 2) else { return nil }
    found.userAgent = unescaped(Bytes(afterRequest[2..<agentEnd]))
    found.loose = [Bytes(afterRequest[agentEnd...])]
    return found
}
