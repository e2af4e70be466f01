import Configuration
import Partitions
import Records

// Compares the pipeline file with the one that a log date was loaded with.

/// The reasons of lines that one more layout may read.
let reasonsOfMisfits = [RejectReason.malformedLine.code, RejectReason.lineTooLong.code, FilterReason.skipped.code]

extension Pipeline {
    /// Whether this pipeline file means the same for a log date as the pipeline file at its load. New layouts at the
    /// end of a source's list change nothing, if all lines fitted the former layouts.
    /// - Parameters:
    ///   - fingerprint: the fingerprint of the pipeline file at the load.
    ///   - misfits: the sources with lines that fitted no layout.
    func means(
        sameAs fingerprint: String, sources: [LoadedSource], misfits: @autoclosure () -> Set<String>
    ) -> Bool {
        if fingerprint == self.fingerprint { return true }
        guard self.sources.contains(where: { $0.layoutTexts.count > 1 }) else { return false }
        let misfits = misfits()
        let former = Dictionary(sources.map { ($0.name, $0.rules) }) { first, _ in first }
        let rules = self.sources.map { source in
            let counts = misfits.contains(source.name) ? [] : Array(1..<source.layoutTexts.count)
            return counts.map { self.rules(of: source, layouts: $0) }.first { $0 == former[source.name] }
                ?? self.rules(of: source)
        }
        return fingerprint == self.fingerprint(rules: rules)
    }

    /// The present names of renamed sources, by their former names. A source counts as renamed if only its name has
    /// changed.
    func renamed(_ sources: [LoadedSource]) -> [String: String] {
        let names = Set(self.sources.map(\.name))
        let formerNames = Set(sources.map(\.name))
        let gone = sources.filter { !names.contains($0.name) }
        if gone.isEmpty { return [:] }
        var added = self.sources.filter { !formerNames.contains($0.name) }
        return gone.reduce(into: [:]) { renamed, source in
            guard let index = added.firstIndex(where: { rules(of: $0) == source.rules }) else { return }
            renamed[source.name] = added.remove(at: index).name
        }
    }

    /// The required sources that had no file when the log date was loaded.
    func missingSources(of summary: PartitionSummary) -> [String] {
        let lacking = summary.sources.filter { !$0.hasFiles }.map(\.name)
        if lacking.isEmpty { return [] }
        let renamed = renamed(summary.sources)
        return lacking.map { renamed[$0] ?? $0 }.filter(requiredSources.contains)
    }

    /// The settings that decide whether a load is held back.
    var limits: String { "reject_ratio \(rejectRatio); damaged_files \(damagedFiles.rawValue)" }

    /// Names of sources without which a log date is partial.
    var requiredSources: Set<String> { Set(sources.filter(\.required).map(\.name)) }
}
