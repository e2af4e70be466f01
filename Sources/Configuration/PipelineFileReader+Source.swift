import Events
import Foundation
import LogFiles
import Records

extension PipelineFileReader {
    private static let sourceKeys = [
        "name", "format", "layout", "dialect", "require_mcid", "required", "files", "platform", "id_space", "path",
        "fields", "actions", "layout_fields", "timezone", "unwrap", "elements", "platforms",
    ]
    private static let collectorKeys: Set = ["dialect", "require_mcid"]
    private static let payloadKeys: Set = ["platform", "path", "fields", "platforms"]

    /// One entry of `sources`: the source if all is well with it, and its name with its location in any case.
    mutating func source(_ node: YAMLNode, number: Int) -> (source: Source?, name: (text: String, location: Location)?)
    {
        guard let keys = mapping(node, "a source", keys: Self.sourceKeys) else { return (nil, nil) }
        let name = text(keys["name"])
        let format: RecordFormat? = word(keys["format"], "format")
        noteMissingKeys(keys, owner: name.map { "source '\($0)'" } ?? "source \(number)", format)
        noteForeignKeys(keys, format)

        let layout = layout(keys["layout"], keys["layout_fields"], format)
        if let path = keys["path"], layout?.layout == .body, format != nil, format != .collector {
            note(.pathWithBody, at: path.location)
        }
        let unwrap = fieldPath(keys["unwrap"]) ?? []
        if let entry = keys["unwrap"], layout?.layout == .body, format?.hasBodies == true {
            note(.unwrapOfBodies, at: entry.location)
        }
        let dialect: Source.Dialect = word(keys["dialect"], "dialect") ?? .campaignStandard
        let requireMcid = flag(keys["require_mcid"]) ?? false
        let required = flag(keys["required"]) ?? true
        let files = patterns(keys["files"])
        let platform: PlatformWord? = word(keys["platform"], "platform")
        let idSpace = text(keys["id_space"]) ?? "push"
        let path = text(keys["path"])
        if let path, path.utf8.first != UInt8(ascii: "/"), let entry = keys["path"] {
            note(.pathWithoutSlash(path), at: entry.valueLocation)
        }
        let zone = keys["timezone"].flatMap { self.zone($0) }
        if let layout, let entry = keys["timezone"] {
            if layout.layout.isInUTC { note(.zoneOfUTCLayout(layout.text), at: entry.location) }
            if layout.layout == .body { warn(.zoneWithoutTimes(layout: layout.text), at: entry.location) }
        }
        if let entry = keys["dialect"], keys["actions"] != nil { warn(.replacedDialect, at: entry.location) }
        if format == .events, let layout, layout.layout != .body, keys["path"] == nil {
            note(.missingKey("path", owner: name.map { "source '\($0)'" } ?? "source \(number)"), at: keys.location)
        }
        let fields = fields(keys["fields"], format)
        let isEach = keys["elements"].map { $0.value.has(.str) && $0.value.plainText.isEmpty } ?? true
        let elements = isEach ? [] : fieldPath(keys["elements"]) ?? []
        let platforms = platforms(keys["platforms"])
        let actions = actions(keys["actions"], format)

        let named = name.map { (text: $0, location: keys["name"]?.valueLocation ?? keys.location) }
        guard let name, let format, let layout, let files, problems.isEmpty else { return (nil, named) }
        let source = Source(
            name: name, format: format, layout: layout.layout, layoutText: layout.text,
            layoutFields: layout.fields, unwrap: unwrap, dialect: dialect, requireMcid: requireMcid, required: required,
            files: FilePatterns(files.map(\.pattern)), zone: zone, platform: platform?.platform, idSpace: idSpace,
            path: path ?? format.defaultPath, fields: fields, elements: elements, platforms: platforms,
            actions: actions ?? format.defaultActions(dialect),
            line: keys.location.line, fileLocations: files.map(\.location))
        return (source, named)
    }

    private mutating func noteMissingKeys(_ keys: Mapping, owner: String, _ format: RecordFormat?) {
        for key in ["name", "format", "files"] where keys[key] == nil {
            note(.missingKey(key, owner: owner), at: keys.location)
        }
        if format?.hasBodies == true, keys["actions"] == nil {
            note(.missingKey("actions", owner: owner), at: keys.location)
        }
        if format == .events, keys["fields"] == nil { note(.missingKey("fields", owner: owner), at: keys.location) }
    }

    private mutating func noteForeignKeys(_ keys: Mapping, _ format: RecordFormat?) {
        guard let format else { return }
        var foreign = format == .collector ? Self.payloadKeys : Self.collectorKeys
        if format != .events { foreign.insert("elements") }
        for entry in keys.entries where foreign.contains(entry.key) {
            note(.foreignKey(entry.key, format: format.rawValue), at: entry.location)
        }
    }

    /// A pattern, or a list of patterns.
    /// - Parameter isDated: whether they should contain the log date; otherwise they must not.
    mutating func patterns(_ entry: Entry?, isDated: Bool = true) -> [(pattern: FilePattern, location: Location)]? {
        guard let entry else { return nil }
        var entries = [entry]
        if case .sequence(let list) = entry.value.content {
            if list.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
            entries = list.map { Entry(key: entry.key, location: entry.location, value: $0) }
        }
        let patterns = entries.map { (pattern: pattern($0, isDated), location: $0.valueLocation) }
        let known = patterns.compactMap { pattern, location in pattern.map { ($0, location) } }
        return known.count == patterns.count ? known : nil
    }

    private mutating func pattern(_ entry: Entry, _ isDated: Bool) -> FilePattern? {
        guard let text = text(entry) else { return nil }
        let pattern: FilePattern
        do {
            pattern = try FilePattern(text)
        } catch {
            note(.badPattern(error), at: entry.valueLocation)
            return nil
        }
        if !isDated, pattern.hasDatePlaceholder { note(.datedDeliveries(text), at: entry.valueLocation) }
        if !isDated, pattern.uriRoot != nil { note(.deliveriesAtURI(text), at: entry.valueLocation) }
        if isDated, !pattern.determinesDay {
            warn(
                pattern.determinesDayOfYear ? .patternWithoutYear(text) : .patternWithoutDay(text),
                at: entry.valueLocation)
        }
        if let missing = pattern.missingFolder(in: folder) {
            warn(.missingFolder(missing, near: path(near: missing)), at: entry.valueLocation)
        }
        return pattern
    }

    /// The path with a similar name that exists instead of the first name in `path` that does not.
    private func path(near path: String) -> String? {
        let names = path.split(separator: "/").map(String.init)
        let root = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        let base = root.isEmpty ? folder + "/" : root
        let isThere = { (count: Int) in
            var isFolder: ObjCBool = false
            let path = base + names.prefix(count).joined(separator: "/")
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        let known = names.indices.first { !isThere($0 + 1) } ?? 0
        let parent = base + names.prefix(known).joined(separator: "/")
        let others = (try? FileManager.default.contentsOfDirectory(atPath: parent))?.sorted() ?? []
        return names[known].nearest(of: others).map { name in
            root + (names.prefix(known) + [name] + names.dropFirst(known + 1)).joined(separator: "/")
        }
    }

    // MARK: Layouts

    private mutating func layout(
        _ entry: Entry?, _ fieldsEntry: Entry?, _ format: RecordFormat?
    ) -> (layout: Layout, text: String, fields: [String: String])? {
        let fields = layoutFields(fieldsEntry)
        var layout = format == .collector ? Layout.combined : .body
        var text = layout.name
        if let entry {
            guard let given = self.text(entry, isFormat: true) else { return nil }
            text = given
            do {
                layout = try Layout(parsing: text)
            } catch {
                note(Self.fault(error, in: text), at: entry.valueLocation)
                return nil
            }
            switch layout {
            case .nginx(let lines):
                noteMisspeltVariables(of: lines, at: entry.valueLocation)
                noteDoubts(about: lines, isApache: false, format, at: entry.valueLocation)
            case .apache(let lines): noteDoubts(about: lines, isApache: true, format, at: entry.valueLocation)
            default: break
            }
        } else if format == nil {
            return nil
        }
        if case .json(let json) = layout {
            layout = .json(json.with(fields.mapValues { $0.split(separator: ".").map(String.init) }))
        } else if let fieldsEntry {
            note(.layoutFieldsWithoutJSON(text), at: fieldsEntry.location)
        }
        if let entry, let format, let fault = Self.misfit(layout, text, format) {
            note(fault, at: entry.valueLocation)
            return nil
        }
        let paths = fields.map { ($0.name, $1) }
        return (layout, text, Dictionary(uniqueKeysWithValues: paths))
    }

    /// Where a JSON layout has each field, by dotted paths.
    private mutating func layoutFields(_ entry: Entry?) -> [JSONFields.Field: String] {
        let names = JSONFields.Field.allCases.map(\.name)
        guard let entry, let keys = mapping(entry.value, "'layout_fields'", keys: names) else { return [:] }
        if case .mapping(let mapping) = entry.value.content, mapping.isEmpty {
            note(.emptyValue(entry.key), at: entry.valueLocation)
        }
        var fields: [JSONFields.Field: String] = [:]
        for field in JSONFields.Field.allCases {
            if let path = fieldPath(keys[field.name]) { fields[field] = path.joined(separator: ".") }
        }
        if let date = keys["date"], fields[.time] == nil { note(.dateWithoutTime, at: date.location) }
        return fields
    }

    private static func fault(_ error: LayoutError, in text: String) -> Fault {
        switch error {
        case .unknown(let text): .unknownLayout(text, near: text.nearest(of: Layout.names))
        case .strayDollar(let offset): .strayDollar(layout: text, offset: offset)
        case .strayPercent(let offset): .strayPercent(layout: text, offset: offset)
        case .lineBreak: .controlCharacter("layout")
        case .adjacentValues(let first, let second): .adjacentValues(first, second)
        case .badTimeFormat(let format): .badTimeFormat(format)
        case .incompleteTime: .incompleteTime
        }
    }

    /// Why a source of this format cannot accept any record of this layout.
    private static func misfit(_ layout: Layout, _ text: String, _ format: RecordFormat) -> Fault? {
        guard format == .collector else {
            return layout.fields.contains(.requestBody) ? nil : .layoutWithoutBody(text, format: format.rawValue)
        }
        if layout == .body { return .foreignLayout(text, format: format.rawValue) }
        let isApache = if case .apache = layout { true } else { false }
        if !layout.fields.contains(.request) { return .layoutWithoutRequest(isApache: isApache) }
        return layout.fields.contains(.time) ? nil : .layoutWithoutTime(isApache: isApache)
    }

    /// What a layout by hand lacks, or would cut.
    private mutating func noteDoubts(
        about lines: LineFormat, isApache: Bool, _ format: RecordFormat?, at location: Location
    ) {
        if let value = lines.cutValue { warn(.cutValue(value), at: location) }
        guard format == .collector else { return }
        let fields = Layout.nginx(lines).fields
        if !fields.contains(.status) { warn(.layoutWithoutStatus(isApache: isApache), at: location) }
        if !fields.contains(.userAgent) { warn(.layoutWithoutUserAgent(isApache: isApache), at: location) }
    }

    /// A misspelt variable would be skipped silently. It is only a warning if the right one is there too.
    private mutating func noteMisspeltVariables(of format: LineFormat, at location: Location) {
        for name in format.variables.subtracting(LineFormat.nginxVariables).sorted() {
            let userAgent = name.hasPrefix("http_") ? name.nearest(of: ["http_user_agent"], within: 2) : nil
            guard let near = name.nearest(of: LineFormat.nginxVariables, within: 1) ?? userAgent else { continue }
            let fault = Fault.misspeltVariable("$" + name, near: "$" + near)
            if format.variables.contains(near) { warn(fault, at: location) } else { note(fault, at: location) }
        }
    }

    // MARK: Fields and actions

    private mutating func fields(_ entry: Entry?, _ format: RecordFormat?) -> FieldPaths {
        var fields = format?.defaultFields ?? FieldPaths()
        let names = ["broadlog_id", "delivery_id", "action", "time", "platform", "tracking"]
        guard let entry, format != .collector, let keys = mapping(entry.value, "'fields'", keys: names) else {
            return fields
        }
        for key in ["broadlog_id", "delivery_id", "action", "time"] where format == .events && keys[key] == nil {
            note(.missingKey(key, owner: "'fields'"), at: keys.location)
        }
        if let entry = keys["broadlog_id"], case .sequence(let list) = entry.value.content {
            if list.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
            fields.idParts = list.compactMap { fieldPath(Entry(key: entry.key, location: entry.location, value: $0)) }
            fields.broadlogID = []
        } else {
            fields.broadlogID = fieldPath(keys["broadlog_id"]) ?? fields.broadlogID
        }
        fields.deliveryID = fieldPath(keys["delivery_id"]) ?? fields.deliveryID
        fields.action = fieldPath(keys["action"]) ?? fields.action
        fields.time = fieldPath(keys["time"]) ?? fields.time
        fields.platform = fieldPath(keys["platform"]) ?? fields.platform
        fields.tracking = fieldPath(keys["tracking"]) ?? fields.tracking
        return fields
    }

    private mutating func platforms(_ entry: Entry?) -> [String: Platform] {
        guard let entry, let keys = mapping(entry.value, "'platforms'", keys: nil) else { return [:] }
        if keys.entries.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
        var platforms: [String: Platform] = [:]
        for entry in keys.entries {
            let word: PlatformWord? = word(entry, entry.key)
            platforms[entry.key] = word?.platform
        }
        return platforms
    }

    private mutating func fieldPath(_ entry: Entry?) -> [String]? {
        guard let entry, let text = text(entry) else { return nil }
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard !names.contains("") else {
            note(.badFieldPath(key: entry.key, found: text), at: entry.valueLocation)
            return nil
        }
        return names
    }

    private mutating func actions(_ entry: Entry?, _ format: RecordFormat?) -> [String: String]? {
        guard let entry, let keys = mapping(entry.value, "'actions'", keys: nil) else { return nil }
        if keys.entries.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
        var actions: [String: String] = [:]
        for action in keys.entries {
            if format == .collector, !action.key.isOneDigit {
                note(.badActionCode(action.key), at: action.location)
            }
            guard let name = text(action) else { continue }
            if !name.isActionName {
                note(.badActionName(name), at: action.valueLocation)
            } else if let near = name.nearFunnelAction {
                warn(.nearActionName(name, near: near), at: action.valueLocation)
            }
            actions[action.key] = name
        }
        return actions
    }
}

/// The values of `platform`.
private enum PlatformWord: String, CaseIterable {
    case android, ios, web

    var platform: Platform? { Platform.allCases.first { $0.name == rawValue } }
}

extension RecordFormat {
    fileprivate func defaultActions(_ dialect: Source.Dialect) -> [String: String] {
        switch self {
        case .collector: dialect.actions
        case .mzip: ["1": "arrival"]
        case .usersTrack, .events: [:]
        }
    }
}

extension String {
    fileprivate var isOneDigit: Bool {
        utf8.count == 1 && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The funnel's action that an action name resembles: one edit away from it, or from the name of its column.
    /// A name with a digit, such as `open2`, is taken as intended.
    fileprivate var nearFunnelAction: String? {
        let actions = [
            "impression": "impression", "click": "click", "open": "open", "arrival": "arrival",
            "impressed": "impression", "clicked": "click", "opened": "open", "arrived": "arrival",
        ]
        guard !Set(actions.values).contains(self), !contains(where: \.isNumber) else { return nil }
        return actions[self] ?? nearest(of: actions.keys.sorted(), within: 1).flatMap { actions[$0] }
    }

    /// `[a-z][a-z0-9_]*`
    fileprivate var isActionName: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = utf8.first, letters.contains(first) else { return false }
        return utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }
}
