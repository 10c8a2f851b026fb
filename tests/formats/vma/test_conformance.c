/* SPDX-License-Identifier: MIT */
/*
 * The VMA part of the conformance set (tests/conformance/README): positions that were worked out
 * from the allocator's rules, and layouts of complete recordings from the library's own replayer.
 */
#include "config.h"

#include "tests/formats/vma/play.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 64, TYPES_MAX = 8, NAME_ROOM = 40 };

/* A case of vma-rules.txt: its lines up to the first requested position, then its replay */
struct rule_case {
    struct conformance table;
    char name[NAME_ROOM];
    struct text config;
    uint32_t types[TYPES_MAX + 1];
    const char *calls[CALLS_MAX];
    size_t call_count;
    struct vma_play play;
    bool played;
    unsigned cases, places;
};

static void end_case(struct rule_case *rules)
{
    if (rules->played) {
        vma_play_check(&rules->play);
        vma_play_close(&rules->play);
    }
    text_clear(&rules->config);
    memset(rules->types, 0, sizeof(rules->types));
    rules->call_count = 0;
    rules->played = false;
}

static void take_types(struct rule_case *rules, char *list)
{
    char *flags;

    for (unsigned n = 0; (flags = strsep(&list, " ")) != NULL; n++) {
        assert_true(n < TYPES_MAX);
        rules->types[n] = (uint32_t)conformance_number(&rules->table, flags, 10);
    }
}

/* Takes a line that comes before the replay. Returns false if it is not such a line. */
static bool take_setup(struct rule_case *rules, const char *verb, char *rest)
{
    if (strcmp(verb, "case") == 0) {
        end_case(rules);
        rules->cases++;
        assert_in_range(strlen(rest), 1, NAME_ROOM - 1);
        strcpy(rules->name, rest);
    } else if (strcmp(verb, "config") == 0) {
        text_add(&rules->config, rest);
        text_add_char(&rules->config, '\n');
    } else if (strcmp(verb, "types") == 0) {
        take_types(rules, rest);
    } else if (strcmp(verb, "call") == 0) {
        assert_true(rules->call_count < CALLS_MAX);
        rules->calls[rules->call_count++] = rest;
    } else {
        return false;
    }
    if (rules->played)
        conformance_fail(&rules->table, "case %s: %s behind a place", rules->name, verb);
    return true;
}

static void replay(struct rule_case *rules)
{
    text_add_char(&rules->config, '\0');
    assert_int_equal(text_status(&rules->config), 0);
    vma_play_lines(&rules->play, rules->types, rules->config.bytes, rules->calls,
                   rules->call_count);
    vma_play_until(&rules->play, UINT32_MAX);
    rules->played = true;
}

/* Describes an allocation as a place line of the table does, from the replay. */
static void describe(const struct rule_case *rules, const char *verb, uint64_t name,
                     struct text *out)
{
    static const char *const places[] = {
        [VMA_PLACE_NULL] = "failed", [VMA_PLACE_DEDICATED] = "dedicated"};
    const struct vma_play *play = &rules->play;
    const struct vma_allocation *allocation = vma_play_find(play, name);
    const struct vma_allocator *allocator = &play->replay.allocator;

    if (strcmp(verb, "type") == 0)
        text_printf(out, "type %" PRIx64 " %u", name, allocation->type);
    else if (allocation->place != VMA_PLACE_BLOCK)
        text_printf(out, "%s %" PRIx64,
                    (size_t)allocation->place < COUNT_OF(places) &&
                            places[allocation->place] != NULL
                        ? places[allocation->place]
                        : "elsewhere",
                    name);
    else if (strcmp(verb, "of") == 0)
        text_printf(out, "of %" PRIx64 " %" PRIu64, name,
                    vma_block(allocator, vma_range(allocator, allocation->range)->block)->size);
    else
        text_printf(out, "block %" PRIx64 " %u %" PRIu64 " %" PRIu64, name,
                    vma_play_block(play, name), vma_play_offset(play, name), allocation->size);
    text_add_char(out, '\0');
}

static void check_place(struct rule_case *rules, const char *line)
{
    struct text found = TEXT_INIT;
    char verb[16];
    uint64_t name;

    if (sscanf(line, "%15s %" SCNx64, verb, &name) != 2)
        conformance_fail(&rules->table, "case %s: no place: %s", rules->name, line);
    describe(rules, verb, name, &found);
    if (strcmp(found.bytes, line) != 0)
        conformance_fail(&rules->table, "case %s: \"%s\" instead of \"%s\"", rules->name,
                         found.bytes, line);
    text_clear(&found);
    rules->places++;
}

static void test_places_by_the_rules(void **state)
{
    struct rule_case rules = {.config = TEXT_INIT};
    char *line;

    (void)state;
    conformance_open(&rules.table, "vma-rules.txt");
    while ((line = conformance_next(&rules.table)) != NULL) {
        size_t length = strcspn(line, " ");
        char verb[16] = "";

        snprintf(verb, sizeof(verb), "%.*s", (int)length, line);
        if (line[length] == ' ' && take_setup(&rules, verb, line + length + 1))
            continue;
        if (!rules.played)
            replay(&rules);
        check_place(&rules, line);
    }
    end_case(&rules);
    conformance_close(&rules.table);
    assert_int_equal(rules.cases, 14);
    assert_int_equal(rules.places, 65);
}

/* The rows of vma-layouts.tsv for the state of a recording after `lines` lines */
struct layout {
    const char *recording;
    uint32_t lines;
    struct text rows;
};

static void put_cell(struct layout *layout, const json_t *number)
{
    if (number == NULL)
        text_add(&layout->rows, "\t-");
    else
        text_printf(&layout->rows, "\t%" JSON_INTEGER_FORMAT, json_integer_value(number));
}

/* Writes a key such as `Type 3` as type-3. */
static void put_place(struct layout *layout, const char *prefix, const char *key, const char *block)
{
    const char *number = strrchr(key, ' ');

    text_printf(&layout->rows, "%s\t%" PRIu32 "\t%s-%s\t%s", layout->recording, layout->lines,
                prefix, number != NULL ? number + 1 : key, block);
}

static void put_range(struct layout *layout, const json_t *range)
{
    put_cell(layout, json_object_get(range, "Offset"));
    put_cell(layout, json_object_get(range, "Size"));
    text_printf(&layout->rows, "\t%s", json_string_value(json_object_get(range, "Type")));
    put_cell(layout, json_object_get(range, "CreationFrameIndex"));
    put_cell(layout, json_object_get(range, "LastUseFrameIndex"));
    text_add_char(&layout->rows, '\n');
}

static void put_blocks(struct layout *layout, const char *prefix, json_t *vectors)
{
    const char *key, *id;
    json_t *vector, *block, *range;
    size_t n;

    json_object_foreach (vectors, key, vector) {
        json_object_foreach (json_object_get(vector, "Blocks"), id, block) {
            json_array_foreach (json_object_get(block, "Suballocations"), n, range) {
                put_place(layout, prefix, key, id);
                put_range(layout, range);
            }
        }
    }
}

static int64_t member(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static int compare_dedicated(const void *a, const void *b)
{
    static const char *const keys[] = {"Size", "CreationFrameIndex", "LastUseFrameIndex"};

    for (size_t n = 0; n < COUNT_OF(keys); n++) {
        int64_t left = member(*(json_t *const *)a, keys[n]);
        int64_t right = member(*(json_t *const *)b, keys[n]);

        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* Sorts dedicated allocations by size; the library lists them by address. */
static void put_dedicated(struct layout *layout, json_t *types)
{
    enum { DEDICATED_MAX = 64 };
    const char *key;
    json_t *list;

    json_object_foreach (types, key, list) {
        json_t *sorted[DEDICATED_MAX];
        size_t count = json_array_size(list);

        assert_true(count <= DEDICATED_MAX);
        for (size_t n = 0; n < count; n++)
            sorted[n] = json_array_get(list, n);
        qsort(sorted, count, sizeof(sorted[0]), compare_dedicated);
        for (size_t n = 0; n < count; n++) {
            put_place(layout, "type", key, "dedicated");
            put_range(layout, sorted[n]);
        }
    }
}

static void put_total(struct layout *layout, const json_t *total)
{
    static const char *const members[] = {"Blocks", "Allocations", "UsedBytes", "UnusedBytes",
                                          "UnusedRanges"};

    text_printf(&layout->rows, "%s\t%" PRIu32 "\ttotal", layout->recording, layout->lines);
    for (size_t n = 0; n < COUNT_OF(members); n++)
        put_cell(layout, json_object_get(total, members[n]));
    text_add(&layout->rows, "\t-\n");
}

/* Builds the layout of the current state from the statistics that a mount shows. */
static void make_layout(const struct vma_play *play, struct layout *layout)
{
    struct text text = TEXT_INIT;
    json_error_t error;
    json_t *root;

    vma_json_write(&play->replay.allocator, true, &text);
    root = json_loadb(text.bytes, text.length, 0, &error);
    if (root == NULL)
        fail_msg("%s after %u lines: %s", layout->recording, layout->lines, error.text);
    put_total(layout, json_object_get(root, "Total"));
    put_dedicated(layout, json_object_get(root, "DedicatedAllocations"));
    put_blocks(layout, "type", json_object_get(root, "DefaultPools"));
    put_blocks(layout, "pool", json_object_get(root, "Pools"));
    text_add_char(&layout->rows, '\0');
    assert_int_equal(text_status(&layout->rows), 0);
    json_decref(root);
    text_clear(&text);
}

enum { LAYOUT_FIELDS = 9, FIELD_LABEL = 6 };

/* Compares one of our rows with that of the table. */
static void check_row(const struct conformance *table, char *found, char *const *wanted)
{
    char copy[256], *cell, *rest = copy;

    if (found == NULL)
        conformance_fail(table, "%s after %s lines has nothing more", wanted[0], wanted[1]);
    snprintf(copy, sizeof(copy), "%s", found);
    for (unsigned n = 0; n < LAYOUT_FIELDS; n++) {
        cell = strsep(&rest, "\t");
        if (n == FIELD_LABEL && strcmp(wanted[n], "-") == 0)
            continue;
        if (cell == NULL || strcmp(cell, wanted[n]) != 0)
            conformance_fail(table, "column %u is %s: %s", n + 1, cell, found);
    }
}

static void open_recording(struct vma_play *play, const char *name)
{
    char file[NAME_ROOM], *path;
    uint8_t *bytes;
    size_t size;

    snprintf(file, sizeof(file), "%s.csv", name);
    path = conformance_path(file);
    bytes = support_read(path, &size);
    free(path);
    vma_play_open(play, bytes, size, VMA_PLAY_DEFAULT);
}

static void test_layouts_of_the_replayer(void **state)
{
    struct conformance table;
    struct vma_play play;
    struct layout layout = {.recording = "", .rows = TEXT_INIT};
    char *wanted[LAYOUT_FIELDS], *rest = NULL;
    unsigned rows = 0, layouts = 0;

    (void)state;
    conformance_open(&table, "vma-layouts.tsv");
    while (conformance_row(&table, wanted, LAYOUT_FIELDS)) {
        uint32_t lines = (uint32_t)conformance_number(&table, wanted[1], 10);

        if (strcmp(wanted[0], layout.recording) != 0 || lines != layout.lines) {
            if (rest != NULL && *rest != '\0')
                conformance_fail(&table, "%s after %u lines has more: %s", layout.recording,
                                 layout.lines, rest);
            if (strcmp(wanted[0], layout.recording) != 0) {
                if (layouts > 0)
                    vma_play_close(&play);
                open_recording(&play, wanted[0]);
            }
            text_clear(&layout.rows);
            layout = (struct layout){.recording = wanted[0], .lines = lines, .rows = TEXT_INIT};
            vma_play_until(&play, lines);
            vma_play_check(&play);
            make_layout(&play, &layout);
            rest = layout.rows.bytes;
            layouts++;
        }
        check_row(&table, strsep(&rest, "\n"), wanted);
        rows++;
    }
    assert_string_equal(rest, "");
    assert_int_equal(layouts, 10);
    assert_int_equal(rows, 976);
    vma_play_close(&play);
    text_clear(&layout.rows);
    conformance_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_by_the_rules),
        cmocka_unit_test(test_layouts_of_the_replayer),
    };

    return cmocka_run_group_tests_name("conformance_vma", tests, NULL, NULL);
}
