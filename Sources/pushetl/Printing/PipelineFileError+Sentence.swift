import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Records

extension PipelineFileError.Problem {
    var message: Message {
        let message = fault.message
        return Message.told(
            message.code, message.words.shown, path: file, line: location.line, column: location.column)
    }

    /// `push.yaml:12:5: unknown key 'dialct', did you mean 'dialect'?`, or with `warning: ` after the location.
    var text: String {
        "\(file):\(location.line):\(location.column): \(isWarning ? "warning: " : "")\(fault.message.words)"
    }
}

extension PipelineFileError.Fault {
    /// What is wrong, without the location.
    var message: Message {
        switch self {
        case .unreadable(let code):
            Message.told(
                "unreadable",
                "cannot read the file: \(String(cString: strerror(code))); name another with --pipeline or PUSHETL_PIPELINE"
            )
        case .notRegular:
            Message.told("not_regular", "a pipeline file must be a regular file, not a FIFO, a socket or a device")
        case .tooLarge(let limit):
            Message.told(
                "too_large",
                "the file has more than \(Text.number(limit)) bytes, the most that a pipeline file may have")
        case .notUTF8: Message.told("not_u_t_f8", "the file is not UTF-8 text")
        case .notYAML(let problem): Message.told("not_y_a_m_l", "not valid YAML: \(problem)")
        case .tooDeep: Message.told("too_deep", "lists and mappings are nested more than 1,000 deep")
        case .tooManyNodes(let limit):
            Message.told(
                "too_many_nodes",
                "the file has more than \(Text.number(limit)) keys, values and lists; an alias counts as all that it stands for"
            )
        case .emptyFile: Message.told("empty_file", "the file is empty; it needs 'version' and 'sources'")
        case .unknownKey(let key, let near): Message.told("unknown_key", "unknown key '\(key)'" + Self.question(near))
        case .duplicateKey(let key, let line):
            Message.told("duplicate_key", "duplicate key '\(key)', first in line \(line)")
        case .missingKey(let key, nil): Message.told("missing_key", "missing key '\(key)'")
        case .missingKey(let key, let owner?): Message.told("missing_key", "missing key '\(key)' in \(owner)")
        case .foreignKey(let key, let format):
            Message.told("foreign_key", "'\(key)' does not belong to the format '\(format)'")
        case .pathWithBody:
            Message.told("path_with_body", "'path' does not belong to the layout 'body', which has no request")
        case .zoneOfUTCLayout(let layout):
            Message.told(
                "zone_of_utc_layout", "'timezone' does not belong to the layout '\(layout)', whose times are in UTC")
        case .pathWithoutSlash(let path):
            Message.told("path_without_slash", "'path' must begin with '/', not '\(path)'")
        case .wrongType(let what, let expected, let found):
            Message.told("wrong_type", "\(what) must be \(expected), not \(found)")
        case .emptyValue(let key): Message.told("empty_value", "'\(key)' must not be empty")
        case .controlCharacter(let key):
            Message.told("control_character", "'\(key)' must not hold line breaks or other control characters")
        case .outOfRange(let key, let range, let found):
            Message.told("out_of_range", "'\(key)' must be \(range), not \(found)")
        case .shortRetention(let days, let least, let windowDays):
            Message.told(
                "short_retention",
                "'ids' must be at least \(least), twice window_days (\(windowDays)) and 8 days for late files, not \(days)"
            )
        case .unknownVersion(let version): Message.told("unknown_version", "'version' must be 1, not \(version)")
        case .unknownWord(let what, let found, let words, let near):
            Message.told(
                "unknown_word", "unknown \(what) '\(found)'" + Self.question(near, or: ", expected \(Self.list(words))")
            )
        case .unknownZone(let name, let near):
            Message.told(
                "unknown_zone",
                "unknown time zone '\(name)'"
                    + Self.question(
                        near,
                        or:
                            ", expected an IANA name such as 'Europe/Madrid'; if it is one, install the newest 'tzdata', "
                            + "or 'tzdata-legacy' for former names"))
        case .unusableZone(let name, let error):
            Message.told("unusable_zone", "time zone '\(name)' cannot be used: \(Self.reason(error))")
        case .duplicateSource(let name, let line):
            Message.told("duplicate_source", "duplicate source name '\(name)', first in line \(line)")
        case .tooMany(let what, let limit): Message.told("too_many", "more than \(limit) \(what)")
        case .badFieldPath(let key, let found):
            Message.told("bad_field_path", "'\(key)' must be names with dots between them, not '\(found)'")
        case .badActionName(let name):
            Message.told("bad_action_name", "action name '\(name)' must begin with a-z and hold only a-z, 0-9 and '_'")
        case .badActionCode(let code):
            Message.told("bad_action_code", "a collector's action code must be one decimal digit, not '\(code)'")
        case .unknownLayout(let text, let near):
            Message.told(
                "unknown_layout",
                "unknown layout '\(text)'"
                    + Self.question(
                        near,
                        or: ", expected " + Layout.names.map { "'\($0)', " }.joined()
                            + "a log_format with '$' variables or a LogFormat with '%' directives"))
        case .adjacentValues(let first, let second):
            Message.told(
                "adjacent_values",
                "nothing stands between '\(first)' and '\(second)' in the layout, so the end of the first one cannot be found"
            )
        case .strayDollar(let layout, let offset):
            Message.told("stray_dollar", "a '$' without a variable's name at byte \(offset) of '\(layout)'")
        case .strayPercent(let layout, let offset):
            Message.told(
                "stray_percent",
                "a '%' without a directive of Apache at byte \(offset) of '\(layout)'; write '%%' for a percent sign")
        case .badTimeFormat(let format):
            Message.told(
                "bad_time_format",
                "'%{\(format)}t' has a conversion that pushetl does not know; write date and time as '%{%Y-%m-%dT%H:%M:%S%z}t'"
            )
        case .incompleteTime:
            Message.told(
                "incomplete_time",
                "a '%{…}t' of the layout does not give the date and the time to the second, such as "
                    + "'%{%Y-%m-%d %H:%M:%S%z}t'; only msec_frac or usec_frac may follow it"
            )
        case .layoutFieldsWithoutJSON(let layout):
            Message.told(
                "layout_fields_without_j_s_o_n",
                "'layout_fields' belongs to the layouts json, gcp_lb and caddy, not to '\(layout)'")
        case .unwrapOfBodies:
            Message.told("unwrap_of_bodies", "'unwrap' is for lines; bodies of users_track may span several of them")
        case .dateWithoutTime: Message.told("date_without_time", "'date' needs a 'time' beside it in 'layout_fields'")
        case .foreignLayout(let layout, let format):
            Message.told("foreign_layout", "the layout '\(layout)' does not belong to the format '\(format)'")
        case .layoutWithoutRequest(let isApache):
            Message.told(
                "layout_without_request",
                "a collector's layout needs "
                    + (isApache ? "'%r', or '%m' and '%U%q'" : "'$request', or '$request_method' and '$request_uri'"))
        case .layoutWithoutTime(let isApache):
            Message.told(
                "layout_without_time",
                "a collector's layout needs "
                    + (isApache ? "'%t', or '%{…}t' with date and time" : "'$time_local', '$time_iso8601' or '$msec'"))
        case .layoutWithoutBody(let layout, let format):
            Message.told(
                "layout_without_body",
                "the layout '\(layout)' has no '$request_body', which the format '\(format)' takes its payload from")
        case .badPattern(let error): Message.told("bad_pattern", Self.sentence(of: error))
        case .datedDeliveries(let pattern):
            Message.told(
                "dated_deliveries",
                "'files' of 'deliveries' (\(pattern)) has a date in it, but delivery files belong to no log date; "
                    + "write '*' in its place, and '%%' for a percent sign")
        case .noDatePlaceholder(let source, let pattern):
            Message.told(
                "no_date_placeholder",
                "'files' of source '\(source)' (\(pattern)) has no date in it, so past log dates cannot be loaded; "
                    + "write the date as '%Y-%m-%d', or load this pipeline only with 'run'")
        case .filesAtURI(let source, let pattern):
            Message.told(
                "files_at_u_r_i",
                "'files' of source '\(source)' (\(pattern)) is at a URI, which only pushetl_spark.py can read; load this "
                    + "pipeline with it, or give a path")
        case .deliveriesAtURI(let pattern):
            Message.told(
                "deliveries_at_u_r_i",
                "'files' of 'deliveries' (\(pattern)) is at a URI, which cannot be read; give a path that the driver sees"
            )
        case .misspeltVariable(let variable, let near):
            Message.told("misspelt_variable", "unknown variable '\(variable)'" + Self.question(near))
        case .nearActionName(let name, let near):
            Message.told("near_action_name", "action name '\(name)' does not count as '\(near)'" + Self.question(near))
        case .replacedDialect:
            Message.told(
                "replaced_dialect",
                "'dialect' does nothing beside 'actions', which replaces all of its codes; remove one")
        case .zoneWithoutTimes(let layout):
            Message.told(
                "zone_without_times",
                "'timezone' of a source does nothing with the layout '\(layout)', whose lines have no time of their own"
            )
        case .layoutWithoutStatus(let isApache):
            Message.told(
                "layout_without_status",
                "the layout has no '\(isApache ? "%>s" : "$status")', so failed requests count as well")
        case .layoutWithoutUserAgent(let isApache):
            Message.told(
                "layout_without_user_agent",
                "the layout has no '\(isApache ? "%{User-Agent}i" : "$http_user_agent")', so the platform of every hit is "
                    + "unknown")
        case .cutValue(let value):
            Message.told(
                "cut_value",
                "'\(value)' has no quotes around it and ends at its first space; put it in quotes, in the server's "
                    + "configuration too, or last in the line")
        case .patternWithoutYear(let pattern):
            Message.told(
                "pattern_without_year",
                "the pattern '\(pattern)' does not tell the year, so it finds the logs of every year; write it as '%Y'")
        case .patternWithoutDay(let pattern):
            Message.told(
                "pattern_without_day",
                "the pattern '\(pattern)' does not tell the day; write the date as '%Y-%m-%d', or as '%Y' and '%j'")
        case .missingFolder(let folder, let near):
            Message.told(
                "missing_folder", "there is no folder '\(folder)'" + Self.question(near, or: "; check 'files'"))
        case .missingOutput(let folder):
            Message.told(
                "missing_output", "no 'output', so push.db goes to '\(folder)'; name its folder here, or with --output")
        }
    }

    private static func sentence(of error: FilePatternError) -> String {
        switch error {
        case .empty: "'files' must not be empty"
        case .nulCharacter: "'files' must not hold line breaks or other control characters"
        case .namesFolder: "'files' names a folder; add the names of the files in it, such as '*.gz'"
        case .unknownPlaceholder(nil): "a '%' with nothing after it in 'files'; write '%%' for a percent sign"
        case .unknownPlaceholder(let letter?):
            "unknown placeholder '%\(letter)' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'"
        case .unclosedBracket(let part): "a '[' without ']' in 'files', in '\(part)'; write '[[]' for a bracket"
        case .backwardRange(let range): "the range '\(range)' in 'files' runs backwards"
        case .anyFoldersAtURI: "'**' cannot be used in a URI; write '*' for each folder"
        }
    }

    private static func reason(_ error: ZoneError) -> String {
        switch error {
        case .unknown: "the time zone database does not have it"
        case .noDatabase(let folder):
            "there is no time zone database in \(folder); install the package 'tzdata', or set ZONEINFO to its folder"
        case .invalid(let path):
            "\(path) is not a time zone file (RFC 8536) without leap seconds; reinstall the package 'tzdata'"
        case .unreadable(let path, let code): "cannot read \(path): \(String(cString: strerror(code)))"
        }
    }

    private static func question(_ near: String?, or other: String = "") -> String {
        near.map { ", did you mean '\($0)'?" } ?? other
    }

    private static func list(_ words: [String]) -> String {
        let quoted = words.map { "'\($0)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}
