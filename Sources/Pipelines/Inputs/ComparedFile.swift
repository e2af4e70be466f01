import Foundation
import LogFiles
import Partitions
import Posix

/// A file of a log date as it is now.
struct ComparedFile: Sendable {
    let key: InputKey
    let found: FoundFile
    /// The files of earlier loads whose content the file still has, judged by the stamp or, for a closed log date, by
    /// the size.
    var asLoaded: [FormerFile] = []
    /// The content's fingerprints; nil if the file was not read since the last load.
    private var reading: ContentReading?
    /// The file's stamp when its content was last read; nil if it must not be remembered.
    private(set) var stamp: FileStamp?
    /// The system's error code if it could not be read.
    private(set) var failure: Int32?
    private var isDamaged = false

    /// - Parameters:
    ///   - remembered: the cached entry of the file, if there is one.
    ///   - loaded: the partition's file with the same source and path, if there is one.
    init(_ key: InputKey, found: FoundFile, remembered: RememberedInputs.File?, loaded: FormerFile?) {
        self.key = key
        self.found = found
        guard let remembered, remembered.stamp == found.stamp else { return }
        reading = remembered.reading
        stamp = remembered.stamp
        if reading == nil, let loaded { asLoaded = [loaded] }
    }

    /// Whether nothing is known of the content yet.
    var isUnknown: Bool { reading == nil && asLoaded.isEmpty && failure == nil && !isDamaged }

    /// The entry for the cache; nil if there is no stamp.
    var remembered: RememberedInputs.File? { stamp.map { RememberedInputs.File(key, stamp: $0, reading: reading) } }

    mutating func read(window: WindowShare, didRead: @escaping (Int) throws -> Void) {
        defer { window.exchange(for: 0) }
        do {
            (reading, stamp) = try ContentReading.read(found.location, didRead: didRead) { window.exchange(for: $0) }
            isDamaged = reading == nil
            if isDamaged { stamp = nil }
        } catch {
            failure = (error as? LogFileError)?.code ?? EIO
        }
    }

    /// All forms in which a load may have recorded the same content.
    var contents: Set<FileContent> {
        var contents = Set(asLoaded.compactMap(\.sameContent))
        if let reading {
            contents.insert(FileContent(source: key.source, unpacked: reading.content))
            for fingerprint in [reading.fingerprint, reading.fingerprintOnDisk] {
                contents.insert(FileContent(source: key.source, fingerprint: fingerprint))
            }
        }
        return contents
    }

    /// Whether the file has the content that a former load read.
    func isSame(as former: FormerFile) -> Bool {
        if asLoaded.contains(where: { $0.isSame(as: former) }) { return true }
        if isDamaged { return former.isOK == false && former.key == key && former.bytes == found.bytes }
        return former.sameContent.map(contents.contains) ?? false
    }
}

extension FormerFile {
    var key: InputKey { InputKey(source: source, path: path) }

    /// Whether the file was whole and empty.
    var isEmpty: Bool { isOK == true && content?.bytes ?? bytes == 0 }

    /// Whether both loads read the same bytes under the same source and path.
    fileprivate func isSame(as other: FormerFile) -> Bool {
        self == other || fingerprint != nil && fingerprint == other.fingerprint && key == other.key
    }

    /// The key by which files of equal content are found; nil if the load did not read the file whole.
    var sameContent: FileContent? {
        guard isOK == true else { return nil }
        return FileContent(source: source, unpacked: content, fingerprint: content == nil ? fingerprint : nil)
    }

    /// The content as the load recorded it: of a file that it did not read whole, the bytes on disk.
    var recordedContent: FileContent { sameContent ?? FileContent(source: source, fingerprint: fingerprint) }
}
