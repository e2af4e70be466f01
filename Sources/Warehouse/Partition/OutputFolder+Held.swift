import Foundation
import Posix

// What is known of loads that were held back lies in `partitions/.held`, a file of lines for each. Nothing else has it, so
// it is written durably. Where it is lost, the hold is forgotten.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, or the first few of them; none where there is no such file or it cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        guard let data = FileManager.default.contents(atPath: "\(heldPath)/\(name)") else { return [] }
        return data.split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, in no order.
    package func heldNames() throws(WarehouseError) -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }

    /// Writes a file of lines aside and then in its place, durably. One that says the same is left as it is.
    package func hold(_ lines: [Data], as name: String) throws(WarehouseError) {
        let path = "\(heldPath)/\(name)"
        let bytes = Data(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
        guard FileManager.default.contents(atPath: path) != bytes else { return }
        try reportingCalls { () throws(SystemError) in
            try Folder.create(heldPath)
            try WholeFile.replace(path, by: [UInt8](bytes), durably: true)
        }
    }

    /// Removes a file, if there is one.
    package func endHold(_ name: String) throws(WarehouseError) {
        try reportingCalls { () throws(SystemError) in try WholeFile.remove("\(heldPath)/\(name)") }
    }

    /// Removes the folder if it is empty. Not while log dates are being loaded: one of them may be about to write there.
    package func removeEmptyHeldFolder() { rmdir(heldPath) }
}
