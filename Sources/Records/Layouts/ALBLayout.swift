/// Reads the layout `alb`: the access logs of AWS application load balancers, by position, and those of Classic load
/// balancers, which have no type in front.
///
///     https 2018-07-02T22:23:00.186641Z app/lb/50dc6c49 192.0.2.1:2817 10.0.0.1:80 0.08 0.02 0.03 200 200 0 57
///     "GET https://www.example.com:443/r/?id=h1685a5,d57fd6,7 HTTP/1.1" "Mozilla/5.0 …" …
///
/// Here the line is broken in two. More fields may follow. Source: AWS, "Access logs for your Application Load
/// Balancer" and "Access logs for your Classic Load Balancer".
enum ALBLayout {
    /// Fills `fields` from left to right.
    static func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.begin(line)
        var next = 0
        let isClassic = !line.isEmpty && line[0].isDigit
        if !isClassic {
            let type = try field("a type", in: line, from: &next)
            guard types.contains(where: { $0.count == type.count && line.holds($0, at: type.lowerBound) }) else {
                throw Misfit("a type (http, https, h2, grpcs, ws or wss) or a time", at: 0)
            }
        }
        fields.keepTime(.iso8601, of: line, in: try field("a time", in: line, from: &next))
        for index in beforeStatus.indices { _ = try field(beforeStatus[index], in: line, from: &next) }
        try fields.keepStatus(line, in: try field("a status", in: line, from: &next))
        for index in beforeRequest.indices { _ = try field(beforeRequest[index], in: line, from: &next) }
        let request = try quoted("the request", in: line, from: &next)
        fields.split(request: fields.unescape(line, in: request))
        if isClassic, next == line.count { return }
        next = try line.end(of: space, at: next, "before the user agent")
        fields[.userAgent] = fields.unescape(line, in: try quoted("the user agent", in: line, from: &next))
        fields.leaveLoose(line, in: next..<line.count)
    }

    private static let space = ascii(" ")
    private static let quote = ascii("\"")
    private static let beforeStatus = ["a load balancer", "a client", "a target", "a time", "a time", "a time"]
    private static let beforeRequest = ["a target's status", "a number of bytes", "a number of bytes"]
    private static let types = ["http", "https", "h2", "grpcs", "ws", "wss"].map { ascii($0) }

    /// The range of a field that a space ends. Advances `next` past the space.
    private static func field(
        _ name: @autoclosure () -> String, in line: Span<UInt8>, from next: inout Int
    ) throws(Misfit) -> Range<Int> {
        let start = next
        guard let end = line.firstIndex(of: 0x20, from: start) else {
            throw Misfit("a space", at: line.count, context: "after \(name())")
        }
        guard end > start else { throw Misfit(name(), at: start) }
        next = end + 1
        return start..<end
    }

    /// The range between the quotes of a value. Advances `next` past the closing quote.
    private static func quoted(
        _ name: String, in line: Span<UInt8>, from next: inout Int
    ) throws(Misfit) -> Range<Int> {
        let start = try line.end(of: quote, at: next, "before \(name)")
        let end = try line.closingQuote(from: start, "after \(name)")
        next = end + 1
        return start..<end
    }
}
