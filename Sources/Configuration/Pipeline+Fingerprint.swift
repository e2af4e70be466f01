import Hashing

extension Pipeline {
    /// 32 hex digits over a text of all that the file means: `output`, comments, the order of keys and whether a
    /// default is written out have no part in it; the order of sources has.
    ///
    /// The text is a line a value, `key length value`, so that no value can pass for another line. Its 128-bit FNV-1a
    /// hash is the same on every machine. It tells edits apart; it is no protection against an attacker.
    package var fingerprint: String {
        var hash = FNV1a()
        func add(_ key: String, _ value: some LosslessStringConvertible) {
            let text = String(value)
            hash.add("\(key) \(text.utf8.count) \(text)\n")
        }
        add("version", 1)
        add("timezone", zoneName)
        add("window_days", windowDays)
        add("reject_ratio", rejectRatio)
        add("damaged_files", damagedFiles.rawValue)
        for source in sources {
            add("name", source.name)
            add("format", source.format.rawValue)
            add("layout", source.layoutText)
            add("require_mcid", source.requireMcid)
            add("required", source.required)
            add("files", source.files.text)
            add("id_space", source.idSpace)
            // A dialect is nothing but a map of actions.
            for (code, name) in source.actions.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                add("code", code)
                add("action", name)
            }
            guard source.format != .collector else { continue }
            add("platform", source.platform?.name ?? "")
            if source.layout != .body { add("path", source.path) }
            let fields = source.fields
            let paths = [fields.broadlogID, fields.deliveryID, fields.action, fields.time, fields.tracking]
            for path in paths + (fields.platform.map { [$0] } ?? []) {
                add("field", path.joined(separator: "."))
            }
        }
        return hash.text
    }
}
