#!/bin/sh
# SPDX-License-Identifier: MIT
# build-deb.sh TARBALL [FOLDER]: builds Debian packages from a tarball of `make dist` in FOLDER
# (default: build-deb), and checks them with lintian. Fails if lintian reports an error.
# DEB_BUILD_OPTIONS=nocheck skips the tests.
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
