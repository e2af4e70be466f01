import Configuration
import Output
import Partitions

extension OutputDatabase {
    /// Compares push.db with the partitions. Writes nothing.
    ///
    /// - Parameter pipeline: nil for the settings that push.db was published with.
    /// - Throws: `WarehouseError`, or `OutputLockError.held` if another command is at work, since it may change both.
    package func audit(_ pipeline: Pipeline?, resources: RunResources) throws -> OutputAudit {
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        let settings = try pipeline.map { PublicationSettings($0) } ?? publishedSettings(Pipelines.programVersion)
        // A record that cannot be read is among what the audit finds.
        if let closed = try? ClosedDates(in: folder) { try closed.check(settings) }
        let audit = try audit(settings, resources: resources.publishing)
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        return audit
    }
}
