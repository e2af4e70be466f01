/// A source of the pipeline file that a log date was loaded with.
package struct LoadedSource: Codable, Equatable, Sendable {
    package let name: String
    /// Identifies what its files mean, whatever its name is.
    package let rules: String
    /// Whether it had files.
    package let hasFiles: Bool

    package init(name: String, rules: String, hasFiles: Bool) {
        self.name = name
        self.rules = rules
        self.hasFiles = hasFiles
    }
}
