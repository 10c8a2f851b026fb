#!/bin/bash
# SPDX-License-Identifier: MIT
# tour-picture.sh DUMP PICTURE: makes README's picture from the tree of the example dump. Needs
# ImageMagick, and gpudump in PATH. `make docs/tour.png` calls it.
set -eu -o pipefail
dump=$1 picture=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

frame=by-frame/000200
tiles=(frames/000200.png frames/000420.png "$frame/draws/00556.png" "$frame/draws/00556-touched.png"
    "$frame/wireframe.png" "$frame/overdraw.png")
arguments=()
for tile in "${tiles[@]}"; do
    file=$scratch/${tile//\//_}
    gpudump cat "$dump" "$tile" >"$file"
    # Shows only the part of video memory in which the frame was drawn.
    case $tile in
    */wireframe.png | */overdraw.png) mogrify -crop 320x240+0+240 +repage "$file" ;;
    esac
    arguments+=(-label "$tile" "$file")
done
montage -font DejaVu-Sans-Mono -pointsize 11 -background '#101418' -fill '#d0d8e0' "${arguments[@]}" \
    -tile 3x -geometry 320x240+6+4 -depth 8 -strip "png:$scratch/montage.png"
convert "$scratch/montage.png" -dither none -colors 255 -strip -define png:exclude-chunks=date,time "png:$picture"
