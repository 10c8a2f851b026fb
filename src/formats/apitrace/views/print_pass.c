/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/printer.h"

void apitrace_printer_put_comment(struct apitrace_printer *printer, unsigned marks)
{
    if (marks & (APITRACE_FAKE | APITRACE_INCOMPLETE | APITRACE_CUT))
        APITRACE_PRINTER_PUT(printer, " //");
    if (marks & APITRACE_FAKE)
        APITRACE_PRINTER_PUT(printer, " fake");
    if (marks & APITRACE_INCOMPLETE)
        APITRACE_PRINTER_PUT(printer, " incomplete");
    if (marks & APITRACE_CUT)
        APITRACE_PRINTER_PUT(printer, " cut");
}

/* Adds one to the last number's digits; false: it needs one more of them. */
static bool count_on(struct apitrace_printer *printer)
{
    for (size_t n = printer->digit_count; n-- > 0; printer->digits[n] = '0')
        if (printer->digits[n]++ != '9')
            return true;
    return false;
}

/* The number's digits; as a rule it is one more than the last. Returns the place behind them. */
static char *copy_number(struct apitrace_printer *printer, char *to, uint64_t number)
{
    if (printer->digit_count == 0 || number != printer->number + 1 || !count_on(printer))
        printer->digit_count = apitrace_decimal_u64(printer->digits, number);
    printer->number = number;
    memcpy(to, printer->digits, sizeof(printer->digits));
    return to + printer->digit_count;
}

void apitrace_printer_put_head(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;
    char *begin = apitrace_printer_space(printer, sizeof(printer->digits) + 1);
    char *end = copy_number(printer, begin, call->record->number);

    *end++ = ' ';
    printer->used += (size_t)(end - begin);
    if (printer->how & APITRACE_PRINT_THREADS) {
        apitrace_printer_put_char(printer, '@');
        apitrace_printer_put_hex(printer, call->record->thread);
        apitrace_printer_put_char(printer, ' ');
    }
    if (call->function != NULL)
        apitrace_printer_put_name(printer, &call->function->head);
    else
        apitrace_printer_put_char(printer, '(');
}

/* Up to argument `end`, those that were not given. */
static inline void print_missing(struct apitrace_printer *printer, uint32_t end)
{
    for (; printer->printed < end; printer->printed++) {
        apitrace_printer_put_name(printer, &printer->call.function->prefixes[printer->printed]);
        apitrace_printer_put_char(printer, '?');
    }
}

enum {
    PLAIN_NAME_MAX =
        256, /* bytes of a name that is copied without a look at what room there is … */
    PLAIN_ROOM = 2 * PLAIN_NAME_MAX + 2 * APITRACE_NAME_PAD + APITRACE_DECIMAL_MAX, /* … for all */
};

static inline char *copy_enum(const struct apitrace_call *call, char *to, const uint8_t **at)
{
    uint64_t id, number = 0;
    const uint8_t *next = apitrace_plain_number(*at, &id);
    const struct apitrace_enum *known =
        next != NULL ? apitrace_known_enum(call->definitions, id) : NULL;
    const struct apitrace_constant *constant = NULL;

    if (known == NULL || known->single || *next != APITRACE_POSITIVE ||
        known->base.position == call->reader.end_position - (uint64_t)(call->reader.end - next))
        return NULL;
    *at = apitrace_plain_number(next + 1, &number);
    if (*at != NULL)
        constant = apitrace_enum_find(known, (int64_t)number);
    return constant != NULL && constant->name.shown <= PLAIN_NAME_MAX
               ? apitrace_printer_copy_name(to, &constant->name)
               : NULL;
}

/* The value at `*at`, whose type byte is before it, and goes behind it. NULL: it is not plain. */
static inline char *copy_plain(const struct apitrace_call *call, char *to, const uint8_t **at)
{
    uint64_t number;
    uint32_t bits;
    float value;

    switch ((*at)[-1]) {
    case APITRACE_NULL:
        memcpy(to, "NULL", 4);
        return to + 4;
    case APITRACE_FALSE:
        memcpy(to, "false", 5);
        return to + 5;
    case APITRACE_TRUE:
        memcpy(to, "true", 4);
        return to + 4;
    case APITRACE_NEGATIVE:
        *at = apitrace_plain_number(*at, &number);
        *to = '-';
        to += number != 0;
        return *at != NULL ? to + apitrace_decimal_u64(to, number) : NULL;
    case APITRACE_POSITIVE:
        *at = apitrace_plain_number(*at, &number);
        return *at != NULL ? to + apitrace_decimal_u64(to, number) : NULL;
    case APITRACE_OPAQUE:
        *at = apitrace_plain_number(*at, &number);
        memcpy(to, "0x", 2);
        return *at != NULL ? to + 2 + apitrace_decimal_hex(to + 2, number) : NULL;
    case APITRACE_FLOAT:
        bits = bytes_le32(*at);
        memcpy(&value, &bits, sizeof(bits));
        *at += sizeof(bits);
        return to + apitrace_decimal_float(to, value);
    case APITRACE_ENUM:
        return copy_enum(call, to, at);
    default:
        return NULL;
    }
}

/*
 * Arguments that come in their order and are plain: numbers and names in memory, which most are.
 * The reader goes behind them.
 */
static void pass_plain(struct apitrace_printer *printer)
{
    const struct apitrace_function *function = printer->call.function;
    struct apitrace_reader *reader = &printer->call.reader;
    const uint8_t *at = reader->at, *end = reader->end;
    uint32_t printed = printer->printed;
    uint32_t count = function->argument_count < 0x80 ? function->argument_count : 0x80;

    for (;
         end - at >= APITRACE_PLAIN_MAX && at[0] == APITRACE_DETAIL_ARGUMENT && at[1] == printed &&
         printed < count && function->prefixes[printed].shown <= PLAIN_NAME_MAX;
         printed++) {
        const uint8_t *next = at + 3;
        char *begin = apitrace_printer_space(printer, PLAIN_ROOM);
        char *to = copy_plain(
            &printer->call, apitrace_printer_copy_name(begin, &function->prefixes[printed]), &next);

        if (to == NULL)
            break;
        at = next;
        printer->used += (size_t)(to - begin);
    }
    reader->at = at;
    printer->printed = printed;
}

/* The details of an event; false: something is out of its order. */
static bool pass_details(struct apitrace_printer *printer)
{
    struct apitrace_call *call = &printer->call;
    struct apitrace_reader *reader = &call->reader;
    uint64_t number;

    for (;;) {
        uint8_t detail;

        if (!printer->careful && call->result == 0)
            pass_plain(printer);
        detail = apitrace_read_byte(reader);
        switch (detail) {
        case APITRACE_DETAIL_END:
            return reader->status == 0;
        case APITRACE_DETAIL_ARGUMENT:
            number = apitrace_read_number(reader);
            if (number < printer->printed || number >= call->function->argument_count ||
                call->result != 0)
                return false;
            print_missing(printer, (uint32_t)number);
            apitrace_printer_put_name(printer, &call->function->prefixes[number]);
            apitrace_printer_put_value(printer, 0);
            printer->printed++;
            break;
        case APITRACE_DETAIL_RESULT:
            if (call->result != 0)
                return false;
            call->result = apitrace_reader_position(reader);
            print_missing(printer, call->function->argument_count);
            APITRACE_PRINTER_PUT(printer, ") = ");
            apitrace_printer_put_value(printer, 0);
            break;
        case APITRACE_DETAIL_BACKTRACE:
            call->backtrace = apitrace_reader_position(reader);
            number = apitrace_read_number(reader);
            for (uint64_t n = 0; n < number && reader->status == 0; n++)
                apitrace_read_frame(reader, call->definitions);
            break;
        case APITRACE_DETAIL_THREAD:
        case APITRACE_DETAIL_FLAGS:
            apitrace_read_number(reader);
            break;
        default:
            return false;
        }
        if (reader->status != 0)
            return false;
    }
}

bool apitrace_printer_pass_call(struct apitrace_printer *printer)
{
    struct apitrace_call *call = &printer->call;

    if (call->function == NULL || call->record->marks & APITRACE_CUT)
        return false;
    apitrace_printer_put_head(printer);
    printer->printed = 0;
    if (!apitrace_call_enter(call) || !pass_details(printer) ||
        (apitrace_call_leave(call) && !pass_details(printer)) || call->reader.status != 0)
        return false;
    if (call->result == 0) {
        print_missing(printer, call->function->argument_count);
        apitrace_printer_put_char(printer, ')');
    }
    if ((call->record->marks & ~APITRACE_HIDDEN) != 0)
        apitrace_printer_put_comment(printer, call->record->marks);
    apitrace_printer_put_char(printer, '\n');
    return true;
}
