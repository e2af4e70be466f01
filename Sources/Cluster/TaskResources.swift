import Pipelines

/// The resources of a task of a job.
package struct TaskResources: Sendable {
    /// Bytes for events in memory.
    package let memory: Int
    /// A folder on the machine's own disk, for temporary files.
    package let scratch: String
    /// Stops the task when it is raised.
    package let stop: StopFlag

    package init(memory: Int, scratch: String, stop: StopFlag) {
        self.memory = memory
        self.scratch = scratch
        self.stop = stop
    }
}
