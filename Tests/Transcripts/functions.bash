# What the commands of the transcripts may use beside the programs of the system.

# A folder as in a fresh clone.
samples() { cp -r "$repo/SampleLogs" "$repo/Pipelines" .; }

# A pipeline of one source in push.yaml, the one of all commands that follow.
pipeline() {
    export PUSHETL_PIPELINE=push.yaml
    printf '%s\n' 'version: 1' 'output: out' 'sources:' '  - name: adobe' '    format: collector' \
        '    files: logs/%Y-%m-%d.log' > push.yaml
    mkdir -p logs
}

# hit ID,DELIVERY,ACTION [TIME [DAY [STATUS [AGENT]]]]: the line of a request, such as `hit h1,d1,7 10:00:00 19`.
hit() {
    printf '192.0.2.1 - - [%s/Nov/2026:%s +0000] "GET /r/?id=%s HTTP/1.1" %s 0 "-" "%s"\n' \
        "${3:-19}" "${2:-10:00:00}" "$1" "${4:-200}" "${5:--}"
}

# figures SQL…: the rows of queries on push.db, as `sqlite3` prints them.
figures() { sqlite3 out/push.db "$@"; }

# It is the year 2100, so all files are from before. Only of such files the program remembers the size and times.
later() { export CLOCK='2100-01-01 10:00:00'; }

# hashes FILE…: of files, and of those in folders.
hashes() { find "$@" -type f -exec sha256sum {} + | sort -k 2; }

# beside SQL [DATABASE]: executes it in a program of its own, which has push.db or another database open until `alone`.
beside() {
    mkfifo hold; sqlite3 "${2-out/push.db}" < hold > held & exec 3> hold
    printf '%s\n' "$1" '.print ready' >&3; until grep -qs ready held; do sleep 0.01; done
}
alone() { exec 3>&-; wait; rm hold held; }

# faults BEFORE AFTER: validates each line that it reads, between two texts; prints those with faults, or with warnings=shown.
faults() {
    local number=1000 line; rm -rf files; mkdir files; cat > lines
    while IFS= read -r line; do printf %b "$1" "$line" "$2" > files/$((++number)); done < lines
    (cd files; pushetl validate * 2> ../said > ../valid; echo "exit code $?")
    [ "$warnings" = shown ] || sed -i '/: warning: /d' said
    awk -F : 'FILENAME == "said" { said[$1] = said[$1] "    " substr($0, 6) "\n"; next }
        1000 + FNR in said { print; printf "%s", said[1000 + FNR] }' said lines
}

# Logs of 20 log dates, whose messages are on two each. The output `out` holds ids for ten days, `plain` for ever.
retention() {
    pipeline; sed -i 's/^output.*/&\ndedup: {window_days: 1}/; s/%d.log/%d*.log/' push.yaml
    sed 's/output: out/output: plain/' push.yaml > plain.yaml
    sed -i '/^output/aretention: {ids: 10}' push.yaml; cp push.yaml usual.yaml
    log() { hit h1$1,d1,7 10:00:00 $1; hit h1$1,d1,1 10:00:05 $1; hit h$((10#$1 + 99)),d1,1 10:00:00 $1; }
    for day in {01..20}; do log $day > logs/2026-11-$day.log; done
    what() { grep '^error\|^warning\|^  \(closed\|settled\|ids erased\) '; }
    load() { pushetl backfill --from 2026-11-01 --to 2026-11-$1 "${@:2}" 2>&1 | what; }
    night() { pushetl run --date 2026-11-$1 "${@:2}" 2>&1 | what; return ${PIPESTATUS[0]}; }
    rows() { sqlite3 $1/push.db '.dump daily_actions daily_funnel daily_totals days files'; }
    plain() { pushetl backfill --from 2026-11-01 --to 2026-11-$1 -p plain.yaml --quiet; }
    same() { plain $1; [ "$(rows out)" = "$(rows plain)" ] && echo the same; }
    held() {
        for file in out/partitions/2026*.sqlite; do
            [ "$(sqlite3 $file 'SELECT count(*) FROM events' 2>&1)" = 0 ] || basename $file
        done
    }
    again() { rm -rf out; cp -r settled out; pushetl run --date 2026-11-16 > loaded 2>&1; }
}

# Two log dates are loaded. `anew` begins again from a copy, `nothing` runs a command that has nothing to load.
sound() {
    pipeline; { hit h1,d,7; hit h2,d,1; hit zz; for id in {10..39}; do hit h$id,d,7; done; } > logs/2026-11-19.log
    { hit h1,d,7; hit h3,d,2; } > logs/2026-11-20.log
    backfill() { pushetl backfill --from 2026-11-19 --to 2026-11-20 "$@"; }
    for day in 19 20; do pushetl run --date 2026-11-$day > loaded; done; cp -a out sound
    anew() { rm -rf out; cp -a sound out; nothing > loaded; }
    nothing() { pushetl run --date 2026-01-01 2>&1 | grep -v 'no source has files'; }
}

# A range of five log dates, three of which have files: `dates` puts these there anew. `dry` says what a backfill would load.
backfills() {
    later; pipeline; range='--from 2026-11-16 --to 2026-11-20'; cp push.yaml first.yaml
    dates() {
        rm -rf out logs; cp "${1:-first.yaml}" push.yaml; mkdir logs
        hit h1,d,7 10:00:00 17 > logs/2026-11-17.log; hit h2,d,7 10:00:00 18 > logs/2026-11-18.log
        hit h3,d,7 > logs/2026-11-19.log
    }
    dry() { pushetl backfill $range --dry-run "$@" | grep -e '  load' -e nothing; }
    dates
}

# Three log dates of two platforms are loaded, with the names of some deliveries, and `sound` is a copy.
examined() {
    pipeline; printf 'deliveries:\n  files: deliveries/*.csv\n' >> push.yaml; sed -i 's/%d.log/%d*.log/' push.yaml
    { hit h1,d1,7 10:00:00 19 200 Android; hit h1,d1,2 10:00:04 19 200 Android; hit h1,d1,1 10:00:05 19 200 Android
    hit h2,d1,7 10:00:00 19 200 iPhone; hit h2,d1,7 10:00:00 19 200 iPhone; hit h3,d2,1; hit hzz,d2,1
    for id in {16..39}; do hit h$id,d1,7 10:00:00 19 200 iPhone; done; } > logs/2026-11-19.log
    for day in 18 20; do hit ha$day,d$day,7 10:00:00 $day 200 iPhone > logs/2026-11-$day.log; done
    mkdir deliveries; printf 'delivery_id,label,sent\nd1,Autumn,40\nd18,Winter,2\n' > deliveries/a.csv
    pushetl backfill --from 2026-11-18 --to 2026-11-20 > loaded; cp -a out sound
}

# A file in `logs` for each line NAME | EVENT that it reads, with an event a line. What begins with `$` differs.
exports() {
    mkdir -p logs; cat > exports.txt; python3 - <<'END'
import hashlib, string, uuid
events = []
for number in range(80):
    person, campaign = number % 40, number // 40
    digest = lambda text: hashlib.sha256(f"{text}".encode()).hexdigest()
    for past in ["received"] + ["opened"] * (person % 2 == 0 and campaign == 0):
        second = number * 30 + 10 * (past == "opened")
        event = dict(past=past, Past=past.title(), number=30 + campaign, campaign=f"c-{campaign}", user=f"u{person}pers",
            name=["autumn", "cart reminder"][campaign], message=digest(number)[:20], device=digest(person)[:16],
            token=digest(-person) * 2, uuid=str(uuid.UUID(digest(f"{number}{past}")[:32])), epoch=1795078800 + second,
            clock=f"09:{second // 60:02}:{second % 60:02}", later=f"11:{second // 60:02}:{second % 60:02}",
            os=["iOS", "Android", "Chrome"][person % 3])
        events += [event] * (2 if number % 4 == 0 else 1)
for line in open("exports.txt"):
    name, event = line.rstrip("\n").split(" | ")
    with open(f"logs/{name}", "w") as file:
        file.writelines(string.Template(event).substitute(values) + "\n" for values in events)
END
}

# `fresh` begins with `one.yaml` or `two.yaml`; `log` prints hits, `load` loads 19 November and says what stands then.
losses() {
    pipeline; cp push.yaml one.yaml; cp one.yaml two.yaml
    echo '  - {name: second, format: collector, files: more/%Y-%m-%d.log}' >> two.yaml
    log() { seq ${2:-1} $((${2:-1} + $1 - 1)) | sed "s|.*|$(hit "h&,d,${3:-7}" ${4:-10:00:00} ${day:-19})|"; }
    load() {
        pushetl run --date 2026-11-19 -q "$@" 2> errors; local code=$?; [ $code = 0 ] || echo "exit code $code"
        sed '/another pipeline file/d; s/; the former content .*//' errors
        figures 'SELECT source, action, sum(events) FROM daily_actions GROUP BY 1, 2 ORDER BY 1, 2'
    }
    fresh() { rm -rf out logs more; mkdir logs more; cp "${1:-one.yaml}" push.yaml; }
}

# Two hosts; `night` loads eight log dates, the second host has no file of the first or last one. The others tell their warnings.
hosts() {
    pipeline; sed -i 's|logs/.*|logs/%Y-%m-%d/*/*.log|' push.yaml; cp push.yaml hosts.yaml
    log() { mkdir -p logs/2026-11-$1/$2; hit h$1${2#web},d,7 > logs/2026-11-$1/$2/a-2026-11-$1.log; }
    night() {
        local day last=${1:-19}; rm -rf out logs; cp hosts.yaml push.yaml
        for day in $(seq -w $((last - 7)) 19); do log $day web1; [ $day = $last ] || log $day web2; done
        [ -d out$last ] && cp -r out$last out && { pushetl run --date 2020-01-01 > loaded 2>&1; return; }
        pushetl backfill --from 2026-11-01 --to 2026-11-19 -q --metrics push.prom; cp -r out out$last
    }
    kept() { figures 'SELECT log_date, warnings FROM partitions WHERE warnings IS NOT NULL ORDER BY 1'; }
    loads() { figures "SELECT verdict, detail FROM loads WHERE log_date = '2026-11-19' ORDER BY started_at, finished_at"; }
    check() { pushetl status --check --quiet; echo "exit code $?"; }
}
