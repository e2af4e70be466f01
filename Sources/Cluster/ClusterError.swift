import Foundation
import Messages

/// The errors of a job on a cluster. An error that only one place can have is made there.
enum ClusterError {
    static let again: MessageText = "run the job again"

    /// The job file that the driver has written cannot be read.
    static func unreadableJob(_ path: String) -> Fault {
        Fault(.unreadableJob, text: "\(path: path): is not a description of a job of this version of pushetl")
    }

    /// The output's folder is not the one of the driver, or the job is over.
    static func otherOutput(_ path: String) -> Fault {
        Fault(
            .otherOutput,
            text: "\(path: path): is not the folder that the driver works in, or the job is over; "
                + "give an output that is on a file system shared by all machines")
    }

    /// A task's file is not as it was written.
    static func damagedFile(_ path: String) -> Fault {
        Fault(.damagedJob, text: "\(path: path): is not as a task has written it; \(again)")
    }

    /// There is no task's file for a log file.
    static func missingFile(_ path: String) -> Fault {
        Fault(.missingFile, text: "\(path: path): no task has read the file; \(again)")
    }
}
