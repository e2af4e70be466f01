import Calendar
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

    /// The paths that a scanner must capture for these rules.
    let paths: [[String]]
    /// The index in `paths` of the empty path, which captures the event itself.
    let eventPath: Int
    /// By field, the indexes of its paths; empty if events have no such value.
    private let deliveryID, actionField, timeField, tracking, platformField: Range<Int>
    /// The indexes of the paths of each value that the id is made of.
    private let idParts: [Range<Int>]
    /// The same of the only value; empty if the id is opaque, made of the texts of several.
    private let broadlogID: Range<Int>
    /// The indexes of the paths that must lead to a value.
    private let required: Range<Int>
    private let constantAction: UInt16?
    /// The actions that have a time each, with the index of its path; empty if an event is one record.
    private let times: [(action: UInt16, path: Int)]
    private(set) var actions: ActionNames
    private let learnsActions: Bool
    private let window: LogWindow
    /// The zone of times that name none; nil for UTC.
    private let zone: ZoneRules?
    /// Whether the zone decided what a time means.
    private(set) var hasUsedZone = false
    private let platform: Platform?
    /// The indexes of the paths of the names of deliveries.
    private let nameFields: [(kind: NameKind, paths: Range<Int>)]
    /// Whether records may call their delivery something.
    let findsNames: Bool
    /// Whether an event must be begun before its records are evaluated. Others are one record.
    let needsBegin: Bool
    /// What the record that was accepted last calls its delivery.
    private(set) var names: [FoundName] = []
    /// The words for a platform, in lower case. Those of the pipeline come first.
    private let platforms: [(word: [UInt8], platform: Platform)]
    private var plain: [UInt8] = []
    private var joined: [UInt8] = []
    // What was found of the event that was begun last.
    private var lacksRequired = false
    /// The indexes in `times` of those that are filled.
    private var filled: [Int] = []

    init(_ rules: RecordRules) {
        var paths: [[String]] = []
        func indexes(_ place: ValuePlace) -> Range<Int> {
            paths += place.paths
            return paths.count - place.paths.count..<paths.count
        }
        let fields = rules.fields
        deliveryID = indexes(fields[.deliveryID])
        actionField = indexes(fields[.action])
        timeField = indexes(fields[.time])
        tracking = indexes(fields[.tracking])
        platformField = indexes(fields[.platform])
        broadlogID = indexes(fields[.broadlogID])
        idParts = fields.idParts.isEmpty ? [broadlogID] : fields.idParts.map { indexes($0) }
        required = indexes(ValuePlace(firstOf: rules.require))
        nameFields = FoundName.fields.map { ($0.kind, indexes(fields[$0.field])) }.filter { !$0.1.isEmpty }
        times = rules.times.map { ($0.action, indexes(ValuePlace($0.path)).lowerBound) }
        findsNames = !nameFields.isEmpty
        needsBegin = !required.isEmpty || !times.isEmpty
        eventPath = paths.count
        self.paths = paths + [[]]
        constantAction = rules.action
        actions = ActionNames(rules.actions)
        learnsActions = rules.learnsActions
        window = rules.window
        zone = rules.payloadZone
        platform = rules.platform
        let words = rules.platforms.sorted { $0.key < $1.key } + [("ios", .ios), ("android", .android), ("web", .web)]
        platforms = words.map { (ascii($0.key).map(\.lowerCased), $0.value) }
    }

    /// Begins an event. Returns the number of its records, at least 1.
    /// - Parameter values: those at `paths`, in `text`.
    mutating func begin(_ text: Span<UInt8>, values: borrowing CapturedValues) -> Int {
        assert(needsBegin)
        let isObject = values[eventPath].kind == .object
        lacksRequired = false
        for path in required where isObject && isBlank(in: text, values[path]) { lacksRequired = true }
        filled.removeAll(keepingCapacity: true)
        guard !lacksRequired else { return 1 }
        for index in times.indices where !isBlank(in: text, values[times[index].path]) { filled.append(index) }
        return max(1, filled.count)
    }

    /// Evaluates a record of an event. The delivery id of an accepted record replaces `delivery`.
    mutating func evaluate(
        _ record: Int, of text: Span<UInt8>, values: borrowing CapturedValues, receipt: Receipt,
        delivery: inout [UInt8]
    ) -> Outcome {
        if lacksRequired { return .filter(.notPush) }
        let index: UInt16
        var timePaths = timeField
        if let constantAction {
            index = constantAction
        } else if times.isEmpty {
            let action = value(at: actionField, in: text, values: values)
            guard action.isString || action.kind == .integer else { return .reject(.missingAction) }
            guard let named = self.action(in: text, of: action) else { return .filter(.unmappedAction) }
            index = named
        } else {
            guard values[eventPath].kind == .object else { return .reject(.missingAction) }
            guard record < filled.count else { return .filter(.unmappedAction) }
            let time = times[filled[record]]
            index = time.action
            timePaths = time.path..<time.path + 1
        }
        if !tracking.isEmpty, let outcome = tracking(in: text, of: value(at: tracking, in: text, values: values)) {
            return outcome
        }

        let deliveryValue = value(at: deliveryID, in: text, values: values)
        let idValue = value(at: broadlogID, in: text, values: values)
        let hasID = broadlogID.isEmpty ? hasAllParts(in: text, values: values) : !isBlank(in: text, idValue)
        guard hasID, !isBlank(in: text, deliveryValue) else { return .reject(.missingID) }
        let message = broadlogID.isEmpty ? compositeID(in: text, values: values) : broadlogID(in: text, of: idValue)
        guard let message, deliveryID(in: text, of: deliveryValue, into: &delivery) else {
            return .reject(.malformedID)
        }

        let claimed = time(in: text, of: value(at: timePaths, in: text, values: values))
        let isPlausible = claimed.map { window.holds($0) } ?? true
        if let claimed, window.isNearBound(claimed) || !isPlausible && receipt.time == nil { hasUsedZone = true }
        guard isPlausible || times.isEmpty else { return .filter(.outOfWindow) }
        guard let time = isPlausible ? claimed ?? receipt.time : receipt.time ?? window.start
        else { return .reject(.badTime) }
        var platform = receipt.platform
        var hasUserAgent = receipt.hasUserAgent
        if let constant = self.platform {
            platform = constant
            hasUserAgent = false
        }
        if !platformField.isEmpty,
            let named = self.platform(in: text, of: value(at: platformField, in: text, values: values))
        {
            platform = named
            hasUserAgent = false
        }
        if findsNames { findNames(in: text, values: values) }
        return .accept(
            Record(
                id: message.id, kind: message.kind, time: time, action: index, platform: platform,
                hasUserAgent: hasUserAgent, clockFallback: !isPlausible))
    }
}

extension PayloadRules {
    /// The indexes of the paths of action, platform and times.
    var shownPaths: [Int] { [actionField, platformField, timeField].flatMap(\.self) + times.map(\.path) }

    /// The paths of the values of which an event that is rejected lacks one; empty if it is rejected for something
    /// else.
    func paths(of reason: RejectReason) -> [[String]] {
        switch reason {
        case .missingAction: Array(paths[actionField])
        case .missingID: (idParts + [deliveryID]).flatMap { paths[$0] }
        case .badTime: Array(paths[timeField])
        default: []
        }
    }

    /// The value of a field, at the first of its paths that has one.
    @inline(__always)
    private mutating func value(
        at paths: Range<Int>, in text: Span<UInt8>, values: borrowing CapturedValues
    ) -> JSONValue {
        switch paths.count {
        case 0: JSONValue()
        case 1: values[paths.lowerBound]
        default: firstValue(at: paths, in: text, values: values)
        }
    }

    private mutating func firstValue(
        at paths: Range<Int>, in text: Span<UInt8>, values: borrowing CapturedValues
    ) -> JSONValue {
        for path in paths where !isBlank(in: text, values[path]) { return values[path] }
        return JSONValue()
    }

    /// Whether none of the values that the id is made of is missing.
    private mutating func hasAllParts(in text: Span<UInt8>, values: borrowing CapturedValues) -> Bool {
        for part in idParts where isBlank(in: text, value(at: part, in: text, values: values)) { return false }
        return true
    }

    /// Calls `body` with a text and a range of it: the content of a string, or the digits of a number.
    @inline(__always)
    private mutating func withText<Result>(
        in text: Span<UInt8>, of value: JSONValue, _ body: (Span<UInt8>, Range<Int>) -> Result
    ) -> Result {
        guard value.kind == .escapedString else { return body(text, value.range) }
        plain.removeAll(keepingCapacity: true)
        JSONText.append(text, in: value.range, to: &plain)
        return body(plain.span, 0..<plain.count)
    }

    private mutating func action(in text: Span<UInt8>, of value: JSONValue) -> UInt16? {
        if value.kind != .escapedString, let index = actions.index(of: text, in: value.range) { return index }
        guard value.kind == .escapedString || learnsActions else { return nil }
        let learns = learnsActions
        var actions = actions
        let index = withText(in: text, of: value) { text, range in
            actions.index(of: text, in: range) ?? (learns ? actions.learn(text, in: range) : nil)
        }
        if learns { self.actions = actions }
        return index
    }

    /// Evaluates the tracking value: nil if the record passes.
    private mutating func tracking(in text: Span<UInt8>, of value: JSONValue) -> Outcome? {
        if value.isAbsent { return nil }
        guard value.isString else { return .reject(.badTracking) }
        return withText(in: text, of: value) { text, range in
            let word = text.trimmed(range)
            if text.equalsIgnoringCase(Self.on, in: word) { return nil }
            return text.equalsIgnoringCase(Self.off, in: word) ? .filter(.trackingOff) : .reject(.badTracking)
        }
    }

    private mutating func isBlank(in text: Span<UInt8>, _ value: JSONValue) -> Bool {
        guard value.isString else { return value.isAbsent }
        return withText(in: text, of: value) { $0.trimmed($1).isEmpty }
    }

    private mutating func broadlogID(in text: Span<UInt8>, of value: JSONValue) -> BroadlogID? {
        if value.kind == .integer { return BroadlogID(integer: text, in: value.range) }
        guard value.isString else { return nil }
        return withText(in: text, of: value) { BroadlogID(json: $0, in: $0.trimmed($1)) }
    }

    /// The id that several values make together.
    private mutating func compositeID(in text: Span<UInt8>, values: borrowing CapturedValues) -> BroadlogID? {
        var joined = exchange(&self.joined, with: [])
        defer { self.joined = joined }
        joined.removeAll(keepingCapacity: true)
        for part in idParts {
            let value = value(at: part, in: text, values: values)
            guard value.isString || value.kind == .integer else { return nil }
            let isSound = withText(in: text, of: value) { BroadlogID.append(part: $0, in: $0.trimmed($1), to: &joined) }
            guard isSound else { return nil }
        }
        return BroadlogID(joined: joined.span)
    }

    private mutating func deliveryID(in text: Span<UInt8>, of value: JSONValue, into delivery: inout [UInt8]) -> Bool {
        if value.kind == .integer { return DeliveryID.normalize(text, in: value.range, into: &delivery) }
        guard value.isString else { return false }
        return withText(in: text, of: value) { DeliveryID.normalize($0, in: $0.trimmed($1), into: &delivery) }
    }

    /// The payload's time in milliseconds since 1970-01-01T00:00:00Z; nil if there is no valid time.
    private mutating func time(in text: Span<UInt8>, of value: JSONValue) -> Int64? {
        let time: PayloadTime? =
            switch value.kind {
            case .integer, .decimal: PayloadTime(number: text, in: value.range)
            case .string, .escapedString: withText(in: text, of: value) { PayloadTime(text: $0, in: $1) }
            default: nil
            }
        switch time {
        case .instant(let instant): return instant
        case .civil(let civil):
            if let offset = civil.offset { return civil.instant(offset: offset) }
            guard let zone else { return civil.instant(offset: 0) }
            hasUsedZone = true
            return civil.instant(offset: zone.offset(atLocal: civil.seconds))
        case nil: return nil
        }
    }

    private mutating func platform(in text: Span<UInt8>, of value: JSONValue) -> Platform? {
        guard value.isString || value.kind == .integer else { return nil }
        let platforms = platforms
        return withText(in: text, of: value) { text, range in
            let words = platforms.span
            for index in words.indices where text.equalsIgnoringCase(words[index].word, in: range) {
                return words[index].platform
            }
            return nil
        }
    }

    private mutating func findNames(in text: Span<UInt8>, values: borrowing CapturedValues) {
        names.removeAll(keepingCapacity: true)
        for (kind, paths) in nameFields {
            let value = value(at: paths, in: text, values: values)
            guard value.isString else { continue }
            let name = withText(in: text, of: value) { FoundName(kind, from: $0, in: $0.trimmed($1)) }
            if let name { names.append(name) }
        }
    }

    private static let on = ascii("on")
    private static let off = ascii("off")
}

extension Span<UInt8> {
    /// Whether the bytes in `range` equal a word, ignoring case. The word is in lower case.
    func equalsIgnoringCase(_ word: [UInt8], in range: Range<Int>) -> Bool {
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
    func index(of text: Span<UInt8>, in range: Range<Int>) -> UInt16? {
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
    mutating func learn(_ text: Span<UInt8>, in range: Range<Int>) -> UInt16? {
        guard actions.count < ActionNames.learnLimit else { return nil }
        let start = bytes.count
        bytes.append(text, in: range)
        let index = (actions.map(\.index).max() ?? 0) + 1
        actions.append((start..<bytes.count, index))
        return index
    }

    /// The names by their indices.
    var names: [UInt16: String] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0.index, String(decoding: bytes[$0.range], as: UTF8.self)) })
    }
}
