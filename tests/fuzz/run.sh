#!/bin/bash
# SPDX-License-Identifier: MIT
# Fuzzes for a long time, in a tree that was configured with --enable-fuzzers CC=clang:
#
#     run.sh [-q] [-n RUNS] [-t SECONDS] TARGET...   until each target has had RUNS inputs (10,000,000)
#     run.sh -r FOLDER TARGET...                     runs the inputs in another tree's FOLDER once
#     run.sh -m TARGET...                            adds inputs that reach more to the seeds
#
# -q tries many inputs in little time: short ones, in a tree without sanitizers (configure
# LIB_FUZZING_ENGINE=-fsanitize=fuzzer CFLAGS='-O2 -fsanitize=fuzzer-no-link'), which runs three to
# thirty times as many. Then -r runs the inputs that reached something new in a tree with
# sanitizers. Targets are tests/fuzz/fuzz_NAME. ./fuzz/ is kept between calls: NAME/ has the inputs
# that reached something new; NAME.runs the number of inputs tried; NAME.log the output;
# NAME-crash-* and similar files are findings. A target ends after a finding, and then the script
# ends with status 1.
# -t limits the time for each target in this call.
# In the end the script prints a table: total inputs, inputs per second of processor time, branches
# reached (edges of the control flow, in all code that is linked), inputs kept, findings.
set -u
runs=10000000 seconds=0 merge='' again='' quick=()
while getopts qn:t:r:m option; do
    case $option in
    q) quick=(-max_len=512 -entropic=0) ;;
    r) again=$OPTARG ;;
    n) runs=$OPTARG ;;
    t) seconds=$OPTARG ;;
    m) merge=1 ;;
    *) sed -n '3,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
top=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
seeds=$top/tests/fuzz/seeds
SEED_MAX=2048 # maximum size in bytes of an input that becomes a seed
status=0

name_of() { basename "$1" | sed 's/^fuzz_//'; }
tried() { cat "fuzz/$1.runs" 2>/dev/null || echo 0; }
findings() { find fuzz -maxdepth 1 -name "$1-*" -type f | wc -l; }
kept() { find "fuzz/$1" -type f | wc -l; }

# stat_of LOG NAME: prints the last number with that name in libFuzzer's output.
stat_of() { sed -n "s/.*$2: *\([0-9][0-9]*\).*/\1/p" "$1" | tail -n 1; }

# row NAME: prints the target's row of the table.
row() {
    local log=fuzz/$1.log rate cover
    rate=$(awk -v runs="$(stat_of "$log" stat::number_of_executed_units)" \
        '{ if ($1 + $2 > 0) printf "%d", runs / ($1 + $2) }' "fuzz/$1.time" 2>/dev/null)
    cover=$(stat_of "$log" cov)
    printf '%-24s %10d %8s %8s %7d %8d\n' "$1" "$(tried "$1")" "${rate:--}" "${cover:--}" \
        "$(kept "$1")" "$(findings "$1")"
}

# fuzz TARGET: runs as many inputs as are missing.
fuzz() {
    local name left executed bounds=()
    name=$(name_of "$1")
    left=$((runs - $(tried "$name")))
    mkdir -p "fuzz/$name"
    [ "$left" -gt 0 ] || return 0
    [ "$seconds" -eq 0 ] || bounds=("-max_total_time=$seconds")
    TIMEFORMAT='%U %S'
    { time nice -n 19 "$1" -runs="$left" "${bounds[@]}" "${quick[@]}" -print_final_stats=1 -timeout=25 \
        -artifact_prefix="fuzz/$name-" -dict="$top/tests/fuzz/dictionaries/${name%%_*}.dict" \
        "fuzz/$name" "$seeds/$name" >"fuzz/$name.log" 2>&1; } 2>"fuzz/$name.time" || status=1
    executed=$(stat_of "fuzz/$name.log" stat::number_of_executed_units)
    echo $(($(tried "$name") + ${executed:-0})) >"fuzz/$name.runs"
}

# merge TARGET: adds inputs that reach branches which no seed reaches, the smallest first.
merge() {
    local name
    name=$(name_of "$1")
    "$1" -merge=1 -set_cover_merge=1 -use_counters=0 -max_len=$SEED_MAX -timeout=25 \
        "$seeds/$name" "fuzz/$name" >"fuzz/$name.merge.log" 2>&1 || status=1
}

# run_again TARGET: runs another tree's inputs. Findings of sanitizers are reported, and left in
# ./fuzz/.
run_again() {
    local name
    name=$(name_of "$1")
    if "$1" -runs=0 -timeout=25 -artifact_prefix="fuzz/$name-" "$again/$name" >"fuzz/$name.again.log" 2>&1; then
        echo "$name: $(find "$again/$name" -type f | wc -l) inputs, well"
    else
        echo "$name: see fuzz/$name.again.log"
        status=1
    fi
}

mkdir -p fuzz
if [ -n "$again" ]; then
    for target; do run_again "$target"; done
    exit "$status"
fi
for target; do
    if [ -n "$merge" ]; then merge "$target"; else fuzz "$target"; fi
done
printf '%-24s %10s %8s %8s %7s %8s\n' target inputs a_second branches kept findings
for target; do
    row "$(name_of "$target")"
done
exit "$status"
