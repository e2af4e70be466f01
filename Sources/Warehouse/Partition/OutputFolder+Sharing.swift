import Foundation
import Posix

// `partitions` may be a link to a folder on another disk. But two outputs with one folder of partitions would overwrite each
// other: each has a push.db of its own. So an output whose `partitions` is a link leaves its path there, as a cache file.

extension OutputFolder {
    private static let ownerName = "output"

    /// The path of another output that has a push.db and the same folder of partitions; nil if none is known. The caller must
    /// hold the output's lock.
    package func sharedWith() -> String? {
        guard let partitions = OutputFolder.resolved(partitionsPath), let own = OutputFolder.resolved(path) else {
            return nil
        }
        let owner = cached(OutputFolder.ownerName).map { String(decoding: $0, as: UTF8.self) }
        let others = [Folder.parent(of: partitions), owner].compactMap { $0.flatMap(OutputFolder.resolved) }
        if let other = others.first(where: { other in
            other != own && OutputFolder.resolved(other + "/partitions") == partitions
                && access(other + "/push.db", F_OK) == 0
        }) {
            return other
        }
        if partitions != own + "/partitions", owner != own { cache(Array(own.utf8), as: OutputFolder.ownerName) }
        return nil
    }

    /// The path without links; nil if there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
