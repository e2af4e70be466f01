import Synchronization
import Warehouse

/// Threads for a publish, which tell how far it is.
struct FanoutWorkers: Workers {
    let count: Int
    let progress: LoadProgress

    func map<Value: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Value
    ) throws(WarehouseError) -> [Value] {
        let hasFailed = Atomic<Bool>(false)
        let results = Slots<Result<Value, WarehouseError>>(pieces)
        progress.expectSteps(pieces)
        Fanout.run(jobs: count, pieces: pieces) { piece in
            defer { progress.didStep() }
            guard !hasFailed.load(ordering: .relaxed) else { return }
            let result = Result { () throws(WarehouseError) in try body(piece) }
            if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
            results.put(result, at: piece)
        }
        // Where one has failed, the pieces left out have no result.
        var values: [Value] = []
        for result in results.take() {
            if let result { values.append(try result.get()) }
        }
        return values
    }
}
