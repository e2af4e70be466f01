import Warehouse

extension PipelineRun {
    /// Compares push.db with the partitions. Writes nothing.
    ///
    /// - Throws: `WarehouseError`, or `OutputLockError.held` if another command is at work, since it may change both.
    package func audit() throws -> OutputAudit {
        try OutputLock.checkFree(folder: output.partitionsPath, output: output.path)
        var settings = settings
        settings.deliveries = try output.acceptedDeliveries()
        let audit = try database.audit(settings, resources: publishingResources)
        try OutputLock.checkFree(folder: output.partitionsPath, output: output.path)
        return audit
    }
}
