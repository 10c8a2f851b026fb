# SPDX-License-Identifier: MIT
# Traces may be compressed with Brotli.
PKG_CHECK_MODULES([BROTLI], [libbrotlidec],
  [CORE_CFLAGS="$CORE_CFLAGS $BROTLI_CFLAGS"
   CORE_LIBS="$CORE_LIBS $BROTLI_LIBS"],
  [have_apitrace="no: apt-get install libbrotli-dev"])
