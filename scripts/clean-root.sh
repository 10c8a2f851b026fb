#!/bin/bash
# SPDX-License-Identifier: MIT
# clean-root.sh FOLDER [EARLIER]: tries the Debian packages in FOLDER (scripts/build-deb.sh) as a
# user of a new machine would. In a root with only Debian 12, they are installed, must pass
# debian/tests, are upgraded and removed, and must leave nothing behind. The upgrade is from the
# packages in the folder EARLIER or, without it, to the same packages with a later version. Needs
# root and mmdebstrap.
set -eu -o pipefail
if [ -z "${IN_A_NAMESPACE:-}" ]; then
    for program in mmdebstrap dpkg-deb; do
        command -v $program >/dev/null || {
            echo "clean-root.sh: as root:  apt-get install mmdebstrap" >&2
            exit 1
        }
    done
    IN_A_NAMESPACE=1 exec unshare --mount "$0" "$@" # the mounts disappear with it
fi
folder=$(realpath "$1")
earlier=${2:+$(realpath "$2")}
source=$(realpath "$(dirname "$0")/..")

# Unmounts first, so that nothing in the machine's own /dev is removed. Errors here do not mean that
# the packages are defective.
cleaned_up() {
    umount -R -l "$root/dev" "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work" || true
}

work=$(mktemp -d "${TMPDIR:-/tmp}/gpudumpfs-root.XXXXXX")
root=$work/root
trap cleaned_up EXIT

inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive HOME="$tried/home" AUTOPKGTEST_TMP="$tried" "$@"
}

# said WHAT COMMAND...: prints a line for each step, and the step's output if it fails.
said() {
    local what=$1
    shift
    if "$@" >"$work/said" 2>&1 </dev/null; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        tail -n 40 "$work/said"
        exit 1
    fi
}

# Prints the contents of the root, except what apt, dpkg and mount(8) keep for themselves: names of
# files, checksums of those in /etc (which include users and services), and packages, also those of
# which dpkg has only settings left. Files that a user keeps in ~/.cache/gpudumpfs do not belong to
# the packages, and stay.
traces() {
    (cd "$root" && find . -xdev \( -path ./var/lib/apt -o -path ./var/cache/apt -o -path ./var/cache/debconf \
        -o -path ./var/cache/ldconfig -o -path ./var/log -o -path ./var/lib/dpkg -o -path ./packages -o -path ./source \
        -o -path ./etc/ld.so.cache -o -path ./etc/mtab.fuselock -o -path ./run/lock -o -path ./run/mount \) -prune -o -print | sort
        find etc -type f ! -name ld.so.cache ! -name mtab.fuselock -exec sha256sum {} + | sort
        find var/lib/dpkg/info var/lib/dpkg/alternatives var/lib/dpkg/triggers | sort)
    inside dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n'
}

# Succeeds if no program of the root is running, and nothing is mounted there.
nothing_runs() {
    ! find /proc/[0-9]*/root -maxdepth 0 -lname "$root" 2>/dev/null | grep . &&
        ! grep -F " $root/" /proc/mounts | grep -v -E " $root/(dev|proc)[ /]"
}

# Builds the same packages with a later version.
later() {
    local deb tree=$work/tree
    mkdir -p "$root/packages/later"
    for deb in "$root"/packages/*.deb; do
        rm -rf "$tree" && dpkg-deb -R "$deb" "$tree" &&
            sed -i -E 's/^(Version: .*)$/\1+later/; s/(gpudumpfs[a-z]* \(= [^)]*)/\1+later/' "$tree/DEBIAN/control" &&
            dpkg-deb -b --root-owner-group "$tree" "$root/packages/later" || return
    done
}

# installed FOLDER-IN-ROOT: installs the packages in the folder.
installed() {
    local packages=("$root/$1"/*.deb)
    inside apt-get install -y --no-install-recommends "${packages[@]#"$root"}"
}

# brought FOLDER FOLDER-IN-ROOT: copies packages into the root, without Python's, which depends on
# many Python packages; tests/programs/python.tap tests it.
brought() {
    mkdir -p "$root/$2" && cp "$1"/*.deb "$root/$2" && rm -f "$root/$2"/*-dbgsym_*.deb "$root/$2"/python3-*.deb
}

# tried NAME: runs a test of debian/tests in a folder of its own.
tried() {
    rm -rf "${root:?}$tried" && mkdir -p "$root$tried/home" && inside sh -c "cd /source && debian/tests/$1" && rm -r "${root:?}$tried"
}

# Leaves a mount for the upgrade to find. debian/tests/mount describes where mounting is impossible.
mounted() {
    [ -c /dev/fuse ] || return 0
    # shellcheck disable=SC2016 # expanded by the shell in the root
    mkdir -p "$root$tried/home" && inside sh -c 'mkdir /tmp/mnt && gcc -o /tmp/recorder /source/examples/recorder.c $(pkg-config --cflags --libs psxgpudump) &&
        /tmp/recorder >/tmp/recorded.psxgpu && gpudumpfs /tmp/recorded.psxgpu /tmp/mnt && [ -s /tmp/mnt/frames.tsv ]'
}

still_mounted() {
    [ -c /dev/fuse ] || return 0
    inside sh -c 'head -c 4 /tmp/mnt/frames/000010.png | grep -q PNG && fusermount3 -u /tmp/mnt && rm -r /tmp/mnt /tmp/record*'
}

tried=/tmp/autopkgtest
# What building the tests needs is installed beforehand. apt's package lists are kept.
mmdebstrap --quiet --variant=apt --include=gcc,libc6-dev,pkg-config,mount --skip=cleanup/apt bookworm "$root"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
mount -t proc proc "$root/proc"
mkdir "$root/packages" "$root/source"
brought "${earlier:-$folder}" packages
cp -r "$source/examples" "$source/debian" "$root/source"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
traces >"$work/before"
said "install" installed packages
for name in recorder mount opengl; do
    said "debian/tests/$name" tried $name
done
said "a mount" mounted
if [ -n "$earlier" ]; then
    said "packages of the later version" brought "$folder" packages/later
else
    said "packages of a later version" later
fi
said "upgrade" installed packages/later
said "the mount, still" still_mounted
for name in recorder mount opengl; do
    said "debian/tests/$name, upgraded" tried $name
done
said "remove" inside apt-get purge -y --autoremove gpudumpfs gpudumpfs-glworker libpsxgpudump-dev
traces >"$work/after"
said "nothing is left" diff "$work/before" "$work/after"
said "nothing runs" nothing_runs
