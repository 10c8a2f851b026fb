libgpudumpfs_a_SOURCES += \
	src/formats/vma/call.c \
	src/formats/vma/call.h \
	src/formats/vma/configuration.c \
	src/formats/vma/configuration.h \
	src/formats/vma/frames.c \
	src/formats/vma/frames.h \
	src/formats/vma/function.c \
	src/formats/vma/function.h \
	src/formats/vma/image_format.c \
	src/formats/vma/image_format.h \
	src/formats/vma/journal.c \
	src/formats/vma/journal.h \
	src/formats/vma/line.c \
	src/formats/vma/line.h \
	src/formats/vma/map.c \
	src/formats/vma/map.h \
	src/formats/vma/meaning.c \
	src/formats/vma/meaning.h \
	src/formats/vma/recording.c \
	src/formats/vma/recording.h
