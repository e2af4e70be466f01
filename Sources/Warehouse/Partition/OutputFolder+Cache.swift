import Foundation
import Posix

extension OutputFolder {
    /// Writes a cache file to a temporary file and renames it; returns false if that fails. Nothing is synced, because
    /// the cache may be lost in a power failure. The caller must hold the output's lock. Only one thread may write a
    /// name.
    @discardableResult
    package func cache(_ bytes: [UInt8], as name: String) -> Bool {
        guard mayCache else { return false }
        mkdir(cachePath, 0o777)
        return (try? WholeFile.replace("\(cachePath)/\(name)", by: bytes, durably: false)) != nil
    }

    /// The content of a cache file; nil if it is missing or cannot be read.
    package func cached(_ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(cachePath)/\(name)")
    }

    /// Removes a cache file. Errors are ignored.
    package func removeCached(_ name: String) {
        if mayCache { unlink("\(cachePath)/\(name)") }
    }

    /// Removes the cache files whose names end in `suffix`, except `names`. Errors are ignored.
    func removeCached(ending suffix: String, besides names: Set<String>) {
        guard mayCache else { return }
        let all = (try? FileManager.default.contentsOfDirectory(atPath: cachePath)) ?? []
        for name in all where name.hasSuffix(suffix) && !names.contains(name) { unlink("\(cachePath)/\(name)") }
    }
}
