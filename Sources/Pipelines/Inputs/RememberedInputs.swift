import Calendar
import LogFiles
import Partitions
import Posix

/// What is known of a log date's files by their stamps. A file with the same stamp has the same bytes, so it need not
/// be read again to compare it.
///
/// It is a file of its own, `partitions/.kept/2026-11-19.inputs`, so that partitions depend on the files' bytes alone:
///
///     {"files":[{"path":"../logs/a.log.gz","source":"adobe","stamp":{"bytes":172,"changed":1795046400000000000,
///     "inode":42,"modified":1795046400000000000}}],"version":"0f…"}
///
/// It is a cache. Its loss only costs time, so errors of reading and writing are ignored.
struct RememberedInputs: Codable, Sendable {
    struct File: Codable, Sendable {
        let source: String
        let path: String
        let stamp: FileStamp
        /// The content that was found since the last load. Nil for a file that is unchanged since the partition was
        /// made.
        var reading: ContentReading?

        init(_ key: InputKey, stamp: FileStamp, reading: ContentReading? = nil) {
            source = key.source
            path = key.path
            self.stamp = stamp
            self.reading = reading
        }

        var key: InputKey { InputKey(source: source, path: path) }
    }

    /// The version of the partition that was made from the files without a `reading`; nil if there is no partition.
    var version: String?
    var files: [File] = []
}

extension RememberedInputs {
    /// Reads the cache for a partition of this version. It is empty if it is missing, unreadable, or for another
    /// version.
    init(_ date: LogDate, in output: OutputFolder, version: String?) {
        self.version = version
        guard let known: RememberedInputs = output.cachedValue(RememberedInputs.name(date)) else { return }
        files = known.files.filter { $0.reading != nil || known.version == version }
    }

    /// Writes the file, unless it has the same content already.
    func write(_ date: LogDate, in locked: LockedOutput) {
        locked.cacheValue(self, as: RememberedInputs.name(date))
    }

    private static func name(_ date: LogDate) -> String { "\(date)" + OwnName.inputs }
}
