#!/usr/bin/env bash
# Fuzzes all that reads bytes from outside, with libFuzzer and the address sanitizer, against Tests/Reference.
#
#   Tests/Fuzz/fuzz.sh SECONDS [Blocks] [Layouts] [Bodies] [TimesAndIDs]
#
# With ISAL=1 in the environment the files are unpacked by ISA-L, as with the package's trait of that name, in .build/fuzz-isal.
#
# Builds a fuzzer of each target in .build/fuzz, seeds its corpus there from SampleLogs, and runs it for SECONDS (0: builds it
# only); ends with 1 if one finds something, whose input then lies in .build/fuzz as TARGET-crash-….
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?how many seconds a target}
shift
[ $# -gt 0 ] || set -- Blocks Layouts Bodies TimesAndIDs
build=.build/fuzz${ISAL:+-isal}
mkdir -p "$build"

# The modules are compiled anew, so that the fuzzer sees their branches.
swift=(swiftc -O -g -wmo -parse-as-library -enable-testing -swift-version 6 -package-name pushetl
    -sanitize=fuzzer,address -I "$build" -Xcc "-fmodule-map-file=Sources/CZlib/module.modulemap"
    -Xcc -fmodule-map-file=Sources/CXattr/module.modulemap)
for name in CVectors CChecksum; do
    printf 'module %s {\n    umbrella "%s"\n    export *\n}\n' "$name" "$PWD/Sources/$name/include" > "$build/$name.modulemap"
    swift+=(-Xcc "-fmodule-map-file=$build/$name.modulemap" -Xcc "-ISources/$name/include")
done
if [ "${ISAL:-}" = 1 ]; then swift+=(-DISAL -Xcc -fmodule-map-file=Sources/CISAL/module.modulemap -lisal); fi

# module NAME FOLDER FLAGS…: compiles a module, unless neither its sources nor a module before it have changed.
isAnew=
module() {
    if [ -z "$isAnew" ] && [ -e "$build/$1.o" ] && [ -z "$(find "$2" -newer "$build/$1.o")" ]; then return; fi
    isAnew=1
    rm -f "$build/$1.o"
    "${swift[@]}" -module-name "$1" -emit-module -emit-module-path "$build/$1.swiftmodule" -c -o "$build/$1.o" \
        $(find "$2" -name "*.swift") "${@:3}"
}
echo "compiling"
for source in Sources/CChecksum/checksum.c Sources/CVectors/form.c Sources/CVectors/lines.c; do
    clang -O2 -g -fsanitize=fuzzer-no-link,address -c "$source" -I"$(dirname "$source")/include" \
        -o "$build/$(basename "$source" .c).o"
done
module Reference Tests/Reference &
for name in Posix Hashing Calendar Messages Events LogFiles Records; do
    module "$name" "Sources/$name" -enable-experimental-feature Lifetimes
done
wait $!
for target in "$@"; do
    "${swift[@]}" -module-name "Fuzz$target" -use-ld=lld -o "$build/$target" Tests/Fuzz/Common.swift "Tests/Fuzz/$target.swift" \
        "$build"/{Calendar,Posix,Hashing,Messages,Events,LogFiles,Records,Reference,checksum,form,lines}.o -lz
done
[ "$seconds" -gt 0 ] || exit 0

python3 Tests/Fuzz/seeds.py SampleLogs "$build/seeds"
found=0
for target in "$@"; do
    mkdir -p "$build/corpus/$target"
    echo "== $target, $seconds s"
    # Swift loses some bytes of each regular expression when it makes it. What is lost with each input meets the limit.
    SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 "$build/$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$build/$target-" "$build/corpus/$target" \
        "$build/seeds/$target" 2> "$build/$target.log" || found=1
    grep -E 'ERROR|SUMMARY|^the |^the program|stat::number_of_executed|Test unit written' "$build/$target.log" || true
    grep -E 'DONE' "$build/$target.log" || tail -n 40 "$build/$target.log"
done
exit "$found"
