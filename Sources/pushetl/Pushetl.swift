import ArgumentParser
import LogFiles
import Pipelines

@main
struct Pushetl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushetl",
        abstract: "Turns push tracking logs into exact daily figures in SQLite.",
        discussion: """
            Each log date's files are read, every (broadlogId, action) is counted once, and the figures of all log \
            dates stand in OUTPUT/push.db, ready for Metabase, Superset, Grafana or Datasette.

            Exit codes: 0 done; 64 wrong usage; 65 faults in the data; 66 no input files; 70 an internal check \
            failed; 74 reading or writing failed; 75 another run or a reader holds the output; 78 the pipeline file \
            is wrong; 130, 143 stopped by SIGINT, SIGTERM.
            """,
        version: "\(programVersion) (\(LogFile.library))",
        subcommands: [
            RunCommand.self, BackfillCommand.self, StatusCommand.self, RejectsCommand.self, ExplainCommand.self,
            ValidateCommand.self,
        ])
}
