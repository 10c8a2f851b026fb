/* SPDX-License-Identifier: MIT */
/*
 * Runs the apitrace part of the conformance set (tests/conformance/README): traces of all versions,
 * values and orders of events, without a container and in gzip. The text of their calls must be
 * what apitrace prints, to the letter.
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TRACE_MAX = 4096, CONTAINERS = 2 };

/* A trace of the table, in each container */
struct dumping {
    struct conformance table;
    char name[64];
    struct apitrace_opened opened[CONTAINERS];
    bool open;
    unsigned traces, listings;
};

static const char *const containers[CONTAINERS] = {"bare", "gzip"};

static void close_trace(struct dumping *dumping)
{
    for (unsigned n = 0; n < CONTAINERS && dumping->open; n++)
        apitrace_close(&dumping->opened[n]);
    dumping->open = false;
}

static size_t take_bytes(const struct conformance *table, char *list, uint8_t *bytes)
{
    size_t size = 0;
    char *group;

    while ((group = strsep(&list, " ")) != NULL)
        for (; group[0] != '\0'; group += 2) {
            const char pair[3] = {group[0], group[1]};

            assert_true(size < TRACE_MAX);
            bytes[size++] = (uint8_t)conformance_number(table, pair, 16);
        }
    return size;
}

static size_t compress_bytes(const uint8_t *bytes, size_t size, uint8_t *out, size_t room)
{
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    z_stream stream = {.next_in = (uint8_t *)(uintptr_t)bytes, .avail_in = (unsigned)size};

    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    assert_int_equal(
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY),
        Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return room - stream.avail_out;
}

static void open_trace(struct dumping *dumping, char *list)
{
    uint8_t bytes[TRACE_MAX], compressed[2 * TRACE_MAX];
    size_t size = take_bytes(&dumping->table, list, bytes);
    size_t compressed_size = compress_bytes(bytes, size, compressed, sizeof(compressed));

    apitrace_open_bytes(bytes, size, &dumping->opened[0]);
    apitrace_open_bytes(compressed, compressed_size, &dumping->opened[1]);
    dumping->open = true;
    dumping->traces++;
}

/* Compares one line of the table with that of the trace in each container. */
static void check_line(struct dumping *dumping, const char *name, unsigned number, char **rest)
{
    const char *wanted = conformance_next(&dumping->table);

    if (wanted == NULL || wanted[0] != '|')
        conformance_fail(&dumping->table, "trace %s, %s: no line %u", dumping->name, name, number);
    for (unsigned n = 0; n < CONTAINERS; n++) {
        const char *found = strsep(&rest[n], "\n");

        if (found == NULL || strcmp(found, wanted + 1) != 0)
            conformance_fail(&dumping->table, "trace %s (%s), %s line %u: \"%s\", not \"%s\"",
                             dumping->name, containers[n], name, number, found, wanted + 1);
    }
}

static void check_listing(struct dumping *dumping, const char *name, unsigned count)
{
    char *texts[CONTAINERS], *rest[CONTAINERS];

    for (unsigned n = 0; n < CONTAINERS; n++) {
        size_t size;

        texts[n] = rest[n] = apitrace_all(&dumping->opened[n], name, &size);
        if (strlen(texts[n]) != size)
            conformance_fail(&dumping->table, "trace %s, %s has a NUL", dumping->name, name);
    }
    for (unsigned line = 1; line <= count; line++)
        check_line(dumping, name, line, rest);
    for (unsigned n = 0; n < CONTAINERS; n++) {
        if (rest[n] == NULL || *rest[n] != '\0')
            conformance_fail(&dumping->table, "trace %s (%s), %s has more: %s", dumping->name,
                             containers[n], name, rest[n]);
        free(texts[n]);
    }
    dumping->listings++;
}

static void take_line(struct dumping *dumping, char *line)
{
    const char *verb = strsep(&line, " ");

    if (line == NULL) {
        conformance_fail(&dumping->table, "nothing after %s", verb);
    } else if (strcmp(verb, "trace") == 0) {
        close_trace(dumping);
        snprintf(dumping->name, sizeof(dumping->name), "%s", line);
    } else if (strcmp(verb, "bytes") == 0) {
        open_trace(dumping, line);
    } else if (strcmp(verb, "lines") == 0 && dumping->open) {
        const char *name = strsep(&line, " ");

        if (line == NULL)
            conformance_fail(&dumping->table, "%s of how many lines?", name);
        check_listing(dumping, name, (unsigned)conformance_number(&dumping->table, line, 10));
    } else {
        conformance_fail(&dumping->table, "unknown: %s", verb);
    }
}

static void test_calls_as_apitrace_prints_them(void **state)
{
    struct dumping dumping = {0};
    char *line;

    (void)state;
    conformance_open(&dumping.table, "apitrace-dumps.txt");
    while ((line = conformance_next(&dumping.table)) != NULL)
        take_line(&dumping, line);
    close_trace(&dumping);
    conformance_close(&dumping.table);
    assert_int_equal(dumping.traces, 17);
    assert_int_equal(dumping.listings, 3 * 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_as_apitrace_prints_them),
    };

    return cmocka_run_group_tests_name("conformance_apitrace", tests, NULL, NULL);
}
