/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of VMA 3, made up in the form of vma.md 7: what they contain must be shown as it is
 * written, and invalid ones must be refused with the position of the fault.
 */
#include "config.h"

#include "formats/format.h"
#include "formats/vma/dump.h"
#include "formats/vma/views/views.h"

#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] =
    "{\n"
    "  \"General\": {\"API\": \"Vulkan\", \"apiVersion\": \"1.3.0\", \"GPU\": \"A "
    "\\\"stand-in\\\"\",\n"
    "    \"deviceType\": 2, \"maxMemoryAllocationCount\": 1, \"bufferImageGranularity\": 64,\n"
    "    \"nonCoherentAtomSize\": 64, \"memoryHeapCount\": 2, \"memoryTypeCount\": 2},\n"
    "  \"Total\": {\"BlockCount\": 0},\n"
    "  \"MemoryInfo\": {\n"
    "    \"Heap 0\": {\"Flags\": [\"DEVICE_LOCAL\"], \"Size\": 1048576,\n"
    "      \"Budget\": {\"BudgetBytes\": 900000, \"UsageBytes\": 12345}, \"Stats\": {},\n"
    "      \"MemoryPools\": {\"Type 1\": {\"Flags\": [\"DEVICE_LOCAL\", 65536], \"Stats\": {}}}},\n"
    "    \"Heap 1\": {\"Flags\": [], \"Size\": 1048576, \"Budget\": {}, \"Stats\": {},\n"
    "      \"MemoryPools\": {\"Type 0\": {\"Flags\": [\"HOST_VISIBLE\"], \"Stats\": {}}}}},\n";

/* More than the heap has, and more than one device allocation: nothing is simulated. */
static void add_snapshot(struct text *text, uint64_t size, const char *name)
{
    text_add(text, head);
    text_printf(
        text,
        "  \"DefaultPools\": {\"Type 1\": {\"PreferredBlockSize\": 4194304, \"Blocks\": {\n"
        "    \"3\": {\"MapRefCount\": 0, \"TotalBytes\": 2097152, \"UnusedBytes\": 1,\n"
        "      \"Allocations\": 2, \"UnusedRanges\": 2, \"Suballocations\": [\n"
        "      {\"Offset\": 0, \"Type\": \"BUFFER\", \"Size\": %llu, \"Usage\": 128,"
        " \"Name\": \"%s\"},\n"
        "      {\"Offset\": 65536, \"Type\": \"FREE\", \"Size\": 65536},\n"
        "      {\"Offset\": 131072, \"Type\": \"IMAGE_OPTIMAL\", \"Size\": 4096, \"Usage\": 4,"
        " \"CustomData\": \"00000000DEADBEEF\"}]}},\n"
        "    \"DedicatedAllocations\": [{\"Type\": \"IMAGE_LINEAR\", \"Size\": 512,"
        " \"Usage\": 1}]}},\n",
        (unsigned long long)size, name);
    text_add(text,
             "  \"CustomPools\": {\"Type 0\": [{\"Name\": \"0 - ring\", \"PreferredBlockSize\": "
             "4096,\n    \"Blocks\": {\"0\": {\"TotalBytes\": 4096, \"Suballocations\": []}},\n"
             "    \"DedicatedAllocations\": []}]}\n}\n");
}

struct opened {
    char path[64];
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

static int open_path(struct opened *opened, const char *path)
{
    struct source_params params = {.max_expand = UINT64_C(1) << 32};
    int status;

    opened->message = (struct text)TEXT_INIT;
    assert_int_equal(format_options_init(&opened->options), 0);
    support_take_common_options(&opened->options);
    status = format_open(path, &opened->options, &params, &opened->message, &opened->dump);
    if (status == 0)
        assert_int_equal(format_tree(&opened->dump, 0, &opened->tree), 0);
    return status;
}

static int open_bytes(struct opened *opened, const char *bytes, size_t size)
{
    FILE *file;
    int fd, status;

    *opened = (struct opened){.path = "/tmp/snapshots-XXXXXX"};
    fd = mkstemp(opened->path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    status = open_path(opened, opened->path);
    unlink(opened->path);
    return status;
}

static int open_text(struct opened *opened, const struct text *text)
{
    return open_bytes(opened, text->bytes, text->length);
}

static void close_opened(struct opened *opened)
{
    if (opened->tree != NULL)
        tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
}

static void expect_file(const struct opened *opened, const char *path, const char *content)
{
    size_t size;
    char *read = walk_read(opened->tree, path, &size);

    assert_non_null(read);
    assert_int_equal(size, strlen(content));
    assert_memory_equal(read, content, size);
    free(read);
}

static void expect_within(const struct opened *opened, const char *path, const char *part)
{
    size_t size;
    char *read = walk_read(opened->tree, path, &size);

    assert_non_null(read);
    if (memmem(read, size, part, strlen(part)) == NULL)
        fail_msg("%.*s has no %s", (int)size, read, part);
    free(read);
}

static void test_a_state_is_shown_as_it_is_told(void **state)
{
    struct opened opened;
    struct text text = TEXT_INIT;

    (void)state;
    add_snapshot(&text, 65536, "mesh \\\"A\\\" \\u017c");
    assert_int_equal(open_text(&opened, &text), 0);
    expect_file(&opened, "problems.txt", "");
    expect_file(&opened, "by-frame/000000/commands.txt",
                "block type=1 block=3 size=2097152\n"
                "allocation type=1 block=3 offset=0 size=65536 BUFFER usage=0x80 "
                "user_data=mesh \"A\" \xc5\xbc\n"
                "allocation type=1 block=3 offset=131072 size=4096 IMAGE_OPTIMAL usage=0x4 "
                "user_data=0xdeadbeef\n"
                "allocation type=1 dedicated size=512 IMAGE_LINEAR usage=0x1 user_data=-\n"
                "block type=0 pool=0 block=0 size=4096\n");
    expect_within(&opened, "by-frame/000000/blocks.tsv",
                  "default\t1\t0\t-\t3\t-\t2097152\t69632\t2027520\t2\t2\t1961984\t0.0323\n");
    expect_within(&opened, "by-frame/000000/budget.txt",
                  "heap.0.usage: 12345\nheap.0.budget: 900000\n");
    expect_within(&opened, "pools.tsv", "0\t0\t0\t1\t0\t4096\t0\n");
    expect_within(&opened, "metadata.txt", "frames.grouping: snapshot\n");
    expect_within(&opened, "metadata.txt", "device.name: A \"stand-in\"\n");
    text.bytes[text.length] = '\0';
    text.length--; /* the end of the line does not belong to it */
    text.bytes[text.length] = '\0';
    expect_file(&opened, "by-frame/000000/detailed.json", text.bytes);
    close_opened(&opened);
    text_clear(&text);
}

/*
 * Appends a snapshot with an escape in place of the first character of each key, pointer and
 * version.
 */
static void add_escaped(struct text *out, const struct text *text)
{
    for (const char *at = text->bytes, *end = at + text->length; at < end; at++) {
        const char *quote = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;

        if (quote != NULL && (quote[1] == ':' || isdigit((unsigned char)at[1])))
            text_printf(out, "\"\\u%04x", (unsigned)*++at);
        else
            text_add_char(out, *at);
    }
}

static void test_keys_and_numbers_may_have_escapes(void **state)
{
    struct text text = TEXT_INIT, escaped = TEXT_INIT;
    struct opened opened;

    (void)state;
    add_snapshot(&text, 65536, "mesh");
    add_escaped(&escaped, &text);
    assert_int_equal(open_text(&opened, &escaped), 0);
    expect_file(&opened, "problems.txt", "");
    expect_within(&opened, "metadata.txt", "device.api_version: 1.3.0\n");
    expect_file(&opened, "by-frame/000000/commands.txt",
                "block type=1 block=3 size=2097152\n"
                "allocation type=1 block=3 offset=0 size=65536 BUFFER usage=0x80 user_data=mesh\n"
                "allocation type=1 block=3 offset=131072 size=4096 IMAGE_OPTIMAL usage=0x4 "
                "user_data=0xdeadbeef\n"
                "allocation type=1 dedicated size=512 IMAGE_LINEAR usage=0x1 user_data=-\n"
                "block type=0 pool=0 block=0 size=4096\n");
    close_opened(&opened);
    text_clear(&escaped);
    text_clear(&text);
}

static void test_every_file_is_as_long_as_it_says(void **state)
{
    struct walk_result result;
    struct opened opened;
    struct text text = TEXT_INIT;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        add_snapshot(&text, 4096 * (i + 1), "a");
    assert_int_equal(open_text(&opened, &text), 0);
    walk_tree(opened.tree, NULL, &result);
    assert_int_equal(result.broken, 0);
    close_opened(&opened);
    text_clear(&text);
}

/* What follows a fault in a file is left out; what is before it is shown. */
static void test_snapshots_follow_each_other(void **state)
{
    struct opened opened;
    struct text text = TEXT_INIT;
    uint64_t lines = 1;

    (void)state;
    add_snapshot(&text, 4096, "a");
    add_snapshot(&text, 8192, "b");
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    text_add(&text, "{\"General\": 1 2}");
    assert_int_equal(open_text(&opened, &text), 0);
    assert_int_equal(tree_dump(opened.tree)->ops->frames(tree_dump(opened.tree)), 2);
    {
        char place[80];

        snprintf(place, sizeof(place), "error: line %llu, column 15: ", (unsigned long long)lines);
        expect_within(&opened, "problems.txt", place);
    }
    expect_within(&opened, "by-frame/000001/live.tsv", "\t8192\t");
    close_opened(&opened);
    text_clear(&text);
}

/*
 * Each is reported with its position, whatever precedes it; after the first thousand they are only
 * counted.
 */
static void test_many_texts_that_are_no_snapshots(void **state)
{
    struct opened opened;
    struct text text = TEXT_INIT;
    char place[80];
    unsigned long long lines = 1;

    (void)state;
    add_snapshot(&text, 4096, "a");
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    for (unsigned n = 0; n < 1500; n++)
        text_add(&text, n == 2 ? "\n\n [\n1]" : "  {}");
    assert_int_equal(open_text(&opened, &text), 0);
    snprintf(place, sizeof(place), "error: line %llu, column 5: ", lines);
    expect_within(&opened, "problems.txt", place);
    snprintf(place, sizeof(place), "error: line %llu, column 9: ", lines);
    expect_within(&opened, "problems.txt", place);
    snprintf(place, sizeof(place), "error: line %llu, column 2: ", lines + 2);
    expect_within(&opened, "problems.txt", place);
    snprintf(place, sizeof(place), "error: line %llu, column 7: ", lines + 3);
    expect_within(&opened, "problems.txt", place);
    expect_within(&opened, "problems.txt", " error: 500 more texts are not snapshots\n");
    close_opened(&opened);
    text_clear(&text);
}

static void test_opening_a_series_is_cancelled(void **state)
{
    struct source_params source_params = {.max_expand = UINT64_C(1) << 32};
    struct source source = {.is_folder = false};
    struct vma_recording recording;
    struct vma_series series;
    struct text text = TEXT_INIT, message = TEXT_INIT;
    struct problems *problems = NULL;
    struct cancel cancel;
    const struct vma_series_params params = {.source = &source,
                                             .source_params = &source_params,
                                             .max_memory = 1 << 20,
                                             .max_state = 1 << 20,
                                             .message = &message};
    struct vma_series_params with_problems = params;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    source_params.cancel = &cancel;
    text_add(&text, "{} {} {}");
    source.data = (uint8_t *)text.bytes;
    source.size = text.length;
    assert_int_equal(problems_create(&problems), 0);
    with_problems.problems = problems;
    assert_int_equal(vma_series_open(&with_problems, &recording, &series), -EINTR);
    assert_int_equal(problems_count(problems), 0);
    vma_series_close(&series);
    problems_destroy(&problems);
    text_clear(&text);
    text_clear(&message);
}

static void write_file(const char *folder, const char *name, uint64_t size)
{
    struct text text = TEXT_INIT;
    char path[128];
    FILE *file;

    add_snapshot(&text, size, name);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    text_clear(&text);
}

static void test_a_folder_is_a_series_by_names(void **state)
{
    static const char *const names[] = {"s10.json", "s9.json", "s1.json", "other.txt"};
    char folder[] = "/tmp/snapshots-XXXXXX", path[128];
    struct opened opened = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        write_file(folder, names[i], 1024 * (i + 1));
    assert_int_equal(open_path(&opened, folder), 0);
    assert_int_equal(tree_dump(opened.tree)->ops->frames(tree_dump(opened.tree)), 3);
    expect_within(&opened, "by-frame/000000/live.tsv", "s1.json");
    expect_within(&opened, "by-frame/000001/live.tsv", "s9.json");
    expect_within(&opened, "by-frame/000002/live.tsv", "s10.json");
    close_opened(&opened);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* Replaces `from` in a valid snapshot by `to`, and checks that it is refused with that sentence. */
static void refuse(const char *from, const char *to, const char *sentence)
{
    struct opened opened;
    struct text good = TEXT_INIT, bad = TEXT_INIT;
    const char *at;

    add_snapshot(&good, 65536, "a");
    text_add_char(&good, '\0');
    at = strstr(good.bytes, from);
    assert_non_null(at);
    text_add_bytes(&bad, good.bytes, (size_t)(at - good.bytes));
    text_add(&bad, to);
    text_add(&bad, at + strlen(from));
    assert_int_equal(open_text(&opened, &bad), -EPROTO);
    text_add_char(&opened.message, '\0');
    if (strstr(opened.message.bytes, sentence) == NULL)
        fail_msg("%s instead of %s", opened.message.bytes, sentence);
    close_opened(&opened);
    text_clear(&good);
    text_clear(&bad);
}

static void test_what_is_no_snapshot_is_refused(void **state)
{
    (void)state;
    refuse("\"Heap 1\"", "\"Heap 16\"", "a key from \"Heap 0\" to \"Heap 15\" is expected here");
    refuse("\"Type 0\": {\"Flags\"", "\"Type 32\": {\"Flags\"",
           "a key from \"Type 0\" to \"Type 31\" is expected here");
    refuse("{\"Type 1\": {\"Pref", "{\"Type 7\": {\"Pref", "the device has no such memory type");
    refuse("\"Offset\": 131072", "\"Offset\": 65535", "is not expected here");
    refuse("\"Offset\": 131072", "\"Offset\": 2097152", "is not expected here");
    refuse("\"Size\": 4096", "\"Size\": 18446744073709551615", "is not expected here");
    refuse("\"Size\": 4096", "\"Size\": 18446744073709551616",
           "line 17, column 78: a number of more than 64 bits");
    refuse("\"Size\": 4096", "\"Size\": 0", "is not expected here");
    refuse("\"Size\": 512", "\"Size\": 18446744073709551615", "is not expected here");
    refuse("2097152", "0", "is not expected here");
    refuse("IMAGE_OPTIMAL", "TEXTURE", "unknown kind of allocation");
    refuse("\"bufferImageGranularity\": 64", "\"bufferImageGranularity\": 63", "power of two");
    refuse("\"3\": {", "\"x\": {", "the number of a block is expected here");
    refuse("\"MemoryInfo\": {", "\"MemoryInformation\": {", "there are no memory types");
    refuse("\"Flags\": []", "\"Flags\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "nested too deeply");
}

/* Every truncated snapshot is refused; one with a changed byte is refused or shown. */
static void test_damage_is_no_end_of_it(void **state)
{
    struct opened opened;
    struct text text = TEXT_INIT;

    (void)state;
    add_snapshot(&text, 65536, "a");
    for (size_t size = 40; size + 2 < text.length; size += 37) {
        assert_int_not_equal(open_bytes(&opened, text.bytes, size), 0);
        close_opened(&opened);
    }
    for (size_t i = 0; i < text.length; i += 11) {
        char kept = text.bytes[i];

        text.bytes[i] = (char)(kept ^ (i % 2 == 0 ? 0x10 : 0x03));
        if (open_text(&opened, &text) == 0) {
            size_t size;
            char *map = walk_read(opened.tree, "frames/000000.png", &size);

            assert_non_null(map);
            free(map);
        }
        close_opened(&opened);
        text.bytes[i] = kept;
    }
    text_clear(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_state_is_shown_as_it_is_told),
        cmocka_unit_test(test_keys_and_numbers_may_have_escapes),
        cmocka_unit_test(test_every_file_is_as_long_as_it_says),
        cmocka_unit_test(test_snapshots_follow_each_other),
        cmocka_unit_test(test_many_texts_that_are_no_snapshots),
        cmocka_unit_test(test_opening_a_series_is_cancelled),
        cmocka_unit_test(test_a_folder_is_a_series_by_names),
        cmocka_unit_test(test_what_is_no_snapshot_is_refused),
        cmocka_unit_test(test_damage_is_no_end_of_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
