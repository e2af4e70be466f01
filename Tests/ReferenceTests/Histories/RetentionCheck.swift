import Foundation
import Reference
import Support

/// What must hold of old log dates after a command: none is closed too early or too late, and of those that are erased no id is
/// left.
struct RetentionCheck {
    let dates: [Day]
    let pipeline: Pipeline
    let loads: AcceptedLoads
    let inputs: HistoryInputs
    let command: LoadingCommand
    let outcome: LoadingOutcome
    let before: ClosedRecord?
    let after: ClosedRecord?
    /// Log dates whose last load was held back.
    let heldBack: Set<Day>
    /// Log dates that are to be passed.
    let passed: Set<Day>
    /// Log dates that push.db has shown, and that had no partition before the command, nor after it.
    let lost: Set<Day>

    /// Whether a log date must be seen to before it is closed.
    private enum Need { case no, maybe, yes }

    private func need(_ date: Day) -> Need {
        let files = inputs.files(date)
        if lost.contains(date) { return .yes }
        guard loads.isKnown(date), !inputs.unreadable.contains(date) else { return .maybe }
        guard let partition = loads.standing(date) else { return files.isEmpty ? .no : .yes }
        var former = partition.pipeline
        former.idDays = pipeline.idDays
        if heldBack.contains(date), !files.isEmpty { return .maybe }
        let isSame =
            files.map { [Bytes($0.path), $0.bytes] } == partition.files.map { [Bytes($0.path), $0.stored] }
        if isSame, former == pipeline { return .no }
        let lacksNone = partition.files.allSatisfy { file in files.contains { $0.path == file.path } }
        let hasNew = files.contains { file in
            let text = Unpacked(file.bytes).text
            return !text.isEmpty && partition.files.allSatisfy { $0.text != text }
        }
        return lacksNone && hasNew ? .yes : .maybe
    }

    /// Whether log dates were closed with a longer window, and none has settled yet. Then that window stays.
    private var isNarrowed: Bool {
        guard let before, before.through != nil, !command.settles else { return false }
        return before.settled.isEmpty && pipeline.windowDays < before.windowDays
    }

    /// As far as log dates must be closed, if any must be, and as far as they may be.
    private var limits: (least: Day?, most: Day)? {
        let today = if case .clock(let day) = command.circumstance { day } else { Day(number: .max) }
        let loaded = dates.filter { date in loads.loads(of: date).contains { $0.partition != nil } }
        guard let ids = pipeline.idDays, let newest = loaded.last(where: { $0 <= today }) else { return nil }
        let first = before?.through == nil ? loaded[0] : before?.first ?? loaded[0]
        let closed = max(before?.through ?? Day(number: .min), Day(number: first.number - 1))
        if isNarrowed { return (nil, closed) }
        let target = Day(number: newest.number - (ids - 2 * pipeline.windowDays))
        var (least, most) = (max(target, closed), max(target, closed))
        for date in dates where date > closed && date <= target && !passed.contains(date) {
            let (need, last) = (need(date), Day(number: date.number - 1))
            if need != .no { least = min(least, last) }
            if need == .yes { most = min(most, last) }
        }
        // Without a file of a source nobody knows what is missing.
        let areListed = pipeline.sources.allSatisfy { source in
            dates.contains { inputs.files($0).contains { $0.source == source.name } }
        }
        if !areListed { least = closed }
        if !command.settles {
            let mostAtOnce = Day(number: closed.number + 7)
            if least > mostAtOnce { most = closed }
            if most > mostAtOnce { least = closed }
            most = min(most, mostAtOnce)
        }
        least = min(least, most)
        return (least > closed ? least : nil, most)
    }

    /// - Parameter isCalm: whether nothing was in the way, so that all that may be closed is closed.
    func checkClosing(isCalm: Bool) throws {
        let found = after?.through
        if let former = before?.through, found ?? former < former {
            throw HistoryFault(
                .closing, "what was closed through \(former) is so through \(found!): \(outcome.summary)")
        }
        if let before, isNarrowed, after?.windowDays != before.windowDays {
            throw HistoryFault(.closing, "closed with a window of \(before.windowDays) days: \(outcome.summary)")
        }
        let open = passed.filter { !(after?.holds($0) ?? false) }
        if let after, !open.isSubset(of: after.passed) {
            throw HistoryFault(
                .closing, "\(open.sorted()) are to be passed, and not \(after.passed.sorted()): \(outcome.summary)")
        }
        guard let limits else {
            if found == before?.through { return }
            throw HistoryFault(.closing, "nothing is to be closed, and \(found!) is: \(outcome.summary)")
        }
        if let found, found > limits.most, found != before?.through {
            throw HistoryFault(.closing, "closed through \(found), and not \(limits.most): \(outcome.summary)")
        }
        if isCalm, let least = limits.least, found ?? Day(number: .min) < least {
            let text = found.map { "through \($0)" } ?? "nowhere"
            throw HistoryFault(.closing, "closed \(text), and not through \(least): \(outcome.summary)")
        }
    }

    /// - Parameter wandering: log dates whose ids others may have too.
    func checkErasure(_ folder: ScratchFolder, wandering: Set<Day>) throws {
        let output = folder.contentsOfAll("out")
        let left = output.keys.filter { path in
            let name = path.split(separator: "/").last ?? ""
            guard let after, let date = Day(String(name.prefix(10))) else { return false }
            // Under a narrower window nothing is erased, what is given up neither.
            return after.givenUp.contains(date) && !isNarrowed || after.isErased(date) && name != "\(date).sqlite"
        }
        if !left.isEmpty { throw HistoryFault(.ids, "\(left.sorted()) are left: \(outcome.summary)") }
        for date in dates where !wandering.contains(date) {
            let (ids, name) = (PlantedIDs(date), "partitions/\(date).sqlite")
            if after?.isErased(date) ?? false {
                let places = ids.places(in: output)
                if !places.isEmpty { throw HistoryFault(.ids, "ids of \(date) are in \(places): \(outcome.summary)") }
            } else if let partition = loads.standing(date),
                partition.events.contains(where: { $0.hit.broadlogID.text.hasSuffix(ids.hex) })
            {
                // Otherwise the search would prove nothing.
                if ids.places(in: [name: output[name] ?? Data()]).isEmpty {
                    throw HistoryFault(.ids, "ids of \(date) are not found: \(outcome.summary)")
                }
            }
        }
    }
}
