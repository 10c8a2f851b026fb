/* SPDX-License-Identifier: MIT */
/*
 * Dumps of very many small things. The limits of processor time are exceeded by far if each thing
 * is compared with all others.
 */
#include "tests/formats/psx/view.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PALETTES = 40000, FRAMES = 40000, SECONDS_MAX = 5 };

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What is listed of a directory: the names must be in ascending order */
struct listed {
    char last[32];
    unsigned count;
};

static bool take(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                 uint64_t next)
{
    struct listed *listed = context;

    (void)inode, (void)kind, (void)next;
    if (name[0] == '.')
        return true;
    assert_true(strcmp(listed->last, name) < 0);
    snprintf(listed->last, sizeof(listed->last), "%s", name);
    listed->count++;
    return true;
}

/* Takes 1.6 * 10^10 comparisons if each name is searched for. */
static void test_palettes_are_listed_in_time(void **state)
{
    struct listed listed = {.last = ""};
    struct psx_opened opened;
    struct psx_build build;
    uint64_t directory = 0, cursor = 0;
    double before = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    psx_build_full_area(&build);
    for (uint32_t i = 0; i < PALETTES; i++)
        GP0(&build, 0xE1000000 | (i % 32), 0x7C808080, 0, i << 16);
    psx_build_vsync(&build, 1);
    psx_opened_build(&opened, &build);
    assert_int_equal(tree_find(opened.tree, "by-frame/000000/clut", true, &directory), 0);
    assert_int_equal(tree_list(opened.tree, directory, &cursor, take, &listed), 0);
    before = processor_seconds();
    for (unsigned times = 0; times < 10; times++) {
        listed = (struct listed){.last = ""};
        cursor = 0;
        assert_int_equal(tree_list(opened.tree, directory, &cursor, take, &listed), 0);
        assert_int_equal(listed.count, PALETTES);
    }
    assert_true(processor_seconds() - before < SECONDS_MAX);
    assert_string_equal(listed.last, "9C3F-4.png");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/*
 * More frames than uploads.tsv has pieces; every 1000th has uploads, one of which continues after
 * its end.
 */
static void test_uploads_of_few_frames(void **state)
{
    struct psx_opened opened;
    struct psx_build build;
    struct text wanted = TEXT_INIT;
    char *table;
    size_t size;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    GP0(&build, 0xA0000000, 0, 0x00010001, 7);
    text_add(&wanted, "frame\tupload\tpacket\tword\tx\ty\twidth\theight\tbytes\tend\n");
    text_add(&wanted, "-\t0\t0\t0\t0\t0\t1\t1\t2\tcomplete\n");
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        if (frame % 1000 == 999) {
            text_printf(&wanted, "%u\t0\t%llu\t0\t5\t6\t1\t1\t2\tcomplete\n", frame,
                        (unsigned long long)build.packets);
            GP0(&build, 0xA0000000, 6 << 16 | 5, 0x00010001, 7);
            text_printf(&wanted, "%u\t1\t%llu\t0\t9\t0\t2\t2\t8\tcomplete\n", frame,
                        (unsigned long long)build.packets);
            GP0(&build, 0xA0000000, 9, 0x00020002, 1);
        }
        psx_build_vsync(&build, frame);
        if (frame % 1000 == 999)
            GP0(&build, 2);
    }
    psx_opened_build(&opened, &build);
    table = walk_read(opened.tree, "uploads.tsv", &size);
    assert_int_equal(size, wanted.length);
    assert_memory_equal(table, wanted.bytes, size);
    free(table);
    text_clear(&wanted);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_palettes_are_listed_in_time),
        cmocka_unit_test(test_uploads_of_few_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
