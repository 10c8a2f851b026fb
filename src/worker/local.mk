libgpudumpfs_a_SOURCES += \
	src/worker/aerogpu.c \
	src/worker/aerogpu.h \
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
if HAVE_WORKER
libexec_PROGRAMS += gpudumpfs-glworker
endif
gpudumpfs_glworker_SOURCES = \
	src/worker/gl/aero.c \
	src/worker/gl/aero.h \
	src/worker/gl/aero_bind.c \
	src/worker/gl/aero_codes.c \
	src/worker/gl/aero_copy.c \
	src/worker/gl/aero_d3d9.c \
	src/worker/gl/aero_draw.c \
	src/worker/gl/aero_objects.c \
	src/worker/gl/aero_shaders.c \
	src/worker/gl/aero_state.c \
	src/worker/gl/aero_state9.c \
	src/worker/gl/aero_textures.c \
	src/worker/gl/aero_toy.c \
	src/worker/gl/confine.c \
	src/worker/gl/confine.h \
	src/worker/gl/graphics.c \
	src/worker/gl/graphics.h \
	src/worker/gl/main.c \
	src/worker/gl/serve.c \
	src/worker/gl/serve.h \
	src/worker/gl/trail.c \
	src/worker/gl/trail.h \
	src/worker/gl/translate.c \
	src/worker/gl/translate.h
gpudumpfs_glworker_CFLAGS = $(AM_CFLAGS) $(GRAPHICS_CFLAGS) $(VKD3D_CFLAGS) $(MOJOSHADER_CFLAGS)
gpudumpfs_glworker_LDADD = $(GPUDUMPFS_LIBS) $(GRAPHICS_LIBS) $(VKD3D_LIBS) $(MOJOSHADER_LIBS)
