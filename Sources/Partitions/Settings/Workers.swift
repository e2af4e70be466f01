/// Distributes work over threads. This module and those above it that publish and report have no threads of their own.
package protocol Workers: Sendable {
    /// The number of pieces that run at the same time; at least 1.
    var count: Int { get }

    /// Calls `body` with each number below `pieces` and returns the results in this order. Pieces may run in parallel,
    /// on any thread.
    /// - Throws: an error of `body`. Pieces that have not started by then are skipped.
    func map<Result: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result]

    /// Runs `body` on the caller's thread. If there are several threads, `other` runs beside it. Returns the result of
    /// `other`.
    /// - Throws: the error of `body`, or else that of `other`.
    func beside<Result: Sendable>(
        _ other: @Sendable @escaping () throws -> Result, body: () throws -> Void
    ) throws -> Result
}

extension Workers {
    package func beside<Result: Sendable>(
        _ other: @Sendable @escaping () throws -> Result, body: () throws -> Void
    ) throws -> Result {
        try body()
        return try other()
    }
}
