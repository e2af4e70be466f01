/// The keys that a sample may show, and the kind of value that belongs to each: the keys of the layouts and formats,
/// and the keys of the configured fields. Other keys and their values are masked.
package struct SampleKeys: Sendable {
    /// The kind of value of a key.
    enum Kind {
        case id, time, action, code, platform, tracking
        /// Such values are never shown.
        case masked
    }

    /// By the key; those of other keys are not shown.
    private(set) var kinds: [String: Kind] = [:]
    /// The configured codes and names of actions.
    private let actions: Set<String>
    /// Whether records are rows of CSV, which have no keys.
    let areOfRows: Bool
    /// The kinds of values that a row may show.
    let kindsInRows: [Kind]
    /// Whether ids may be shown.
    private let showsIDs: Bool

    package init(_ rules: RecordRules) {
        areOfRows = rules.layout == .csv
        kindsInRows = [.action, .platform, .time]
        showsIDs = true
        actions = Set(rules.actions.keys)
        addOwnKeys()
        let fields = rules.fields
        // In events of any vendor a key such as `id` may be a person's as well, and so may a part of an id.
        let id = rules.format == .events || !fields.idParts.isEmpty ? Kind.masked : .id
        var paths: [([String], Kind)] = FieldPaths.Field.allCases.flatMap { field in
            let kind: Kind =
                switch field {
                case .broadlogID, .deliveryID: id
                case .action: .action
                case .time: .time
                case .platform: .platform
                case .tracking: .tracking
                case .label, .campaign, .variant: .masked
                }
            return fields[field].paths.map { ($0, kind) }
        }
        paths += (fields.idParts.flatMap(\.paths) + rules.require + [rules.elements]).map { ($0, .masked) }
        paths += rules.times.map { ($0.path, .time) }
        add(paths)
    }

    /// The keys for a sample that strangers may read. No id is shown, and no name that a pipeline file gives: neither
    /// of a field nor of an action.
    package init(forStrangers rules: RecordRules) {
        areOfRows = rules.layout == .csv
        // The code of an action has no form of its own: it may be any number.
        kindsInRows = [.platform, .time]
        showsIDs = false
        actions = []
        addOwnKeys()
        let ids: [FieldPaths.Field] = [.broadlogID, .deliveryID]
        for fields in [FieldPaths.mzip, .usersTrack] {
            add(ids.flatMap { fields[$0].paths }.map { ($0, .masked) })
            add(fields[.tracking].paths.map { ($0, .tracking) })
        }
        add([(["platform"], .platform)])
    }

    /// Adds the keys that layouts and formats have whatever the pipeline file says.
    private mutating func addOwnKeys() {
        for key in SampleKeys.masked { kinds[key] = .masked }
        for key in SampleKeys.times { kinds[key] = .time }
        kinds["status"] = .code
    }

    private mutating func add(_ paths: [([String], Kind)]) {
        for (path, _) in paths {
            for key in path.dropLast() { kinds[key] = .masked }
        }
        for (path, kind) in paths {
            if let key = path.last { kinds[key] = kind }
        }
    }

    /// Whether a value has the form of this kind.
    func mayShow(_ value: [UInt8], as kind: Kind) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        return switch kind {
        case .id: showsIDs && SampleWords.isID(value)
        case .time: SampleWords.isTime(value) || SampleWords.isEpochTime(value)
        case .action: actions.contains(text) || SampleWords.isCode(value)
        case .code: SampleWords.isCode(value)
        case .platform: ["ios", "android", "web"].contains(text.lowercased())
        case .tracking: ["on", "off"].contains(text.lowercased())
        case .masked: false
        }
    }

    private static let times = ["time_local", "time_iso8601", "msec", "time"]
    private static let masked = [
        "request", "request_method", "request_uri", "http_user_agent", "request_body", "id", "mcId", "mcid", "mzip",
        "security", "events", "attributes", "purchases", "external_id", "braze_id", "user_alias", "push_tokens",
        "properties", "name", "email", "phone", "token",
    ]
}
