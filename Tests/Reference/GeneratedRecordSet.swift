/// Log dates as sets of records, which can be divided into files in any way without another meaning.
package struct GeneratedRecordSet {
    package struct LogDate {
        package var day: Day
        /// A source, the `#Fields:` line that each of its files begins with, and its records: lines, or users_track bodies
        /// of one line.
        package var sources: [(name: String, header: [Bytes], records: [Bytes])]
    }

    package var pipeline: Pipeline
    package var dates: [LogDate]

    package init(seed: UInt64) {
        var random = SplitMix64(seed: seed ^ 0x5EED)
        var first = Day(number: 0)
        var pipeline = generatedPipeline(firstDay: &first, &random)
        pipeline.rejectRatio = "1"
        for index in pipeline.sources.indices {
            pipeline.sources[index].files = ["logs/\(pipeline.sources[index].name)/%Y-%m-%d/**/*"]
        }
        let world = GeneratedWorld(pipeline: pipeline, &random)
        dates = (0..<random.number(1...3)).map { number in
            let day = Day(number: first.number + number * random.pick([1, 1, pipeline.windowDays + 1]))
            let sources = pipeline.sources.map { source in
                let writer = GeneratedLineWriter(source: source, zone: world.zone, &random)
                let records = GeneratedRecords(
                    world: world, source: source, logDate: day, faults: 3, writer: writer)
                let texts = (0..<random.number(1...30)).map { _ in
                    wrapped(records.record(&random), source, &random)
                }
                let header = records.header(&random).map { wrapped($0, source, &random) }
                // Leaves out records that change with their line end or at the beginning of a file, and lines about lines.
                let sound = texts.filter { text in
                    !text.isEmpty && !text.contains(10) && text.last != 13 && text.first != 0xEF && text.first != 0x1F
                        && (header.isEmpty || text.first != UInt8(ascii: "#"))
                        // A quote that stays open is closed by another row, or by none.
                        && (source.layout != .csv || text.count { $0 == 0x22 } % 2 == 0)
                        && (!source.hasBodies || text.first == UInt8(ascii: "{"))
                }
                return (source.name, header, sound.isEmpty ? [Bytes("{}")] : sound)
            }
            return LogDate(day: day, sources: sources)
        }
        dates = dates.reduce(into: []) { dates, date in
            if !dates.contains(where: { $0.day == date.day }) { dates.append(date) }
        }
        self.pipeline = pipeline
    }

    /// The files of a log date, with the records in order.
    package func plainFiles(_ date: LogDate) -> [InputFile] {
        date.sources.map { name, header, records in
            let text = (header + records).map { $0 + [10] }.joined()
            return InputFile(source: name, path: "logs/\(name)/\(date.day)/all.log", bytes: Bytes(text))
        }
    }

    /// The same records shuffled, in files with other names and other packing.
    package func otherFiles(_ date: LogDate, seed: UInt64) -> [InputFile] {
        var random = SplitMix64(seed: seed)
        return date.sources.flatMap { name, header, records in
            let shuffled = random.shuffle(records)
            let count = random.number(1...4)
            return (0..<count).map { number in
                let own = shuffled.indices.filter { $0 % count == number }.map { shuffled[$0] }
                var text = Bytes((header + own).joined(separator: [10]))
                if random.chance(70), !text.isEmpty { text.append(10) }
                let path = "logs/\(name)/\(date.day)/" + random.pick(["", "sub/", "a/b/"]) + "\(number)x"
                return InputFile(source: name, path: path, bytes: packed(text, faultPercent: 0, &random))
            }
        }
    }
}
