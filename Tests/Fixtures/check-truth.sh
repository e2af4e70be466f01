#!/usr/bin/env bash
# Has loggen write logs of all kinds with the truth beside them, loads them, and compares every table.
#   Tests/Fixtures/check-truth.sh .build/release
set -euo pipefail
programs=$(cd "${1:-.build/debug}" && pwd)
folder=$(mktemp -d)
# Sorted, without quotes, and with rates to 12 places: sqlite3 prints 15 digits, loggen 17.
plain() { tr -d '\r"' | sed -E 's/(\.[0-9]{12})[0-9]+/\1/g' | LC_ALL=C sort; }
trap 'rm -rf "$folder"' EXIT
for seed in 1 2 3; do
    work=$folder/$seed
    "$programs/loggen" --seed "$seed" --records 20000 --from 2026-11-16 --to 2026-11-19 --ids mixed --out "$work" \
        --truth "$work/truth"
    for date in 2026-11-18 2026-11-16 2026-11-19 2026-11-17; do
        "$programs/pushetl" run --date "$date" --pipeline "$work/push.yaml" --quiet
    done
    for table in daily_actions daily_funnel days outcomes partitions; do
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
