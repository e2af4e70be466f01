import Configuration
import Partitions

// The pipeline file beside the one that a log date was loaded with.

extension Pipeline {
    /// Whether it means for a log date what another pipeline file has meant at its load. A list of layouts that goes on a former one
    /// does, if each line fitted that.
    /// - Parameters:
    ///   - fingerprint: of the other pipeline file.
    ///   - misfits: the sources of which a line did not fit its layout.
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

    /// The present names, by the former ones, of sources that differ in their names alone.
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

    /// The required sources of which a log date had no file at its load.
    func missingSources(of summary: PartitionSummary) -> [String] {
        let lacking = summary.sources.filter { !$0.hasFiles }.map(\.name)
        if lacking.isEmpty { return [] }
        let renamed = renamed(summary.sources)
        return lacking.map { renamed[$0] ?? $0 }.filter(requiredSources.contains)
    }

    /// What decides whether a load is accepted.
    var limits: String { "reject_ratio \(rejectRatio); damaged_files \(damagedFiles.rawValue)" }

    /// Names of sources without which a log date is partial.
    var requiredSources: Set<String> { Set(sources.filter(\.required).map(\.name)) }
}
