import CChecksum

/// A zip file whose members are stored as they are. The same members give the same bytes: all have the time 1980-01-01.
struct StoredZip {
    private static let version = 20
    /// 1980-01-01, the first date that a zip file knows.
    private static let date = 0x21

    private(set) var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// Whether a file with these first bytes is a zip file with this first member.
    static func begins(_ head: [UInt8], with name: String) -> Bool {
        head.starts(with: words32([0x0403_4B50])) && head.dropFirst(30).starts(with: name.utf8)
    }

    /// Adds a member. Names are UTF-8, with slashes.
    mutating func add(_ name: String, _ content: [UInt8]) {
        let offset = bytes.count
        let facts =
            StoredZip.words16([0x0800, 0, 0, StoredZip.date])
            + StoredZip.words32([Int(checksum_crc32(0, content, content.count)), content.count, content.count])
            + StoredZip.words16([name.utf8.count, 0])
        bytes += StoredZip.words32([0x0403_4B50]) + StoredZip.words16([StoredZip.version]) + facts + Array(name.utf8)
        bytes += content
        directory +=
            StoredZip.words32([0x0201_4B50]) + StoredZip.words16([StoredZip.version, StoredZip.version]) + facts
        directory += StoredZip.words16([0, 0, 0]) + StoredZip.words32([0, offset]) + Array(name.utf8)
        count += 1
    }

    /// Ends the file.
    mutating func finish() {
        let start = bytes.count
        bytes += directory
        bytes += StoredZip.words32([0x0605_4B50]) + StoredZip.words16([0, 0, count, count])
        bytes += StoredZip.words32([directory.count, start]) + StoredZip.words16([0])
    }

    private static func words16(_ words: [Int]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func words32(_ words: [Int]) -> [UInt8] {
        words16(words.flatMap { [$0 & 0xFFFF, $0 >> 16] })
    }
}
