import Events

/// Evaluates the fields of a collector's line: accepts, filters or rejects the record. `OrdinaryHits` does the same on
/// the fast path for ordinary lines.
struct HitRules {
    /// The index of the action of each one-digit code; nil for an unknown code.
    typealias Actions = InlineArray<10, UInt16?>

    let requiresMcid: Bool
    let actions: Actions
    private var decoded: [UInt8] = []

    init(requiresMcid: Bool, actions: [String: UInt16]) {
        self.requiresMcid = requiresMcid
        self.actions = Actions { actions[String($0)] }
    }

    /// Evaluates a line, from which `fields` were read. The delivery id of an accepted record replaces `delivery`.
    mutating func evaluate(
        _ line: Span<UInt8>, fields: borrowing LogFields, clock: inout ReceiptClock, delivery: inout [UInt8]
    ) -> Outcome {
        guard let (method, uri) = fields.requestParts else { return .reject(.malformedLine) }
        let text = fields.bytes.span
        let isHit = Self.methods.contains { text.extracting(method).equals($0) }
        let parameters = isHit ? Self.parameters(ofHit: uri, in: text) : nil
        decoded.removeAll(keepingCapacity: true)
        if let parameters { PercentCoding.appendQuery(text, in: parameters.id, to: &decoded) }
        if !fields.loose.isEmpty {
            let ownID = parameters == nil ? nil : decoded
            let isJoined = fields.loose.contains { Self.holdsHit(line, in: $0, otherThan: ownID) }
            if isJoined { return .reject(.joinedLines) }
        }
        guard let (_, hasMcid) = parameters else { return .filter(.notTracking) }
        let id = decoded.span

        // `h1685a5,d57fd6,7`: the message, the delivery, and the code of an action or of a tracked link.
        let comma = UInt8(ascii: ",")
        guard let first = id.firstIndex(of: comma, from: 0), let second = id.firstIndex(of: comma, from: first + 1),
            id.firstIndex(of: comma, from: second + 1) == nil
        else { return .reject(.malformedID) }
        let messageID = id.trimmed(0..<first)
        let deliveryID = id.trimmed(first + 1..<second)
        let third = id.trimmed(second + 1..<id.count)
        guard !messageID.isEmpty, !deliveryID.isEmpty, !third.isEmpty else { return .reject(.emptyID) }
        guard let message = BroadlogID(url: id, in: messageID),
            DeliveryID.normalize(id, in: deliveryID, into: &delivery),
            third.allSatisfy({ id[$0].hexValue != nil })
        else { return .reject(.malformedID) }
        guard third.count == 1, id[third.lowerBound].isDigit else { return .filter(.link) }
        guard let action = actions[Int(id[third.lowerBound] - 0x30)] else { return .reject(.unknownAction) }

        guard hasMcid || !requiresMcid else { return .filter(.notPush) }
        if let status = fields[.status], !fields.isMissing(status), let reason = HTTPStatus.reason(text, in: status) {
            return .filter(reason)
        }
        guard let time = fields.time(&clock) else { return .reject(.badTime) }
        let platform = fields[.userAgent].map { UserAgent.platform(text, in: $0) } ?? .unknown
        return .accept(
            Record(
                id: message.id, kind: message.kind, time: time, action: action, platform: platform,
                hasUserAgent: !fields.isMissing(fields[.userAgent])))
    }

    private static let methods = [ascii("GET"), ascii("POST")]
    private static let paths = [ascii("/r/"), ascii("/r")]
    private static let idName = ascii("id")
    private static let mcid = ascii("mcid")

    /// Whether a range of a line holds a request of a hit with another `id` than the line's own, which is nil if the
    /// line is no hit.
    private static func holdsHit(_ line: Span<UInt8>, in range: Range<Int>, otherThan ownID: [UInt8]?) -> Bool {
        for method in methods {
            var from = range.lowerBound
            while let found = line.firstIndex(of: method, from: from, to: range.upperBound) {
                from = found + method.count
                guard from < range.upperBound, line[from] == 0x20 else { continue }
                var end = from + 1
                while end < range.upperBound, line[end] > 0x20, line[end] != UInt8(ascii: "\"") {
                    end += line[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                var target: [UInt8] = []
                LogEscapes.append(line, in: from + 1..<min(end, range.upperBound), to: &target)
                guard let (value, _) = parameters(ofHit: target.indices, in: target.span) else { continue }
                var id: [UInt8] = []
                PercentCoding.appendQuery(target.span, in: value, to: &id)
                if id != ownID { return true }
            }
        }
        return false
    }

    /// The value of the first `id` of a URI with the path of hits, and whether any `mcId` has a value. Nil for another
    /// path, or if there is no `id`.
    private static func parameters(ofHit uri: Range<Int>, in text: Span<UInt8>) -> (id: Range<Int>, hasMcid: Bool)? {
        let target = RequestTarget(text, in: uri)
        guard paths.contains(where: { target.hasPath($0, in: text) }) else { return nil }
        var parameters = Parameters(target.query)
        var id: Range<Int>?
        var hasMcid = false
        while let (name, value) = parameters.next(text) {
            if id == nil, text.extracting(name).equals(idName) { id = value }
            if !value.isEmpty, text.equalsIgnoringCase(mcid, in: name) { hasMcid = true }
        }
        return id.map { ($0, hasMcid) }
    }
}
