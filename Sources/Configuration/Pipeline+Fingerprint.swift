import Calendar
import Foundation
import Hashing

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

    /// 32 hexadecimal digits that identify the meaning of the file. Comments, `output`, `deliveries`, `limits.volume`, `retention`,
    /// the order of keys and written-out defaults do not change it; the order of sources does.
    ///
    /// It is the FNV-1a hash of a text with a line for each value, `key length value`, so that no value can imitate a line.
    package var fingerprint: String {
        var hash = FNV1a()
        forEachValue { line, _ in hash.add(line) }
        return hash.text
    }

    /// By the keys of the file, such as `sources.adobe.require_mcid`, a hash of what they mean. `sources.adobe` stands for the
    /// source itself.
    package var keyHashes: [String: String] {
        var hashes: [String: FNV1a] = [:]
        forEachValue { line, key in hashes[key, default: FNV1a()].add(line) }
        return hashes.mapValues(\.text)
    }

    /// The keys whose meaning is another one, sorted. Of a source that only one of the two has, only `sources.NAME`.
    /// - Parameter former: the `keyHashes` of another pipeline.
    package func keysChanged(since former: [String: String]) -> [String] {
        let now = keyHashes
        let changed = Set(former.keys).union(now.keys).filter { former[$0] != now[$0] }
        return changed.filter { key in
            !changed.contains { key.hasPrefix($0 + ".") && (former[$0] == nil || now[$0] == nil) }
        }.sorted()
    }

    /// Calls `take` with the lines of the text that the fingerprint is made of, and the key of the file that each belongs to.
    private func forEachValue(_ take: (_ line: String, _ key: String) -> Void) {
        func add(_ name: String, _ value: some LosslessStringConvertible, _ key: String) {
            let text = String(value)
            take("\(name) \(text.utf8.count) \(text)\n", key)
        }
        add("version", 1, "version")
        add("timezone", zone.name, "timezone")
        add("window_days", windowDays, "dedup.window_days")
        add("reject_ratio", rejectRatio, "limits.reject_ratio")
        add("damaged_files", damagedFiles.rawValue, "limits.damaged_files")
        for source in sources {
            let key = "sources.\(source.name)"
            add("name", source.name, key)
            add("format", source.format.rawValue, "\(key).format")
            add("layout", source.layoutText, "\(key).layout")
            for (field, path) in source.layoutFields.sorted(by: { $0.key < $1.key }) {
                add(field, path, "\(key).layout_fields")
            }
            if !source.unwrap.isEmpty { add("unwrap", source.unwrap.joined(separator: "."), "\(key).unwrap") }
            if let zone = source.zone, zone.name != self.zone.name {
                add("source_timezone", zone.name, "\(key).timezone")
            }
            add("require_mcid", source.requireMcid, "\(key).require_mcid")
            add("required", source.required, "\(key).required")
            for pattern in source.files.patterns { add("files", pattern.text, "\(key).files") }
            add("id_space", source.idSpace, "\(key).id_space")
            // A dialect is only a map of actions.
            let isDialect = source.format == .collector && source.actions == source.dialect.actions
            for (code, name) in source.actions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                add("code", code, "\(key).\(isDialect ? "dialect" : "actions")")
                add("action", name, "\(key).\(isDialect ? "dialect" : "actions")")
            }
            guard source.format != .collector else { continue }
            add("platform", source.platform?.name ?? "", "\(key).platform")
            if source.layout != .body { add("path", source.path, "\(key).path") }
            if !source.elements.isEmpty { add("elements", source.elements.joined(separator: "."), "\(key).elements") }
            for (word, platform) in source.platforms.sorted(by: { $0.key < $1.key }) {
                add("platform_word", word, "\(key).platforms")
                add("platform", platform.name, "\(key).platforms")
            }
            for part in source.fields.idParts {
                add("id_part", part.joined(separator: "."), "\(key).fields.broadlog_id")
            }
            let fields = source.fields
            let paths = [
                ("broadlog_id", fields.broadlogID), ("delivery_id", fields.deliveryID), ("action", fields.action),
                ("time", fields.time), ("tracking", fields.tracking),
            ]
            for (field, path) in paths + (fields.platform.map { [("platform", $0)] } ?? []) {
                add("field", path.joined(separator: "."), "\(key).fields.\(field)")
            }
        }
    }
}
