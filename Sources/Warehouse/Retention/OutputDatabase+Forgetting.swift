extension OutputDatabase {
    /// Gives up the figures of a closed log date for good: the next publishing takes them out of push.db, and removes its files.
    /// Returns false if nothing of such a log date was loaded. The caller must hold the output's lock.
    package func forget(_ logDate: Int32) throws(WarehouseError) -> Bool {
        guard var closed = try ClosedDates(in: folder), closed.holds(logDate) else { return false }
        if closed.forgotten.contains(logDate) { return true }
        guard closed.dates.removeValue(forKey: logDate) != nil else { return false }
        closed.forgotten.insert(logDate)
        try closed.write(in: folder)
        return true
    }
}
