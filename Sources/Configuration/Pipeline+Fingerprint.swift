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

    /// 32 hexadecimal digits that identify the meaning of the file. Comments, `output`, `deliveries`, `retention`, the order of
    /// keys and written-out defaults do not change it; the order of sources does.
    ///
    /// It is the FNV-1a hash of a text with a line for each value, `key length value`, so that no value can imitate a line.
    package var fingerprint: String {
        var hash = FNV1a()
        func add(_ name: String, _ value: some LosslessStringConvertible) {
            let text = String(value)
            hash.add("\(name) \(text.utf8.count) \(text)\n")
        }
        add("version", 1)
        add("timezone", zone.name)
        add("window_days", windowDays)
        add("reject_ratio", rejectRatio)
        add("damaged_files", damagedFiles.rawValue)
        for source in sources {
            add("name", source.name)
            add("format", source.format.rawValue)
            for text in source.layoutTexts { add("layout", text) }
            for text in source.skip { add("skip", text) }
            for (field, path) in source.layoutFields.sorted(by: { $0.key < $1.key }) {
                add(field, path)
            }
            if !source.unwrap.isEmpty { add("unwrap", source.unwrap.joined(separator: ".")) }
            if let zone = source.zone, zone.name != self.zone.name {
                add("source_timezone", zone.name)
            }
            add("require_mcid", source.requireMcid)
            add("required", source.required)
            for pattern in source.files.patterns { add("files", pattern.text) }
            add("id_space", source.idSpace)
            for (code, name) in source.actions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                add("code", code)
                add("action", name)
            }
            guard source.format != .collector else { continue }
            add("platform", source.platform?.name ?? "")
            if source.layout != .body { add("path", source.path) }
            if !source.elements.isEmpty { add("elements", source.elements.joined(separator: ".")) }
            for (word, platform) in source.platforms.sorted(by: { $0.key < $1.key }) {
                add("platform_word", word)
                add("platform", platform.name)
            }
            for part in source.fields.idParts {
                add("id_part", part.joined(separator: "."))
            }
            let fields = source.fields
            let paths = [fields.broadlogID, fields.deliveryID, fields.action, fields.time, fields.tracking]
            for path in paths + (fields.platform.map { [$0] } ?? []) {
                add("field", path.joined(separator: "."))
            }
        }
        return hash.text
    }
}
