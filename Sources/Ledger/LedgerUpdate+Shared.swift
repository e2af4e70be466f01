import Counting
import Events
import Partitions
import Posix

/// The messages that log dates share: which they are, and what they change in the rows of each.
extension LedgerUpdate {
    /// What is known of a partition with ids.
    struct Compared {
        var shared: SharedMessages
        /// The hash of the file; nil if it must be written. After reading, nil means that its ids have not been compared with
        /// those of all partitions within reach that the ledger knows.
        var hash: String?
    }

    /// What shared messages change in the rows of a log date.
    struct Correction {
        let figures: FigurePart
        /// Whether it is added to what stands there. Else it replaces that.
        let isAdded: Bool
    }

    /// Finds the messages that partitions share with others within reach. Returns the partitions that have any of them.
    func compare(_ uncompared: [Int], _ compared: inout [Compared]) throws(WarehouseError) -> Set<Int> {
        guard !uncompared.isEmpty else { return [] }
        let isChosen = Set(uncompared)
        let involved = compared.indices.filter { index in
            isChosen.contains(index) || uncompared.contains { areWithinReach(index, $0) }
        }
        let found = try sharedEvents(involved, isCompared: involved.map(isChosen.contains))
        for (index, blocks) in found {
            do {
                try compared[index].shared.add(blocks)
            } catch {
                throw .damagedBlock(path: withIDs.path(index), error)
            }
            compared[index].hash = nil
        }
        return Set(found.keys)
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
        let even = workers.count == 1 ? events : events / (workers.count * 4)
        return SectionRange.cut(entries, events: max(min(fitting, even, LedgerUpdate.goodEvents), resources.leastPiece))
    }

    /// The most memory per event while ids are compared, in bytes: for its block, its id and its bits.
    private static let bytesPerEvent = 48
    /// The best number of events per range. Such a range fits into the second-level CPU cache. Larger ranges are
    /// slower, and smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    private func areWithinReach(_ a: Int, _ b: Int) -> Bool {
        areWithinReach(withIDs.summaries[a].logDate, withIDs.summaries[b].logDate)
    }

    private func sharedPath(_ logDate: String) -> String? {
        ledger.sharedFolder.map { "\($0)/\(logDate)\(OwnName.shared)" }
    }

    /// Reads the shared messages of the partitions that a change may concern: within reach of such as are within reach of it.
    func readShared(_ known: [String: Ledger.Entry], _ changed: [Int32]) throws(WarehouseError) -> [Compared] {
        let logDates = withIDs.summaries.map(\.logDate)
        let entries = withIDs.summaries.map { summary in
            known[date(summary.logDate)].flatMap { $0.version == summary.version && $0.shared != nil ? $0 : nil }
        }
        let new = logDates.indices.filter { entries[$0] == nil }.map { logDates[$0] }
        let isConcerned = logDates.map { logDate in
            (changed + new).contains { abs(Int(logDate) - Int($0)) <= 2 * settings.windowDays }
        }
        func read(_ isWanted: [Bool]) throws(WarehouseError) -> [Compared] {
            try workers.map(logDates.count) { index throws(WarehouseError) in
                if let entry = entries[index], !isWanted[index] {
                    return Compared(shared: SharedMessages(version: entry.version), hash: entry.shared)
                }
                return try readShared(index, entries[index])
            }
        }
        let compared = try read(isConcerned)
        let areLost = compared.indices.contains { entries[$0] != nil && compared[$0].hash == nil }
        // Those are compared again, and concern others.
        return areLost ? try read(logDates.map { _ in true }) : compared
    }

    private func readShared(_ index: Int, _ entry: Ledger.Entry?) throws(WarehouseError) -> Compared {
        let summary = withIDs.summaries[index]
        var compared = Compared(shared: SharedMessages(version: summary.version))
        guard let hash = entry?.shared else { return compared }
        if !hash.isEmpty {
            let names = try withIDs.partition(index).names()
            // Without the file, the ids are compared again.
            guard let path = sharedPath(date(summary.logDate)), let bytes = try? WholeFile.readFile(path),
                let shared = SharedMessages(bytes: bytes, hash: hash, version: summary.version, names: names)
            else { return compared }
            compared.shared = shared
        }
        compared.hash = hash
        return compared
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
        let others = added.map { wanted.subtracting($0) } ?? []
        var ids: [Section: [EventID]] = [:]
        if !others.isEmpty {
            for index in added ?? [] { ids.merge(compared[index].shared.ids, uniquingKeysWith: +) }
            ids = ids.mapValues { $0.sorted() }
        }
        var members: [(index: Int, member: SharedCorrections.Member)] = []
        for index in compared.indices where !compared[index].shared.isEmpty {
            guard wanted.contains(where: { areWithinReach($0, index) }) else { continue }
            let shared = compared[index].shared
            let member = SharedCorrections.Member(
                logDate: withIDs.summaries[index].logDate, names: try withIDs.partition(index).names(),
                shared: others.isEmpty ? shared : shared.restricted(to: ids), isWanted: wanted.contains(index))
            members.append((index, member))
        }
        var tables = try SharedCorrections(members.map(\.member), settings).tables(workers)
        if let added, !others.isEmpty {
            let former = members.filter { !added.contains($0.index) }.map(\.member)
            for (logDate, sums) in try SharedCorrections(former, settings, factor: -1).tables(workers) {
                tables[logDate, default: DailyTables()].merge(sums)
            }
        }
        var corrections: [Int32: Correction] = [:]
        for index in wanted {
            let logDate = withIDs.summaries[index].logDate
            let names = try withIDs.partition(index).names()
            corrections[logDate] = Correction(
                figures: FigurePart(logDate: logDate, names: names, tables: tables[logDate] ?? DailyTables()),
                isAdded: others.contains(index))
        }
        return corrections
    }
}
