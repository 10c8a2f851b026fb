# The program that links graphics drivers and shader compilers, which the daemon does not.
# What it is but for its main function, its confinement and the translators is a library,
# which a fuzz target links as well.
glworker_sources = \
	src/glworker/aero.c \
	src/glworker/aero.h \
	src/glworker/aero_bind.c \
	src/glworker/aero_codes.c \
	src/glworker/aero_copy.c \
	src/glworker/aero_d3d9.c \
	src/glworker/aero_draw.c \
	src/glworker/aero_objects.c \
	src/glworker/aero_saved.c \
	src/glworker/aero_shaders.c \
	src/glworker/aero_state.c \
	src/glworker/aero_state9.c \
	src/glworker/aero_storage.c \
	src/glworker/aero_textures.c \
	src/glworker/aero_toy.c \
	src/glworker/confine.h \
	src/glworker/graphics.c \
	src/glworker/graphics.h \
	src/glworker/serve.c \
	src/glworker/serve.h \
	src/glworker/breadcrumb.c \
	src/glworker/breadcrumb.h \
	src/glworker/translate.h
if HAVE_RETRACER
glworker_sources += \
	src/glworker/retrace.c \
	src/glworker/retrace.h \
	src/glworker/retrace_arrays.c \
	src/glworker/retrace_contexts.c \
	src/glworker/retrace_dispatch.c \
	src/glworker/retrace_functions.c \
	src/glworker/retrace_functions.h \
	src/glworker/retrace_functions_data.c \
	src/glworker/retrace_images.c \
	src/glworker/retrace_map.c \
	src/glworker/retrace_map.h \
	src/glworker/retrace_memory.c \
	src/glworker/retrace_mipmaps.c \
	src/glworker/retrace_names.c \
	src/glworker/retrace_pictures.c \
	src/glworker/retrace_rules.c \
	src/glworker/retrace_stream.c \
	src/glworker/retrace_stream.h \
	src/glworker/retrace_values.c \
	src/glworker/retrace_windows.c
endif
GLWORKER_CFLAGS = $(GRAPHICS_CFLAGS) $(VKD3D_CFLAGS) $(MOJOSHADER_CFLAGS) $(FFI_CFLAGS)
GLWORKER_LIBS = $(GRAPHICS_LIBS) $(VKD3D_LIBS) $(MOJOSHADER_LIBS) $(FFI_LIBS)
if HAVE_WORKER
libexec_PROGRAMS += gpudumpfs-glworker
noinst_LIBRARIES += libglworker.a
endif
libglworker_a_SOURCES = $(glworker_sources)
libglworker_a_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
gpudumpfs_glworker_SOURCES = \
	src/glworker/confine.c \
	src/glworker/main.c \
	src/glworker/translate.c
gpudumpfs_glworker_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
gpudumpfs_glworker_LDADD = libglworker.a $(GPUDUMPFS_LIBS) $(GLWORKER_LIBS)

# Where Mesa finds its database of compiled shaders: names for descriptors that the process is
# started with, LAUNCH_SHADERS and those behind it (src/worker/launch.h). Nothing is written there.
SHADER_LINKS = gpudumpfs-shaders/mesa_shader_cache_db
make_shader_links = \
	$(MKDIR_P) $(SHADER_LINKS) && cd $(SHADER_LINKS) && \
	ln -sf /proc/self/fd/5 mesa_cache.db && \
	ln -sf /proc/self/fd/6 mesa_cache.idx && \
	ln -sf /proc/self/fd/7 index

# The links lead nowhere here, so that a file of its own has their time.
src/glworker/shader-links.stamp: src/glworker/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/glworker && ($(make_shader_links)) && : >$@
CLEANFILES += src/glworker/shader-links.stamp
.PHONY: clean-shader-links install-shader-links uninstall-shader-links
clean-shader-links:
	rm -rf gpudumpfs-shaders
clean-local: clean-shader-links
if HAVE_WORKER
EXTRA_gpudumpfs_glworker_DEPENDENCIES = src/glworker/shader-links.stamp
install-shader-links:
	$(MKDIR_P) '$(DESTDIR)$(libexecdir)'
	cd '$(DESTDIR)$(libexecdir)' && $(make_shader_links)
uninstall-shader-links:
	rm -rf '$(DESTDIR)$(libexecdir)/gpudumpfs-shaders'
else
install-shader-links:
uninstall-shader-links:
endif

EXTRA_DIST += src/glworker/retrace_functions.awk

# Generated; a released source archive holds it, and needs no registry of OpenGL.
src/glworker/retrace_functions_data.c: src/glworker/retrace_functions.awk $(GL_XML)
	$(AM_V_GEN)$(MKDIR_P) src/glworker && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/glworker/retrace_functions.awk $(GL_XML) >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/glworker/retrace_functions_data.c
