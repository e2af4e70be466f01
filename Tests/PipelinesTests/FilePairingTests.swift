import Hashing
import Posix
import Testing
import Warehouse

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

    private func prefix(_ text: Substring) -> ContentPrefix {
        ContentPrefix(content: content(text), fingerprint: String(text))
    }

    private func facts(_ text: String, _ lengths: Set<Int>? = nil, isOK: Bool = true) -> CandidateFacts {
        let outline = FileOutline(bytes: 20, fingerprint: "gz \(text)", isGzipped: true, trailer: nil)
        let reading = lengths.map { lengths in
            ContentReading(
                prefixes: lengths.filter { $0 <= text.count }.sorted().map { prefix(text.prefix($0)) },
                whole: prefix(text[...]), isOK: isOK)
        }
        return CandidateFacts(outline: outline, reading: reading)
    }

    private func pairing(_ lost: [FormerFile], _ found: [String]) -> FilePairing {
        FilePairing(
            lost: lost,
            found: found.map { path in
                (InputKey("s", path), InputFile(source: 0, found: FoundFile(path: path, location: path, bytes: 20)))
            })
    }

    private func known(_ facts: [String: CandidateFacts]) -> [InputKey: CandidateFacts] {
        Dictionary(uniqueKeysWithValues: facts.map { (InputKey("s", $0), $1) })
    }

    @Test func equalFilesArePairedOneToOne() {
        let pairing = pairing([former("a", "xy", gzip: true), former("b", "xy", gzip: true)], ["c", "d", "e"])
        let all = known(["c": facts("xy"), "d": facts("xy"), "e": facts("xy")])
        #expect(pairing.pairs(all, unreadable: []).same == [0: 0, 1: 1])
        #expect(pairing.pairs(known(["d": facts("xy")]), unreadable: [InputKey("s", "c")]).same == [0: 1])
    }

    @Test func bytesComeBeforeContent() {
        let pairing = pairing([former("a", "xy"), former("b", "xy", gzip: true)], ["c", "d"])
        let all = known(["c": facts("xy", [2]), "d": facts("other", [2])])
        // b has the bytes of c. a, which is plain, has only its content.
        #expect(pairing.pairs(all, unreadable: []).same == [1: 0])
    }

    @Test(arguments: [FileStatus.truncated, .damaged])
    func onlyAWholeFileIsTheSameByItsContent(_ status: FileStatus) {
        let all = known(["c": facts("xy", [2])])
        #expect(pairing([former("a", "xy")], ["c"]).pairs(all, unreadable: []).same == [0: 0])
        let cut = pairing([former("a", "xy", status: status)], ["c"]).pairs(all, unreadable: [])
        #expect(cut.same.isEmpty && cut.grown == [0: 0])
        let damaged = known(["c": facts("xy", [2], isOK: false)])
        #expect(pairing([former("a", "xy")], ["c"]).pairs(damaged, unreadable: []).same.isEmpty)
    }

    @Test func theLongestFormerFileGrows() {
        let pairing = pairing([former("a", "x"), former("b", "xyz")], ["c", "d"])
        let all = known(["c": facts("xyzz", [1, 3]), "d": facts("xx", [1, 3])])
        #expect(pairing.pairs(all, unreadable: []).grown == [1: 0, 0: 1])
    }

    @Test func aChangedFileAloneIsNotUnpacked() {
        let pairing = pairing([former("a", "xy", gzip: true)], ["a"])
        #expect(pairing.needingOutline([:]).isEmpty)
        #expect(pairing.needingReading(known(["a": facts("xy")])).isEmpty)
        #expect(pairing.pairs(known(["a": facts("xy", [2])]), unreadable: []).same.isEmpty)
    }

    @Test func aCandidateIsUnpackedOnce() {
        let pairing = pairing([former("a", "xy"), former("b", "xyz")], ["c"])
        #expect(pairing.needingOutline([:]) == [0])
        #expect(pairing.needingReading(known(["c": facts("q")])) == [0: [2, 3]])
        #expect(pairing.pairs([:], unreadable: []).open == [0: 0])
        #expect(pairing.needingReading(known(["c": facts("q", [2, 3])])).isEmpty)
        #expect(pairing.pairs(known(["c": facts("q", [2, 3])]), unreadable: []).open.isEmpty)
    }

    @Test func aTrailerRulesOutOtherContents() {
        func outline(_ bytes: UInt32, _ crc32: UInt32) -> CandidateFacts {
            CandidateFacts(
                outline: FileOutline(
                    bytes: 20, fingerprint: "f", isGzipped: true, trailer: .init(crc32: crc32, bytes: bytes)))
        }
        let pairing = pairing([former("a", "xy", gzip: true)], ["c"])
        #expect(pairing.needingReading(known(["c": outline(2, 7)])) == [0: [2]])
        #expect(pairing.needingReading(known(["c": outline(3, 8)])) == [0: [2]])
        #expect(pairing.needingReading(known(["c": outline(2, 8)])).isEmpty)
        #expect(pairing.needingReading(known(["c": outline(1, 7)])).isEmpty)
    }

    @Test func filesOfOtherSourcesAreNoPair() {
        let found = (
            InputKey("other", "c"), InputFile(source: 1, found: FoundFile(path: "c", location: "c", bytes: 20))
        )
        let pairing = FilePairing(lost: [former("a", "xy", gzip: true)], found: [(key: found.0, file: found.1)])
        #expect(pairing.needingOutline([:]).isEmpty)
        #expect(pairing.pairs([found.0: facts("xy", [2])], unreadable: []).same.isEmpty)
    }
}
