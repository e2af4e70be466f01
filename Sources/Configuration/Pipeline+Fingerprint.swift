import Calendar
import Foundation
import Hashing
import Records

extension Pipeline {
    private static let offsets = "; offsets "

    /// The text about the zone in a partition: the zone's name and version. If the zone decided what a time means, also
    /// a hash of its offsets within the log date's reach.
    package func zoneText(on date: LogDate, isUsed: Bool) -> String {
        zone.version + (isUsed ? Pipeline.offsets + offsetsHash(on: date, days: windowDays) : "")
    }

    /// Whether the present zone rules would give other instants to the times without an offset that were read for a log
    /// date.
    /// - Parameters:
    ///   - zoneText: the text in the log date's partition.
    ///   - days: `windowDays` at its load.
    package func hasOtherOffsets(than zoneText: String, on date: LogDate, days: Int) -> Bool {
        guard let hash = zoneText.components(separatedBy: Pipeline.offsets).dropFirst().first else { return false }
        return hash != offsetsHash(on: date, days: days)
    }

    private func offsetsHash(on date: LogDate, days: Int) -> String {
        var hash = FNV1a()
        for zone in zones {
            let first = Int64(date.dayNumber - days)
            let last = Int64(date.dayNumber + days + 1)
            hash.add(zone.text(from: first * 86_400, to: last * 86_400) + "\n")
        }
        return hash.text
    }

    /// Identifies the names and the SQL of the checks. Neither has a NUL.
    package var checksFingerprint: String {
        var hash = FNV1a()
        for check in checks { hash.add("\(check.name)\0\(check.sql)\0") }
        return hash.text
    }

    /// 32 hexadecimal digits that identify what the file means for the content of a load. Comments, `output`,
    /// `deliveries`, `checks`, `retention`, `limits`, `required`, the order of keys and written-out defaults do not
    /// change it; the order of sources does.
    package var fingerprint: String { fingerprint(rules: sources.map { rules(of: $0) }) }

    /// The fingerprint that the pipeline file would have if its sources had these rules.
    package func fingerprint(rules: [String]) -> String {
        var hash = LineHash()
        hash.add("version", value: 1)
        hash.add("timezone", value: zone.name)
        hash.add("window_days", value: windowDays)
        for (source, rules) in zip(sources, rules) {
            hash.add("name", value: source.name)
            hash.add("rules", value: rules)
        }
        return hash.text
    }

    /// 32 hexadecimal digits that identify what a source's files mean, whatever its name is.
    /// - Parameter layouts: how many of its layouts to take; nil for all.
    package func rules(of source: Source, layouts: Int? = nil) -> String {
        var hash = LineHash()
        hash.add("format", value: source.format.rawValue)
        for layout in source.layoutTexts.prefix(layouts ?? .max) { hash.add("layout", value: layout) }
        for text in source.skip { hash.add("skip", value: text) }
        for (field, path) in source.layoutFields.sorted(by: { $0.key < $1.key }) { hash.add(field, value: path) }
        if source.layouts.prefix(layouts ?? .max).contains(where: \.hasISOTimes) {
            hash.add("time_rules", value: Self.timeRules)
        }
        if !source.unwrap.isEmpty { hash.add("unwrap", value: PathText.text(source.unwrap)) }
        if let zone = source.lineZone, zone.name != self.zone.name { hash.add("timezone", value: zone.name) }
        hash.add("require_mcid", value: source.requireMcid)
        for pattern in source.files.patterns { hash.add("files", value: pattern.text) }
        hash.add("id_space", value: source.idSpace)
        for (code, name) in source.actions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            hash.add("code", value: code)
            hash.add("action", value: name)
        }
        if source.format != .collector { addPayload(of: source, to: &hash) }
        return hash.text
    }

    /// The versions of the rules for ISO 8601 times in lines, and for payloads. Increase one when the meaning of a
    /// record changes.
    private static let timeRules = 2
    private static let payloadRules = 2

    private func addPayload(of source: Source, to hash: inout LineHash) {
        hash.add("payload_rules", value: Self.payloadRules)
        hash.add("platform", value: source.platform?.name ?? "")
        if !source.layout.isOfPayloads { hash.add("path", value: source.path) }
        if !source.elements.isEmpty { hash.add("elements", value: PathText.text(source.elements)) }
        if let zone = source.payloadZone, zone.name != ZoneRules.utc.name {
            hash.add("payload_timezone", value: zone.name)
        }
        for path in source.require { hash.add("require", value: PathText.text(path)) }
        if let action = source.action { hash.add("action", value: action) }
        for (action, path) in source.times {
            hash.add("action", value: action)
            hash.add("time", value: PathText.text(path))
        }
        for (word, platform) in source.platforms.sorted(by: { $0.key < $1.key }) {
            hash.add("platform_word", value: word)
            hash.add("platform", value: platform.name)
        }
        for part in source.fields.idParts {
            for path in part.paths { hash.add("first", value: PathText.text(path)) }
            hash.add("id_part", value: part.paths.count)
        }
        for field in FieldPaths.Field.allCases {
            for path in source.fields[field].paths { hash.add(field.rawValue, value: PathText.text(path)) }
        }
    }
}

/// The FNV-1a hash of a text with a line for each value, `key length value`, so that no value can imitate a line.
private struct LineHash {
    private var hash = FNV1a()

    var text: String { hash.text }

    mutating func add(_ key: String, value: some LosslessStringConvertible) {
        let text = String(value)
        hash.add("\(key) \(text.utf8.count) \(text)\n")
    }
}
