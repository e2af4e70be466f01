/// Distributes work over threads. The warehouse has no threads of its own.
package protocol Workers: Sendable {
    /// The number of pieces that run at the same time; at least 1.
    var count: Int { get }

    /// Calls `body` with each number below `pieces` and returns the results in this order. Pieces may run in parallel,
    /// on any thread.
    /// - Throws: an error of `body`. Pieces that have not started by then are skipped.
    func map<Result: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Result]
}
