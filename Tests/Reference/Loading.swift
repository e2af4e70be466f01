/// A file of a log date that a source of the pipeline matches.
package struct InputFile {
    package var source: String
    /// The pattern with its placeholders and globs filled in.
    package var path: String
    package var bytes: Bytes

    package init(source: String, path: String, bytes: Bytes) {
        self.source = source
        self.path = path
        self.bytes = bytes
    }
}

/// The first record of a key in a partition, and the number of records with that key.
package struct PartitionEvent {
    package var hit: Hit
    package var records: Int
    package var logDate: Day

    package init(hit: Hit, records: Int, logDate: Day) {
        self.hit = hit
        self.records = records
        self.logDate = logDate
    }
}

/// What the files of one log date say.
package struct Partition {
    package struct File {
        package var source: String
        package var path: String
        package var bytes: Int
        package var status: Unpacked.Status
        package var records: [Record]
        /// Whether it is CSV whose rows cannot be read.
        package var hasFaultyHeader = false
        /// The file as it is stored.
        package var stored: Bytes
        /// What was unpacked of it.
        package var text: Bytes
    }

    package var logDate: Day
    package var files: [File]
    package var events: [PartitionEvent]
    /// The rows by log date of this partition alone, in the zone of its load.
    package var ownRows: [OutputTable]
    /// That of its load.
    package private(set) var pipeline = Pipeline()

    /// Whether its files were whole, and no source was without a file that a pipeline requires, be it that of its load or another.
    package func isComplete(by now: Pipeline) -> Bool {
        let lacking = pipeline.sources.map(\.name).filter { name in !files.contains { $0.source == name } }
        return files.allSatisfy { $0.status == .ok }
            && !now.sources.contains { $0.isRequired && lacking.contains($0.name) }
    }

    package var records: [Record] { files.flatMap(\.records) }

    package func count(_ kind: String, in records: [Record]) -> Int {
        records.count { $0.outcome.kind == kind }
    }

    package var rejectRatio: Double {
        records.isEmpty ? 0 : Double(count("rejected", in: records)) / Double(records.count)
    }

    /// Whether of a source no record is accepted, and one is too long.
    package var hasSourceOfLongLinesOnly: Bool {
        Set(files.map(\.source)).contains { source in
            let records = files.filter { $0.source == source }.flatMap(\.records)
            return count("accepted", in: records) == 0 && records.contains { $0.outcome == .rejected("line_too_long") }
        }
    }

    package var rejects: OutputTable {
        var rows: [OutputRow] = []
        for file in files {
            var seen: [String: Int] = [:]
            for record in file.records {
                guard case .rejected(let reason) = record.outcome else { continue }
                seen[reason, default: 0] += 1
                if seen[reason, default: 0] > 1000 { continue }
                rows.append([.text(file.source), .text(file.path), .integer(record.line), .text(reason)])
            }
        }
        return OutputTable("rejects", Columns.rejects, rows)
    }

    package init(logDate: Day, files inputs: [InputFile], pipeline: Pipeline) {
        let files = inputs.compactMap { input -> File? in
            guard let source = pipeline.sources.first(where: { $0.name == input.source }) else { return nil }
            let unpacked = Unpacked(input.bytes)
            let reading = Reading(source: source, pipeline: pipeline, logDate: logDate)
            let records = reading.records(unpacked)
            return File(
                source: input.source, path: input.path, bytes: input.bytes.count, status: unpacked.status,
                records: records,
                hasFaultyHeader: source.layout == .csv && reading.rowRecords(unpacked) == nil, stored: input.bytes,
                text: unpacked.text)
        }
        self.init(logDate: logDate, files: files, pipeline: pipeline)
    }

    /// A partition of records that are known already.
    private init(logDate: Day, files: [File], pipeline: Pipeline) {
        self.init(logDate: logDate, events: [])
        self.files = files
        self.pipeline = pipeline
        let order = SourceOrder(pipeline)
        var places: [[Bytes]: Int] = [:]
        for case .accepted(let hit, _) in records.map(\.outcome) {
            let event = PartitionEvent(hit: hit, records: 1, logDate: logDate)
            if let place = places[hit.key] {
                events[place].records += 1
                if order.comesEarlier(event, events[place]) { events[place].hit = hit }
            } else {
                places[hit.key] = events.count
                events.append(event)
            }
        }
        ownRows = Publication(partitions: [self], pipeline: pipeline).byLogDate
    }

    /// A partition that is made of events alone, without files.
    package init(logDate: Day, events: [PartitionEvent]) {
        self.logDate = logDate
        self.events = events
        files = []
        ownRows = []
    }
}

extension Outcome {
    package var kind: String {
        switch self {
        case .accepted: "accepted"
        case .filtered: "filtered"
        case .rejected: "rejected"
        }
    }

    package var reason: String {
        switch self {
        case .accepted: ""
        case .filtered(let reason), .rejected(let reason): reason
        }
    }
}

extension Hit {
    /// Equal for the records of a message.
    package var message: [Bytes] { [Bytes(idSpace), broadlogID] }

    /// Equal for the records of a message and an action.
    package var key: [Bytes] { message + [Bytes(action)] }
}

/// The order in which events count. It depends on the order of the sources in the pipeline.
package struct SourceOrder {
    private let names: [String]

    package init(_ pipeline: Pipeline) {
        names = pipeline.sources.map(\.name)
    }

    /// The index in the pipeline. Sources that it does not have follow, ordered by name.
    private func position(_ source: String) -> OutputRow {
        names.firstIndex(of: source).map { [.integer($0)] } ?? [.integer(names.count), .text(source)]
    }

    /// By (time, source, delivery id, platform, log date).
    package func comesEarlier(_ a: PartitionEvent, _ b: PartitionEvent) -> Bool {
        row(a, []).lexicographicallyPrecedes(row(b, []))
    }

    /// By (time, source, delivery id, platform, action, log date).
    package func comesEarlierInMessage(_ a: PartitionEvent, _ b: PartitionEvent) -> Bool {
        row(a, [.text(a.hit.action)]).lexicographicallyPrecedes(row(b, [.text(b.hit.action)]))
    }

    private func row(_ event: PartitionEvent, _ action: OutputRow) -> OutputRow {
        [.integer(event.hit.time)] + position(event.hit.source)
            + [.text(event.hit.deliveryID), .text(event.hit.platform)] + action + [.integer(event.logDate.number)]
    }
}
