import Calendar
import Configuration
import Foundation
import LogFiles
import Support
import Testing

@testable import Partitions
@testable import Pipelines

/// A folder with a pipeline of one source and one file for each log date from 2026-11-01.
private final class LogFolder {
    let folder: ScratchFolder
    let dates: [LogDate]
    let pipeline: Pipeline

    init(dates count: Int) throws {
        let first = try #require(LogDate("2026-11-01"))
        dates = (0..<count).map { first.adding(days: $0) }
        folder = try ScratchFolder()
        for date in dates { try folder.write("\(date) is no hit\n", to: "\(date).log") }
        let text = """
            version: 1
            output: out
            limits: {reject_ratio: 1}
            sources:
              - {name: adobe, format: collector, files: '%Y-%m-%d.log'}
            """
        try folder.write(text, to: "push.yaml")
        pipeline = try PipelineFile.read(folder.path("push.yaml"))
    }

    /// Loads the dates that need it.
    func load() throws -> RunReport {
        let run = PipelineRun(pipeline, resources: RunResources(jobs: 2))
        return try run.load(DateRequest(from: dates[0], to: dates[dates.count - 1]), by: run.localLoader)
    }

    func states(readLimit: Int = .max) throws -> [LogDateState] {
        var check = InputCheck(
            pipeline: pipeline, output: OutputFolder(pipeline.output), resources: RunResources(jobs: 2), closed: nil)
        check.readLimit = readLimit
        return try check.states(of: dates, in: FoundInputs(pipeline, dates: dates))
    }

    func forgetStamps() throws {
        try folder.remove("out/partitions/.kept")
    }
}

@Suite struct InputCheckTests {
    @Test func theOldestFilesBeyondTheReadLimitAreNotCompared() throws {
        let logs = try LogFolder(dates: 4)
        #expect(try logs.load().status == .done)
        try logs.forgetStamps()
        #expect(try logs.states().map(\.uncompared.count) == [0, 0, 0, 0])
        #expect(try logs.states(readLimit: 45).map(\.uncompared.count) == [1, 1, 0, 0])
        #expect(try logs.states(readLimit: 0).map(\.uncompared.count) == [1, 1, 1, 1])
        #expect(try logs.states(readLimit: 0).allSatisfy { $0.partition == .complete && $0.reasons.isEmpty })
    }

    @Test func rememberedInputsBelongToOnePartition() throws {
        let logs = try LogFolder(dates: 1)
        usleep(30_000)
        #expect(try logs.load().status == .done)
        let output = OutputFolder(logs.pipeline.output)
        let version = try #require(try logs.states().first?.summary?.version)
        let remembered = RememberedInputs(logs.dates[0], in: output, version: version)
        #expect(remembered.files.map(\.path) == ["2026-11-01.log"])
        #expect(try logs.states(readLimit: 0).map(\.uncompared.count) == [0])
        RememberedInputs(version: "another", files: remembered.files).write(
            logs.dates[0], in: LockedOutput(folder: output))
        #expect(try logs.states(readLimit: 0).map(\.uncompared.count) == [1])
    }

    @Test func aPartitionOfARemovedSourceIsShrunk() throws {
        let logs = try LogFolder(dates: 1)
        #expect(try logs.load().status == .done)
        let state = try logs.state(with: "other, require_mcid: true")
        #expect(
            state.reasons == [
                .newFile(path: "2026-11-01.log"), .droppedFile(path: "2026-11-01.log", source: "adobe"),
                .changedPipeline,
            ])
        #expect(state.isShrunk && !state.isStale)
    }

    @Test func aFileOfARenamedSourceIsTheSame() throws {
        let logs = try LogFolder(dates: 1)
        #expect(try logs.load().status == .done)
        let state = try logs.state(with: "other")
        #expect(state.reasons == [.changedPipeline])
        #expect(state.isStale && !state.isShrunk)
    }
}

extension LogFolder {
    /// The state of the first log date by a pipeline whose source has another name.
    fileprivate func state(with name: String) throws -> LogDateState {
        try folder.write(folder.text("push.yaml").replacing("adobe", with: name), to: "push.yaml")
        let pipeline = try PipelineFile.read(folder.path("push.yaml"))
        let check = InputCheck(
            pipeline: pipeline, output: OutputFolder(pipeline.output), resources: RunResources(), closed: nil)
        return try #require(try check.states(of: dates, in: FoundInputs(pipeline, dates: dates)).first)
    }
}
