import Calendar
import LogFiles
import Messages
import Output

extension PipelineFileReader {
    static let topKeys = [
        "version", "timezone", "output", "dedup", "limits", "retention", "deliveries", "checks", "sources",
    ]
    static let deliveriesKeys = ["files", "id", "timezone", "columns"]
    static let checkKeys = ["name", "severity", "sql"]
    private static let mostSources = 1000
    private static let mostActions = 1000
    /// The most suggestions for wrong names of zones. A search goes through hundreds of zones, and a file may have
    /// thousands of wrong names.
    private static let mostSuggestions = 20
    private static let defaultOutput = "../warehouse"
    /// A hundred years.
    private static let mostIDDays = 36_525

    /// The pipeline; nil if anything is wrong with it.
    mutating func pipeline(from root: YAMLNode) -> Pipeline? {
        guard let top = mapping(root, called: "a pipeline file", keys: Self.topKeys) else { return nil }
        for key in ["version", "sources"] where top[key] == nil { noteMissing(key, at: top.place) }
        if let entry = top["version"], let version = wholeNumber(entry), version != 1 {
            fault(.unknownVersion, text: "'version' must be 1, not \(entry.value.plainText)", at: entry.value.place)
        }
        let zone = zone(top["timezone"])
        let output = output(top["output"]) ?? Self.defaultOutput
        if top["output"] == nil {
            warn(
                .missingOutput,
                text: "no 'output', so push.db goes to '\(Self.defaultOutput)'; name its folder here, or with --output",
                at: top.place)
        }
        let dedup = top["dedup"].flatMap { mapping($0.value, called: "'dedup'", keys: ["window_days"]) }
        let window = dedup?["window_days"]
        let windowDays = window == nil ? Pipeline.defaultWindowDays : inRange(wholeNumber(window), to: 3650, of: window)
        let limits = top["limits"].flatMap {
            mapping($0.value, called: "'limits'", keys: ["reject_ratio", "damaged_files"])
        }
        let rejectRatio = inRange(number(limits?["reject_ratio"]), to: 1, of: limits?["reject_ratio"])
        let damagedFiles: Pipeline.DamagedFiles? = word(limits?["damaged_files"])
        let idDays = idDays(top["retention"], windowDays: windowDays)
        let deliveries = deliveries(top["deliveries"], zone: zone ?? .utc)
        let checks = checks(top["checks"])
        let sources = sources(top["sources"])
        noteClicksWithoutOpens(sources)
        let actionNames = Set(sources.flatMap(\.actionNames))
        if actionNames.count > Self.mostActions, let entry = top["sources"] {
            noteTooMany("action names", limit: Self.mostActions, at: entry.place)
        }
        guard let zone, let windowDays, faults.isEmpty else { return nil }
        return Pipeline(
            file: file, folder: folder, zone: zone, output: output.absolute(in: folder),
            windowDays: windowDays, rejectRatio: rejectRatio ?? 0.05,
            damagedFiles: damagedFiles ?? .skip, idDays: idDays, deliveries: deliveries,
            checks: checks,
            sources: sources, actionNames: actionNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            undatedFiles: undatedFiles, filesAtURI: filesAtURI, warnings: warnings)
    }

    private mutating func output(_ entry: Entry?) -> String? {
        guard let entry, let path = text(entry) else { return nil }
        if FilePattern.uriRoot(of: path) != nil {
            fault(
                .outputAtUri,
                text:
                    "'output' (\(path)) is at a URI, where push.db cannot be; give a path, which for Spark the driver and all "
                    + "executors see", at: entry.value.place)
        }
        return path
    }

    /// How many days ids are held, from `retention`.
    /// - Parameter windowDays: nil if it is wrong. Then nothing is known of the least number of days.
    private mutating func idDays(_ entry: Entry?, windowDays: Int?) -> Int? {
        guard let entry, let retention = mapping(entry.value, called: "'retention'", keys: ["ids"]) else { return nil }
        guard let ids = retention["ids"] else {
            noteMissing("ids", in: "'retention'", at: entry.place)
            return nil
        }
        guard let days = wholeNumber(ids), let windowDays else { return nil }
        let least = 2 * windowDays + 8
        if days < least {
            fault(
                .shortRetention,
                text:
                    "'ids' must be at least \(least), twice window_days (\(windowDays)) and 8 days for late files, not \(days)",
                at: ids.value.place)
        } else if days > Self.mostIDDays {
            noteRange(of: ids, "from \(least) to \(Self.mostIDDays)")
        }
        return days
    }

    private mutating func sources(_ entry: Entry?) -> [Source] {
        guard let entry, let nodes = list(entry) else { return [] }
        if nodes.count > Self.mostSources {
            noteTooMany("sources", limit: Self.mostSources, at: nodes[Self.mostSources].place)
        }
        return nodes.prefix(Self.mostSources).enumerated().compactMap { source($1, number: $0 + 1) }
    }

    /// The value of an entry, if it is from 0 to `most`.
    private mutating func inRange<Number: Comparable & ExpressibleByIntegerLiteral & LosslessStringConvertible>(
        _ number: Number?, to most: Int, of entry: Entry?
    ) -> Number? {
        guard let entry, let number, let limit = Number(String(most)) else { return nil }
        if (0...limit).contains(number) { return number }
        noteRange(of: entry, "from 0 to \(most)")
        return nil
    }

    // MARK: Time zones

    mutating func zone(_ entry: Entry?) -> ZoneRules? {
        guard let entry else { return .utc }
        guard let name = text(entry) else { return nil }
        do throws(ZoneError) {
            return try ZoneDatabase.zone(name)
        } catch {
            if case .unusable(let reason) = error {
                fault(.unusableZone, text: "time zone '\(name)' cannot be used: \(reason)", at: entry.value.place)
                return nil
            }
            let near = faults.count < Self.mostSuggestions ? Self.zone(near: name) : nil
            let other: MessageText =
                ", expected an IANA name such as 'Europe/Madrid'; if it is one, install the newest "
            fault(
                .unknownZone,
                text: "unknown time zone '\(name)'"
                    + .didYouMean(near, or: other + "'tzdata', or 'tzdata-legacy' for former names"),
                at: entry.value.place)
            return nil
        }
    }

    private static func zone(near name: String) -> String? {
        let zones = ZoneDatabase.names
        let city = "/" + name.lowercased().replacing(" ", with: "_")
        return name.nearest(of: zones) ?? zones.first { $0.lowercased().hasSuffix(city) }
    }
}

extension PipelineFileReader {
    private static let mostDeliveries = 1000

    /// The entries of `deliveries`: a mapping, or a list of mappings.
    /// - Parameter zone: the pipeline's.
    mutating func deliveries(_ entry: Entry?, zone: ZoneRules) -> [DeliveryFiles] {
        guard let entry else { return [] }
        guard case .list = entry.value.content, let nodes = list(entry) else {
            return deliveryFiles(entry.value, zone: zone).map { [$0] } ?? []
        }
        if nodes.count > Self.mostDeliveries {
            noteTooMany("entries of 'deliveries'", limit: Self.mostDeliveries, at: entry.value.place)
        }
        return nodes.prefix(Self.mostDeliveries).compactMap { deliveryFiles($0, zone: zone) }
    }

    private mutating func deliveryFiles(_ node: YAMLNode, zone: ZoneRules) -> DeliveryFiles? {
        guard let keys = mapping(node, called: "'deliveries'", keys: Self.deliveriesKeys) else {
            return nil
        }
        if keys["files"] == nil { noteMissing("files", in: "'deliveries'", at: keys.place) }
        let files = patterns(in: keys["files"]) { reader, pattern, place in
            let subject: MessageText = "'files' of 'deliveries' (\(pattern.text))"
            if pattern.hasDatePlaceholder {
                reader.fault(
                    .datedDeliveries,
                    text: subject
                        + " has a date in it, but delivery files belong to no log date; write '*' in its place, "
                        + "and '%%' for a percent sign",
                    at: place)
            }
            if pattern.uriRoot != nil {
                reader.fault(
                    .deliveriesAtUri,
                    text: subject + " is at a URI, which cannot be read; give a path that the driver sees", at: place)
            }
        }
        let idForm: DeliveryFiles.IDForm = word(keys["id"]) ?? .text
        let zone = keys["timezone"] == nil ? zone : self.zone(keys["timezone"])
        let columns = columns(keys["columns"])
        guard let files, let zone else { return nil }
        return DeliveryFiles(files: files, idForm: idForm, zone: zone, columns: columns)
    }

    private mutating func columns(_ entry: Entry?) -> [DeliveryFiles.Column: String] {
        let all = DeliveryFiles.Column.allCases
        var names = Dictionary(uniqueKeysWithValues: all.map { ($0, $0.rawValue) })
        guard let entry, let keys = mapping(entry.value, called: "'columns'", keys: all.map(\.rawValue)) else {
            return names
        }
        for column in all {
            if let name = text(keys[column.rawValue]) { names[column] = name }
        }
        return names
    }
}

extension PipelineFileReader {
    private static let mostChecks = 100

    mutating func checks(_ entry: Entry?) -> [Check] {
        guard let entry, let nodes = list(entry) else { return [] }
        if nodes.count > Self.mostChecks {
            noteTooMany("checks", limit: Self.mostChecks, at: nodes[Self.mostChecks].place)
        }
        var lines: [String: Int] = [:]
        return nodes.prefix(Self.mostChecks).compactMap { check($0, lines: &lines) }
    }

    /// - Parameter lines: the lines of the names so far, by name.
    private mutating func check(_ node: YAMLNode, lines: inout [String: Int]) -> Check? {
        guard let keys = mapping(node, called: "a check", keys: Self.checkKeys) else { return nil }
        for key in ["name", "sql"] where keys[key] == nil { noteMissing(key, in: "a check", at: keys.place) }
        let severity: Check.Severity = word(keys["severity"]) ?? .warn
        let sql = sql(keys["sql"])
        guard let entry = keys["name"], let name = text(entry) else { return nil }
        if name.wholeMatch(of: /[a-z][a-z0-9_]*/) == nil {
            fault(
                .badCheckName,
                text: "the name of a check '\(name)' must begin with a-z and hold only a-z, 0-9 and '_'",
                at: entry.value.place)
        }
        if let first = lines[name] {
            fault(
                .duplicateCheck, text: "duplicate check name '\(name)', first in line \(first)", at: entry.value.place
            )
        }
        lines[name] = entry.value.place.line
        return sql.map { Check(name: name, severity: severity, sql: $0) }
    }

    /// The SQL of a check; nil if it does not compile.
    private mutating func sql(_ entry: Entry?) -> String? {
        guard let entry, let sql = text(entry, isFormat: true) else { return nil }
        do {
            guard let words = try CheckQuestion.fault(of: sql) else { return sql }
            fault(.badCheckSql, text: "the SQL of the check cannot be used: \(words)", at: entry.value.place)
        } catch {
            fault(
                .badCheckSql, text: "the SQL of the check cannot be used: \(Message(of: error).words)",
                at: entry.value.place)
        }
        return nil
    }
}
