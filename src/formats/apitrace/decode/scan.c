#include "formats/apitrace/decode/scan.h"

enum {
    NUMBER_MAX = 10, /* bytes of a number */
    PLAIN_HEAD = 3,  /* bytes: the detail, the argument's number, the value's type */
    PLAIN_MAX = 32,  /* bytes that a plain value and what is before it have at most */
    FLOAT_BYTES = 5, /* of one in an array */
    WITH_SIGNS = 3,  /* the version from which enums' values follow their ids */
};

/*
 * Plain: what most calls are made of, numbers that stand in memory. They are read over with no
 * more than a look at each; whatever is not certainly right is left to the careful way.
 */

/* Behind the number at `at`, of which all bytes may be read; NULL: it is too long. */
static inline const uint8_t *plain_number(const uint8_t *at, uint64_t *number)
{
    *number = *at & 0x7F;
    for (unsigned shift = 7; *at++ >= 0x80; shift += 7) {
        if (shift == 7 * NUMBER_MAX)
            return NULL;
        *number |= (uint64_t)(*at & 0x7F) << shift;
    }
    return at;
}

/* Behind floats, whose count is at `at`. */
static const uint8_t *plain_floats(const uint8_t *at, const uint8_t *end)
{
    unsigned count = *at++;

    if (count >= 0x80 || (size_t)(end - at) < (size_t)count * FLOAT_BYTES)
        return NULL;
    for (unsigned n = 0; n < count; n++, at += FLOAT_BYTES)
        if (*at != APITRACE_FLOAT)
            return NULL;
    return at;
}

/* Behind an enum's id and value, or a bitmask's, that are defined by now. */
static const uint8_t *plain_name(const uint8_t *at, bool mask,
                                 const struct apitrace_definitions *definitions)
{
    uint64_t number;

    at = plain_number(at, &number);
    if (at == NULL || definitions->version < WITH_SIGNS)
        return NULL;
    if (mask)
        return apitrace_known_bitmask(definitions, number) != NULL ? plain_number(at, &number)
                                                                   : NULL;
    if (apitrace_known_enum(definitions, number) == NULL ||
        (*at != APITRACE_NEGATIVE && *at != APITRACE_POSITIVE))
        return NULL;
    return plain_number(at + 1, &number);
}

/* Behind the argument at `at`. */
static inline const uint8_t *plain_argument(const uint8_t *at, const uint8_t *end,
                                            const struct apitrace_definitions *definitions)
{
    uint64_t number;

    if (end - at < PLAIN_MAX || at[0] != APITRACE_DETAIL_ARGUMENT || at[1] >= 0x80)
        return NULL;
    switch (at[2]) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        return at + PLAIN_HEAD;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        return plain_number(at + PLAIN_HEAD, &number);
    case APITRACE_FLOAT:
        return at + PLAIN_HEAD + sizeof(float);
    case APITRACE_ENUM:
    case APITRACE_BITMASK:
        return plain_name(at + PLAIN_HEAD, at[2] == APITRACE_BITMASK, definitions);
    case APITRACE_ARRAY:
        return plain_floats(at + PLAIN_HEAD, end);
    default:
        return NULL;
    }
}

/* Behind the plain arguments at `at`, as many as there are. */
static inline const uint8_t *plain_arguments(const uint8_t *at, const uint8_t *end,
                                             const struct apitrace_definitions *definitions)
{
    const uint8_t *next;

    while ((next = plain_argument(at, end, definitions)) != NULL)
        at = next;
    return at;
}

/* Behind an event's details, plain arguments and the end. */
static inline const uint8_t *plain_details(const uint8_t *at, const uint8_t *end,
                                           const struct apitrace_definitions *definitions)
{
    at = plain_arguments(at, end, definitions);
    return at < end && *at == APITRACE_DETAIL_END ? at + 1 : NULL;
}

bool apitrace_scan_plain_call(struct apitrace_reader *reader,
                              const struct apitrace_definitions *definitions, uint64_t number,
                              struct apitrace_plain_call *out)
{
    const uint8_t *begin = reader->at, *end = reader->end, *at, *leave;
    uint64_t thread, id, returned;

    if (end - begin < PLAIN_MAX || begin[0] != APITRACE_EVENT_ENTER || begin[1] >= 0x80)
        return false;
    thread = begin[1];
    at = plain_number(begin + 2, &id);
    out->function = at != NULL ? apitrace_known_function(definitions, id) : NULL;
    if (out->function == NULL)
        return false;
    leave = plain_details(at, end, definitions);
    if (leave == NULL || end - leave < PLAIN_MAX || leave[0] != APITRACE_EVENT_LEAVE)
        return false;
    at = plain_number(leave + 1, &returned);
    if (at == NULL || returned != number)
        return false;
    at = plain_details(at, end, definitions);
    if (at == NULL)
        return false;
    out->thread = (uint32_t)thread;
    out->enter_bytes = (uint64_t)(leave - begin);
    out->leave_bytes = (uint64_t)(at - leave);
    reader->at = at;
    return true;
}

static void skip(struct apitrace_reader *reader, struct apitrace_definitions *definitions)
{
    apitrace_skip_value(reader, definitions, NULL, NULL);
}

static void scan_argument(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                          uint32_t arguments, const struct apitrace_details *details)
{
    uint64_t place = apitrace_reader_position(reader);
    uint64_t number = apitrace_read_number(reader);
    uint64_t max = (uint64_t)arguments + 16;

    if (number >= (max > APITRACE_ARGUMENTS_SPARE ? max : (uint64_t)APITRACE_ARGUMENTS_SPARE))
        apitrace_reader_fault(reader, place, "there is no argument %llu",
                              (unsigned long long)number);
    else if (details->argument != NULL)
        details->argument(details->context, reader, (uint32_t)number);
    else
        skip(reader, definitions);
}

static void scan_backtrace(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           const struct apitrace_details *details)
{
    uint64_t position = apitrace_reader_position(reader);
    uint64_t count = apitrace_read_count(reader, 1);

    for (uint64_t n = 0; n < count && reader->status == 0; n++)
        apitrace_read_frame(reader, definitions);
    if (reader->status == 0 && details->backtrace != NULL)
        details->backtrace(details->context, position);
}

static void scan_number(struct apitrace_reader *reader, void *context,
                        void (*tell)(void *context, uint64_t number))
{
    uint64_t number = apitrace_read_number(reader);

    if (reader->status == 0 && tell != NULL)
        tell(context, number);
}

bool apitrace_scan_details(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           uint32_t arguments, const struct apitrace_details *details)
{
    while (reader->status == 0) {
        uint64_t place;
        uint8_t detail;

        if (details->plain)
            reader->at = plain_arguments(reader->at, reader->end, definitions);
        place = apitrace_reader_position(reader);
        detail = apitrace_read_byte(reader);
        switch (detail) {
        case APITRACE_DETAIL_END:
            return reader->status == 0;
        case APITRACE_DETAIL_ARGUMENT:
            scan_argument(reader, definitions, arguments, details);
            break;
        case APITRACE_DETAIL_RESULT:
            if (details->result != NULL)
                details->result(details->context, reader);
            else
                skip(reader, definitions);
            break;
        case APITRACE_DETAIL_THREAD:
            scan_number(reader, details->context, details->thread);
            break;
        case APITRACE_DETAIL_BACKTRACE:
            scan_backtrace(reader, definitions, details);
            break;
        case APITRACE_DETAIL_FLAGS:
            scan_number(reader, details->context, details->flags);
            break;
        default:
            apitrace_reader_fault(reader, place, "unknown call detail %u", detail);
        }
    }
    return false;
}
