# SPDX-License-Identifier: MIT
# The program that links graphics drivers and shader compilers, which the daemon does not link.
# Everything except its main function, its confinement and the translators is a library, which a
# fuzz target links as well.
translators = \
	src/glworker/translate/d3d9.c \
	src/glworker/translate/dxbc.c \
	src/glworker/translate/translate.c
glworker_sources = \
	src/glworker/core/breadcrumb_page.c \
	src/glworker/core/breadcrumb_page.h \
	src/glworker/core/confine.h \
	src/glworker/core/graphics.c \
	src/glworker/core/graphics.h \
	src/glworker/core/serve.c \
	src/glworker/core/serve.h \
	src/glworker/d3d/appendix_a.c \
	src/glworker/d3d/appendix_a.h \
	src/glworker/d3d/bind.c \
	src/glworker/d3d/bind.h \
	src/glworker/d3d/codes.h \
	src/glworker/d3d/copy.c \
	src/glworker/d3d/copy.h \
	src/glworker/d3d/d3d.h \
	src/glworker/d3d/d3d9.c \
	src/glworker/d3d/d3d9.h \
	src/glworker/d3d/draw.c \
	src/glworker/d3d/draw.h \
	src/glworker/d3d/objects.c \
	src/glworker/d3d/objects.h \
	src/glworker/d3d/probe.c \
	src/glworker/d3d/probe.h \
	src/glworker/d3d/resources.h \
	src/glworker/d3d/session.c \
	src/glworker/d3d/session.h \
	src/glworker/d3d/shaders.c \
	src/glworker/d3d/shaders.h \
	src/glworker/d3d/state.c \
	src/glworker/d3d/state.h \
	src/glworker/d3d/state9.c \
	src/glworker/d3d/storage.c \
	src/glworker/d3d/storage.h \
	src/glworker/d3d/textures.c \
	src/glworker/d3d/textures.h \
	src/glworker/translate/translate.h
if HAVE_RETRACER
glworker_sources += \
	src/glworker/gl/array_elements.c \
	src/glworker/gl/array_elements.h \
	src/glworker/gl/arrays.c \
	src/glworker/gl/arrays.h \
	src/glworker/gl/assembly.c \
	src/glworker/gl/assembly.h \
	src/glworker/gl/assembly_bindings.c \
	src/glworker/gl/assembly_bindings.h \
	src/glworker/gl/assembly_copy.c \
	src/glworker/gl/assembly_copy.h \
	src/glworker/gl/assembly_instructions.c \
	src/glworker/gl/assembly_lexer.c \
	src/glworker/gl/assembly_lexer.h \
	src/glworker/gl/assembly_parser.c \
	src/glworker/gl/assembly_parser.h \
	src/glworker/gl/assembly_shader.c \
	src/glworker/gl/assembly_shader.h \
	src/glworker/gl/attributes.c \
	src/glworker/gl/attributes.h \
	src/glworker/gl/begun_calls.c \
	src/glworker/gl/begun_calls.h \
	src/glworker/gl/begun_vertices.c \
	src/glworker/gl/begun_vertices.h \
	src/glworker/gl/blits.c \
	src/glworker/gl/blits.h \
	src/glworker/gl/budget.c \
	src/glworker/gl/budget.h \
	src/glworker/gl/buffers.c \
	src/glworker/gl/buffers.h \
	src/glworker/gl/call.h \
	src/glworker/gl/call_writes.c \
	src/glworker/gl/call_writes.h \
	src/glworker/gl/called_lists.c \
	src/glworker/gl/called_lists.h \
	src/glworker/gl/capture.c \
	src/glworker/gl/capture.h \
	src/glworker/gl/compatibility.h \
	src/glworker/gl/contexts.c \
	src/glworker/gl/coverage.c \
	src/glworker/gl/coverage.h \
	src/glworker/gl/depths.h \
	src/glworker/gl/dispatch.c \
	src/glworker/gl/draw_buffers.c \
	src/glworker/gl/draw_call.c \
	src/glworker/gl/draw_call.h \
	src/glworker/gl/draw_edges.h \
	src/glworker/gl/draw_fetch.c \
	src/glworker/gl/draw_fetch.h \
	src/glworker/gl/draw_message.c \
	src/glworker/gl/draw_message.h \
	src/glworker/gl/draw_parts.c \
	src/glworker/gl/draw_parts.h \
	src/glworker/gl/draw_range.c \
	src/glworker/gl/draw_range.h \
	src/glworker/gl/draw_shaders.c \
	src/glworker/gl/draw_targets.c \
	src/glworker/gl/draw_texts.h \
	src/glworker/gl/draw_textures.c \
	src/glworker/gl/draw_vertices.c \
	src/glworker/gl/drawable.c \
	src/glworker/gl/drawable.h \
	src/glworker/gl/draws.c \
	src/glworker/gl/draws.h \
	src/glworker/gl/enum_names.h \
	src/glworker/gl/enums_data.c \
	src/glworker/gl/functions.h \
	src/glworker/gl/functions_data.c \
	src/glworker/gl/gl.h \
	src/glworker/gl/heap.c \
	src/glworker/gl/images.c \
	src/glworker/gl/images.h \
	src/glworker/gl/immediate.c \
	src/glworker/gl/immediate.h \
	src/glworker/gl/indirect.c \
	src/glworker/gl/list_arrays.c \
	src/glworker/gl/list_arrays.h \
	src/glworker/gl/list_calls.c \
	src/glworker/gl/list_calls.h \
	src/glworker/gl/list_rules.c \
	src/glworker/gl/list_rules.h \
	src/glworker/gl/list_state.c \
	src/glworker/gl/list_state.h \
	src/glworker/gl/list_steps.c \
	src/glworker/gl/list_steps.h \
	src/glworker/gl/lists.c \
	src/glworker/gl/lists.h \
	src/glworker/gl/map.c \
	src/glworker/gl/map.h \
	src/glworker/gl/mark.c \
	src/glworker/gl/mark.h \
	src/glworker/gl/matrices.c \
	src/glworker/gl/matrices.h \
	src/glworker/gl/memory.c \
	src/glworker/gl/memory.h \
	src/glworker/gl/mipmaps.c \
	src/glworker/gl/mipmaps.h \
	src/glworker/gl/named_target.c \
	src/glworker/gl/named_target.h \
	src/glworker/gl/names.c \
	src/glworker/gl/names.h \
	src/glworker/gl/outputs.c \
	src/glworker/gl/outputs.h \
	src/glworker/gl/pictures.c \
	src/glworker/gl/pictures.h \
	src/glworker/gl/pixel_watch.c \
	src/glworker/gl/pixel_watch.h \
	src/glworker/gl/positions.c \
	src/glworker/gl/positions.h \
	src/glworker/gl/primitives.c \
	src/glworker/gl/probe.c \
	src/glworker/gl/probe.h \
	src/glworker/gl/program_copy.c \
	src/glworker/gl/program_copy.h \
	src/glworker/gl/programs.c \
	src/glworker/gl/programs.h \
	src/glworker/gl/reading.c \
	src/glworker/gl/reading.h \
	src/glworker/gl/recording.c \
	src/glworker/gl/recording.h \
	src/glworker/gl/rectangle.c \
	src/glworker/gl/rectangle.h \
	src/glworker/gl/renderbuffers.c \
	src/glworker/gl/renderbuffers.h \
	src/glworker/gl/rules.c \
	src/glworker/gl/rules.h \
	src/glworker/gl/sample_depths.c \
	src/glworker/gl/sample_depths.h \
	src/glworker/gl/samples.c \
	src/glworker/gl/samples.h \
	src/glworker/gl/scissors.c \
	src/glworker/gl/scissors.h \
	src/glworker/gl/session.c \
	src/glworker/gl/session.h \
	src/glworker/gl/sources.c \
	src/glworker/gl/sources.h \
	src/glworker/gl/spirv.c \
	src/glworker/gl/spirv.h \
	src/glworker/gl/spirv_capture.c \
	src/glworker/gl/spirv_capture.h \
	src/glworker/gl/state_objects.c \
	src/glworker/gl/state_objects.h \
	src/glworker/gl/state_table.c \
	src/glworker/gl/state_table.h \
	src/glworker/gl/state_text.c \
	src/glworker/gl/state_values.c \
	src/glworker/gl/state_values.h \
	src/glworker/gl/stream.c \
	src/glworker/gl/stream.h \
	src/glworker/gl/surfaces.h \
	src/glworker/gl/uniform_copy.c \
	src/glworker/gl/uniform_copy.h \
	src/glworker/gl/uniforms.c \
	src/glworker/gl/uniforms.h \
	src/glworker/gl/values.c \
	src/glworker/gl/values.h \
	src/glworker/gl/vertex_values.c \
	src/glworker/gl/vertex_values.h \
	src/glworker/gl/windows.c \
	src/glworker/gl/windows.h
endif
if HAVE_VULKAN
glworker_sources += \
	src/glworker/core/vulkan.c \
	src/glworker/core/vulkan.h \
	src/glworker/vk/allocate.c \
	src/glworker/vk/allocate.h \
	src/glworker/vk/call.c \
	src/glworker/vk/calls.h \
	src/glworker/vk/copy.c \
	src/glworker/vk/copy.h \
	src/glworker/vk/device.c \
	src/glworker/vk/device.h \
	src/glworker/vk/device_memory.h \
	src/glworker/vk/memory.c \
	src/glworker/vk/memory.h \
	src/glworker/vk/objects.c \
	src/glworker/vk/objects.h \
	src/glworker/vk/rules.c \
	src/glworker/vk/rules.h \
	src/glworker/vk/session.c \
	src/glworker/vk/session.h \
	src/glworker/vk/swapchain.c \
	src/glworker/vk/swapchain.h \
	src/glworker/vk/vk.h \
	src/glworker/vk/wait.h
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
	src/glworker/core/confine.c \
	src/glworker/main.c \
	$(translators)
gpudumpfs_glworker_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
gpudumpfs_glworker_LDADD = libglworker.a $(GPUDUMPFS_LIBS) $(GLWORKER_LIBS)

# Where Mesa finds its database of compiled shaders: links to descriptors that the process is
# started with, from LAUNCH_SHADERS on (src/worker/launch.h). Nothing is written to the folder.
SHADER_LINKS = gpudumpfs-shaders/mesa_shader_cache_db
make_shader_links = \
	$(MKDIR_P) $(SHADER_LINKS) && cd $(SHADER_LINKS) && \
	ln -sf /proc/self/fd/5 mesa_cache.db && \
	ln -sf /proc/self/fd/6 mesa_cache.idx && \
	ln -sf /proc/self/fd/7 index

# The links lead nowhere at build time, so make uses the time of a stamp file instead of theirs.
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

EXTRA_DIST += \
	src/glworker/gl/enums.awk \
	src/glworker/gl/functions.awk \
	src/glworker/gl/lengths.tsv

# Generated, but contained in a released source archive, which does not need the OpenGL registry.
src/glworker/gl/functions_data.c: src/glworker/gl/functions.awk src/glworker/gl/lengths.tsv $(GL_XML)
	$(AM_V_GEN)$(MKDIR_P) src/glworker/gl && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/glworker/gl/functions.awk \
		$(srcdir)/src/glworker/gl/lengths.tsv $(GL_XML) >$@.tmp && \
	mv $@.tmp $@
src/glworker/gl/enums_data.c: src/formats/gl_registry.awk src/glworker/gl/enums.awk $(GL_XML)
	$(AM_V_GEN)$(MKDIR_P) src/glworker/gl && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/gl_registry.awk \
		-f $(srcdir)/src/glworker/gl/enums.awk $(GL_XML) >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/glworker/gl/enums_data.c src/glworker/gl/functions_data.c
