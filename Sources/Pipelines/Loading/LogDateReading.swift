import Events
import Synchronization

/// The content of a log date's files, before the events are merged.
package struct LogDateReading: Sendable {
    /// In the order of the plan's files.
    package let results: [FileResult]
    /// By section index, the sorted runs of all workers.
    package let runs: [[EventRun]]
    /// By worker, its delivery table.
    package let deliveries: [DeliveryTable]

    package init(results: [FileResult], runs: [[EventRun]], deliveries: [DeliveryTable]) {
        self.results = results
        self.runs = runs
        self.deliveries = deliveries
    }
}

extension LogDatePlan {
    /// Reads all files, each on one worker, the largest first. Threads without a file unpack ahead for the others.
    package func read(
        jobs: Int, memory: Int, spillFolder: String, progress: LoadProgress, stop: StopFlag
    ) throws -> LogDateReading {
        let order = files.indices.sorted { files[$0].found.bytes > files[$1].found.bytes }
        let workers = max(1, min(jobs, files.count))
        let idle = IdleThreads(jobs - workers)
        let windows = WindowMemory(total: memory / 2)
        let next = Atomic<Int>(0)
        let failed = Atomic<Bool>(false)
        let results = Slots<Result<FileResult, any Error>>(files.count)
        let ends = Slots<Result<(runs: [[EventRun]], deliveries: DeliveryTable), any Error>>(workers)
        Fanout.workers(workers) { number in
            var worker = FileWorker(
                number: number, plan: self, memory: memory / workers, windows: windows, spillFolder: spillFolder,
                idle: idle, progress: progress, stop: stop)
            while !failed.load(ordering: .relaxed) {
                let position = next.add(1, ordering: .relaxed).oldValue
                guard position < order.count else { break }
                let result = Result { try worker.read(files[order[position]]) }
                if case .failure = result { failed.store(true, ordering: .relaxed) }
                results.put(result, at: order[position])
            }
            if !failed.load(ordering: .relaxed) { ends.put(Result { try worker.finish() }, at: number) }
            idle.give()
        }
        let read = try results.take().compactMap { try $0?.get() }
        let finished = try ends.take().compactMap { try $0?.get() }
        return LogDateReading(
            results: read, runs: sections.indices.map { section in finished.flatMap { $0.runs[section] } },
            deliveries: finished.map(\.deliveries))
    }
}
