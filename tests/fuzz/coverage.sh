#!/bin/bash
# SPDX-License-Identifier: MIT
# coverage.sh TARGET... [-- TEST...]: prints which part of the parsers' branches the fuzz targets
# reach with their seeds and the inputs in ./fuzz/ (run.sh), and which part they reach together with
# the parsers' module tests, in a row for each folder of parsers. Needs a tree that was configured
# with CC=clang --disable-hardening CFLAGS='-O0 -fprofile-instr-generate -fcoverage-mapping'.
set -u
export top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
seeds=$top_srcdir/tests/fuzz/seeds
folders='src/base src/source src/image src/worker src/formats/aerogpu src/formats/aerogpu/decode
    src/formats/apitrace/container src/formats/apitrace/decode src/formats/apitrace/index
    src/formats/gapir/container src/formats/gapir/decode src/formats/gapir/replay
    src/formats/gfxreconstruct src/formats/gfxreconstruct/decode src/formats/psx
    src/formats/psx/gpu src/formats/psx/index src/formats/vma src/formats/vma/decode
    src/formats/vma/index src/formats/vma/replay'
rm -rf coverage && mkdir coverage || exit 1

# objects PROGRAM...: prints the programs as arguments for llvm-cov.
objects() {
    local first=1 program
    for program; do
        [ -z "$first" ] || { printf '%s\n' "$program"; first=; continue; }
        printf -- '-object\n%s\n' "$program"
    done
}

# summary PROFILE PROGRAM...: prints `path branches missed` for each of our own files.
summary() {
    local profile=$1
    shift
    mapfile -t arguments < <(objects "$@")
    llvm-cov report -instr-profile="$profile" "${arguments[@]}" "$top_srcdir/src" 2>/dev/null |
        awk '$1 ~ /\.[ch]$/ && $(NF - 2) ~ /^[0-9]+$/ { print $1, $(NF - 2), $(NF - 1) }'
}

# run_all KIND PROGRAM...: runs the programs, and merges their profiles.
run_all() {
    local kind=$1 program name
    shift
    for program; do
        name=$(basename "$program")
        mapfile -t inputs < <(for folder in "$seeds/${name#fuzz_}" "fuzz/${name#fuzz_}"; do
            [ ! -d "$folder" ] || echo "$folder"
        done)
        [ "$kind" = fuzz ] || inputs=()
        LLVM_PROFILE_FILE="coverage/$kind-$name.%m.raw" "$program" "${inputs[@]}" \
            >"coverage/$name.log" 2>&1 || echo "$program: see coverage/$name.log" >&2
    done
    llvm-profdata merge -sparse coverage/*.raw -o "coverage/$kind.profile"
}

targets=() tests=() into=targets
for argument; do
    case $argument in
    --) into=tests ;;
    tests/fuzz/* | */fuzz_*) targets+=("$argument") ;;
    */base/* | */source/* | */image/* | */formats/*) [ $into = targets ] || tests+=("$argument") ;;
    esac
done
run_all fuzz "${targets[@]}"
summary coverage/fuzz.profile "${targets[@]}" >coverage/fuzz.summary
[ ${#tests[@]} -eq 0 ] || run_all both "${tests[@]}"
[ ! -e coverage/both.profile ] ||
    summary coverage/both.profile "${targets[@]}" "${tests[@]}" >coverage/both.summary
[ -e coverage/both.summary ] || cp coverage/fuzz.summary coverage/both.summary

printf '%-34s %8s %8s %8s\n' folder branches fuzzed tested
for folder in $folders; do
    # Counts only files directly in that folder. llvm-cov omits the part that all paths have in
    # common.
    awk -v folder="/$folder" '
        function share(missed, all) { return all == 0 ? 0 : 100 * (all - missed) / all }
        { path = "/src/" $1; sub(/\/[^\/]*$/, "", path); sub(/^.*\/src\//, "/src/", path) }
        path == folder { all[FILENAME] += $2; missed[FILENAME] += $3 }
        END { f = ARGV[1]; t = ARGV[2]
            printf "%-34s %8d %7.1f%% %7.1f%%\n", substr(folder, 2), all[f],
                share(missed[f], all[f]), share(missed[t], all[t]) }' \
        coverage/fuzz.summary coverage/both.summary
done
