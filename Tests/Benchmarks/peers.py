#!/usr/bin/env python3
"""The counts of a collector log by SQL: what measure.py runs to compare pushetl with DuckDB and ClickHouse (chdb).

    python3 Tests/Benchmarks/peers.py duckdb|chdb|duckdb_events THREADS FILE...

Prints JSON: [day, platform, delivery, action, events, duplicates] for each row of daily_actions.

The SQL is as quick as we could make it, and knows more of the logs than pushetl does: no odd spelling of an id or of a
request, no percent-escape, all times in the pipeline's zone and in one month (so that the least text is the first day),
and a message with the same delivery and user agent in all its hits. measure.py compares the rows, so this is checked.
"""
import json
import os
import sys

ACTIONS = {"1": "open", "2": "click", "3": "button_1", "4": "button_2", "5": "button_close", "7": "impression"}
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

# The CSV reader takes a line apart faster than string functions or a regular expression do (17 s). It reads gzip files one
# after the other, unless each is a branch of a UNION ALL. Integers and texts of up to 12 bytes are cheap to group by.
DUCKDB_FILE = r"""
    SELECT string_split(split_part(split_part(split_part(request, ' ', 2), 'id=', 2), '&', 1), ',') AS id,
           substring(moment, 2, 11) AS day, agent
    FROM read_csv(
        '{file}', delim = ' ', quote = '"', escape = '\', header = false, auto_detect = false, null_padding = true,
        columns = {{'host': 'VARCHAR', 'ident': 'VARCHAR', 'login': 'VARCHAR', 'moment': 'VARCHAR', 'zone': 'VARCHAR',
                   'request': 'VARCHAR', 'status': 'VARCHAR', 'bytes': 'VARCHAR', 'referer': 'VARCHAR', 'agent': 'VARCHAR'}})
    WHERE status BETWEEN '200' AND '399'
        AND (starts_with(request, 'GET /r/?') OR starts_with(request, 'GET /r?')
            OR starts_with(request, 'POST /r/?') OR starts_with(request, 'POST /r?'))
"""
DUCKDB = """
WITH hits AS ({files}),
records AS (
    SELECT ltrim(lower(substring(id[1], 2)), '0') AS message, lower(id[2]) AS delivery, id[3]::UTINYINT AS code, day,
        (CASE WHEN contains(agent, 'Android') OR contains(agent, 'Dalvik/') THEN 1
            WHEN contains(agent, 'iPhone') OR contains(agent, 'iPad') OR contains(agent, 'CPU OS ')
                OR contains(agent, 'CFNetwork/') THEN 2
            ELSE 0 END)::UTINYINT AS platform
    FROM hits WHERE id[3] IN ('1', '2', '3', '4', '5', '7')),
events AS (
    SELECT code, min(day) AS day, any_value(delivery) AS delivery, any_value(platform) AS platform, count(*) AS records
    FROM records GROUP BY message, code)
SELECT day, platform, delivery, code::VARCHAR, count(*), sum(records - 1)::BIGINT FROM events GROUP BY ALL
"""

# Whole lines, taken apart by quotes and spaces: the CSV and CustomSeparated formats take a third more, regular expressions
# several times as much.
CHDB = r"""
WITH hits AS (
    SELECT splitByChar('"', line) AS parts, splitByChar(' ', parts[2]) AS request,
        splitByChar(',', extractURLParameter(request[2], 'id')) AS id,
        substring(parts[1], position(parts[1], '[') + 1, 11) AS day, parts[6] AS agent
    FROM file('{files}', 'LineAsString')
    WHERE substring(parts[3], 2, 3) BETWEEN '200' AND '399' AND request[1] IN ('GET', 'POST')
        AND (startsWith(request[2], '/r/?') OR startsWith(request[2], '/r?'))
        AND length(id) = 3 AND id[3] IN ('1', '2', '3', '4', '5', '7')),
records AS (
    SELECT lower(trim(LEADING '0' FROM substring(id[1], 2))) AS message, lower(id[2]) AS delivery,
        toUInt8(id[3]) AS code, day,
        multiIf(multiSearchAny(agent, ['Android', 'Dalvik/']), 1,
            multiSearchAny(agent, ['iPhone', 'iPad', 'CPU OS ', 'CFNetwork/']), 2, 0) AS platform
    FROM hits),
events AS (
    SELECT code, min(day) AS first_day, any(delivery) AS any_delivery, any(platform) AS any_platform, count() AS records
    FROM records GROUP BY message, code)
SELECT first_day, any_platform, any_delivery, code, count(), sum(records - 1) FROM events GROUP BY 1, 2, 3, 4
SETTINGS max_threads = {threads}
"""


# A vendor's events as CSV. Times are in two forms, and days in UTC.
DUCKDB_EVENTS = r"""
WITH rows AS (
    SELECT * FROM read_csv([{files}], header = true, all_varchar = true) WHERE event IN ('push_impression', 'push_click', 'push_open')),
records AS (
    SELECT ltrim(lower(ltrim(message_id, 'hH')), '0') AS message, lower(campaign) AS delivery, substring(event, 6) AS action,
        CASE WHEN contains(occurred_at, '-') THEN
            regexp_replace(regexp_replace(occurred_at, '^(.{{19}}):', '\1.'), '[+]([0-9]{{2}})([0-9]{{2}})$', '+\1:\2')::TIMESTAMPTZ
        ELSE make_timestamp(CASE WHEN length(occurred_at) > 11 THEN occurred_at::BIGINT * 1000
            ELSE (occurred_at::DOUBLE * 1000000)::BIGINT END) END AS moment,
        coalesce(nullif(lower(os), ''), 'unknown') AS platform
    FROM rows),
events AS (
    SELECT action, min(moment) AS moment, any_value(delivery) AS delivery, min_by(platform, moment) AS platform, count(*) AS records
    FROM records GROUP BY message, action)
SELECT strftime(moment AT TIME ZONE 'UTC', '%Y-%m-%d'), platform, delivery, action, count(*), sum(records - 1)::BIGINT
FROM events GROUP BY ALL
"""


def duckdb_event_rows(threads, files):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    connection.execute("SET TimeZone = 'UTC'")
    return connection.execute(DUCKDB_EVENTS.format(files=", ".join(f"'{file}'" for file in files))).fetchall()


def duckdb_rows(threads, files):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    connection.execute("SET preserve_insertion_order = false")
    union = "UNION ALL".join(DUCKDB_FILE.format(file=file) for file in files)
    return connection.execute(DUCKDB.format(files=union)).fetchall()


def chdb_rows(threads, files):
    import chdb

    # The files of a log date lie in one folder; braces with slashes in them match nothing.
    names = f"{os.path.dirname(files[0])}/{{{','.join(map(os.path.basename, files))}}}"
    answer = chdb.query(CHDB.replace("{files}", names).replace("{threads}", threads), "TSV").bytes().decode()
    return [line.split("\t") for line in answer.splitlines()]


def main():
    engine, threads, *files = sys.argv[1:]
    if engine == "duckdb_events":
        json.dump(duckdb_event_rows(threads, files), sys.stdout)
        return
    rows = {"duckdb": duckdb_rows, "chdb": chdb_rows}[engine](threads, files)
    found = []
    for moment, platform, delivery, code, events, duplicates in rows:
        day, month, year = moment.split("/")
        found.append([
            f"{year}-{MONTHS.index(month) + 1:02}-{day}", ["unknown", "android", "ios"][int(platform)], delivery,
            ACTIONS[code], int(events), int(duplicates)])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
