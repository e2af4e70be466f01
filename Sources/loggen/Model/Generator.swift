import Dispatch
import Foundation

/// Writes all files of a plan, several at a time.
struct Generator {
    let plan: Plan
    let folder: String
    let jobs: Int

    /// Each worker takes the next file that is not taken yet.
    ///
    /// `@unchecked Sendable`: the variables are only touched under the lock, but for those that `results` reads when all
    /// workers have ended.
    private final class Board: @unchecked Sendable {
        private let lock = NSLock()
        private var taken = 0
        private var truths: [FileTruth?]
        private(set) var failure: (any Error)?

        init(files: Int) {
            truths = Array(repeating: nil, count: files)
        }

        func take() -> Int? {
            lock.withLock {
                guard taken < truths.count, failure == nil else { return nil }
                taken += 1
                return taken - 1
            }
        }

        func put(_ truth: FileTruth, at index: Int) {
            lock.withLock { truths[index] = truth }
        }

        func fail(_ error: any Error) {
            lock.withLock { failure = failure ?? error }
        }

        func results() throws -> [FileTruth] {
            if let failure { throw failure }
            return truths.compactMap { $0 }
        }
    }

    func write(keepsHits: Bool) throws -> [FileTruth] {
        let files = plan.files
        for path in Set(files.map { "\(folder)/\($0.kind.rawValue)/\($0.date.text)" }) {
            do {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } catch {
                throw LoggenError.unwritable(path)
            }
        }
        let universe = Universe(plan: plan)
        let board = Board(files: files.count)
        DispatchQueue.concurrentPerform(iterations: min(jobs, files.count)) { _ in
            while let index = board.take() {
                do {
                    let truth = try write(files[index], universe: universe, keepsHits: keepsHits)
                    board.put(truth, at: index)
                } catch {
                    board.fail(error)
                }
            }
        }
        return try board.results()
    }

    private func write(_ file: Plan.File, universe: Universe, keepsHits: Bool) throws -> FileTruth {
        let output = try Output(path: "\(folder)/\(file.path)", file: file, plan: plan, keepsHits: keepsHits)
        return switch file.kind {
        case .collector: try CollectorFile(universe: universe, file: file, output: output).write()
        case .mzip: try MzipFile(universe: universe, file: file, output: output).write()
        case .usersTrack: try UsersTrackFile(universe: universe, file: file, output: output).write()
        }
    }
}
