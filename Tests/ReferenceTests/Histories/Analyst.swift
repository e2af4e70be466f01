import Reference

/// Has `push.db` open in sqlite3 or in a BI tool: changes rows of the program's tables, and adds things of their own.
struct Analyst {
    func change(_ random: inout SplitMix64) -> HistoryStep {
        let number = random.number(1...3)
        switch random.below(10) {
        case 0...2: return edit(random.pick(Analyst.rows))
        case 3: return edit(random.pick(Analyst.structure))
        case 4: return edit(random.pick(Analyst.settings))
        case 5: return random.pick(Analyst.files)
        case 6: return random.pick(obstacles(number))
        default: return edit(random.pick(own(number)))
        }
    }

    /// All of it, each once.
    func changes(_ number: Int) -> [HistoryStep] {
        (Analyst.rows + Analyst.structure + Analyst.settings + own(number)).map(edit) + Analyst.files
            + obstacles(number)
    }

    private func edit(_ statements: String) -> HistoryStep { Analyst.edit(statements) }

    private static func edit(_ statements: String, _ obstacle: HistoryStep.Obstacle? = nil) -> HistoryStep {
        HistoryStep("sql \"\(statements)\"", .push(obstacle))
    }

    /// Changed rows of the program's tables.
    private static let rows = [
        "update daily_actions set events = events + 1", "update daily_actions set events = events + 0.5",
        "update daily_actions set duplicates = 7.0", "update daily_funnel set opened = 'many'",
        "update days set events = x'00ff'", "update daily_totals set messages = 9e99",
        "update outcomes set records = -9223372036854775808", "delete from days",
        "delete from daily_funnel where day = (select max(day) from daily_funnel)",
        "insert into about values ('mine', 5)", "update about set value = 7 where key = 'window_days'",
        "delete from _log_dates", "update files set path = cast(path as blob)", "update files set bytes = bytes + 1",
        "update columns_help set description = ''", "update partitions set status = 'complete'", "delete from files",
        "update delivery_results set opened = 0", "delete from deliveries",
        "update deliveries set label = 'a' || char(0) || 'b'", "update daily_actions set day = day || ' 00:00:00'",
        "update hourly_actions set hour = 'noon'", "delete from partitions", "update runs set records = 1",
        "update runs set exit_code = 'none'", "update loads set detail = x'80'", "delete from loads",
        "update calendar set iso_week = 5.5", "update _days set day = '2026-01-01'",
        "insert into runs select * from runs",
        "update daily_totals set opened_of_messages = 0.123456",
        "insert into days select '2031-01-01', '2031-01-01 00:00:00', 0, null, 1, 1, 0, 0",
        "delete from daily_actions; delete from daily_funnel; delete from days",
        "update hourly_actions set events = events + 1 where hour = (select max(hour) from hourly_actions)",
        "update calendar set iso_week = '2026-W01'", "update delivery_results set label = 'Spring'",
        "delete from calendar where day = (select max(day) from calendar)",
        "update _facts set value = 'x' where key = 'settings'",
        "insert into _checks values (1, 'a', 'many', -1, null, 7)",
        "insert into _checks values (0, 'a', 1, 1, 'x', x'00')",
        "update hourly_actions set events = cast(events as text) || ''",
        "pragma ignore_check_constraints = on; update daily_paths set messages = messages + 1e-9",
    ]

    /// Changed definitions of the program's tables.
    private static let structure = [
        "alter table days rename to days_of_old", "alter table daily_actions add column note text",
        "alter table files drop column bytes", "alter table daily_actions rename column events to hits",
        "drop table outcomes", "drop table _checks", "drop table daily_actions", "drop table runs",
        "create table actions as select * from daily_actions; drop table daily_actions; "
            + "alter table actions rename to daily_actions",
        "alter table daily_actions add column twice integer as (events * 2)",
        "alter table runs add column note text; update runs set note = 'mine'",
        "alter table loads rename to loads_of_old",
        "pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'events INTEGER', 'events TEXT')",
        "drop table columns_help", "alter table runs drop column records",
        "alter table daily_actions drop column duplicates",
        "pragma writable_schema = on; update sqlite_master set sql = 'nonsense' where name = 'days'",
        "pragma writable_schema = on; delete from sqlite_master where name = 'daily_totals'",
    ]

    private static let settings = [
        "pragma journal_mode = wal", "pragma page_size = 1024; vacuum", "pragma page_size = 65536; vacuum",
        "pragma application_id = 5", "drop table sqlite_stat1", "delete from sqlite_stat1",
        "analyze", "pragma auto_vacuum = full; vacuum", "vacuum", "pragma auto_vacuum = incremental; vacuum",
        "pragma application_id = 0; pragma user_version = 0", "update sqlite_stat1 set stat = 'x'",
    ]

    /// What happens to the whole file.
    private static let files: [HistoryStep] = [
        HistoryStep(
            "[ -f out/push.db ] && sqlite3 out/push.db .dump >dump && mv out/push.db dumped.db && "
                + "{ echo \"pragma encoding = 'UTF-16';\"; cat dump; } | sqlite3 out/push.db", .push(nil)),
        HistoryStep(
            "[ -f out/push.db ] && sqlite3 out/push.db .dump >dump && mv out/push.db dumped.db && "
                + "sqlite3 out/push.db <dump", .push(nil)),
        HistoryStep(
            "rm -f small.db; sql \"vacuum into 'small.db'\" && mv small.db out/push.db", .push(nil)),
        HistoryStep("sql 'pragma journal_mode = wal' && crashed_sql 'delete from days;'", .push(nil)),
        HistoryStep("crashed_sql 'update daily_actions set events = 0;'", .push(nil)),
        HistoryStep("crashed_sql 'create table half (a); drop table days; delete from runs;'", .push(nil)),
        HistoryStep("[ -f out/push.db ] && echo x >out/push.db-journal", .push(nil)),
        // Without its id too, it might be a database of another application.
        HistoryStep("sql 'drop table _facts'", .push(.init(removal: "rm -f out/push.db"))),
        HistoryStep(
            "[ -f out/push.db ] && mkdir out/push.db-journal", .push(.init(removal: "rm -rf out/push.db-journal"))),
        HistoryStep(
            "rm -rf out/push.db; mkdir -p out; sqlite3 out/push.db "
                + "\"pragma application_id = 77; create table app (a); insert into app values ('theirs')\"",
            .push(.init(removal: "mv out/push.db app.db", keepsFile: true))),
        HistoryStep(
            "[ -d out ] && rm -rf out/push.db && sqlite3 out/push.db \"create table app (a); insert into app values ('theirs')\"",
            .push(.init(removal: "mv out/push.db app.db", keepsFile: true))),
        HistoryStep(
            "sql 'pragma user_version = 99'", .push(.init(removal: "mv out/push.db later.db", keepsFile: true))),
        HistoryStep(
            "sql 'pragma user_version = 6'", .push(.init(removal: "mv out/push.db former.db", keepsFile: true))),
    ]

    /// Things of their own that must stay.
    private func own(_ n: Int) -> [String] {
        [
            "create table notes_\(n) (id integer primary key autoincrement, text, n real, b blob); "
                + "insert into notes_\(n) (text, n, b) values ('mine', 0.1, x'00'), (null, 9e999, zeroblob(10))",
            "insert into notes_\(n) (text) values ('more')", "drop table notes_\(n)",
            "create table strict_\(n) (day text primary key, n any) strict, without rowid; "
                + "insert into strict_\(n) values ('2026-11-19', 1), ('2026-11-20', 'two')",
            "create index notes_by_text_\(n) on notes_\(n) (text collate nocase desc) where text <> ''",
            "create index by_events_\(n) on daily_actions (events, delivery_id)",
            "create index by_day_\(n) on days (substr(day, 1, 7))",
            "create table numbered_\(n) (name text collate uint primary key, n); "
                + "insert into numbered_\(n) values ('a10', 1), ('a9', 2)",
            "create table uint_\(n) (a); insert into uint_\(n) values (1); "
                + "create index uint_by_a_\(n) on uint_\(n) (a collate uint)",
            "create table hashed_\(n) (a, h as (sha3(a)) stored); insert into hashed_\(n) values ('x')",
            "create view actions_\(n) as select day, sum(events) as n from daily_actions group by day",
            "create view hashes_\(n) as select sha3(delivery_id) as h from daily_actions",
            "create view nothing_\(n) as select * from nowhere",
            "create table log_\(n) (text); create trigger spy_\(n) after insert on daily_actions "
                + "begin insert into log_\(n) values (new.day); end",
            "create trigger guard_\(n) before delete on days begin select raise(abort, 'mine'); end",
            "create trigger ignore_\(n) before insert on days begin select raise(ignore); end",
            "create trigger own_\(n) after insert on notes_\(n) begin delete from log_\(n); end",
            "create trigger instead_\(n) instead of insert on actions_\(n) begin delete from days; end",
            "create virtual table words_\(n) using fts5 (text); insert into words_\(n) values ('mine')",
            "create virtual table boxes_\(n) using rtree (id, a, b); insert into boxes_\(n) values (1, 2, 3)",
            "create table child_\(n) (day text references days (day)); insert into child_\(n) values ('2026-11-19')",
            "create table checked_\(n) (a check (a > 0)); pragma ignore_check_constraints = on; "
                + "insert into checked_\(n) values (-1)",
            "create table computed_\(n) (a, b as (a * 2) stored, c as (a + 1)); insert into computed_\(n) (a) values (3)",
            "create table 'we ird '';\(n)' (\\\"a b\\\" text); insert into 'we ird '';\(n)' values ('x' || char(0) || 'y')",
            "create table rowids_\(n) (text); insert into rowids_\(n) (rowid, text) values (-5, 'a'), (9223372036854775807, 'b')",
            "create table copy_\(n) as select * from daily_actions", "create table runs_\(n) as select * from runs",
            "create view cut_\(n) as select 1 as one; pragma writable_schema = on; "
                + "update sqlite_master set sql = sql || char(0) || 'x' where name = 'cut_\(n)'",
            "create table renamed_\(n) (rowid text, b); insert into renamed_\(n) values ('a', null)",
            "create table folded_\(n) (a text collate uint); insert into folded_\(n) values (1)",
            "create table bytes_\(n) (a text); insert into bytes_\(n) values (cast(x'ff00fe' as text))",
            "create unique index unique_\(n) on notes_\(n) (id, text)",
        ]
    }

    /// Indexes that may keep the program from writing its rows: no two rows may be alike, or sqlite3 has a function or a
    /// collation that the program has not.
    private func obstacles(_ n: Int) -> [HistoryStep] {
        let unique = [
            ("loads", "log_date"), ("changes", "day"), ("runs", "command"), ("daily_actions", "delivery_id"),
            ("days", "events"), ("columns_help", "kind"),
        ].map { table, column in ("one_\(table)_\(n)", "create unique index one_\(table)_\(n) on \(table) (\(column))")
        }
        let unknown = [
            ("by_uint_\(n)", "create index by_uint_\(n) on daily_actions (delivery_id collate uint)"),
            ("by_hash_\(n)", "create index by_hash_\(n) on daily_actions (sha3(delivery_id))"),
        ]
        let namesakes = [
            ("days", "drop table days; create view days as select * from daily_totals", "drop view days"),
            (
                "daily_paths", "drop table daily_paths; create table daily_paths (mine)",
                "drop table daily_paths"
            ),
            ("days", "alter table days rename to mine; create view days as select day from mine", "drop view days"),
        ]
        return (unique + unknown).map { name, statement in
            Analyst.edit(statement, .init(removal: "sql 'drop index if exists \(name)'", name: name))
        }
            + namesakes.map { name, statement, removal in
                Analyst.edit(statement, .init(removal: "sql '\(removal)'", name: name))
            }
    }
}
