import Partitions
import Synchronization

/// Threads for one publish. They report its progress.
struct FanoutWorkers: Workers {
    let count: Int
    let progress: LoadProgress

    func map<Value: Sendable>(
        _ pieces: Int, _ body: @Sendable (Int) throws(WarehouseError) -> Value
    ) throws(WarehouseError) -> [Value] {
        let hasFailed = Atomic<Bool>(false)
        let results = Slots<Result<Value, WarehouseError>>(pieces)
        progress.update { $0.steps += pieces }
        Fanout.run(jobs: count, pieces: pieces) { piece in
            defer { progress.update { $0.doneSteps += 1 } }
            guard !hasFailed.load(ordering: .relaxed) else { return }
            let result = Result { () throws(WarehouseError) in try body(piece) }
            if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
            results.put(result, at: piece)
        }
        // After a failure, pieces that were left out have no result.
        var values: [Value] = []
        for result in results.take() {
            if let result { values.append(try result.get()) }
        }
        return values
    }
}
