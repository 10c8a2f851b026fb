# SPDX-License-Identifier: MIT
# Tests of the PSX format.
unit_tests += \
	tests/formats/psx/test_area \
	tests/formats/psx/test_buffers \
	tests/formats/psx/test_assembly \
	tests/formats/psx/test_commands \
	tests/formats/psx/test_conformance \
	tests/formats/psx/test_corpus \
	tests/formats/psx/test_cost \
	tests/formats/psx/test_cut \
	tests/formats/psx/test_draw \
	tests/formats/psx/test_draw_ids \
	tests/formats/psx/test_dump_writer \
	tests/formats/psx/test_early \
	tests/formats/psx/test_early_edits \
	tests/formats/psx/test_editions \
	tests/formats/psx/test_effects \
	tests/formats/psx/test_every_pixel \
	tests/formats/psx/test_field \
	tests/formats/psx/test_first_gpu \
	tests/formats/psx/test_follow \
	tests/formats/psx/test_format \
	tests/formats/psx/test_gp0 \
	tests/formats/psx/test_history \
	tests/formats/psx/test_history_rows \
	tests/formats/psx/test_index \
	tests/formats/psx/test_inside \
	tests/formats/psx/test_kept_index \
	tests/formats/psx/test_keyframes \
	tests/formats/psx/test_line \
	tests/formats/psx/test_machines \
	tests/formats/psx/test_many \
	tests/formats/psx/test_packet \
	tests/formats/psx/test_pixel_cover \
	tests/formats/psx/test_problems \
	tests/formats/psx/test_raster \
	tests/formats/psx/test_reduce \
	tests/formats/psx/test_registers \
	tests/formats/psx/test_repeats \
	tests/formats/psx/test_runs \
	tests/formats/psx/test_scanout \
	tests/formats/psx/test_shaders \
	tests/formats/psx/test_sketch \
	tests/formats/psx/test_slices \
	tests/formats/psx/test_streams \
	tests/formats/psx/test_texel_cache \
	tests/formats/psx/test_texture_edit \
	tests/formats/psx/test_texts \
	tests/formats/psx/test_textures \
	tests/formats/psx/test_transfer \
	tests/formats/psx/test_triangle \
	tests/formats/psx/test_two_mib \
	tests/formats/psx/test_without \
	tests/formats/psx/test_writes
thread_tests += \
	tests/formats/psx/test_follow \
	tests/formats/psx/test_format \
	tests/formats/psx/test_index \
	tests/formats/psx/test_keyframes \
	tests/formats/psx/test_sketch
valgrind_tests += \
	tests/formats/psx/test_commands \
	tests/formats/psx/test_gp0 \
	tests/formats/psx/test_index \
	tests/formats/psx/test_inside \
	tests/formats/psx/test_packet \
	tests/formats/psx/test_problems \
	tests/formats/psx/test_reduce \
	tests/formats/psx/test_registers \
	tests/formats/psx/test_runs \
	tests/formats/psx/test_scanout \
	tests/formats/psx/test_shaders \
	tests/formats/psx/test_texts
fuzz_targets += \
	tests/fuzz/fuzz_psx_assemble \
	tests/fuzz/fuzz_psx_dump \
	tests/fuzz/fuzz_psx_gp0 \
	tests/fuzz/fuzz_psx_kept \
	tests/fuzz/fuzz_psx_packets
tests_fuzz_fuzz_psx_dump_SOURCES = tests/fuzz/fuzz_psx_dump.c $(fuzz_tree)
tests_fuzz_fuzz_psx_kept_SOURCES = tests/fuzz/fuzz_psx_kept.c $(fuzz_kept)

test_scripts += \
	tests/formats/psx/difftest.tap \
	tests/formats/psx/kept_index.tap
dist_noinst_SCRIPTS += tests/formats/psx/difftest.py

support_sources += \
	tests/formats/psx/build.c \
	tests/formats/psx/build.h \
	tests/formats/psx/feedback.c \
	tests/formats/psx/feedback.h \
	tests/formats/psx/play.c \
	tests/formats/psx/play.h \
	tests/formats/psx/rows.c \
	tests/formats/psx/rows.h \
	tests/formats/psx/stage.c \
	tests/formats/psx/stage.h \
	tests/formats/psx/truth.c \
	tests/formats/psx/truth.h \
	tests/formats/psx/view.c \
	tests/formats/psx/view.h

# Writes the dumps whose checksums are in the conformance set, and draws them independently.
psx_model = \
	tests/formats/psx/model.c \
	tests/formats/psx/model.h \
	tests/formats/psx/modelplay.c \
	tests/formats/psx/modelplay.h \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h
tests_formats_psx_test_conformance_SOURCES = tests/formats/psx/test_conformance.c $(psx_model)
tests_formats_psx_test_streams_SOURCES = tests/formats/psx/test_streams.c $(psx_model)
tests_formats_psx_test_cut_SOURCES = tests/formats/psx/test_cut.c tests/formats/psx/streams.c tests/formats/psx/streams.h
tests_formats_psx_test_early_edits_SOURCES = tests/formats/psx/test_early_edits.c $(load_sources)
tests_formats_psx_test_early_edits_LDADD = examples/libdumpwriter.a $(LDADD) -lm
tests_formats_psx_test_editions_SOURCES = \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h \
	tests/formats/psx/test_editions.c \
	$(load_sources)
tests_formats_psx_test_editions_LDADD = examples/libdumpwriter.a $(LDADD) -lm
tests_formats_psx_test_assembly_SOURCES = tests/formats/psx/test_assembly.c $(psx_model)
tests_formats_psx_test_reduce_SOURCES = tests/formats/psx/test_reduce.c $(psx_model)
tests_formats_psx_test_cost_SOURCES = tests/formats/psx/test_cost.c $(load_sources)
tests_formats_psx_test_cost_LDADD = examples/libdumpwriter.a $(LDADD) -lm
tests_formats_psx_test_dump_writer_LDADD = examples/libdumpwriter.a $(LDADD)
tests_formats_psx_test_texel_cache_SOURCES = \
	tests/formats/psx/model.c \
	tests/formats/psx/model.h \
	tests/formats/psx/test_texel_cache.c
psx_changes = tests/formats/psx/changes.c tests/formats/psx/changes.h
tests_formats_psx_test_every_pixel_SOURCES = \
	$(psx_changes) \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h \
	tests/formats/psx/test_every_pixel.c
tests_formats_psx_test_history_SOURCES = \
	$(psx_changes) \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h \
	tests/formats/psx/test_history.c
tests_formats_psx_test_kept_index_SOURCES = tests/formats/psx/test_kept_index.c $(load_sources)
tests_formats_psx_test_kept_index_LDADD = examples/libdumpwriter.a $(LDADD) -lm
tests_formats_psx_test_repeats_SOURCES = \
	tests/formats/psx/repeating.c \
	tests/formats/psx/repeating.h \
	tests/formats/psx/steps.c \
	tests/formats/psx/steps.h \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h \
	tests/formats/psx/test_repeats.c
tests_formats_psx_test_sketch_SOURCES = \
	tests/formats/psx/repeating.c \
	tests/formats/psx/repeating.h \
	tests/formats/psx/steps.c \
	tests/formats/psx/steps.h \
	tests/formats/psx/streams.c \
	tests/formats/psx/streams.h \
	tests/formats/psx/test_sketch.c \
	$(load_sources)
tests_formats_psx_test_sketch_LDADD = examples/libdumpwriter.a $(LDADD) -lm
tests_formats_psx_test_slices_SOURCES = tests/formats/psx/test_slices.c $(load_sources)
tests_formats_psx_test_slices_LDADD = examples/libdumpwriter.a $(LDADD) -lm

# The program that difftest.py runs.
if !FUZZERS
if HAVE_CMOCKA
check_PROGRAMS += tests/formats/psx/psxmodel
endif
endif
tests_formats_psx_psxmodel_SOURCES = tests/formats/psx/psxmodel.c $(psx_model)
