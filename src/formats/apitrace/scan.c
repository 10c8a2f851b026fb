#include "formats/apitrace/scan.h"

static void skip(struct apitrace_reader *reader, struct apitrace_definitions *definitions)
{
    apitrace_skip_value(reader, definitions, NULL, NULL);
}

static void scan_argument(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                          uint32_t arguments, const struct apitrace_details *details)
{
    uint64_t place = apitrace_reader_position(reader);
    uint64_t number = apitrace_read_number(reader);
    uint64_t most = (uint64_t)arguments + 16;

    if (number >= (most > APITRACE_ARGUMENTS_SPARE ? most : (uint64_t)APITRACE_ARGUMENTS_SPARE))
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
        uint64_t place = apitrace_reader_position(reader);
        uint8_t detail = apitrace_read_byte(reader);

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
