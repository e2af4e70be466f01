/// The keys that a sample may show, and the kind of value that belongs to each: the keys of the layouts and formats, and the
/// keys of the configured fields. Other keys and their values are masked.
package struct SampleKeys: Sendable {
    /// The kind of value of a key.
    enum Kind {
        case id, time, action, code, platform, tracking
        /// Such values are never shown.
        case masked
    }

    private var kinds: [String: Kind] = [:]
    /// The configured codes and names of actions.
    private let actions: Set<String>

    package init(_ rules: RecordRules) {
        actions = Set(rules.actions.keys)
        for key in SampleKeys.masked { kinds[key] = .masked }
        for key in SampleKeys.times { kinds[key] = .time }
        kinds["status"] = .code
        let fields = rules.fields
        let paths: [([String], Kind)] = [
            (fields.broadlogID, .id), (fields.deliveryID, .id), (fields.action, .action), (fields.time, .time),
            (fields.platform ?? [], .platform), (fields.tracking, .tracking),
        ]
        for (path, _) in paths {
            for key in path.dropLast() { kinds[key] = .masked }
        }
        for (path, kind) in paths {
            if let key = path.last { kinds[key] = kind }
        }
    }

    /// The kind of value of a key; nil if the key is not shown.
    func kind(of key: String) -> Kind? { kinds[key] }

    /// Whether a value has the form of this kind.
    func mayShow(_ value: [UInt8], as kind: Kind) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        return switch kind {
        case .id: SampleWords.isID(value)
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
