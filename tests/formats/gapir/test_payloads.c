/* SPDX-License-Identifier: MIT */
/*
 * Compares complete payloads with what the reference VM computed for them: those that
 * tools/mkgapir.py next to the corpus writes (small ones, to be quick), or the folders in
 * $GPUDUMPFS_GAPIR_PAYLOADS
 */
#include "config.h"

#include "tests/support/support.h"

#include "formats/gapir/index.h"
#include "formats/gapir/replay/vm_pool.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *folder; /* of all payloads */

/* One payload, opened and indexed */
struct opened {
    json_t *expected;
    uint8_t *payload, *index_file, *data;
    struct gapir_replay *replay;
    struct gapir_index index;
    struct gapir_vm_pool *pool;
};

static struct gapir_bytes read_part(const char *path, const char *name, uint8_t **bytes)
{
    char *file = support_path(path, name);
    size_t size;

    *bytes = support_read(file, &size);
    free(file);
    return (struct gapir_bytes){*bytes, size};
}

static void open_payload(const char *path, struct opened *out)
{
    const struct gapir_replay_params params = {
        .limits = {.instructions = 2000000, .moved = UINT64_C(1) << 40, .memory = 1 << 30},
        .pointer_size = 8,
        .fences_fail = true};
    struct gapir_bytes payload = read_part(path, "payload.bin", &out->payload);
    struct gapir_bytes index = read_part(path, "resources.index", &out->index_file);
    struct gapir_bytes data = read_part(path, "resources.data", &out->data);
    char *expected = support_path(path, "expected.json");

    out->expected = json_load_file(expected, 0, NULL);
    assert_non_null(out->expected);
    free(expected);
    assert_int_equal(gapir_replay_open(payload, index, data, &params, NULL, NULL, &out->replay), 0);
    assert_int_equal(gapir_index_run(out->replay, NULL, &out->index), 0);
    assert_int_equal(gapir_vm_pool_create(out->replay, 1 << 20, NULL, &out->pool), 0);
}

static void close_payload(struct opened *opened)
{
    gapir_vm_pool_destroy(&opened->pool);
    gapir_index_clear(&opened->index);
    gapir_replay_close(&opened->replay);
    json_decref(opened->expected);
    free(opened->payload);
    free(opened->index_file);
    free(opened->data);
}

static long long number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const char *string(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    assert_non_null(value);
    return value;
}

static void check_scan(const struct opened *opened)
{
    const struct gapir_scan *scan = &opened->replay->scan;
    const json_t *histogram = json_object_get(opened->expected, "histogram");
    size_t kinds = 0;

    assert_int_equal(scan->code.count, number(opened->expected, "words"));
    assert_int_equal(scan->instructions, number(opened->expected, "instructions"));
    assert_int_equal(opened->replay->payload.stack_size, number(opened->expected, "stack_size"));
    assert_int_equal(opened->replay->payload.volatile_size,
                     number(opened->expected, "volatile_size"));
    assert_int_equal(opened->replay->payload.constants.size, number(opened->expected, "constants"));
    assert_int_equal(opened->replay->payload.resource_count, number(opened->expected, "resources"));
    for (unsigned opcode = 0; opcode < GAPIR_INVALID; opcode++) {
        const json_t *count = json_object_get(histogram, gapir_opcode_table[opcode].name);
        assert_int_equal(scan->histogram[opcode], json_integer_value(count));
        kinds += count != NULL;
    }
    /* Invalid words are listed by their number, not by opcode. */
    assert_int_equal(kinds + (scan->histogram[GAPIR_INVALID] != 0), json_object_size(histogram));
}

static uint32_t crc_at(const struct opened *opened, uint64_t steps,
                       const struct gapir_extent *bytes)
{
    struct gapir_vm_instance *instance = NULL;

    assert_int_equal(gapir_vm_pool_take(opened->pool, steps, NULL, &instance), 0);
    const uint8_t *data = gapir_vm_instance_bytes(instance, bytes);
    assert_non_null(data);
    uint32_t crc = support_crc32(data, bytes->size);
    gapir_vm_pool_park(opened->pool, &instance);
    return crc;
}

static void check_posts(const struct opened *opened)
{
    const struct gapir_index *index = &opened->index;
    const json_t *posts = json_object_get(opened->expected, "posts"), *post;
    const json_t *notes = json_object_get(opened->expected, "notifications");
    size_t n;

    assert_int_equal(index->post_count, json_array_size(posts));
    json_array_foreach (posts, n, post) {
        const struct gapir_post_record *record = &index->posts[n];
        assert_int_equal(record->site.label, number(post, "label"));
        assert_int_equal(record->site.pc, number(post, "pc"));
        assert_int_equal(record->bytes.size, number(post, "size"));
        assert_int_equal(crc_at(opened, record->site.steps, &record->bytes),
                         strtoul(string(post, "crc32"), NULL, 16));
    }
    assert_int_equal(index->notification_count, json_array_size(notes));
    json_array_foreach (notes, n, post) {
        const struct gapir_notification_record *record = &index->notifications[n];
        assert_int_equal(record->id, number(post, "id"));
        assert_int_equal(record->site.label, number(post, "label"));
        assert_int_equal(record->bytes.size, number(post, "size"));
    }
}

static void check_frames(const struct opened *opened)
{
    const struct gapir_index *index = &opened->index;
    const json_t *frame = json_object_get(opened->expected, "frame");
    const json_t *posts = json_object_get(frame, "posts"), *post;
    size_t n;

    if (frame == NULL)
        return;
    assert_in_range(index->frame_count, json_array_size(posts), json_array_size(posts) + 1);
    json_array_foreach (posts, n, post) {
        assert_int_equal(index->frames[n].post, json_integer_value(post));
        const struct gapir_framebuffer_shape *shape = &index->posts[index->frames[n].post].shape;
        assert_non_null(shape->format);
        assert_int_equal(shape->width, number(frame, "width"));
        assert_int_equal(shape->height, number(frame, "height"));
        assert_int_equal(shape->bottom_up, strcmp(string(frame, "rows"), "bottom-up") == 0);
        assert_int_equal(
            strncmp(shape->format->name, string(frame, "format"), strlen(shape->format->name)), 0);
    }
}

static void check_end(const struct opened *opened)
{
    const struct gapir_index *index = &opened->index;
    const struct gapir_extent memory = {.region = GAPIR_VOLATILE,
                                        .size = opened->replay->payload.volatile_size};
    char result[32];

    gapir_index_result(index, result);
    assert_string_equal(result, string(opened->expected, "result"));
    assert_int_equal(index->end.steps, number(opened->expected, "executed"));
    assert_int_equal(index->end.label == GAPIR_LABEL_START ? 0 : index->end.label,
                     number(opened->expected, "last_label"));
    assert_int_equal(index->calls, number(opened->expected, "calls"));
    assert_int_equal(crc_at(opened, index->end.steps, &memory),
                     strtoul(string(opened->expected, "volatile_crc32_at_end"), NULL, 16));
}

/* Checks that a program without jumps executes each instruction once. */
static void check_straight_run(const struct opened *opened)
{
    const struct gapir_scan *scan = &opened->replay->scan;
    const struct gapir_index *index = &opened->index;

    if (index->fault != GAPIR_FAULT_NONE || scan->jump_count != 0)
        return;
    assert_memory_equal(scan->histogram, index->executed, sizeof(scan->histogram));
    assert_int_equal(scan->posts, index->post_count);
    assert_int_equal(scan->calls, index->calls);
    for (uint32_t n = 0; n < scan->packet_count; n++)
        assert_int_equal(index->visits[n].left - index->visits[n].first,
                         scan->packets[n].instructions);
}

static void check_payload(const char *path)
{
    struct opened opened = {0};

    print_message("%s\n", path);
    open_payload(path, &opened);
    check_scan(&opened);
    check_posts(&opened);
    check_frames(&opened);
    check_end(&opened);
    check_straight_run(&opened);
    close_payload(&opened);
}

/* Checks every folder below `path` that has an expected.json. Returns their number. */
static unsigned check_folder(const char *path)
{
    char *expected = support_path(path, "expected.json");
    struct dirent **entries;
    struct stat about;
    unsigned found = 0;
    int count = scandir(path, &entries, NULL, alphasort);

    assert_true(count >= 0);
    if (stat(expected, &about) == 0) {
        check_payload(path);
        found++;
    }
    for (int n = 0; n < count; n++) {
        char *below = support_path(path, entries[n]->d_name);
        if (entries[n]->d_name[0] != '.' && stat(below, &about) == 0 && S_ISDIR(about.st_mode))
            found += check_folder(below);
        free(below);
        free(entries[n]);
    }
    free(entries);
    free(expected);
    return found;
}

/* Builds the payloads. Skips the test if there is no corpus. */
static void make_payloads(void)
{
    char *tool = support_corpus("../tools/mkgapir.py"), *command;

    folder = support_folder();
    assert_true(asprintf(&command, "python3 '%s' '%s' 2 30000 >/dev/null", tool, folder) >= 0);
    assert_int_equal(system(command), 0);
    free(command);
    free(tool);
}

static int remove_payloads(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

static void test_payloads(void **state)
{
    const char *given = getenv("GPUDUMPFS_GAPIR_PAYLOADS");

    (void)state;
    if (given == NULL)
        make_payloads();
    assert_in_range(check_folder(given != NULL ? given : folder), 12, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_payloads, remove_payloads),
    };

    return cmocka_run_group_tests_name("gapir_payloads", tests, NULL, NULL);
}
