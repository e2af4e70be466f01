import Calendar

extension ClosedDates {
    /// The record of an output in which nothing is closed yet.
    init(first: Int32, _ settings: PublicationSettings) {
        self.init(first: first, settings: Settings(timezone: "", windowDays: 0, sources: []))
        fix(settings, sources: [])
    }

    /// Checks that settings give the figures that are settled already. New rules of the same time zone are let pass: they leave
    /// settled log dates as they are.
    package func check(_ settings: PublicationSettings) throws(FixedSettingError) {
        guard hasSettled else { return }
        let known = self.settings
        guard settings.zone.name == known.timezone else {
            throw .timezone(was: known.timezone, is: settings.zone.name)
        }
        guard settings.windowDays == known.windowDays else {
            throw .windowDays(was: known.windowDays, is: settings.windowDays)
        }
        let sources = ClosedDates.order(Set(known.sources), settings.sourceNames)
        guard sources == known.sources else { throw .sources(was: known.sources, are: sources) }
    }

    /// Takes over the settings of a publishing.
    /// - Parameter sources: those of the partitions that settle.
    mutating func fix(_ settings: PublicationSettings, sources: some Sequence<String>) {
        let all = Set(self.settings.sources).union(sources).union(settings.sourceNames)
        self.settings = Settings(
            timezone: settings.zone.name, windowDays: settings.windowDays,
            sources: ClosedDates.order(all, settings.sourceNames))
    }

    /// The order of sources: that of the pipeline file, then those that it no longer has, by name.
    private static func order(_ sources: Set<String>, _ pipeline: [String]) -> [String] {
        let others = sources.subtracting(pipeline).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return pipeline.filter(sources.contains) + others
    }
}
