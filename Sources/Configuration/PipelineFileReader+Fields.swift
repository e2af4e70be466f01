import Events
import Messages
import Records

/// The keys of a source that say where each value of a payload lies, and what it means.
extension PipelineFileReader {
    /// The places of the values.
    /// - Parameters:
    ///   - keys: the keys of the source.
    ///   - arePaths: whether values lie at paths, and not in columns.
    mutating func fields(of keys: Mapping, format: RecordFormat?, arePaths: Bool) -> FieldPaths {
        let constants: [(field: FieldPaths.Field, key: String)] =
            (keys["action"] == nil ? [] : [(.action, "action")])
            + (keys["times"] == nil ? [] : [(.action, "times"), (.time, "times")])
        var fields = format?.defaultFields ?? [:]
        for (field, _) in constants { fields[field] = [] }
        let names = FieldPaths.Field.allCases.map(\.rawValue)
        guard let entry = keys["fields"], format != .collector,
            let places = mapping(entry.value, called: "'fields'", keys: names)
        else { return fields }
        for field in [FieldPaths.Field.broadlogID, .deliveryID, .action, .time]
        where format == .events && places[field.rawValue] == nil && !constants.contains(where: { $0.field == field }) {
            noteMissing(field.rawValue, in: "'fields'", at: places.place)
        }
        for field in FieldPaths.Field.allCases {
            guard let entry = places[field.rawValue] else { continue }
            if let (_, key) = constants.first(where: { $0.field == field }) {
                fault(
                    .valueTwice,
                    text: "'\(entry.key)' of 'fields' does not belong beside '\(key)', which tells it; remove one",
                    at: entry.place)
            } else if field == .broadlogID, case .list = entry.value.content, let nodes = list(entry) {
                fields[field] = []
                fields.idParts = nodes.compactMap { place(entry.with($0), isPath: arePaths) }
            } else if let place = place(entry, isPath: arePaths) {
                fields[field] = place
            }
        }
        return fields
    }

    /// A path, or `{first: [path, …]}`.
    private mutating func place(_ entry: Entry, isPath: Bool) -> ValuePlace? {
        switch entry.value.content {
        case .scalar: return names(entry, isPath: isPath).map { ValuePlace($0) }
        case .list:
            fault(
                .wrongType,
                text:
                    "'\(entry.key)' must be a path, not a list; write {first: [a, b]} for the first path that has a value",
                at: entry.value.place)
            return nil
        case .mapping:
            guard let keys = mapping(entry.value, called: "'\(entry.key)'", keys: ["first"]) else { return nil }
            guard let first = keys["first"] else {
                noteMissing("first", in: "'\(entry.key)'", at: keys.place)
                return nil
            }
            return list(first).map { nodes in
                ValuePlace(firstOf: nodes.compactMap { names(first.with($0), isPath: isPath) })
            }
        }
    }

    /// The names of a path, or the name of a column.
    private mutating func names(_ entry: Entry, isPath: Bool) -> [String]? {
        guard !isPath else { return fieldPath(entry) }
        return text(entry).map { text in
            let bytes = Array(text.utf8)
            return [String(decoding: bytes[bytes.span.trimmed(0..<bytes.count)], as: UTF8.self)]
        }
    }

    /// The names of a path.
    mutating func fieldPath(_ entry: Entry?) -> [String]? {
        guard let entry, let text = text(entry) else { return nil }
        if let names = PathText.names(text) { return names }
        let hint: MessageText =
            text.contains("\"") ? "; a name that holds a dot stands in double quotes, as in '\"event.kind\".id'" : ""
        fault(
            .badFieldPath, text: "'\(entry.key)' must be names with dots between them, not '\(text)'" + hint,
            at: entry.value.place)
        return nil
    }

    /// The paths that must lead to a value.
    mutating func require(_ entry: Entry?, arePaths: Bool) -> [[String]] {
        guard let entry, let nodes = list(entry) else { return [] }
        return nodes.compactMap { names(entry.with($0), isPath: arePaths) }
    }

    /// The platform for each word in payloads that is not pushetl's own.
    mutating func platforms(_ entry: Entry?) -> [String: Platform] {
        guard let entry, let keys = mapping(entry.value, called: "'platforms'", keys: nil) else { return [:] }
        if keys.entries.isEmpty { noteEmpty(entry) }
        var platforms: [String: Platform] = [:]
        var lines: [String: Int] = [:]
        for entry in keys.entries {
            // Words are compared without regard to the case of ASCII letters.
            let key = String(decoding: entry.key.utf8.map(\.lowerCased), as: UTF8.self)
            if let line = lines[key] {
                fault(.duplicateKey, text: "duplicate key '\(entry.key)', first in line \(line)", at: entry.place)
            }
            lines[key] = lines[key] ?? entry.place.line
            let word: PlatformWord? = word(entry, called: "platform")
            // One of pushetl's own words with its own meaning adds nothing.
            if PlatformWord(rawValue: key) != word { platforms[entry.key] = word?.platform }
        }
        return platforms
    }

    // MARK: Actions

    /// Adds a fault if more than one of these keys gives the actions.
    mutating func noteActionsTwice(_ keys: Mapping) {
        let given = ["action", "times", "actions"].compactMap { keys[$0] }
        for entry in given.dropFirst() {
            fault(
                .valueTwice,
                text: "'\(entry.key)' does not belong beside '\(given[0].key)', which tells the actions; remove one",
                at: entry.place)
        }
    }

    /// The action of all events.
    mutating func action(_ entry: Entry?) -> String? {
        guard let entry, let name = text(entry) else { return nil }
        checkActionName(name, at: entry.value.place)
        return name
    }

    /// The path of each action's time.
    mutating func times(_ entry: Entry?, arePaths: Bool) -> [(action: String, path: [String])] {
        guard let entry, let keys = mapping(entry.value, called: "'times'", keys: nil) else { return [] }
        if keys.entries.isEmpty { noteEmpty(entry) }
        return keys.entries.compactMap { time in
            checkActionName(time.key, at: time.place)
            return names(time, isPath: arePaths).map { (time.key, $0) }
        }
    }

    mutating func actions(in entry: Entry?, format: RecordFormat?) -> [String: String]? {
        guard let entry, let keys = mapping(entry.value, called: "'actions'", keys: nil) else { return nil }
        if keys.entries.isEmpty { noteEmpty(entry) }
        var actions: [String: String] = [:]
        for action in keys.entries {
            if format == .collector, action.key.wholeMatch(of: /[0-9]/) == nil {
                fault(
                    .badActionCode, text: "a collector's action code must be one decimal digit, not '\(action.key)'",
                    at: action.place)
            }
            guard let name = text(action) else { continue }
            checkActionName(name, at: action.value.place)
            actions[action.key] = name
        }
        return actions
    }

    private mutating func checkActionName(_ name: String, at place: Place) {
        if name.wholeMatch(of: /[a-z][a-z0-9_]*/) == nil {
            fault(
                .badActionName, text: "action name '\(name)' must begin with a-z and hold only a-z, 0-9 and '_'",
                at: place
            )
        } else if let near = name.nearFunnelAction {
            warn(
                .nearActionName, text: "action name '\(name)' does not count as '\(near)', did you mean '\(near)'?",
                at: place)
        }
    }
}

extension String {
    /// The funnel's action that an action name resembles: one edit away from it, or from the name of its column, or
    /// another form of its word. A name with a digit, such as `open2`, is taken as intended.
    fileprivate var nearFunnelAction: String? {
        let actions = [
            "impression": "impression", "click": "click", "open": "open", "arrival": "arrival", "sent": "sent",
            "failed": "failed", "impressed": "impression", "clicked": "click", "opened": "open", "arrived": "arrival",
        ]
        // One edit away from these are other words, such as `mail`.
        let forms = ["send": "sent", "sends": "sent", "fail": "failed", "fails": "failed", "failure": "failed"]
        guard !Set(actions.values).contains(self), !contains(where: \.isNumber) else { return nil }
        return actions[self] ?? forms[self] ?? nearest(of: actions.keys.sorted(), within: 1).flatMap { actions[$0] }
    }
}
