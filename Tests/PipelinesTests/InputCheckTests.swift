import Calendar
import Configuration
import Foundation
import LogFiles
import Support
import Testing
import Warehouse

@testable import Pipelines

/// A folder with a pipeline of one source, a file a log date from 2026-11-01 on.
private final class LogFolder {
    private let folder: ScratchFolder
    let dates: [LogDate]
    let pipeline: Pipeline

    init(dates count: Int) throws {
        let first = try #require(LogDate("2026-11-01"))
        dates = (0..<count).map { first.adding(days: $0) }
        folder = try ScratchFolder()
        for date in dates { try folder.write("\(date).log", "\(date) is no hit\n") }
        let text = """
            version: 1
            output: out
            limits: {reject_ratio: 1}
            sources:
              - {name: adobe, format: collector, files: '%Y-%m-%d.log'}
            """
        try folder.write("push.yaml", text)
        pipeline = try PipelineFile.read(folder.path("push.yaml"))
    }

    var path: String { folder.root }

    /// Loads all dates that need it.
    func load(stop: StopFlag = StopFlag()) throws -> RunReport {
        let run = PipelineRun(pipeline, means: RunMeans(jobs: 2, stop: stop))
        return try run.load(DateRequest(from: dates[0], to: dates[dates.count - 1]), command: "backfill")
    }

    func states(readLimit: Int = .max) throws -> [LogDateState] {
        var check = InputCheck(pipeline: pipeline, output: OutputFolder(pipeline.output), means: RunMeans(jobs: 2))
        check.readLimit = readLimit
        return try check.findings(dates, FoundInputs(pipeline, dates: dates)).map(\.state)
    }

    func forgetStamps() throws {
        try FileManager.default.removeItem(atPath: path + "/out/partitions/.kept")
    }
}

@Suite struct InputCheckTests {
    @Test func filesBeyondTheLimitAreLeftUncomparedTheOldestFirst() throws {
        let logs = try LogFolder(dates: 4)
        #expect(try logs.load().status == .done)
        try logs.forgetStamps()
        #expect(try logs.states().map(\.uncomparedFiles) == [0, 0, 0, 0])
        #expect(try logs.states(readLimit: 45).map(\.uncomparedFiles) == [1, 1, 0, 0])
        #expect(try logs.states(readLimit: 0).map(\.uncomparedFiles) == [1, 1, 1, 1])
        #expect(try logs.states(readLimit: 0).allSatisfy { $0.partition == .complete && $0.reasons.isEmpty })
    }

    @Test func whatIsRememberedIsOfOnePartitionOnly() throws {
        let logs = try LogFolder(dates: 1)
        usleep(30_000)
        #expect(try logs.load().status == .done)
        let output = OutputFolder(logs.pipeline.output)
        let remembered = try #require(RememberedInputs(logs.dates[0], in: output))
        #expect(remembered.files.map(\.path) == ["2026-11-01.log"])
        #expect(try logs.states(readLimit: 0).map(\.uncomparedFiles) == [0])
        RememberedInputs(version: "another", files: remembered.files).write(logs.dates[0], in: output)
        #expect(try logs.states(readLimit: 0).map(\.uncomparedFiles) == [1])
    }

    @Test func aPartitionOfASourceThatIsNoMoreIsShrunk() throws {
        let logs = try LogFolder(dates: 1)
        #expect(try logs.load().status == .done)
        let text = try String(contentsOfFile: logs.path + "/push.yaml", encoding: .utf8)
        try Data(text.replacing("adobe", with: "other").utf8).write(to: URL(fileURLWithPath: logs.path + "/push.yaml"))
        let pipeline = try PipelineFile.read(logs.path + "/push.yaml")
        let check = InputCheck(pipeline: pipeline, output: OutputFolder(pipeline.output), means: RunMeans())
        let state = try #require(try check.findings(logs.dates, FoundInputs(pipeline, dates: logs.dates)).first?.state)
        #expect(
            state.reasons == [
                .newFile(path: "2026-11-01.log"), .goneFile(path: "2026-11-01.log"), .changedPipeline,
            ])
        #expect(state.isShrunk && !state.isStale)
    }

    @Test func aRaisedFlagStopsALoadBeforeAnythingIsInstalled() throws {
        let logs = try LogFolder(dates: 2)
        let stop = StopFlag()
        stop.raise()
        #expect(throws: Stopped.self) { try logs.load(stop: stop) }
        #expect(try logs.states().map(\.partition) == [.missing, .missing])
    }
}
