import Foundation
import LogFiles
import Partitions
import Posix

/// A file of a log date as it is now.
struct ComparedFile: Sendable {
    let key: InputKey
    let found: FoundFile
    /// What earlier loads have read, if it has the same stamp since, or counts as the same.
    var asLoaded: [FormerFile] = []
    /// Identifies its content; nil if nobody has looked since the last load.
    private var reading: ContentReading?
    /// The file's stamp when that was found out, or when the partition was made of it; nil if it may not be remembered.
    private(set) var stamp: FileStamp?
    /// The system's error code if it could not be read.
    private(set) var failure: Int32?
    private var isDamaged = false

    /// - Parameters:
    ///   - remembered: what is known of it.
    ///   - loaded: the file of the partition that had its name.
    init(_ key: InputKey, found: FoundFile, remembered: RememberedInputs.File?, loaded: FormerFile?) {
        self.key = key
        self.found = found
        guard let remembered, remembered.stamp == found.stamp else { return }
        reading = remembered.reading
        stamp = remembered.stamp
        if reading == nil, let loaded { asLoaded = [loaded] }
    }

    /// Whether nobody knows what is in it.
    var isUnknown: Bool { reading == nil && asLoaded.isEmpty && failure == nil && !isDamaged }

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

    /// What a file of a load may have that has its content.
    var contents: Set<FileContent> {
        var contents = Set(asLoaded.compactMap(\.sameContent))
        if let reading {
            contents.insert(FileContent(source: key.source, unpacked: reading.content))
            contents.insert(FileContent(source: key.source, fingerprint: reading.fingerprint))
        }
        return contents
    }

    /// Whether it has the content of the file of a load that had its name.
    func isSame(as former: FormerFile) -> Bool {
        if asLoaded.contains(where: { $0.isSame(as: former) }) { return true }
        if isDamaged { return former.isOK == false && former.key == key && former.bytes == found.bytes }
        return former.sameContent.map(contents.contains) ?? false
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source: source, path: path) }

    /// Whether there was nothing in it.
    var isEmpty: Bool { isOK == true && content?.bytes ?? bytes == 0 }

    /// Whether another load has read the same under the same name.
    fileprivate func isSame(as other: FormerFile) -> Bool {
        self == other || fingerprint != nil && fingerprint == other.fingerprint && key == other.key
    }

    /// What it has in common with a file of the same content; nil if it was not read whole.
    var sameContent: FileContent? {
        guard isOK == true else { return nil }
        return FileContent(source: source, unpacked: content, fingerprint: content == nil ? fingerprint : nil)
    }
}
