/* SPDX-License-Identifier: MIT */
/*
 * Tests the rows of pixels' histories by hand: why commands are rejected, what a pixel was made of,
 * both halfwords of 24 bits; names that are found but not listed, and their counterparts as
 * scripts.
 */
#include "tests/formats/psx/rows.h"
#include "tests/formats/psx/stage.h"
#include "tests/formats/psx/view.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rejections, by hand: the last command of the dump, and a pixel */

struct rejection {
    const char *what;
    uint32_t before[8]; /* words that come first, ended by 0 */
    uint32_t words[12]; /* of the command, ended by END */
    unsigned x, y;
    const char *outcome; /* NULL if there is no row */
    uint32_t gp1;        /* a word for port 1 that comes first; 0 if none */
};

#define END 0xFFFFFFFF

static const struct rejection rejections[] = {
    {"a rectangle outside the area",
     {0},
     {0x600000FF, 0x00140064, 0x00080008, END},
     101,
     21,
     "clipped",
     0},
    {"its neighbour", {0}, {0x600000FF, 0x00140064, 0x00080008, END}, 99, 21, NULL, 0},
    {"a triangle outside the area",
     {0},
     {0x200000FF, 0x00140064, 0x00140084, 0x00340064, END},
     101,
     21,
     "clipped",
     0},
    {"beside the triangle's long edge",
     {0},
     {0x200000FF, 0x00140064, 0x00140084, 0x00340064, END},
     130,
     50,
     NULL,
     0},
    {"a line outside the area",
     {0},
     {0x400000FF, 0x00140064, 0x00140084, END},
     110,
     20,
     "clipped",
     0},
    {"a rectangle that reaches out of the area",
     {0},
     {0x600000FF, 0x00140038, 0x00080010, END},
     64,
     21,
     "clipped",
     0},
    {"the same inside", {0}, {0x600000FF, 0x00140038, 0x00080010, END}, 63, 21, "written", 0},
    {"a fill heeds no area", {0}, {0x020000FF, 0x00140060, 0x00080010, END}, 101, 21, "written", 0},
    {"a marked pixel",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x680000FF, 0x00050005, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a line",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x400000FF, 0x00050000, 0x00050010, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and an upload",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0xA0000000, 0x00050005, 0x00010001, 0x7FFF, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a copy",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x80000000, 0, 0x00050005, 0x00010001, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a fill",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x020000FF, 0, 0x00100010, END},
     5,
     5,
     "written",
     0},
    {"a texel that is not there",
     {0xE1000108},
     {0x65808080, 0x00050005, 0, 0x00040004, END},
     6,
     6,
     "transparent",
     0},
    {"behind the mask no texel counts",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002, 0xE1000108},
     {0x65808080, 0x00050005, 0, 0x00040004, END},
     5,
     5,
     "masked",
     0},
    {"a line that 480i skips",
     {0},
     {0x600000FF, 0x00140010, 0x00080008, END},
     17,
     22,
     "field",
     0x08000024},
    {"the line below",
     {0},
     {0x600000FF, 0x00140010, 0x00080008, END},
     17,
     23,
     "written",
     0x08000024},
    {"a fill's line that 480i skips",
     {0},
     {0x020000FF, 0x00140010, 0x00080010, END},
     17,
     22,
     "field",
     0x08000024},
    {"skipped, and outside the area",
     {0},
     {0x600000FF, 0x00140064, 0x00080008, END},
     101,
     22,
     "clipped",
     0x08000024},
    {"a triangle of the greatest width",
     {0},
     {0x200000FF, 0x00000000, 0x000003FF, 0x003203FF, END},
     60,
     1,
     "written",
     0},
    {"a triangle that is dropped",
     {0},
     {0x200000FF, 0x00000200, 0x00000600, 0x00640200, END},
     20,
     20,
     "culled",
     0},
    {"beside the one that is dropped",
     {0},
     {0x200000FF, 0x00000200, 0x00000600, 0x00140200, END},
     20,
     30,
     NULL,
     0},
    {"a line that is dropped", {0}, {0x400000FF, 0x00140200, 0x00140600, END}, 20, 20, "culled", 0},
    {"a line outside an area below line 512",
     {0xE3082000, 0xE408C03F},
     {0x400000FF, 0x02580010, 0x02580020, END},
     20,
     88,
     "clipped",
     0},
    {"the same inside",
     {0xE3082000, 0xE408C03F},
     {0x400000FF, 0x02200010, 0x02200020, END},
     20,
     32,
     "written",
     0},
    {"the same with GP1(09)",
     {0xE3082000, 0xE408C03F},
     {0x400000FF, 0x02580010, 0x02580020, END},
     20,
     88,
     NULL,
     0x09000001},
    {"a line that is dropped below line 512",
     {0xE3082000, 0xE408C03F},
     {0x400000FF, 0x02200200, 0x02200600, END},
     20,
     32,
     "culled",
     0},
    {"a rectangle without size", {0}, {0x600000FF, 0x00140010, 0x00000000, END}, 16, 20, NULL, 0},
    {"half of an average", {0}, {0x620000FF, 0x00140010, 0x00080008, END}, 17, 21, "written", 0},
};

static void build_rejection(const struct rejection *rejection, struct psx_build *build)
{
    size_t before = 0, words = 0;

    while (before < COUNT_OF(rejection->before) && rejection->before[before] != 0)
        before++;
    while (rejection->words[words] != END)
        words++;
    psx_build_start(build, PSX_MAGIC_16);
    GP0(build, 0xE3000000, 0xE4000000 | 63 | 63 << 10, 0xE5000000);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    if (rejection->gp1 != 0)
        GP1(build, rejection->gp1);
    if (before > 0)
        psx_build_packet(build, PSX_PACKET_GP0, rejection->before, before);
    psx_build_packet(build, PSX_PACKET_GP0, rejection->words, words);
    psx_build_vsync(build, 1000);
}

static void rejections_have_their_reason(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(rejections); i++) {
        const struct rejection *rejection = &rejections[i];
        struct psx_build build;
        struct psx_opened opened;
        struct psx_row row, last = {0};
        char *table, *rest;

        build_rejection(rejection, &build);
        psx_opened_build(&opened, &build);
        rest = table = psx_opened_read(
            &opened, psx_view_path(0, "vram-pixel/%u,%u.tsv", rejection->x, rejection->y));
        strsep(&rest, "\n");
        while (psx_row_next(&rest, &row))
            last = row;
        if (rejection->outcome == NULL) {
            if (last.cells[0] != NULL)
                fail_msg("%s: is %s", rejection->what, psx_row_cell(&last, "outcome"));
        } else if (last.cells[0] == NULL) {
            fail_msg("%s: has no row", rejection->what);
        } else if (!psx_row_is(&last, "outcome", rejection->outcome)) {
            fail_msg("%s: is %s", rejection->what, psx_row_cell(&last, "outcome"));
        } else {
            assert_int_equal(psx_row_number(&last, "op", 16), rejection->words[0] >> 24);
        }
        free(table);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

/*
 * Where a 4-bit texel comes from, through window, page and palette; and where a copied pixel comes
 * from.
 */
static void sources_are_told(void **state)
{
    static const struct {
        unsigned x, y;
        const char *cells; /* outcome, after, blend, and the columns after these */
    } expected[] = {
        {10, 20, "written 801F 1 26,3 646,3 7210 162,480 801F"},
        {11, 20, "transparent 0000 - 27,3 646,3 7210 167,480 0000"},
        {30, 20, "written 7210 - - 646,3 7210 - -"},
        {646, 3, "written 7210 - - - 7210 - -"},
    };
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP0(&build, 0xA0000000, 3u << 16 | 646, 0x00010002, 0x00007210);  /* texels 0 1 2 7, 0 */
    GP0(&build, 0xA0000000, 480u << 16 | 160, 0x00010004, 0, 0x801F); /* entry 2: red, blends */
    GP0(&build, 0xE2000000 | 2 | 2 << 10, 0xE100002A);                /* adds 16 to u; page 640,0 */
    GP0(&build, 0x67808080, 20u << 16 | 10, (480u << 6 | 10) << 16 | 3 << 8 | 10, 0x00010002);
    GP0(&build, 0x80000000, 3u << 16 | 646, 20u << 16 | 30, 0x00010001);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        char *table = psx_opened_read(
            &opened, psx_view_path(0, "vram-pixel/%u,%u.tsv", expected[i].x, expected[i].y));
        char *rest = strchr(table, '\n') + 1, found[128];
        struct psx_row row;

        assert_true(psx_row_next(&rest, &row));
        snprintf(found, sizeof(found), "%s %s %s %s %s %s %s %s", psx_row_cell(&row, "outcome"),
                 psx_row_cell(&row, "after"), psx_row_cell(&row, "blend"), psx_row_cell(&row, "uv"),
                 psx_row_cell(&row, "texel_at"), psx_row_cell(&row, "texel"),
                 psx_row_cell(&row, "entry_at"), psx_row_cell(&row, "entry"));
        assert_string_equal(found, expected[i].cells);
        assert_false(psx_row_next(&rest, &row));
        free(table);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A pixel of 24 bits has two halfwords, each with its own rows. */
static void pixels_of_24_bits_have_two_halfwords(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_row row;
    char *table, *rest;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP1(&build, 0x03000000);
    GP1(&build, 0x06000000 | 0x260 | (0x260 + 64 * 10) << 12);
    GP1(&build, 0x07000000 | 16 | 48 << 10);
    GP1(&build, 0x08000010);
    GP0(&build, 0xA0000000, 0, 0x00010002, 0x44332211);
    GP0(&build, 0xA0000000, 2, 0x00010002, 0x88776655);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    rest = table = psx_opened_read(&opened, psx_view_path(0, "pixel/1,0.tsv"));
    strsep(&rest, "\n");
    assert_true(psx_row_next(&rest, &row));
    assert_string_equal(psx_row_cell(&row, "x"), "1");
    assert_string_equal(psx_row_cell(&row, "after"), "4433");
    assert_true(psx_row_next(&rest, &row));
    assert_string_equal(psx_row_cell(&row, "x"), "2");
    assert_string_equal(psx_row_cell(&row, "upload"), "1");
    assert_string_equal(psx_row_cell(&row, "after"), "6655");
    assert_false(psx_row_next(&rest, &row));
    free(table);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static int emit_name(void *context, const char *name)
{
    unsigned *names = context;

    *names += strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    return 0;
}

static bool emit(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                 uint64_t next)
{
    (void)inode;
    (void)kind;
    (void)next;
    return emit_name(context, name) == 0;
}

static int find(const struct psx_opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, true, &inode);
}

static void names_are_found_and_not_listed(void **state)
{
    static const char *const there[] = {"pixel/0,0.tsv", "pixel/47,31.tsv", "pixel/47,31.js",
                                        "vram-pixel/0,0.tsv", "vram-pixel/1023,511.js"};
    static const char *const absent[] = {
        "pixel/48,0.tsv",        "pixel/0,32.tsv",      "pixel/00,0.tsv",
        "pixel/0,00.tsv",        "pixel/0,0.txt",       "pixel/0,0",
        "pixel/0,0.tsvx",        "pixel/ 0,0.tsv",      "pixel/+1,0.tsv",
        "pixel/-1,0.tsv",        "pixel/0, 0.tsv",      "pixel/0.tsv",
        "pixel/,.tsv",           "pixel/1024,0.tsv",    "pixel/4294967296,0.tsv",
        "vram-pixel/1024,0.tsv", "vram-pixel/0,512.tsv"};
    struct psx_build build;
    struct psx_opened opened;
    unsigned names = 0;
    uint64_t inode, cursor = 0;

    (void)state;
    psx_stage_build(1, &build);
    psx_opened_build(&opened, &build);
    for (unsigned i = 0; i < COUNT_OF(there); i++)
        assert_int_equal(find(&opened, psx_view_path(1, "%s", there[i])), 0);
    for (unsigned i = 0; i < COUNT_OF(absent); i++)
        if (find(&opened, psx_view_path(1, "%s", absent[i])) != -ENOENT)
            fail_msg("%s is there", absent[i]);
    assert_int_equal(tree_find(opened.tree, psx_view_path(1, "pixel"), true, &inode), 0);
    assert_int_equal(tree_list(opened.tree, inode, &cursor, emit, &names), 0);
    assert_int_equal(names, 0);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* The script contains the table: its cells in their order, quoted or null. */
static void scripts_have_the_table(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *table, *script, *rest, *at;
    struct psx_row row;

    (void)state;
    psx_stage_build(1, &build);
    psx_opened_build(&opened, &build);
    table = psx_opened_read(&opened, psx_view_path(2, "pixel/12,9.tsv"));
    script = psx_opened_read(&opened, psx_view_path(2, "pixel/12,9.js"));
    at = strstr(script, "gpudumpfsHistory({\"frame\":2,\"pixel\":[12,9],\n\"columns\":[\"frame\",");
    assert_ptr_equal(at, script);
    at = strstr(script, "\"rows\":[\n");
    assert_non_null(at);
    rest = strchr(table, '\n') + 1;
    while (psx_row_next(&rest, &row))
        for (unsigned i = 0; i < 20; i++) {
            size_t length = strlen(row.cells[i]);

            at = strstr(at, strcmp(row.cells[i], "-") == 0 ? "null" : row.cells[i]);
            assert_non_null(at);
            at += strcmp(row.cells[i], "-") == 0 ? 4 : length;
            at += *at == '"';
            assert_int_equal(*at, i == 19 ? ']' : ',');
        }
    assert_non_null(strstr(at, "]});\n"));
    free(table);
    free(script);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_and_not_listed),
        cmocka_unit_test(rejections_have_their_reason),
        cmocka_unit_test(sources_are_told),
        cmocka_unit_test(pixels_of_24_bits_have_two_halfwords),
        cmocka_unit_test(scripts_have_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
