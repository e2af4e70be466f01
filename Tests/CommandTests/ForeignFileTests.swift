import Foundation
import Reference
import Support
import Testing

private let pipeline = Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d/*")

private let lines = Bytes([Workplace.hit("h1,d,7"), Workplace.hit("h2,d,1")].joined(separator: "\n") + "\n")

private let advice = "; pushetl reads gzip, zstd and plain text; "

private let kinds: [(bytes: Bytes, sentence: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "is xz-compressed\(advice)convert it to gzip: 'xz -dc FILE | gzip'"),
    ([0x04, 0x22, 0x4D, 0x18], "is lz4-compressed\(advice)convert it to gzip: 'lz4 -dc FILE | gzip'"),
    (Bytes("BZh91AY&SY"), "is bzip2-compressed\(advice)convert it to gzip: 'bzip2 -dc FILE | gzip'"),
    (Bytes("PK\u{3}\u{4}"), "is a zip archive\(advice)give the files that it holds"),
    (
        Bytes(repeating: 0, count: 257) + Bytes("ustar\u{0}00"),
        "is a tar archive\(advice)give the files that it holds: 'tar -xf FILE'"
    ),
    (Bytes("Obj\u{1}"), "is an Avro file\(advice)export the records as lines of text or JSON"),
    (Bytes("PAR1\u{15}"), "is a Parquet file\(advice)export the records as lines of text or JSON"),
    ([0xFF, 0xFE, 0x31, 0], "is UTF-16 text\(advice)convert it to UTF-8: 'iconv -f UTF-16 -t UTF-8 FILE'"),
    (
        GzipRecipe().member([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
        "is xz-compressed inside gzip\(advice)convert it to gzip: 'gzip -dc FILE | xz -dc | gzip'"
    ),
    (
        GzipRecipe().member(Bytes(repeating: 0, count: 257) + Bytes("ustar\u{0}00")),
        "is a tar archive inside gzip\(advice)give the files that it holds: 'tar -xf FILE'"
    ),
    (
        GzipRecipe().member([0xFE, 0xFF, 0, 0x31]),
        "is UTF-16 text inside gzip\(advice)convert it to UTF-8: 'gzip -dc FILE | iconv -f UTF-16 -t UTF-8'"
    ),
    (GzipRecipe().member(GzipRecipe().member(lines)), "is gzip inside gzip\(advice)unpack it once: 'gzip -dc FILE'"),
    (ZstdRecipe().frame(GzipRecipe().member(lines)), "is gzip inside zstd\(advice)unpack it once: 'zstd -dc FILE'"),
    (ZstdRecipe().frame(ZstdRecipe().frame(lines)), "is zstd inside zstd\(advice)unpack it once: 'zstd -dc FILE'"),
    (
        ZstdRecipe().frame(Bytes("BZh91AY&SY")),
        "is bzip2-compressed inside zstd\(advice)convert it to gzip: 'zstd -dc FILE | bzip2 -dc | gzip'"
    ),
    (
        // A window of 144 MiB.
        [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x89] + Bytes("any"),
        "is zstd-compressed with a window over 128 MiB\(advice)compress it anew: 'zstd -dc --long=31 FILE | zstd'"
    ),
    (
        [0x28, 0xB5, 0x2F, 0xFD, 0x01, 0x38, 7] + Bytes("any"),
        "is zstd-compressed with a dictionary\(advice)compress it anew: 'zstd -dc -D DICTIONARY FILE | zstd'"
    ),
    (
        ZstdRecipe(level: 1).frame(Bytes(repeating: 0x0A, count: 1 << 20)) + [
            0x28, 0xB5, 0x2F, 0xFD, 0x02, 0x38, 0, 1,
        ],
        "is zstd-compressed with a dictionary\(advice)compress it anew: 'zstd -dc -D DICTIONARY FILE | zstd'"
    ),
]

/// A file of the system that has fewer bytes than its size says, like a file that is cut while it is read.
private let systemFile = "/sys/kernel/mm/transparent_hugepage/enabled"
private let systemText = (try? String(contentsOfFile: systemFile, encoding: .utf8)) ?? ""

@Suite(.needsPushetl)
struct ForeignFileTests {
    @Test(arguments: kinds)
    func aForeignFileIsNamedAndHoldsItsDateBack(_ bytes: Bytes, _ sentence: String) throws {
        let place = try Workplace.withHits([], pipeline: pipeline)
        try place.scratch.write(lines, to: "logs/2026-11-19/a.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = try place.dump()
        try place.scratch.write(bytes, to: "logs/2026-11-19/z.log")
        for arguments in [["run", "--date", "2026-11-19"], ["run", "--date", "2026-11-19", "--force"]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr == """
                    error: logs/2026-11-19/z.log: \(sentence)
                    error: 2026-11-19: held back: logs/2026-11-19/z.log is of a kind that is not read; nothing was read, and \
                    the former content is kept

                    """)
            #expect(outcome.stdout.contains("2026-11-19  held_back  2 files"))
            #expect(try place.dump() == before)
        }
    }

    @Test func everyForeignFileOfADateIsNamedAndOtherDatesLoad() throws {
        let place = try Workplace.withHits([], pipeline: pipeline)
        for (index, kind) in kinds.prefix(4).enumerated() {
            try place.scratch.write(kind.bytes, to: "logs/2026-11-19/\(index).log")
        }
        try place.scratch.write(GzipRecipe().member(lines), to: "logs/2026-11-19/good.log.gz")
        try place.scratch.write(lines, to: "logs/2026-11-20/good.log")
        let outcome = try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20")
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("error: 2026-11-19: held back: logs/2026-11-19/0.log, "))
        for (index, kind) in kinds.prefix(4).enumerated() {
            #expect(outcome.stderr.contains("error: logs/2026-11-19/\(index).log: \(kind.sentence)\n"))
        }
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        #expect(!place.scratch.exists("out/partitions/2026-11-19.sqlite"))
    }

    @Test func textThatOnlyBeginsLikeAForeignFileIsRead() throws {
        let place = try Workplace.withHits([], pipeline: pipeline)
        for (index, host) in ["PK", "BZh9", "PAR1-web7", "Obj1", "ustar"].enumerated() {
            let line = Workplace.hit("h\(index + 1),d,7").replacing("192.0.2.1", with: host)
            try place.scratch.write((line + "\n"), to: "logs/2026-11-19/\(index).log")
        }
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM days") == ["5"])
    }

    @Test(.enabled(if: systemText.hasSuffix("\n") && systemText.utf8.count < 4096, "\(systemFile) is not there"))
    func aPlainFileShorterThanItsSizeIsTruncated() throws {
        let place = try Workplace.withHits([], pipeline: pipeline + "limits: {reject_ratio: 1}\n")
        try place.scratch.write(lines, to: "logs/2026-11-19/a.log")
        try place.scratch.makeLink("logs/2026-11-19/b.log", to: systemFile)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "warning: logs/2026-11-19/b.log: the file became shorter while it was read; the complete lines that were "
                    + "there count; load the date again when nothing writes to it\n"))
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|2"])
        #expect(
            try place.rows("SELECT path, status, records FROM files ORDER BY path") == [
                "logs/2026-11-19/a.log|ok|2", "logs/2026-11-19/b.log|truncated|1",
            ])
    }
}
