libgpudumpfs_a_SOURCES += \
	src/worker/channel.c \
	src/worker/channel.h \
	src/worker/launch.c \
	src/worker/launch.h \
	src/worker/message.c \
	src/worker/message.h \
	src/worker/trail.h \
	src/worker/worker.c \
	src/worker/worker.h

# The program that links graphics drivers and shader compilers, which the daemon does not.
libexec_PROGRAMS += gpudumpfs-glworker
gpudumpfs_glworker_SOURCES = \
	src/worker/gl/confine.c \
	src/worker/gl/confine.h \
	src/worker/gl/main.c \
	src/worker/gl/serve.c \
	src/worker/gl/serve.h \
	src/worker/gl/trail.c \
	src/worker/gl/trail.h
gpudumpfs_glworker_LDADD = $(GPUDUMPFS_LIBS)
