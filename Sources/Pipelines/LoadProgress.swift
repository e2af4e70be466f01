import Synchronization

/// How far a command is, for whoever wants to show it. Workers add, a display reads now and then.
package final class LoadProgress: Sendable {
    package enum Stage: Int, Sendable {
        case reading, merging, publishing
    }

    private let totalBytes = Atomic<Int>(0)
    private let readBytes = Atomic<Int>(0)
    private let currentStage = Atomic<Int>(0)

    package init() {}

    /// Bytes of the files as they lie on disk.
    package var total: Int { totalBytes.load(ordering: .relaxed) }
    /// Those that have been read.
    package var read: Int { readBytes.load(ordering: .relaxed) }
    package var stage: Stage { Stage(rawValue: currentStage.load(ordering: .relaxed)) ?? .reading }

    func expect(_ bytes: Int) {
        totalBytes.add(bytes, ordering: .relaxed)
    }

    func didRead(_ bytes: Int) {
        readBytes.add(bytes, ordering: .relaxed)
    }

    func enter(_ stage: Stage) {
        currentStage.store(stage.rawValue, ordering: .relaxed)
    }
}
