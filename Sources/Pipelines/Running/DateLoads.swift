import Calendar
import Configuration
import Foundation
import Warehouse

/// Loads several log dates in parallel, within the threads and the memory of one.
struct DateLoads: Sendable {
    let pipeline: Pipeline
    let output: OutputFolder
    let resources: RunResources

    /// The reports, in the order of `dates`. A log date that fails does not stop the others; the stop flag does. Dates that
    /// were not begun then have no report.
    func run(
        _ dates: [LogDate], _ found: FoundInputs, _ states: [LogDate: LogDateState]
    ) -> [LogDateReport] {
        let atOnce = max(1, min(resources.jobs, dates.count))
        var share = resources
        share.jobs = max(1, resources.jobs / atOnce)
        share.memory = resources.memory / atOnce
        let bytes = dates.flatMap { found.files(on: $0) }.reduce(0) { $0 + $1.found.bytes }
        resources.progress.expect(bytes, logDates: dates.count)
        resources.progress.enter(.reading)
        let reports = Slots<LogDateReport>(dates.count)
        Fanout.run(jobs: atOnce, pieces: dates.count) { [share] index in
            guard !share.stop.isRaised else { return }
            let started = Date()
            var report = load(dates[index], found, share)
            (report.started, report.finished) = (started, Date())
            report.stateBefore = states[dates[index]]
            reports.put(report, at: index)
        }
        return reports.take().compactMap { $0 }
    }

    private func load(_ date: LogDate, _ found: FoundInputs, _ resources: RunResources) -> LogDateReport {
        if let failure = found.failure(on: date) { return LogDateReport(date: date, verdict: .failed(failure)) }
        let plan = LogDatePlan(pipeline, date: date, files: found.files(on: date))
        return LogDateLoad(plan: plan, output: output, resources: resources).run()
    }
}
