/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/print.h"

#include <errno.h>

static void print_arguments(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;

    for (uint32_t n = 0; n < call->argument_count; n++) {
        if (n < call->function->argument_count)
            apitrace_printer_put_name(printer, &call->function->prefixes[n]);
        else if (n > 0)
            APITRACE_PRINTER_PUT(printer, ", ");
        if (call->arguments[n] == 0)
            apitrace_printer_put_char(printer, '?');
        else
            apitrace_printer_put_value_at(printer, call->arguments[n]);
    }
}

static void print_frame(struct apitrace_printer *printer, const struct apitrace_frame *frame)
{
    if (frame->module.bytes != NULL)
        apitrace_printer_put_name(printer, &frame->module);
    else
        apitrace_printer_put_char(printer, '?');
    if (frame->function.bytes != NULL) {
        APITRACE_PRINTER_PUT(printer, ": ");
        apitrace_printer_put_name(printer, &frame->function);
    }
    if (frame->has_offset) {
        APITRACE_PRINTER_PUT(printer, "+0x");
        apitrace_printer_put_hex(printer, frame->offset);
    }
    if (frame->file.bytes != NULL) {
        APITRACE_PRINTER_PUT(printer, ": ");
        apitrace_printer_put_name(printer, &frame->file);
        if (frame->has_line) {
            apitrace_printer_put_char(printer, ':');
            apitrace_printer_put_u64(printer, frame->line);
        }
    }
    apitrace_printer_put_char(printer, '\n');
}

static void print_backtrace(struct apitrace_printer *printer)
{
    struct apitrace_reader *reader = &printer->call.reader;
    uint64_t count;

    if (printer->call.backtrace == 0)
        return;
    apitrace_reader_seek(reader, printer->call.backtrace);
    count = apitrace_read_number(reader);
    if (count > 0)
        APITRACE_PRINTER_PUT(printer, "Backtrace:\n");
    for (uint64_t n = 0; n < count && reader->status == 0; n++) {
        const struct apitrace_frame *frame = apitrace_read_frame(reader, printer->call.definitions);

        if (frame != NULL)
            print_frame(printer, frame);
    }
}

/* Prints the line of a call that was read before. */
static void print_read_line(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;

    apitrace_printer_put_head(printer);
    if (call->function != NULL)
        print_arguments(printer);
    apitrace_printer_put_char(printer, ')');
    if (call->result != 0) {
        APITRACE_PRINTER_PUT(printer, " = ");
        apitrace_printer_put_value_at(printer, call->result);
    }
    apitrace_printer_put_comment(printer, call->record->marks);
    apitrace_printer_put_char(printer, '\n');
}

/* Removes what was printed since the text, with the room, had that length. */
static void take_back(struct apitrace_printer *printer, size_t length)
{
    if (length >= printer->text->length) {
        printer->used = length - printer->text->length;
    } else {
        printer->text->length = length;
        printer->used = 0;
    }
}

/* Prints the chosen call's line, while reading it or after. */
static int print_line(struct apitrace_printer *printer)
{
    size_t length = printer->text->length + printer->used;
    int status;

    if (apitrace_printer_pass_call(printer))
        return 0;
    take_back(printer, length);
    status = apitrace_call_read(&printer->call, printer->call.record->number);
    if (status == 0)
        print_read_line(printer);
    return status;
}

void apitrace_printer_init(struct apitrace_printer *printer, const struct apitrace_index *index,
                           const struct cancel *cancel)
{
    apitrace_call_init(&printer->call, index, cancel);
    printer->text = NULL;
    printer->used = 0;
    printer->digit_count = 0;
}

void apitrace_printer_clear(struct apitrace_printer *printer)
{
    apitrace_call_clear(&printer->call);
}

void apitrace_printer_begin(struct apitrace_printer *printer, unsigned how, struct text *text)
{
    printer->text = text;
    printer->how = how;
    printer->careful =
        (how & APITRACE_PRINT_RAW) == 0 &&
        atomic_load_explicit(&printer->call.definitions->odd_names, memory_order_relaxed);
}

/* A call that is cut off fails as expected. */
static int outcome(const struct apitrace_printer *printer, int status)
{
    if (status == 0)
        status = apitrace_call_status(&printer->call);
    return status == -EIO && printer->call.record->marks & APITRACE_CUT ? 0 : status;
}

static int print_chosen(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;
    int status = print_line(printer);

    if (status == 0 && (printer->how & APITRACE_PRINT_ONE_LINE) == 0) {
        print_backtrace(printer);
        if (call->function != NULL && call->function->classes & APITRACE_END_FRAME)
            apitrace_printer_put_char(printer, '\n');
    }
    return status == 0 && call->reader.status == 0 ? 0 : outcome(printer, status);
}

int apitrace_print_next(struct apitrace_printer *printer, uint64_t number)
{
    apitrace_call_choose(&printer->call, number);
    if (printer->call.record->marks & APITRACE_HIDDEN &&
        (printer->how & APITRACE_PRINT_THREADS) == 0)
        return 0;
    return print_chosen(printer);
}

void apitrace_printer_finish(struct apitrace_printer *printer)
{
    if (printer->used > 0)
        apitrace_printer_flush(printer);
}

int apitrace_print_call(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text)
{
    int status;

    apitrace_printer_begin(printer, how, text);
    apitrace_call_choose(&printer->call, number);
    status = print_chosen(printer);
    apitrace_printer_flush(printer);
    return outcome(printer, status);
}

int apitrace_print_value(struct apitrace_printer *printer, uint64_t place, unsigned how,
                         struct text *text)
{
    apitrace_printer_begin(printer, how, text);
    apitrace_printer_put_value_at(printer, place);
    apitrace_printer_flush(printer);
    return apitrace_call_status(&printer->call);
}

void apitrace_print_properties(const struct apitrace_index *index, unsigned how, struct text *text)
{
    struct apitrace_printer printer;

    apitrace_printer_init(&printer, index, NULL);
    apitrace_printer_begin(&printer, how, text);
    for (uint64_t n = 0; n < index->property_count; n++) {
        const struct apitrace_property *property = &index->properties[n];

        /* If a name repeats, the dump shows the last value. */
        if (n + 1 < index->property_count &&
            strcmp(property->name.bytes, property[1].name.bytes) == 0)
            continue;
        APITRACE_PRINTER_PUT(&printer, "// ");
        apitrace_printer_put_name(&printer, &property->name);
        APITRACE_PRINTER_PUT(&printer, " = \"");
        apitrace_printer_put_escaped(&printer, (const uint8_t *)property->value.bytes,
                                     property->value.length);
        APITRACE_PRINTER_PUT(&printer, "\"\n");
    }
    apitrace_printer_flush(&printer);
    apitrace_printer_clear(&printer);
}
