import Partitions
import Synchronization

/// Threads for one publish, or for an archive of reports. They report its progress.
package struct FanoutWorkers: Workers {
    package let count: Int
    private let progress: LoadProgress

    package init(count: Int, progress: LoadProgress) {
        self.count = count
        self.progress = progress
    }

    package func map<Value: Sendable, Failure: Error>(
        _ pieces: Int, _ body: @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let hasFailed = Atomic<Bool>(false)
        let results = Slots<Result<Value, Failure>>(pieces)
        progress.update { $0.steps += pieces }
        Fanout.run(jobs: count, pieces: pieces) { piece in
            defer { progress.update { $0.doneSteps += 1 } }
            guard !hasFailed.load(ordering: .relaxed) else { return }
            let result = Result { () throws(Failure) in try body(piece) }
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
