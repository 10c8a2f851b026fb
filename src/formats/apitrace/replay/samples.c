#include "formats/apitrace/replay/samples.h"

#include <string.h>

enum { LIST_MAX = 256, KNOWN_MAX = 65536, SAMPLES_MAX = 64 };

/* Configurations, visuals and pixel formats are never of the same window system. */
enum kind { OF_CONFIG, OF_CONTEXT, OF_DRAWABLE };

/* Marks a number of samples that is not the minimum that was requested. */
#define REPORTED (UINT64_C(1) << 32)

void apitrace_samples_clear(struct apitrace_samples *samples)
{
    apitrace_map_clear(&samples->known);
}

static uint32_t get(const struct apitrace_samples *samples, enum kind kind, uint64_t handle)
{
    uint64_t known = 0;

    apitrace_map_get(&samples->known, kind, handle, &known);
    return (uint32_t)known;
}

/* A request does not change what was reported. */
static int put(struct apitrace_samples *samples, enum kind kind, uint64_t handle, int64_t count,
               bool reported)
{
    uint64_t old = 0;
    bool known = apitrace_map_get(&samples->known, kind, handle, &old);

    if (count < 0 || count > SAMPLES_MAX || handle == 0)
        count = 0;
    if (!known && (count == 0 || apitrace_map_count(&samples->known) == KNOWN_MAX) && !reported)
        return 0;
    if (old & REPORTED && !reported)
        return 0;
    return apitrace_map_set(&samples->known, kind, handle,
                            (uint64_t)count | (reported ? REPORTED : 0));
}

/* Of an XVisualInfo its id. */
static int64_t visual_id(struct apitrace_call *call, const struct apitrace_value *visual)
{
    int64_t id = 0, integer = 0;

    for (uint32_t n = 0; n < visual->number && call->reader.status == 0; n++) {
        struct apitrace_value member;

        apitrace_read_value(&call->reader, call->definitions, &member);
        if (n < visual->structure->member_count &&
            strcmp(visual->structure->members[n].bytes, "visualid") == 0 &&
            apitrace_value_integer(&member, &integer))
            id = integer;
        apitrace_skip_rest(&call->reader, call->definitions, &member);
    }
    return id;
}

/* The integers, handles and visuals of an array, or one of them. */
static size_t read_list(struct apitrace_call *call, uint64_t place, int64_t out[LIST_MAX])
{
    struct apitrace_value value;
    size_t count = 1;
    bool array;

    if (place == 0)
        return 0;
    apitrace_reader_seek(&call->reader, place);
    apitrace_read_value(&call->reader, call->definitions, &value);
    array = value.type == APITRACE_ARRAY;
    if (array)
        count = value.number < LIST_MAX ? (size_t)value.number : LIST_MAX;
    for (size_t n = 0; n < count && call->reader.status == 0; n++) {
        if (array)
            apitrace_read_value(&call->reader, call->definitions, &value);
        out[n] = 0;
        if (value.type == APITRACE_STRUCT)
            out[n] = visual_id(call, &value);
        else if (!apitrace_value_integer(&value, &out[n]) || value.type == APITRACE_STRING)
            apitrace_skip_rest(&call->reader, call->definitions, &value);
    }
    return call->reader.status == 0 ? count : 0;
}

static uint64_t place_of(const struct apitrace_call *call, unsigned argument)
{
    return argument < call->argument_count ? call->arguments[argument] : 0;
}

/* A handle or a visual. */
static uint64_t handle_of(struct apitrace_call *call, uint64_t place)
{
    int64_t list[LIST_MAX];

    return read_list(call, place, list) > 0 ? (uint64_t)list[0] : 0;
}

enum operation { CHOOSE, REPORT, CONVERT, SET };
enum { RESULT = 255 };

/* Where functions have what. */
static const struct row {
    const char *name;
    uint8_t operation;
    uint8_t from, to;   /* arguments */
    uint32_t attribute; /* that is the samples */
} rows[] = {
    {"CGLChoosePixelFormat", CHOOSE, 0, 1, 56},
    {"SetPixelFormat", SET, 1, 0, 0},
    {"eglChooseConfig", CHOOSE, 1, 2, 0x3031},
    {"eglGetConfigAttrib", REPORT, 1, 0, 0x3031},
    {"glXChooseFBConfig", CHOOSE, 2, RESULT, 100001},
    {"glXChooseFBConfigSGIX", CHOOSE, 2, RESULT, 100001},
    {"glXChooseVisual", CHOOSE, 2, RESULT, 100001},
    {"glXGetConfig", REPORT, 1, 0, 100001},
    {"glXGetFBConfigAttrib", REPORT, 1, 0, 100001},
    {"glXGetFBConfigAttribSGIX", REPORT, 1, 0, 100001},
    {"glXGetVisualFromFBConfig", CONVERT, 1, RESULT, 0},
    {"glXGetVisualFromFBConfigSGIX", CONVERT, 1, RESULT, 0},
    {"wglChoosePixelFormatARB", CHOOSE, 1, 4, 0x2042},
    {"wglChoosePixelFormatEXT", CHOOSE, 1, 4, 0x2042},
    {"wglSetPixelFormat", SET, 1, 0, 0},
};

static int choose(struct apitrace_samples *samples, struct apitrace_call *call,
                  const struct row *row)
{
    int64_t list[LIST_MAX], requested = 0;
    size_t count = read_list(call, place_of(call, row->from), list);
    int status = 0;

    for (size_t n = 0; n + 1 < count; n++)
        if (list[n] == row->attribute)
            requested = list[n + 1];
    count = read_list(call, row->to == RESULT ? call->result : place_of(call, row->to), list);
    for (size_t n = 0; n < count && status == 0; n++)
        status = put(samples, OF_CONFIG, (uint64_t)list[n], requested, false);
    return status;
}

int apitrace_samples_follow(struct apitrace_samples *samples, struct apitrace_call *call)
{
    const struct row *row = rows, *end = rows + sizeof(rows) / sizeof(rows[0]);
    uint64_t from;

    while (row < end && strcmp(row->name, call->function->name.bytes) != 0)
        row++;
    if (row == end)
        return 0;
    if (row->operation == CHOOSE)
        return choose(samples, call, row);
    from = handle_of(call, place_of(call, row->from));
    switch (row->operation) {
    case REPORT:
        if (apitrace_call_integer(call, 2, 0) != row->attribute)
            return 0;
        return put(samples, OF_CONFIG, from, apitrace_call_integer(call, 3, 0), true);
    case CONVERT:
        return put(samples, OF_CONFIG, handle_of(call, call->result), get(samples, OF_CONFIG, from),
                   false);
    default:
        return put(samples, OF_DRAWABLE, handle_of(call, place_of(call, row->to)),
                   get(samples, OF_CONFIG, from), true);
    }
}

/* What it is made of is the argument behind the display; CGL has none. */
uint32_t apitrace_samples_made(const struct apitrace_samples *samples, struct apitrace_call *call)
{
    bool first = strncmp(call->function->name.bytes, "CGL", 3) == 0;

    return get(samples, OF_CONFIG, handle_of(call, place_of(call, first ? 0 : 1)));
}

int apitrace_samples_context(struct apitrace_samples *samples, struct apitrace_call *call,
                             uint64_t context)
{
    return put(samples, OF_CONTEXT, context, apitrace_samples_made(samples, call), true);
}

uint32_t apitrace_samples_met(const struct apitrace_samples *samples, uint64_t drawable,
                              uint64_t context)
{
    uint32_t set = get(samples, OF_DRAWABLE, drawable);

    return set > 0 ? set : get(samples, OF_CONTEXT, context);
}
