# SPDX-License-Identifier: MIT
# Macros for gpudumpfs's configure.

# GPUDUMPFS_LIBRARY(VARIABLE, MODULE, DEBIAN-PACKAGE)
# ---------------------------------------------------
# Looks for a required library. If it is missing, remembers the Debian package that provides it, so
# that everything that is missing is reported at once.
AC_DEFUN([GPUDUMPFS_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [:], [gpudumpfs_missing="$gpudumpfs_missing $3"])])

# GPUDUMPFS_HEADER(HEADER, DEBIAN-PACKAGE)
# ---------------------------------------
# Does the same for a library that consists only of headers.
AC_DEFUN([GPUDUMPFS_HEADER],
[AC_CHECK_HEADER([$1], [:], [gpudumpfs_missing="$gpudumpfs_missing $2"])])

# GPUDUMPFS_REQUIRE_LIBRARIES
# ---------------------------
# Fails if a library or header that was looked for so far is missing.
AC_DEFUN([GPUDUMPFS_REQUIRE_LIBRARIES],
[AS_IF([test -n "$gpudumpfs_missing"],
  [AC_MSG_ERROR([libraries are missing. On Debian and its relatives:

    apt-get install$gpudumpfs_missing

(or scripts/setup-debian.sh, which installs all that the project needs)])])])

# GPUDUMPFS_COMPILER_FLAGS(VARIABLE, FLAGS)
# GPUDUMPFS_LINKER_FLAGS(VARIABLE, FLAGS)
# -----------------------------------------
# Appends those FLAGS to VARIABLE that the compiler, or the linker, accepts without a warning.
AC_DEFUN([GPUDUMPFS_COMPILER_FLAGS],
[gpudumpfs_save="$CFLAGS"
CFLAGS="$CFLAGS $2 -Werror"
AC_MSG_CHECKING([whether the compiler takes $2])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
  [AC_MSG_RESULT([yes])
   $1="$$1 $2"],
  [AC_MSG_RESULT([no])])
CFLAGS="$gpudumpfs_save"])

AC_DEFUN([GPUDUMPFS_LINKER_FLAGS],
[gpudumpfs_save="$LDFLAGS"
LDFLAGS="$LDFLAGS $2"
AC_MSG_CHECKING([whether the linker takes $2])
AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
  [AC_MSG_RESULT([yes])
   $1="$$1 $2"],
  [AC_MSG_RESULT([no])])
LDFLAGS="$gpudumpfs_save"])

# GPUDUMPFS_FORTIFY(VARIABLE)
# ---------------------------
# Appends the strongest level of _FORTIFY_SOURCE that works. It needs an optimising compiler, and
# causes a warning without one.
AC_DEFUN([GPUDUMPFS_FORTIFY],
[AC_MSG_CHECKING([for _FORTIFY_SOURCE])
gpudumpfs_save="$CFLAGS"
gpudumpfs_fortify=no
for level in 3 2; do
  CFLAGS="$gpudumpfs_save -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level -Werror"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <string.h>
#ifndef __OPTIMIZE__
#error _FORTIFY_SOURCE does nothing without optimisation
#endif]], [[char a[4]; memset(a, 0, 4); return a[0];]])],
    [gpudumpfs_fortify=$level
     $1="$$1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level"
     break])
done
CFLAGS="$gpudumpfs_save"
AC_MSG_RESULT([$gpudumpfs_fortify])])

# GPUDUMPFS_SANITIZER(VARIABLE, FLAGS, NAME)
# ------------------------------------------
# Appends FLAGS to VARIABLE. Fails if no program can be linked with them.
AC_DEFUN([GPUDUMPFS_SANITIZER],
[gpudumpfs_save="$CFLAGS"
CFLAGS="$CFLAGS $2"
AC_MSG_CHECKING([whether $CC links with $2])
AC_LINK_IFELSE([AC_LANG_SOURCE([[
#ifdef GPUDUMPFS_LIBFUZZER
int LLVMFuzzerTestOneInput(void) { return 0; }
#else
int main(void) { return 0; }
#endif]])],
  [AC_MSG_RESULT([yes])
   $1="$$1 $2"],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CC cannot build with $3])])
CFLAGS="$gpudumpfs_save"])

# GPUDUMPFS_DIRECTORY(MACRO, VARIABLE, DESCRIPTION)
# -------------------------------------------------
# Defines MACRO as the directory that VARIABLE names, with all variables expanded.
AC_DEFUN([GPUDUMPFS_DIRECTORY],
[gpudumpfs_directory=$(
   test "$prefix" != NONE || prefix="$ac_default_prefix"
   test "$exec_prefix" != NONE || exec_prefix="$prefix"
   eval "gpudumpfs_once=\"$$2\""
   eval "echo \"$gpudumpfs_once\"")
AC_DEFINE_UNQUOTED([$1], ["$gpudumpfs_directory"], [$3])])

# GPUDUMPFS_VECTORS(NAME, FLAGS, FEATURE, EXPRESSION)
# ---------------------------------------------------
# Sets NAME_CFLAGS to the flags and defines HAVE_NAME if the compiler can build vector code for
# these instructions, such as the int EXPRESSION of the int n, and can check at run time whether the
# processor has the FEATURE. Not on 32-bit x86, which cannot move 64 bits out of a vector register
# at once.
AC_DEFUN([GPUDUMPFS_VECTORS],
[AC_CACHE_CHECK([whether the compiler builds for $1], [gpudumpfs_cv_vectors_$1],
  [gpudumpfs_save="$CFLAGS"
   CFLAGS="$CFLAGS $2"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <immintrin.h>
#ifndef __x86_64__
#error "not for 32 bits"
#endif]],
     [[int n = 1;
       return __builtin_cpu_supports("$3") && $4;]])],
     [gpudumpfs_cv_vectors_$1=yes], [gpudumpfs_cv_vectors_$1=no])
   CFLAGS="$gpudumpfs_save"])
AS_IF([test "$gpudumpfs_cv_vectors_$1" = yes],
  [AC_DEFINE([HAVE_$1], [1], [Define to 1 if the vector code for $1 is built.])
   vector_description="$vector_description, $1"])
AC_SUBST([$1_CFLAGS], ["$2"])
AM_CONDITIONAL([HAVE_$1], [test "$gpudumpfs_cv_vectors_$1" = yes])])

# GPUDUMPFS_FORMATS
# -----------------
# Reads the list of formats, src/formats/formats.m4. When configure is generated, also writes the
# files that automake includes for each format: src/formats/formats.mk, tests/formats/formats.mk. In
# C the macro FORMATS() lists the formats that are built.
AC_DEFUN([GPUDUMPFS_FORMATS],
[m4_syscmd([: >src/formats/formats.mk >tests/formats/formats.mk])dnl
formats=
FORMATS=
FORMAT_EXTENSIONS=
m4_include([src/formats/formats.m4])
AC_DEFINE_UNQUOTED([FORMATS(FORMAT)], [$FORMATS], [FORMAT(name, "title") of each format that is built.])
AC_SUBST([FORMAT_EXTENSIONS])])

# GPUDUMPFS_FORMAT(NAME, TITLE, FILES, WRITER, [no pictures])
# -----------------------------------------------------------
# Declares a row of the list. A format that needs libraries looks for them in its folder's
# configure.m4, and sets have_NAME to `no: WHY` if it cannot be built; the automake conditional
# HAVE_NAME is set accordingly.
AC_DEFUN([GPUDUMPFS_FORMAT],
[m4_syscmd([cat >>src/formats/formats.mk <<'END'
include src/formats/$1/local.mk
dist_man_MANS += man/gpudumpfs-$1.7
dist_noinst_DATA += docs/$1.md
format_tables += docs/tables/$1.sql
format_types += src/formats/$1/mime.xml
END
echo 'include tests/formats/$1/local.mk' >>tests/formats/formats.mk])dnl
m4_if([$5], [no pictures], [],
  [m4_syscmd([echo 'pictured_types += src/formats/$1/mime.xml' >>src/formats/formats.mk])])dnl
have_$1=yes
m4_sinclude([src/formats/$1/configure.m4])dnl
AM_CONDITIONAL(m4_toupper([HAVE_$1]), [test "$have_$1" = yes])
AS_IF([test "$have_$1" = yes],
  [formats="${formats:+$formats, }$1"
   FORMATS="$FORMATS FORMAT($1, \"$2\")"],
  [formats="$formats ($1: $have_$1)"])
FORMAT_EXTENSIONS="${FORMAT_EXTENSIONS:+$FORMAT_EXTENSIONS|}m4_bpatsubst([$3], [.*\.])"])
