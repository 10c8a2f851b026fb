#!/bin/bash
# SPDX-License-Identifier: MIT
# portable.sh s390x|arm64|armhf|i386|musl FOLDER [TEST...]: builds in FOLDER for a machine with
# another byte order, instruction set or word size, with Debian's cross compiler, or for another C
# library, and runs gpudump and module tests, in qemu's user-mode emulation if this machine cannot
# run them. TESTs default to tests of readers, replays and writers of each format. For arm64, whose
# vector instructions draw PSX dumps, they default to the tests of drawing, and nothing else is
# built. `all` means the tests of `make check-fast`. docs/portability.md lists the tests that fail
# because of the emulation. Needs root, since mmdebstrap unpacks the libraries, without installing
# them; for musl, whose libraries are built (musl-libraries.sh), any user can run it.
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

libraries='' emulator='' ldflags='' brings=mmdebstrap
case $machine in
s390x) triplet=s390x-linux-gnu libraries=s390x-linux-gnu emulator=qemu-s390x-static ;;
arm64) triplet=aarch64-linux-gnu libraries=aarch64-linux-gnu emulator=qemu-aarch64-static ;;
armhf) triplet=arm-linux-gnueabihf libraries=arm-linux-gnueabihf emulator=qemu-arm-static ;;
i386) triplet=i686-linux-gnu libraries=i386-linux-gnu emulator=qemu-i386-static ;;
musl) triplet=$(uname -m)-linux-musl ldflags=-static brings=dpkg-source ;;
*) echo "portable.sh: unknown machine: $machine" >&2 && exit 2 ;;
esac
compiler="$triplet-gcc --sysroot=$root"
modules=$root/usr/lib/$libraries/pkgconfig:$root/usr/share/pkgconfig
if [ "$machine" = musl ]; then
    compiler="musl-gcc -isystem $root/include -idirafter $root/source/linux" modules=$root/lib/pkgconfig
fi
run=(${emulator:+"$emulator" -L "$root"})
for program in $brings ${compiler%% *} $emulator; do
    command -v "$program" >/dev/null || {
        echo "portable.sh: as root:  apt-get install mmdebstrap qemu-user-static gcc-$triplet (or musl-tools)" >&2
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
    echo tests/source/test_growing_source tests/image/test_draw_ids tests/image/test_block_formats
    echo tests/dxbc/test_dxbc tests/lib/test_psxgpudump
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

# Unpacks headers and libraries of Debian 12 for that machine, from the mirror that this machine
# uses.
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
    find "$root" -type l -lname '/*' | while read -r link; do
        ln -sfn "$root$(readlink "$link")" "$link" # absolute links would lead the linker to this machine's libraries
    done
}

if [ "$machine" = musl ]; then
    [ -e "$root/lib/libfuse3.a" ] || "$source/scripts/musl-libraries.sh" "$root"
else
    [ -d "$root/usr/include" ] || unpack
    export PKG_CONFIG_SYSROOT_DIR=$root
fi
# i386 programs run without emulation if the kernel supports them; they use the loader of their own
# root.
if [ "$machine:$(uname -m)" = i386:x86_64 ]; then
    echo 'int main(void) { return 0; }' | $compiler -static -x c -o "$folder/program" -
    ! "$folder/program" || run=()
    ldflags="-Wl,--dynamic-linker=$root/lib/ld-linux.so.2"
    ldflags="$ldflags -Wl,--disable-new-dtags,-rpath,$root/lib/$libraries:$root/usr/lib/$libraries"
fi
mkdir -p "$folder/build" && cd "$folder/build"
export PKG_CONFIG=pkg-config PKG_CONFIG_LIBDIR=$modules
[ -e Makefile ] || "$source/configure" --host="$triplet" --enable-werror --disable-hardening \
    CC="${CCACHE:-} $compiler" CFLAGS="${CFLAGS:--O1}" LDFLAGS="$ldflags"
# shellcheck disable=SC2086 # targets
make $built
"${run[@]}" examples/mkexample example.psxgpu
"${run[@]}" ./gpudump assert --frame 10 --pixel 160,100=#9c6331 --no-problems example.psxgpu
"${run[@]}" ./gpudump assert --frame 10 --pixel 160,100=#9c6331 --no-problems - < <(cat example.psxgpu)
if [ "$tests" = all ]; then
    make -k check-fast LOG_FLAGS="${run[*]}"
elif [ "$built" != all ]; then
    # shellcheck disable=SC2086 # targets
    make $tests
    make check-TESTS TESTS="$tests" LOG_FLAGS="${run[*]}"
else
    make check check_PROGRAMS="$tests" TESTS="$tests" LOG_FLAGS="${run[*]}"
fi
