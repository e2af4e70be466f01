#!/bin/sh
# Makes SampleLogs/ anew: what loggen wrote from a fixed seed, and beside it the hand-made oddities of
# Tests/Fixtures/oddities. The files of real nginx (make-nginx-fixtures.sh) stay as they are.
#   sh Tests/Fixtures/make-sample-logs.sh
# The unpacked bytes are always the same; the gzipped ones too, as long as zlib and gzip stay the same.
set -eu
cd "$(dirname "$0")/../.."
oddities=Tests/Fixtures/oddities
out=SampleLogs

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# loggen as it was in this commit. README, the articles and the tests tell what its odd records come to; today's loggen
# takes other ones from the reference's generators.
mkdir "$made/former"
git archive be0464d516917c95e801cdba67426699ecda182c | tar -x -C "$made/former"
swift build --package-path "$made/former" --product loggen
loggen=$made/former/.build/debug/loggen
"$loggen" --seed 20261117 --records 5000 --from 2026-11-17 --to 2026-11-19 --deliveries 12 --level 9 --out "$made"

rm -rf $out/collector/2026-11-17 $out/collector/2026-11-18 $out/mzip $out/users_track $out/campaign-classic $out/faulty
rm -rf $out/nginx-log-format $out/apache-log-format $out/alb $out/cloudfront $out/gcp-lb $out/mzip-bodies
mkdir -p $out/collector/2026-11-19
find $out/collector/2026-11-19 -name '*.gz' ! -name 'nginx*' -exec rm {} +
rm -rf $out/deliveries
for kind in collector mzip users_track deliveries; do
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

# Delivery lists as Adobe Campaign and Braze write them: the one with a byte order mark and CRLF, the other with the
# events of its two deliveries.
rm -rf $out/deliveries-adobe $out/deliveries-braze
mkdir -p $out/deliveries-adobe $out/deliveries-braze/2026-11-19
{ printf '\357\273\277'; sed "s/\$/$(printf '\r')/" $oddities/deliveries-adobe/deliveries.csv; } \
    > $out/deliveries-adobe/deliveries.csv
cp $oddities/deliveries-braze/sends.csv $out/deliveries-braze/sends.csv
pack < $oddities/deliveries-braze/events.json > $out/deliveries-braze/2026-11-19/events.json.gz

# One traffic as five servers log it, in files named as theirs: four hours of a day in UTC, which lie within one day in
# Madrid. ALB, CloudFront and Cloud Logging write a file for each of these hours, nginx and Apache one for the day.
# The clicks that have an mcId come with their commas encoded. Beside it an nginx that logs arrivals.
logged() {
    comma=$(if [ "$2" = cloudfront ]; then echo %252C; else echo %2C; fi)
    "$loggen" --seed 20261119 --records "$3" --kinds "$1" --layout "$2" --from 2026-11-19 --timezone UTC --files 1 \
        --noise everyday --late 0 --user-agents 40 --deliveries 6 --out "$made/$1-$2" > "$made/said"
    gzip -dc "$made/$1-$2/$1/2026-11-19"/* |
        sed -E "s/id=(h[0-9a-f]+),([0-9a-f]+),2&/id=\1$comma\2${comma}2\&/"
}
tab=$(printf '\t')
hour() { grep -E "2026(-11-19)?[T:$tab]$1:"; }
hours() { grep -E "2026(-11-19)?[T:$tab](01|08|13|21):"; }

mkdir -p $out/nginx-log-format $out/apache-log-format $out/cloudfront $out/mzip-bodies
logged collector nginx 500 | hours |
    sed -E 's/^([^ ]+) - (\[.*)Z\] ("[^"]*" [0-9]+) ("[^"]*") "-"$/track.example.com \1 \2+00:00] \3 0.003 \4/' | pack \
    > $out/nginx-log-format/access.log-20261119.gz
logged collector combined 500 | hours | sed 's/^/track.example.com:443 /' | pack \
    > $out/apache-log-format/other_vhosts_access.log-20261119.gz

alb=$out/alb/AWSLogs/123456789012/elasticloadbalancing/eu-west-1/2026/11/19
gcp=$out/gcp-lb/requests/2026/11/19
balancer=123456789012_elasticloadbalancing_eu-west-1_app.push.50dc6c495c0c9188
mkdir -p $alb $gcp
logged collector alb 500 > "$made/alb"
logged collector cloudfront 500 > "$made/cloudfront"
logged collector gcp_lb 500 > "$made/gcp_lb"
while read -r begin end node id; do
    hour "$begin" < "$made/alb" | pack \
        > "$alb/${balancer}_20261119T${end}00Z_${node}_$id.log.gz"
    { head -n 2 "$made/cloudfront"; hour "$begin" < "$made/cloudfront"; } | pack \
        > "$out/cloudfront/E1PUSH2EXAMPLE.2026-11-19-$begin.$id.gz"
    hour "$begin" < "$made/gcp_lb" > "$gcp/$begin:00:00_$begin:59:59_S0.json"
done <<HOURS
01 02 203.0.113.80 1a5cvh0q
08 09 203.0.113.81 2b6dwi1r
13 14 203.0.113.80 3c7exj2s
21 22 203.0.113.81 4d8fyk3t
HOURS

logged mzip nginx 60 |
    sed -E 's/^[^ ]+ - \[(.*)Z\] ("POST [^"]*") ([0-9]+) "[^"]*" ("[^"]*")$/\1+00:00 \3 \2 \4/' | pack \
    > $out/mzip-bodies/arrivals.log-20261119.gz

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
