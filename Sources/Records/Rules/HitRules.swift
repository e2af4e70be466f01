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

    /// Evaluates a line. The delivery id of an accepted record replaces `delivery`.
    mutating func evaluate(
        _ fields: borrowing LogFields, clock: inout ReceiptClock, delivery: inout [UInt8]
    ) -> Outcome {
        guard let (method, uri) = fields.requestParts else { return .reject(.malformedLine) }
        let text = fields.bytes.span
        guard Self.methods.contains(where: { text.extracting(method).equals($0) }) else { return .filter(.notTracking) }
        let target = RequestTarget(text, uri)
        guard Self.paths.contains(where: { target.hasPath($0, in: text) }),
            let (idRange, hasMcid) = Self.parameters(text, target.query)
        else { return .filter(.notTracking) }

        decoded.removeAll(keepingCapacity: true)
        PercentCoding.appendQuery(text, idRange, to: &decoded)
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
        guard let message = BroadlogID(url: id, messageID), DeliveryID.normalize(id, deliveryID, into: &delivery),
            third.allSatisfy({ id[$0].hexValue != nil })
        else { return .reject(.malformedID) }
        guard third.count == 1, id[third.lowerBound].isDigit else { return .filter(.link) }
        guard let action = actions[Int(id[third.lowerBound] - 0x30)] else { return .reject(.unknownAction) }

        guard hasMcid || !requiresMcid else { return .filter(.notPush) }
        if let status = fields[.status], !fields.isMissing(status), let reason = HTTPStatus.reason(text, status) {
            return .filter(reason)
        }
        guard let range = fields[.time], let time = clock.time(text, range, fields.timeForm) else {
            return .reject(.badTime)
        }
        let platform = fields[.userAgent].map { UserAgent.platform(text, $0) } ?? .unknown
        return .accept(
            Record(
                id: message.id, kind: message.kind, time: time, action: action, platform: platform,
                hasUserAgent: !fields.isMissing(fields[.userAgent])))
    }

    private static let methods = [ascii("GET"), ascii("POST")]
    private static let paths = [ascii("/r/"), ascii("/r")]
    private static let idName = ascii("id")

    /// The value of the first `id`, and whether any `mcId` has a value. Nil if there is no `id`.
    private static func parameters(_ text: Span<UInt8>, _ query: Range<Int>) -> (id: Range<Int>, hasMcid: Bool)? {
        var parameters = Parameters(query)
        var id: Range<Int>?
        var hasMcid = false
        while let (name, value) = parameters.next(text) {
            if id == nil, text.extracting(name).equals(idName) { id = value }
            if !value.isEmpty, isMcid(text, name) { hasMcid = true }
        }
        return id.map { ($0, hasMcid) }
    }

    private static func isMcid(_ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
        guard name.count == 4 else { return false }
        return text.halfWord(at: name.lowerBound) | 0x2020_2020 == 0x6469_636D
    }
}
