import LogFiles

/// Why a load was held back. The partition from before the load, if there is one, stays.
package enum HoldReason: Hashable, Codable, Sendable {
    /// More records were rejected than `limits.reject_ratio` allows.
    case tooManyRejects(rejected: Int, records: Int, limit: Double)
    /// A source has no accepted record, and so many that are too long: its line ends are probably missing.
    case linesTooLong(source: String, records: Int)
    /// A file is damaged or truncated, and `limits.damaged_files` is `fail`.
    case damagedFiles(paths: [String])
    /// The load is partial, and the installed partition is complete.
    case partial(causes: [PartialCause])
    /// Files are neither gzip, zstd nor plain text, or have a zstd frame that cannot be unpacked.
    case foreignFiles([ForeignFile])
    /// A file could not be opened or read; the system's error code.
    case unreadableFile(path: String, code: Int32)

    /// Sources have far fewer or far more records than usual, and `limits.volume` is `hold`.
    case unusualVolume([VolumeDeviation])

    /// The load has less than half of events that the installed partition has. `keys` are those of the pipeline file that
    /// differ; empty if none does, or if the partition does not know.
    case loss([EventLoss], keys: [String])

    /// Whether the reason may be gone although no file that can be compared has changed. Only another attempt shows it.
    var mayPassUnseen: Bool {
        if case .unreadableFile = self { true } else { false }
    }

    /// Whether `--accept-loss` lets the load pass.
    var isLoss: Bool {
        if case .loss = self { true } else { false }
    }
}

extension HoldReason {
    /// The file cannot be read, or cannot be unpacked.
    init(_ error: LogFileError) {
        if let kind = error.foreignKind {
            self = .foreignFiles([ForeignFile(path: error.path, kind: kind)])
        } else {
            self = .unreadableFile(path: error.path, code: error.code)
        }
    }
}
