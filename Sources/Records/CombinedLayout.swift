/// NCSA combined and common, as nginx and Apache write them:
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,d57fd6,7&mcId=… HTTP/1.1" 200 0 "-" "Mozilla/5.0 …"
///
/// The user may hold spaces; the referer and the user agent may be missing, and anything may follow them.
enum CombinedLayout {
    /// Fills `fields`; false if the line does not fit.
    static func read(_ line: Span<UInt8>, into fields: inout LogFields) -> Bool {
        let quote = UInt8(ascii: "\"")
        guard let host = line.firstIndex(of: 0x20, from: 0), host > 0,
            let identity = line.firstIndex(of: 0x20, from: host + 1), identity > host + 1,
            let user = line.firstIndex(of: [0x20, UInt8(ascii: "[")], from: identity + 1, to: line.count),
            user > identity + 1,
            let timeEnd = line.firstIndex(of: UInt8(ascii: "]"), from: user + 2),
            line.holds([0x20, quote], at: timeEnd + 1),
            let requestEnd = LogEscapes.closingQuote(line, from: timeEnd + 3),
            requestEnd + 1 < line.count, line[requestEnd + 1] == 0x20,
            let statusEnd = line.firstIndex(of: 0x20, from: requestEnd + 2), statusEnd > requestEnd + 2
        else { return false }
        let bytesEnd = line.firstIndex(of: 0x20, from: statusEnd + 1) ?? line.count
        guard bytesEnd > statusEnd + 1 else { return false }

        fields.removeAll()
        if bytesEnd < line.count {
            guard line.holds([0x20, quote], at: bytesEnd),
                let refererEnd = LogEscapes.closingQuote(line, from: bytesEnd + 2),
                line.holds([0x20, quote], at: refererEnd + 1),
                let agentEnd = LogEscapes.closingQuote(line, from: refererEnd + 3)
            else { return false }
            fields.userAgent = fields.unescape(line, refererEnd + 3..<agentEnd)
        }
        fields.time = fields.unescape(line, user + 2..<timeEnd)
        fields.timeForm = .timeLocal
        fields.request = fields.unescape(line, timeEnd + 3..<requestEnd)
        fields.status = fields.unescape(line, requestEnd + 2..<statusEnd)
        return true
    }
}
