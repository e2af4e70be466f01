import Foundation

/// Less room on the output's disk than loading a log date takes.
package struct SpaceError: Error, Equatable, Sendable {
    package let folder: String
    /// Bytes, about.
    package let needed: Int
    package let free: Int
}

/// How much room a load takes on the output's disk, told before it begins: what is known to run full shall not run for
/// an hour first.
///
/// Measured are 5 to 13 bytes an event in a partition, where a hit takes 28 to 60 bytes gzipped and some 200 as it is; an
/// mzip or users_track event takes more. So this is about the least that a load takes, and a disk that is nearly full may
/// still run full: that ends the load as well, and loses nothing.
struct TemporarySpace {
    private static let gzippedShare = 0.17
    private static let plainShare = 0.025

    /// Bytes of the partition, and of sorted runs that do not fit the memory.
    let needed: Int

    /// For files of so many bytes, those that are gzipped and those that are plain.
    init(gzipped: Int, plain: Int, memory: Int) {
        let partition = Double(gzipped) * TemporarySpace.gzippedShare + Double(plain) * TemporarySpace.plainShare
        // Half of the memory holds runs, some three times as large there as on the disk; see EventCollector.
        needed = Int(partition + max(0, partition - Double(memory / 6)))
    }

    /// - Throws: `SpaceError` if the folder's disk has less than that. A disk that does not tell is taken at its word later.
    func check(in folder: String) throws(SpaceError) {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return }
        try check(free: Int(disk.f_bavail) * Int(disk.f_frsize), in: folder)
    }

    func check(free: Int, in folder: String) throws(SpaceError) {
        guard free < needed else { return }
        throw SpaceError(folder: folder, needed: needed, free: free)
    }
}
