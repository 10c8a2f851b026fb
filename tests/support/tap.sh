# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# tap.sh: what the .tap scripts share; they source it. Results are written as TAP: call check() for
# each, and tap_done at the end. `make check` sets the variables top_srcdir and top_builddir.

: "${top_srcdir:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
export top_srcdir top_builddir
tap_count=0

# tap_result ok|"not ok" NAME
tap_result() {
    tap_count=$((tap_count + 1))
    echo "$1 $tap_count - $2"
}

# check NAME COMMAND [ARGUMENT...]: passes if the command succeeds. Otherwise shows the command's output.
check() {
    local name=$1 output status
    shift
    output=$("$@" 2>&1 </dev/null)
    status=$?
    if [ $status -eq 0 ]; then
        tap_result ok "$name"
    else
        tap_result "not ok" "$name"
        printf '%s\n' "$output" "exit status $status" | head -n 40 | sed 's/^/# /'
    fi
}

# tap_skip NAME REASON: use few reasons, always in the same words (left-out.sh counts them).
tap_skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# tap_skip_all REASON: skips the complete script. Nothing may have been checked before.
tap_skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# Ends the script. A script that checked nothing fails, since `1..0` would count as skipped.
tap_done() {
    if [ "$tap_count" -eq 0 ]; then
        echo "Bail out! nothing was checked"
        exit 1
    fi
    echo "1..$tap_count"
    exit 0
}

# have PROGRAM...: succeeds if all of them are installed. With GPUDUMPFS_REQUIRE_CLIENTS=1 it always
# succeeds, so that the check that needs a missing program fails.
have() {
    local program
    [ "${GPUDUMPFS_REQUIRE_CLIENTS:-0}" != 1 ] || return 0
    for program; do
        command -v "$program" >/dev/null || return 1
    done
}

# Creates a folder for this script's files, $scratch, which is removed at the end with the mounts in it.
tap_folder() {
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpudumpfs-test.XXXXXX") || exit 1
    trap tap_clean EXIT
    trap 'exit 143' HUP INT TERM
    export scratch
}

tap_clean() {
    local place
    for place in "${tap_mounts[@]}"; do
        fusermount3 -u -q "$place" 2>/dev/null || fusermount3 -u -q -z "$place" 2>/dev/null
    done
    rm -rf "$scratch"
}
tap_mounts=()

# Skips the script if nothing can be mounted, unless GPUDUMPFS_REQUIRE_FUSE=1.
tap_need_fuse() {
    [ "${GPUDUMPFS_REQUIRE_FUSE:-0}" != 1 ] || return 0
    [ -w /dev/fuse ] || tap_skip_all "/dev/fuse cannot be opened"
    command -v fusermount3 >/dev/null || tap_skip_all "fusermount3 is not installed"
}

# Prints the rows of the list of formats: NAME TAB TITLE TAB FILES TAB WRITER, and perhaps TAB no pictures.
formats() {
    sed -n 's/^GPUDUMPFS_FORMAT(\[\(.*\)\])$/\1/p' "$top_srcdir/src/formats/formats.m4" |
        sed 's/\], *\[/\t/g'
}

# mount_dump DUMP MOUNTPOINT [OPTION...]: mounts a dump. A failure ends the script.
mount_dump() {
    local dump=$1 place=$2
    shift 2
    mkdir -p "$place"
    tap_mounts+=("$place")
    "$top_builddir/gpudumpfs" "$@" "$dump" "$place" && mountpoint -q "$place" && return
    echo "Bail out! $dump cannot be mounted at $place"
    exit 1
}

# unmount_dump MOUNTPOINT: retries while the mount is busy, since a --list of another test that runs
# at the same time uses every mount for a moment.
unmount_dump() {
    local tries=0
    until fusermount3 -u "$1"; do
        [ $((tries += 1)) -lt 500 ] || return
        sleep 0.02
    done
}

# Writes the example dump, once for a script: $example.
make_example() {
    example=$scratch/example.psxgpu
    "$top_builddir/examples/mkexample" "$example" "$@" || exit 1
    export example
}

# shellcheck disable=SC2034 # the reason for skipping a test that needs the corpus; the scripts use it
no_corpus="no corpus (GPUDUMPFS_CORPUS)"

# Prints the path of a file of the corpus. Prints nothing and returns 1 if there is no corpus.
corpus_file() {
    local corpus=${GPUDUMPFS_CORPUS:-$top_srcdir/../shared/corpus}
    [ -e "$corpus/$1" ] && echo "$corpus/$1" && return
    [ "${GPUDUMPFS_REQUIRE_CORPUS:-0}" != 1 ] || echo "$corpus/$1"
    [ "${GPUDUMPFS_REQUIRE_CORPUS:-0}" = 1 ]
}
