#!/bin/bash
# SPDX-License-Identifier: MIT
# clean-root.sh FOLDER: tries Debian's packages of FOLDER (scripts/build-deb.sh) as a user of a
# new machine would: in a root with Debian 12 and nothing else, they are installed, pass debian/tests,
# are upgraded and removed, and leave nothing behind. As root, with mmdebstrap.
set -eu -o pipefail
if [ -z "${IN_A_NAMESPACE:-}" ]; then
    for program in mmdebstrap dpkg-deb; do
        command -v $program >/dev/null || {
            echo "clean-root.sh: as root:  apt-get install mmdebstrap" >&2
            exit 1
        }
    done
    IN_A_NAMESPACE=1 exec unshare --mount "$0" "$@" # mounts end with it
fi
folder=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")

# The mounts first, so that nothing of the machine's own /dev is removed; errors there are no
# failure of the packages.
cleaned_up() {
    umount -R -l "$root/dev" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root" || true
}

root=$(mktemp -d "${TMPDIR:-/tmp}/gpudumpfs-root.XXXXXX")
trap cleaned_up EXIT

inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# said WHAT COMMAND...: a line for each step, and its output when it fails.
said() {
    local what=$1
    shift
    if "$@" >"$root/tmp/said" 2>&1 </dev/null; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        tail -n 40 "$root/tmp/said"
        exit 1
    fi
}

# What stands in the root, but for what apt, dpkg and mount(8) keep for themselves.
files() {
    (cd "$root" && find . -xdev \( -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log \
        -o -path ./var/lib/dpkg -o -path ./tmp -o -path ./packages -o -path ./source \
        -o -path ./etc/ld.so.cache -o -path ./etc/mtab.fuselock -o -path ./run \) -prune -o -print | sort)
}

# The same packages, of a later version.
later() {
    local deb tree=$root/tmp/tree
    mkdir -p "$root/packages/later"
    for deb in "$root"/packages/*.deb; do
        rm -rf "$tree" && dpkg-deb -R "$deb" "$tree" &&
            sed -i -E 's/^(Version: .*)$/\1+later/; s/(gpudumpfs[a-z]* \(= [^)]*)/\1+later/' "$tree/DEBIAN/control" &&
            dpkg-deb -b --root-owner-group "$tree" "$root/packages/later" || return
    done
}

# installed FOLDER-IN-ROOT
installed() {
    local packages=("$root/$1"/*.deb)
    inside apt-get install -y --no-install-recommends "${packages[@]#"$root"}"
}

# What the tests are built with is there before; apt's lists stay.
mmdebstrap --quiet --variant=apt --include=gcc,libc6-dev,pkg-config,mount --skip=cleanup/apt bookworm "$root"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
mount -t proc proc "$root/proc"
mkdir "$root/packages" "$root/source"
cp "$folder"/*.deb "$root/packages"
# Python's package brings half of Python along; tests/programs/python.tap tries it.
rm -f "$root"/packages/*-dbgsym_*.deb "$root"/packages/python3-*.deb
cp -r "$source/examples" "$source/debian" "$root/source"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
files >"$root/tmp/before"
said "install" installed packages
for name in recorder mount opengl; do
    said "debian/tests/$name" inside sh -c "cd /source && debian/tests/$name"
done
said "packages of a later version" later
said "upgrade" installed packages/later
said "debian/tests/mount, upgraded" inside sh -c 'cd /source && debian/tests/mount'
said "remove" inside apt-get purge -y --autoremove gpudumpfs gpudumpfs-glworker libpsxgpudump-dev
files >"$root/tmp/after"
said "nothing is left" diff "$root/tmp/before" "$root/tmp/after"
