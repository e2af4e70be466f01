#!/usr/bin/env bash
# Has two builds of the program load the same logs, whole, cut, damaged and in many members, and compares all that they
# write and say.
#   Tests/Fixtures/compare-builds.sh .build/release OTHER/pushetl
set -euo pipefail
programs=$(cd "$1" && pwd)
builds=("$programs/pushetl" "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$programs/loggen" --seed 7 --records 60000 --from 2026-11-16 --to 2026-11-19 --ids mixed --out "$folder" > "$folder/notes"
# From 17 on every file has something: cut; a byte changed; members, padding and other bytes after.
number=0
find "$folder" -name '*gz' ! -path '*2026-11-16*' | sort | while read -r file; do
    number=$((number + 1))
    size=$(stat -c %s "$file")
    place=$((size * (number * 37 % 100) / 100))
    case $((number % 4)) in
    0) head -c "$place" "$file" > "$file.new" ;;
    1) { head -c "$place" "$file"; printf '\x5a'; tail -c +$((place + 2)) "$file"; } > "$file.new" ;;
    2)
        gzip -dc "$file" > "$folder/text"
        { head -c 5000 "$folder/text" | gzip -1; printf '\0\0\0'; tail -c +5001 "$folder/text" | gzip -9; } > "$file.new"
        ;;
    3) { cat "$file"; gzip -c < /dev/null; head -c "$place" "$file"; } > "$file.new" ;;
    esac
    mv "$file.new" "$file"
done

for index in 0 1; do
    program=${builds[index]} out=$folder/out$index
    for date in 2026-11-16 2026-11-17 2026-11-18 2026-11-19; do
        "$program" run --date "$date" --pipeline "$folder/push.yaml" --output "$out" && code=0 || code=$?
        echo "exit $code"
    done 2>&1 | sed -E "s|$out|OUT|g; s/[0-9.]+ s(,| in all|$)//; s/[0-9,]+ records\/s//" > "$folder/says$index"
    for database in "$out"/partitions/2*.sqlite; do sqlite3 "$database" .dump; done > "$folder/partitions$index"
    sqlite3 "$out/push.db" .dump | grep -vE "^INSERT INTO (runs|changes|loads) |'history_since'" > "$folder/figures$index"
done
for what in says partitions figures; do cmp "$folder/${what}0" "$folder/${what}1"; done
grep -cE '^(error|warning): ' "$folder/says0" | sed 's/$/ messages, the same/'
wc -l < "$folder/partitions0" | sed 's/$/ rows, the same/'
