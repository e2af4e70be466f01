import Foundation
import Reference
import Support
import Testing

/// A job on Apache Spark gives what a plain load gives. Spark's part is played by `SparkJob`.
@Suite(.needsPushetl)
struct SparkTests {
    @Test func aJobGivesTheFiguresOfAPlainLoad() throws {
        try expectSameTables(Seeds(1, long: 30))
    }

    /// Two loads of seed 2 are held back.
    @Test func aJobHoldsBackWhatAPlainLoadHoldsBack() throws {
        try expectSameTables(Seeds(1, from: 2)) { GeneratedLosses(seed: $0).steps }
    }

    /// Loads step by step, plainly and by jobs: dates in any order, some again with other files, under changed pipelines.
    private func expectSameTables(
        _ seeds: Seeds,
        of generate: @Sendable (UInt64) -> [GeneratedCase.Step] = { GeneratedCase(seed: $0).steps }
    ) throws {
        try seeds.expectSame { seed, program, folder in
            var written: [Day: [String]] = [:]
            var holds = 0
            for (index, step) in generate(seed).enumerated() {
                let title = "step \(index), \(step.logDate)"
                try folder.write(step, inPlaceOf: &written)

                let plain = try folder.load(program, step.logDate, output: "plain", step.options)
                let spark = try folder.sparkLoad(program, step.logDate, output: "spark", seed, step.options)
                holds += plain.stderr.contains("held back") ? 1 : 0
                if spark.exit != plain.exit {
                    return .different("\(title): expected \(plain.summary)\nfound \(spark.summary)")
                }
                let expected = try folder.figures("plain/push.db")
                if let fault = difference(try folder.figures("spark/push.db"), expected) {
                    return .different("\(title): \(fault)")
                }
            }
            guard folder.exists("spark/push.db") else { return .skipped("nothing published") }
            let doctor = try program.run(["doctor", "-p", "push.yaml", "--output", "spark"], in: folder.url)
            guard doctor.exit == 0 else { return .different("doctor: \(doctor.summary)\n\(doctor.stdout)") }
            return .same(["holds": holds])
        }
    }
}

extension ScratchFolder {
    /// The same as `load`, by a job.
    func sparkLoad(
        _ program: Program, _ date: Day, output: String, _ seed: UInt64, _ more: [String]
    ) throws -> Program.Outcome {
        let job = try SparkJob(program, in: url)
        job.givesBytes = seed % 4 == 2
        return try job.run(
            ["--date", "\(date)", "--pipeline", "push.yaml", "--output", output] + more)
    }

    /// All tables but the history.
    fileprivate func figures(_ path: String) throws -> [OutputTable] { try dump(path) }
}
