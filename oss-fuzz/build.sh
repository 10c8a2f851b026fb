#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the fuzz targets for OSS-Fuzz, which sets $CC, $CXX, $CFLAGS and $LIB_FUZZING_ENGINE.
# Sources are in the current folder. Targets go to $OUT, with their seeds, their dictionaries and
# the libraries that the machine which runs them lacks; intermediate files go to $WORK.
set -eu
source=$PWD
autoreconf -fi
mkdir -p "$WORK/build" "$OUT/lib"
cd "$WORK/build"
# The engine is C++, so the C++ compiler links. make turns $$ORIGIN into $ORIGIN. Libraries that are
# needed by other libraries are found there, too, but only with the old dynamic tags.
"$source/configure" --enable-fuzzers --disable-hardening LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
make -j"$(nproc)" fuzz-programs CCLD="$CXX" LDFLAGS="${LDFLAGS:-} -Wl,--disable-new-dtags,-rpath,'\$\$ORIGIN/lib'"

for target in $(make -s fuzz-list); do
    name=${target##*/fuzz_}
    case $name in
    # These need another program beside them, and a graphics driver.
    worker_reply | worker_request) continue ;;
    esac
    cp "$target" "$OUT/fuzz_$name"
    cp "$source/tests/fuzz/dictionaries/${name%%_*}.dict" "$OUT/fuzz_$name.dict"
    zip -q -j -r "$OUT/fuzz_${name}_seed_corpus.zip" "$source/tests/fuzz/seeds/$name"
    # The C library and its parts exist on every machine.
    ldd "$target" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' |
        grep -v -E '/(ld-linux|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)[-.]' |
        xargs -r cp -n -t "$OUT/lib"
done
