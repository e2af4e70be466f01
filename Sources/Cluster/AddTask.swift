import Counting
import Pipelines
import Warehouse

/// Adds up the figures that the shards have for one day, or for one log date that settles.
package struct AddTask {
    private let job: ClusterJob
    private let day: Int32
    private let isLogDate: Bool
    private let stop: StopFlag

    /// - Parameter key: the day's key in frames.
    package init(_ job: ClusterJob, key: UInt32, stop: StopFlag) throws(ClusterError) {
        self.job = job
        day = Frame.day(ofKey: key)
        self.stop = stop
        isLogDate = job.settling.contains(day)
        guard isLogDate || job.days.contains(day) else { throw .foreignFrame }
    }

    /// - Throws: `ClusterError`, `.missingShard` if a shard is missing; `PipelineFileError`.
    package func run(from input: Int32, to descriptor: Int32) throws {
        let sources = try job.readPipeline().sources.map(\.name)
        let key = Frame.key(ofDay: day)
        let documents = try Documents<DayFigures>(
            .figures, of: job.label.job, key: key, from: FrameReader(input, stop: stop), endsWithStream: true)
        let figures = try (0..<job.shards).map { shard in
            guard let figures = try documents.value(key: key, from: shard) else {
                throw ClusterError.missingShard(shard: shard)
            }
            return figures
        }
        var sum = DayFigures(isLogDate ? nil : day, adding: try figures.flatMap { try $0.parts() }, sources: sources)
        for figures in figures { sum.add(figures.digests) }
        try FrameWriter(descriptor).write(sum, .sum, key: key, job.label)
    }
}
