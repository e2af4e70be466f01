import ArgumentParser
import Foundation
import Messages
import Output
import Partitions
import Pipelines
import Reports

struct DoctorCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check push.db as a BI tool would meet it, and against the partitions.",
        discussion: """
            Prints one line per check: ok, fault, skipped, or note, a fact that is no fault. The lines \
            below a fault say what is wrong. Exits 65 if there is a fault. Reads all partitions and computes all figures \
            again, which takes about as long as publishing them. Writes nothing but a note that there is a fault, so that \
            the next run or backfill rebuilds push.db, or that a partition is damaged, so that 'status' shows it and a \
            backfill loads its log date again.

            With --output and without --pipeline, it takes the settings that push.db was published with.

              pushetl doctor
              pushetl doctor --output /srv/push
              pushetl doctor --json
            """)

    @OptionGroup var work: WorkOptions
    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = try options.readPipelineIfNeeded()
        output.paths = options.shownPaths(of: pipeline)
        let resources = RunResources(
            jobs: work.threads.jobs, memory: work.memory.bytes, wait: work.patience.wait,
            progress: printing.progress(), stop: output.stopping.flag)
        let folder = try options.output(of: pipeline)
        let database = resources.database(of: folder)
        let doctor = Doctor(database, paths: output.paths)
        do {
            var found = OutputAudit()
            let checks = try doctor.checks {
                found = try database.audit(pipeline, resources: resources)
                return found
            }
            let result = DoctorResult(checks, output: output.paths.opening(database.path))
            if result.faulty > 0 {
                let isNoted = !doctor.mustNote(checks) || database.suspect()
                if !database.note(found) || !isNoted {
                    output.warn(
                        Message(
                            .notNoted,
                            text: """
                                \(path: folder.cachePath): the fault could not be noted here, so the next 'run' or 'backfill' may \
                                not see it; give 'doctor' the rights to write there, or remove that folder
                                """))
                }
                output.end(.badData)
                let found = "\(Text.plural(result.faulty, of: "check")) of \(checks.count) found faults"
                output.fail(Message(.faults, text: "\(path: database.path): \(found)"))
            }
            return result
        } catch let error as OutputError where error.kind == .replaced {
            output.end(.busy)
            output.fail(
                .at(database.path, code: .replaced, text: "a command wrote it while it was being checked; run again"))
        }
        return nil
    }
}

/// The result of `doctor`: a line for each check, with its faults and their remedies below.
struct DoctorResult: CommandResult {
    let output: String
    let checks: [DoctorCheck]
    /// The number of checks with a fault.
    let faulty: Int

    init(_ checks: [DoctorCheck], output: String) {
        self.output = output
        self.checks = checks
        faulty = checks.count { $0.status == .fault }
    }

    var text: String {
        let width = checks.map(\.name.rawValue.count).max() ?? 0
        var lines = [output.shown, ""]
        for check in checks {
            let name = Text.column(check.name.rawValue, width: width)
            lines.append("  \(Text.column(check.status.rawValue, width: 8))\(name)  \(check.detail)")
            lines += check.faults.map { "    \($0)" }
        }
        lines += [
            "", faulty == 0 ? "no faults" : "\(Text.plural(faulty, of: "check")) of \(checks.count) found faults",
        ]
        return lines.joined(separator: "\n")
    }
}
