import Foundation
import GRDB

/// Commands that loaded something and did not come to publish it, since they were stopped or push.db could not be written:
/// their rows of `runs` wait in `partitions/.kept` for the publishing that makes up for it.
struct UnrecordedRuns {
    private static let name = "runs.json"

    private let folder: OutputFolder
    private var runs: [RunRecord]

    /// Those that wait; none if they do not read.
    init(in folder: OutputFolder) {
        self.folder = folder
        runs = folder.kept(UnrecordedRuns.name).flatMap { try? JSONDecoder().decode([RunRecord].self, from: $0) } ?? []
    }

    mutating func append(_ run: RunRecord) {
        runs.append(run)
        guard let bytes = try? JSONEncoder().encode(runs) else { return }
        folder.keep([UInt8](bytes), as: UnrecordedRuns.name)
    }

    /// Those that are there already, since a command was killed before `remove`, are not added again.
    func insert(into database: Database) throws {
        for run in runs { _ = try run.insertIfNew(into: database) }
    }

    func remove() {
        if !runs.isEmpty { folder.removeKept(ending: UnrecordedRuns.name, besides: []) }
    }
}

extension OutputFolder {
    /// Takes note of a command that loaded something and did not come to publish it. Only for who holds the output.
    package func noteUnrecorded(_ run: RunRecord) {
        var runs = UnrecordedRuns(in: self)
        runs.append(run)
    }
}
