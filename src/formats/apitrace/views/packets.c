/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include <errno.h>

static uint64_t bytes_of(const struct apitrace_record *record)
{
    return record->enter_bytes + record->leave_bytes;
}

int apitrace_packet_describe(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_record record;
    int status = apitrace_index_record(index, number, &record);

    if (status < 0)
        return status;
    out->offset = out->data = record.enter;
    out->bytes = bytes_of(&record);
    out->frame = apitrace_index_frame(index, record.order);
    out->type = record.function;
    out->name = apitrace_index_name(index, &record);
    return 0;
}

/* Reads the call's bytes in the stream: its enter event, then its leave event. */
int apitrace_packet_read(struct dump *dump, uint64_t number, const struct cancel *cancel,
                         struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_record record = apitrace_index_at(index, number);
    struct apitrace_reader reader;
    struct blob *blob = NULL;
    int status = blob_create((size_t)bytes_of(&record), &blob);

    if (status < 0)
        return status;
    apitrace_reader_init(&reader, &index->stream, cancel);
    apitrace_reader_seek(&reader, record.enter);
    apitrace_read_bytes(&reader, blob->data, (size_t)record.enter_bytes);
    if (reader.status == 0 && record.leave != APITRACE_NO_LEAVE) {
        apitrace_reader_seek(&reader, record.leave);
        apitrace_read_bytes(&reader, blob->data + record.enter_bytes, (size_t)record.leave_bytes);
    }
    status = apitrace_reader_error(&reader);
    apitrace_reader_clear(&reader);
    if (status < 0)
        blob_unref(&blob);
    *out = blob;
    return status;
}

/* Tables. */

/* Appends `hidden,fake` and the like, or "ok". */
static void add_status(unsigned marks, struct text *text)
{
    static const char *const names[] = {"hidden", "fake", "incomplete", "cut"};
    bool first = true;

    for (unsigned n = 0; n < 4; n++) {
        if ((marks & 1U << n) == 0)
            continue;
        if (!first)
            text_add_char(text, ',');
        text_add(text, names[n]);
        first = false;
    }
    if (first)
        text_add(text, "ok");
}

static void add_packet(const struct apitrace_index *index, const struct apitrace_record *record,
                       struct text *text)
{
    const struct apitrace_function *function = apitrace_index_function(index, record);
    char letters[9];

    text_add_u64(text, record->number);
    text_cell(text, record->enter);
    text_cell(text, record->enter_bytes + record->leave_bytes);
    text_add_char(text, '\t');
    text_add(text, apitrace_class_letters(function != NULL ? function->classes : 0, letters));
    apitrace_cell_function(text, function);
    apitrace_cell_optional(text, apitrace_index_frame(index, record->order));
    text_cell(text, record->thread);
    apitrace_cell_optional(text, record->leave);
    apitrace_cell_optional(text, record->order);
    text_add_char(text, '\t');
    add_status(record->marks, text);
    text_add_char(text, '\n');
}

int apitrace_packet_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_totals(apitrace_index_of(dump)).rows;
    return 0;
}

int apitrace_packet_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_walk walk;

    (void)key, (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t number = first; number < end; number++)
        add_packet(index, apitrace_walk_to(&walk, number), text);
    return 0;
}

int apitrace_frame_packet_count(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                uint64_t *rows)
{
    const struct apitrace_frame_record *record = &apitrace_index_of(dump)->frames[frame];

    (void)cancel;
    *rows = record->end - record->first;
    return 0;
}

int apitrace_frame_packet_rows(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                               const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    uint64_t order = index->frames[frame].first;
    struct apitrace_walk walk;

    (void)cancel;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = first; n < end; n++)
        add_packet(index, apitrace_walk_to(&walk, apitrace_index_listed(index, order + n)), text);
    return 0;
}

/* The text of one packet. */

int apitrace_packet_text_pieces(struct dump *dump, uint64_t number, const struct cancel *cancel,
                                uint64_t *pieces)
{
    (void)dump, (void)number, (void)cancel;
    *pieces = 1;
    return 0;
}

int apitrace_packet_text_piece(struct dump *dump, uint64_t number, uint64_t piece,
                               const struct cancel *cancel, struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_printer printer;
    int status;

    (void)piece;
    apitrace_printer_init(&printer, index, cancel);
    status = apitrace_print_call(&printer, number, APITRACE_PRINT_LINES, text);
    apitrace_printer_clear(&printer);
    return status;
}
