/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/written.h"

#include "tests/support/support.h"

#include <stdlib.h>

const struct trace_function written_plain = {1, "plain", 2, {"a", "b"}},
                            written_swap = {2, "glXSwapBuffers", 0, {NULL}};

static char *folder;

int written_make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

int written_remove_folder(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

char *written_path(const char *name)
{
    return support_path(folder, name);
}

void written_open(const struct trace_params *params, void (*write)(struct trace_writer *writer),
                  struct apitrace_opened *out)
{
    char *path = written_path("written.trace");
    struct trace_writer *writer;

    assert_int_equal(trace_writer_open(path, params, &writer), 0);
    write(writer);
    assert_int_equal(trace_writer_close(&writer), 0);
    apitrace_open(path, out);
    free(path);
}

void written_expect_clean(const struct apitrace_opened *opened)
{
    char *problems = apitrace_problems(opened);

    assert_string_equal(problems, "");
    free(problems);
}

void written_uint(struct trace_writer *writer, unsigned argument, uint64_t value)
{
    trace_argument(writer, argument);
    trace_uint(writer, value);
}

void written_many(struct trace_writer *writer)
{
    for (unsigned n = 0; n < 3000; n++) {
        uint64_t call = trace_enter(writer, 0, n % 100 == 99 ? &written_swap : &written_plain);

        if (n % 100 != 99) {
            written_uint(writer, 0, n * 1000003ULL);
            trace_argument(writer, 1);
            trace_string(writer, "a string that chunks part");
        }
        trace_call_end(writer, call);
    }
}

void written_a_lot(struct trace_writer *writer)
{
    for (unsigned n = 0; n < 8; n++)
        written_many(writer);
}

uint8_t *written_bare(size_t *size)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = written_path("bare.trace");
    struct trace_writer *writer;
    uint8_t *bytes;

    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    written_many(writer);
    assert_int_equal(trace_writer_close(&writer), 0);
    bytes = support_read(path, size);
    free(path);
    return bytes;
}
