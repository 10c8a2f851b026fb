#!/bin/bash
# SPDX-License-Identifier: MIT
# musl-libraries.sh FOLDER: builds the libraries of gpudumpfs for musl, as static archives, with
# musl-gcc from Debian's sources, which apt-get downloads. Writes to FOLDER/include and FOLDER/lib,
# and installs nothing. scripts/portable.sh musl calls it.
set -eu -o pipefail
mkdir -p "$1/source" "$1/include" "$1/lib/pkgconfig" "$1/apt/lists/partial" "$1/apt/archives/partial"
folder=$(realpath "$1")
cd "$folder/source"
packages='brotli cmocka fuse3 jansson libdeflate libpng1.6 libzstd lz4 protobuf-c xz-utils zlib'

# Downloads sources with a separate apt configuration that has Debian's source repository.
fetched() {
    local mirror options source
    # shellcheck disable=SC2016 # apt-get expands them
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' |
        grep -v security | sort -u | head -n 1)
    echo "deb-src ${mirror:-http://deb.debian.org/debian} bookworm main" >"$folder/apt/sources.list"
    options=(-q -o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    # shellcheck disable=SC2086 # a list
    apt-get "${options[@]}" source --download-only $packages
    for source in *.dsc; do
        dpkg-source --no-check -x "$source"
    done
}

# library ARCHIVE MODULE VERSION [FLAG...] -- SOURCE...: compiles an archive, and writes its .pc
# file for pkg-config.
library() {
    local name=$1 module=$2 version=$3 flags=() source object
    shift 3
    while [ "$1" != -- ]; do
        flags+=("$1")
        shift
    done
    shift
    mkdir -p "objects/$name"
    for source; do
        object=objects/$name/$(echo "$source" | tr / -).o
        ${CCACHE:-} musl-gcc -O1 -w -I"$folder/include" "${flags[@]}" -c "$source" -o "$object"
    done
    ar cr "$folder/lib/lib$name.a" "objects/$name"/*.o
    printf '%s\n' "Name: $module" "Description: for musl" "Version: $version" "Cflags: -I$folder/include" \
        "Libs: -L$folder/lib -l$name" >"$folder/lib/pkgconfig/$module.pc"
}

ls -d zlib-*/ >/dev/null 2>&1 || fetched

(cd zlib-*/ && cp zlib.h zconf.h "$folder/include")
library z zlib 1.2 -- zlib-*/*.c
cp -r libpng1.6-*/{png.h,pngconf.h} "$folder/include"
cp libpng1.6-*/scripts/pnglibconf.h.prebuilt "$folder/include/pnglibconf.h"
library png libpng 1.6 -DPNG_INTEL_SSE_OPT=0 -- libpng1.6-*/png{,error,get,mem,pread,read,rio,rtran,rutil,set,trans,wio,write,wtran,wutil}.c
cp libdeflate-*/libdeflate.h "$folder/include"
library deflate libdeflate 1.14 -- libdeflate-*/lib/*.c libdeflate-*/lib/x86/*.c
cp libzstd-*/lib/{zstd,zstd_errors}.h "$folder/include"
library zstd libzstd 1.5 -DZSTD_DISABLE_ASM -- libzstd-*/lib/{common,compress,decompress}/*.c
cp lz4-*/lib/*.h "$folder/include"
library lz4 liblz4 1.9 -- lz4-*/lib/*.c
cp jansson-*/src/jansson.h jansson-*/android/jansson_config.h "$folder/include"
mkdir -p config && : >config/jansson_private_config.h
library jansson jansson 2.14 -Iconfig -DHAVE_STDINT_H -DHAVE_UNISTD_H -- jansson-*/src/*.c
cp -r brotli-*/c/include/brotli "$folder/include"
library brotlidec libbrotlidec 1.0 -- brotli-*/c/{common,dec}/*.c
mkdir -p "$folder/include/protobuf-c"
cp protobuf-c-*/protobuf-c/protobuf-c.h "$folder/include/protobuf-c"
library protobuf-c libprotobuf-c 1.4 -- protobuf-c-*/protobuf-c/protobuf-c.c
cp cmocka-*/include/*.h "$folder/include"
library cmocka cmocka 1.1 -DHAVE_INTTYPES_H -DHAVE_SIGNAL_H -DHAVE_STRINGS_H -DHAVE_SIGLONGJMP \
    -DHAVE_STRSIGNAL -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_REALTIME -DHAVE_GCC_THREAD_LOCAL_STORAGE -- cmocka-*/src/cmocka.c
cp /usr/include/{uthash,utlist,utarray}.h "$folder/include"

# xz's own build system selects the sources.
(cd xz-utils-*/ && ./configure -q CC="${CCACHE:-} musl-gcc" CFLAGS=-O1 --disable-shared --disable-nls --disable-doc \
    --disable-scripts --disable-{xz,xzdec,lzmadec,lzmainfo,lzma-links} --prefix="$folder" && make -s install)

# musl does not include Linux's own headers.
mkdir -p linux "$folder/include/fuse3"
cp -r /usr/include/linux /usr/include/asm-generic linux
cp -r "/usr/include/$(gcc -print-multiarch)/asm" linux
cp fuse3-*/include/*.h "$folder/include/fuse3"
echo '#pragma once' >"$folder/include/fuse3/libfuse_config.h"
printf '#define HAVE_%s 1\n' FORK OPENAT READLINKAT PIPE2 SPLICE VMSPLICE POSIX_FALLOCATE FDATASYNC UTIMENSAT \
    COPY_FILE_RANGE FALLOCATE SETXATTR STRUCT_STAT_ST_ATIM >config/fuse_config.h
printf '#define PACKAGE_VERSION "3.14.0"\n' >>config/fuse_config.h
library fuse3 fuse3 3.14 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DFUSE_USE_VERSION=312 -DHAVE_LIBFUSE_PRIVATE_CONFIG_H -DFUSERMOUNT_DIR=\"/usr/bin\" \
    -I"$folder/include/fuse3" -Ifuse3-3.14.0/lib -Iconfig -isystem linux \
    -- fuse3-*/lib/{buffer,fuse_log,fuse_loop,fuse_loop_mt,fuse_lowlevel,fuse_opt,fuse_signals,helper,mount,mount_util,fuse,cuse_lowlevel,modules/subdir}.c
sed -i "s|^Cflags:.*|& -I$folder/include/fuse3|" "$folder/lib/pkgconfig/fuse3.pc"
