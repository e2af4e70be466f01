extension GeneratedCase {
    /// Of which each load of a log file has features.
    package static let featureGroups =
        Pipeline.featureGroups + Pipeline.Source.featureGroups + Pipeline.Source.payloadGroups + loadGroups
        + Reading.fileGroups + Reading.recordGroups

    package static let featureRules = formatRules + layoutRules + fieldRules + reasonRules + loadRules + emptyRules

    private typealias Choice = FeatureRule.Choice

    private static let lines = Choice("format", "collector")
    private static let payloads = Choice("format", "mzip", "users_track", "events")
    private static let events = Choice("format", "events")

    private static let lineLayouts = ["combined", "apache", "w3c", "cloudfront", "alb"]
    private static let lineReasons = Choice(
        "outcome", "rejected joined_lines", "filtered link", "rejected empty_id", "rejected unknown_action")

    private static let formatRules: [FeatureRule] =
        [
            .only(Choice("layout", all: lineLayouts), with: lines, because: "it has no body"),
            .only(Choice("layout", "body"), with: payloads, because: "a collector reads lines"),
            .only(Choice("layout", "csv"), with: events, because: "it has events alone"),
            .only(Choice("mcId", "yes"), with: lines, because: "payloads have no URI that counts"),
            .only(Choice("action", "one"), with: payloads, because: "a URI tells its action"),
            .only(Choice("action", "by times"), with: events, because: "`times` is a key of it"),
            .only(Choice("platform field", "yes"), with: payloads, because: "a URI has no fields"),
            .never(Choice("platform field", "no"), with: Choice("format", "users_track"), because: "it has one"),
            .only(Choice("require", "yes"), with: events, because: "`require` is a key of it"),
            .only(Choice("elements", "yes"), with: events, because: "`elements` is a key of it"),
        ]
        + ["platform fixed", "platforms", "id of several", "first of several", "own path", "names"].map {
            .only(Choice($0, "yes"), with: payloads, because: "a collector has no such key")
        }

    private static let alone = Choice("layout", "body", "csv", "w3c", "cloudfront")

    private static let layoutRules: [FeatureRule] = [
        .never(alone, with: Choice("layout"), because: "it is not mixed with others"),
        .never(alone, with: Choice("layouts", "several"), because: "it is not mixed with others"),
        .never(alone, with: Choice("pasted", "yes"), because: "it has no format"),
        .never(alone, with: Choice("layout_fields", "some", "a date"), because: "it has no JSON of its own"),
        .never(Choice("layout", "json"), with: Choice("layout", "gcp_lb", "caddy"), because: "one JSON layout is read"),
        .never(Choice("layout", "gcp_lb"), with: Choice("layout", "caddy"), because: "one JSON layout is read"),
        .never(Choice("layout", "body"), with: Choice("skip", "yes"), because: "it has no lines"),
        .never(Choice("layout", "csv"), with: Choice("unwrap", "yes"), because: "rows are not wrapped"),
        .never(Choice("layout", "csv"), with: Choice("elements", "yes"), because: "a row is an event"),
        .never(Choice("layout", "w3c", "cloudfront"), with: Choice("own zone", "yes"), because: "its times are in UTC"),
        .never(Choice("layout", "body", "csv"), with: Choice("own path", "yes"), because: "it has no request"),
        .never(Choice("layout", "combined", "alb"), with: Choice("time first", "no"), because: "its order is fixed"),
        .never(Choice("layouts", "several"), with: Choice("time first"), because: "each has an order of its own"),
        .never(
            Choice("layout", "body", "csv"), with: Choice("lateness", "days after"),
            because: "without a time of receipt what is too late falls on the log date"),
    ]

    private static let fieldRules: [FeatureRule] = [
        .only(Choice("id", "opaque", "of several"), with: payloads, because: "a URI has a number or a UUID"),
        .only(Choice("id", "of several"), with: Choice("id of several", "yes"), because: "it is made of them"),
        .only(
            Choice("id of several", "yes"), with: Choice("id", "opaque", "of several"), because: "such ids are opaque"),
        .only(Choice("event", "sent", "failed"), with: payloads, because: "a server tells it"),
        .never(Choice("event", "sent", "failed"), with: lineReasons, because: "a server tells it"),
        .never(
            Choice("event", "sent", "failed"),
            with: Choice("event", "button_1", "button_2", "button_close", "zero_0"), because: "a server tells it"),
        .only(Choice("event", "other"), with: Choice("action", "one"), because: "no code has it"),
        .only(Choice("event", "other"), with: payloads, because: "no code has it"),
        .never(Choice("event", "other"), with: lineReasons, because: "no code has it"),
        .never(Choice("event", "other"), with: Choice("layout", all: lineLayouts), because: "no code has it"),
        .never(Choice("event", "other"), with: Choice("mcId", "yes"), because: "no code has it"),
        .never(Choice("id", "opaque"), with: Choice("id", "of several"), because: "those of a source are of one kind"),
        .only(
            Choice("event", "button_1", "button_2", "button_close", "zero_0"), with: lines, because: "of its dialects"),
        .never(Choice("event", "other"), with: Choice("event"), because: "it is the action of all"),
        .only(Choice("device", "web"), with: payloads, because: "no user agent tells it"),
        .never(
            Choice("device", "unknown"), with: Choice("platform fixed", "yes"), because: "what is unknown is that one"),
        .never(Choice("device", "web"), with: Choice("mcId", "yes"), because: "no user agent tells it"),
    ]

    /// As the tables in `Counting.md` have them.
    private static let reasonRules: [FeatureRule] =
        [
            .only(lineReasons, with: lines, because: "the reason is of it alone"),
            only(
                payloads, "clock_fallback", "filtered unmapped_action", "filtered tracking_off", "rejected no_body",
                "rejected bad_json", "rejected missing_action", "rejected bad_tracking", "rejected missing_id"),
            only(Choice("format", "mzip"), "rejected not_json"),
            only(Choice("format", "users_track"), "rejected not_users_track", "filtered not_an_event"),
            only(events, "rejected not_events", "filtered out_of_window"),
            only(Choice("format", "collector", "events"), "filtered not_push"),
            only(Choice("skip", "yes"), "filtered skipped"),
            only(Choice("elements", "yes"), "rejected not_events"),
            only(Choice("action", "by times"), "filtered out_of_window"),
            never(Choice("action", "by times"), "clock_fallback"),
            never(Choice("action", "one"), "rejected missing_action", "filtered unmapped_action"),
            never(
                Choice("layout", "body", "csv"), "filtered not_tracking", "filtered tracking_disabled",
                "filtered http_error", "rejected no_body"),
            never(Choice("layout", "csv"), "rejected bad_json"),
            never(Choice("layout", "w3c", "cloudfront"), "rejected joined_lines"),
            only(Choice("layout", "csv"), "faulty header"),
        ]

    private static func only(_ choice: Choice, _ outcomes: String...) -> FeatureRule {
        .only(Choice("outcome", all: outcomes), with: choice, because: "the reason is of it alone")
    }

    private static func never(_ choice: Choice, _ outcomes: String...) -> FeatureRule {
        .never(Choice("outcome", all: outcomes), with: choice, because: "it has none of what the reason speaks of")
    }

    private static let loadRules: [FeatureRule] = [
        .never(
            Choice("packing", "plain"), with: Choice("state", "truncated", "damaged"), because: "nobody would see it"),
        .never(Choice("window", "0"), with: Choice("neighbour", "in reach"), because: "a log date reaches no other"),
        .never(Choice("neighbour", "none"), with: Choice("out of order", "yes"), because: "there is no other"),
        .never(Choice("day", "left out"), with: Choice("lateness", "own day"), because: "it has no time"),
    ]

    private static let emptyRules =
        emptyFileRules
        + ["line ends", "byte order mark", "last line", "offset", "time first", "records", "duplicates"].map {
            FeatureRule.never(Choice("state", "foreign"), with: Choice($0), because: "it is not read")
        }
        + ["pasted", "unwrap", "elements", "own path", "mcId"].map {
            FeatureRule.only(Choice("outcome", header), with: Choice($0, "no"), because: "it is of rows")
        }
        + ["id", "lateness", "near midnight", "milliseconds", "event", "device", "outcome"].flatMap { group in
            let ofRecords = Choice(group, all: group == "outcome" ? Reading.outcomes.filter { $0 != header } : [])
            let without = [
                Choice("records", "0"), Choice("last line", "none"), Choice("state", "foreign"),
                Choice("outcome", header),
            ]
            return without.map { FeatureRule.never($0, with: ofRecords, because: "no record is read") }
        }

    private static let header = "faulty header"

    private static let emptyFileRules: [FeatureRule] = [
        .only(Choice("last line", "none"), with: Choice("line ends", "none"), because: "it is empty"),
        .never(Choice("last line", "none"), with: Choice("byte order mark", "yes"), because: "it is empty"),
        .never(Choice("last line", "ended"), with: Choice("line ends", "none"), because: "it ends a line"),
        .only(Choice("last line", "none"), with: Choice("records", "0"), because: "it is empty"),
        .never(Choice("last line", "none"), with: Choice("outcome", header), because: "it is empty"),
        .never(Choice("records", "0", "1"), with: Choice("duplicates", "yes"), because: "it takes two"),
        .never(Choice("last line", "none"), with: Choice("duplicates", "yes"), because: "it takes two"),
        .never(Choice("state", "foreign"), with: Choice("outcome", header), because: "it is not read"),
        .only(Choice("outcome", header), with: events, because: "it is of rows"),
        .only(Choice("outcome", header), with: Choice("layouts", "one"), because: "it is of rows"),
        .only(Choice("outcome", header), with: Choice("layout_fields", "none"), because: "it is of rows"),
        .only(Choice("outcome", header), with: Choice("records", "0"), because: "no row is read"),
        .only(Choice("outcome", header), with: Choice("duplicates", "no"), because: "no row is read"),
    ]
}
