import Foundation
import Pipelines
import Posix

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

    /// Calls `body` with a folder that only this task uses. The folder is removed afterwards.
    func withScratch(_ body: (String) throws -> Void) throws {
        let folder = "\(scratch)/pushetl-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        try Folder.create(folder)
        // Leftovers only take up space.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
