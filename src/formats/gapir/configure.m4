# SPDX-License-Identifier: MIT
# Without protoc-c, the files that it generates must exist already.
AC_CHECK_PROG([PROTOC_C], [protoc-c], [protoc-c])
PKG_CHECK_MODULES([PROTOBUF_C], [libprotobuf-c >= 1.3], [],
  [have_gapir="no: apt-get install libprotobuf-c-dev protobuf-c-compiler"])
AS_IF([test -z "$PROTOC_C" && test ! -f "$srcdir/src/formats/gapir/container/payload.pb-c.c"],
  [have_gapir="no: apt-get install protobuf-c-compiler"])
AS_IF([test "$have_gapir" = yes],
  [CORE_CFLAGS="$CORE_CFLAGS $PROTOBUF_C_CFLAGS"
   CORE_LIBS="$CORE_LIBS $PROTOBUF_C_LIBS"])
