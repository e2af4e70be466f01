import Foundation

/// The resources of a command that loads, and its options.
package struct RunResources: Sendable {
    /// Worker threads; at least 1.
    package var jobs: Int
    /// Bytes for events in memory, of all workers together.
    package var memory: Int
    /// Whether a partial load may replace a complete partition, and limits do not hold a load back.
    package var force: Bool
    /// Seconds to wait for a reader of the output DB.
    package var wait: Int
    /// Told about everything that is done.
    package var progress: LoadProgress
    /// Stops the command when it is raised.
    package var stop: StopFlag

    /// - Parameter memory: bytes.
    package init(
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount, memory: Int = 1 << 30, force: Bool = false,
        wait: Int = 30, progress: LoadProgress = LoadProgress(), stop: StopFlag = StopFlag()
    ) {
        self.jobs = max(1, jobs)
        self.memory = memory
        self.force = force
        self.wait = wait
        self.progress = progress
        self.stop = stop
    }
}

/// The program's version. Partitions that another one loaded may differ, so it is part of their versions.
package let programVersion = "2.0.0"

/// When something began, and how long it has taken. The duration does not depend on the system's time, which may be set
/// back meanwhile, and nothing ends before it began.
package struct Stopwatch: Sendable {
    package let started = Date()
    private let begin = ContinuousClock.now

    package init() {}

    /// Since the beginning.
    package var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }
    /// The time at which it began, and the seconds since.
    package var finished: Date { started + seconds }
}
