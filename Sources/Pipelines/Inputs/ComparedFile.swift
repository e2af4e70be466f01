import Foundation
import LogFiles
import Partitions
import Posix

/// A file of a log date as it is now, and what is known of it.
struct ComparedFile: Sendable {
    let key: InputKey
    let found: FoundFile
    /// What reading has told, now or before. Nil if the file is as it was at the load, or was not read.
    var outline: FileOutline?
    /// The file's stamp when it was read; nil if it is not known, or may not be remembered.
    var stamp: FileStamp?
    /// As it was at the load, if it has another stamp now and the same size, and was not read.
    var doubtful: FormerFile?
    /// Whether the last load did not have it, or had other bytes of it.
    var isFresh = false
    /// The system's error code if it could not be read.
    var failure: Int32?

    init(_ key: InputKey, _ found: FoundFile, _ remembered: RememberedInputs.File?) {
        (self.key, self.found) = (key, found)
        if let remembered, remembered.stamp == found.stamp {
            (outline, stamp) = (remembered.outline, remembered.stamp)
        }
    }

    /// What is to be remembered.
    var remembered: RememberedInputs.File? { stamp.map { RememberedInputs.File(key, stamp: $0, outline: outline) } }

    /// Reads the file, or unpacks it if it has been read, to compare its content at `lengths`.
    mutating func read(_ lengths: Set<Int>, didRead: @escaping (Int) throws -> Void) {
        let file = LogFile(found.location)
        do {
            if outline == nil {
                (outline, stamp) = try file.outline(didRead: didRead)
            } else {
                outline?.reading = try file.contentReading(lengths, didRead: didRead)
            }
        } catch {
            failure = (error as? LogFileError)?.code ?? EIO
        }
    }
}
