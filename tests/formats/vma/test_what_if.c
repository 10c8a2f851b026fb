/* SPDX-License-Identifier: MIT */
/*
 * Recordings under other settings than their own: compares with what VMA 2.3.0 itself makes of them
 * (tests/conformance/README).
 */
#include "config.h"

#include "tests/formats/vma/play.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
    RECORDING,
    LINES,
    DEVICE,
    BLOCK_SIZE,
    GRANULARITY,
    ALGORITHM,
    RESULTS, /* the first result */
    RESULT_COUNT = 6,
    FIELDS = RESULTS + RESULT_COUNT,
};

static const char *const devices[] = {"recorded", "vega", "gtx660m", "hd-gen9", "lavapipe", NULL};
static const char *const algorithms[] = {"default", "linear", "buddy", "recorded", NULL};
static const char *const results[RESULT_COUNT] = {
    "blocks", "allocations", "used bytes", "unused bytes", "unused ranges", "offsets",
};

static unsigned choice(const struct conformance *table, const char *field,
                       const char *const *choices)
{
    for (unsigned n = 0; choices[n] != NULL; n++)
        if (strcmp(choices[n], field) == 0)
            return n;
    conformance_fail(table, "%s is no choice", field);
    return 0;
}

static uint64_t offsets(const struct vma_allocator *allocator)
{
    uint64_t sum = 0;

    for (uint32_t n = 1; n < allocator->allocations.count; n++)
        if (vma_allocation(allocator, n)->place == VMA_PLACE_BLOCK)
            sum += vma_range(allocator, vma_allocation(allocator, n)->range)->offset;
    return sum;
}

static void measure(const struct vma_allocator *allocator, uint64_t *values)
{
    memset(values, 0, RESULT_COUNT * sizeof(*values));
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        values[0] += tally->blocks + tally->dedicated;
        values[1] += tally->allocations;
        values[2] += tally->used_bytes;
        values[3] += tally->block_bytes - tally->used_bytes;
        values[4] += tally->unused_ranges;
    }
    values[5] = offsets(allocator);
}

/* Returns whether the recording is next to the table. Other recordings are in the corpus. */
static bool is_own(const char *name)
{
    return strncmp(name, "vma-", strlen("vma-")) == 0;
}

static uint8_t *read_recording(const char *name, size_t *size)
{
    char file[64], *path;
    uint8_t *bytes;

    snprintf(file, sizeof(file), is_own(name) ? "%s.csv" : "vma/recordings/%s.csv", name);
    path = is_own(name) ? conformance_path(file) : support_corpus(file);
    bytes = support_read(path, size);
    free(path);
    return bytes;
}

static void check_row(const struct conformance *table, char *const *fields)
{
    const struct vma_override override = {
        .device = choice(table, fields[DEVICE], devices),
        .default_macros = strcmp(fields[RECORDING], "inexor_v1_8") == 0, /* built with a margin */
        .block_size = conformance_number(table, fields[BLOCK_SIZE], 10),
        .granularity = conformance_number(table, fields[GRANULARITY], 10),
    };
    uint64_t values[RESULT_COUNT];
    struct vma_play play;
    size_t size = 0;
    uint8_t *bytes = read_recording(fields[RECORDING], &size);

    vma_play_open_with(&play, bytes, size, &override, choice(table, fields[ALGORITHM], algorithms));
    vma_play_until(&play, (uint32_t)conformance_number(table, fields[LINES], 10));
    measure(&play.replay.allocator, values);
    for (unsigned n = 0; n < RESULT_COUNT; n++)
        if (values[n] != conformance_number(table, fields[RESULTS + n], 10))
            conformance_fail(table, "%s on %s: %s is %" PRIu64, fields[RECORDING], fields[DEVICE],
                             results[n], values[n]);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Checks the rows whose recording is next to the table, or all others. Returns their number. */
static unsigned check_rows(bool own)
{
    struct conformance table;
    char *fields[FIELDS];
    unsigned rows = 0;

    conformance_open(&table, "vma-what-if.tsv");
    while (conformance_row(&table, fields, FIELDS)) {
        if (is_own(fields[RECORDING]) != own)
            continue;
        check_row(&table, fields);
        rows++;
    }
    conformance_close(&table);
    return rows;
}

static void test_settings_as_the_library(void **state)
{
    (void)state;
    assert_int_equal(check_rows(true), 120);
}

static void test_settings_over_the_corpus(void **state)
{
    (void)state;
    free(support_corpus("vma/recordings"));
    assert_int_equal(check_rows(false), 280);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_as_the_library),
        cmocka_unit_test(test_settings_over_the_corpus),
    };

    return cmocka_run_group_tests_name("what_if_vma", tests, NULL, NULL);
}
