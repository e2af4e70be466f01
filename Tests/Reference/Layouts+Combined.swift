/// `host ident user [time] "request" status bytes`, and perhaps ` "referer" "user agent"` and more.
func readCombined(_ line: Bytes, zone: Zone) -> LogLine? {
    guard let (host, afterHost) = line.cut(at: " "), let (ident, afterIdent) = afterHost.cut(at: " "),
        let (user, afterUser) = afterIdent.cut(at: " ["), !host.isEmpty, !ident.isEmpty, !user.isEmpty,
        let (time, rest) = afterUser.cut(at: "]"), rest.hasPrefix(" \"")
    else { return nil }
    let afterTime = Bytes(rest.dropFirst(2))
    guard let requestEnd = closingQuote(in: afterTime, from: 0) else { return nil }
    let afterRequest = Bytes(afterTime[(requestEnd + 1)...])
    guard afterRequest.hasPrefix(" ") else { return nil }
    let tokens = Bytes(afterRequest.dropFirst()).pieces(" ")
    guard tokens.count >= 2, !tokens[0].isEmpty, !tokens[1].isEmpty else { return nil }
    var found = LogLine()
    found.setRequest(unescaped(Bytes(afterTime[..<requestEnd])))
    found.status = unescaped(tokens[0])
    found.setTime(.timeLocal, unescaped(time), zone: zone)
    let afterBytes = Bytes(afterRequest.dropFirst(1 + tokens[0].count + 1 + tokens[1].count))
    if afterBytes.isEmpty { return found }
    guard afterBytes.hasPrefix(" \""), let refererEnd = closingQuote(in: afterBytes, from: 2) else { return nil }
    let afterReferer = Bytes(afterBytes[(refererEnd + 1)...])
    guard afterReferer.hasPrefix(" \""), let agentEnd = closingQuote(in: afterReferer, from: 2) else { return nil }
    found.userAgent = unescaped(Bytes(afterReferer[2..<agentEnd]))
    found.loose = [Bytes(afterBytes[2..<refererEnd]), Bytes(afterReferer[agentEnd...])]
    return found
}
