/// Runs the pieces one after another on the caller's thread.
package struct SerialWorkers: Workers {
    package init() {}

    package var count: Int { 1 }

    package func map<Result: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        var results: [Result] = []
        for piece in 0..<pieces { results.append(try body(piece)) }
        return results
    }
}
