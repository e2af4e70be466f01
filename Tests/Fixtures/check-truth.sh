#!/usr/bin/env bash
# Has loggen write logs of all kinds with the truth beside them, loads them, and compares every table.
#   Tests/Fixtures/check-truth.sh .build/release
set -euo pipefail
programs=$(cd "${1:-.build/debug}" && pwd)
folder=$(mktemp -d)
# Sorted, without quotes, and with rates to 12 places: the last of 15 digits may differ.
plain() { tr -d '\r"' | sed -E 's/(\.[0-9]{12})[0-9]+/\1/g' | LC_ALL=C sort; }
trap 'rm -rf "$folder"' EXIT
for seed in 1 2 3; do
    work=$folder/$seed
    "$programs/loggen" --seed "$seed" --records 20000 --from 2026-11-16 --to 2026-11-19 \
        --ids mixed --out "$work" --truth "$work/truth"
    for date in 2026-11-18 2026-11-16 2026-11-19 2026-11-17; do
        "$programs/pushetl" run --date "$date" --pipeline "$work/push.yaml" --quiet
    done
    for table in daily_actions daily_funnel daily_totals hourly_actions daily_paths days outcomes \
        partitions deliveries delivery_results delivery_platforms; do
        columns=$(head -n 1 "$work/truth/$table.csv" | tr -d '\r')
        sqlite3 -csv -nullvalue '' "$work/warehouse/push.db" "SELECT $columns FROM $table" \
            | plain > "$work/found.csv"
        tail -n +2 "$work/truth/$table.csv" | plain > "$work/expected.csv"
        if ! diff "$work/expected.csv" "$work/found.csv" > "$work/differences"; then
            echo "seed $seed: $table is not what loggen expects:"
            head -n 20 "$work/differences"
            exit 1
        fi
        echo "seed $seed: $table: $(wc -l < "$work/found.csv") rows as expected"
    done
done

# Events beyond the memory go to disk and come back the same: 16M holds some tenth of these.
large=$folder/large
"$programs/loggen" --preset hard --records 1500000 --from 2026-11-19 --files 3 --out "$large" 2> "$folder/notes"
for memory in 16M 4G; do
    "$programs/pushetl" run --date 2026-11-19 --pipeline "$large/push.yaml" --output "$large/$memory" \
        --memory "$memory" --quiet
    for table in daily_actions daily_funnel daily_totals hourly_actions daily_paths days partitions \
        files outcomes; do
        sqlite3 "$large/$memory/push.db" "SELECT '$table', * FROM $table"
    done > "$large/$memory.rows"
done
cmp "$large/16M.rows" "$large/4G.rows"
echo "little memory: $(wc -l < "$large/16M.rows") rows as with much"

# A single file comes to the same, whether one thread reads it or another unpacks it ahead.
single=$folder/single
"$programs/loggen" --preset hard --records 500000 --from 2026-11-19 --files 1 --out "$single" > "$folder/notes"
for jobs in 1 2 4; do
    "$programs/pushetl" run --date 2026-11-19 --pipeline "$single/push.yaml" --output "$single/$jobs" \
        --jobs "$jobs" --quiet
    for database in push.db partitions/2026-11-19.sqlite; do
        sqlite3 "$single/$jobs/$database" .dump | grep -vE "^INSERT INTO (runs|changes|loads) |'history_since'"
    done > "$single/$jobs.rows"
done
cmp "$single/1.rows" "$single/2.rows"
cmp "$single/1.rows" "$single/4.rows"
echo "one file: $(wc -l < "$single/1.rows") rows with any number of threads"
