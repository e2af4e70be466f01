import Foundation
import Support
import Testing

@testable import Configuration
@testable import pushetl

@Suite struct PipelineFileErrorTests {
    // MARK: The file as a whole

    @Test(
        arguments: [
            ("", ["push.yaml:1:1: the file is empty; it needs 'version' and 'sources'"]),
            ("# nothing\n", ["push.yaml:1:1: the file is empty; it needs 'version' and 'sources'"]),
            ("text", ["push.yaml:1:1: a pipeline file must be a mapping, not the text 'text'"]),
            ("- 1", ["push.yaml:1:1: a pipeline file must be a mapping, not a list"]),
            ("{}", ["push.yaml:1:1: missing key 'version'", "push.yaml:1:1: missing key 'sources'"]),
            ("version: 1", ["push.yaml:1:1: missing key 'sources'"]),
            ("version: 1\nsources: []", ["push.yaml:2:10: 'sources' must not be empty"]),
            ("version: 1\nsources:", ["push.yaml:2:9: 'sources' must be a list, not empty"]),
            ("version: 1\nsources: {a: b}", ["push.yaml:2:10: 'sources' must be a list, not a mapping"]),
            ("version: 1\nsources: [x]", ["push.yaml:2:11: a source must be a mapping, not the text 'x'"]),
            (
                "version: 1\n---\nversion: 1",
                [
                    "push.yaml:2:1: not valid YAML: expected a single document in the stream, but found another document"
                ]
            ),
            (
                "version: 1\nsources: [a\n",
                [
                    "push.yaml:3:1: not valid YAML: while parsing a flow sequence, did not find expected ',' or ']'"
                ]
            ),
            (
                "version: 1\n\tsources: x",
                [
                    "push.yaml:2:1: not valid YAML: while scanning a plain scalar, found a tab character that violates indentation"
                ]
            ),
            ("version: 1\nsources: *none", ["push.yaml:2:10: not valid YAML: found undefined alias"]),
            ("version: 1\nsour\u{1}ces: x", ["push.yaml:2:5: not valid YAML: control characters are not allowed"]),
            (
                "version: 1\n? [a, b]\n: c\nsources: 1",
                [
                    "push.yaml:2:3: a key must be text, not a list",
                    "push.yaml:4:10: 'sources' must be a list, not the number '1'",
                ]
            ),
        ] as [(String, [String])])
    func aFileThatIsNoPipelineIsExplained(text: String, lines: [String]) throws {
        #expect(try problems(text) == lines)
    }

    private static let advice = "name another with --pipeline or PUSHETL_PIPELINE"

    @Test func aMissingFileIsReported() throws {
        let error = try #require(throws: PipelineFileError.self) { try PipelineFile.read("no/such/push.yaml") }
        #expect(
            error.problems.map(\.text) == [
                "no/such/push.yaml:1:1: cannot read the file: No such file or directory; " + Self.advice
            ])
    }

    @Test func aFolderIsNoPipelineFile() throws {
        let folder = try ScratchFolder()
        let error = try #require(throws: PipelineFileError.self) { try PipelineFile.read(folder.root) }
        #expect(
            error.problems.map(\.text) == [
                "\(folder.root):1:1: cannot read the file: Is a directory; " + Self.advice
            ])
    }

    @Test func bytesThatAreNotUTF8AreReported() throws {
        #expect(
            try problems(bytes: Array("version: 1 # ".utf8) + [0xff]) == [
                "push.yaml:1:1: the file is not UTF-8 text"
            ])
    }

    @Test func aDuplicateKeyThatBeginsWithAnUnderscoreIsReportedInOrder() throws {
        #expect(
            try problems("version: 1\nsources: [{}]\n_x: 1\n_x: 2\nfoo: 3").filter { !$0.contains("missing") } == [
                "push.yaml:3:1: unknown key '_x'", "push.yaml:4:1: duplicate key '_x', first in line 3",
                "push.yaml:5:1: unknown key 'foo'",
            ])
    }

    // MARK: Keys and values of the file

    @Test(
        arguments: [
            ("version: 2", "1:10: 'version' must be 1, not 2"),
            ("version: 99999999999999999999", "1:10: 'version' must be 1, not 99999999999999999999"),
            ("version: '1'", "1:10: 'version' must be a whole number in decimal digits, not the text '1'"),
            ("version: 1.0", "1:10: 'version' must be a whole number in decimal digits, not the number '1.0'"),
            ("version: [1]", "1:10: 'version' must be a whole number in decimal digits, not a list"),
            ("version: 1\ntimezon: UTC", "2:1: unknown key 'timezon', did you mean 'timezone'?"),
            ("version: 1\nfoo: UTC", "2:1: unknown key 'foo'"),
            ("version: 1\n'foo ': UTC", "2:1: unknown key 'foo '"),
            ("version: 1\n<<: {}", "2:1: unknown key '<<'"),
            ("version: 1\ntimezone: 1", "2:11: 'timezone' must be text, not the number '1'; put it in quotes"),
            ("version: 1\ntimezone: ''", "2:11: 'timezone' must not be empty"),
            (
                "version: 1\ntimezone: Europe/Madird",
                "2:11: unknown time zone 'Europe/Madird', did you mean 'Europe/Madrid'?"
            ),
            (
                "version: 1\ntimezone: europe/madrid",
                "2:11: unknown time zone 'europe/madrid', did you mean 'Europe/Madrid'?"
            ),
            ("version: 1\ntimezone: madrid", "2:11: unknown time zone 'madrid', did you mean 'Europe/Madrid'?"),
            ("version: 1\ntimezone: New York", "2:11: unknown time zone 'New York', did you mean 'America/New_York'?"),
            ("version: 1\ntimezone: utc", "2:11: unknown time zone 'utc', did you mean 'UTC'?"),
            (
                "version: 1\ntimezone: xyzzyx-zone",
                "2:11: unknown time zone 'xyzzyx-zone', expected an IANA name such as 'Europe/Madrid'; if it is one, install the "
                    + "newest 'tzdata', or 'tzdata-legacy' for former names"
            ),
            (
                "version: 1\ntimezone: GMT+0200",
                "2:11: unknown time zone 'GMT+0200', expected an IANA name such as 'Europe/Madrid'; if it is one, install the "
                    + "newest 'tzdata', or 'tzdata-legacy' for former names"
            ),
            ("version: 1\noutput: true", "2:9: 'output' must be text, not the truth value 'true'; put it in quotes"),
            ("version: 1\noutput:", "2:8: 'output' must be text, not empty"),
            ("version: 1\noutput: '  '", "2:9: 'output' must not be empty"),
            ("version: 1\noutput: \"a\\nb\"", "2:9: 'output' must not hold line breaks or other control characters"),
            ("version: 1\ndedup: 30", "2:8: 'dedup' must be a mapping, not the number '30'"),
            ("version: 1\ndedup: {window_day: 30}", "2:9: unknown key 'window_day', did you mean 'window_days'?"),
            (
                "version: 1\ndedup: {window_days: thirty}",
                "2:22: 'window_days' must be a whole number in decimal digits, not the text 'thirty'"
            ),
            (
                "version: 1\ndedup: {window_days: 3.5}",
                "2:22: 'window_days' must be a whole number in decimal digits, not the number '3.5'"
            ),
            ("version: 1\ndedup: {window_days: -1}", "2:22: 'window_days' must be from 0 to 3650, not -1"),
            (
                "version: 1\ndedup: {window_days: 0x1e}",
                "2:22: 'window_days' must be a whole number in decimal digits, not the number '0x1e'"
            ),
            ("version: 1\ndedup: {window_days: 3651}", "2:22: 'window_days' must be from 0 to 3650, not 3651"),
            (
                "version: 1\ndedup: {window_days: 99999999999999999999}",
                "2:22: 'window_days' must be from 0 to 3650, not 99999999999999999999"
            ),
            (
                "version: 1\nlimits: {reject_ratio: 5%}",
                "2:24: 'reject_ratio' must be a number in decimal digits, not the text '5%'"
            ),
            ("version: 1\nlimits: {reject_ratio: 1.01}", "2:24: 'reject_ratio' must be from 0 to 1, not 1.01"),
            ("version: 1\nlimits: {reject_ratio: -0.1}", "2:24: 'reject_ratio' must be from 0 to 1, not -0.1"),
            (
                "version: 1\nlimits: {reject_ratio: .nan}",
                "2:24: 'reject_ratio' must be a number in decimal digits, not the number '.nan'"
            ),
            ("version: 1\nlimits: {volume: wran}", "2:18: unknown value of 'volume' 'wran', did you mean 'warn'?"),
            (
                "version: 1\nlimits: {volume: 5}",
                "2:18: 'volume' must be text, not the number '5'; put it in quotes"
            ),
            (
                "version: 1\nlimits: {volume: no}",
                "2:18: unknown value of 'volume' 'no', expected 'off', 'warn' or 'hold'"
            ),
            (
                "version: 1\nlimits: {volume: stop}",
                "2:18: unknown value of 'volume' 'stop', expected 'off', 'warn' or 'hold'"
            ),
            ("version: 1\nlimits: {volum: warn}", "2:10: unknown key 'volum', did you mean 'volume'?"),
            (
                "version: 1\nlimits: {damaged_files: skipp}",
                "2:25: unknown value of 'damaged_files' 'skipp', did you mean 'skip'?"
            ),
            (
                "version: 1\nlimits: {damaged_files: ignore}",
                "2:25: unknown value of 'damaged_files' 'ignore', expected 'skip' or 'fail'"
            ),
        ] as [(String, String)])
    func aFaultOfTheFileHasItsLineAndColumn(head: String, line: String) throws {
        let text = head + "\nsources: [{name: a, format: collector, files: x}]\n"
        #expect(try problems(text) == ["push.yaml:" + line])
    }

    // MARK: Keys and values of a source

    @Test(
        arguments: [
            ("{format: mzip, files: x}", ["3:5: missing key 'name' in source 1"]),
            ("{name: a}", ["3:5: missing key 'format' in source 'a'", "3:5: missing key 'files' in source 'a'"]),
            ("{name: a, format: users_track, files: x}", ["3:5: missing key 'actions' in source 'a'"]),
            ("{name: 7, format: mzip, files: x}", ["3:12: 'name' must be text, not the number '7'; put it in quotes"]),
            ("{name: a, format: colector, files: x}", ["3:23: unknown format 'colector', did you mean 'collector'?"]),
            (
                "{name: a, format: csv, files: x}",
                ["3:23: unknown format 'csv', expected 'collector', 'mzip' or 'users_track'"]
            ),
            (
                "{name: a, format: collector, files: x, dialct: campaign_classic}",
                ["3:44: unknown key 'dialct', did you mean 'dialect'?"]
            ),
            (
                "{name: a, format: collector, files: x, dialect: campaign-classic}",
                ["3:53: unknown dialect 'campaign-classic', did you mean 'campaign_classic'?"]
            ),
            (
                "{name: a, format: collector, files: x, require_mcid: maybe}",
                ["3:58: 'require_mcid' must be true or false, not the text 'maybe'"]
            ),
            (
                "{name: a, format: mzip, files: x, required: 1}",
                ["3:49: 'required' must be true or false, not the number '1'"]
            ),
            (
                "{name: a, format: mzip, files: x, platform: andriod}",
                ["3:49: unknown platform 'andriod', did you mean 'android'?"]
            ),
            (
                "{name: a, format: mzip, files: x, platform: tv}",
                ["3:49: unknown platform 'tv', expected 'android', 'ios' or 'web'"]
            ),
            ("{name: a, format: mzip, files: x, id_space: ''}", ["3:49: 'id_space' must not be empty"]),
            (
                "{name: a, format: mzip, files: x, dialect: campaign_classic, require_mcid: true}",
                [
                    "3:39: 'dialect' does not belong to the format 'mzip'",
                    "3:66: 'require_mcid' does not belong to the format 'mzip'",
                ]
            ),
            (
                "{name: a, format: collector, files: x, fields: {time: t}, platform: ios, path: /x}",
                [
                    "3:44: 'fields' does not belong to the format 'collector'",
                    "3:63: 'platform' does not belong to the format 'collector'",
                    "3:78: 'path' does not belong to the format 'collector'",
                ]
            ),
            (
                "{name: a, format: mzip, files: x, path: /x}",
                ["3:39: 'path' does not belong to the layout 'body', which has no request"]
            ),
            (
                "{name: a, format: collector, layout: w3c, files: x, timezone: Europe/Madrid}",
                ["3:57: 'timezone' does not belong to the layout 'w3c', whose times are in UTC"]
            ),
            (
                "{name: a, format: collector, layout: cloudfront, files: x, timezone: UTC}",
                ["3:64: 'timezone' does not belong to the layout 'cloudfront', whose times are in UTC"]
            ),
            (
                "{name: a, format: collector, files: x, timezone: Europe/Madird}",
                ["3:54: unknown time zone 'Europe/Madird', did you mean 'Europe/Madrid'?"]
            ),
            ("{name: a, format: mzip, files: x, fields: {tim: t}}", ["3:48: unknown key 'tim', did you mean 'time'?"]),
            (
                "{name: a, format: mzip, files: x, fields: {time: a..b}}",
                ["3:54: 'time' must be names with dots between them, not 'a..b'"]
            ),
            ("{name: a, format: mzip, files: x, fields: {time: [a]}}", ["3:54: 'time' must be text, not a list"]),
            ("{name: a, format: mzip, files: x, actions: {}}", ["3:48: 'actions' must not be empty"]),
            ("{name: a, format: mzip, files: x, actions: [1]}", ["3:48: 'actions' must be a mapping, not a list"]),
            (
                "{name: a, format: mzip, files: x, actions: {1: Arrival}}",
                ["3:52: action name 'Arrival' must begin with a-z and hold only a-z, 0-9 and '_'"]
            ),
            (
                "{name: a, format: mzip, files: x, actions: {1: 1st}}",
                ["3:52: action name '1st' must begin with a-z and hold only a-z, 0-9 and '_'"]
            ),
            (
                "{name: a, format: mzip, files: x, actions: {1: yes}}",
                ["3:52: '1' must be text, not the truth value 'yes'; put it in quotes"]
            ),
            (
                "{name: a, format: mzip, files: x, actions: {1: a, '1': b}}",
                ["3:55: duplicate key '1', first in line 3"]
            ),
            (
                "{name: a, format: collector, files: x, actions: {12: open, a: click}}",
                [
                    "3:54: a collector's action code must be one decimal digit, not '12'",
                    "3:64: a collector's action code must be one decimal digit, not 'a'",
                ]
            ),
            ("{name: a, format: mzip, files: ''}", ["3:36: 'files' must not be empty"]),
            ("{name: a, format: mzip, files: {x: y}}", ["3:36: 'files' must be text, not a mapping"]),
            ("{name: a, format: mzip, files: [x, [y]]}", ["3:40: 'files' must be text, not a list"]),
            ("{name: a, format: mzip, files: []}", ["3:36: 'files' must not be empty"]),
            (
                "{name: a, format: mzip, files: [x-%Y-%m-%d, '[9-0]']}",
                ["3:49: the range '9-0' in 'files' runs backwards"]
            ),
            (
                "{name: a, format: collector, layout: alb, layout_fields: {time: ts}, files: x}",
                ["3:47: 'layout_fields' belongs to the layouts json, gcp_lb and caddy, not to 'alb'"]
            ),
            (
                "{name: a, format: collector, layout: json, layout_fields: {tine: ts}, files: x}",
                ["3:64: unknown key 'tine', did you mean 'time'?"]
            ),
            (
                "{name: a, format: collector, layout: json, layout_fields: {date: d}, files: x}",
                ["3:64: 'date' needs a 'time' beside it in 'layout_fields'"]
            ),
            (
                "{name: a, format: mzip, files: a/%H}",
                ["3:36: unknown placeholder '%H' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'"]
            ),
            (
                "{name: a, format: mzip, files: a%}",
                ["3:36: a '%' with nothing after it in 'files'; write '%%' for a percent sign"]
            ),
            (
                "{name: a, format: mzip, files: 'x/a[b'}",
                ["3:36: a '[' without ']' in 'files', in 'a[b'; write '[[]' for a bracket"]
            ),
            (
                "{name: a, format: mzip, files: 's3a://logs/%Y/%j/**/a.gz'}",
                ["3:36: '**' cannot be used in a URI; write '*' for each folder"]
            ),
            (
                "{name: a, format: mzip, files: 'hdfs://namenode'}",
                ["3:36: 'files' names a folder; add the names of the files in it, such as '*.gz'"]
            ),
            ("{name: a, format: mzip, files: '[9-0]'}", ["3:36: the range '9-0' in 'files' runs backwards"]),
            (
                "{name: a, format: mzip, files: x/}",
                ["3:36: 'files' names a folder; add the names of the files in it, such as '*.gz'"]
            ),
        ] as [(String, [String])])
    func aFaultOfASourceHasItsLineAndColumn(source: String, lines: [String]) throws {
        #expect(try problems("version: 1\nsources:\n  - \(source)\n") == lines.map { "push.yaml:" + $0 })
    }

    @Test(
        arguments: [
            ("collector", "combind", "unknown layout 'combind', did you mean 'combined'?"),
            (
                "collector", "xml",
                "unknown layout 'xml', expected 'combined', 'w3c', 'cloudfront', 'alb', 'json', 'gcp_lb', 'caddy', 'body', "
                    + "a log_format with '$' variables or a LogFormat with '%' directives"
            ),
            ("collector", "body", "the layout 'body' does not belong to the format 'collector'"),
            (
                "collector", "$time_local $status",
                "a collector's layout needs '$request', or '$request_method' and '$request_uri'"
            ),
            (
                "collector", "$time_local $request_uri",
                "a collector's layout needs '$request', or '$request_method' and '$request_uri'"
            ),
            ("collector", "%t %>s", "a collector's layout needs '%r', or '%m' and '%U%q'"),
            ("collector", "%t %m %U", "a collector's layout needs '%r', or '%m' and '%U%q'"),
            ("collector", "%r %>s", "a collector's layout needs '%t', or '%{…}t' with date and time"),
            (
                "collector", "%{%H:%M:%S}t %r",
                "the '%{…}t' of the layout do not give the date and the time to the second; add what is missing, or write "
                    + "'%t'"
            ),
            (
                "collector", "%{%Q}t %r",
                "'%{%Q}t' has a conversion that pushetl does not know; write date and time as '%{%Y-%m-%dT%H:%M:%S%z}t'"
            ),
            (
                "collector", "%h%r %t",
                "nothing stands between '%h' and '%r' in the layout, so the end of the first one cannot be found"
            ),
            (
                "collector", "%t %r %",
                "a '%' without a directive of Apache at byte 6 of '%t %r %'; write '%%' for a percent sign"
            ),
            (
                "mzip", "%t %r",
                "the layout '%t %r' has no '$request_body', which the format 'mzip' takes its payload from"
            ),
            ("collector", "$status $request", "a collector's layout needs '$time_local', '$time_iso8601' or '$msec'"),
            (
                "mzip", "combined",
                "the layout 'combined' has no '$request_body', which the format 'mzip' takes its payload from"
            ),
            (
                "users_track", "$msec $request",
                "the layout '$msec $request' has no '$request_body', which the format 'users_track' takes its payload from"
            ),
            (
                "collector", "$time_local $request$status",
                "nothing stands between '$request' and '$status' in the layout, so the end of the first one cannot be found"
            ),
            (
                "collector", "$time_local $request $ x",
                "a '$' without a variable's name at byte 21 of '$time_local $request $ x'"
            ),
        ] as [(String, String, String)])
    func anUnusableLayoutIsExplained(format: String, layout: String, sentence: String) throws {
        let text = """
            version: 1
            sources:
              - name: a
                format: \(format)
                layout: '\(layout)'
                files: x
                actions: {1: open}
            """
        #expect(try problems(text) == ["push.yaml:5:13: " + sentence])
    }

    @Test(
        arguments: [
            ("collector", "$msec $request_method $request_uri"), ("collector", "[${time_iso8601}] \"${request}\""),
            ("collector", "json"), ("collector", "w3c"), ("collector", "cloudfront"), ("collector", "alb"),
            ("collector", "gcp_lb"), ("collector", "caddy"), ("mzip", "caddy"), ("collector", "%t %r"),
            ("collector", "%{sec}t %m %U%q"), ("collector", #"%h %t \"%r\" %>s %b \"%{User-agent}i\""#),
            ("collector", "%{%d/%b/%Y:%H:%M:%S}t.%{msec_frac}t %{%z}t %m %U %q"), ("mzip", "json"),
            ("mzip", "$request_body"),
            ("users_track", "$foo \"$request_body\""),
            ("users_track", "body"),
        ] as [(String, String)])
    func aUsableLayoutIsAccepted(format: String, layout: String) throws {
        let text = """
            version: 1
            sources:
              - {name: a, format: \(format), layout: '\(layout)', files: x, actions: {1: open}}
            """
        #expect(try problems(text) == [])
    }

    // MARK: Numbers

    @Test(
        arguments: [
            ("30", nil), ("+5", nil), ("0", nil), ("!!int '7'", nil), ("3651", "from 0 to 3650, not 3651"),
            ("-1", "from 0 to 3650, not -1"), ("99999999999999999999", "from 0 to 3650, not 99999999999999999999"),
            ("0x1F", "the number '0x1F'"), ("0o17", "the number '0o17'"), ("017", "the number '017'"),
            ("0b11", "the number '0b11'"), ("1_000", "the number '1_000'"), ("1:30", "the number '1:30'"),
            ("1e3", "the number '1e3'"), ("5.0", "the number '5.0'"), ("'30'", "the text '30'"), ("~", "empty"),
            ("yes", "the truth value 'yes'"), (".inf", "the number '.inf'"),
        ] as [(String, String?)])
    func aWholeNumberHasDecimalDigits(text: String, found: String?) throws {
        let prefix = "push.yaml:2:22: 'window_days' must be "
        let expected = found.map { found in
            found.hasPrefix("from") ? prefix + found : prefix + "a whole number in decimal digits, not " + found
        }
        let all = "version: 1\ndedup: {window_days: \(text)}\nsources: [{name: a, format: collector, files: x}]"
        #expect(try problems(all) == (expected.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            ("0.05", nil), (".5", nil), ("1", nil), ("5e-2", nil), ("1.0", nil), ("1e1", "from 0 to 1, not 1e1"),
            ("0x1", "the number '0x1'"), ("'0.5'", "the text '0.5'"), (".nan", "the number '.nan'"),
            ("5%", "the text '5%'"),
            ("0:30.5", "the number '0:30.5'"), ("no", "the truth value 'no'"),
        ] as [(String, String?)])
    func aNumberHasDecimalDigits(text: String, found: String?) throws {
        let prefix = "push.yaml:2:24: 'reject_ratio' must be "
        let expected = found.map { found in
            found.hasPrefix("from") ? prefix + found : prefix + "a number in decimal digits, not " + found
        }
        let all = "version: 1\nlimits: {reject_ratio: \(text)}\nsources: [{name: a, format: collector, files: x}]"
        #expect(try problems(all) == (expected.map { [$0] } ?? []))
    }

    // MARK: All at once

    @Test func allProblemsAreReportedInTheOrderOfTheFile() throws {
        let text = """
            version: 3
            timezone: Europe/Madird
            limits:
              reject_ratio: 2
            sources:
              - name: adobe
                format: collector
                name: adobe2
                dialct: campaign_classic
                files: a/%H
              - name: adobe
                format: mzip
                files: b
                "files": c
                actions: {1: Arrival, 1: open}
            output: x
            output: y
            """
        #expect(
            try problems(text) == [
                "push.yaml:1:10: 'version' must be 1, not 3",
                "push.yaml:2:11: unknown time zone 'Europe/Madird', did you mean 'Europe/Madrid'?",
                "push.yaml:4:17: 'reject_ratio' must be from 0 to 1, not 2",
                "push.yaml:8:5: duplicate key 'name', first in line 6",
                "push.yaml:9:5: unknown key 'dialct', did you mean 'dialect'?",
                "push.yaml:10:12: unknown placeholder '%H' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'",
                "push.yaml:11:11: duplicate source name 'adobe', first in line 6",
                "push.yaml:14:5: duplicate key 'files', first in line 13",
                "push.yaml:15:18: action name 'Arrival' must begin with a-z and hold only a-z, 0-9 and '_'",
                "push.yaml:15:27: duplicate key '1', first in line 15",
                "push.yaml:17:1: duplicate key 'output', first in line 16",
            ])
    }

    @Test func columnsAreCountedInCharacters() throws {
        let text = "version: 1\nsources: [{name: 'añ陌', format: collector, files: x, fo: 1}]"
        #expect(try problems(text) == ["push.yaml:2:54: unknown key 'fo'"])
    }

    @Test func aNodeThatIsUsedTwiceIsReportedOnce() throws {
        let text = """
            version: 1
            sources:
              - {name: a, format: mzip, files: x, fields: &f {tim: t}}
              - {name: b, format: mzip, files: x, fields: *f}
            """
        #expect(try problems(text) == ["push.yaml:3:51: unknown key 'tim', did you mean 'time'?"])
    }

    @Test func windowsLineEndsChangeNoLineNumber() throws {
        let text = "version: 1\r\noutput: x\r\noutput: y\r\nsources: [{name: a, format: mzip, files: x}]\r\n"
        #expect(try problems(text) == ["push.yaml:3:1: duplicate key 'output', first in line 2"])
    }

    @Test func aFileHasAtMost1000SourcesAndActionNames() throws {
        func file(sources: Int, actions: Int) -> String {
            let lines = (0..<sources).map { "  - {name: s\($0), format: collector, files: x, actions: {1: open}}" }
            let map = (1..<actions).map { "a\($0): a\($0)" }.joined(separator: ", ")
            let last = "  - {name: last, format: users_track, files: x, actions: {\(map)}}"
            return "version: 1\nsources:\n" + (lines + [last]).joined(separator: "\n")
        }
        #expect(try problems(file(sources: 999, actions: 1000)) == [])
        #expect(try problems(file(sources: 1000, actions: 2)) == ["push.yaml:1003:5: more than 1000 sources"])
        #expect(try problems(file(sources: 1, actions: 1001)) == ["push.yaml:2:1: more than 1000 action names"])
    }

    @Test(
        arguments: [
            ("dialct", "dialect"), ("nmae", "name"), ("file", "files"), ("Name", "name"), ("lay-out", "layout"),
            ("idspace", "id_space"), ("xyz", nil), ("requiredmcid", "require_mcid"),
        ] as [(String, String?)])
    func aSimilarWordIsSuggested(word: String, near: String?) {
        let words = [
            "name", "format", "layout", "dialect", "require_mcid", "required", "files", "platform", "id_space", "path",
        ]
        #expect(word.nearest(of: words) == near)
    }
}
