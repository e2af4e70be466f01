import Reference

/// Odd records: the reference's generator has every odd spelling, what is filtered, and what is rejected.
struct OddRecords {
    private let pipeline: Pipeline
    private let reading: Reading
    private let date: Day
    private var random: SplitMix64

    init(plan: Plan, file: Plan.File) {
        pipeline = plan.pipeline
        let source = pipeline.sources[plan.chosenKinds.firstIndex(of: file.kind) ?? 0]
        reading = Reading(source: source, pipeline: pipeline, logDate: file.date)
        date = file.date
        random = SplitMix64(seed: SplitMix64.mix(plan.seed(of: file)))
    }

    /// Some that speak of a message: their lines, and how many they are, at most `limit`.
    mutating func next(of message: Message, at time: Int, limit: Int) -> (lines: Bytes, count: Int) {
        while true {
            let records = GeneratedRecords(
                pipeline: pipeline, source: reading.source, logDate: date, id: message.id,
                delivery: message.deliveryText, time: time, faults: 8, &random)
            let lines = Bytes((records.header + [records.record(&random)]).map { $0 + [10] }.joined())
            // What follows must count the same whatever this is.
            let counts = [lines, lines + lines].map { reading.records(Unpacked($0)).count }
            if (1...limit).contains(counts[0]), counts[1] == 2 * counts[0] { return (lines, counts[0]) }
        }
    }
}
