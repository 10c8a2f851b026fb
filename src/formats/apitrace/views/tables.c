/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include <inttypes.h>

/* Threads. */

static int count_threads(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_of(dump)->thread_count;
    return 0;
}

static int write_threads(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    (void)key, (void)cancel;
    for (uint64_t n = first; n < end; n++) {
        const struct apitrace_thread *thread = &index->threads[n];

        text_add_u64(text, thread->id);
        text_cell(text, thread->calls);
        text_cell(text, thread->first);
        text_cell(text, thread->last);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing apitrace_threads_listing = {
    .columns = "thread\tcalls\tfirst\tlast", .count = count_threads, .rows = write_threads};

/* Errors and markers: calls that were noted. */

/* Appends the first cells in the row of a noted call. */
static void add_place(const struct apitrace_index *index, const struct apitrace_record *record,
                      struct text *text)
{
    text_add_u64(text, record->number);
    apitrace_cell_optional(text, apitrace_index_frame(index, record->order));
    text_cell(text, record->thread);
}

static int count_errors(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_totals(apitrace_index_of(dump)).notes[APITRACE_NOTE_ERRORS];
    return 0;
}

static int add_error(struct apitrace_printer *printer, uint64_t number, struct text *text)
{
    int status = apitrace_call_read(&printer->call, number);
    size_t begin;

    if (status < 0)
        return status;
    add_place(printer->call.index, printer->call.record, text);
    text_add_char(text, '\t');
    begin = text->length;
    status = apitrace_print_value(printer, printer->call.result, APITRACE_PRINT_ONE_LINE, text);
    text_end_cell(text, begin);
    text_add_char(text, '\n');
    return status;
}

static int write_errors(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_ERRORS];
    struct apitrace_printer printer;
    int status = 0;

    (void)key;
    apitrace_printer_init(&printer, index, cancel);
    for (uint64_t n = first; n < end && status == 0; n++)
        status = add_error(&printer, notes->numbers[n], text);
    apitrace_printer_clear(&printer);
    return status;
}

const struct dump_listing apitrace_errors_listing = {
    .columns = "packet\tframe\tthread\terror", .count = count_errors, .rows = write_errors};

/* Two elements of the notes, a number and a depth, are one marker. */
static int count_markers(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_totals(apitrace_index_of(dump)).notes[APITRACE_NOTE_MARKERS] / 2;
    return 0;
}

static void add_string(struct apitrace_reader *reader, uint64_t length, struct text *text)
{
    while (length > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, length, &bytes);

        if (some == 0)
            return;
        text_add_escaped(text, bytes, some);
        length -= some;
    }
}

static void add_wide_string(struct apitrace_reader *reader, uint64_t length, struct text *text)
{
    for (uint64_t n = 0; n < length && reader->status == 0; n++) {
        uint64_t unit = apitrace_read_number(reader);
        char c = unit >= ' ' && unit <= '~' ? (char)unit : '?';

        text_add_escaped(text, &c, 1);
    }
}

/* Appends the first string among the arguments. */
static void add_marker_text(struct apitrace_call *call, struct text *text)
{
    struct apitrace_value value;
    size_t begin = text->length;

    for (uint32_t n = 0; n < call->argument_count; n++) {
        if (!apitrace_call_argument(call, n, &value))
            continue;
        if (value.type == APITRACE_STRING) {
            add_string(&call->reader, value.number, text);
            break;
        }
        if (value.type == APITRACE_WSTRING) {
            add_wide_string(&call->reader, value.number, text);
            break;
        }
    }
    text_end_cell(text, begin);
}

static int add_marker(struct apitrace_call *call, const uint32_t *note, struct text *text)
{
    int status = apitrace_call_read(call, note[0]);
    unsigned classes;

    if (status < 0 || call->function == NULL)
        return status;
    classes = call->function->classes;
    add_place(call->index, call->record, text);
    text_cell(text, note[1]);
    text_add(text, classes & APITRACE_PUSH  ? "\tpush\t"
                   : classes & APITRACE_POP ? "\tpop\t"
                                            : "\tmarker\t");
    add_marker_text(call, text);
    text_add_char(text, '\n');
    return apitrace_call_status(call);
}

static int write_markers(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_MARKERS];
    struct apitrace_call call;
    int status = 0;

    (void)key;
    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = first; n < end && status == 0; n++)
        status = add_marker(&call, &notes->numbers[2 * n], text);
    apitrace_call_clear(&call);
    return status;
}

const struct dump_listing apitrace_markers_listing = {
    .columns = "packet\tframe\tthread\tdepth\tkind\ttext",
    .count = count_markers,
    .rows = write_markers};

/* Signatures. */

enum { DEFINITIONS_OF_PIECE = 64 };

static void add_escaped_name(struct text *text, const struct apitrace_name *name)
{
    text_add_escaped(text, name->bytes, name->shown);
}

static void add_escaped_names(struct text *text, const struct apitrace_name *names, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        if (n > 0)
            text_add(text, ", ");
        add_escaped_name(text, &names[n]);
    }
}

static void add_function(const struct apitrace_index *index, const void *definition,
                         struct text *text)
{
    const struct apitrace_function *function = definition;
    char letters[9];

    add_escaped_name(text, &function->name);
    text_add_char(text, '(');
    add_escaped_names(text, function->arguments, function->argument_count);
    text_printf(text, ") id=%" PRIu32 " class=%s calls=%" PRIu64 "\n", function->base.id,
                apitrace_class_letters(function->classes, letters),
                index->function_calls[function->number]);
}

static void add_enum(const struct apitrace_index *index, const void *definition, struct text *text)
{
    const struct apitrace_enum *enumeration = definition;

    (void)index;
    for (uint32_t n = 0; n < enumeration->count; n++) {
        text_printf(text, "%" PRIu32 " ", enumeration->base.id);
        add_escaped_name(text, &enumeration->constants[n].name);
        text_printf(text, " = %" PRId64 "\n", enumeration->constants[n].value);
    }
}

static void add_bitmask(const struct apitrace_index *index, const void *definition,
                        struct text *text)
{
    const struct apitrace_bitmask *bitmask = definition;

    (void)index;
    for (uint32_t n = 0; n < bitmask->count; n++) {
        text_printf(text, "%" PRIu32 " ", bitmask->base.id);
        add_escaped_name(text, &bitmask->constants[n].name);
        text_printf(text, " = 0x%" PRIx64 "\n", (uint64_t)bitmask->constants[n].value);
    }
}

static void add_struct(const struct apitrace_index *index, const void *definition,
                       struct text *text)
{
    const struct apitrace_struct *structure = definition;

    (void)index;
    text_printf(text, "%" PRIu32 " ", structure->base.id);
    add_escaped_name(text, &structure->name);
    text_add(text, " {");
    add_escaped_names(text, structure->members, structure->member_count);
    text_add(text, "}\n");
}

#define LISTING(space, add)                                                                        \
    static int count_##space(struct dump *dump, uint64_t key, const struct cancel *cancel,         \
                             uint64_t *rows)                                                       \
    {                                                                                              \
        (void)key, (void)cancel;                                                                   \
        *rows = apitrace_index_of(dump)->definitions.space.count;                                  \
        return 0;                                                                                  \
    }                                                                                              \
    static int write_##space(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,        \
                             const struct cancel *cancel, struct text *text)                       \
    {                                                                                              \
        const struct apitrace_index *index = apitrace_index_of(dump);                              \
                                                                                                   \
        (void)key, (void)cancel;                                                                   \
        for (uint64_t n = first; n < end; n++)                                                     \
            add(index, index->definitions.space.list[n], text);                                    \
        return 0;                                                                                  \
    }                                                                                              \
    const struct dump_listing apitrace_##space##_listing = {                                       \
        .count = count_##space, .rows = write_##space, .piece_rows = DEFINITIONS_OF_PIECE}

LISTING(functions, add_function);
LISTING(enums, add_enum);
LISTING(bitmasks, add_bitmask);
LISTING(structs, add_struct);
