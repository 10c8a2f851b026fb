/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include <errno.h>

enum { POLLED_CALLS = 16, CALL_BYTES = 64 /* of an ordinary call's text, rounded up */ };

/* Returns the error that stops the writing; checked now and then. */
static int check(const struct cancel *cancel, const struct text *text)
{
    return cancel_requested(cancel) ? -EINTR : text_status(text);
}

static int write_calls(struct dump *dump, uint64_t key, uint64_t first, uint64_t end, unsigned how,
                       const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *frame = &index->frames[key];
    struct apitrace_printer printer;
    int status = 0;

    text_expect(text, (size_t)(end - first) * CALL_BYTES);
    apitrace_printer_init(&printer, index, cancel);
    apitrace_printer_begin(&printer, how, text);
    for (uint64_t n = first; n < end && status == 0; n++) {
        if (n % POLLED_CALLS == 0 && (status = check(cancel, text)) < 0)
            break;
        status = apitrace_print_next(&printer, apitrace_index_listed(index, frame->first + n));
    }
    apitrace_printer_finish(&printer);
    apitrace_printer_clear(&printer);
    return status;
}

/* The properties precede the calls of the first frame. */
static int add_properties(struct dump *dump, uint64_t key, unsigned how, struct text *text)
{
    if (key == 0)
        apitrace_print_properties(apitrace_index_of(dump), how, text);
    return 0;
}

static int calls_head(struct dump *dump, uint64_t key, struct text *text)
{
    return add_properties(dump, key, APITRACE_PRINT_LINES, text);
}

static int calls_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    return write_calls(dump, key, first, end, APITRACE_PRINT_LINES, cancel, text);
}

static int raw_head(struct dump *dump, uint64_t key, struct text *text)
{
    return add_properties(dump, key, APITRACE_PRINT_RAW, text);
}

static int raw_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                    const struct cancel *cancel, struct text *text)
{
    return write_calls(dump, key, first, end, APITRACE_PRINT_RAW, cancel, text);
}

static int oneline_head(struct dump *dump, uint64_t key, struct text *text)
{
    return add_properties(dump, key, APITRACE_PRINT_ONE_LINE, text);
}

static int oneline_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    return write_calls(dump, key, first, end, APITRACE_PRINT_ONE_LINE, cancel, text);
}

static int verbose_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    return write_calls(dump, key, first, end, APITRACE_PRINT_THREADS, cancel, text);
}

#define LISTING(how) .count = apitrace_frame_packet_count, .rows = how##_rows

const struct dump_listing apitrace_calls_listing = {.head = calls_head, LISTING(calls)};
const struct dump_listing apitrace_calls_raw_listing = {.head = raw_head, LISTING(raw)};
const struct dump_listing apitrace_calls_oneline_listing = {.head = oneline_head, LISTING(oneline)};
const struct dump_listing apitrace_calls_verbose_listing = {.head = calls_head, LISTING(verbose)};

/* Returns whether a string is open at the end of a line. `open`: one is open at its beginning. */
static bool ends_in_string(const char *line, size_t length, bool open)
{
    for (size_t n = 0; n < length; n++) {
        if (line[n] == '"')
            open = !open;
        else if (line[n] == '\\' && open)
            n++;
    }
    return open;
}

size_t apitrace_call_place(const char *line, size_t length, unsigned *inside)
{
    bool open = *inside != 0;
    size_t digits = 0;

    *inside = ends_in_string(line, length, open);
    while (!open && digits < length && line[digits] >= '0' && line[digits] <= '9')
        digits++;
    return digits > 0 && digits < length && line[digits] == ' ' ? digits + 1 : 0;
}
