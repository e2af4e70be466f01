import Foundation
import Posix

extension OutputFolder {
    /// Writes a file of what is kept, aside and then in its place; false if that is not possible. It need not outlive a
    /// power failure, so nothing is synced. Only for who holds the output, one thread a name.
    @discardableResult
    package func cache(_ bytes: [UInt8], as name: String) -> Bool {
        mkdir(cachePath, 0o777)
        return (try? WholeFile.replace("\(cachePath)/\(name)", by: bytes, durably: false)) != nil
    }

    /// What was kept under a name; nil if there is nothing that can be read.
    package func cached(_ name: String) -> Data? {
        FileManager.default.contents(atPath: "\(cachePath)/\(name)")
    }

    /// Removes what was kept under names that end in `suffix`, those in `names` left out. What cannot be removed stays.
    func removeCached(ending suffix: String, besides names: Set<String>) {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: cachePath)) ?? []
        for name in all where name.hasSuffix(suffix) && !names.contains(name) { unlink("\(cachePath)/\(name)") }
    }
}
