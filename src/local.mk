# Everything but the programs' main functions: programs, tests, fuzz targets and
# benchmarks link it.
noinst_LIBRARIES += libgpudumpfs.a
libgpudumpfs_a_SOURCES =
GPUDUMPFS_LIBS = libgpudumpfs.a $(CORE_LIBS) -lm

include src/core/local.mk
include src/tree/local.mk
include src/formats/local.mk
include src/fuse/local.mk
