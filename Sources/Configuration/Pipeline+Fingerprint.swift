import Calendar
import Foundation
import Hashing
import Records

extension Pipeline {
    private static let offsets = "; offsets "

    /// What a partition says of the zone: its name and version, and where the zone decided what times mean, a hash of the
    /// offsets within the log date's reach.
    package func zoneText(on date: LogDate, isUsed: Bool) -> String {
        zone.version + (isUsed ? Pipeline.offsets + offsetsHash(on: date, windowDays) : "")
    }

    /// Whether times without an offset that were read on a log date mean other instants by the zones' present rules.
    /// - Parameters:
    ///   - zoneText: what its partition says.
    ///   - days: `windowDays` at its load.
    package func hasOtherOffsets(than zoneText: String, on date: LogDate, _ days: Int) -> Bool {
        guard let hash = zoneText.components(separatedBy: Pipeline.offsets).dropFirst().first else { return false }
        return hash != offsetsHash(on: date, days)
    }

    private func offsetsHash(on date: LogDate, _ days: Int) -> String {
        var hash = FNV1a()
        for zone in [zone] + sources.compactMap(\.zone) {
            let (first, last) = (Int64(date.dayNumber - days), Int64(date.dayNumber + days + 1))
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

    /// 32 hexadecimal digits that identify what the file means for the content of a load. Comments, `output`, `deliveries`, `checks`,
    /// `retention`, `limits`, `required`, the order of keys and written-out defaults do not change it; the order of sources does.
    package var fingerprint: String { fingerprint(rules: sources.map { rules(of: $0) }) }

    /// What it would be if the sources had these rules.
    package func fingerprint(rules: [String]) -> String {
        var hash = LineHash()
        hash.add("version", 1)
        hash.add("timezone", zone.name)
        hash.add("window_days", windowDays)
        for (source, rules) in zip(sources, rules) {
            hash.add("name", source.name)
            hash.add("rules", rules)
        }
        return hash.text
    }

    /// 32 hexadecimal digits that identify what a source's files mean, whatever its name is.
    /// - Parameter layouts: how many of its layouts to take; nil for all.
    package func rules(of source: Source, layouts: Int? = nil) -> String {
        var hash = LineHash()
        hash.add("format", source.format.rawValue)
        for layout in source.layoutTexts.prefix(layouts ?? .max) { hash.add("layout", layout) }
        for text in source.skip { hash.add("skip", text) }
        for (field, path) in source.layoutFields.sorted(by: { $0.key < $1.key }) { hash.add(field, path) }
        if source.layouts.prefix(layouts ?? .max).contains(where: \.hasISOTimes) {
            hash.add("time_rules", Self.timeRules)
        }
        if !source.unwrap.isEmpty { hash.add("unwrap", PathText.text(source.unwrap)) }
        if let zone = source.zone, zone.name != self.zone.name { hash.add("timezone", zone.name) }
        hash.add("require_mcid", source.requireMcid)
        for pattern in source.files.patterns { hash.add("files", pattern.text) }
        hash.add("id_space", source.idSpace)
        for (code, name) in source.actions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            hash.add("code", code)
            hash.add("action", name)
        }
        if source.format != .collector { addPayload(of: source, to: &hash) }
        return hash.text
    }

    /// The numbers of the rules by which this version reads times of lines in ISO 8601, and payloads. Raise one where what a
    /// record means changes.
    private static let timeRules = 2
    private static let payloadRules = 2

    private func addPayload(of source: Source, to hash: inout LineHash) {
        hash.add("payload_rules", Self.payloadRules)
        hash.add("platform", source.platform?.name ?? "")
        if !source.layout.isOfPayloads { hash.add("path", source.path) }
        if !source.elements.isEmpty { hash.add("elements", PathText.text(source.elements)) }
        if let zone = source.payloadZone, zone.name != ZoneRules.utc.name { hash.add("payload_timezone", zone.name) }
        for path in source.require { hash.add("require", PathText.text(path)) }
        if let action = source.action { hash.add("action", action) }
        for (action, path) in source.times {
            hash.add("action", action)
            hash.add("time", PathText.text(path))
        }
        for (word, platform) in source.platforms.sorted(by: { $0.key < $1.key }) {
            hash.add("platform_word", word)
            hash.add("platform", platform.name)
        }
        for part in source.fields.idParts {
            for path in part.paths { hash.add("first", PathText.text(path)) }
            hash.add("id_part", part.paths.count)
        }
        for field in FieldPaths.Field.allCases {
            for path in source.fields[field].paths { hash.add(field.rawValue, PathText.text(path)) }
        }
    }
}

/// The FNV-1a hash of a text with a line for each value, `key length value`, so that no value can imitate a line.
private struct LineHash {
    private var hash = FNV1a()

    var text: String { hash.text }

    mutating func add(_ key: String, _ value: some LosslessStringConvertible) {
        let text = String(value)
        hash.add("\(key) \(text.utf8.count) \(text)\n")
    }
}
