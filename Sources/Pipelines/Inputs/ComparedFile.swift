import Foundation
import LogFiles
import Partitions
import Posix

/// A file of a log date as it is now.
struct ComparedFile: Sendable {
    let key: InputKey
    let found: FoundFile
    /// Identifies its content; nil if nobody has looked since the last load.
    var reading: ContentReading?
    /// The file's stamp when that was found out, or when the last load read it; nil if it may not be remembered.
    var stamp: FileStamp?
    /// Whether it is as the last load read it, by its stamp.
    var isAsLoaded = false
    /// The system's error code if it could not be read.
    var failure: Int32?
    private var isDamaged = false

    init(_ key: InputKey, _ found: FoundFile, _ remembered: RememberedInputs.File?) {
        (self.key, self.found) = (key, found)
        guard let remembered, remembered.stamp == found.stamp else { return }
        (reading, stamp, isAsLoaded) = (remembered.reading, remembered.stamp, remembered.reading == nil)
    }

    /// Whether nobody knows what is in it.
    var isUnknown: Bool { reading == nil && !isAsLoaded && failure == nil && !isDamaged }

    /// What is to be remembered.
    var remembered: RememberedInputs.File? { stamp.map { RememberedInputs.File(key, stamp: $0, reading: reading) } }

    mutating func read(window: WindowShare, didRead: @escaping (Int) throws -> Void) {
        defer { window.exchange(for: 0) }
        do {
            (reading, stamp) = try LogFile(found.location).contentReading(didRead: didRead) { window.exchange(for: $0) }
            isDamaged = reading == nil
            if isDamaged { stamp = nil }
        } catch {
            failure = (error as? LogFileError)?.code ?? EIO
        }
    }

    /// Whether it has the content of a file of the last load.
    func isSame(as former: FormerFile) -> Bool {
        if isAsLoaded { return former.key == key }
        if isDamaged { return former.isOK == false && former.key == key && former.bytes == found.bytes }
        guard let reading, former.isOK == true else { return false }
        return former.content.map { $0 == reading.content } ?? (former.fingerprint == reading.fingerprint)
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source, path) }
}
