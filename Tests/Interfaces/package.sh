#!/usr/bin/env bash
# Proves the Debian package: makes it twice, installs it with apt into a bare Debian root, and there runs the sample logs and
# thirty nights as the user pushetl, looks at the manual, the completions and the units, starts these under a systemd of that
# root's, removes it, purges it and installs it again. There is no Swift in that root.
#
#   sudo Tests/Interfaces/package.sh [RELEASE]
#
# RELEASE is that of the root, such as trixie; this machine's, unless given. It needs root, the program as
# `Sources/packaging/install.sh --build --isal` builds it, and
#   apt-get install -y dpkg-dev gcc lintian mmdebstrap sqlite3 systemd systemd-container
set -euo pipefail
sources=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# `_apt` and the user of the package must get in.
chmod 755 "$work"
root=$work/debian

step() { printf '%4d s  %s\n' "$SECONDS" "$1"; }
fail() { printf 'fault: %s\n' "$1" >&2; exit 1; }
# Programs find their arguments in /proc.
inside() {
    unshare --pid --fork --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
# Runs a command, whose output must contain the given text.
expect() {
    local text=$1 output
    shift
    output=$("$@" 2>&1) || fail "$* ends with $?: $output"
    [[ $output == *"$text"* ]] || fail "$*: does not say '$text': $output"
}

step "the package, twice"
"$sources/Sources/packaging/install.sh" --no-build --deb "$work/first" > /dev/null
sleep 1
"$sources/Sources/packaging/install.sh" --no-build --deb "$work/second" > /dev/null
cmp "$work"/first/*.deb "$work"/second/*.deb || fail "the package is another one the second time"
package=$(echo "$work"/first/*.deb)
ls -l "$package" "$sources/.build/packaging/made/pushetl"
dpkg-deb --field "$package"
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$package"

step "a bare Debian"
release=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
mmdebstrap --quiet --variant=apt --include=bash-completion,dbus,logrotate,man-db,systemd-sysv "$release" "$root" \
    "deb http://deb.debian.org/debian $release main"

step "installing"
inside apt-get update -q > /dev/null
cp "$package" "$root/opt/pushetl.deb"
inside apt-get install -y -q --no-install-recommends /opt/pushetl.deb > "$work/apt" 2>&1 || fail "$(cat "$work/apt")"
[ -z "$(find "$root" -xdev -iname '*libswift*' -print -quit)" ] || fail "there is Swift in $root"
expect "pushetl adm" inside id -nG pushetl
expect "750 pushetl pushetl" inside stat -c '%a %U %G' /var/lib/pushetl
expect "ISA-L" inside pushetl --version
expect "libisal2" inside dpkg-query --show --showformat '${Depends}' pushetl
expect "/etc/pushetl/push.yaml: valid, 1 source" inside pushetl validate /etc/pushetl/push.yaml
[ ! -e "$root/etc/systemd/system/timers.target.wants/pushetl.timer" ] || fail "the timer is enabled"

step "the manual and the completions"
rm -f "$root/etc/dpkg/dpkg.cfg.d/excludes"
for page in "$root"/usr/share/man/man1/pushetl*; do
    expect "pushetl" inside man --warnings -l "${page#"$root"}"
    [ -z "$(inside man --warnings -l "${page#"$root"}" 2>&1 > /dev/null)" ] || fail "$page has faults"
done
expect "Load a log date" inside man pushetl run
expect "pushetl.prom" inside man pushetl run
[ -z "$(ls "$root"/usr/share/man/man1 | grep spark)" ] || fail "there are pages of commands for pushetl_spark.py alone"
expect "--catch-up" inside bash -c '
    . /usr/share/bash-completion/bash_completion
    _completion_loader pushetl
    COMP_WORDS=(pushetl run --c) COMP_CWORD=2 COMP_LINE="pushetl run --c" COMP_POINT=15
    "$(complete -p pushetl | sed "s/.*-F \([^ ]*\).*/\1/")" pushetl --c run
    echo "${COMPREPLY[@]}"'

step "the units"
inside systemd-analyze verify pushetl.service pushetl.timer > "$work/units" 2>&1 || fail "$(cat "$work/units")"
[ ! -s "$work/units" ] || fail "$(cat "$work/units")"
# In tenths: 1.5 of 10, where 10 is a service without any protection.
inside systemd-analyze --no-pager security --offline=true --threshold=15 pushetl.service > "$work/units" 2>&1 \
    || fail "$(cat "$work/units")"
tail -n 1 "$work/units"

step "the sample logs, as the user pushetl"
cp -r "$sources/SampleLogs" "$sources/Pipelines" "$root/srv"
sed -i 's|^output:.*|output: /var/lib/pushetl/samples|' "$root/srv/Pipelines/push.yaml"
for date in 2026-11-17 2026-11-18 2026-11-19; do
    inside runuser -u pushetl -- pushetl run --date "$date" -p /srv/Pipelines/push.yaml > "$work/run" 2>&1 \
        || fail "run --date $date ends with $?: $(cat "$work/run")"
done
expect "records     5,308" cat "$work/run"
expect "no faults" inside runuser -u pushetl -- pushetl doctor -p /srv/Pipelines/push.yaml

step "thirty nights, with logrotate as the example has it"
# A day has 3 to 9 hits. Each is in the log twice, and once more in that of the next day.
install -d -o root -g 4 "$root/var/log/web"
sed '/^#/d; s|/var/log/nginx|/var/log/web|; s/create .*/create 0640 root adm/' "$root/usr/share/doc/pushetl/examples/logrotate" \
    > "$root/root/logrotate"
sed 's|/var/log/nginx|/var/log/web|; s|^output:.*|output: /var/lib/pushetl/nights|' "$root/etc/pushetl/push.yaml" \
    > "$root/srv/nights.yaml"
cat > "$root/root/nights" <<'EOF'
set -eu
hits() {
    date=$(LC_ALL=C date -u -d "2026-09-01 + $1 days" +%d/%b/%Y)
    for id in $(seq $(($1 * 16)) $(($1 * 16 + 2 + $1 % 7))); do
        printf '192.0.2.1 - - [%s:10:00:00 +0000] "GET /r/?id=h%x,d,1 HTTP/1.1" 200 0 "-" "-"\n' "$date" $((id + 1))
    done
}
(umask 027; : > /var/log/web/access.log; chgrp adm /var/log/web/access.log)
# The first time logrotate only notes which logs there are.
env LD_PRELOAD=/opt/clock.so CLOCK="2026-09-01 00:00:05" logrotate --state /root/logrotate.state /root/logrotate
for number in $(seq 0 29); do
    { hits "$number"; hits "$number"; [ "$number" = 0 ] || hits $((number - 1)); } >> /var/log/web/access.log
    next=$(date -u -d "2026-09-02 + $number days" +%F)
    env LD_PRELOAD=/opt/clock.so CLOCK="$next 00:00:05" logrotate --state /root/logrotate.state /root/logrotate
    runuser -u pushetl -- env LD_PRELOAD=/opt/clock.so CLOCK="$next 02:30:00" \
        pushetl run -p /srv/nights.yaml --catch-up 3 --quiet
done
runuser -u pushetl -- env LD_PRELOAD=/opt/clock.so CLOCK="$next 12:00:00" \
    pushetl backfill -p /srv/nights.yaml --last 30 --output /var/lib/pushetl/once --quiet
EOF
# Programs see the time of the night.
cc -shared -fPIC -I "$sources/Tests/Clock/include" -o "$root/opt/clock.so" "$sources/Tests/Clock/clock.c"
inside sh /root/nights > "$work/nights" 2>&1 || fail "the nights: $(cat "$work/nights")"
for output in nights once; do
    sqlite3 "$root/var/lib/pushetl/$output/push.db" 'SELECT day, sum(events) FROM daily_totals GROUP BY day' > "$work/$output"
done
for number in $(seq 0 29); do
    printf '%s|%d\n' "$(date -u -d "2026-09-01 + $number days" +%F)" $((3 + number % 7))
done > "$work/expected"
diff "$work/expected" "$work/nights" || fail "the nights came to other figures"
diff "$work/expected" "$work/once" || fail "the backfill came to other figures"

step "the units at work, in a container with systemd"
# What the operator would do, with the pipeline as it is shipped and a web server's log of yesterday. A failure is then
# told by the example.
day=$(date -u -d yesterday +%Y%m%d)
install -d -o root -g 4 "$root/var/log/nginx"
for id in 1 2 3; do
    printf '192.0.2.1 - - [%s:10:00:00 +0000] "GET /r/?id=h%x,d,1 HTTP/1.1" 200 0 "-" "-"\n' \
        "$(LC_ALL=C date -u -d yesterday +%d/%b/%Y)" "$id"
done > "$root/var/log/nginx/access.log-$day"
chgrp 4 "$root/var/log/nginx/access.log-$day"
chmod 640 "$root/var/log/nginx/access.log-$day"
install -D -m 644 "$root/usr/share/doc/pushetl/examples/on-failure.conf" \
    "$root/etc/systemd/system/pushetl.service.d/on-failure.conf"
cp "$root/usr/share/doc/pushetl/examples/pushetl-failed.service" "$root/etc/systemd/system"
printf '#!/bin/sh\ncat > /root/mail\n' > "$root/usr/bin/mail"
chmod 755 "$root/usr/bin/mail"
cat > "$root/root/operator" <<'EOF'
exec > /root/said 2>&1
set -x
systemctl enable --now pushetl.timer
systemctl is-active pushetl.timer
systemctl list-timers --no-pager pushetl.timer
systemctl start pushetl.service && echo started
stat -c '%a %U %G %n' /var/lib/pushetl /var/lib/pushetl/push.db
runuser -u pushetl -- pushetl status -p /etc/pushetl/push.yaml
echo 'version: 9' > /etc/pushetl/push.yaml
systemctl start pushetl.service
systemctl show --property ExecMainStatus pushetl.service
for second in 1 2 3 4 5 6 7 8 9 10; do [ -s /root/mail ] && break; sleep 1; done
cat /root/mail
EOF
cat > "$root/etc/systemd/system/operator.service" <<'EOF'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh /root/operator
ExecStopPost=/bin/systemctl --no-block poweroff
TimeoutStartSec=90
EOF
mkdir -p "$root/etc/systemd/system/default.target.wants"
ln -s ../operator.service "$root/etc/systemd/system/default.target.wants/operator.service"
systemd-nspawn --quiet --register=no --keep-unit --console=pipe --directory "$root" --boot < /dev/null > "$work/boot" 2>&1 \
    || fail "the container: $(tail -n 20 "$work/boot")"
for text in started "640 pushetl pushetl /var/lib/pushetl/push.db" "days        1, 3 events" "ExecMainStatus=78" \
    "'version' must be 1, not 9"; do
    expect "$text" cat "$root/root/said"
done

step "removing, purging, installing again"
echo "# mine" >> "$root/etc/pushetl/push.yaml"
inside apt-get remove -y -q pushetl > /dev/null 2>&1
[ ! -e "$root/usr/bin/pushetl" ] || fail "the program is still there"
expect "# mine" cat "$root/etc/pushetl/push.yaml"
expect "/var/lib/pushetl is kept" inside apt-get purge -y -q pushetl
[ ! -e "$root/etc/pushetl" ] || fail "/etc/pushetl is still there"
[ ! -L "$root/etc/systemd/system/timers.target.wants/pushetl.timer" ] || fail "the timer's link is still there"
[ -s "$root/var/lib/pushetl/push.db" ] || fail "push.db is gone"
inside apt-get install -y -q --no-install-recommends /opt/pushetl.deb > "$work/apt" 2>&1 || fail "$(cat "$work/apt")"
expect "days        1, 3 events" inside runuser -u pushetl -- pushetl status -p /etc/pushetl/push.yaml

step "the same files without a package"
"$sources/Sources/packaging/install.sh" --no-build --destdir "$work/plain" > /dev/null
for file in bin/pushetl share/man/man1/pushetl-run.1.gz share/zsh/site-functions/_pushetl lib/sysusers.d/pushetl.conf; do
    [ -e "$work/plain/usr/local/$file" ] || fail "/usr/local/$file is missing"
done
expect "ExecStart=/usr/local/bin/pushetl run" cat "$work/plain/usr/local/lib/systemd/system/pushetl.service"
printf 'done in %d s\n' "$SECONDS"
