if HAVE_GAPIR
libgpudumpfs_a_SOURCES += \
	src/formats/gapir/archive.c \
	src/formats/gapir/archive.h \
	src/formats/gapir/calls.c \
	src/formats/gapir/calls.h \
	src/formats/gapir/choose.c \
	src/formats/gapir/contents.c \
	src/formats/gapir/contents.h \
	src/formats/gapir/decode.c \
	src/formats/gapir/decode.h \
	src/formats/gapir/disassembly.c \
	src/formats/gapir/disassembly.h \
	src/formats/gapir/driver.c \
	src/formats/gapir/driver.h \
	src/formats/gapir/driver_state.h \
	src/formats/gapir/encode.c \
	src/formats/gapir/encode.h \
	src/formats/gapir/execute.c \
	src/formats/gapir/execute.h \
	src/formats/gapir/gapir.c \
	src/formats/gapir/gapir.h \
	src/formats/gapir/grow.h \
	src/formats/gapir/index.c \
	src/formats/gapir/index.h \
	src/formats/gapir/lines.c \
	src/formats/gapir/lines.h \
	src/formats/gapir/memory.c \
	src/formats/gapir/metadata.c \
	src/formats/gapir/model.c \
	src/formats/gapir/names.c \
	src/formats/gapir/names.h \
	src/formats/gapir/names_data.c \
	src/formats/gapir/options.c \
	src/formats/gapir/options.h \
	src/formats/gapir/payload.c \
	src/formats/gapir/payload.h \
	src/formats/gapir/payload.pb-c.c \
	src/formats/gapir/payload.pb-c.h \
	src/formats/gapir/pixels.c \
	src/formats/gapir/pixels.h \
	src/formats/gapir/players.c \
	src/formats/gapir/players.h \
	src/formats/gapir/replay.c \
	src/formats/gapir/replay.h \
	src/formats/gapir/rules.c \
	src/formats/gapir/rules.h \
	src/formats/gapir/scan.c \
	src/formats/gapir/scan.h \
	src/formats/gapir/settings.c \
	src/formats/gapir/settings.h \
	src/formats/gapir/shadow.c \
	src/formats/gapir/shadow.h \
	src/formats/gapir/shape.c \
	src/formats/gapir/tables.c \
	src/formats/gapir/tables.h \
	src/formats/gapir/texts.c \
	src/formats/gapir/texts.h \
	src/formats/gapir/vm.c \
	src/formats/gapir/vm.h
endif

gapir_id_tables = \
	src/formats/gapir/ids/gles_v1.2.0.tsv \
	src/formats/gapir/ids/gles_v1.5.0.tsv \
	src/formats/gapir/ids/gles_v1.6.1.tsv \
	src/formats/gapir/ids/releases.tsv \
	src/formats/gapir/ids/test_v3.3.1.tsv \
	src/formats/gapir/ids/vulkan_master-20220606.tsv \
	src/formats/gapir/ids/vulkan_v1.2.0.tsv \
	src/formats/gapir/ids/vulkan_v1.5.0.tsv \
	src/formats/gapir/ids/vulkan_v1.6.1.tsv \
	src/formats/gapir/ids/vulkan_v1.7.0-dev-20191021.tsv \
	src/formats/gapir/ids/vulkan_v3.3.1.tsv
EXTRA_DIST += \
	$(gapir_id_tables) \
	src/formats/gapir/ids/README \
	src/formats/gapir/names.awk \
	src/formats/gapir/payload.proto

# Generated; a released source archive holds them, and needs no protoc-c.
src/formats/gapir/names_data.c: src/formats/gapir/names.awk $(gapir_id_tables)
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir && \
	$(AWK) -f $(srcdir)/src/formats/gapir/names.awk \
		$(srcdir)/src/formats/gapir/ids/releases.tsv >$@.tmp && mv $@.tmp $@
src/formats/gapir/payload.pb-c.c: src/formats/gapir/payload.proto
	$(AM_V_GEN)$(MKDIR_P) src/formats/gapir && \
	$(PROTOC_C) --proto_path=$(srcdir)/src/formats/gapir --c_out=src/formats/gapir \
		$(srcdir)/src/formats/gapir/payload.proto
src/formats/gapir/payload.pb-c.h: src/formats/gapir/payload.pb-c.c
	@test -f $@ || test -f $(srcdir)/$@
src/formats/gapir/payload.$(OBJEXT): src/formats/gapir/payload.pb-c.h
MAINTAINERCLEANFILES += \
	src/formats/gapir/names_data.c \
	src/formats/gapir/payload.pb-c.c \
	src/formats/gapir/payload.pb-c.h
