libgpudumpfs_a_SOURCES += \
	src/worker/aerogpu.c \
	src/worker/aerogpu.h \
	src/worker/apitrace.c \
	src/worker/apitrace.h \
	src/worker/channel.c \
	src/worker/channel.h \
	src/worker/launch.c \
	src/worker/launch.h \
	src/worker/message.c \
	src/worker/message.h \
	src/worker/session.c \
	src/worker/session.h \
	src/worker/trail.h \
	src/worker/worker.c \
	src/worker/worker.h

# The program that links graphics drivers and shader compilers, which the daemon does not.
# What it is but for its main function, its confinement and the translators is a library,
# which a fuzz target links as well.
worker_gl_sources = \
	src/worker/gl/aero.c \
	src/worker/gl/aero.h \
	src/worker/gl/aero_bind.c \
	src/worker/gl/aero_codes.c \
	src/worker/gl/aero_copy.c \
	src/worker/gl/aero_d3d9.c \
	src/worker/gl/aero_draw.c \
	src/worker/gl/aero_objects.c \
	src/worker/gl/aero_saved.c \
	src/worker/gl/aero_shaders.c \
	src/worker/gl/aero_state.c \
	src/worker/gl/aero_state9.c \
	src/worker/gl/aero_storage.c \
	src/worker/gl/aero_textures.c \
	src/worker/gl/aero_toy.c \
	src/worker/gl/confine.h \
	src/worker/gl/graphics.c \
	src/worker/gl/graphics.h \
	src/worker/gl/serve.c \
	src/worker/gl/serve.h \
	src/worker/gl/trail.c \
	src/worker/gl/trail.h \
	src/worker/gl/translate.h
if HAVE_RETRACER
worker_gl_sources += \
	src/worker/gl/retrace.c \
	src/worker/gl/retrace.h \
	src/worker/gl/retrace_arrays.c \
	src/worker/gl/retrace_contexts.c \
	src/worker/gl/retrace_dispatch.c \
	src/worker/gl/retrace_functions.c \
	src/worker/gl/retrace_functions.h \
	src/worker/gl/retrace_functions_data.c \
	src/worker/gl/retrace_images.c \
	src/worker/gl/retrace_map.c \
	src/worker/gl/retrace_map.h \
	src/worker/gl/retrace_memory.c \
	src/worker/gl/retrace_names.c \
	src/worker/gl/retrace_pictures.c \
	src/worker/gl/retrace_rules.c \
	src/worker/gl/retrace_stream.c \
	src/worker/gl/retrace_stream.h \
	src/worker/gl/retrace_values.c \
	src/worker/gl/retrace_windows.c
endif
WORKER_GL_CFLAGS = $(GRAPHICS_CFLAGS) $(VKD3D_CFLAGS) $(MOJOSHADER_CFLAGS) $(FFI_CFLAGS)
WORKER_GL_LIBS = $(GRAPHICS_LIBS) $(VKD3D_LIBS) $(MOJOSHADER_LIBS) $(FFI_LIBS)
if HAVE_WORKER
libexec_PROGRAMS += gpudumpfs-glworker
noinst_LIBRARIES += libworkergl.a
endif
libworkergl_a_SOURCES = $(worker_gl_sources)
libworkergl_a_CFLAGS = $(AM_CFLAGS) $(WORKER_GL_CFLAGS)
gpudumpfs_glworker_SOURCES = \
	src/worker/gl/confine.c \
	src/worker/gl/main.c \
	src/worker/gl/translate.c
gpudumpfs_glworker_CFLAGS = $(AM_CFLAGS) $(WORKER_GL_CFLAGS)
gpudumpfs_glworker_LDADD = libworkergl.a $(GPUDUMPFS_LIBS) $(WORKER_GL_LIBS)

EXTRA_DIST += src/worker/gl/retrace_functions.awk

# Generated; a released source archive holds it, and needs no registry of OpenGL.
src/worker/gl/retrace_functions_data.c: src/worker/gl/retrace_functions.awk $(GL_XML)
	$(AM_V_GEN)$(MKDIR_P) src/worker/gl && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/worker/gl/retrace_functions.awk $(GL_XML) >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/worker/gl/retrace_functions_data.c
