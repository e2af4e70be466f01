import Reference
import Support
import Testing

/// Every sequence of a few records of two messages: each has two actions, comes on one of three log dates and from one of two
/// sources. No chance is in it, so what is counted wrongly for a few records is seen. The long form has all of up to four.
///
/// All sequences are loaded at once. Each has a delivery and two ids of its own, so none meets another.
@Suite(.needsPushetl)
struct SmallWorldsTests {
    private struct Record {
        let id: Int
        let action: Int
        let date: Int
        let source: Int

        static let all = (0..<24).map { number in
            Record(id: number % 2, action: [1, 2][number / 2 % 2], date: number / 4 % 3, source: number / 12)
        }
    }

    /// All sequences of 1 to `length` records; where the ids change places, only one of both.
    private static func worlds(upTo length: Int) -> [[Record]] {
        var (worlds, longest): ([[Record]], [[Record]]) = ([], [[]])
        for _ in 0..<length {
            longest = longest.flatMap { former in
                Record.all.filter { !former.isEmpty || $0.id == 0 }.map { former + [$0] }
            }
            worlds += longest
        }
        return worlds
    }

    private static let dates = [19, 20, 21].compactMap { Day("2026-11-\($0)") }
    private static let sources = ["b", "a"]

    /// The lines of each log date and source, in another order than that of their times.
    /// - Parameter areEqual: whether all records of a world have the same time.
    private static func files(of worlds: [[Record]], areEqual: Bool) -> [Day: [InputFile]] {
        var texts = dates.map { _ in sources.map { _ in [Bytes]() } }
        for (number, world) in worlds.enumerated() {
            for (second, record) in world.enumerated() {
                let id = String(number * 2 + record.id + 1, radix: 16)
                let line =
                    "1.2.3.4 - - [20/Nov/2026:10:00:0\(areEqual ? 0 : second) +0000] \"GET /r/?id=h\(id),"
                    + "d\(number),\(record.action) HTTP/1.1\" 200 43"
                texts[record.date][record.source].append(Bytes(line))
            }
        }
        var random = SplitMix64(seed: 1)
        return Dictionary(
            uniqueKeysWithValues: zip(dates, texts).map { date, texts in
                let files = zip(sources, texts).map { source, lines in
                    let text = random.shuffle(lines).map { $0 + [10] }.joined()
                    return InputFile(source: source, path: "logs/\(source)/\(date).log", bytes: Bytes(text))
                }
                return (date, files)
            })
    }

    @Test(arguments: [(0, false), (1, false), (1, true), (30, false)])
    func everySequenceIsCountedAsTheReferenceDoes(windowDays: Int, areEqual: Bool) throws {
        let program = try #require(Program.built)
        let folder = try ScratchFolder()
        var pipeline = Pipeline()
        pipeline.windowDays = windowDays
        pipeline.sources = Self.sources.map { name in
            Pipeline.Source(name: name, format: .collector, files: "logs/\(name)/%Y-%m-%d.log")
        }
        try folder.write(pipeline)
        let longest = Long.isOn ? (windowDays == 1 && !areEqual ? 4 : 3) : 2
        let files = Self.files(of: Self.worlds(upTo: longest), areEqual: areEqual)
        for file in files.values.joined() { try folder.write(file.bytes, to: file.path) }
        let partitions = Self.dates.map { Partition(logDate: $0, files: files[$0] ?? [], pipeline: pipeline) }
        let publication = Publication(partitions: partitions, pipeline: pipeline)
        // The order in which the log dates come changes nothing.
        for (number, order) in [[0, 1, 2], [2, 0, 1], [1, 2, 0]].enumerated() {
            for date in order {
                let outcome = try folder.load(program, Self.dates[date], output: "out\(number)")
                #expect(outcome.exit == 0, "\(outcome)")
            }
            let expected = publication.byLogDate
            let fault = difference(try folder.tables("out\(number)/push.db", like: expected), expected)
            #expect(fault == nil, "order \(order): \(fault ?? "")")
        }
    }
}
