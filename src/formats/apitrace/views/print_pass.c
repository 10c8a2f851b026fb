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

/* Increments the number's digits. Returns false if one more digit is needed. */
static bool count_on(struct apitrace_printer *printer)
{
    for (size_t n = printer->digit_count; n-- > 0; printer->digits[n] = '0')
        if (printer->digits[n]++ != '9')
            return true;
    return false;
}

/*
 * Copies the number's digits, and prepares those of the next number in `digits`. This is done long
 * before they are read, since reading bytes as a block right after writing them one by one is slow.
 * Returns the address after the copy.
 */
static char *copy_number(struct apitrace_printer *printer, char *to, uint64_t number)
{
    char *end;

    if (printer->digit_count == 0 || number != printer->number)
        printer->digit_count = apitrace_decimal_u64(printer->digits, number);
    memcpy(to, printer->digits, sizeof(printer->digits));
    end = to + printer->digit_count;
    printer->number = number + 1;
    if (!count_on(printer))
        printer->digit_count = 0;
    return end;
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

/* Prints the arguments before `end` that were not given. */
static inline void print_missing(struct apitrace_printer *printer, uint32_t end)
{
    for (; printer->printed < end; printer->printed++) {
        apitrace_printer_put_name(printer, &printer->call.function->prefixes[printer->printed]);
        apitrace_printer_put_char(printer, '?');
    }
}

enum {
    /* Names of more bytes are not plain, so that a plain argument always fits in PLAIN_ROOM. */
    PLAIN_NAME_MAX = 256,
    /* Bytes that are free before an argument is copied, which then needs no further checks. */
    PLAIN_ROOM = 2 * (PLAIN_NAME_MAX + APITRACE_NAME_PAD + APITRACE_DECIMAL_MAX),
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

/*
 * Prints the value at `*at`, whose type byte precedes it, and moves `*at` after the value. Returns
 * NULL if it is not plain.
 */
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

/* A copy from memory into the printer's room: a cursor in each. */
struct plain {
    const uint8_t *at, *end;
    char *to, *limit; /* beyond `limit` an argument might have no room */
};

static struct plain begin_plain(struct apitrace_printer *printer)
{
    const struct apitrace_reader *reader = &printer->call.reader;
    char *to = apitrace_printer_space(printer, PLAIN_ROOM);

    return (struct plain){reader->at, reader->end, to,
                          printer->room + (sizeof(printer->room) - PLAIN_ROOM)};
}

static void end_plain(struct apitrace_printer *printer, const struct plain *plain)
{
    printer->call.reader.at = plain->at;
    printer->used = (size_t)(plain->to - printer->room);
}

/*
 * Prints arguments from number `next` on, as long as they are in order and plain: numbers and names
 * in memory, as most are. Returns the number of the first one that is not.
 */
static inline uint32_t copy_arguments(const struct apitrace_call *call, uint32_t next,
                                      struct plain *plain)
{
    const struct apitrace_function *function = call->function;
    uint32_t count = function->argument_count < 0x80 ? function->argument_count : 0x80;
    const struct apitrace_name *prefix = &function->prefixes[next];
    const uint8_t *at = plain->at;
    char *to = plain->to;

    for (; plain->end - at >= APITRACE_PLAIN_MAX && at[0] == APITRACE_DETAIL_ARGUMENT &&
           at[1] == next && next < count && prefix->shown <= PLAIN_NAME_MAX && to <= plain->limit;
         next++, prefix++) {
        const uint8_t *value = at + 3;
        char *end = copy_plain(call, apitrace_printer_copy_name(to, prefix), &value);

        if (end == NULL)
            break;
        at = value;
        to = end;
    }
    plain->at = at;
    plain->to = to;
    return next;
}

/* Prints plain arguments, and moves the reader after them. */
static void pass_plain(struct apitrace_printer *printer)
{
    struct plain plain = begin_plain(printer);

    printer->printed = copy_arguments(&printer->call, printer->printed, &plain);
    end_plain(printer, &plain);
}

/*
 * Prints the rest of a call: the end of the enter event, and the leave event after it with at most
 * a plain result.
 */
static inline bool copy_leave(const struct apitrace_call *call, struct plain *plain)
{
    uint64_t number;

    if (plain->end - plain->at < 2 * APITRACE_PLAIN_MAX || plain->to > plain->limit ||
        plain->at[0] != APITRACE_DETAIL_END || plain->at[1] != APITRACE_EVENT_LEAVE)
        return false;
    plain->at = apitrace_plain_number(plain->at + 2, &number);
    if (plain->at == NULL)
        return false;
    *plain->to++ = ')';
    if (plain->at[0] == APITRACE_DETAIL_RESULT) {
        memcpy(plain->to, " = ", 3);
        plain->at += 2;
        plain->to = copy_plain(call, plain->to + 3, &plain->at);
    }
    return plain->to != NULL && *plain->at++ == APITRACE_DETAIL_END;
}

/*
 * Prints the complete chosen call, if it returns at once, has all of its arguments and only plain
 * values, as most calls do. Otherwise returns false without having printed anything.
 */
static bool pass_plain_call(struct apitrace_printer *printer)
{
    struct apitrace_call *call = &printer->call;
    const struct apitrace_record *record = call->record;
    const struct apitrace_name *head = &call->function->head;
    struct plain plain;

    if (printer->careful || printer->how & APITRACE_PRINT_THREADS ||
        (record->marks & ~APITRACE_HIDDEN) != 0 || head->shown > PLAIN_NAME_MAX ||
        record->leave != record->enter + record->enter_bytes || !apitrace_call_enter(call))
        return false;
    plain = begin_plain(printer);
    plain.to = copy_number(printer, plain.to, record->number);
    *plain.to++ = ' ';
    plain.to = apitrace_printer_copy_name(plain.to, head);
    if (copy_arguments(call, 0, &plain) != call->function->argument_count ||
        !copy_leave(call, &plain))
        return false;
    *plain.to++ = '\n';
    end_plain(printer, &plain);
    return true;
}

/* Prints the details of an event. Returns false if something is out of order. */
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
    if (pass_plain_call(printer))
        return true;
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
