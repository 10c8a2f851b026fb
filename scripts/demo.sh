#!/bin/bash
# SPDX-License-Identifier: MIT
# demo.sh: writes the example dump, mounts it at ./mnt, and shows some commands to explore it.
# `make demo` runs it in the build directory. Another run mounts the dump again.
set -eu
top_builddir=${top_builddir:-.}
mountpoint=mnt
dump=example.psxgpu

fail() {
    printf 'demo: %s\n' "$@" >&2
    exit 1
}

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

"$top_builddir/examples/mkexample" "$dump"
echo "wrote $dump: $(stat -c %s "$dump") bytes"

[ -e /dev/fuse ] || fail 'there is no /dev/fuse, so nothing can be mounted here.' \
    'On a machine of your own: modprobe fuse. In a container, start it with' \
    '  --device /dev/fuse --cap-add SYS_ADMIN --security-opt apparmor=unconfined' \
    "Without a mount: $top_builddir/gpudump ls $dump"
command -v fusermount3 >/dev/null || fail 'there is no fusermount3: apt-get install fuse3'

# Unmounts what an earlier run has mounted, even if its program has died. This script made the
# directory itself, so the earlier program does not remove it when it ends, which could hit the next
# mount.
if grep -q " $(realpath -m "$mountpoint") fuse" /proc/mounts; then
    fusermount3 -u "$mountpoint" || fail "$mountpoint is in use; leave it and try again"
fi
mkdir -p "$mountpoint"

show "$top_builddir/gpudumpfs" "$dump" "$mountpoint"

show ls "$mountpoint"
printf '\n$ ls %s/frames | head -n 3\n' "$mountpoint"
find "$mountpoint/frames" -name '*.png' -printf '%f\n' | sort | head -n 3
show head -n 5 "$mountpoint/frames.tsv"

cat <<EOF

It stays mounted. Look around:

    xdg-open $mountpoint/frames/000042.png      any picture viewer will do
    less $mountpoint/README.txt                 a guide to the mount
    less $mountpoint/by-frame/000042/commands.txt
    ls -l $mountpoint/by-frame/000042           sizes are true, nothing is rendered
    cat $mountpoint/.gpudumpfs/cache.txt        what was rendered so far

And when you are done:

    fusermount3 -u $mountpoint
EOF
