import Calendar
import Counting
import Events
import Partitions
import Posix
import Synchronization

/// Finds the messages that log dates share, and how they change the rows of each log date.
///
/// The shared messages are kept in files beside push.db (see `SharedMessages`), and push.db has the hashes of these
/// files. So only new partitions are compared. A file that is lost, or has another hash, is made again.
struct SharedComparison: Sendable {
    /// A partition with ids.
    private struct Member: Sendable {
        /// The partition's index in the set.
        let index: Int
        let logDate: LogDate
        /// Whether the partition is settled, so that its ids are needed only for the figures of other log dates.
        let isOnlyForOthers: Bool
        /// The messages that the partition shares with others. Empty until they are needed.
        var shared: SharedMessages
        /// The hash of the file with the shared messages. Empty if no message is shared. Nil if this is not known yet,
        /// or the file must be written.
        var hash: String?
    }

    private let partitions: PartitionSet
    private let settings: PublicationSettings
    private let resources: PublishingResources
    /// The folder of the files; nil to write and read none.
    private let folder: String?
    /// Sorted by log date.
    private var members: [Member]

    private var workers: any Workers { resources.workers }

    /// - Parameter known: by log date, the hashes in push.db for partitions that have not changed since.
    init(
        of partitions: PartitionSet, settings: PublicationSettings, resources: PublishingResources,
        folder: String?, known: [LogDate: String] = [:]
    ) {
        self.partitions = partitions
        self.settings = settings
        self.resources = resources
        self.folder = folder
        let (indices, onlyForOthers) = partitions.withIDs(windowDays: settings.windowDays)
        members = indices.map { index in
            let summary = partitions.summaries[index]
            return Member(
                index: index, logDate: summary.logDate, isOnlyForOthers: onlyForOthers.contains(index),
                shared: SharedMessages(version: summary.version), hash: known[summary.logDate])
        }
    }

    /// The hash of each log date's file, for push.db. A file that could not be written has none.
    var hashes: [LogDate: String] {
        Dictionary(
            uniqueKeysWithValues: members.compactMap { member in member.hash.map { (member.logDate, $0) } })
    }

    /// Compares new partitions with the others, and computes the corrections of all log dates that may be affected.
    ///
    /// - Parameters:
    ///   - replaced: shown log dates whose partition has changed or is gone.
    ///   - isNewSetting: whether push.db was published with other settings.
    mutating func corrections(
        replaced: [LogDate], isNewSetting: Bool
    ) throws -> [LogDate: DailyTables] {
        var found: [Int: [Section: [EventBlock]]]
        var affected: Set<Int>
        repeat {
            let uncompared = Set(members.indices.filter { members[$0].hash == nil })
            found = try sharedEvents(of: uncompared)
            affected = Set(
                members.indices.filter { member in
                    isNewSetting || uncompared.contains(member) || found[member] != nil
                        || members[member].hash != "" && replaced.contains { isWithinReach($0, of: member) }
                })
            // If a file is lost, its partition must be compared too.
        } while try !readShared(within: affected)
        try add(found)
        try writeShared()
        return try corrections(of: affected)
    }

    /// The corrections of some log dates, computed from the partitions without any file.
    mutating func corrections(of dates: Set<LogDate>) throws -> [LogDate: DailyTables] {
        let wanted = Set(members.indices.filter { dates.contains(members[$0].logDate) })
        try add(try sharedEvents(of: wanted))
        return try corrections(of: wanted)
    }

    private func isWithinReach(_ date: LogDate, of member: Int) -> Bool {
        members[member].logDate.isWithin(settings.windowDays, of: date)
    }

    private func isWithinReach(_ a: Int, of b: Int) -> Bool { isWithinReach(members[a].logDate, of: b) }

    private func path(_ member: Int) -> String { partitions.path(members[member].index) }

    private func partition(_ member: Int) throws -> Partition {
        try partitions.partition(members[member].index)
    }

    // MARK: Which messages are shared

    private mutating func add(_ found: [Int: [Section: [EventBlock]]]) throws {
        let parts = found.keys.sorted()
        let added = try workers.map(parts.count) { [self] number in
            var shared = members[parts[number]].shared
            do throws(EventBlockError) {
                try shared.add(found[parts[number]] ?? [:])
            } catch {
                throw OutputError.damagedBlock(at: path(parts[number]), error: error)
            }
            return shared
        }
        for (part, shared) in zip(parts, added) { (members[part].shared, members[part].hash) = (shared, nil) }
    }

    /// By partition, the events of the messages that it shares with partitions within reach.
    private func sharedEvents(of uncompared: Set<Int>) throws -> [Int: [Section: [EventBlock]]] {
        guard !uncompared.isEmpty else { return [:] }
        let involved = members.indices.filter { member in
            uncompared.contains(member) || uncompared.contains { isWithinReach(member, of: $0) }
        }
        return try sharedEvents(involved, isCompared: involved.map(uncompared.contains))
    }

    /// Compares the ids of partitions. For each partition, returns the events of its shared messages, sorted by id.
    /// - Parameter isCompared: for each partition involved, whether it is to be compared. Two partitions are compared
    ///   if this is true of at least one of them.
    private func sharedEvents(
        _ involved: [Int], isCompared: [Bool]
    ) throws -> [Int: [Section: [EventBlock]]] {
        assert(involved.count == isCompared.count && zip(involved, involved.dropFirst()).allSatisfy { $0 < $1 })
        let all = try workers.map(involved.count) { number in
            try partition(involved[number]).blockEntries()
        }
        // Blocks whose range of ids overlaps no block of another partition are left out. If ids grow with the date, few
        // blocks remain.
        let entries = all.indices.map { part -> [Section: [BlockEntry]] in
            let others = all.indices.filter { other in
                other != part && (isCompared[part] || isCompared[other])
                    && isWithinReach(involved[part], of: involved[other])
            }
            var found = all[part]
            for (section, blocks) in all[part] {
                let lists = others.compactMap { all[$0][section] }
                found[section] = blocks.filter { block in lists.contains { $0.overlap(block) } }
            }
            return found
        }
        let ranges = ranges(entries)
        let found = try workers.map(ranges.count) { number in
            let range = ranges[number]
            var parts: [SharedMessageFinder.Part] = []
            var names: [Int: EventNames] = [:]
            for (part, member) in involved.enumerated() {
                try resources.check()
                guard let entries = entries[part][range.section]?.holding(range), !entries.isEmpty else { continue }
                let partition = try partition(member)
                names[part] = try partition.names()
                parts.append(
                    SharedMessageFinder.Part(
                        index: part, logDate: members[member].logDate, isCompared: isCompared[part],
                        blocks: try partition.blocks(entries)))
            }
            let finder: SharedMessageFinder
            do throws(SharedMessageFinder.DamagedBlock) {
                finder = try SharedMessageFinder(in: range, parts: parts, windowDays: settings.windowDays)
            } catch {
                throw OutputError.damagedBlock(at: path(involved[error.index]), error: error.error)
            }
            for (part, events) in finder.events where names[part]?.hold(events.span) != true {
                throw OutputError.contradictingBlock(at: path(involved[part]))
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
        let fitting = resources.memory / workers.count / SharedComparison.bytesPerEvent
        let even = workers.count == 1 ? events : events / (workers.count * 8)
        let most = min(fitting, even, SharedComparison.goodEvents)
        return SectionRange.cut(entries, events: max(most, resources.leastPiece))
    }

    /// The most memory per event, in bytes. Comparing ids needs the block, the id and its bits. Computing corrections
    /// needs the block, the event, its place and its changes.
    private static let bytesPerEvent = 128
    /// The best number of events per range. Such a range fits into the second-level CPU cache. Larger ranges are
    /// slower, and smaller ones cut more blocks.
    private static let goodEvents = 1 << 21

    // MARK: The files

    private func sharedPath(_ member: Int) -> String? {
        folder.map { "\($0)/\(members[member].logDate)\(OwnName.shared)" }
    }

    /// Reads the shared messages of all partitions within reach of some. Where a file is lost, the partition loses its
    /// hash, and the result is false.
    private mutating func readShared(within affected: Set<Int>) throws -> Bool {
        let needed = members.indices.filter { member in
            members[member].hash?.isEmpty == false && members[member].shared.isEmpty
                && affected.contains { isWithinReach($0, of: member) }
        }
        let read = workers.map(needed.count) { [self] number in readShared(needed[number]) }
        for (member, shared) in zip(needed, read) {
            if let shared { members[member].shared = shared } else { members[member].hash = nil }
        }
        return read.allSatisfy { $0 != nil }
    }

    /// Nil if there is no file with the expected hash.
    private func readShared(_ member: Int) -> SharedMessages? {
        // Whatever keeps the file from being read: then the ids are compared again.
        guard let hash = members[member].hash, let path = sharedPath(member), let bytes = try? WholeFile.readFile(path)
        else { return nil }
        return SharedMessages(bytes: bytes, hash: hash, version: members[member].shared.version)
    }

    /// Writes the files that changed. If that fails, or the command ends before push.db has their hashes, their ids are
    /// compared again.
    private mutating func writeShared() throws {
        let changed = members.indices.filter { members[$0].hash == nil }
        if let folder, !changed.isEmpty { _ = try? Folder.create(folder) }
        let hashes = workers.map(changed.count) { [self] number -> String? in
            let shared = members[changed[number]].shared
            guard !shared.isEmpty, let path = sharedPath(changed[number]) else { return "" }
            let bytes = shared.bytes
            guard (try? WholeFile.store(bytes, at: path, durably: false)) != nil else { return nil }
            return SharedMessages.hash(of: bytes)
        }
        for (member, hash) in zip(changed, hashes) { members[member].hash = hash }
    }

    // MARK: What they change

    private func corrections(of affected: Set<Int>) throws -> [LogDate: DailyTables] {
        let wanted = affected.filter { !members[$0].isOnlyForOthers }
        let involved = try members.indices.filter { member in
            !members[member].shared.isEmpty && wanted.contains { isWithinReach($0, of: member) }
        }.map { member in
            SharedCorrections.Member(
                path: path(member), logDate: members[member].logDate, names: try partition(member).names(),
                shared: members[member].shared)
        }
        let ranges = ranges(involved.map(\.shared.entries))
        let shared = SharedCorrections(of: involved, settings: settings)
        let tables = Mutex<[LogDate: DailyTables]>([:])
        _ = try workers.map(ranges.count) { number in
            try resources.check()
            let found = try shared.tables(ranges[number])
            tables.withLock { sums in
                for (member, found) in zip(involved, found) {
                    sums[member.logDate, default: DailyTables()].merge(found)
                }
            }
        }
        let sums = tables.withLock(\.self)
        return Dictionary(
            uniqueKeysWithValues: wanted.map { member in
                let logDate = members[member].logDate
                return (logDate, sums[logDate] ?? DailyTables())
            })
    }
}
