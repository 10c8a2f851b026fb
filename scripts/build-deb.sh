#!/bin/sh
# SPDX-License-Identifier: MIT
# build-deb.sh TARBALL [FOLDER]: builds Debian's packages from a tarball of `make dist` into
# FOLDER (build-deb), and has lintian look at them: what it calls an error is one.
# DEB_BUILD_OPTIONS=nocheck leaves the tests out.
set -eu
tarball=$(realpath "$1")
folder=${2:-build-deb}

for program in dpkg-buildpackage dh lintian; do
    command -v $program >/dev/null || {
        echo "build-deb.sh: as root:  apt-get install build-essential debhelper lintian" >&2
        exit 1
    }
done

name=$(basename "$tarball" .tar.xz)
version=${name#gpudumpfs-}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cp "$tarball" "gpudumpfs_$version.orig.tar.xz"
tar -xf "$tarball"
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS
(cd "$name" && dpkg-buildpackage -us -uc)
lintian --fail-on error --tag-display-limit 0 ./*.changes
