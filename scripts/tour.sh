#!/bin/bash
# SPDX-License-Identifier: MIT
# tour.sh FOLDER: makes the pictures of docs/tour.md in FOLDER, with the commands in that page, from
# example dumps of each format; and those of docs/tour-real.md from dumps of the conformance corpus,
# if there is one (tests/README). `make manual` runs it in the build directory.
set -eu -o pipefail
folder=$1
source=$(realpath "$(dirname "$(realpath "$0")")/..")
build=$(realpath "${top_builddir:-.}")
corpus=${GPUDUMPFS_CORPUS:-$source/../shared/corpus}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$build/examples/mkexample" "$scratch/example.psxgpu"
"$build/examples/mkapitrace" "$scratch/example.trace"
"$build/examples/mktrace" "$scratch/example.aerogputrace"
"$build/examples/mkreplay" "$scratch/example.gapir"
"$build/examples/mkrecording" "$scratch/example.csv"

# pictures PAGE: runs the commands in the page.
pictures() {
    sed -n '/^```sh$/,/^```$/ { /^```/!p }' "$source/docs/$1" >"$scratch/commands"
    (cd "$scratch" && PATH=$build:$PATH bash -eu -o pipefail commands >said 2>&1) || {
        cat "$scratch/said" >&2
        exit 1
    }
}

pictures tour.md
if [ -d "$corpus" ]; then
    ln -s "$(realpath "$corpus")" "$scratch/corpus"
    pictures tour-real.md
fi
mkdir -p "$folder"
cp "$scratch"/*.png "$folder"
