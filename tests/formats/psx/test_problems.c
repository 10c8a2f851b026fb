/* SPDX-License-Identifier: MIT */
/*
 * Has, for every row of the table in psx-dump.md 5, a dump with that defect and the line that
 * problems.txt must have; or no line, where psx-dump.md says that it is no defect.
 */
#include "tests/formats/psx/build.h"

#include "formats/format.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct defect {
    const char *name;
    enum psx_magic magic;
    void (*build)(struct psx_build *build);
    const char *expected; /* all of problems.txt */
};

/* Most cases have one defect only, so they begin like a correct dump. */
static void begin(struct psx_build *build)
{
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
}

static void sound(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_VERSION, 2);
    GP0(build, 0x01000000);
    begin(build);
    GP0(build, 0x20000000, 0, 0, 0);
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    PACKET(build, PSX_PACKET_VSYNC, 0xFFFFFFFF);
    psx_build_vsync(build, UINT64_C(1) << 32);
}

static void truncated_packet(struct psx_build *build)
{
    begin(build);
    psx_build_word(build, 4);
    psx_build_word(build, 0);
    psx_build_word(build, 0);
}

static void truncated_within_a_word(struct psx_build *build)
{
    begin(build);
    psx_build_word(build, 4);
    psx_build_word(build, 0);
    psx_build_bytes(build, "abc", 3);
}

static void length_of_64_mib(struct psx_build *build)
{
    begin(build);
    psx_build_word(build, 0x12FFFFFF);
    psx_build_word(build, 0);
}

static void stray_bytes(struct psx_build *build)
{
    begin(build);
    GP0(build, 0);
    psx_build_bytes(build, "ab", 2);
}

static void empty_gp0(struct psx_build *build)
{
    begin(build);
    EMPTY_PACKET(build, PSX_PACKET_GP0);
}

static void gp1_of_no_and_of_two_words(struct psx_build *build)
{
    begin(build);
    EMPTY_PACKET(build, PSX_PACKET_GP1);
    PACKET(build, PSX_PACKET_GP1, 0x03000000, 0x03000001);
}

static void vsync_of_three_words(struct psx_build *build)
{
    begin(build);
    PACKET(build, PSX_PACKET_VSYNC, 1, 0, 2);
}

static void vsync_before_begin(struct psx_build *build)
{
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    begin(build);
}

static void no_begin(struct psx_build *build)
{
    EMPTY_PACKET(build, PSX_PACKET_VSYNC);
}

static void second_begin(struct psx_build *build)
{
    begin(build);
    begin(build);
}

static void begin_with_a_payload(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_BEGIN, 1);
}

static void version_too_late(struct psx_build *build)
{
    GP1(build, 0);
    PACKET(build, PSX_PACKET_VERSION, 3);
    begin(build);
}

static void version_of_two_words(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_VERSION, 2, 0);
    begin(build);
}

static void version_0(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_VERSION, 0);
    begin(build);
}

static void version_1(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_VERSION, 1);
    begin(build);
}

static void version_3(struct psx_build *build)
{
    PACKET(build, PSX_PACKET_VERSION, 3);
    begin(build);
}

static void strings(struct psx_build *build)
{
    psx_build_string(build, PSX_PACKET_GAME, "SLUS-01234", 10);
    psx_build_string(build, PSX_PACKET_GAME, "SCES-99999\0\0", 12);
    psx_build_string(build, PSX_PACKET_GAME, "UNKNOWN", 7);
    psx_build_string(build, PSX_PACKET_GAME, "HOMEBREW", 8);
    psx_build_string(build, PSX_PACKET_VIDEO, "NTSC", 4);
    psx_build_string(build, PSX_PACKET_VIDEO, "PAL", 3);
    psx_build_packet(build, PSX_PACKET_COMMENT, NULL, 1024);
    begin(build);
}

static void game_ids_of_another_form(struct psx_build *build)
{
    static const char *const ids[] = {"UNKNOW", "SLUS",       "SLUS_012.34", "SLUS-0123",
                                      "",       "slus-01234", "SLUS-012345", "SLUS-01\n\xFF"};

    for (size_t i = 0; i < COUNT_OF(ids); i++)
        psx_build_string(build, PSX_PACKET_GAME, ids[i], strlen(ids[i]));
    begin(build);
}

static void unknown_video_formats(struct psx_build *build)
{
    char many[200];

    memset(many, 'x', sizeof(many));
    psx_build_string(build, PSX_PACKET_VIDEO, "\xFF\x01", 2);
    psx_build_string(build, PSX_PACKET_VIDEO, "NTSC-J", 6);
    psx_build_string(build, PSX_PACKET_VIDEO, "PAL ", 4);
    psx_build_string(build, PSX_PACKET_VIDEO, many, sizeof(many));
    begin(build);
}

/* A string that the dump's end cuts off may have been correct. */
static void string_cut_off(struct psx_build *build)
{
    begin(build);
    psx_build_word(build, 0x10000003);
    psx_build_bytes(build, "SLUS-012", 8);
}

static void long_comment(struct psx_build *build)
{
    psx_build_packet(build, PSX_PACKET_COMMENT, NULL, 1025);
    begin(build);
}

static void unknown_type(struct psx_build *build)
{
    begin(build);
    PACKET(build, 0x7F, 1, 2);
}

static void discard_of_no_words(struct psx_build *build)
{
    begin(build);
    EMPTY_PACKET(build, PSX_PACKET_DISCARD);
    GP0(build, 0xC0000000, 0, 0x00010004);
    PACKET(build, PSX_PACKET_READBACK, 2, 7);
}

static void discard_too_large(struct psx_build *build)
{
    begin(build);
    GP0(build, 0xC0000000, 0, 0x00010004);
    PACKET(build, PSX_PACKET_DISCARD, 0xFFFFFFFF);
}

static void discard_too_small(struct psx_build *build)
{
    begin(build);
    GP0(build, 0xC0000000, 0, 0x00010004);
    PACKET(build, PSX_PACKET_DISCARD, 1);
    GP0(build, 0xC0000000, 0, 0x00010001);
    PACKET(build, PSX_PACKET_DISCARD, 1);
}

static void discard_without_read(struct psx_build *build)
{
    begin(build);
    PACKET(build, PSX_PACKET_DISCARD, 1);
    GP0(build, 0xC0000000, 0, 0x00010001);
    PACKET(build, PSX_PACKET_READBACK, 1);
    PACKET(build, PSX_PACKET_READBACK, 1);
}

static void no_discard(struct psx_build *build)
{
    begin(build);
    GP0(build, 0xC0000000, 0, 0x00010001, 0x01000000);
}

/* DuckStation writes the discard after the words that followed the C0. */
static void late_discard(struct psx_build *build)
{
    begin(build);
    GP0(build, 0xC0000000, 0, 0x00010001, 0x01000000);
    GP0(build, 0xE1000000);
    PACKET(build, PSX_PACKET_DISCARD, 1);
}

static void unknown_gp0(struct psx_build *build)
{
    begin(build);
    GP0(build, 0x03000000, 0xFF000000);
    GP0(build, 0x03000000, 0xFF000001);
}

static void culled_draws(struct psx_build *build)
{
    begin(build);
    GP0(build, 0x20000000, 0, 0x01FF03FF, 0x02000000);
    GP0(build, 0xE3000000 | 5, 0xE4000000);
    GP0(build, 0x68000000, 0);
}

static void cut_by_the_end(struct psx_build *build)
{
    begin(build);
    GP0(build, 0x01000000);
    GP0(build, 0x2C000000, 1);
}

static void cut_by_gp1(struct psx_build *build)
{
    begin(build);
    GP0(build, 0xA0000000, 0, 0x00010004, 0);
    GP1(build, 0x01000000);
    GP0(build, 0x48000000, 0, 0);
    GP1(build, 0x00000000);
}

static void time_backwards(struct psx_build *build)
{
    begin(build);
    psx_build_vsync(build, 5);
    psx_build_vsync(build, 4);
}

static const struct defect defects[] = {
    {"sound", PSX_MAGIC_16, sound, ""},
    {"payload longer than the rest", PSX_MAGIC_16, truncated_packet,
     "0x00000014 packet 1 error: the dump ends after 2 of 4 words of this packet\n"},
    {"cut within a word", PSX_MAGIC_16, truncated_within_a_word,
     "0x00000014 packet 1 error: the dump ends after 1 of 4 words of this packet\n"},
    {"length field of 64 MiB", PSX_MAGIC_16, length_of_64_mib,
     "0x00000014 packet 1 error: the dump ends after 1 of 16777215 words of this packet\n"},
    {"stray bytes", PSX_MAGIC_16, stray_bytes,
     "0x0000001C packet - error: 2 bytes after the last packet\n"},
    {"empty gp0", PSX_MAGIC_16, empty_gp0, "0x00000014 packet 1 note: gp0 packet without words\n"},
    {"gp1 not of one word", PSX_MAGIC_16, gp1_of_no_and_of_two_words,
     "0x00000014 packet 1 note: gp1 packet of 0 words instead of 1\n"
     "0x00000018 packet 2 note: gp1 packet of 2 words instead of 1\n"},
    {"vsync of three words", PSX_MAGIC_16, vsync_of_three_words,
     "0x00000014 packet 1 warning: vsync of 3 words: only the first two, the time, are used\n"},
    {"vsync before begin", PSX_MAGIC_16, vsync_before_begin,
     "0x00000010 packet 0 warning: vsync before Trace begin: it ends no frame\n"},
    {"no begin", PSX_MAGIC_16, no_begin,
     "- packet - note: no Trace begin: frame 0 starts at the first packet\n"},
    {"second begin", PSX_MAGIC_16, second_begin,
     "0x00000014 packet 1 warning: another Trace begin after that of packet 0, without effect\n"},
    {"begin with a payload", PSX_MAGIC_16, begin_with_a_payload,
     "0x00000010 packet 0 warning: begin packet with a payload of 1 words\n"},
    {"late version", PSX_MAGIC_16, version_too_late,
     "0x00000018 packet 1 warning: version packet after words for the GPU: it is ignored\n"},
    {"version of two words", PSX_MAGIC_16, version_of_two_words,
     "0x00000010 packet 0 warning: version packet of 2 words instead of 1\n"},
    {"reserved version", PSX_MAGIC_16, version_0,
     "0x00000010 packet 0 warning: GPU version 0 is reserved: v2 is used instead\n"},
    {"version 0 of DuckStation", PSX_MAGIC_14, version_0, ""},
    {"reserved version of DuckStation", PSX_MAGIC_14, version_3,
     "0x0000000E packet 0 warning: GPU version 3 is reserved: v2 is used instead\n"},
    {"v1 GPU", PSX_MAGIC_16, version_1, ""},
    {"v2 of DuckStation", PSX_MAGIC_14, version_1, ""},
    {"2 MiB", PSX_MAGIC_16, version_3, ""},
    {"strings", PSX_MAGIC_16, strings, ""},
    {"game ids of another form", PSX_MAGIC_14, game_ids_of_another_form,
     "0x0000000E packet 0 note: game id 'UNKNOW' is not of the form SLUS-12345\n"
     "0x0000001A packet 1 note: game id 'SLUS' is not of the form SLUS-12345\n"
     "0x00000022 packet 2 note: game id 'SLUS_012.34' is not of the form SLUS-12345\n"
     "0x00000032 packet 3 note: game id 'SLUS-0123' is not of the form SLUS-12345\n"
     "0x00000042 packet 4 note: game id '' is not of the form SLUS-12345\n"
     "0x00000046 packet 5 note: game id 'slus-01234' is not of the form SLUS-12345\n"
     "0x00000056 packet 6 note: game id 'SLUS-012345' is not of the form SLUS-12345\n"
     "0x00000066 packet 7 note: game id 'SLUS-01\\x0A\\xFF' is not of the form SLUS-12345\n"},
    {"unknown video formats", PSX_MAGIC_16, unknown_video_formats,
     "0x00000010 packet 0 note: video format '\\xFF\\x01' is neither NTSC nor PAL\n"
     "0x00000018 packet 1 note: video format 'NTSC-J' is neither NTSC nor PAL\n"
     "0x00000024 packet 2 note: video format 'PAL ' is neither NTSC nor PAL\n"
     "0x0000002C packet 3 note: video format "
     "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is neither NTSC nor "
     "PAL\n"},
    {"string cut off", PSX_MAGIC_16, string_cut_off,
     "0x00000014 packet 1 error: the dump ends after 2 of 3 words of this packet\n"},
    {"long comment", PSX_MAGIC_16, long_comment,
     "0x00000010 packet 0 note: comment of 1025 words: metadata shows only its first 4096 bytes\n"},
    {"unknown type", PSX_MAGIC_16, unknown_type,
     "0x00000014 packet 1 note: unknown packet type 7F, 2 words\n"},
    {"discard not of one word", PSX_MAGIC_16, discard_of_no_words,
     "0x00000014 packet 1 warning: discard packet of 0 words instead of 1\n"
     "0x00000028 packet 3 warning: readback packet of 2 words instead of 1\n"},
    {"discard too large", PSX_MAGIC_16, discard_too_large,
     "0x00000024 packet 2 warning: discard of 4294967295 words, but the read has 2 left\n"},
    {"discard too small", PSX_MAGIC_16, discard_too_small,
     "0x00000014 packet 1 note: only 1 of the 2 words of this read are consumed\n"},
    {"discard without a read", PSX_MAGIC_16, discard_without_read,
     "0x00000014 packet 1 warning: discard of 1 words, but no read has any words left\n"
     "0x00000034 packet 4 warning: readback of 1 words, but no read has any words left\n"},
    {"no discard", PSX_MAGIC_16, no_discard,
     "0x00000014 packet 1 note: no discard or readback consumes the 1 words of this read\n"},
    {"late discard", PSX_MAGIC_16, late_discard, ""},
    {"unknown GP0 bytes", PSX_MAGIC_16, unknown_gp0,
     "0x00000014 packet 1 note: unknown GP0 byte 03\n"
     "0x00000014 packet 1 note: unknown GP0 byte FF\n"},
    {"culled draws", PSX_MAGIC_16, culled_draws, ""},
    {"cut by the end", PSX_MAGIC_16, cut_by_the_end,
     "0x0000001C packet 2 note: command 2C has only 2 of 9 words when the dump ends\n"},
    {"cut by GP1", PSX_MAGIC_16, cut_by_gp1,
     "0x00000028 packet 2 note: upload still lacks 1 words when GP1 drops it\n"
     "0x00000040 packet 4 note: polyline has no end mark when GP1 drops it\n"},
    {"time backwards", PSX_MAGIC_16, time_backwards,
     "0x00000020 packet 2 note: the time runs backwards: 4 cycles, after 5\n"},
};

static void every_defect_has_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(defects); i++) {
        struct psx_build build;
        struct psx_opened opened;
        char *problems;

        psx_build_start(&build, defects[i].magic);
        defects[i].build(&build);
        psx_opened_build(&opened, &build);
        problems = psx_opened_problems(&opened);
        if (strcmp(problems, defects[i].expected) != 0)
            print_error("%s\n", defects[i].name);
        assert_string_equal(problems, defects[i].expected);
        free(problems);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

static void many_of_a_kind_are_summed_up(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *problems;
    unsigned lines = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    begin(&build);
    for (unsigned i = 0; i < 12345; i++)
        EMPTY_PACKET(&build, PSX_PACKET_GP0);
    psx_opened_build(&opened, &build);
    problems = psx_opened_problems(&opened);
    for (const char *c = problems; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 101);
    assert_non_null(strstr(problems, "- packet - note: 12245 more gp0 packets without words are "
                                     "not listed\n"));
    free(problems);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void a_frame_counts_its_own(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *info;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    begin(&build);
    GP0(&build, 0x03000000);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    EMPTY_PACKET(&build, PSX_PACKET_GP0);
    PACKET(&build, PSX_PACKET_DISCARD, 1);
    PACKET(&build, PSX_PACKET_VSYNC, 1, 2, 3);
    psx_opened_build(&opened, &build);
    info = psx_opened_read(&opened, "by-frame/000000/info.txt");
    assert_non_null(strstr(info, "\nproblems: 1\n"));
    free(info);
    info = psx_opened_read(&opened, "by-frame/000001/info.txt");
    assert_non_null(strstr(info, "\nproblems: 3\n"));
    free(info);
    info = psx_opened_read(&opened, "metadata.txt");
    assert_non_null(strstr(info, "\nproblems: 4\n"));
    free(info);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void what_has_no_magic_is_no_dump(void **state)
{
    static const char bytes[] = "PSXGPUDUM";
    struct psx_opened opened;

    (void)state;
    for (size_t size = 0; size < sizeof(bytes); size++) {
        psx_opened_init(&opened, bytes, size);
        assert_null(psx_opened_probe(&opened));
        psx_opened_close(&opened);
    }
}

static void other_versions_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *version;
    } cases[] = {
        {"PSXGPUDUMPv2\0\0\0\0", 16, "'v2'"},
        {"PSXGPUDUMPv1r2\0\0", 16, "'v1r2'"},
        {"PSXGPUDUMP", 10, "''"},
        {"PSXGPUDUMPv1", 12, "'v1'"},
        {"PSXGPUDUMPv1r1\0", 15, "'v1r1'"},
        {"PSXGPUDUMPv1\0\1", 14, "'v1'"},
        {"PSXGPUDUMP\x1B[2J\xFF", 15, "\\x1B"},
    };
    struct psx_opened opened;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        psx_opened_init(&opened, cases[i].bytes, cases[i].size);
        assert_int_equal(psx_opened_open(&opened), -EPROTO);
        assert_null(opened.dump);
        text_add_char(&opened.message, '\0');
        assert_non_null(strstr(opened.message.bytes, cases[i].version));
        psx_opened_close(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_magic_is_no_dump),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(every_defect_has_its_line),
        cmocka_unit_test(many_of_a_kind_are_summed_up),
        cmocka_unit_test(a_frame_counts_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
