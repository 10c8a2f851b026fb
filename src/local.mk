# SPDX-License-Identifier: MIT
# Everything except the programs' main functions. Programs, tests, fuzz targets and benchmarks are
# linked with it.
noinst_LIBRARIES += libgpudumpfs.a
libgpudumpfs_a_SOURCES =
# Code for processors with more instructions is compiled with other flags, and added to the library.
libgpudumpfs_a_LIBADD =
libgpudumpfs_a_DEPENDENCIES =
GPUDUMPFS_LIBS = libgpudumpfs.a $(CORE_LIBS) -lm

include src/base/local.mk
include src/source/local.mk
include src/cache/local.mk
include src/image/local.mk
include src/dxbc/local.mk
include src/page/local.mk
include src/tree/local.mk
include src/compare/local.mk
include src/formats/local.mk
include src/cli/local.mk
include src/fuse/local.mk
include src/glworker/local.mk
include src/worker/local.mk
