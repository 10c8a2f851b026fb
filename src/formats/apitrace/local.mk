if HAVE_APITRACE
libgpudumpfs_a_SOURCES += \
	src/formats/apitrace/apitrace.c \
	src/formats/apitrace/apitrace.h \
	src/formats/apitrace/arena.c \
	src/formats/apitrace/arena.h \
	src/formats/apitrace/blocks.c \
	src/formats/apitrace/brotli.c \
	src/formats/apitrace/brotli.h \
	src/formats/apitrace/call.c \
	src/formats/apitrace/call.h \
	src/formats/apitrace/calls.c \
	src/formats/apitrace/calls.h \
	src/formats/apitrace/classes.c \
	src/formats/apitrace/classes.h \
	src/formats/apitrace/classes_data.c \
	src/formats/apitrace/current.c \
	src/formats/apitrace/current.h \
	src/formats/apitrace/decimal.c \
	src/formats/apitrace/decimal.h \
	src/formats/apitrace/definitions.c \
	src/formats/apitrace/definitions.h \
	src/formats/apitrace/drawables.c \
	src/formats/apitrace/drawables.h \
	src/formats/apitrace/draws.c \
	src/formats/apitrace/draws.h \
	src/formats/apitrace/expander.c \
	src/formats/apitrace/expander.h \
	src/formats/apitrace/facets.c \
	src/formats/apitrace/facets.h \
	src/formats/apitrace/feeder.c \
	src/formats/apitrace/feeder.h \
	src/formats/apitrace/guid.c \
	src/formats/apitrace/guid.h \
	src/formats/apitrace/guids_data.c \
	src/formats/apitrace/index.c \
	src/formats/apitrace/index.h \
	src/formats/apitrace/levels.c \
	src/formats/apitrace/levels.h \
	src/formats/apitrace/lines.c \
	src/formats/apitrace/lines.h \
	src/formats/apitrace/map.c \
	src/formats/apitrace/map.h \
	src/formats/apitrace/options.c \
	src/formats/apitrace/options.h \
	src/formats/apitrace/pass.c \
	src/formats/apitrace/pass.h \
	src/formats/apitrace/pixels.c \
	src/formats/apitrace/pixels.h \
	src/formats/apitrace/player.c \
	src/formats/apitrace/player.h \
	src/formats/apitrace/print.c \
	src/formats/apitrace/print.h \
	src/formats/apitrace/reader.c \
	src/formats/apitrace/reader.h \
	src/formats/apitrace/roles.c \
	src/formats/apitrace/roles.h \
	src/formats/apitrace/rules.c \
	src/formats/apitrace/rules.h \
	src/formats/apitrace/samples.c \
	src/formats/apitrace/samples.h \
	src/formats/apitrace/scan.c \
	src/formats/apitrace/scan.h \
	src/formats/apitrace/scout.c \
	src/formats/apitrace/scout.h \
	src/formats/apitrace/screens.c \
	src/formats/apitrace/screens.h \
	src/formats/apitrace/shaders.c \
	src/formats/apitrace/signatures.c \
	src/formats/apitrace/signatures.h \
	src/formats/apitrace/snappy.c \
	src/formats/apitrace/snappy.h \
	src/formats/apitrace/state.c \
	src/formats/apitrace/state.h \
	src/formats/apitrace/stream.c \
	src/formats/apitrace/stream.h \
	src/formats/apitrace/targets.c \
	src/formats/apitrace/targets.h \
	src/formats/apitrace/texts.c \
	src/formats/apitrace/texts.h \
	src/formats/apitrace/things.c \
	src/formats/apitrace/things.h \
	src/formats/apitrace/uploads.c \
	src/formats/apitrace/value.c \
	src/formats/apitrace/value.h
endif

EXTRA_DIST += \
	src/formats/apitrace/classes.awk \
	src/formats/apitrace/classes.tsv \
	src/formats/apitrace/guids.awk \
	src/formats/apitrace/guids.tsv

# Generated; a released source archive holds them.
src/formats/apitrace/classes_data.c: src/formats/apitrace/classes.awk \
		src/formats/apitrace/classes.tsv
	$(AM_V_GEN)$(MKDIR_P) src/formats/apitrace && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/apitrace/classes.awk \
		$(srcdir)/src/formats/apitrace/classes.tsv >$@.tmp && mv $@.tmp $@
src/formats/apitrace/guids_data.c: src/formats/apitrace/guids.awk \
		src/formats/apitrace/guids.tsv
	$(AM_V_GEN)$(MKDIR_P) src/formats/apitrace && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/apitrace/guids.awk \
		$(srcdir)/src/formats/apitrace/guids.tsv >$@.tmp && mv $@.tmp $@
MAINTAINERCLEANFILES += \
	src/formats/apitrace/classes_data.c \
	src/formats/apitrace/guids_data.c
