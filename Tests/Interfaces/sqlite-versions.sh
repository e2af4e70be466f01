#!/usr/bin/env bash
# Runs the tests of what SQLite keeps with other versions of SQLite than the system's: the oldest that pushetl supports, the newest
# that Debian has, and the newest once more with its own asserts and checks of arguments (SQLITE_DEBUG, API_ARMOR).
#
#   Tests/Interfaces/sqlite-versions.sh PROGRAM [FILTER]
#
# The tests must have been built ('swift build --build-tests'). FILTER is a regular expression for their names. The sources are
# those of Debian's packages, from deb.debian.org. It needs cc, curl, make, tclsh and xz.
set -euo pipefail
cd "$(dirname "$0")/../.."
PUSHETL_BINARY=$(realpath "${1:?give the program, as .build/release/pushetl}")
filter=${2:-'OutputTests|SQLiteTests|HistoriesTests|SharedFileTests|RetentionTests'}
export PUSHETL_BINARY
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sources of SQLite in a release of Debian, in $work/RELEASE.
sources() {
    local release=$1 entry folder name hash
    entry=$(curl -sSf "http://deb.debian.org/debian/dists/$release/main/source/Sources.xz" | xz -dc |
        awk -v RS= '/^Package: sqlite3\n/')
    folder=$(sed -n 's/^Directory: //p' <<< "$entry")
    read -r hash _ name <<< "$(grep -E '^ [0-9a-f]{64} .*orig\.tar\.xz$' <<< "$entry")"
    mkdir "$work/$release"
    curl -sSf "http://deb.debian.org/debian/$folder/$name" -o "$work/$name"
    sha256sum --quiet -c <<< "$hash  $work/$name"
    tar -xJf "$work/$name" -C "$work/$release" --strip-components 1
    (cd "$work/$release" && ./configure > configure.log && make sqlite3.c > make.log)
}

# Compiles RELEASE as the library LIBRARY, with more options.
library() {
    mkdir "$work/$2"
    cc -shared -fPIC -Wl,-soname,libsqlite3.so.0 -o "$work/$2/libsqlite3.so.0" -DSQLITE_THREADSAFE=1 \
        -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB "${@:3}" "$work/$1/sqlite3.c" -lm
}

echo "building"
sources bookworm
sources sid
library bookworm oldest -O2
library sid newest -O2
library sid checked -O1 -DSQLITE_DEBUG -DSQLITE_ENABLE_API_ARMOR
code=0
for version in oldest newest checked; do
    export LD_LIBRARY_PATH=$work/$version
    [[ $(ldd "$PUSHETL_BINARY") == *"$work/$version"* ]] || { echo "$PUSHETL_BINARY has SQLite built in" >&2; exit 1; }
    printf '%s: SQLite %s, %d s\n' "$version" \
        "$(python3 -c 'import sqlite3; print(sqlite3.sqlite_version)')" "$SECONDS"
    .build/debug/pushetlPackageTests.xctest --testing-library swift-testing --filter "$filter" > "$work/output" 2>&1 || {
        code=1
        grep -E -A 20 '^✘|recorded an issue' "$work/output" || tail -n 50 "$work/output"
    }
    grep -E 'Test run with| seeds: ' "$work/output" || true
done
exit "$code"
