# SPDX-License-Identifier: MIT
# Blocks may be compressed with LZ4.
PKG_CHECK_MODULES([LZ4], [liblz4],
  [CORE_CFLAGS="$CORE_CFLAGS $LZ4_CFLAGS"
   CORE_LIBS="$CORE_LIBS $LZ4_LIBS"],
  [have_gfxreconstruct="no: apt-get install liblz4-dev"])
