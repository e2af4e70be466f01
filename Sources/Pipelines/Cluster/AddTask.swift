import Counting

/// Adds up the figures that the shards have for one day.
package struct AddTask {
    private let job: ClusterJob
    private let day: Int32
    private let resources: TaskResources

    /// - Parameter key: the day's key in frames.
    package init(_ job: ClusterJob, key: UInt32, _ resources: TaskResources) throws(ClusterError) {
        self.job = job
        day = Frame.day(ofKey: key)
        self.resources = resources
        guard job.days.contains(day) else { throw .foreignFrame }
    }

    /// - Throws: `ClusterError`, `AccountsError` if a shard is missing, `PipelineFileError`.
    package func run(from input: Int32, to descriptor: Int32) throws {
        let sources = try job.readPipeline().sources.map(\.name)
        var documents = Documents(.figures, job.context)
        let reader = FrameReader(input, stop: resources.stop)
        while let frame = try reader.next() {
            guard frame.key == Frame.key(ofDay: day) else { throw ClusterError.foreignFrame }
            try documents.add(frame)
        }
        let complete = documents.complete
        var figures: [DayFigures] = []
        for shard in 0..<job.shards {
            guard let document = complete[Documents.Origin(key: Frame.key(ofDay: day), sender: shard)] else {
                throw AccountsError.missingShard(shard: shard)
            }
            figures.append(try AddTask.figures(document))
        }
        let sum = DayFigures(day, adding: figures, sources: sources)
        try FrameWriter(descriptor).write(sum.bytes, .sum, key: Frame.key(ofDay: day), job.context)
    }

    /// The figures of a document.
    static func figures(_ document: [UInt8]) throws(ClusterError) -> DayFigures {
        do {
            return try DayFigures(bytes: document)
        } catch {
            throw .damagedFrame
        }
    }
}
