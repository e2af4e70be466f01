import Foundation
import Posix

// Held-back loads are stored in `partitions/.held`, one file of lines per load. The information exists nowhere else, so
// it is written durably. If a file is lost, the hold is forgotten.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, at most `limit`; empty if the file is missing or cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        // Without the file the hold is forgotten, and the log date is loaded again.
        guard let bytes = try? WholeFile.readFile("\(heldPath)/\(name)") else { return [] }
        return Data(bytes).split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, unsorted.
    package func heldNames() throws(WarehouseError) -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }

    /// Writes a line for the load and one for each reject to a temporary file and renames it, durably. Does nothing if the file
    /// has these lines already.
    package func hold(
        _ load: some Encodable, _ rejects: [some Encodable], as name: String
    ) throws(WarehouseError) {
        let path = "\(heldPath)/\(name)"
        let encoder = JSONEncoder.stored
        var bytes = try encoder.bytes(load, for: path) + [UInt8(ascii: "\n")]
        for reject in rejects { bytes += try encoder.bytes(reject, for: path) + [UInt8(ascii: "\n")] }
        // What cannot be read is replaced.
        guard (try? WholeFile.readFile(path)) != bytes else { return }
        try reportingCalls { () throws(SystemError) in
            try Folder.create(heldPath)
            try WholeFile.store(bytes, at: path, durably: true)
        }
    }

    /// Removes a file if it exists.
    package func endHold(_ name: String) throws(WarehouseError) {
        _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove("\(heldPath)/\(name)") }
    }

    /// Removes the folder if it is empty. Do not call it while log dates are loaded, because one of them may be about
    /// to write here.
    package func removeEmptyHeldFolder() { rmdir(heldPath) }
}
