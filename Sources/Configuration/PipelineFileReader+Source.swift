import Events
import Foundation
import LogFiles
import Messages
import Records

extension PipelineFileReader {
    static let sourceKeys = [
        "name", "format", "layout", "dialect", "require_mcid", "required", "files", "platform", "id_space", "path",
        "fields", "actions", "layout_fields", "timezone", "unwrap", "elements", "platforms", "skip", "require",
        "action", "times",
    ]
    private static let collectorKeys: Set = ["dialect", "require_mcid"]
    private static let payloadKeys: Set = ["platform", "path", "fields", "platforms", "action"]
    private static let eventsKeys: Set = ["elements", "require", "times"]

    /// One entry of `sources`; nil if it has any fault.
    mutating func source(_ node: YAMLNode, number: Int) -> Source? {
        let faultsBefore = faults.count
        guard let keys = mapping(node, called: "a source", keys: Self.sourceKeys) else { return nil }
        let name = name(keys["name"])
        let format: RecordFormat? = word(keys["format"], called: "format")
        noteForeignKeys(in: keys, format: format)

        let layout = layouts(in: keys["layout"], fields: keys["layout_fields"], format: format)
        let owner: MessageText = name.map { "source '\($0)'" } ?? "source \(number)"
        noteMissingKeys(in: keys, owner: owner, format: format, layout: layout?.layouts.first)
        let unwrap = fieldPath(keys["unwrap"]) ?? []
        if let layout, let format {
            noteMisplaced(in: keys, layout: layout.layouts[0], text: layout.texts[0], format: format)
        }
        let skip = skippedTexts(keys["skip"])
        let dialect: Source.Dialect = word(keys["dialect"], called: "dialect") ?? .campaignStandard
        let requireMcid = flag(keys["require_mcid"]) ?? false
        let required = flag(keys["required"]) ?? true
        let files = sourceFiles(keys["files"], name: name ?? "")
        let platform: PlatformWord? = word(keys["platform"], called: "platform")
        let idSpace = text(keys["id_space"]) ?? "push"
        let path = text(keys["path"])
        if let path, path.utf8.first != UInt8(ascii: "/"), let entry = keys["path"] {
            fault(.pathWithoutSlash, text: "'path' must begin with '/', not '\(path)'", at: entry.value.place)
        }
        let zone = keys["timezone"].flatMap { self.zone($0) }
        if let entry = keys["dialect"], keys["actions"] != nil {
            warn(
                .replacedDialect,
                text: "'dialect' does nothing beside 'actions', which replaces all of its codes; remove one",
                at: entry.place)
        }
        noteActionsTwice(keys)
        let arePaths = layout?.layouts.first != .csv
        let fields = fields(of: keys, format: format, arePaths: arePaths)
        let elements = keys["elements"].flatMap { $0.value.isEmptyText ? [] : fieldPath($0) } ?? []
        let require = require(keys["require"], arePaths: arePaths)
        let platforms = platforms(keys["platforms"])
        let actions = actions(in: keys["actions"], format: format)
        let action = action(keys["action"])
        let times = times(keys["times"], arePaths: arePaths)
        guard let name, let format, let layout, let files, faults.count == faultsBefore else {
            faultyIDSpaces.insert(idSpace)
            return nil
        }
        if let names = keys["actions"] ?? keys["times"] { actionPlaces[name] = names.place }
        return Source(
            name: name, format: format, layouts: layout.layouts, layoutTexts: layout.texts, skip: skip,
            layoutFields: layout.fields, unwrap: unwrap, dialect: dialect, requireMcid: requireMcid, required: required,
            files: files, zone: zone, platform: platform?.platform, idSpace: idSpace,
            path: path ?? format.defaultPath, fields: fields, require: require, elements: elements,
            platforms: platforms,
            actions: actions ?? (action == nil && times.isEmpty ? format.defaultActions(dialect) : [:]),
            action: action, times: times)
    }

    /// Warns of sources that count clicks and no opens, unless the opens of the same messages are or may be in another
    /// source. One with a constant action counts what its files have.
    mutating func noteClicksWithoutOpens(_ sources: [Source]) {
        let opened = faultyIDSpaces.union(sources.filter { $0.actionNames.contains("open") }.map(\.idSpace))
        for source in sources where source.actionNames.contains("click") && !opened.contains(source.idSpace) {
            guard let place = actionPlaces[source.name] else { continue }
            warn(
                .clicksWithoutOpens,
                text:
                    "source '\(source.name)' counts clicks and no opens, so each click is a dismissal; write 'open' for what "
                    + "opens the app", at: place)
        }
    }

    /// The name of a source, which no other may have.
    private mutating func name(_ entry: Entry?) -> String? {
        guard let entry, let name = text(entry) else { return nil }
        if let first = sourceLines[name] {
            fault(
                .duplicateSource, text: "duplicate source name '\(name)', first in line \(first)",
                at: entry.value.place)
        } else {
            sourceLines[name] = entry.value.place.line
        }
        return name
    }

    private mutating func noteMissingKeys(
        in keys: Mapping, owner: MessageText, format: RecordFormat?, layout: Layout?
    ) {
        var needed = ["name", "format", "files"]
        if format?.hasBodies == true, keys["action"] == nil, keys["times"] == nil { needed.append("actions") }
        if format == .events { needed += layout?.isOfPayloads != false ? ["fields"] : ["fields", "path"] }
        for key in needed where keys[key] == nil { noteMissing(key, in: owner, at: keys.place) }
    }

    private mutating func noteForeignKeys(in keys: Mapping, format: RecordFormat?) {
        guard let format else { return }
        var foreign = format == .collector ? Self.payloadKeys : Self.collectorKeys
        if format != .events { foreign.formUnion(Self.eventsKeys) }
        for entry in keys.entries where foreign.contains(entry.key) {
            fault(
                .foreignKey, text: "'\(entry.key)' does not belong to the format '\(format.rawValue)'",
                at: entry.place)
        }
    }

    /// Notes keys that do not belong to the layout.
    private mutating func noteMisplaced(in keys: Mapping, layout: Layout, text: String, format: RecordFormat) {
        if let entry = keys["path"], layout.isOfPayloads, format != .collector {
            fault(
                .pathWithBody, text: "'path' does not belong to the layout '\(text)', which has no request",
                at: entry.place)
        }
        if let entry = keys["elements"], layout == .csv {
            fault(
                .elementsOfRows,
                text: "'elements' does not belong to the layout 'csv', each row of which is an event",
                at: entry.place)
        }
        if let entry = keys["unwrap"], layout.isOfPayloads, format.hasBodies {
            let bodies = layout == .csv ? "rows" : format == .events ? "events" : "bodies of users_track"
            fault(
                .unwrapOfBodies, text: "'unwrap' is for lines; \(bodies) may span several of them",
                at: entry.place)
        }
        if let entry = keys["skip"], layout == .body {
            fault(
                .skipWithBody, text: "'skip' does not belong to the layout 'body', which every line fits",
                at: entry.place)
        }
        if let entry = keys["timezone"], layout.isInUTC {
            fault(
                .zoneOfUtcLayout,
                text: "'timezone' does not belong to the layout '\(text)', whose times are in UTC",
                at: entry.place)
        }
        if let entry = keys["timezone"], layout == .body, format != .events {
            warn(
                .zoneWithoutTimes,
                text:
                    "'timezone' of a source does nothing with the layout '\(text)', whose lines have no time of their own",
                at: entry.place)
        }
    }

    // MARK: Files

    /// A pattern or a list of patterns. `check` is called for each.
    mutating func patterns(
        in entry: Entry?, check: (inout PipelineFileReader, FilePattern, Place) -> Void
    ) -> FilePatterns? {
        guard let entry else { return nil }
        var entries = [entry]
        if case .list = entry.value.content, let nodes = list(entry) {
            entries = nodes.map { entry.with($0) }
        }
        let patterns = entries.map { pattern(in: $0, check: check) }
        let known = patterns.compactMap(\.self)
        return known.count == patterns.count ? FilePatterns(known) : nil
    }

    private mutating func pattern(
        in entry: Entry, check: (inout PipelineFileReader, FilePattern, Place) -> Void
    ) -> FilePattern? {
        guard let text = text(entry) else { return nil }
        let pattern: FilePattern
        do {
            pattern = try FilePattern(text)
        } catch {
            fault(.badPattern, text: error.text, at: entry.value.place)
            return nil
        }
        check(&self, pattern, entry.value.place)
        if let missing = pattern.missingFolder(in: folder) {
            warn(
                .missingFolder,
                text: "there is no folder '\(missing)'" + .didYouMean(path(near: missing), or: "; check 'files'"),
                at: entry.value.place)
        }
        return pattern
    }

    /// The patterns of a source. Warns of patterns that do not contain the log date.
    private mutating func sourceFiles(_ entry: Entry?, name: String) -> FilePatterns? {
        patterns(in: entry) { reader, pattern, place in
            let text = pattern.text
            let subject: MessageText = "'files' of source '\(name)' (\(text))"
            if !pattern.hasDatePlaceholder {
                let message = reader.message(
                    .noDatePlaceholder,
                    text: subject
                        + " has no date in it, so past log dates cannot be loaded; write the date as '%Y-%m-%d', "
                        + "or load this pipeline only with 'run'",
                    at: place)
                reader.undatedFiles.append(message)
            }
            if pattern.uriRoot != nil {
                let message = reader.message(
                    .filesAtUri,
                    text: subject + " is at a URI, which only pushetl_spark.py can read; load this pipeline with it, "
                        + "or give a path",
                    at: place)
                reader.filesAtURI.append(message)
            }
            if pattern.determinesDay { return }
            if pattern.determinesDayOfYear {
                reader.warn(
                    .patternWithoutYear,
                    text:
                        "the pattern '\(text)' does not tell the year, so it finds the logs of every year; write it as '%Y'",
                    at: place)
            } else {
                reader.warn(
                    .patternWithoutDay,
                    text:
                        "the pattern '\(text)' does not tell the day; write the date as '%Y-%m-%d', or as '%Y' and '%j'",
                    at: place)
            }
        }
    }

    /// A similar path that exists: the first name of `path` that does not exist is replaced by a similar one. What
    /// follows it is left out if it does not exist there.
    private func path(near path: String) -> String? {
        let names = path.split(separator: "/").map(String.init)
        let root = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        let base = root.isEmpty ? folder + "/" : root
        func isThere(_ names: [String]) -> Bool {
            var isFolder: ObjCBool = false
            let path = base + names.joined(separator: "/")
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        let known = names.indices.first { !isThere(Array(names[...$0])) } ?? 0
        let parent = base + names.prefix(known).joined(separator: "/")
        // If the folder cannot be listed, there is no suggestion.
        let others = (try? FileManager.default.contentsOfDirectory(atPath: parent))?.sorted() ?? []
        guard let name = names[known].nearest(of: others) else { return nil }
        let similar = names.prefix(known) + [name]
        let whole = similar + names.dropFirst(known + 1)
        return root + (isThere(Array(whole)) ? whole : similar).joined(separator: "/")
    }
}

extension RecordFormat {
    fileprivate func defaultActions(_ dialect: Source.Dialect) -> [String: String] {
        switch self {
        case .collector: dialect.actions
        case .mzip: ["1": "arrival"]
        case .usersTrack, .events: [:]
        }
    }
}
