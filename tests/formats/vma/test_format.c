/* SPDX-License-Identifier: MIT */
/*
 * Recordings of VMA calls through their tree: the rules of gpudumpfs-tree(7) for every file, things
 * that must be equal in different places, and what other programs read.
 */
#include "config.h"

#include "base/bytes.h"
#include "formats/format.h"

#include "tests/formats/vma/play.h"
#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256 };

struct opened {
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

/* Opens a file with options, each `name=value`, ended by NULL. */
static void open_file(struct opened *opened, const char *path, const char *const *options,
                      unsigned threads)
{
    struct source_params params = {.max_expand = UINT64_C(1) << 32};

    *opened = (struct opened){.message = TEXT_INIT};
    assert_int_equal(format_options_init(&opened->options), 0);
    support_take_common_options(&opened->options);
    for (; options != NULL && *options != NULL; options++)
        assert_int_equal(options_parse(&opened->options, *options, &opened->message), 1);
    assert_int_equal(format_open(path, &opened->options, &params, &opened->message, &opened->dump),
                     0);
    assert_string_equal(opened->dump.format->name, "vma");
    assert_int_equal(format_tree(&opened->dump, threads, &opened->tree), 0);
}

static void open_recording(struct opened *opened, const char *name, const char *const *options,
                           unsigned threads)
{
    char file[PATH_BYTES], *path;

    snprintf(file, sizeof(file), "vma/recordings/%s.csv", name);
    path = support_corpus(file);
    open_file(opened, path, options, threads);
    free(path);
}

static void close_opened(struct opened *opened)
{
    tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
}

static char *read_path(const struct opened *opened, size_t *size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static char *read_path(const struct opened *opened, size_t *size, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(path, sizeof(path), format, arguments);
    va_end(arguments);
    return walk_read(opened->tree, path, size);
}

/* All files of small recordings, and some of each folder of the others */
static void test_every_file_is_as_long_as_it_says(void **state)
{
    static const char *const whole[] = {"seed_v1_5", "inexor_v1_8"};
    static const char *const some[] = {
        "gen_damaged_v1_5",    "gen_linux_pool6_v1_8", "gen_lost_v1_5",      "gen_mixed_v1_5",
        "gen_smallheaps_v1_8", "recorder_v1_8",        "gen_crlf_leak_v1_3", "gen_v1_0"};
    const struct walk_params params = {.max_entries = 6};
    struct walk_result result;
    struct opened opened;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(whole); i++) {
        open_recording(&opened, whole[i], NULL, 0);
        walk_tree(opened.tree, NULL, &result);
        assert_int_equal(result.broken, 0);
        close_opened(&opened);
    }
    for (size_t i = 0; i < COUNT_OF(some); i++) {
        open_recording(&opened, some[i], NULL, i % 2 == 0 ? 2 : 0);
        walk_tree(opened.tree, &params, &result);
        assert_int_equal(result.broken, 0);
        close_opened(&opened);
    }
}

static void test_options_do_not_break_sizes(void **state)
{
    static const char *const sets[][4] = {{"png=small", NULL},
                                          {"vma-scale=frame", "vma-budget=off", NULL},
                                          {"vma-scale=block", "vma-macros=default", NULL},
                                          {"vma-calls-per-frame=0", NULL},
                                          {"vma-calls-per-frame=3", NULL}};
    const struct walk_params params = {.max_entries = 6};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        struct walk_result result;
        struct opened opened;

        open_recording(&opened, "inexor_v1_8", sets[i], 0);
        walk_tree(opened.tree, &params, &result);
        assert_int_equal(result.broken, 0);
        close_opened(&opened);
    }
}

static void test_calls_per_frame(void **state)
{
    static const struct {
        const char *option;
        uint64_t frames;
    } cases[] = {
        {"vma-calls-per-frame=1", 9}, {"vma-calls-per-frame=3", 3}, {"vma-calls-per-frame=0", 1}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *const options[] = {cases[i].option, NULL};
        struct opened opened;

        open_recording(&opened, "seed_v1_5", options, 0);
        assert_int_equal(tree_dump(opened.tree)->ops->frames(tree_dump(opened.tree)),
                         cases[i].frames);
        close_opened(&opened);
    }
}

/* The packets, concatenated, are the dump. */
static void test_packets_are_the_dump(void **state)
{
    static const char *const names[] = {"seed_v1_5", "gen_damaged_v1_5", "gen_crlf_leak_v1_3"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct vma_play play;
        struct opened opened;
        struct dump *dump;
        uint64_t at = 0;

        vma_play_corpus(&play, names[i], VMA_PLAY_RECORDED);
        open_recording(&opened, names[i], NULL, 0);
        dump = tree_dump(opened.tree);
        for (uint64_t packet = 0; packet < dump->ops->packets(dump); packet++) {
            struct dump_packet description = {0};
            size_t size = 0;
            char *bytes;

            assert_int_equal(dump->ops->packet(dump, packet, &description), 0);
            bytes = read_path(&opened, &size, "packets/%05u/%08u-%s.bin", (unsigned)(packet / 1000),
                              (unsigned)packet, description.name);
            assert_true(bytes_inside(at, size, play.size));
            assert_memory_equal(bytes, play.bytes + at, size);
            at += size;
            free(bytes);
        }
        assert_int_equal(at, play.size);
        close_opened(&opened);
        vma_play_close(&play);
    }
}

/* A frame's files show the state after its last packet. */
static void test_frames_are_what_follows_their_last_packet(void **state)
{
    static const char *const names[] = {"seed_v1_5", "recorder_v1_8", "gen_smallheaps_v1_8"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct opened opened;
        struct dump *dump;

        open_recording(&opened, names[i], NULL, 0);
        dump = tree_dump(opened.tree);
        for (uint64_t frame = 0; frame < dump->ops->frames(dump); frame += 5) {
            struct dump_frame description = {0};

            assert_int_equal(dump->ops->frame(dump, frame, &description), 0);
            for (size_t j = 0; j < 2; j++) {
                char first[PATH_BYTES], second[PATH_BYTES];
                size_t sizes[2] = {0};
                char *bytes[2];

                snprintf(first, sizeof(first),
                         j == 0 ? "frames/%06u.png" : "by-frame/%06u/detailed.json",
                         (unsigned)frame);
                snprintf(second, sizeof(second), "after/%05u/%08u.%s",
                         (unsigned)(description.last_packet / 1000),
                         (unsigned)description.last_packet, j == 0 ? "png" : "json");
                bytes[0] = walk_read(opened.tree, first, &sizes[0]);
                bytes[1] = walk_read(opened.tree, second, &sizes[1]);
                assert_int_equal(sizes[0], sizes[1]);
                assert_memory_equal(bytes[0], bytes[1], sizes[0]);
                free(bytes[0]);
                free(bytes[1]);
            }
        }
        close_opened(&opened);
    }
}

/* Checks what VmaDumpVis.py relies on (vma.md 3.11). */

static void check_allocation(json_t *allocation)
{
    static const char *const types[] = {"FREE",          "UNKNOWN",      "BUFFER",
                                        "IMAGE_UNKNOWN", "IMAGE_LINEAR", "IMAGE_OPTIMAL"};
    const char *type = json_string_value(json_object_get(allocation, "Type"));
    bool known = false;

    assert_non_null(type);
    for (size_t i = 0; i < COUNT_OF(types); i++)
        known |= strcmp(types[i], type) == 0;
    assert_true(known);
    assert_true(json_is_integer(json_object_get(allocation, "Size")));
    /* It relies on the usage of buffers and optimal images. */
    if (strcmp(type, "BUFFER") == 0 || strcmp(type, "IMAGE_OPTIMAL") == 0) {
        json_t *usage = json_object_get(allocation, "Usage");

        assert_true(usage == NULL || json_is_integer(usage));
    }
}

static void check_blocks(json_t *blocks)
{
    const char *id;
    json_t *block;

    assert_true(json_is_object(blocks));
    json_object_foreach (blocks, id, block) {
        json_int_t end = 0;
        json_t *range;
        size_t i;

        assert_int_equal(strspn(id, "0123456789"), strlen(id));
        json_array_foreach (json_object_get(block, "Suballocations"), i, range) {
            check_allocation(range);
            assert_int_equal(json_integer_value(json_object_get(range, "Offset")), end);
            end += json_integer_value(json_object_get(range, "Size"));
        }
        assert_int_equal(json_integer_value(json_object_get(block, "TotalBytes")), end);
    }
}

static void check_schema(json_t *root)
{
    const char *name;
    json_t *type, *allocation;
    size_t i;

    json_object_foreach (json_object_get(root, "DedicatedAllocations"), name, type) {
        assert_int_equal(strncmp(name, "Type ", 5), 0);
        json_array_foreach (type, i, allocation)
            check_allocation(allocation);
    }
    json_object_foreach (json_object_get(root, "DefaultPools"), name, type) {
        assert_int_equal(strncmp(name, "Type ", 5), 0);
        check_blocks(json_object_get(type, "Blocks"));
    }
    json_object_foreach (json_object_get(root, "Pools"), name, type) {
        assert_true(json_is_integer(json_object_get(type, "MemoryTypeIndex")));
        check_blocks(json_object_get(type, "Blocks"));
    }
    assert_true(json_is_object(json_object_get(root, "Total")));
}

/*
 * Replaces the library's "no minimum", which does not fit into the 64 signed bits of a JSON reader.
 */
static void mend_minimum(char *text)
{
    static const char none[] = "18446744073709551615";

    for (char *found = text; (found = strstr(found, none)) != NULL;)
        memset(found, '9', 18), memset(found + 18, ' ', 2);
}

static void test_json_is_what_readers_expect(void **state)
{
    char **names = vma_play_names();

    (void)state;
    for (size_t i = 0; names[i] != NULL; i++) {
        struct opened opened;
        struct dump *dump;

        open_recording(&opened, names[i], NULL, 0);
        dump = tree_dump(opened.tree);
        for (uint64_t frame = 0; frame < dump->ops->frames(dump);
             frame += 1 + dump->ops->frames(dump) / 8) {
            static const char *const files[] = {"stats.json", "detailed.json"};

            for (size_t j = 0; j < COUNT_OF(files); j++) {
                size_t size = 0;
                char *text =
                    read_path(&opened, &size, "by-frame/%06u/%s", (unsigned)frame, files[j]);
                json_error_t error;
                json_t *root;

                mend_minimum(text);
                root = json_loads(text, 0, &error);
                if (root == NULL)
                    fail_msg("%s frame %u: %s", names[i], (unsigned)frame, error.text);
                check_schema(root);
                json_decref(root);
                free(text);
            }
        }
        close_opened(&opened);
        free(names[i]);
    }
    free(names);
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Checks that every row has as many columns as the header. */
static void check_table(const struct opened *opened, const char *path)
{
    size_t size = 0, columns = 0;
    char *text = walk_read(opened->tree, path, &size), *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL && (rest != NULL || *line != '\0')) {
        size_t tabs = 0;

        for (const char *p = line; *p != '\0'; p++)
            tabs += *p == '\t';
        if (columns == 0)
            columns = tabs;
        assert_int_equal(tabs, columns);
    }
    free(text);
}

static void test_tables(void **state)
{
    static const char *const paths[] = {"packets.tsv",
                                        "frames.tsv",
                                        "memory.tsv",
                                        "allocations.tsv",
                                        "pools/00001/allocations.tsv",
                                        "by-frame/000010/packets.tsv",
                                        "by-frame/000010/live.tsv"};
    static const char *const names[] = {"gen_mixed_v1_5", "recorder_v1_8", "gen_lost_v1_5"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct opened opened;

        open_recording(&opened, names[i], NULL, 0);
        for (size_t j = 0; j < COUNT_OF(paths); j++)
            check_table(&opened, paths[j]);
        close_opened(&opened);
    }
}

static void expect_text(const struct opened *opened, const char *path, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, path, &size);

    if (strstr(text, part) == NULL)
        fail_msg("%s lacks: %s\n%s", path, part, text);
    free(text);
}

static void test_seed_example(void **state)
{
    struct opened opened;
    size_t size = 0;
    char *text;

    (void)state;
    open_recording(&opened, "seed_v1_5", NULL, 0);
    text = read_path(&opened, &size, "leaks.txt");
    assert_int_equal(size, 0);
    free(text);
    text = read_path(&opened, &size, "frames.tsv");
    assert_int_equal(count_lines(text), 10);
    free(text);
    expect_text(&opened, "packets/00000/00000045-vmaCreateBuffer.txt",
                "requirements: 768 bytes, alignment 64, types 0x0000000f (estimated)\n");
    expect_text(&opened, "packets/00000/00000044-vmaCreateBuffer.txt",
                "bufferCreateInfo.usage: TRANSFER_SRC (1)\n");
    expect_text(&opened, "metadata.txt", "frames.grouping: every 1 allocating calls\n");
    expect_text(&opened, "metadata.txt", "requirements: estimated by rule R1\n");
    expect_text(&opened, "problems.txt", "note: Line 39: Blanks after Config,End.");
    expect_text(&opened, "by-frame/000000/commands.txt", "-> 0x1d85b8b1a80\n");
    expect_text(&opened, "stats.txt", "bufferCreateInfo.size.average: 414\n");
    expect_text(&opened, "stats.txt", "images.depth_stencil: 2\n");
    expect_text(&opened, "README.txt", "no video memory");
    close_opened(&opened);
}

static void test_pools_and_leaks(void **state)
{
    struct opened opened;

    (void)state;
    open_recording(&opened, "recorder_v1_8", NULL, 0);
    expect_text(&opened, "pools/00000/info.txt", "Particles, lost ok\n");
    expect_text(&opened, "pools/00001/info.txt", "poolCreateInfo.flags: LINEAR_ALGORITHM\n");
    close_opened(&opened);
    open_recording(&opened, "gen_crlf_leak_v1_3", NULL, 0);
    expect_text(&opened, "leaks.txt", "allocation pointer=0x");
    expect_text(&opened, "leaks.txt", "pool pointer=0x");
    expect_text(&opened, "problems.txt", "never ended: ");
    close_opened(&opened);
    open_recording(&opened, "inexor_v1_8", NULL, 0);
    expect_text(&opened, "leaks.txt", "user_data=Depth buffer image.\n");
    close_opened(&opened);
}

static void test_damaged_lines_are_told(void **state)
{
    struct opened opened;

    (void)state;
    open_recording(&opened, "gen_damaged_v1_5", NULL, 0);
    expect_text(&opened, "problems.txt", "packet 41 error: Line 42: Unknown function.");
    expect_text(&opened, "packets/00000/00000041-unknown.txt", "problem: Unknown function.\n");
    close_opened(&opened);
}

static void test_broken_headers_are_refused(void **state)
{
    static const char text[] = "Vulkan Memory Allocator,Calls recording\n2,0\n";
    char *folder = support_folder(), *path = support_path(folder, "a.csv");
    struct source_params params = {.max_expand = 1 << 20};
    struct text message = TEXT_INIT;
    struct options options;
    struct format_dump dump;

    (void)state;
    support_write(path, text, sizeof(text) - 1);
    assert_int_equal(format_options_init(&options), 0);
    assert_int_equal(format_open(path, &options, &params, &message, &dump), -EPROTO);
    assert_true(message.length > 0);
    text_clear(&message);
    options_clear(&options);
    free(path);
    support_remove(&folder);
}

/* A file of only a header is a recording without frames. */
static void test_a_recording_without_calls(void **state)
{
    static const char text[] = "Vulkan Memory Allocator,Calls recording\n1,0\n";
    char *folder = support_folder(), *path = support_path(folder, "a.csv");
    struct walk_result result;
    struct opened opened;

    (void)state;
    support_write(path, text, sizeof(text) - 1);
    open_file(&opened, path, NULL, 0);
    walk_tree(opened.tree, NULL, &result);
    assert_int_equal(result.broken, 0);
    close_opened(&opened);
    free(path);
    support_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed_example),
        cmocka_unit_test(test_every_file_is_as_long_as_it_says),
        cmocka_unit_test(test_options_do_not_break_sizes),
        cmocka_unit_test(test_calls_per_frame),
        cmocka_unit_test(test_packets_are_the_dump),
        cmocka_unit_test(test_frames_are_what_follows_their_last_packet),
        cmocka_unit_test(test_json_is_what_readers_expect),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_pools_and_leaks),
        cmocka_unit_test(test_damaged_lines_are_told),
        cmocka_unit_test(test_broken_headers_are_refused),
        cmocka_unit_test(test_a_recording_without_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
