import Foundation
import Support
import Testing

private let slips = """
    version: 1
    sources:
      - name: adobe
        format: collector
        layout: '$remote_addr - - [$time_local] "$request" $status 0 "-" "$http_user_agent" $statsu'
        files: lgos/%Y-%m/*.log
        actions: {1: opn, 7: impression}

    """

private let warnings = """
    push.yaml:1:1: warning: no 'output', so push.db goes to '../warehouse'; name its folder here, or with --output
    push.yaml:5:13: warning: unknown variable '$statsu', did you mean '$status'?
    push.yaml:6:12: warning: the pattern 'lgos/%Y-%m/*.log' does not tell the day; write the date as '%Y-%m-%d', or as \
    '%Y' and '%j'
    push.yaml:6:12: warning: there is no folder 'lgos', did you mean 'logs'?
    push.yaml:7:18: warning: action name 'opn' does not count as 'open', did you mean 'open'?

    """

extension [Substring] {
    fileprivate var pair: (String, String)? { count == 2 ? (String(self[0]), String(self[1])) : nil }
}

@Suite(.needsPushetl)
struct SlipTests {
    @Test func everyLoadWarnsOfSlipsWithLineAndColumn() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: slips)
        let validated = try place.run("validate")
        #expect(validated.exit == 0)
        #expect(validated.stderr == warnings)
        #expect(validated.stdout == "push.yaml: valid, 1 source\n")
        let range = ["--from", "2026-11-19", "--to", "2026-11-19", "--output", "out"]
        let (_, others) = try #require(warnings.split(separator: "\n", maxSplits: 1).pair)
        for arguments in [
            ["run", "--date", "2026-11-19", "--output", "out"], ["backfill"] + range,
            ["backfill", "--dry-run"] + range,
        ] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 66)
            // There is no warning about a missing output, because the command gives one.
            #expect(outcome.stderr.hasPrefix(others + "error: "), "\(arguments)")
        }
        #expect(try place.run("validate", "--output", "out").stderr == others)
        // Commands that load nothing do not warn.
        #expect(try place.run("status", "--output", "out").stderr.contains("5:13") == false)
    }

    @Test func aPatternThatLacksOnlyTheYearIsTheConcernOfValidateAlone() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7")], pipeline: Workplace.onePipeline.replacing("%Y-%m-%d", with: "2026-%m-%d"))
        #expect(try place.run("validate").stderr.contains("does not tell the year"))
        #expect(try place.run("run", "--date", "2026-11-19").stderr == "")
    }

    @Test func aMisspeltVariableWithoutTheCorrectOneEndsWith78() throws {
        let pipeline = slips.replacing("$status 0", with: "200 0")
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
        for arguments in [["run", "--date", "2026-11-19"], ["validate"]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 78)
            #expect(outcome.stderr.contains("push.yaml:5:13: unknown variable '$statsu', did you mean '$status'?\n"))
            // The other slips are reported too.
            #expect(outcome.stderr.contains("push.yaml:7:18: warning: action name 'opn'"))
        }
    }

    @Test func aWarningDoesNotStopALoad() throws {
        let pipeline = Workplace.onePipeline + "    actions: {7: impresion}\n"
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr
                == "push.yaml:7:18: warning: action name 'impresion' does not count as 'impression', did you mean "
                + "'impression'?\n")
        #expect(try place.rows("SELECT action, events FROM daily_actions") == ["impresion|1"])
    }
}
