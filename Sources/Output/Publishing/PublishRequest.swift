import Partitions

/// What a publishing is asked to do.
package struct PublishRequest {
    package var settings: PublicationSettings
    package var resources: PublishingResources
    /// What to do about old log dates; nil to close, settle and erase nothing.
    package var closing: Closing?
    /// The command's rows of `loads`.
    package var loads: [LoadRecord]
    /// Called just before the commit.
    package var conclude: (UncommittedOutput) throws -> Conclusion

    package init(
        settings: PublicationSettings, resources: PublishingResources = PublishingResources(),
        closing: Closing? = nil, loads: [LoadRecord] = [],
        conclude: @escaping (UncommittedOutput) throws -> Conclusion = { _ in Conclusion() }
    ) {
        self.settings = settings
        self.resources = resources
        self.closing = closing
        self.loads = loads
        self.conclude = conclude
    }
}
