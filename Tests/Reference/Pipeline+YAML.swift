extension Pipeline {
    /// The pipeline file. With `writesDefaults` it also has the keys that could be left out.
    package func yaml(output: String, writesDefaults: Bool = false) -> String {
        var lines = ["version: 1"]
        if writesDefaults || timeZone != "UTC" { lines.append("timezone: \(timeZone)") }
        lines.append("output: \(quoted(output))")
        if writesDefaults || windowDays != 30 { lines += ["dedup:", "  window_days: \(windowDays)"] }
        var limits: [String] = []
        if writesDefaults || rejectRatio != "0.05" { limits.append("  reject_ratio: \(rejectRatio)") }
        if writesDefaults || failsOnDamagedFiles {
            limits.append("  damaged_files: \(failsOnDamagedFiles ? "fail" : "skip")")
        }
        if !limits.isEmpty { lines += ["limits:"] + limits }
        if let idDays { lines += ["retention:", "  ids: \(idDays)"] }
        if deliveries.count == 1 {
            lines.append("deliveries: \(deliveries[0].yaml)")
        } else if !deliveries.isEmpty {
            lines += ["deliveries:"] + deliveries.map { "  - \($0.yaml)" }
        }
        lines.append("sources:")
        for source in sources { lines += source.yaml(writesDefaults: writesDefaults) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension DeliveryEntry {
    fileprivate var yaml: String {
        var keys = ["files: \(quoted(pattern))"]
        if isDecimal { keys.append("id: decimal") }
        if let timeZone { keys.append("timezone: \(timeZone)") }
        let names = columns.sorted { $0.key < $1.key }.map { "\($0): \(quoted($1))" }
        if !names.isEmpty { keys.append("columns: {\(names.joined(separator: ", "))}") }
        return "{\(keys.joined(separator: ", "))}"
    }
}

extension Pipeline.Source {
    fileprivate func yaml(writesDefaults: Bool) -> [String] {
        let usual = Pipeline.Source(name: name, format: format, files: "")
        var lines = ["name: \(quoted(name))", "format: \(format.rawValue)"]
        func write(_ isDefault: Bool, _ line: String) {
            if writesDefaults || !isDefault { lines.append(line) }
        }
        switch layout {
        case _ where !otherLayouts.isEmpty:
            write(false, "layout: [\(layouts.map { quoted($0.text) }.joined(separator: ", "))]")
        case .nginx, .apache: write(false, "layout: \(quoted(layout.text))")
        default: write(layout == usual.layout, "layout: \(layout.text)")
        }
        if !layoutFields.isEmpty { lines.append("layout_fields:") }
        for (name, path) in layoutFields.sorted(by: { $0.key < $1.key }) { lines.append("  \(name): \(quoted(path))") }
        if !skip.isEmpty { lines.append("skip: [\(skip.map(quoted).joined(separator: ", "))]") }
        if let unwrap { lines.append("unwrap: \(quoted(unwrap))") }
        if format == .collector {
            if actions == Self.campaignClassic {
                lines.append("dialect: campaign_classic")
            } else if actions == Self.campaignStandard {
                write(true, "dialect: campaign_standard")
            } else {
                lines.append(actionsLine)
            }
            write(!requiresMcid, "require_mcid: \(requiresMcid)")
        } else {
            if ![.body, .csv].contains(layout) { write(path == usual.path, "path: \(quoted(path))") }
            if let platform { lines.append("platform: \(platform)") }
            let others = fields.sorted { $0.key < $1.key }.filter {
                let isUsual = usual.fields[$0.key] == $0.value && otherPaths[$0.value] == nil
                // What `action` and `times` tell has no path.
                return (writesDefaults || !isUsual) && !isTold($0.key)
            }
            if !others.isEmpty { lines.append("fields:") }
            for (name, path) in others { lines.append("  \(name): \(place(path))") }
            if !idParts.isEmpty {
                if others.isEmpty { lines.append("fields:") }
                lines.append("  broadlog_id: [\(idParts.map(place).joined(separator: ", "))]")
            }
            if !required.isEmpty { lines.append("require: [\(required.map(quoted).joined(separator: ", "))]") }
            if let action { lines.append("action: \(action)") }
            let timed = times.map { "\($0.action): \(quoted($0.path))" }
            if !timed.isEmpty { lines.append("times: {\(timed.joined(separator: ", "))}") }
            if let elements { lines.append("elements: \(quoted(elements))") }
            let words = platforms.sorted { $0.key < $1.key }.map { "\(yamlKey($0.key)): \($0.value)" }
            if !words.isEmpty { lines.append("platforms: {\(words.joined(separator: ", "))}") }
            if !isTold("action") { write(actions == usual.actions && format == .mzip, actionsLine) }
        }
        if let timeZone { lines.append("timezone: \(timeZone)") }
        write(isRequired, "required: \(isRequired)")
        write(idSpace == usual.idSpace, "id_space: \(quoted(idSpace))")
        if files.count == 1 {
            lines.append("files: \(quoted(files[0]))")
        } else if writesDefaults {
            lines.append("files: [\(files.map(quoted).joined(separator: ", "))]")
        } else {
            lines += ["files:"] + files.map { "  - \(quoted($0))" }
        }
        return lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
    }

    /// Whether a field has no path, since another key tells its value.
    func isTold(_ field: String) -> Bool {
        field == "action" && (action != nil || !times.isEmpty) || field == "time" && !times.isEmpty
    }

    private func place(_ path: String) -> String {
        guard let others = otherPaths[path] else { return quoted(path) }
        return "{first: [\(([path] + others).map(quoted).joined(separator: ", "))]}"
    }

    private var actionsLine: String {
        let pairs = actions.sorted { $0.key < $1.key }.map { "\(yamlKey($0.key)): \($0.value)" }
        return "actions: {\(pairs.joined(separator: ", "))}"
    }
}

/// A code such as 1 is written without quotes.
private func yamlKey(_ key: String) -> String {
    Bytes(key).isDigits ? key : quoted(key)
}

private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
