libgpudumpfs_a_SOURCES += \
	src/core/blob.h \
	src/core/bytes.h \
	src/core/cache.h \
	src/core/cancel.h \
	src/core/metadata.h \
	src/core/options.c \
	src/core/options.h \
	src/core/picture.h \
	src/core/pool.h \
	src/core/problems.h \
	src/core/source.h \
	src/core/text.h
