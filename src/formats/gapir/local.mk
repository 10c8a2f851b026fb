# SPDX-License-Identifier: MIT
if HAVE_GAPIR
libgpudumpfs_a_SOURCES += \
	src/formats/gapir/dump.c \
	src/formats/gapir/dump.h \
	src/formats/gapir/format.c \
	src/formats/gapir/index.c \
	src/formats/gapir/index.h \
	src/formats/gapir/options.c \
	src/formats/gapir/options.h \
	src/formats/gapir/rules.c \
	src/formats/gapir/container/archive.c \
	src/formats/gapir/container/archive.h \
	src/formats/gapir/container/payload.c \
	src/formats/gapir/container/payload.h \
	src/formats/gapir/container/payload.pb-c.c \
	src/formats/gapir/container/payload.pb-c.h \
	src/formats/gapir/decode/decode.c \
	src/formats/gapir/decode/decode.h \
	src/formats/gapir/decode/dialect.c \
	src/formats/gapir/decode/dialect.h \
	src/formats/gapir/decode/gl_names.c \
	src/formats/gapir/decode/gl_names.h \
	src/formats/gapir/decode/gl_names_data.c \
	src/formats/gapir/decode/names.c \
	src/formats/gapir/decode/names.h \
	src/formats/gapir/decode/names_data.c \
	src/formats/gapir/decode/pixels.c \
	src/formats/gapir/decode/pixels.h \
	src/formats/gapir/decode/release.c \
	src/formats/gapir/decode/release.h \
	src/formats/gapir/decode/scan.c \
	src/formats/gapir/decode/scan.h \
	src/formats/gapir/decode/static_stack.h \
	src/formats/gapir/decode/vk_names.c \
	src/formats/gapir/decode/vk_names.h \
	src/formats/gapir/decode/vk_names_data.c \
	src/formats/gapir/replay/driver.h \
	src/formats/gapir/replay/driver_call.c \
	src/formats/gapir/replay/driver_call.h \
	src/formats/gapir/replay/driver_gl.c \
	src/formats/gapir/replay/driver_service.h \
	src/formats/gapir/replay/driver_state.c \
	src/formats/gapir/replay/driver_state.h \
	src/formats/gapir/replay/driver_vulkan.c \
	src/formats/gapir/replay/execute.c \
	src/formats/gapir/replay/framebuffer_shape.c \
	src/formats/gapir/replay/model.c \
	src/formats/gapir/replay/player.h \
	src/formats/gapir/replay/replay.c \
	src/formats/gapir/replay/replay.h \
	src/formats/gapir/replay/vm.c \
	src/formats/gapir/replay/vm.h \
	src/formats/gapir/replay/vm_pool.c \
	src/formats/gapir/replay/vm_pool.h \
	src/formats/gapir/replay/written.c \
	src/formats/gapir/replay/written.h \
	src/formats/gapir/views/commands.c \
	src/formats/gapir/views/disassembly.c \
	src/formats/gapir/views/drawing.c \
	src/formats/gapir/views/frames.c \
	src/formats/gapir/views/lengths.c \
	src/formats/gapir/views/lengths.h \
	src/formats/gapir/views/metadata.c \
	src/formats/gapir/views/packets.c \
	src/formats/gapir/views/pictures.c \
	src/formats/gapir/views/resources.c \
	src/formats/gapir/views/state.c \
	src/formats/gapir/views/tables.c \
	src/formats/gapir/views/vk_values.c \
	src/formats/gapir/views/views.h
if HAVE_RETRACER
libgpudumpfs_a_SOURCES += \
	src/formats/gapir/replay/gl_calls.c \
	src/formats/gapir/replay/gl_calls.h \
	src/formats/gapir/replay/gl_stream.c \
	src/formats/gapir/replay/gl_stream.h \
	src/formats/gapir/replay/player.c \
	src/formats/gapir/replay/player_backend.h \
	src/formats/gapir/replay/player_gl.c \
	src/formats/gapir/replay/worker_protocol.h
if HAVE_VULKAN
libgpudumpfs_a_SOURCES += src/formats/gapir/replay/player_vk.c
endif
else
libgpudumpfs_a_SOURCES += \
	src/formats/gapir/replay/player_absent.c
endif
endif

gapir_id_tables = \
	src/formats/gapir/decode/ids/gles_v1.2.0.tsv \
	src/formats/gapir/decode/ids/gles_v1.5.0.tsv \
	src/formats/gapir/decode/ids/gles_v1.6.1.tsv \
	src/formats/gapir/decode/ids/releases.tsv \
	src/formats/gapir/decode/ids/test_v3.3.1.tsv \
	src/formats/gapir/decode/ids/vulkan_master-20220606.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.2.0.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.5.0.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.6.1.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.7.0-dev-20191021.tsv \
	src/formats/gapir/decode/ids/vulkan_v3.3.1.tsv
EXTRA_DIST += \
	$(gapir_id_tables) \
	src/formats/gapir/decode/ids/README \
	src/formats/gapir/decode/gl_names.awk \
	src/formats/gapir/decode/names.awk \
	src/formats/gapir/decode/vk_names.awk \
	src/formats/gapir/container/payload.proto

# Generated, but contained in a released source archive, which does not need protoc-c.
src/formats/gapir/decode/names_data.c: src/formats/gapir/decode/names.awk $(gapir_id_tables)
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir/decode && \
	$(AWK) -f $(srcdir)/src/formats/gapir/decode/names.awk \
		$(srcdir)/src/formats/gapir/decode/ids/releases.tsv >$@.tmp && mv $@.tmp $@
# Without the OpenGL registry these tables are empty.
gapir_gl_tables = \
	src/formats/gapir/decode/ids/gles_v1.2.0.tsv \
	src/formats/gapir/decode/ids/gles_v1.5.0.tsv \
	src/formats/gapir/decode/ids/gles_v1.6.1.tsv
src/formats/gapir/decode/gl_names_data.c: src/formats/gl_registry.awk \
		src/formats/gapir/decode/gl_names.awk $(gapir_gl_tables) $(GL_XML)
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir/decode && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/gl_registry.awk \
		-f $(srcdir)/src/formats/gapir/decode/gl_names.awk \
		$(srcdir)/src/formats/gapir/decode/ids/gles_v1.2.0.tsv \
		$(srcdir)/src/formats/gapir/decode/ids/gles_v1.5.0.tsv \
		$(srcdir)/src/formats/gapir/decode/ids/gles_v1.6.1.tsv $(GL_XML) >$@.tmp && mv $@.tmp $@
# Without the Vulkan registry these tables are empty.
gapir_vk_tables = \
	src/formats/gapir/decode/ids/vulkan_master-20220606.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.2.0.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.5.0.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.6.1.tsv \
	src/formats/gapir/decode/ids/vulkan_v1.7.0-dev-20191021.tsv \
	src/formats/gapir/decode/ids/vulkan_v3.3.1.tsv
src/formats/gapir/decode/vk_names_data.c: src/formats/gl_registry.awk \
		src/formats/gapir/decode/vk_names.awk $(gapir_vk_tables) $(VK_XML)
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir/decode && tables= && \
	for table in $(gapir_vk_tables); do tables="$$tables $(srcdir)/$$table"; done && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/gl_registry.awk \
		-f $(srcdir)/src/formats/gapir/decode/vk_names.awk $$tables $(VK_XML) >$@.tmp && mv $@.tmp $@
src/formats/gapir/container/payload.pb-c.c: src/formats/gapir/container/payload.proto
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir/container && \
	$(PROTOC_C) --proto_path=$(srcdir)/src/formats/gapir/container \
		--c_out=src/formats/gapir/container \
		$(srcdir)/src/formats/gapir/container/payload.proto
src/formats/gapir/container/payload.pb-c.h: src/formats/gapir/container/payload.pb-c.c
	@test -f $@ || test -f $(srcdir)/$@
src/formats/gapir/container/payload.$(OBJEXT): src/formats/gapir/container/payload.pb-c.h
MAINTAINERCLEANFILES += \
	src/formats/gapir/decode/gl_names_data.c \
	src/formats/gapir/decode/names_data.c \
	src/formats/gapir/decode/vk_names_data.c \
	src/formats/gapir/container/payload.pb-c.c \
	src/formats/gapir/container/payload.pb-c.h
