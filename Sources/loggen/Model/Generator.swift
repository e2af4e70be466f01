import Dispatch
import Foundation
import Synchronization

/// Writes all files of a plan, several at a time.
struct Generator {
    let plan: Plan
    let folder: String
    let jobs: Int

    func write(keepsHits: Bool) throws -> [FileTruth] {
        let files = plan.files
        for path in Set(files.map { "\(folder)/\($0.kind.rawValue)/\($0.date)" }) {
            do {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } catch {
                throw LoggenError(path: path)
            }
        }
        let universe = Universe(plan: plan)
        let next = Atomic(0)
        let results = Mutex<[Int: Result<FileTruth, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: min(jobs, files.count)) { _ in
            // Each worker takes the next file that is not taken yet, and none after a failure.
            while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < files.count {
                let result = Result { try write(files[index], universe, keepsHits: keepsHits) }
                if case .failure = result { next.store(files.count, ordering: .relaxed) }
                results.withLock { $0[index] = result }
            }
        }
        return try results.withLock { try $0.sorted { $0.key < $1.key }.map { try $0.value.get() } }
    }

    private func write(_ file: Plan.File, _ universe: Universe, keepsHits: Bool) throws -> FileTruth {
        let log = try LogFile(universe: universe, file: file, folder: folder, keepsHits: keepsHits)
        return switch file.kind {
        case .collector: try CollectorFile(log).write()
        case .mzip: try MzipFile(log).write()
        case .usersTrack: try UsersTrackFile(log).write()
        }
    }
}
