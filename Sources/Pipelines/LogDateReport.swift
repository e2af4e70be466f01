import Foundation
import LogFiles
import Records
import Warehouse

/// What loading a log date came to.
package struct LogDateReport: Sendable {
    package enum Verdict: Sendable {
        case complete
        case partial
        /// Partial, so the complete partition that stands was kept.
        case completeOneKept
        /// More records rejected than the limit allows; former content stands.
        case tooManyRejects
        /// A file is damaged or truncated, and the pipeline does not want to go on then; former content stands.
        case damagedFiles
        case noFiles
        /// Former content stands.
        case failed(any Error)
    }

    /// Something that a person should know, and that stops nothing.
    package enum Warning: Sendable {
        case truncatedFile(path: String)
        case damagedFile(path: String, wholeMembers: Int)
        case trailingBytes(path: String, offset: Int)
        case missingSource(name: String, pattern: String)
        case missingFolder(source: String, folder: String)
    }

    package let date: LogDate
    package internal(set) var verdict: Verdict
    /// Whether the partition that stands says the same already, and was left as it is.
    package internal(set) var isUnchanged = false
    /// How the log date stood before; nil where nobody asked.
    package internal(set) var stateBefore: LogDateState?
    package internal(set) var files = 0
    package internal(set) var bytes = 0
    package internal(set) var tally = FileTally()
    package internal(set) var events = 0
    /// Days since 1970-01-01 on which the partition has events.
    package internal(set) var days: [Int32] = []
    package internal(set) var warnings: [Warning] = []
    /// Of a date that was held back for its rejects, the first of each reason.
    package internal(set) var rejects: [Reject] = []
    package internal(set) var seconds = 0.0
    /// When the load began and ended.
    var started = Date()
    var finished = Date()
    /// What is left to do of the load, where that was asked for: the partition is not in its place yet.
    var installation: Installation?

    package var duplicates: Int { max(0, tally.accepted - events) }

    /// Whether the log date's partition is what this load made, be it new or as it was.
    package var isLoaded: Bool {
        switch verdict {
        case .complete, .partial: true
        default: false
        }
    }

    /// Whether the log date has a new partition.
    package var isInstalled: Bool { isLoaded && !isUnchanged }
}
