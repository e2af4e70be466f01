import Foundation
import Hashing
import Reference

/// Ids that only the files of one log date have, so that a search tells whether something of it is left.
struct PlantedIDs {
    let hex: String
    let uuid: String
    let opaque: String

    init(_ date: Day) {
        // Other ids are small numbers. In partitions are also the differences of ids, which must not be ids of other dates.
        let digits = String(String(0x10_0000 + date.number * 16, radix: 16).suffix(4))
        hex = "5eed00005eed" + digits
        uuid = "5eed4c1e-7b1d-4f6e-9a53-0badc0ff" + digits
        opaque = "planted \(date)"
    }

    /// As texts, and as numbers in any order of their bytes. An opaque id is stored as a hash.
    private var needles: [Bytes] {
        let opaqueText = Bytes(opaque)
        let digest = SHA256.digest(opaqueText.span)
        let hash = (0..<16).map { UInt8(truncatingIfNeeded: digest[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
        let numbers = [PlantedIDs.number(hex), PlantedIDs.number(uuid), hash]
        let backwards = numbers.map { Bytes($0.reversed()) }
        let words = numbers.map { Bytes($0.prefix(8).reversed()) + Bytes($0.dropFirst(8).reversed()) }
        return [Bytes(hex), Bytes(uuid), opaqueText] + numbers + backwards + words
    }

    private static func number(_ text: String) -> Bytes {
        let digits = Bytes(text).filter { $0 != UInt8(ascii: "-") }
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(Bytes(digits[$0...$0 + 1]).text, radix: 16) }
    }

    /// Which of some files have one of them.
    func places(in files: [String: Data]) -> [String] {
        let needles = needles.map { Data($0) }
        return files.filter { file in needles.contains(where: file.value.has) }.keys.sorted()
    }
}
