# SPDX-License-Identifier: MIT
# Tests of apitrace traces, for which a library may be missing.
if HAVE_APITRACE
unit_tests += \
	tests/formats/apitrace/test_conformance \
	tests/formats/apitrace/test_containers \
	tests/formats/apitrace/test_corpus \
	tests/formats/apitrace/test_cut \
	tests/formats/apitrace/test_damage \
	tests/formats/apitrace/test_early \
	tests/formats/apitrace/test_follow \
	tests/formats/apitrace/test_hostile \
	tests/formats/apitrace/test_kept_index \
	tests/formats/apitrace/test_parts \
	tests/formats/apitrace/test_player \
	tests/formats/apitrace/test_prewarm \
	tests/formats/apitrace/test_screens \
	tests/formats/apitrace/test_texture_index \
	tests/formats/apitrace/test_traces \
	tests/formats/apitrace/test_turns \
	tests/formats/apitrace/test_watched
thread_tests += \
	tests/formats/apitrace/follow.tap \
	tests/formats/apitrace/test_containers \
	tests/formats/apitrace/test_damage \
	tests/formats/apitrace/test_follow \
	tests/formats/apitrace/test_player \
	tests/formats/apitrace/test_prewarm \
	tests/formats/apitrace/test_traces \
	tests/formats/apitrace/test_turns
valgrind_tests += \
	tests/formats/apitrace/test_containers \
	tests/formats/apitrace/test_corpus \
	tests/formats/apitrace/test_damage \
	tests/formats/apitrace/test_parts \
	tests/formats/apitrace/test_traces
fuzz_targets += \
	tests/fuzz/fuzz_apitrace_container \
	tests/fuzz/fuzz_apitrace_dump \
	tests/fuzz/fuzz_apitrace_events \
	tests/fuzz/fuzz_apitrace_kept
tests_fuzz_fuzz_apitrace_dump_SOURCES = tests/fuzz/fuzz_apitrace_dump.c $(fuzz_tree)
tests_fuzz_fuzz_apitrace_kept_SOURCES = tests/fuzz/fuzz_apitrace_kept.c $(fuzz_kept)
test_scripts += \
	tests/formats/apitrace/cut.tap \
	tests/formats/apitrace/d3d.tap \
	tests/formats/apitrace/d3d_contents.tap \
	tests/formats/apitrace/follow.tap \
	tests/formats/apitrace/kept_index.tap \
	tests/formats/apitrace/mount.tap \
	tests/formats/apitrace/random.tap

apitrace_open = tests/formats/apitrace/open.c tests/formats/apitrace/open.h
tests_formats_apitrace_test_corpus_SOURCES = tests/formats/apitrace/test_corpus.c $(apitrace_open)
tests_formats_apitrace_test_conformance_SOURCES = tests/formats/apitrace/test_conformance.c $(apitrace_open)
apitrace_script = tests/formats/apitrace/script.c tests/formats/apitrace/script.h
apitrace_retraced = tests/formats/apitrace/retraced.c tests/formats/apitrace/retraced.h $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_player_SOURCES = tests/formats/apitrace/test_player.c $(apitrace_retraced)
tests_formats_apitrace_test_player_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_prewarm_SOURCES = tests/formats/apitrace/test_prewarm.c $(apitrace_retraced)
tests_formats_apitrace_test_prewarm_LDADD = examples/libapitracewriter.a $(LDADD)
check_PROGRAMS += tests/formats/apitrace/fakeretracer
tests_formats_apitrace_fakeretracer_SOURCES = tests/formats/apitrace/fakeretracer.c
tests_formats_apitrace_fakeretracer_LDADD = $(GPUDUMPFS_LIBS)
tests_formats_apitrace_test_kept_index_SOURCES = tests/formats/apitrace/test_kept_index.c $(apitrace_script) $(apitrace_open) $(fault_sources)
tests_formats_apitrace_test_kept_index_LDADD = examples/libapitracewriter.a $(LDADD) $(FAULT_WRAPPERS)
tests_formats_apitrace_test_early_SOURCES = tests/formats/apitrace/test_early.c $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_early_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_follow_SOURCES = tests/formats/apitrace/test_follow.c tests/formats/apitrace/framed.c \
	tests/formats/apitrace/framed.h $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_follow_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_screens_SOURCES = tests/formats/apitrace/test_screens.c $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_screens_LDADD = examples/libapitracewriter.a $(LDADD)
apitrace_written = tests/formats/apitrace/written.c tests/formats/apitrace/written.h $(apitrace_open)
apitrace_snappy_block = tests/formats/apitrace/snappy_block.h
tests_formats_apitrace_test_containers_SOURCES = tests/formats/apitrace/test_containers.c $(apitrace_snappy_block) $(apitrace_written)
tests_formats_apitrace_test_containers_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_damage_SOURCES = tests/formats/apitrace/test_damage.c $(apitrace_snappy_block) $(apitrace_written)
tests_formats_apitrace_test_damage_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_cut_SOURCES = tests/formats/apitrace/test_cut.c $(apitrace_written)
tests_formats_apitrace_test_cut_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_hostile_SOURCES = tests/formats/apitrace/test_hostile.c $(apitrace_written)
tests_formats_apitrace_test_hostile_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_texture_index_SOURCES = tests/formats/apitrace/test_texture_index.c $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_texture_index_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_traces_SOURCES = tests/formats/apitrace/test_traces.c $(apitrace_written)
tests_formats_apitrace_test_traces_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_turns_SOURCES = tests/formats/apitrace/test_turns.c $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_turns_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_watched_SOURCES = tests/formats/apitrace/test_watched.c tests/worker/fakeworker.h
endif

dist_noinst_SCRIPTS += \
	tests/formats/apitrace/d3d_traces.py \
	tests/formats/apitrace/draw_states.py \
	tests/formats/apitrace/random_traces.py \
	tests/formats/apitrace/rewrite_glx.py

# To be run by hand, on a machine with many of Debian's programs.
dist_noinst_SCRIPTS += tests/formats/apitrace/sweep.py
EXTRA_DIST += tests/formats/apitrace/sweep.tsv

# Tests of pictures that the worker draws.
if HAVE_RETRACER
unit_tests += \
	tests/formats/apitrace/test_assembly_instructions \
	tests/formats/apitrace/test_assembly_positions \
	tests/formats/apitrace/test_assembly_programs \
	tests/formats/apitrace/test_bound \
	tests/formats/apitrace/test_conformance_pictures \
	tests/formats/apitrace/test_coverage \
	tests/formats/apitrace/test_coverage_lists \
	tests/formats/apitrace/test_cut_pictures \
	tests/formats/apitrace/test_egl_images \
	tests/formats/apitrace/test_frames \
	tests/formats/apitrace/test_history \
	tests/formats/apitrace/test_immediate \
	tests/formats/apitrace/test_list_vertices \
	tests/formats/apitrace/test_positions \
	tests/formats/apitrace/test_primitives \
	tests/formats/apitrace/test_samples \
	tests/formats/apitrace/test_seen \
	tests/formats/apitrace/test_several \
	tests/formats/apitrace/test_shader_sources \
	tests/formats/apitrace/test_spirv_positions
test_scripts += \
	tests/formats/apitrace/draws.tap \
	tests/formats/apitrace/frames.tap \
	tests/formats/apitrace/window_systems.tap
check_PROGRAMS += tests/formats/apitrace/pngdiffer
tests_formats_apitrace_pngdiffer_LDADD = $(CORE_LIBS)
apitrace_pictures = tests/formats/apitrace/pictures.c tests/formats/apitrace/pictures.h
tests_formats_apitrace_test_conformance_pictures_SOURCES = \
	tests/formats/apitrace/test_conformance_pictures.c \
	$(apitrace_pictures) $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_conformance_pictures_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_cut_pictures_SOURCES = \
	tests/formats/apitrace/test_cut_pictures.c \
	$(apitrace_pictures) $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_cut_pictures_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_frames_SOURCES = tests/formats/apitrace/test_frames.c $(apitrace_pictures) $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_frames_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_history_SOURCES = tests/formats/apitrace/test_history.c $(apitrace_pictures) $(apitrace_script) $(apitrace_open)
tests_formats_apitrace_test_history_LDADD = examples/libapitracewriter.a $(LDADD)
apitrace_seen = tests/formats/apitrace/seen.c tests/formats/apitrace/seen.h $(apitrace_pictures) $(apitrace_script) $(apitrace_open)
apitrace_assembled = tests/formats/apitrace/assembled.c tests/formats/apitrace/assembled.h $(apitrace_seen)
tests_formats_apitrace_test_assembly_instructions_SOURCES = \
	tests/formats/apitrace/test_assembly_instructions.c $(apitrace_assembled)
tests_formats_apitrace_test_assembly_instructions_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_assembly_positions_SOURCES = \
	tests/formats/apitrace/test_assembly_positions.c $(apitrace_assembled)
tests_formats_apitrace_test_assembly_positions_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_assembly_programs_SOURCES = tests/formats/apitrace/test_assembly_programs.c $(apitrace_seen)
tests_formats_apitrace_test_assembly_programs_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_coverage_SOURCES = tests/formats/apitrace/test_coverage.c $(apitrace_seen)
tests_formats_apitrace_test_coverage_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_coverage_lists_SOURCES = tests/formats/apitrace/test_coverage_lists.c $(apitrace_seen)
tests_formats_apitrace_test_coverage_lists_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_immediate_SOURCES = tests/formats/apitrace/test_immediate.c $(apitrace_seen)
tests_formats_apitrace_test_immediate_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_list_vertices_SOURCES = tests/formats/apitrace/test_list_vertices.c $(apitrace_seen)
tests_formats_apitrace_test_list_vertices_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_positions_SOURCES = tests/formats/apitrace/test_positions.c $(apitrace_seen)
tests_formats_apitrace_test_positions_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_primitives_SOURCES = tests/formats/apitrace/test_primitives.c $(apitrace_seen)
tests_formats_apitrace_test_primitives_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_bound_SOURCES = tests/formats/apitrace/test_bound.c $(apitrace_seen)
tests_formats_apitrace_test_bound_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_egl_images_SOURCES = tests/formats/apitrace/test_egl_images.c $(apitrace_seen)
tests_formats_apitrace_test_egl_images_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_samples_SOURCES = tests/formats/apitrace/test_samples.c $(apitrace_seen)
tests_formats_apitrace_test_samples_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_seen_SOURCES = tests/formats/apitrace/test_seen.c $(apitrace_seen)
tests_formats_apitrace_test_seen_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_several_SOURCES = tests/formats/apitrace/test_several.c $(apitrace_seen)
tests_formats_apitrace_test_several_LDADD = examples/libapitracewriter.a $(LDADD)
tests_formats_apitrace_test_shader_sources_SOURCES = tests/formats/apitrace/test_shader_sources.c $(apitrace_seen)
tests_formats_apitrace_test_shader_sources_LDADD = examples/libapitracewriter.a $(LDADD)
apitrace_modules = tests/formats/apitrace/modules.c tests/formats/apitrace/modules.h
tests_formats_apitrace_test_spirv_positions_SOURCES = tests/formats/apitrace/test_spirv_positions.c $(apitrace_modules) $(apitrace_seen)
tests_formats_apitrace_test_spirv_positions_LDADD = examples/libapitracewriter.a $(LDADD)
endif
