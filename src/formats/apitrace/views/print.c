/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/print.h"

#include "formats/apitrace/decode/literals.h"

#include <errno.h>
#include <stdio.h>

/* One call can be megabytes of names. */
static void flush(struct apitrace_printer *printer)
{
    struct apitrace_reader *reader = &printer->call.reader;

    if (cancel_requested(reader->cancel))
        apitrace_reader_fail(reader, -EINTR);
    text_add_bytes(printer->text, printer->room, printer->used);
    printer->used = 0;
}

/* Where `count` bytes, few, may be written; to be added to `used`. */
static inline char *space(struct apitrace_printer *printer, size_t count)
{
    if (count > sizeof(printer->room) - printer->used)
        flush(printer);
    return printer->room + printer->used;
}

static inline void put_char(struct apitrace_printer *printer, char c)
{
    *space(printer, 1) = c;
    printer->used++;
}

static void put_bytes(struct apitrace_printer *printer, const void *bytes, size_t count)
{
    if (count > sizeof(printer->room) / 2) {
        flush(printer);
        text_add_bytes(printer->text, bytes, count);
        return;
    }
    memcpy(space(printer, count), bytes, count);
    printer->used += count;
}

#define PUT(printer, literal) put_bytes(printer, literal, sizeof(literal) - 1)

/* A name that was kept, in steps: it is padded. */
static inline void put_name(struct apitrace_printer *printer, const struct apitrace_name *name)
{
    char *to;

    if (printer->careful) {
        flush(printer);
        text_add_visible(printer->text, name->bytes, name->shown);
        return;
    }
    if (name->shown > sizeof(printer->room) / 2) {
        put_bytes(printer, name->bytes, name->shown);
        return;
    }
    to = space(printer, name->shown + APITRACE_NAME_PAD);
    for (uint32_t n = 0; n < name->shown; n += APITRACE_NAME_PAD)
        memcpy(to + n, name->bytes + n, APITRACE_NAME_PAD);
    printer->used += name->shown;
}

static inline void put_u64(struct apitrace_printer *printer, uint64_t value)
{
    if (value < 10)
        put_char(printer, (char)('0' + value));
    else
        printer->used += apitrace_decimal_u64(space(printer, APITRACE_DECIMAL_MAX), value);
}

static void put_hex(struct apitrace_printer *printer, uint64_t value)
{
    printer->used += apitrace_decimal_hex(space(printer, APITRACE_DECIMAL_MAX), value);
}

static void put_signed(struct apitrace_printer *printer, bool negative, uint64_t magnitude)
{
    if (negative && magnitude != 0)
        put_char(printer, '-');
    put_u64(printer, magnitude);
}

/* Strings. */

static bool is_plain(uint64_t c)
{
    return (c >= 0x20 && c <= 0x7E && c != '"' && c != '\\') || c == '\t';
}

/* A character that is not plain; what becomes of other bytes is as odd as the dump's. */
static void put_special(struct apitrace_printer *printer, uint64_t c)
{
    char high = (char)('0' + c / 8 % 8), low = (char)('0' + c % 8);

    if (c == '\r')
        return;
    if (c == '\n' && (printer->how & APITRACE_PRINT_ONE_LINE) == 0) {
        put_char(printer, '\n');
        return;
    }
    put_char(printer, '\\');
    if (c == '"' || c == '\\') {
        put_char(printer, (char)c);
    } else if (c == '\n') {
        put_char(printer, 'n');
    } else {
        if (high != '0') {
            put_char(printer, high);
            put_char(printer, high);
        }
        put_char(printer, low);
    }
}

/* Up to the end or a NUL, which is told by false. */
static bool put_escaped(struct apitrace_printer *printer, const uint8_t *bytes, size_t count)
{
    size_t plain = 0;

    for (size_t n = 0; n <= count; n++) {
        if (n < count && is_plain(bytes[n]))
            continue;
        put_bytes(printer, bytes + plain, n - plain);
        plain = n + 1;
        if (n < count && bytes[n] == 0)
            return false;
        if (n < count)
            put_special(printer, bytes[n]);
    }
    return true;
}

static void print_string(struct apitrace_printer *printer, uint64_t length)
{
    struct apitrace_reader *reader = &printer->call.reader;

    put_char(printer, '"');
    while (length > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, length, &bytes);

        length -= some;
        if (some == 0)
            break;
        if (!put_escaped(printer, bytes, some)) {
            apitrace_skip_bytes(reader, length);
            break;
        }
    }
    put_char(printer, '"');
}

static void print_wide_string(struct apitrace_printer *printer, uint64_t length)
{
    struct apitrace_reader *reader = &printer->call.reader;
    bool ended = false;

    PUT(printer, "L\"");
    for (uint64_t n = 0; n < length && reader->status == 0; n++) {
        uint64_t unit = apitrace_read_number(reader);

        ended = ended || unit == 0;
        if (!ended && is_plain(unit))
            put_char(printer, (char)unit);
        else if (!ended)
            put_special(printer, unit);
    }
    put_char(printer, '"');
}

/* Values. */

static void print_value(struct apitrace_printer *printer, unsigned depth);

static void print_enum(struct apitrace_printer *printer, const struct apitrace_value *value)
{
    const struct apitrace_constant *constant =
        apitrace_enum_find(value->enumeration, (int64_t)value->number);
    bool negative = (int64_t)value->number < 0;

    if (constant != NULL)
        put_name(printer, &constant->name);
    else
        put_signed(printer, negative, negative ? 0 - value->number : value->number);
}

/*
 * Flags in the order of their definition, each taken off; what is left is a number.
 * The walk ends where nothing is left, so a flag of no bits counts only as the first.
 * Those that cannot show are not among them.
 */
static void print_bitmask(struct apitrace_printer *printer, const struct apitrace_value *value)
{
    const struct apitrace_bitmask *bitmask = value->bitmask;
    uint64_t left = value->number;
    bool first = true;

    for (uint32_t n = 0; n < bitmask->flag_count && (n == 0 || left != 0); n++) {
        const struct apitrace_constant *constant = &bitmask->constants[bitmask->flags[n]];
        uint64_t flag = (uint64_t)constant->value;

        if (flag != 0 ? (left & flag) != flag : left != 0)
            continue;
        if (!first)
            PUT(printer, " | ");
        put_name(printer, &constant->name);
        first = false;
        left &= ~flag;
    }
    if (left == 0 && !first)
        return;
    if (!first)
        PUT(printer, " | ");
    PUT(printer, "0x");
    put_hex(printer, left);
}

/* Long arrays of floats are the greater part of a trace. */
static uint64_t print_floats(struct apitrace_printer *printer, uint64_t count)
{
    struct apitrace_reader *reader = &printer->call.reader;
    uint64_t n = 0;

    while (n < count && reader->end - reader->at >= 5 && *reader->at == APITRACE_FLOAT) {
        char *to = space(printer, APITRACE_DECIMAL_MAX + 2);
        uint32_t bits = bytes_le32(reader->at + 1);
        size_t length = 0;
        float value;

        memcpy(&value, &bits, sizeof(bits));
        length = apitrace_decimal_float(to, value);
        reader->at += 5;
        if (++n < count) {
            to[length] = ',';
            to[length + 1] = ' ';
            length += 2;
        }
        printer->used += length;
    }
    return n;
}

static void print_array(struct apitrace_printer *printer, uint64_t count, unsigned depth)
{
    if (count == 1) {
        put_char(printer, '&');
        print_value(printer, depth + 1);
        return;
    }
    put_char(printer, '{');
    for (uint64_t n = 0; n < count && printer->call.reader.status == 0;) {
        uint64_t floats = print_floats(printer, count - n);

        n += floats;
        if (floats > 0)
            continue;
        print_value(printer, depth + 1);
        if (++n < count)
            PUT(printer, ", ");
    }
    put_char(printer, '}');
}

/* Members without a name are flattened if they are structs, and left out if not. */
static void print_members(struct apitrace_printer *printer, const struct apitrace_struct *structure,
                          unsigned depth, bool *first)
{
    struct apitrace_reader *reader = &printer->call.reader;

    for (uint32_t n = 0; n < structure->member_count && reader->status == 0; n++) {
        const struct apitrace_name *name = &structure->members[n];
        struct apitrace_value value;

        if (name->shown == 0) {
            apitrace_read_value(reader, printer->call.definitions, &value);
            if (value.type == APITRACE_STRUCT && depth < APITRACE_NESTING_MAX)
                print_members(printer, value.structure, depth + 1, first);
            else
                apitrace_skip_rest(reader, printer->call.definitions, &value);
            continue;
        }
        if (!*first)
            PUT(printer, ", ");
        *first = false;
        put_name(printer, name);
        PUT(printer, " = ");
        print_value(printer, depth + 1);
    }
}

/* The four members of a struct named GUID; false: they are not what they should be. */
static bool read_guid(struct apitrace_printer *printer, struct apitrace_guid *guid)
{
    struct apitrace_reader *reader = &printer->call.reader;
    struct apitrace_value value;
    int64_t parts[3] = {0}, part = 0;

    for (unsigned n = 0; n < 3; n++)
        if (!apitrace_read_integer(reader, printer->call.definitions, &parts[n]))
            return false;
    apitrace_read_value(reader, printer->call.definitions, &value);
    if (value.type != APITRACE_ARRAY || value.number != sizeof(guid->data4))
        return false;
    for (unsigned n = 0; n < sizeof(guid->data4); n++) {
        if (!apitrace_read_integer(reader, printer->call.definitions, &part))
            return false;
        guid->data4[n] = (uint8_t)part;
    }
    guid->data1 = (uint32_t)parts[0];
    guid->data2 = (uint16_t)parts[1];
    guid->data3 = (uint16_t)parts[2];
    return reader->status == 0;
}

static bool print_guid(struct apitrace_printer *printer)
{
    struct apitrace_guid guid = {0};
    char shown[APITRACE_GUID_ROOM];
    const char *name;

    if (!read_guid(printer, &guid))
        return false;
    name = apitrace_guid_name(&guid);
    if (name == NULL)
        name = apitrace_guid_format(&guid, shown);
    put_bytes(printer, name, strlen(name));
    return true;
}

static void print_struct(struct apitrace_printer *printer, const struct apitrace_struct *structure,
                         unsigned depth)
{
    uint64_t place = apitrace_reader_position(&printer->call.reader);
    bool first = true;

    if (structure->is_guid) {
        if (print_guid(printer))
            return;
        apitrace_reader_seek(&printer->call.reader, place);
    }
    put_char(printer, '{');
    print_members(printer, structure, depth, &first);
    put_char(printer, '}');
}

static void print_other(struct apitrace_printer *printer, const struct apitrace_value *value,
                        unsigned depth)
{
    switch (value->type) {
    case APITRACE_STRING:
        print_string(printer, value->number);
        break;
    case APITRACE_WSTRING:
        print_wide_string(printer, value->number);
        break;
    case APITRACE_BLOB:
        PUT(printer, "blob(");
        put_u64(printer, value->number);
        put_char(printer, ')');
        apitrace_skip_bytes(&printer->call.reader, value->number);
        break;
    case APITRACE_BITMASK:
        print_bitmask(printer, value);
        break;
    case APITRACE_ARRAY:
        print_array(printer, value->number, depth);
        break;
    case APITRACE_STRUCT:
        print_struct(printer, value->structure, depth);
        break;
    case APITRACE_REPR:
        print_value(printer, depth + 1);
        apitrace_skip_value(&printer->call.reader, printer->call.definitions, NULL, NULL);
        break;
    default:
        break;
    }
}

static void print_value(struct apitrace_printer *printer, unsigned depth)
{
    struct apitrace_value value;

    if (depth > 2 * APITRACE_NESTING_MAX)
        return; /* never: what is nested so deeply was not indexed */
    apitrace_read_value(&printer->call.reader, printer->call.definitions, &value);
    if (printer->call.reader.status != 0)
        return;
    switch (value.type) {
    case APITRACE_NULL:
        PUT(printer, "NULL");
        break;
    case APITRACE_FALSE:
        PUT(printer, "false");
        break;
    case APITRACE_TRUE:
        PUT(printer, "true");
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
        put_signed(printer, value.type == APITRACE_NEGATIVE, value.number);
        break;
    case APITRACE_FLOAT:
        printer->used += apitrace_decimal_float(space(printer, APITRACE_DECIMAL_MAX), value.single);
        break;
    case APITRACE_DOUBLE:
        printer->used += apitrace_decimal_double(space(printer, APITRACE_DECIMAL_MAX), value.real);
        break;
    case APITRACE_ENUM:
        print_enum(printer, &value);
        break;
    case APITRACE_OPAQUE:
        PUT(printer, "0x");
        put_hex(printer, value.number);
        break;
    default:
        print_other(printer, &value, depth);
    }
}

/* Calls. */

static void print_at(struct apitrace_printer *printer, uint64_t place)
{
    apitrace_reader_seek(&printer->call.reader, place);
    print_value(printer, 0);
}

static void print_arguments(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;

    for (uint32_t n = 0; n < call->argument_count; n++) {
        if (n < call->function->argument_count)
            put_name(printer, &call->function->prefixes[n]);
        else if (n > 0)
            PUT(printer, ", ");
        if (call->arguments[n] == 0)
            put_char(printer, '?');
        else
            print_at(printer, call->arguments[n]);
    }
}

static void print_frame(struct apitrace_printer *printer, const struct apitrace_frame *frame)
{
    if (frame->module.bytes != NULL)
        put_name(printer, &frame->module);
    else
        put_char(printer, '?');
    if (frame->function.bytes != NULL) {
        PUT(printer, ": ");
        put_name(printer, &frame->function);
    }
    if (frame->has_offset) {
        PUT(printer, "+0x");
        put_hex(printer, frame->offset);
    }
    if (frame->file.bytes != NULL) {
        PUT(printer, ": ");
        put_name(printer, &frame->file);
        if (frame->has_line) {
            put_char(printer, ':');
            put_u64(printer, frame->line);
        }
    }
    put_char(printer, '\n');
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
        PUT(printer, "Backtrace:\n");
    for (uint64_t n = 0; n < count && reader->status == 0; n++) {
        const struct apitrace_frame *frame = apitrace_read_frame(reader, printer->call.definitions);

        if (frame != NULL)
            print_frame(printer, frame);
    }
}

static void print_comment(struct apitrace_printer *printer, unsigned marks)
{
    if (marks & (APITRACE_FAKE | APITRACE_INCOMPLETE | APITRACE_CUT))
        PUT(printer, " //");
    if (marks & APITRACE_FAKE)
        PUT(printer, " fake");
    if (marks & APITRACE_INCOMPLETE)
        PUT(printer, " incomplete");
    if (marks & APITRACE_CUT)
        PUT(printer, " cut");
}

/* Adds one to the last number's digits; false: it needs one more of them. */
static bool count_on(struct apitrace_printer *printer)
{
    for (size_t n = printer->digit_count; n-- > 0; printer->digits[n] = '0')
        if (printer->digits[n]++ != '9')
            return true;
    return false;
}

/* As a rule the number is one more than the last. */
static void print_number(struct apitrace_printer *printer, uint64_t number)
{
    if (printer->digit_count == 0 || number != printer->number + 1 || !count_on(printer))
        printer->digit_count = apitrace_decimal_u64(printer->digits, number);
    printer->number = number;
    memcpy(space(printer, sizeof(printer->digits)), printer->digits, sizeof(printer->digits));
    printer->used += printer->digit_count;
}

/* The number, the thread, and the name. */
static void print_head(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;

    print_number(printer, call->record->number);
    put_char(printer, ' ');
    if (printer->how & APITRACE_PRINT_THREADS) {
        put_char(printer, '@');
        put_hex(printer, call->record->thread);
        put_char(printer, ' ');
    }
    if (call->function != NULL)
        put_name(printer, &call->function->head);
    else
        put_char(printer, '(');
}

/* From what was read of the call before. */
static void print_line(struct apitrace_printer *printer)
{
    const struct apitrace_call *call = &printer->call;

    print_head(printer);
    if (call->function != NULL)
        print_arguments(printer);
    put_char(printer, ')');
    if (call->result != 0) {
        PUT(printer, " = ");
        print_at(printer, call->result);
    }
    print_comment(printer, call->record->marks);
    put_char(printer, '\n');
}

/* In passing: arguments are printed as they are met, as long as they come in their order. */

/* Up to argument `end`, those that were not given. */
static void print_missing(struct apitrace_printer *printer, uint32_t end)
{
    for (; printer->printed < end; printer->printed++) {
        put_name(printer, &printer->call.function->prefixes[printer->printed]);
        put_char(printer, '?');
    }
}

enum {
    PLAIN_NAME_MAX =
        256, /* bytes of a name that is copied without a look at what room there is … */
    PLAIN_ROOM = 2 * PLAIN_NAME_MAX + 2 * APITRACE_NAME_PAD + APITRACE_DECIMAL_MAX, /* … for all */
};

static inline char *copy_name(char *to, const struct apitrace_name *name)
{
    for (uint32_t n = 0; n < name->shown; n += APITRACE_NAME_PAD)
        memcpy(to + n, name->bytes + n, APITRACE_NAME_PAD);
    return to + name->shown;
}

static char *copy_enum(const struct apitrace_printer *printer, char *to, const uint8_t **at)
{
    uint64_t id, number = 0;
    const uint8_t *next = apitrace_plain_number(*at, &id);
    const struct apitrace_enum *known =
        next != NULL ? apitrace_known_enum(printer->call.definitions, id) : NULL;
    const struct apitrace_constant *constant = NULL;

    if (known == NULL || known->single || *next != APITRACE_POSITIVE ||
        known->base.position ==
            printer->call.reader.end_position - (uint64_t)(printer->call.reader.end - next))
        return NULL;
    *at = apitrace_plain_number(next + 1, &number);
    if (*at != NULL)
        constant = apitrace_enum_find(known, (int64_t)number);
    return constant != NULL && constant->name.shown <= PLAIN_NAME_MAX
               ? copy_name(to, &constant->name)
               : NULL;
}

/* The value at `*at`, whose type byte is before it, and goes behind it. NULL: it is not plain. */
static inline char *copy_plain(const struct apitrace_printer *printer, char *to, const uint8_t **at)
{
    uint64_t number;
    uint32_t bits;
    float value;

    switch ((*at)[-1]) {
    case APITRACE_FALSE:
        memcpy(to, "false", 5);
        return to + 5;
    case APITRACE_TRUE:
        memcpy(to, "true", 4);
        return to + 4;
    case APITRACE_POSITIVE:
        *at = apitrace_plain_number(*at, &number);
        return *at != NULL ? to + apitrace_decimal_u64(to, number) : NULL;
    case APITRACE_FLOAT:
        bits = bytes_le32(*at);
        memcpy(&value, &bits, sizeof(bits));
        *at += sizeof(bits);
        return to + apitrace_decimal_float(to, value);
    case APITRACE_ENUM:
        return copy_enum(printer, to, at);
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

    while (reader->end - reader->at >= APITRACE_PLAIN_MAX &&
           reader->at[0] == APITRACE_DETAIL_ARGUMENT && reader->at[1] == printer->printed &&
           printer->printed < function->argument_count && printer->printed < 0x80 &&
           function->prefixes[printer->printed].shown <= PLAIN_NAME_MAX) {
        const uint8_t *at = reader->at + 3;
        char *begin = space(printer, PLAIN_ROOM);
        char *end =
            copy_plain(printer, copy_name(begin, &function->prefixes[printer->printed]), &at);

        if (end == NULL)
            return;
        reader->at = at;
        printer->used += (size_t)(end - begin);
        printer->printed++;
    }
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
            put_name(printer, &call->function->prefixes[number]);
            print_value(printer, 0);
            printer->printed++;
            break;
        case APITRACE_DETAIL_RESULT:
            if (call->result != 0)
                return false;
            call->result = apitrace_reader_position(reader);
            print_missing(printer, call->function->argument_count);
            PUT(printer, ") = ");
            print_value(printer, 0);
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

/* The line of a call that is whole and gives its arguments in their order; else false. */
static bool pass_line(struct apitrace_printer *printer)
{
    struct apitrace_call *call = &printer->call;

    if (call->function == NULL || call->record->marks & APITRACE_CUT)
        return false;
    print_head(printer);
    printer->printed = 0;
    if (!apitrace_call_enter(call) || !pass_details(printer) ||
        (apitrace_call_leave(call) && !pass_details(printer)) || call->reader.status != 0)
        return false;
    if (call->result == 0) {
        print_missing(printer, call->function->argument_count);
        put_char(printer, ')');
    }
    print_comment(printer, call->record->marks);
    put_char(printer, '\n');
    return true;
}

/* Takes back what was printed since the text had that length. */
static void take_back(struct apitrace_printer *printer, size_t length)
{
    if (length >= printer->text->length) {
        printer->used = length - printer->text->length;
    } else {
        printer->text->length = length;
        printer->used = 0;
    }
}

/* The line, one way or the other. */
static int print_call(struct apitrace_printer *printer, uint64_t number)
{
    size_t length = printer->text->length + printer->used;
    int status;

    apitrace_call_choose(&printer->call, number);
    if (pass_line(printer))
        return 0;
    take_back(printer, length);
    status = apitrace_call_read(&printer->call, number);
    if (status == 0)
        print_line(printer);
    return status;
}

static void begin_text(struct apitrace_printer *printer, unsigned how, struct text *text)
{
    printer->text = text;
    printer->how = how;
    printer->careful =
        (how & APITRACE_PRINT_RAW) == 0 &&
        atomic_load_explicit(&printer->call.definitions->odd_names, memory_order_relaxed);
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

/* What is cut off is expected to fail. */
static int outcome(const struct apitrace_printer *printer, int status)
{
    if (status == 0)
        status = apitrace_call_status(&printer->call);
    return status == -EIO && printer->call.record->marks & APITRACE_CUT ? 0 : status;
}

int apitrace_print_next(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text)
{
    int status;

    begin_text(printer, how, text);
    status = print_call(printer, number);
    if (status == 0 && (how & APITRACE_PRINT_ONE_LINE) == 0) {
        print_backtrace(printer);
        if (printer->call.function != NULL && printer->call.function->classes & APITRACE_END_FRAME)
            put_char(printer, '\n');
    }
    return outcome(printer, status);
}

void apitrace_printer_finish(struct apitrace_printer *printer)
{
    if (printer->used > 0)
        flush(printer);
}

int apitrace_print_call(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text)
{
    int status = apitrace_print_next(printer, number, how, text);

    flush(printer);
    return outcome(printer, status);
}

int apitrace_print_value(struct apitrace_printer *printer, uint64_t place, unsigned how,
                         struct text *text)
{
    begin_text(printer, how, text);
    print_at(printer, place);
    flush(printer);
    return apitrace_call_status(&printer->call);
}

void apitrace_print_properties(const struct apitrace_index *index, unsigned how, struct text *text)
{
    struct apitrace_printer printer;

    apitrace_printer_init(&printer, index, NULL);
    begin_text(&printer, how, text);
    for (uint64_t n = 0; n < index->property_count; n++) {
        const struct apitrace_property *property = &index->properties[n];

        /* Of a name that repeats the dump shows the last value. */
        if (n + 1 < index->property_count &&
            strcmp(property->name.bytes, property[1].name.bytes) == 0)
            continue;
        PUT(&printer, "// ");
        put_name(&printer, &property->name);
        PUT(&printer, " = \"");
        put_escaped(&printer, (const uint8_t *)property->value.bytes, property->value.length);
        PUT(&printer, "\"\n");
    }
    flush(&printer);
    apitrace_printer_clear(&printer);
}
