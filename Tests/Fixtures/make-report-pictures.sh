#!/usr/bin/env bash
# Makes the pictures of the sample logs' report: what a wide screen and a telephone show first.
#
#     sudo apt-get install -y chromium imagemagick pngquant
#     Tests/Fixtures/make-report-pictures.sh .build/release/pushetl
set -euo pipefail
program=$(realpath "${1:?the built pushetl}")
cd "$(dirname "$0")/../.."
pictures=$PWD/Sources/pushetl/pushetl.docc/Resources
# Bytes that a picture may have.
limit=60000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

dates=$(find SampleLogs -mindepth 2 -maxdepth 2 -type d -name '20*' -printf '%f\n' | sort -u)
"$program" backfill --quiet --pipeline Pipelines/push.yaml --output "$folder/output" \
    --from "$(head -n 1 <<< "$dates")" --to "$(tail -n 1 <<< "$dates")"
"$program" report --quiet --output "$folder/output" --from "$(head -n 1 <<< "$dates")" --compare none \
    --out "$folder/report.html"

# A window of the browser is at least 500 pixels wide, so the page lies in a frame.
picture() {
    local name=$1 width=$2 height=$3 file=$pictures/report-$1.png
    printf '<!DOCTYPE html><body style="margin:0"><iframe src="report.html" width="%s" height="%s" style="border:0">' \
        "$width" "$height" > "$folder/$name.html"
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --window-size="$((width < 500 ? 500 : width)),$((height + 200))" --screenshot="$folder/$name.png" \
        "file://$folder/$name.html" 2> /dev/null
    convert "$folder/$name.png" -crop "${width}x$height+0+0" +repage "$folder/$name-cut.png"
    pngquant --force --strip --speed 1 --output "$file" 64 "$folder/$name-cut.png"
    local bytes
    bytes=$(stat -c %s "$file")
    printf '%s: %s bytes\n' "$file" "$bytes"
    [ "$bytes" -le "$limit" ] || { printf '%s is larger than %s bytes\n' "$file" "$limit" >&2; exit 1; }
}

mkdir -p "$pictures"
picture wide 1200 900
picture narrow 360 900
