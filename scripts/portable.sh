#!/bin/bash
# SPDX-License-Identifier: MIT
# portable.sh s390x|arm64|armhf|i386 FOLDER [TEST...]: builds for a machine of another byte order,
# instruction set or word size in FOLDER, with Debian's cross compiler, and runs gpudump and module
# tests by qemu's emulation of a process: TESTs, or those of readers, replays and writers of each
# format; for arm64, whose vectors draw PSX dumps, those of what draws them, and no more is built. `all`
# in their place is those of `make check-fast`. docs/portability.md tells which of them the emulation
# itself fails. As root: the libraries are unpacked, not installed, by mmdebstrap.
set -eu -o pipefail
machine=$1
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
source=$(realpath "$(dirname "$0")/..")
[ -x "$source/configure" ] || {
    echo "portable.sh: first:  autoreconf -fi" >&2
    exit 1
}
root=$folder/root

case $machine in
s390x) triplet=s390x-linux-gnu libraries=s390x-linux-gnu emulator=qemu-s390x-static ;;
arm64) triplet=aarch64-linux-gnu libraries=aarch64-linux-gnu emulator=qemu-aarch64-static ;;
armhf) triplet=arm-linux-gnueabihf libraries=arm-linux-gnueabihf emulator=qemu-arm-static ;;
i386) triplet=i686-linux-gnu libraries=i386-linux-gnu emulator=qemu-i386-static ;;
*) echo "portable.sh: not a machine that it knows: $machine" >&2 && exit 2 ;;
esac
for program in mmdebstrap $triplet-gcc $emulator; do
    command -v "$program" >/dev/null || {
        echo "portable.sh: as root:  apt-get install mmdebstrap qemu-user-static gcc-$triplet" >&2
        exit 1
    }
done

declare -A of_format=(
    [psx]='packet index gp0 registers transfer conformance dump_writer assembly area scanout'
    [aerogpu]='packets layout trace conformance texels'
    [gapir]='payload encodings conformance run cases'
    [vma]='line recording conformance golden snapshots'
    [apitrace]='containers conformance traces parts'
    [gfxreconstruct]='container calls')
chosen() {
    local format name
    for name in wide bytes text json_reader sha256; do echo tests/base/test_$name; done
    echo tests/image/test_draw_ids tests/image/test_block_formats tests/dxbc/test_dxbc tests/lib/test_psxgpudump
    for format in "${!of_format[@]}"; do
        for name in ${of_format[$format]}; do echo "tests/formats/$format/test_$name"; done
    done
}
drawing='raster runs shaders scanout line triangle transfer conformance'
tests=$*
built=all
if [ -z "$tests" ] && [ "$machine" = arm64 ]; then
    # shellcheck disable=SC2086 # names
    tests=$(printf 'tests/formats/psx/test_%s ' $drawing)
    built='examples/mkexample gpudump'
fi
[ -n "$tests" ] || tests=$(chosen | tr '\n' ' ')

# Headers and libraries of Debian 12 for that machine, from where this one has its own.
unpack() {
    local mirror packages
    # shellcheck disable=SC2016 # apt-get expands them
    mirror=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Codename: bookworm' | sort -u | head -n 1)
    packages=libc6-dev,libgcc-12-dev,libfuse3-dev,libpng-dev,zlib1g-dev,libdeflate-dev,libzstd-dev
    packages=$packages,liblzma-dev,liblz4-dev,libjansson-dev,libprotobuf-c-dev,uthash-dev
    packages=$packages,libbrotli-dev,libsqlite3-dev,libcmocka-dev
    mmdebstrap --quiet --variant=extract --architectures="$machine" --include="$packages" \
        bookworm "$root" ${mirror:+"$mirror"}
}

[ -d "$root/usr/include" ] || unpack
mkdir -p "$folder/build" && cd "$folder/build"
export PKG_CONFIG=pkg-config PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_LIBDIR=$root/usr/lib/$libraries/pkgconfig:$root/usr/share/pkgconfig
[ -e Makefile ] || "$source/configure" --host="$triplet" --enable-werror --disable-hardening \
    CC="${CCACHE:-} $triplet-gcc --sysroot=$root" CFLAGS="${CFLAGS:--O1}"
# shellcheck disable=SC2086 # targets
make $built
run=("$emulator" -L "$root")
"${run[@]}" examples/mkexample example.psxgpu
"${run[@]}" ./gpudump assert --frame 10 --pixel 160,100=#9c6331 --no-problems example.psxgpu
if [ "$tests" = all ]; then
    make -k check-fast LOG_FLAGS="${run[*]}"
elif [ "$built" != all ]; then
    # shellcheck disable=SC2086 # targets
    make $tests
    make check-TESTS TESTS="$tests" LOG_FLAGS="${run[*]}"
else
    make check check_PROGRAMS="$tests" TESTS="$tests" LOG_FLAGS="${run[*]}"
fi
