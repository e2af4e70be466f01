import Calendar
import Foundation
import LogFiles
import Messages

extension PipelineFileReader {
    private static let mostSources = 1000
    private static let mostActions = 1000
    /// The database has hundreds of zones, so a file with thousands of wrong names gets no more suggestions.
    private static let mostSuggestions = 20
    private static let defaultOutput = "../warehouse"
    private static let defaultWindowDays = 30
    /// A hundred years.
    private static let mostIDDays = 36_525

    mutating func pipeline(from document: YAMLDocument, folder: String) throws(PipelineFileError) -> Pipeline {
        self.folder = folder
        guard let root = document.root else {
            throw PipelineFileError(problems: [problem(.emptyFile, at: .start)])
        }
        let pipeline = pipeline(from: root)
        guard let pipeline, problems.isEmpty else {
            throw PipelineFileError(problems: sortedProblems, warnings: sortedWarnings)
        }
        return pipeline
    }

    private mutating func pipeline(from root: YAMLNode) -> Pipeline? {
        let keys = ["version", "timezone", "output", "dedup", "limits", "retention", "deliveries", "sources"]
        guard let top = mapping(root, "a pipeline file", keys: keys) else { return nil }
        for key in ["version", "sources"] where top[key] == nil {
            note(.missingKey(key, owner: nil), at: top.location)
        }
        if let entry = top["version"], let version = wholeNumber(entry), version != 1 {
            note(.unknownVersion(entry.value.plainText), at: entry.valueLocation)
        }
        let zone = zone(top["timezone"])
        let output = text(top["output"]) ?? Self.defaultOutput
        if top["output"] == nil { warn(.missingOutput(Self.defaultOutput), at: top.location) }

        let dedup = top["dedup"].flatMap { mapping($0.value, "'dedup'", keys: ["window_days"]) }
        let windowDays = inRange(wholeNumber(dedup?["window_days"]), to: 3650, dedup?["window_days"])
        let limits = top["limits"].flatMap {
            mapping($0.value, "'limits'", keys: ["reject_ratio", "damaged_files", "volume"])
        }
        let rejectRatio = inRange(number(limits?["reject_ratio"]), to: 1, limits?["reject_ratio"])
        let damagedFiles: Pipeline.DamagedFiles? = word(limits?["damaged_files"], "value of 'damaged_files'")
        let volume: Pipeline.Volume? = word(limits?["volume"], "value of 'volume'")

        let idDays = idDays(top["retention"], windowDays: windowDays ?? Self.defaultWindowDays)

        let deliveries = deliveries(top["deliveries"], zone: zone ?? .utc)
        let sources = sources(top["sources"])
        let actionNames = Set(sources.flatMap(\.actions.values))
        if actionNames.count > Self.mostActions, let entry = top["sources"] {
            note(.tooMany("action names", limit: Self.mostActions), at: entry.location)
        }
        guard let zone, problems.isEmpty else { return nil }
        return Pipeline(
            file: file, folder: folder, zone: zone,
            output: output.absolute(in: folder), windowDays: windowDays ?? Self.defaultWindowDays,
            rejectRatio: rejectRatio ?? 0.05,
            damagedFiles: damagedFiles ?? .skip, volume: volume ?? .warn, idDays: idDays, deliveries: deliveries,
            sources: sources,
            actionNames: actionNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            warnings: sortedWarnings)
    }

    /// How many days ids are held, from `retention`.
    private mutating func idDays(_ entry: Entry?, windowDays: Int) -> Int? {
        guard let entry, let retention = mapping(entry.value, "'retention'", keys: ["ids"]) else { return nil }
        guard let ids = retention["ids"] else {
            note(.missingKey("ids", owner: "'retention'"), at: entry.location)
            return nil
        }
        guard let days = wholeNumber(ids) else { return nil }
        let least = 2 * windowDays + 8
        if days < least {
            note(.shortRetention(days, least: least, windowDays: windowDays), at: ids.valueLocation)
        } else if days > Self.mostIDDays {
            note(
                .outOfRange(key: ids.key, range: "from \(least) to \(Self.mostIDDays)", found: ids.value.plainText),
                at: ids.valueLocation)
        }
        return days
    }

    private mutating func sources(_ entry: Entry?) -> [Source] {
        guard let entry, let nodes = list(entry) else { return [] }
        if nodes.isEmpty { note(.emptyValue(entry.key), at: entry.valueLocation) }
        if nodes.count > Self.mostSources {
            note(.tooMany("sources", limit: Self.mostSources), at: nodes[Self.mostSources].location)
        }
        var lines: [String: Int] = [:]
        var sources: [Source] = []
        for (index, node) in nodes.prefix(Self.mostSources).enumerated() {
            let read = source(node, number: index + 1)
            if let name = read.name {
                if let first = lines[name.text] {
                    note(.duplicateSource(name.text, firstLine: first), at: name.location)
                } else {
                    lines[name.text] = name.location.line
                }
            }
            if let source = read.source { sources.append(source) }
        }
        return sources
    }

    /// The value of an entry, if it is from 0 to `most`.
    private mutating func inRange<Number: Comparable & ExpressibleByIntegerLiteral & LosslessStringConvertible>(
        _ number: Number?, to most: Int, _ entry: Entry?
    ) -> Number? {
        guard let entry, let number, let limit = Number(String(most)) else { return nil }
        if (0...limit).contains(number) { return number }
        note(
            .outOfRange(key: entry.key, range: "from 0 to \(most)", found: entry.value.plainText),
            at: entry.valueLocation)
        return nil
    }

    // MARK: Time zones

    mutating func zone(_ entry: Entry?) -> ZoneRules? {
        guard let entry else { return .utc }
        guard let name = text(entry) else { return nil }
        do throws(ZoneError) {
            return try ZoneDatabase.zone(name)
        } catch {
            let problem: PipelineFileError.Fault =
                switch error {
                case .unknown:
                    .unknownZone(name, near: problems.count < Self.mostSuggestions ? Self.zone(near: name) : nil)
                case .noDatabase, .invalid, .unreadable: .unusableZone(name, error)
                }
            note(problem, at: entry.valueLocation)
            return nil
        }
    }

    private static func zone(near name: String) -> String? {
        let zones = ZoneDatabase.names
        let city = "/" + name.lowercased().replacing(" ", with: "_")
        return name.nearest(of: zones) ?? zones.first { $0.lowercased().hasSuffix(city) }
    }
}
