import Messages
import Records

/// The keys `layout`, `layout_fields` and `skip` of a source.
extension PipelineFileReader {
    /// The layouts and their texts, and where the JSON layout has each field.
    mutating func layouts(
        in entry: Entry?, fields fieldsEntry: Entry?, format: RecordFormat?
    ) -> (layouts: [Layout], texts: [String], fields: [String: String])? {
        let fields = layoutFields(fieldsEntry)
        guard let entry else {
            guard let format else { return nil }
            let layout = format == .collector ? Layout.combined : .body
            if let fieldsEntry { noteFieldsWithoutJSON(in: fieldsEntry, layouts: [layout.name]) }
            return ([layout], [layout.name], [:])
        }
        var entries = [entry]
        if case .list = entry.value.content {
            guard let nodes = list(entry) else { return nil }
            entries = nodes.map { entry.with($0) }
        }
        var found: [(layout: Layout, text: String, place: Place)] = []
        for entry in entries {
            guard let text = text(entry, isFormat: true), var layout = layout(text, in: entry, format: format) else {
                continue
            }
            if case .json(let json) = layout { layout = .json(json.with(fields)) }
            found.append((layout, text, entry.value.place))
        }
        guard !found.isEmpty, found.count == entries.count else { return nil }
        let texts = found.map(\.text)
        if let fieldsEntry, !found.contains(where: \.layout.isJSON) {
            noteFieldsWithoutJSON(in: fieldsEntry, layouts: texts)
        }
        if case .list = entry.value.content, !mayStandTogether(found) { return nil }
        let fitting = found.filter { layout, text, place in
            format.map { fits(layout, text: text, format: $0, at: place) } ?? true
        }
        guard fitting.count == found.count else { return nil }
        noteOverlaps(of: found)
        return (
            found.map(\.layout), texts,
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, PathText.text($1)) })
        )
    }

    /// Whether one source may have all these layouts.
    private mutating func mayStandTogether(_ found: [(layout: Layout, text: String, place: Place)]) -> Bool {
        let faultsBefore = faults.count
        for (index, (layout, text, place)) in found.enumerated() {
            let before = found[..<index]
            if !layout.mayBeAmongOthers {
                fault(
                    .layoutInList,
                    text:
                        "the layout '\(text)' does not belong in a list, which is of layouts that tell each line by itself; "
                        + "give it alone",
                    at: place)
            } else if let same = before.first(where: { $0.layout == layout }) {
                fault(
                    .duplicateLayout, text: "duplicate layout '\(text)', first in line \(same.place.line)", at: place)
            } else if layout.isJSON, let other = before.first(where: \.layout.isJSON) {
                fault(
                    .secondJsonLayout,
                    text: "a list has one layout of JSON at most, and '\(other.text)' is one as well as '\(text)'",
                    at: place)
            }
        }
        return faults.count == faultsBefore
    }

    /// Warns of lines that two layouts can read in different ways.
    private mutating func noteOverlaps(of found: [(layout: Layout, text: String, place: Place)]) {
        for (index, (layout, text, place)) in found.enumerated() {
            guard let example = LayoutExample(of: layout) else { continue }
            if example.beginsLikeObject, let json = found.first(where: \.layout.isJSON) {
                warn(
                    .overlappingLayouts,
                    text: "lines of the layout '\(text)' begin with '{', so all of them are read as '\(json.text)'; "
                        + "remove one of the two",
                    at: place)
            } else if let other = found[..<index].first(where: { example.isMisread(by: $0.layout) }) {
                let isMutual = LayoutExample(of: other.layout)?.isMisread(by: layout) ?? false
                warn(
                    .overlappingLayouts,
                    text:
                        "lines of the layout '\(text)' fit '\(other.text)' too, which comes first and reads other values"
                        + (isMutual ? "; make one of the two more exact" : "; put that one after it"),
                    at: place)
            }
        }
    }

    /// The texts of `skip`, each once, sorted by bytes. A line that fits no layout is filtered if it contains one of
    /// them.
    mutating func skippedTexts(_ entry: Entry?) -> [String] {
        guard let entry, let nodes = list(entry) else { return [] }
        let texts = nodes.compactMap { node -> String? in
            if case .list = node.content {
                // YAML takes [error] for a list.
                fault(
                    .wrongType, text: "'skip' must be text, not a list; put it in quotes, as in '[error]'",
                    at: node.place)
                return nil
            }
            return text(entry.with(node))
        }
        return Set(texts.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func layout(_ text: String, in entry: Entry, format: RecordFormat?) -> Layout? {
        let layout: Layout
        do {
            layout = try Layout(parsing: text)
        } catch {
            fault(error.code, text: error.text, at: entry.value.place)
            return nil
        }
        switch layout {
        case .nginx(let lines):
            noteMisspeltVariables(of: lines, at: entry.value.place)
            noteDoubts(about: lines, isApache: false, format: format, at: entry.value.place)
        case .apache(let lines): noteDoubts(about: lines, isApache: true, format: format, at: entry.value.place)
        default: break
        }
        return layout
    }

    /// Where a JSON layout has each field, by dotted paths.
    private mutating func layoutFields(_ entry: Entry?) -> [JSONFields.Field: [String]] {
        let names = JSONFields.Field.allCases.map(\.name)
        guard let entry, let keys = mapping(entry.value, called: "'layout_fields'", keys: names) else { return [:] }
        if case .mapping(let pairs) = entry.value.content, pairs.isEmpty { noteEmpty(entry) }
        var fields: [JSONFields.Field: [String]] = [:]
        for field in JSONFields.Field.allCases {
            if let path = fieldPath(keys[field.name]) { fields[field] = path }
        }
        if let date = keys["date"], fields[.time] == nil {
            fault(.dateWithoutTime, text: "'date' needs a 'time' beside it in 'layout_fields'", at: date.place)
        }
        return fields
    }

    private mutating func noteFieldsWithoutJSON(in entry: Entry, layouts: [String]) {
        let quoted = layouts.map { "'\($0)'" }.joined(separator: " and ")
        let ofJSON = Layout.named.filter(\.isJSON).map(\.name)
        fault(
            .layoutFieldsWithoutJson,
            text: "'layout_fields' belongs to the layouts \(ofJSON.listed), not to \(quoted)", at: entry.place)
    }

    /// Whether this layout can give records that the format accepts.
    private mutating func fits(_ layout: Layout, text: String, format: RecordFormat, at place: Place) -> Bool {
        let has = layout.fields
        let isApache = if case .apache = layout { true } else { false }
        if layout == .csv ? format != .events : layout == .body && format == .collector {
            fault(
                .foreignLayout, text: "the layout '\(text)' does not belong to the format '\(format.rawValue)'",
                at: place)
        } else if format != .collector {
            if has.contains(.requestBody) { return true }
            fault(
                .layoutWithoutBody,
                text:
                    "the layout '\(text)' has no '$request_body', which the format '\(format.rawValue)' takes its payload from",
                at: place)
        } else if !has.contains(.request) {
            let needed = isApache ? "'%r', or '%m' and '%U%q'" : "'$request', or '$request_method' and '$request_uri'"
            fault(.layoutWithoutRequest, text: "a collector's layout needs \(needed)", at: place)
        } else if !has.contains(.time) {
            let needed = isApache ? "'%t', or '%{…}t' with date and time" : "'$time_local', '$time_iso8601' or '$msec'"
            fault(.layoutWithoutTime, text: "a collector's layout needs \(needed)", at: place)
        } else {
            return true
        }
        return false
    }

    /// Warns of values that a hand-written layout lacks, or might cut off.
    private mutating func noteDoubts(
        about lines: LineFormat, isApache: Bool, format: RecordFormat?, at place: Place
    ) {
        for value in lines.cutValues {
            warn(
                .cutValue,
                text:
                    "'\(value)' has no quotes around it and ends at its first space; put it in quotes, in the server's "
                    + "configuration too, or last in the line",
                at: place)
        }
        guard format == .collector else {
            if lines.hasHalfRequest {
                warn(
                    .layoutWithoutRequest,
                    text:
                        "'path' is not compared, since the layout needs '$request', or '$request_method' and '$request_uri', for "
                        + "that; each line with a body is read",
                    at: place)
            }
            return
        }
        if !lines.fields.contains(.status) {
            warn(
                .layoutWithoutStatus,
                text: "the layout has no '\(isApache ? "%>s" : "$status")', so failed requests count as well", at: place
            )
        }
        if !lines.fields.contains(.userAgent) {
            let name = isApache ? "%{User-Agent}i" : "$http_user_agent"
            warn(
                .layoutWithoutUserAgent,
                text: "the layout has no '\(name)', so the platform of every hit is unknown", at: place)
        }
    }

    /// A misspelt variable would be skipped silently. It is only a warning if the right one is there too.
    private mutating func noteMisspeltVariables(of format: LineFormat, at place: Place) {
        for name in format.variables.subtracting(LineFormat.nginxVariables).sorted() {
            let userAgent = name.hasPrefix("http_") ? name.nearest(of: ["http_user_agent"], within: 2) : nil
            guard let near = name.nearest(of: LineFormat.nginxVariables, within: 1) ?? userAgent else { continue }
            let text: MessageText = "unknown variable '$\(name)', did you mean '$\(near)'?"
            if format.variables.contains(near) {
                warn(.misspeltVariable, text: text, at: place)
            } else {
                fault(.misspeltVariable, text: text, at: place)
            }
        }
    }
}

extension [String] {
    /// `a, b and c`
    fileprivate var listed: String { (dropLast(2) + [suffix(2).joined(separator: " and ")]).joined(separator: ", ") }
}
