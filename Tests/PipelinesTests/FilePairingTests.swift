import Foundation
import Hashing
import Partitions
import Posix
import Testing

@testable import LogFiles
@testable import Pipelines

/// Files whose content is a text.
@Suite struct FilePairingTests {
    private func former(_ path: String, _ text: String, gzip: Bool = false, status: FileStatus = .ok)
        -> FormerFile
    {
        FormerFile(
            LoadedFile(
                source: "s", path: path, bytes: gzip ? 20 : text.utf8.count, fingerprint: gzip ? "gz \(text)" : text,
                content: gzip ? content(text[...]) : nil, status: status, records: 0, accepted: 0, filtered: 0,
                rejected: 0))
    }

    private func content(_ text: Substring) -> UnpackedContent {
        UnpackedContent(bytes: text.utf8.count, crc32: 7, head: String(text))
    }

    private func prefix(_ text: Substring) -> ContentReading.Prefix {
        ContentReading.Prefix(content: content(text), fingerprint: String(text))
    }

    private func gzip(_ text: String, _ lengths: Set<Int>? = nil, status: FileStatus = .ok) -> FileOutline {
        var outline = FileOutline(fingerprint: "gz \(text)", reading: nil)
        outline.reading = lengths.map { lengths in
            ContentReading(
                prefixes: lengths.filter { $0 < text.count }.sorted().map { prefix(text.prefix($0)) } + [
                    prefix(text[...])
                ],
                status: status)
        }
        return outline
    }

    /// - Parameter known: by their paths, the files of which something is known.
    private func pairing(
        _ lost: [FormerFile], _ found: [String], _ known: [String: FileOutline] = [:], unreadable: [String] = []
    ) -> FilePairing {
        FilePairing(
            lost: lost,
            found: found.map { file($0, known[$0], failure: unreadable.contains($0) ? EIO : nil) })
    }

    private func file(_ path: String, of source: String = "s", _ outline: FileOutline?, failure: Int32? = nil)
        -> ComparedFile
    {
        var file = ComparedFile(InputKey(source, path), FoundFile(path: path, location: path, bytes: 20), nil)
        (file.outline, file.failure) = (outline, failure)
        return file
    }

    private let c = InputKey("s", "c")

    @Test func equalFilesArePairedOneToOne() {
        let lost = [former("a", "xy", gzip: true), former("b", "xy", gzip: true)]
        let all = ["c": gzip("xy"), "d": gzip("xy"), "e": gzip("xy")]
        #expect(pairing(lost, ["c", "d", "e"], all).pairs(.same) == [0: 0, 1: 1])
        let one = pairing(lost, ["c", "d", "e"], ["d": gzip("xy")], unreadable: ["c"])
        #expect(one.pairs(.same) == [0: 1])
    }

    @Test func aFileThatWasCompressedAnewIsTheSame() {
        let lost = [former("a", "xy", gzip: true), former("b", "xy", gzip: true)]
        var anew = gzip("xy", [])
        anew = FileOutline(fingerprint: "gz -9 xy", reading: anew.reading)
        // Each is paired with that of its own path.
        #expect(pairing(lost, ["b", "a"], ["a": anew, "b": anew]).pairs(.same) == [0: 1, 1: 0])
    }

    @Test(arguments: [FileStatus.truncated, .damaged])
    func onlyAWholeFileIsTheSameByItsContent(_ status: FileStatus) {
        let all = ["c": gzip("xy", [2])]
        #expect(pairing([former("a", "xy")], ["c"], all).pairs(.same) == [0: 0])
        let cut = pairing([former("a", "xy", status: status)], ["c"], all)
        #expect(cut.pairs(.same).isEmpty && cut.pairs(.grown) == [0: 0])
        let damaged = pairing([former("a", "xy")], ["c"], ["c": gzip("xy", [2], status: status)])
        #expect(damaged.pairs(.same).isEmpty)
    }

    @Test func theLongestFormerFileGrows() {
        let all = ["c": gzip("xyzz", [1, 3]), "d": gzip("xx", [1, 3])]
        let pairing = pairing([former("a", "x"), former("b", "xyz")], ["c", "d"], all)
        #expect(pairing.pairs(.grown) == [1: 0, 0: 1])
    }

    @Test func ofChangedFilesOnlyThoseThatWereCompressedAndWholeAreUnpacked() {
        let a = InputKey("s", "a")
        #expect(pairing([former("a", "xy")], ["a"]).unknown.isEmpty)
        #expect(pairing([former("a", "xy", gzip: true, status: .truncated)], ["a"]).unknown.isEmpty)
        let lost = [former("a", "xy", gzip: true)]
        #expect(pairing(lost, ["a"]).unknown == [a: []])
        #expect(pairing(lost, ["a"]).pairs(.open) == [0: 0])
        #expect(pairing(lost, ["a"], ["a": gzip("q")]).unknown == [a: []])
        let unpacked = pairing(lost, ["a"], ["a": gzip("q", [])])
        #expect(unpacked.unknown.isEmpty && unpacked.pairs.isEmpty)
    }

    @Test func aCandidateIsUnpackedOnce() {
        let lost = [former("a", "xy"), former("b", "xyz")]
        #expect(pairing(lost, ["c"]).unknown == [c: []])
        #expect(pairing(lost, ["c"]).pairs(.open) == [0: 0])
        #expect(pairing(lost, ["c"], ["c": gzip("q")]).unknown == [c: [2, 3]])
        let unpacked = pairing(lost, ["c"], ["c": gzip("q", [2, 3])])
        #expect(unpacked.unknown.isEmpty && unpacked.pairs(.open).isEmpty)
    }

    @Test func filesOfOtherSourcesAreNoPair() {
        let lost = [former("a", "xy", gzip: true)]
        #expect(FilePairing(lost: lost, found: [file("c", of: "other", nil)]).unknown.isEmpty)
        let unpacked = file("c", of: "other", gzip("xy", [2]))
        #expect(FilePairing(lost: lost, found: [unpacked]).pairs(.same).isEmpty)
    }
}

extension FilePairing {
    /// By the index of a former file, the index of its file of now.
    fileprivate func pairs(_ kind: Kind) -> [Int: Int] {
        pairs.filter { $0.value.kind == kind }.mapValues(\.found)
    }
}
