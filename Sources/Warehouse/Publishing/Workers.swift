/// Spreads work over threads. The warehouse has none of its own.
package protocol Workers: Sendable {
    /// How many pieces are worked on at the same time; at least 1.
    var count: Int { get }

    /// Calls `body` with each number below `pieces` and returns the results in order. Pieces may run at the same time, on
    /// any thread.
    /// - Throws: an error of `body`. Pieces that have not begun by then are left out.
    func map<Result: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Result
    ) throws(WarehouseError) -> [Result]
}
