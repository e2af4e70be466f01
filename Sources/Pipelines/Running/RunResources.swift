import Foundation

/// The resources of a command that loads, and its options.
package struct RunResources: Sendable {
    /// Worker threads; at least 1.
    package var jobs: Int
    /// Bytes for events in memory, of all workers together.
    package var memory: Int
    /// Whether limits are lifted, and a partial load may replace a complete partition.
    package var force: Bool
    /// Seconds to wait for a reader of the output DB.
    package var wait: Int
    /// Receives the progress of all work.
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

/// The program's version. It is part of each partition's version, since another program version may load the same files
/// differently.
package let programVersion = "2.0.0"
