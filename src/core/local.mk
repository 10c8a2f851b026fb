libgpudumpfs_a_SOURCES += \
	src/core/astc.c \
	src/core/astc.h \
	src/core/blob.c \
	src/core/blob.h \
	src/core/bptc.c \
	src/core/bptc.h \
	src/core/bytes.h \
	src/core/cache.c \
	src/core/cache.h \
	src/core/cache_key.h \
	src/core/cancel.h \
	src/core/canvas.c \
	src/core/canvas.h \
	src/core/checksum.c \
	src/core/checksum.h \
	src/core/checksum_fold.h \
	src/core/checksum_lanes.inc \
	src/core/expand.h \
	src/core/expand_gzip.c \
	src/core/expand_xz.c \
	src/core/expand_zstd.c \
	src/core/filewatch.c \
	src/core/filewatch.h \
	src/core/font.c \
	src/core/font.h \
	src/core/font_glyphs.c \
	src/core/font_glyphs.h \
	src/core/growth.c \
	src/core/growth.h \
	src/core/guard.c \
	src/core/guard.h \
	src/core/idle.c \
	src/core/idle.h \
	src/core/locks.h \
	src/core/log.c \
	src/core/log.h \
	src/core/memory.c \
	src/core/memory.h \
	src/core/metadata.c \
	src/core/metadata.h \
	src/core/options.c \
	src/core/options.h \
	src/core/pass.c \
	src/core/pass.h \
	src/core/picture.c \
	src/core/picture.h \
	src/core/pool.c \
	src/core/pool.h \
	src/core/problems.c \
	src/core/problems.h \
	src/core/process.c \
	src/core/process.h \
	src/core/sha256.c \
	src/core/sha256.h \
	src/core/seekable.c \
	src/core/seekable.h \
	src/core/source.c \
	src/core/source.h \
	src/core/spool.c \
	src/core/spool.h \
	src/core/store.c \
	src/core/store.h \
	src/core/stream.c \
	src/core/stream.h \
	src/core/text.c \
	src/core/text.h \
	src/core/thread.c \
	src/core/thread.h \
	src/core/turn.c \
	src/core/turn.h \
	src/core/utf8.c \
	src/core/utf8.h

if HAVE_CLMUL
noinst_LIBRARIES += src/core/libclmul.a
src_core_libclmul_a_SOURCES = src/core/checksum_clmul.c
src_core_libclmul_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_core_libclmul_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_core_libclmul_a_OBJECTS)
endif
if HAVE_CLMUL256
noinst_LIBRARIES += src/core/libclmul256.a
src_core_libclmul256_a_SOURCES = src/core/checksum_clmul256.c
src_core_libclmul256_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL256_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_core_libclmul256_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_core_libclmul256_a_OBJECTS)
endif
if HAVE_CLMUL512
noinst_LIBRARIES += src/core/libclmul512.a
src_core_libclmul512_a_SOURCES = src/core/checksum_clmul512.c
src_core_libclmul512_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(CLMUL512_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_core_libclmul512_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_core_libclmul512_a_OBJECTS)
endif
