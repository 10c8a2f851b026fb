libgpudumpfs_a_SOURCES += \
	src/base/blob.c \
	src/base/blob.h \
	src/base/bytes.h \
	src/base/cancel.h \
	src/base/cancellable_mutex.c \
	src/base/cancellable_mutex.h \
	src/base/checksum.c \
	src/base/checksum.h \
	src/base/checksum_fold.h \
	src/base/checksum_lanes.inc \
	src/base/locks.h \
	src/base/log.c \
	src/base/log.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/metadata.c \
	src/base/metadata.h \
	src/base/problems.c \
	src/base/problems.h \
	src/base/process.c \
	src/base/process.h \
	src/base/sha256.c \
	src/base/sha256.h \
	src/base/text.c \
	src/base/text.h \
	src/base/thread.c \
	src/base/thread.h \
	src/base/utf8.c \
	src/base/utf8.h

if HAVE_CLMUL
noinst_LIBRARIES += src/base/libclmul.a
src_base_libclmul_a_SOURCES = src/base/checksum_clmul.c
src_base_libclmul_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_base_libclmul_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_base_libclmul_a_OBJECTS)
endif
if HAVE_CLMUL256
noinst_LIBRARIES += src/base/libclmul256.a
src_base_libclmul256_a_SOURCES = src/base/checksum_clmul256.c
src_base_libclmul256_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL256_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_base_libclmul256_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_base_libclmul256_a_OBJECTS)
endif
if HAVE_CLMUL512
noinst_LIBRARIES += src/base/libclmul512.a
src_base_libclmul512_a_SOURCES = src/base/checksum_clmul512.c
src_base_libclmul512_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL512_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_base_libclmul512_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_base_libclmul512_a_OBJECTS)
endif
