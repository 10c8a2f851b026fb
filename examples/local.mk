# SPDX-License-Identifier: MIT
# The PSX example dump, and the small library that writes dumps, which tests use, too.
noinst_LIBRARIES += examples/libdumpwriter.a
examples_libdumpwriter_a_SOURCES = \
	examples/display_list.c \
	examples/display_list.h \
	examples/dump_writer.c \
	examples/dump_writer.h

noinst_PROGRAMS += examples/mkexample
examples_mkexample_SOURCES = \
	examples/cube.c \
	examples/fixed.c \
	examples/fixed.h \
	examples/font.c \
	examples/mkexample.c \
	examples/scene.c \
	examples/scene.h \
	examples/sea.c \
	examples/sky.c \
	examples/sparks.c \
	examples/textures.c \
	examples/textures.h \
	examples/titles.c
examples_mkexample_LDADD = examples/libdumpwriter.a -lm

# Examples of the use of libpsxgpudump.
noinst_PROGRAMS += examples/recorder examples/psxgpufilter
examples_recorder_SOURCES = examples/recorder.c
examples_recorder_CPPFLAGS = -I$(top_srcdir)/lib
examples_recorder_LDADD = lib/libpsxgpudump.a
examples_psxgpufilter_SOURCES = examples/psxgpufilter.c
examples_psxgpufilter_CPPFLAGS = -I$(top_srcdir)/lib
examples_psxgpufilter_LDADD = lib/libpsxgpudump.a
examplesdir = $(docdir)/examples
dist_examples_DATA = examples/psxgpufilter.c examples/recorder.c

# The GAPIR example.
if HAVE_GAPIR
noinst_LIBRARIES += examples/libgapirbuild.a
examples_libgapirbuild_a_SOURCES = \
	examples/gapir_build.c \
	examples/gapir_build.h

noinst_PROGRAMS += examples/mkreplay
examples_mkreplay_SOURCES = examples/mkreplay.c
examples_mkreplay_LDADD = examples/libgapirbuild.a $(GPUDUMPFS_LIBS)
examples/gapir_build.$(OBJEXT): src/formats/gapir/container/payload.pb-c.h
endif

# The AeroGPU example.
noinst_LIBRARIES += examples/libtracewriter.a
examples_libtracewriter_a_SOURCES = \
	examples/trace_writer.c \
	examples/trace_writer.h

noinst_PROGRAMS += examples/mktrace
examples_mktrace_SOURCES = examples/mktrace.c
examples_mktrace_LDADD = examples/libtracewriter.a -lm

# The apitrace example.
noinst_LIBRARIES += examples/libapitracewriter.a
examples_libapitracewriter_a_SOURCES = \
	examples/apitrace_writer.c \
	examples/apitrace_writer.h

noinst_PROGRAMS += examples/mkapitrace
examples_mkapitrace_SOURCES = examples/mkapitrace.c
examples_mkapitrace_LDADD = examples/libapitracewriter.a

# The VMA example.
noinst_PROGRAMS += examples/mkrecording
examples_mkrecording_SOURCES = examples/mkrecording.c
examples_mkrecording_LDADD = -lm

# The GFXReconstruct example.
if HAVE_GFXRECONSTRUCT
noinst_PROGRAMS += examples/mkcapture
examples_mkcapture_SOURCES = examples/mkcapture.c
examples_mkcapture_LDADD = $(CORE_LIBS)
endif

# Recipes for many machines (docs/clusters.md).
dist_noinst_SCRIPTS += examples/dataset.sbatch examples/dataset-parallel.sh
