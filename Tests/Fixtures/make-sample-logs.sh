#!/bin/sh
# Makes SampleLogs/ anew: what loggen writes from a fixed seed, and beside it the hand-made oddities of
# Tests/Fixtures/oddities. The files of real nginx (make-nginx-fixtures.sh) stay as they are.
#   sh Tests/Fixtures/make-sample-logs.sh
# The unpacked bytes are always the same; the gzipped ones too, as long as zlib and gzip stay the same.
set -eu
cd "$(dirname "$0")/../.."
oddities=Tests/Fixtures/oddities
out=SampleLogs

swift build --product loggen
loggen="$(swift build --product loggen --show-bin-path)/loggen"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$loggen" --seed 20261117 --records 5000 --from 2026-11-17 --to 2026-11-19 --level 9 --out "$made"

rm -rf $out/collector/2026-11-17 $out/collector/2026-11-18 $out/mzip $out/users_track $out/campaign-classic $out/faulty
mkdir -p $out/collector/2026-11-19
find $out/collector/2026-11-19 -name '*.gz' ! -name 'nginx*' -exec rm {} +
for kind in collector mzip users_track; do
    mkdir -p $out/$kind
    cp -R "$made/$kind/." $out/$kind/
done

pack() { gzip -n -9; }
repeat() { head -c "$2" /dev/zero | tr '\0' "$1"; }

# 17: every odd spelling, filter and reject of collector lines, and a run of NULs as after a power loss.
{ cat $oddities/collector/2026-11-17/oddities.log; printf '\0\0\0\0\0\0\0\0\n'; } | pack \
    > $out/collector/2026-11-17/oddities.log.gz

# 18: a byte order mark and CRLF; a plain file with a name that lies; a file without content, plain and gzipped;
# zero padding after a member; bodies over many lines and in an array, one of them over 8 MiB; odd mzip bodies.
{ printf '\357\273\277'; sed "s/\$/$(printf '\r')/" $oddities/collector/2026-11-18/windows.log; } | pack \
    > $out/collector/2026-11-18/windows.log.gz
cp $oddities/collector/2026-11-18/plain.log $out/collector/2026-11-18/plain.log.gz
: > $out/collector/2026-11-18/empty.log.gz
pack < /dev/null > $out/collector/2026-11-18/nothing.log.gz
pack < $oddities/mzip/2026-11-18/oddities.txt > $out/mzip/2026-11-18/oddities.gz
{ pack < $oddities/mzip/2026-11-18/padded.txt; head -c 512 /dev/zero; } > $out/mzip/2026-11-18/padded.gz
pack < $oddities/users_track/2026-11-18/pretty.json > $out/users_track/2026-11-18/pretty.json.gz
{
    printf '{"events":[],"note":"'
    repeat A 8400000
    printf '"}\n'
    cat $oddities/users_track/2026-11-18/array.json
} | pack > $out/users_track/2026-11-18/array.json.gz

# 19: many members, cut in the middle of lines, the last line without an end; lines over 1 MiB between others;
# bodies run together, and odd ones.
lines=$oddities/collector/2026-11-19/members.log
{
    head -c 1000 "$lines" | pack
    pack < /dev/null
    tail -c +1001 "$lines" | head -c 777 | pack
    tail -c +1778 "$lines" | pack
} > $out/collector/2026-11-19/members.log.gz
{
    sed -n 3,6p "$lines"
    printf '192.0.2.17 - - [19/Nov/2026:09:59:00 +0100] "GET /r/?id=h3300,'
    repeat a 1100000
    printf ',7 HTTP/1.1" 200 0 "-" "-"\n'
    sed -n 7,9p "$lines"
} | pack > $out/collector/2026-11-19/long.log.gz
{ printf 'mzip='; repeat A 1100000; echo; } | pack > $out/mzip/2026-11-19/long.gz
pack < $oddities/users_track/2026-11-19/oddities.json > $out/users_track/2026-11-19/oddities.json.gz
pack < $oddities/users_track/2026-11-19/together.json > $out/users_track/2026-11-19/together.json.gz

# A Campaign Classic host.
mkdir -p $out/campaign-classic/2026-11-19
pack < $oddities/campaign-classic/2026-11-19/access.log > $out/campaign-classic/2026-11-19/access.log.gz

# What is held back or partial: a file that was cut (17), one with a damaged second member (18), both of them and
# too many rejects (19); a sound file on each.
mkdir -p $out/faulty/2026-11-17 $out/faulty/2026-11-18 $out/faulty/2026-11-19
sound=$oddities/faulty/sound.log
for day in 17 18 19; do
    sed "s/19\/Nov/$day\/Nov/" $sound | pack > $out/faulty/2026-11-$day/sound.log.gz
done
for day in 17 19; do
    sed "s/19\/Nov/$day\/Nov/; s/id=h7/id=h8/" $sound | pack | head -c 1200 > $out/faulty/2026-11-$day/truncated.log.gz
done
for day in 18 19; do
    {
        sed "s/19\/Nov/$day\/Nov/; s/id=h7/id=h9/" $sound | head -n 50 | pack
        # The first ten bytes are the header; what follows is no deflate data.
        head -n 50 $sound | pack | head -c 10
        repeat '\377' 300
        sed "s/19\/Nov/$day\/Nov/; s/id=h7/id=ha/" $sound | tail -n 50 | pack
    } > $out/faulty/2026-11-$day/damaged.log.gz
done
pack < $oddities/faulty/rejects.log > $out/faulty/2026-11-19/rejects.log.gz

find $out -type f -exec ls -l {} + | awk '{ sum += $5 } END { print NR " files, " sum " bytes" }'
