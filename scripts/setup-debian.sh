#!/bin/sh
# SPDX-License-Identifier: MIT
# setup-debian.sh [--ci]: installs the missing ones of the Debian packages that building, mounting
# and testing need. With --ci, also installs the programs of the wider tests: viewers, archivers,
# both compilers. Quick if nothing is missing.
set -eu

build='autoconf automake make gcc libc6-dev pkg-config
    libfuse3-dev libpng-dev zlib1g-dev libdeflate-dev libzstd-dev liblzma-dev liblz4-dev libjansson-dev
    libprotobuf-c-dev protobuf-c-compiler uthash-dev libbrotli-dev
    libegl-dev libopengl-dev libvkd3d-dev libspirv-cross-c-shared-dev libmojoshader-dev
    libffi-dev khronos-api libvulkan-dev libsqlite3-dev'
run='fuse3 libegl1 libegl-mesa0 libgl1-mesa-dri mesa-vulkan-drivers'
check='libcmocka-dev bash-completion cmark-gfm mandoc man-db pngcheck python3 python3-fsspec python3-jsonschema python3-numpy python3-yaml sqlite3 xz-utils zstd'
ci='systemd clang clang-format clang-tidy libclang-rt-dev shellcheck git rsync ffmpeg imagemagick feh fio file zip unzip attr
    libarchive-tools libgdk-pixbuf2.0-bin desktop-file-utils shared-mime-info libglib2.0-bin apitrace
    chromium chromium-driver gfxreconstruct vulkan-tools
    parallel munge slurm-client slurmctld slurmd
    build-essential debhelper lintian gnupg mmdebstrap rpm nix-bin
    gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    gcc-i686-linux-gnu libc6-dev-i386-cross qemu-user-static'

packages="$build $run $check"
case $(dpkg --print-architecture 2>/dev/null) in
amd64 | arm64) packages="$packages libisal-dev" ;; # no such package elsewhere
esac
[ "${1:-}" != --ci ] || packages="$packages $ci"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup-debian.sh: not a Debian system; these must be installed by its own means:" >&2
    # shellcheck disable=SC2086 # a list
    echo $packages >&2
    exit 0
fi

missing=
for package in $packages; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q -x installed ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo "setup-debian.sh: not root and no sudo; as root:  apt-get install$missing" >&2
        exit 1
    }
fi

echo "setup-debian.sh: installing$missing"
# shellcheck disable=SC2086 # a list
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends $missing </dev/null
}
# The package lists of a fresh machine are empty or out of date.
$as_root apt-get update -q </dev/null || echo "setup-debian.sh: apt-get update failed; continuing" >&2
install
