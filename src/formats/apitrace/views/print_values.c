/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/printer.h"

#include <errno.h>

void apitrace_printer_flush(struct apitrace_printer *printer)
{
    struct apitrace_reader *reader = &printer->call.reader;

    if (cancel_requested(reader->cancel))
        apitrace_reader_fail(reader, -EINTR);
    text_add_bytes(printer->text, printer->room, printer->used);
    printer->used = 0;
}

void apitrace_printer_put_bytes(struct apitrace_printer *printer, const void *bytes, size_t count)
{
    if (count > sizeof(printer->room) / 2) {
        apitrace_printer_flush(printer);
        text_add_bytes(printer->text, bytes, count);
        return;
    }
    memcpy(apitrace_printer_space(printer, count), bytes, count);
    printer->used += count;
}

void apitrace_printer_put_odd_name(struct apitrace_printer *printer,
                                   const struct apitrace_name *name)
{
    if (!printer->careful) {
        apitrace_printer_put_bytes(printer, name->bytes, name->shown);
        return;
    }
    apitrace_printer_flush(printer);
    text_add_visible(printer->text, name->bytes, name->shown);
}

static void put_signed(struct apitrace_printer *printer, bool negative, uint64_t magnitude)
{
    if (negative && magnitude != 0)
        apitrace_printer_put_char(printer, '-');
    apitrace_printer_put_u64(printer, magnitude);
}

/* Strings. */

static bool is_plain(uint64_t c)
{
    return (c >= 0x20 && c <= 0x7E && c != '"' && c != '\\') || c == '\t';
}

/* Prints a character that is not plain. Other bytes become as odd as in the dump. */
static void put_special(struct apitrace_printer *printer, uint64_t c)
{
    char high = (char)('0' + c / 8 % 8), low = (char)('0' + c % 8);

    if (c == '\r')
        return;
    if (c == '\n' && (printer->how & APITRACE_PRINT_ONE_LINE) == 0) {
        apitrace_printer_put_char(printer, '\n');
        return;
    }
    apitrace_printer_put_char(printer, '\\');
    if (c == '"' || c == '\\') {
        apitrace_printer_put_char(printer, (char)c);
    } else if (c == '\n') {
        apitrace_printer_put_char(printer, 'n');
    } else {
        if (high != '0') {
            apitrace_printer_put_char(printer, high);
            apitrace_printer_put_char(printer, high);
        }
        apitrace_printer_put_char(printer, low);
    }
}

bool apitrace_printer_put_escaped(struct apitrace_printer *printer, const uint8_t *bytes,
                                  size_t count)
{
    size_t plain = 0;

    for (size_t n = 0; n <= count; n++) {
        if (n < count && is_plain(bytes[n]))
            continue;
        apitrace_printer_put_bytes(printer, bytes + plain, n - plain);
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

    apitrace_printer_put_char(printer, '"');
    while (length > 0) {
        const uint8_t *bytes;
        size_t some = apitrace_read_some(reader, length, &bytes);

        length -= some;
        if (some == 0)
            break;
        if (!apitrace_printer_put_escaped(printer, bytes, some)) {
            apitrace_skip_bytes(reader, length);
            break;
        }
    }
    apitrace_printer_put_char(printer, '"');
}

static void print_wide_string(struct apitrace_printer *printer, uint64_t length)
{
    struct apitrace_reader *reader = &printer->call.reader;
    bool ended = false;

    APITRACE_PRINTER_PUT(printer, "L\"");
    for (uint64_t n = 0; n < length && reader->status == 0; n++) {
        uint64_t unit = apitrace_read_number(reader);

        ended = ended || unit == 0;
        if (!ended && is_plain(unit))
            apitrace_printer_put_char(printer, (char)unit);
        else if (!ended)
            put_special(printer, unit);
    }
    apitrace_printer_put_char(printer, '"');
}

/* Values. */

static void print_enum(struct apitrace_printer *printer, const struct apitrace_value *value)
{
    const struct apitrace_constant *constant =
        apitrace_enum_find(value->enumeration, (int64_t)value->number);
    bool negative = (int64_t)value->number < 0;

    if (constant != NULL)
        apitrace_printer_put_name(printer, &constant->name);
    else
        put_signed(printer, negative, negative ? 0 - value->number : value->number);
}

/*
 * Prints the flags in the order of their definition, each removed from the value; what is left is a
 * number. The loop ends when nothing is left, so a flag without bits is printed only as the first
 * one. `flags` contains only flags that can be printed.
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
            APITRACE_PRINTER_PUT(printer, " | ");
        apitrace_printer_put_name(printer, &constant->name);
        first = false;
        left &= ~flag;
    }
    if (left == 0 && !first)
        return;
    if (!first)
        APITRACE_PRINTER_PUT(printer, " | ");
    APITRACE_PRINTER_PUT(printer, "0x");
    apitrace_printer_put_hex(printer, left);
}

/* Most of a trace consists of long arrays of floats. */
static uint64_t print_floats(struct apitrace_printer *printer, uint64_t count)
{
    struct apitrace_reader *reader = &printer->call.reader;
    uint64_t n = 0;

    while (n < count && reader->end - reader->at >= 5 && *reader->at == APITRACE_FLOAT) {
        char *to = apitrace_printer_space(printer, APITRACE_DECIMAL_MAX + 2);
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
        apitrace_printer_put_char(printer, '&');
        apitrace_printer_put_value(printer, depth + 1);
        return;
    }
    apitrace_printer_put_char(printer, '{');
    for (uint64_t n = 0; n < count && printer->call.reader.status == 0;) {
        uint64_t floats = print_floats(printer, count - n);

        n += floats;
        if (floats > 0)
            continue;
        apitrace_printer_put_value(printer, depth + 1);
        if (++n < count)
            APITRACE_PRINTER_PUT(printer, ", ");
    }
    apitrace_printer_put_char(printer, '}');
}

/* Members without a name are flattened if they are structs; otherwise they are left out. */
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
            APITRACE_PRINTER_PUT(printer, ", ");
        *first = false;
        apitrace_printer_put_name(printer, name);
        APITRACE_PRINTER_PUT(printer, " = ");
        apitrace_printer_put_value(printer, depth + 1);
    }
}

/*
 * Reads the four members of a struct named GUID. Returns false if they have other types than
 * expected.
 */
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
    apitrace_printer_put_bytes(printer, name, strlen(name));
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
    apitrace_printer_put_char(printer, '{');
    print_members(printer, structure, depth, &first);
    apitrace_printer_put_char(printer, '}');
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
        APITRACE_PRINTER_PUT(printer, "blob(");
        apitrace_printer_put_u64(printer, value->number);
        apitrace_printer_put_char(printer, ')');
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
        apitrace_printer_put_value(printer, depth + 1);
        apitrace_skip_value(&printer->call.reader, printer->call.definitions, NULL, NULL);
        break;
    default:
        break;
    }
}

void apitrace_printer_put_value(struct apitrace_printer *printer, unsigned depth)
{
    struct apitrace_value value;

    if (depth > 2 * APITRACE_NESTING_MAX)
        return; /* unreachable: values nested so deeply are not indexed */
    apitrace_read_value(&printer->call.reader, printer->call.definitions, &value);
    if (printer->call.reader.status != 0)
        return;
    switch (value.type) {
    case APITRACE_NULL:
        APITRACE_PRINTER_PUT(printer, "NULL");
        break;
    case APITRACE_FALSE:
        APITRACE_PRINTER_PUT(printer, "false");
        break;
    case APITRACE_TRUE:
        APITRACE_PRINTER_PUT(printer, "true");
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
        put_signed(printer, value.type == APITRACE_NEGATIVE, value.number);
        break;
    case APITRACE_FLOAT:
        printer->used += apitrace_decimal_float(
            apitrace_printer_space(printer, APITRACE_DECIMAL_MAX), value.single);
        break;
    case APITRACE_DOUBLE:
        printer->used += apitrace_decimal_double(
            apitrace_printer_space(printer, APITRACE_DECIMAL_MAX), value.real);
        break;
    case APITRACE_ENUM:
        print_enum(printer, &value);
        break;
    case APITRACE_OPAQUE:
        APITRACE_PRINTER_PUT(printer, "0x");
        apitrace_printer_put_hex(printer, value.number);
        break;
    default:
        print_other(printer, &value, depth);
    }
}

void apitrace_printer_put_value_at(struct apitrace_printer *printer, uint64_t place)
{
    apitrace_reader_seek(&printer->call.reader, place);
    apitrace_printer_put_value(printer, 0);
}
