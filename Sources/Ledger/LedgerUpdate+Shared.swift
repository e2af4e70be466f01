import Counting
import Events
import Partitions
import Posix
import Synchronization

/// The messages that log dates share: which they are, and what they change in the rows of each.
extension LedgerUpdate {
    /// What is known of a partition with ids.
    struct Compared {
        /// The messages that it shares with others. Empty until somebody needs them.
        var shared: SharedMessages
        /// The hash of the file with these messages. Empty if it shares none. Nil if that is not known yet, or if the file must
        /// be written.
        var hash: String?

        /// - Parameter entry: what the ledger knows of the log date.
        init(_ summary: PartitionSummary, _ entry: Ledger.Entry?) {
            shared = SharedMessages(version: summary.version)
            hash = entry?.version == summary.version ? entry?.shared : nil
        }
    }

    /// What has happened since the ledger was written.
    struct Change {
        /// The partitions whose ids the ledger does not know.
        let uncompared: Set<Int>
        /// By partition, the events of the messages that it shares with one of those, or that one of those shares.
        let found: [Int: [Section: [EventBlock]]]
        /// The partitions whose rows shared messages may change now.
        let affected: Set<Int>
        /// Whether it is only that log dates came which the ledger does not have.
        let isAddition: Bool
    }

    /// What shared messages change in the rows of a log date.
    struct Correction {
        let figures: FigurePart
        /// Whether it is added to what stands there. Else it replaces that.
        let isAdded: Bool
    }

    /// - Parameter changed: log dates that the ledger knows and whose partitions are other ones or gone.
    func change(
        _ known: [String: Ledger.Entry], _ changed: [Int32], _ compared: [Compared], _ isNewSetting: Bool
    ) throws(WarehouseError) -> Change {
        let uncompared = Set(compared.indices.filter { compared[$0].hash == nil })
        let found = try sharedEvents(of: uncompared)
        let beside = compared.indices.filter { index in
            compared[index].hash != "" && changed.contains { areWithinReach($0, withIDs.summaries[index].logDate) }
        }
        return Change(
            uncompared: uncompared, found: found,
            affected: isNewSetting ? Set(compared.indices) : uncompared.union(found.keys).union(beside),
            isAddition: !isNewSetting && changed.isEmpty
                && uncompared.allSatisfy { known[date(withIDs.summaries[$0].logDate)] == nil })
    }

    /// The partitions whose shared messages must be read: those that are affected, and those within reach of them.
    func needed(for change: Change, _ compared: [Compared]) -> [Int] {
        compared.indices.filter { index in
            guard !change.affected.contains(index) else { return true }
            // What all that came was compared with, and shares nothing with it, has none of its messages.
            let hasNone = change.isAddition && change.uncompared.allSatisfy { areWithinReach($0, index) }
            return !hasNone && change.affected.contains { areWithinReach($0, index) }
        }.filter { compared[$0].hash?.isEmpty == false && compared[$0].shared.isEmpty }
    }

    func add(_ found: [Int: [Section: [EventBlock]]], to compared: inout [Compared]) throws(WarehouseError) {
        let indices = found.keys.sorted()
        let added = try workers.map(indices.count) { [compared] number throws(WarehouseError) in
            var shared = compared[indices[number]].shared
            do throws(EventBlockError) {
                try shared.add(found[indices[number]] ?? [:])
            } catch {
                throw .damagedBlock(path: withIDs.path(indices[number]), error)
            }
            return shared
        }
        for (index, shared) in zip(indices, added) { (compared[index].shared, compared[index].hash) = (shared, nil) }
    }

    /// The events of the messages that partitions share with others within reach, by partition.
    func sharedEvents(of uncompared: Set<Int>) throws(WarehouseError) -> [Int: [Section: [EventBlock]]] {
        guard !uncompared.isEmpty else { return [:] }
        let involved = withIDs.summaries.indices.filter { index in
            uncompared.contains(index) || uncompared.contains { areWithinReach(index, $0) }
        }
        return try sharedEvents(involved, isCompared: involved.map(uncompared.contains))
    }

    /// Compares the ids of partitions. Gives for each partition the events of the messages that it shares with others, sorted by id.
    /// - Parameter isCompared: of each partition involved; two that share a message count if one of them is.
    private func sharedEvents(
        _ involved: [Int], isCompared: [Bool]
    ) throws(WarehouseError) -> [Int: [Section: [EventBlock]]] {
        assert(involved.count == isCompared.count && zip(involved, involved.dropFirst()).allSatisfy { $0 < $1 })
        let all = try workers.map(involved.count) { number throws(WarehouseError) in
            try withIDs.partition(involved[number]).blockEntries()
        }
        // The first and last ids of blocks are compared first. If ids grow with the date, few blocks are left then.
        let entries = all.indices.map { part -> [Section: [BlockEntry]] in
            let others = all.indices.filter { other in
                other != part && (isCompared[part] || isCompared[other])
                    && areWithinReach(involved[part], involved[other])
            }
            var found = all[part]
            for (section, blocks) in all[part] {
                let lists = others.compactMap { all[$0][section] }
                found[section] = blocks.filter { block in lists.contains { $0.overlap(block) } }
            }
            return found
        }
        let ranges = ranges(entries)
        let found = try workers.map(ranges.count) { number throws(WarehouseError) in
            let range = ranges[number]
            var parts: [SharedMessageFinder.Part] = []
            for (part, index) in involved.enumerated() {
                try resources.check()
                guard let entries = entries[part][range.section]?.holding(range), !entries.isEmpty else { continue }
                parts.append(
                    SharedMessageFinder.Part(
                        index: part, logDate: withIDs.summaries[index].logDate, isCompared: isCompared[part],
                        blocks: try withIDs.partition(index).blocks(entries)))
            }
            let finder: SharedMessageFinder
            do throws(SharedMessageFinder.DamagedBlock) {
                finder = try SharedMessageFinder(range, parts, windowDays: settings.windowDays)
            } catch {
                throw .damagedBlock(path: withIDs.path(involved[error.index]), error.error)
            }
            for (part, events) in finder.events {
                let partition = try withIDs.partition(involved[part])
                guard try partition.names().hold(events.span) else {
                    throw .contradictingBlock(path: partition.path)
                }
            }
            return finder.events.mapValues(EventBlock.blocks)
        }
        // The ranges are sorted, so the blocks are sorted too.
        var blocks: [Int: [Section: [EventBlock]]] = [:]
        for (range, found) in zip(ranges, found) {
            for (part, list) in found {
                blocks[involved[part], default: [:]][range.section, default: []] += list
            }
        }
        assert(blocks.values.allSatisfy { $0.values.allSatisfy(\.areSorted) })
        return blocks
    }

    /// Ranges of ids that can be processed in parallel.
    private func ranges(_ entries: [[Section: [BlockEntry]]]) -> [SectionRange] {
        let events = entries.lazy.flatMap(\.values).joined().reduce(0) { $0 + $1.events }
        let fitting = resources.memory / workers.count / LedgerUpdate.bytesPerEvent
        let even = workers.count == 1 ? events : events / (workers.count * 8)
        return SectionRange.cut(entries, events: max(min(fitting, even, LedgerUpdate.goodEvents), resources.leastPiece))
    }

    /// The most memory per event in bytes. While ids are compared: for its block, its id and its bits. While corrections are
    /// computed: for its block, itself, its place and what it changes.
    private static let bytesPerEvent = 128
    /// The best number of events per range. Such a range fits into the second-level CPU cache. Larger ranges are
    /// slower, and smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        areWithinReach(withIDs.summaries[a].logDate, withIDs.summaries[b].logDate)
    }

    private func sharedPath(_ logDate: String) -> String? {
        ledger.sharedFolder.map { "\($0)/\(logDate)\(OwnName.shared)" }
    }

    /// Reads the shared messages of partitions. Where a file is lost, the partition loses its hash, and the result is false.
    func readShared(_ indices: [Int], _ compared: inout [Compared]) throws(WarehouseError) -> Bool {
        let read = try workers.map(indices.count) { [compared] number throws(WarehouseError) in
            try readShared(indices[number], compared[indices[number]].hash)
        }
        for (index, shared) in zip(indices, read) {
            if let shared { compared[index].shared = shared } else { compared[index].hash = nil }
        }
        return read.allSatisfy { $0 != nil }
    }

    /// Nil if the file is not there, or is another one than that with this hash.
    private func readShared(_ index: Int, _ hash: String?) throws(WarehouseError) -> SharedMessages? {
        let summary = withIDs.summaries[index]
        // Whatever keeps the file from being read: then the ids are compared again.
        guard let hash, let path = sharedPath(date(summary.logDate)), let bytes = try? WholeFile.readFile(path)
        else { return nil }
        return SharedMessages(bytes: bytes, hash: hash, version: summary.version)
    }

    /// Writes the files that changed. If that fails, or the command ends before the ledger has their hashes, their ids are compared
    /// again.
    func writeShared(_ compared: inout [Compared]) throws(WarehouseError) {
        let changed = compared.indices.filter { compared[$0].hash == nil }
        if let folder = ledger.sharedFolder, !changed.isEmpty { _ = try? Folder.create(folder) }
        let hashes = try workers.map(changed.count) { [compared] number throws(WarehouseError) -> String? in
            let (index, shared) = (changed[number], compared[changed[number]].shared)
            guard !shared.isEmpty, let path = sharedPath(date(withIDs.summaries[index].logDate)) else { return "" }
            let bytes = shared.bytes
            guard (try? WholeFile.store(bytes, at: path, durably: false)) != nil else { return nil }
            return SharedMessages.hash(of: bytes)
        }
        for (index, hash) in zip(changed, hashes) { compared[index].hash = hash }
    }

    /// What shared messages change in the rows of log dates.
    /// - Parameter added: if nothing has happened but that these came, so that the others only get what these change; else nil.
    func corrections(
        _ affected: Set<Int>, _ compared: [Compared], after added: Set<Int>?
    ) throws(WarehouseError) -> [Int32: Correction] {
        let wanted = affected.subtracting(withIDs.onlyForIDs)
        let isKnown = { (index: Int) in added.map { !$0.contains(index) } ?? false }
        let members = try compared.indices.filter { index in
            !compared[index].shared.isEmpty && wanted.contains { areWithinReach($0, index) }
        }.map { index throws(WarehouseError) in
            SharedCorrections.Member(
                path: withIDs.path(index), logDate: withIDs.summaries[index].logDate,
                names: try withIDs.partition(index).names(), shared: compared[index].shared, isKnown: isKnown(index))
        }
        let ranges = ranges(members.map(\.shared.entries))
        let shared = SharedCorrections(members, settings)
        let tables = Mutex<[Int32: DailyTables]>([:])
        _ = try workers.map(ranges.count) { number throws(WarehouseError) in
            try resources.check()
            let found = try shared.tables(ranges[number])
            tables.withLock { sums in
                for (member, found) in zip(members, found) { sums[member.logDate, default: DailyTables()].merge(found) }
            }
        }
        let sums = tables.withLock(\.self)
        var corrections: [Int32: Correction] = [:]
        for index in wanted {
            let (logDate, names) = (withIDs.summaries[index].logDate, try withIDs.partition(index).names())
            corrections[logDate] = Correction(
                figures: FigurePart(logDate: logDate, names: names, tables: sums[logDate] ?? DailyTables()),
                isAdded: isKnown(index))
        }
        return corrections
    }
}
