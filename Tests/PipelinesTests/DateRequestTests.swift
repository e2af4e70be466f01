import Calendar
import Messages
import Testing

@testable import Pipelines

@Suite struct DateRequestTests {
    private static let date = LogDate(dayNumber: 20_000)

    private func state(
        _ partition: LogDateState.PartitionState, _ reasons: [LogDateState.Reason] = [], files: Int = 1
    ) -> LogDateState {
        var state = LogDateState(date: Self.date)
        state.partition = partition
        state.reasons = reasons
        state.isShrunk = reasons.contains(Self.gone)
        state.files = files
        return state
    }

    private static let new = LogDateState.Reason.newFile(path: "a")
    private static let gone = LogDateState.Reason.goneFile(path: "b")

    @Test(
        arguments: [
            (.missing, [], "default missing all"), (.damaged, [], "default missing damaged all"),
            (.partial, [], "default partial all"), (.complete, [], "all"), (.complete, [new], "default stale all"),
            (.partial, [new], "default partial stale all"), (.complete, [.changedPipeline], "default stale all"),
            (.complete, [.unreadableFile(path: "a", code: 13)], "default stale all"),
            (.complete, [gone], "shrunk all"), (.partial, [gone], "shrunk all"),
            (.complete, [new, gone, .changedPipeline], "shrunk all"),
        ] as [(LogDateState.PartitionState, [LogDateState.Reason], String)])
    func theSelectionDecidesWhatIsLoaded(
        partition: LogDateState.PartitionState, reasons: [LogDateState.Reason], selections: String
    ) {
        let wanted = selections.split(separator: " ")
        for only in [nil] + DateRequest.Only.allCases.map(Optional.some) {
            let request = DateRequest(from: Self.date, to: Self.date, only: only)
            let isWanted = wanted.contains { $0 == only?.rawValue ?? "default" }
            #expect(request.wants(state(partition, reasons)) == isWanted, "\(partition) \(reasons) \(selections)")
            #expect(!request.wants(state(partition, reasons, files: 0)))
        }
        #expect(DateRequest(Self.date).wants(state(partition, reasons)))
        #expect(DateRequest(Self.date).wants(state(partition, reasons, files: 0)))
    }

    @Test(arguments: [LogDateState.PartitionState.missing, .partial, .complete, .damaged])
    func aHeldBackDateIsReadAgainAfterAChange(partition: LogDateState.PartitionState) {
        var held = state(partition)
        held.held = .tooManyRejects(rejected: 6, records: 100, limit: 0.05)
        var changed = state(partition, [Self.new])
        changed.held = held.held
        var unreadable = held
        unreadable.held = .unreadableFile(path: "a", code: 5)
        for only in [nil, DateRequest.Only.held, .all] {
            let request = DateRequest(from: Self.date, to: Self.date, only: only)
            #expect(!request.wants(held) && request.isHeldBack(held))
            #expect(request.wants(changed) && !request.isHeldBack(changed))
            #expect(request.wants(unreadable))
            var forced = request
            forced.isForced = true
            #expect(forced.wants(held))
        }
        #expect(DateRequest(Self.date).wants(held))
        var shrunk = held
        shrunk.isShrunk = true
        #expect(!DateRequest(from: Self.date, to: Self.date).wants(shrunk))
    }

    @Test func aDateWhoseFilesCannotBeListedIsSelected() {
        var unknown = state(.complete, files: 0)
        unknown.searchFailure = Fault(.unreadableFolder, text: "logs: the folder cannot be searched")
        for only in [nil] + DateRequest.Only.allCases.map(Optional.some) {
            #expect(DateRequest(from: Self.date, to: Self.date, only: only).wants(unknown))
        }
    }

    @Test func theHistoryHasTheCommand() {
        var request = DateRequest(Self.date, catchUp: 2)
        #expect(request.command == "run --date \(Self.date) --catch-up 2")
        request.isForced = true
        #expect(request.command == "run --date \(Self.date) --catch-up 2 --force")
        request.retention.isSettling = true
        #expect(request.command == "run --date \(Self.date) --catch-up 2 --force --settle")
        request = DateRequest(from: Self.date, to: Self.date, only: .held)
        request.isForced = true
        #expect(request.command == "backfill --from \(Self.date) --to \(Self.date) --only held --force")
    }
}
