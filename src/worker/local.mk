libgpudumpfs_a_SOURCES += \
	src/worker/channel.c \
	src/worker/channel.h \
	src/worker/launch.c \
	src/worker/launch.h \
	src/worker/leave.c \
	src/worker/leave.h \
	src/worker/message.c \
	src/worker/message.h \
	src/worker/session.c \
	src/worker/session.h \
	src/worker/shaders.c \
	src/worker/shaders.h \
	src/worker/shelf.c \
	src/worker/shelf.h \
	src/worker/trail.h \
	src/worker/worker.c \
	src/worker/worker.h
