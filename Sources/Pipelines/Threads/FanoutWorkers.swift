import Dispatch
import Partitions
import Synchronization

/// Threads for a publishing or an archive of reports. They also count its progress.
package struct FanoutWorkers: Workers {
    package let count: Int
    private let progress: LoadProgress

    package init(count: Int, progress: LoadProgress) {
        self.count = count
        self.progress = progress
    }

    package func map<Value: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let hasFailed = Atomic<Bool>(false)
        progress.update { $0.steps += pieces }
        // After a failure, the remaining pieces are skipped.
        let results = Fanout.compactMap(jobs: count, pieces: pieces) { piece -> Result<Value, Failure>? in
            defer { progress.update { $0.doneSteps += 1 } }
            guard !hasFailed.load(ordering: .relaxed) else { return nil }
            let result = Result { () throws(Failure) in try body(piece) }
            if case .failure = result { hasFailed.store(true, ordering: .relaxed) }
            return result
        }
        var values: [Value] = []
        for result in results { values.append(try result.get()) }
        return values
    }

    package func beside<Value: Sendable>(
        _ other: @Sendable @escaping () throws -> Value, body: () throws -> Void
    ) throws -> Value {
        guard count > 1 else { return try SerialWorkers().beside(other, body: body) }
        let result = Monitor<Result<Value, any Error>?>(nil)
        DispatchQueue.global().async {
            let value = Result { try other() }
            result.change { $0 = value }
        }
        let ending = Result { try body() }
        // `other` uses what the caller has, so it must end before an error of `body` is thrown.
        let value = result.change(when: { $0 != nil }, \.self)
        try ending.get()
        guard let value else { preconditionFailure("it is there") }
        return try value.get()
    }
}
