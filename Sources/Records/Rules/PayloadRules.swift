import Events

/// Evaluates the values of an event in a JSON payload: accepts, filters or rejects the record.
struct PayloadRules {
    /// The facts about the request that brought the payload.
    struct Receipt {
        /// The time of the log line in milliseconds since 1970-01-01T00:00:00Z; nil if there is no valid time.
        var time: Int64?
        var platform = Platform.unknown
        var hasUserAgent = false
    }

    /// The indexes of paths that every source has.
    private enum Path: Int {
        case deliveryID, action, time, broadlogID
    }

    /// The paths that a scanner must capture for these rules.
    let paths: [[String]]
    /// The indexes in `paths` of the values that the id is made of.
    private let idPaths: Range<Int>
    /// Whether the id is opaque, made of the texts of its values.
    private let isComposite: Bool
    private let trackingPath: Int?
    private let platformPath: Int?
    private(set) var actions: ActionNames
    private let learnsActions: Bool
    private let window: LogWindow
    private let platform: Platform?
    /// The words for a platform, in lower case. Those of the pipeline come first.
    private let platforms: [(word: [UInt8], platform: Platform)]
    private var plain: [UInt8] = []
    private var joined: [UInt8] = []

    init(_ rules: RecordRules) {
        let fields = rules.fields
        isComposite = !fields.idParts.isEmpty
        var paths = [fields.deliveryID, fields.action, fields.time]
        paths += isComposite ? fields.idParts : [fields.broadlogID]
        idPaths = Path.broadlogID.rawValue..<paths.count
        trackingPath = fields.tracking.isEmpty ? nil : paths.count
        if !fields.tracking.isEmpty { paths.append(fields.tracking) }
        platformPath = fields.platform == nil ? nil : paths.count
        if let path = fields.platform { paths.append(path) }
        self.paths = paths
        actions = ActionNames(rules.actions)
        learnsActions = rules.learnsActions
        window = rules.window
        platform = rules.platform
        let words = rules.platforms.sorted { $0.key < $1.key } + [("ios", .ios), ("android", .android), ("web", .web)]
        platforms = words.map { (ascii($0.key).map(\.lowerCased), $0.value) }
    }

    /// Evaluates a payload. The delivery id of an accepted record replaces `delivery`.
    /// - Parameters:
    ///   - scanner: has scanned `text` and captured `paths`.
    ///   - row: the scanner's row of this payload.
    mutating func evaluate(
        _ text: Span<UInt8>, _ scanner: borrowing JSONScanner, row: Int, receipt: Receipt, delivery: inout [UInt8]
    ) -> Outcome {
        let action = scanner.value(Path.action.rawValue, row: row)
        guard action.isString || action.kind == .integer else { return .reject(.missingAction) }
        guard let index = self.action(text, action) else { return .filter(.unmappedAction) }
        if let trackingPath, let outcome = tracking(text, scanner.value(trackingPath, row: row)) { return outcome }

        let deliveryValue = scanner.value(Path.deliveryID.rawValue, row: row)
        for path in idPaths where isBlank(text, scanner.value(path, row: row)) { return .reject(.missingID) }
        guard !isBlank(text, deliveryValue) else { return .reject(.missingID) }
        let message =
            isComposite
            ? compositeID(text, scanner, row: row)
            : broadlogID(text, scanner.value(Path.broadlogID.rawValue, row: row))
        guard let message, deliveryID(text, deliveryValue, &delivery) else { return .reject(.malformedID) }

        let claimed = time(text, scanner.value(Path.time.rawValue, row: row))
        let isPlausible = claimed.map { window.holds($0) } ?? true
        guard let time = isPlausible ? claimed ?? receipt.time : receipt.time ?? window.start
        else { return .reject(.badTime) }
        var platform = receipt.platform
        var hasUserAgent = receipt.hasUserAgent
        if let constant = self.platform {
            platform = constant
            hasUserAgent = false
        }
        if let platformPath, let named = self.platform(text, scanner.value(platformPath, row: row)) {
            platform = named
            hasUserAgent = false
        }
        return .accept(
            Record(
                id: message.id, kind: message.kind, time: time, action: index, platform: platform,
                hasUserAgent: hasUserAgent, clockFallback: !isPlausible))
    }
}

extension PayloadRules {
    /// Calls `body` with a text and a range of it: the content of a string, or the digits of a number.
    @inline(__always)
    private mutating func withText<Result>(
        _ text: Span<UInt8>, _ value: JSONValue, _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result {
        guard value.kind == .escapedString else { return body(text, value.range) }
        plain.removeAll(keepingCapacity: true)
        JSONText.append(text, value.range, to: &plain)
        return body(plain.span, 0..<plain.count)
    }

    private mutating func action(_ text: Span<UInt8>, _ value: JSONValue) -> UInt16? {
        if value.kind != .escapedString, let index = actions.index(of: text, value.range) { return index }
        guard value.kind == .escapedString || learnsActions else { return nil }
        let learns = learnsActions
        var actions = actions
        let index = withText(text, value) { text, range in
            actions.index(of: text, range) ?? (learns ? actions.learn(text, range) : nil)
        }
        if learns { self.actions = actions }
        return index
    }

    /// Evaluates the tracking value: nil if the record passes.
    private mutating func tracking(_ text: Span<UInt8>, _ value: JSONValue) -> Outcome? {
        if value.isAbsent { return nil }
        guard value.isString else { return .reject(.badTracking) }
        return withText(text, value) { text, range in
            let word = text.trimmed(range)
            if text.equalsIgnoringCase(Self.on, word) { return nil }
            return text.equalsIgnoringCase(Self.off, word) ? .filter(.trackingOff) : .reject(.badTracking)
        }
    }

    private mutating func isBlank(_ text: Span<UInt8>, _ value: JSONValue) -> Bool {
        guard value.isString else { return value.isAbsent }
        return withText(text, value) { $0.trimmed($1).isEmpty }
    }

    private mutating func broadlogID(_ text: Span<UInt8>, _ value: JSONValue) -> BroadlogID? {
        if value.kind == .integer { return BroadlogID(integer: text, value.range) }
        guard value.isString else { return nil }
        return withText(text, value) { BroadlogID(json: $0, $0.trimmed($1)) }
    }

    /// The id that several values make together.
    private mutating func compositeID(
        _ text: Span<UInt8>, _ scanner: borrowing JSONScanner, row: Int
    ) -> BroadlogID? {
        var joined = exchange(&self.joined, with: [])
        defer { self.joined = joined }
        joined.removeAll(keepingCapacity: true)
        for path in idPaths {
            let value = scanner.value(path, row: row)
            guard value.isString || value.kind == .integer else { return nil }
            let isSound = withText(text, value) { BroadlogID.append(part: $0, $0.trimmed($1), to: &joined) }
            guard isSound else { return nil }
        }
        return BroadlogID(joined: joined.span)
    }

    private mutating func deliveryID(_ text: Span<UInt8>, _ value: JSONValue, _ delivery: inout [UInt8]) -> Bool {
        if value.kind == .integer { return DeliveryID.normalize(text, value.range, into: &delivery) }
        guard value.isString else { return false }
        return withText(text, value) { DeliveryID.normalize($0, $0.trimmed($1), into: &delivery) }
    }

    /// The payload's time in milliseconds since 1970-01-01T00:00:00Z; nil if there is no valid time.
    private mutating func time(_ text: Span<UInt8>, _ value: JSONValue) -> Int64? {
        switch value.kind {
        case .integer, .decimal: EpochTime.payloadTime(text, value.range, exponent: true)
        case .string, .escapedString: withText(text, value) { Self.time(ofText: $0, $1) }
        default: nil
        }
    }

    static func time(ofText text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        if let civil = CivilTime(iso: text, range, dateAlone: true) { return civil.instant(offset: civil.offset ?? 0) }
        return EpochTime.payloadTime(text, range, exponent: false)
    }

    private mutating func platform(_ text: Span<UInt8>, _ value: JSONValue) -> Platform? {
        guard value.isString || value.kind == .integer else { return nil }
        let platforms = platforms
        return withText(text, value) { text, range in
            let words = platforms.span
            for index in words.indices where text.equalsIgnoringCase(words[index].word, range) {
                return words[index].platform
            }
            return nil
        }
    }

    private static let on = ascii("on")
    private static let off = ascii("off")
}

extension Span<UInt8> {
    /// Whether the bytes in `range` equal a word, ignoring case. The word is in lower case.
    func equalsIgnoringCase(_ word: [UInt8], _ range: Range<Int>) -> Bool {
        assert(word.allSatisfy { $0 == $0.lowerCased })
        guard range.count == word.count else { return false }
        for offset in word.indices where self[range.lowerBound + offset].lowerCased != word[offset] { return false }
        return true
    }
}

/// The names of the actions in payloads. There are only a few, so a linear search is enough.
struct ActionNames {
    private var bytes: [UInt8] = []
    private var actions: [(range: Range<Int>, index: UInt16)] = []

    /// The most names that are learned.
    private static let learnLimit = 1000

    /// - Parameter indices: the index of each action, by its name.
    init(_ indices: [String: UInt16]) {
        for (name, index) in indices.sorted(by: { $0.value < $1.value }) {
            let start = bytes.count
            bytes += Array(name.utf8)
            actions.append((start..<bytes.count, index))
        }
    }

    /// The index of the action with the name in `range`; nil if there is none.
    @inline(__always)
    func index(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        let actions = actions.span
        let bytes = bytes.span
        for entry in actions.indices
        where actions[entry].range.count == range.count
            && text.holds(bytes.extracting(actions[entry].range), at: range.lowerBound)
        {
            return actions[entry].index
        }
        return nil
    }

    /// Adds the name in `range` with the next index. Returns nil if there are too many names.
    mutating func learn(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        guard actions.count < ActionNames.learnLimit else { return nil }
        let start = bytes.count
        bytes.append(text, range)
        let index = (actions.map(\.index).max() ?? 0) + 1
        actions.append((start..<bytes.count, index))
        return index
    }

    /// The names by their indices.
    var names: [UInt16: String] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0.index, String(decoding: bytes[$0.range], as: UTF8.self)) })
    }
}
