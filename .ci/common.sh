# What `.ci/run` and `.ci/long` share. Both take a clean clone on a bare Debian machine with the Swift toolchain.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export DEBIAN_FRONTEND=noninteractive
logs=$(mktemp -d)
program=.build/release/pushetl
sudo=$([ "$(id -u)" = 0 ] || echo sudo)

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }

# Prints a file in ASCII: some viewers of what CI has printed leave out lines with other characters.
plain() { LC_ALL=C tr -cd '\t\n -~' < "$1"; }

# Begins a function in the background; what it prints comes with `finish`.
declare -A pids
begin() {
    "$1" > "$logs/$1" 2>&1 &
    pids[$1]=$!
}
# Waits for functions. What those that fail have printed comes once more with `conclude`.
failed=()
finish() {
    local name
    for name; do
        wait "${pids[$name]}" || failed+=("$name")
        step "$name"
        plain "$logs/$name"
    done
}
together() {
    local name
    for name; do begin "$name"; done
    finish "$@"
}
# The end: one run tells all that fails.
conclude() {
    local name
    for name in "${failed[@]}"; do
        step "$name: failed"
        plain "$logs/$name" | tail -n 50
    done
    printf 'all of it took %d s\n' "$SECONDS"
    [ "${#failed[@]}" = 0 ]
}

# What the tests and the scripts of both take from Debian, and more.
packages() {
    $sudo apt-get update -q
    $sudo apt-get install -y -q libz-dev libsqlite3-dev gzip pigz zopfli python3 python3-jsonschema python3-venv sqlite3 procps \
        python3-yaml strace tzdata valgrind xz-utils zstd lz4 bzip2 zip tar jq logrotate "$@"
}
# A Python with packages of its own: NAME PACKAGE…
venv() {
    python3 -m venv "$logs/$1"
    "$logs/$1/bin/pip" install -q "${@:2}"
}

build() {
    local log
    log=$(mktemp)
    if ! swift build -c release --static-swift-stdlib "$@" > "$log" 2>&1; then
        cat "$log"
        exit 1
    fi
    if grep -E "$PWD/(Sources|Tests)/.*warning:" "$log"; then exit 1; fi
}
# Each module in one go takes a fifth less than in parts, of which each reads the whole module.
whole=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2)
build_tests() { swift build --build-tests "${whole[@]}" 2>&1 | tail -n 50; }

# The README's command, on the program that people install; nothing that a test needs may be missing. Two tests at a time, since
# each waits for the disk now and then, and something else runs beside them. Prints what became of the random cases, each
# recorded issue as a whole, the ten slowest tests, and how the run ended.
tests() {
    local code=0
    export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 PUSHETL_TOOLS=required PUSHETL_BINARY=$PWD/$program
    swift test --disable-xctest "${whole[@]}" --event-stream-output-path "$logs/events" --event-stream-version 0 "$@" \
        > "$logs/output" 2>&1 || code=$?
    grep -E ' seeds: [0-9]+ same, ' "$logs/output" || true
    # The text of an issue ends where the next message begins.
    awk '/^(✘|◇|✔|➜|⚠)/ { isIssue = /recorded an issue/ } isIssue' "$logs/output"
    printf 'the slowest, in seconds:\n'
    # Where nothing was run there is none.
    jq -rn -f .ci/slowest.jq "$logs/events" || true
    grep -E '^(✘|✔|━) Test run ' "$logs/output" || tail -n 20 "$logs/output"
    return "$code"
}

# Scripts that let calls fail, kill, fill disks, cut the power and damage files. `faults OPTION… -- SCRIPT…`
faults() {
    local script code=0 options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    for script in "${@:2}"; do
        printf '%s\n' "-- $script ${options[*]}"
        python3 "Tests/Faults/$script.py" "$program" "${options[@]}" || code=1
    done
    return "$code"
}
