/// Reads the layout `combined`: the NCSA formats combined and common, as nginx and Apache write them.
///
///     203.0.113.7 - - [19/Nov/2026:10:00:00 +0100] "GET /r/?id=h1685a5,d57fd6,7&mcId=… HTTP/1.1" 200 0 "-" "Mozilla/…"
///
/// The user may contain spaces. The referer and the user agent may be missing, and anything may follow them.
enum CombinedLayout {
    /// Fills `fields` from left to right.
    static func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.begin(line)
        let host = try word(in: line, from: 0, called: "a host", until: space, context: "before the identity")
        let identity = try word(
            in: line, from: host + 1, called: "an identity", until: space, context: "before the user")
        let user = try word(
            in: line, from: identity + 1, called: "a user", until: beforeTime, context: "before the time")
        let time = user + beforeTime.count
        let timeEnd = try line.next(afterTime, from: time, context: "after the time")
        fields.keepTime(.timeLocal, of: line, in: time..<timeEnd)
        let request = try line.end(of: beforeQuoted, at: timeEnd + 1, "before the request")
        let requestEnd = try line.closingQuote(from: request, "after the request")
        fields[.request] = fields.unescape(line, in: request..<requestEnd)
        let status = try line.end(of: space, at: requestEnd + 1, "before the status")
        let statusEnd = try word(in: line, from: status, called: "a status", until: space, context: "before the size")
        try fields.keepStatus(line, in: status..<statusEnd)
        let size = statusEnd + 1
        let sizeEnd = line.firstIndex(of: 0x20, from: size) ?? line.count
        guard sizeEnd > size else { throw Misfit("a size", at: size) }
        guard sizeEnd < line.count else { return }

        let referer = try line.end(of: beforeQuoted, at: sizeEnd, "before the referer")
        let refererEnd = try line.closingQuote(from: referer, "after the referer")
        let agent = try line.end(of: beforeQuoted, at: refererEnd + 1, "before the user agent")
        let agentEnd = try line.closingQuote(from: agent, "after the user agent")
        fields.leaveLoose(line, in: referer..<refererEnd)
        fields.leaveLoose(line, in: agentEnd..<line.count)
        fields[.userAgent] = fields.unescape(line, in: agent..<agentEnd)
    }

    /// The end of a field, which must not be empty and ends before `literal`.
    private static func word(
        in line: Span<UInt8>, from start: Int, called name: String, until literal: [UInt8],
        context: String
    ) throws(Misfit) -> Int {
        let end = try line.next(literal, from: start, context: context)
        guard end > start else { throw Misfit(name, at: start) }
        return end
    }

    private static let space = ascii(" ")
    private static let beforeTime = ascii(" [")
    private static let afterTime = ascii("]")
    private static let beforeQuoted = ascii(" \"")
}
