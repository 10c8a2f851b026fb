libgpudumpfs_a_SOURCES += \
	src/core/blob.c \
	src/core/blob.h \
	src/core/bytes.h \
	src/core/cache.c \
	src/core/cache.h \
	src/core/cancel.h \
	src/core/checksum.c \
	src/core/checksum.h \
	src/core/memory.c \
	src/core/memory.h \
	src/core/metadata.c \
	src/core/metadata.h \
	src/core/options.c \
	src/core/options.h \
	src/core/picture.c \
	src/core/picture.h \
	src/core/pool.c \
	src/core/pool.h \
	src/core/problems.c \
	src/core/problems.h \
	src/core/source.h \
	src/core/store.c \
	src/core/store.h \
	src/core/text.c \
	src/core/text.h \
	src/core/utf8.c \
	src/core/utf8.h
