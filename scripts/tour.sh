#!/bin/bash
# SPDX-License-Identifier: MIT
# tour.sh FOLDER: the pictures of docs/tour.md in FOLDER, by the commands that stand in it, from
# example dumps of each format. Run by `make manual` in the build directory.
set -eu -o pipefail
folder=$1
page=$(dirname "$(realpath "$0")")/../docs/tour.md
build=$(realpath "${top_builddir:-.}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$build/examples/mkexample" "$scratch/example.psxgpu"
"$build/examples/mkapitrace" "$scratch/example.trace"
"$build/examples/mktrace" "$scratch/example.aerogputrace"
"$build/examples/mkreplay" "$scratch/example.gapir"
"$build/examples/mkrecording" "$scratch/example.csv"

sed -n '/^```sh$/,/^```$/ { /^```/!p }' "$page" >"$scratch/commands"
(cd "$scratch" && PATH=$build:$PATH bash -eu -o pipefail commands >said 2>&1) || {
    cat "$scratch/said" >&2
    exit 1
}
mkdir -p "$folder"
cp "$scratch"/*.png "$folder"
