import Foundation
import Messages

/// Why a step of a job on a cluster cannot go on. Those that are found at one place are made there.
enum ClusterError {
    static let again: MessageText = "run the job again"

    /// What the driver has written for the tasks cannot be read.
    static func unreadableJob(_ path: String) -> Fault {
        Fault(.unreadableJob, text: "\(path: path): is not a description of a job of this version of pushetl")
    }

    /// The output's folder is not the one that the driver sees, or the job is over.
    static func otherOutput(_ path: String) -> Fault {
        Fault(
            .otherOutput,
            text: "\(path: path): is not the folder that the driver works in, or the job is over; "
                + "give an output that is on a file system shared by all machines")
    }

    /// What a task has made of a log file is not as it was written.
    static func damagedFile(_ path: String) -> Fault {
        Fault(.damagedJob, text: "\(path: path): is not as a task has written it; \(again)")
    }

    /// No task has made anything of a log file.
    static func missingFile(_ path: String) -> Fault {
        Fault(.missingFile, text: "\(path: path): no task has read the file; \(again)")
    }
}
