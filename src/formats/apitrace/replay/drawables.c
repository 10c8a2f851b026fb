/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/presentation.h"

#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ASSUMED_WIDTH = 640, ASSUMED_HEIGHT = 480, ATTRIBUTES_MAX = 64 };

/*
 * The samples of each pixel of a drawable, found from the calls that choose configurations, visuals
 * and pixel formats, query their attributes, and make contexts and drawables with them (apitrace.md
 * 3.6).
 */

enum { LIST_MAX = 256, KNOWN_MAX = 65536, SAMPLES_MAX = 64 };

/*
 * Configurations, visuals and pixel formats share a kind: a trace has those of one window system,
 * and GLX's configurations are pointers, its visuals small numbers.
 */
enum kind { OF_CONFIG, OF_CONTEXT, OF_DRAWABLE };

/* Flag of a number of samples that was reported, and is not only a requested minimum. */
#define REPORTED (UINT64_C(1) << 32)

static uint32_t get(const struct apitrace_map *samples, enum kind kind, uint64_t handle)
{
    uint64_t known = 0;

    apitrace_map_get(samples, kind, handle, &known);
    return (uint32_t)known;
}

/* Stores a number of samples. A request does not change what was reported. */
static int put(struct apitrace_map *samples, enum kind kind, uint64_t handle, int64_t count,
               bool reported)
{
    uint64_t old = 0;
    bool known = apitrace_map_get(samples, kind, handle, &old);

    if (count < 0 || count > SAMPLES_MAX || handle == 0)
        count = 0;
    if (!known && (count == 0 || apitrace_map_count(samples) == KNOWN_MAX) && !reported)
        return 0;
    if (old & REPORTED && !reported)
        return 0;
    return apitrace_map_set(samples, kind, handle, (uint64_t)count | (reported ? REPORTED : 0));
}

/* Returns the id in an XVisualInfo. */
static int64_t visual_id(struct apitrace_call *call, const struct apitrace_value *visual)
{
    int64_t id = 0, integer = 0;

    for (uint32_t n = 0; n < visual->number && call->reader.status == 0; n++) {
        if (apitrace_read_integer(&call->reader, call->definitions, &integer) &&
            n < visual->structure->member_count &&
            strcmp(visual->structure->members[n].bytes, "visualid") == 0)
            id = integer;
    }
    return id;
}

/* Reads the integers, handles and visuals of an array, or a single one. */
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

/* Returns the offset of the n-th argument, or the result, that the table names. */
static uint64_t place_of(const struct apitrace_call *call, unsigned n)
{
    uint32_t argument = call->function->gl->arguments[n];

    if (argument == APITRACE_RESULT)
        return call->result;
    return argument < call->argument_count ? call->arguments[argument] : 0;
}

/* Returns that argument as a handle or a visual. */
static uint64_t handle_of(struct apitrace_call *call, unsigned n)
{
    int64_t list[LIST_MAX];

    return read_list(call, place_of(call, n), list) > 0 ? (uint64_t)list[0] : 0;
}

static int choose(struct apitrace_map *samples, struct apitrace_call *call)
{
    int64_t list[LIST_MAX], requested = 0;
    size_t count = read_list(call, place_of(call, 0), list);
    int status = 0;

    for (size_t n = 0; n + 1 < count; n++)
        if (list[n] == call->function->gl->arguments[2])
            requested = list[n + 1];
    count = read_list(call, place_of(call, 1), list);
    for (size_t n = 0; n < count && status == 0; n++)
        status = put(samples, OF_CONFIG, (uint64_t)list[n], requested, false);
    return status;
}

/* Returns the samples of the drawable or the context that a call makes; 0 if not known. */
static uint32_t made_samples(const struct apitrace_map *samples, struct apitrace_call *call)
{
    return get(samples, OF_CONFIG, handle_of(call, 0));
}

/* Follows a call that was read, if it concerns samples. Returns 0 or -ENOMEM. */
static int follow_samples(struct apitrace_map *samples, struct apitrace_call *call)
{
    switch (call->function->semantic) {
    case APITRACE_CHOOSE_CONFIG:
        return choose(samples, call);
    case APITRACE_REPORT_CONFIG:
        if (apitrace_call_integer(call, 2, 0) != call->function->gl->arguments[2])
            return 0;
        return put(samples, OF_CONFIG, handle_of(call, 0), apitrace_call_operand(call, 1), true);
    case APITRACE_CONVERT_CONFIG:
        return put(samples, OF_CONFIG, handle_of(call, 1), made_samples(samples, call), false);
    case APITRACE_SET_CONFIG:
        return put(samples, OF_DRAWABLE, handle_of(call, 1), made_samples(samples, call), true);
    case APITRACE_CREATE_CONTEXT:
        return put(samples, OF_CONTEXT, (uint64_t)apitrace_call_operand(call, 1),
                   made_samples(samples, call), true);
    default:
        return 0;
    }
}

/*
 * Returns the samples of a drawable that no call makes, but with which a context is made current; 0
 * if not known.
 */
static uint32_t met_samples(const struct apitrace_map *samples, uint64_t drawable, uint64_t context)
{
    uint32_t set = get(samples, OF_DRAWABLE, drawable);

    return set > 0 ? set : get(samples, OF_CONTEXT, context);
}

/* Drawables. */

struct apitrace_drawable *apitrace_drawables_find(const struct apitrace_drawables *drawables,
                                                  uint64_t handle)
{
    struct apitrace_drawable *drawable = NULL;

    apitrace_map_get(&drawables->aliases, handle, 0, &handle);
    HASH_FIND(hh, drawables->named, &handle, sizeof(handle), drawable);
    return drawable;
}

static int add_place(struct apitrace_drawables *drawables, uint64_t handle, uint64_t number)
{
    uint64_t count = drawables->count;

    if (apitrace_grow(&drawables->list, count, &drawables->room, sizeof(*drawables->list),
                      &drawables->memory) < 0 ||
        apitrace_grow(&drawables->sizes, count, &drawables->sizes_room, sizeof(*drawables->sizes),
                      &drawables->memory) < 0)
        return -ENOMEM;
    drawables->list[count] =
        (struct apitrace_session_drawable){.call = APITRACE_NO_CALL, .handle = handle};
    if (handle != APITRACE_IMPLICIT_DRAWABLE)
        drawables->list[count].call = number;
    drawables->sizes[count] = (struct apitrace_drawable_size){0};
    if (drawables->told.width > 0 && drawables->told.place == count) {
        drawables->sizes[count].lent_width = drawables->told.width;
        drawables->sizes[count].lent_height = drawables->told.height;
    }
    drawables->count++;
    drawables->resized = true;
    return 0;
}

/* Adds what call `number` names for the first time, or makes under a name that existed. */
static int add(struct apitrace_drawables *drawables, uint64_t handle, uint64_t number,
               uint32_t frame, struct apitrace_drawable **out)
{
    struct apitrace_drawable *drawable = apitrace_drawables_find(drawables, handle);

    *out = drawable;
    if (handle == 0 || drawables->count == APITRACE_SESSION_DRAWABLES_MAX)
        return 0;
    if (add_place(drawables, handle, number) < 0)
        return -ENOMEM;
    if (drawable == NULL) {
        drawable = calloc(1, sizeof(*drawable));
        if (drawable == NULL)
            return -ENOMEM;
        drawable->handle = handle;
        HASH_ADD(hh, drawables->named, handle, sizeof(drawable->handle), drawable);
        if (drawable->hh.tbl == NULL) {
            free(drawable);
            return -ENOMEM;
        }
    }
    drawable->place = (uint32_t)drawables->count - 1;
    drawable->colour = drawable->depth = drawable->stencil = frame;
    *out = drawable;
    return 0;
}

/* Sizes. */

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool is_possible(int64_t width, int64_t height)
{
    return width > 0 && height > 0 && width <= PICTURE_MAX && height <= PICTURE_MAX;
}

void apitrace_drawables_lend(struct apitrace_drawables *drawables,
                             const struct apitrace_drawable *drawable, int64_t width,
                             int64_t height)
{
    struct apitrace_drawable_size *size = &drawables->sizes[drawable->place];

    if (size->width > 0 || !is_possible(width, height))
        return;
    size->lent_width = (uint32_t)width;
    size->lent_height = (uint32_t)height;
    drawables->resized = true;
}

/* A drawable that grows has parts that no earlier clear has covered. */
void apitrace_drawables_grow(struct apitrace_drawables *drawables,
                             struct apitrace_drawable *drawable, int64_t width, int64_t height)
{
    struct apitrace_drawable_size *size = &drawables->sizes[drawable->place];

    if (size->sized == APITRACE_SIZED_BY_ATTRIBUTES || !is_possible(width, height))
        return;
    if (size->width > 0 && (width > size->width || height > size->height))
        drawable->colour = drawable->depth = drawable->stencil = 0;
    if (width <= size->width && height <= size->height)
        return;
    if (size->width == 0) {
        size->first_width = (uint32_t)width;
        size->first_height = (uint32_t)height;
    }
    size->width = max(size->width, (uint32_t)width);
    size->height = max(size->height, (uint32_t)height);
    size->sized = APITRACE_SIZED_BY_VIEWPORTS;
    drawables->resized = true;
}

bool apitrace_drawables_cover(const struct apitrace_drawables *drawables,
                              const struct apitrace_drawable *drawable, const int64_t box[4])
{
    const struct apitrace_drawable_size *size = apitrace_drawables_size(drawables, drawable->place);

    return size->width > 0 && box[0] <= 0 && box[1] <= 0 && box[0] + box[2] >= size->width &&
           box[1] + box[3] >= size->height;
}

/* Returns an attribute from a list of names and values; `otherwise` if it is missing. */
static int64_t attribute(const int64_t *list, size_t count, int64_t name, int64_t other_name,
                         int64_t otherwise)
{
    for (size_t n = 0; n + 1 < count; n += 2)
        if (list[n] == name || list[n] == other_name)
            return list[n + 1];
    return otherwise;
}

static uint32_t named(struct apitrace_call *call, const char *name)
{
    return (uint32_t)apitrace_call_integer_named(call, name, 0);
}

/* Reads the size that a call states in a list of attributes, or as arguments. */
static void read_size(struct apitrace_call *call, int64_t *width, int64_t *height)
{
    int64_t list[ATTRIBUTES_MAX];
    uint32_t argument = apitrace_call_named(call, "attrib_list", "attribList", NULL);
    size_t count;

    *width = max(named(call, "width"), named(call, "iWidth"));
    *height = max(named(call, "height"), named(call, "iHeight"));
    if (argument == UINT32_MAX || *width > 0)
        return;
    count = apitrace_call_array(call, argument, list, ATTRIBUTES_MAX);
    *width = attribute(list, count, 0x3057, 0x8041, 0);
    *height = attribute(list, count, 0x3056, 0x8040, 0);
}

void apitrace_drawables_tell_sizes(struct apitrace_drawables *drawables)
{
    if (!drawables->resized)
        return;
    for (uint64_t n = 0; n < drawables->count; n++) {
        const struct apitrace_drawable_size *size = &drawables->sizes[n];
        struct apitrace_session_drawable *drawable = &drawables->list[n], before = *drawable;

        drawable->width = size->width > 0 ? size->width : size->lent_width;
        drawable->height = size->height > 0 ? size->height : size->lent_height;
        if (drawable->width == 0 || drawable->height == 0) {
            drawable->width = ASSUMED_WIDTH;
            drawable->height = ASSUMED_HEIGHT;
        }
        drawables->changes += drawable->width != before.width || drawable->height != before.height;
    }
    drawables->resized = false;
}

/* Calls. */

static int create(struct apitrace_drawables *drawables, struct apitrace_call *call, uint32_t frame)
{
    struct apitrace_drawable *drawable = NULL;
    int64_t width = 0, height = 0;
    int status = add(drawables, (uint64_t)apitrace_call_result(call, 0), call->record->number,
                     frame, &drawable);

    if (status < 0 || drawable == NULL)
        return status;
    drawables->list[drawable->place].samples = made_samples(&drawables->samples, call);
    read_size(call, &width, &height);
    apitrace_drawables_grow(drawables, drawable, width, height);
    if (drawables->sizes[drawable->place].width > 0)
        drawables->sizes[drawable->place].sized = APITRACE_SIZED_BY_ATTRIBUTES;
    return 0;
}

int apitrace_drawables_follow(struct apitrace_drawables *drawables, struct apitrace_call *call,
                              uint32_t frame)
{
    switch (call->function->semantic) {
    case APITRACE_CREATE_DRAWABLE:
        return create(drawables, call, frame);
    case APITRACE_PBUFFER_DC:
        return apitrace_map_set(&drawables->aliases, (uint64_t)apitrace_call_result(call, 0), 0,
                                (uint64_t)apitrace_call_integer(call, 0, 0));
    default:
        return follow_samples(&drawables->samples, call);
    }
}

int apitrace_drawables_meet(struct apitrace_drawables *drawables,
                            const struct apitrace_binding *binding, uint64_t number, uint32_t frame)
{
    const struct apitrace_context *context = binding->context;
    const uint64_t handles[] = {binding->draw, binding->read};

    for (unsigned n = 0; n < 2; n++) {
        struct apitrace_drawable *drawable = apitrace_drawables_find(drawables, handles[n]);
        struct apitrace_drawable_size *size;

        if (drawable == NULL && handles[n] != 0 && context->handle != 0) {
            int status = add(drawables, handles[n], number, frame, &drawable);

            if (status < 0)
                return status;
            if (drawable != NULL)
                drawables->list[drawable->place].samples =
                    met_samples(&drawables->samples, handles[n], context->handle);
        }
        if (drawable == NULL)
            continue;
        size = &drawables->sizes[drawable->place];
        if (size->lent_width == 0) {
            size->lent_width = context->viewport[0];
            size->lent_height = context->viewport[1];
            drawables->resized = true;
        }
    }
    return 0;
}

/* Implicit drawables. */

static void forget_names(struct apitrace_drawables *drawables)
{
    struct apitrace_drawable *drawable, *next;

    HASH_ITER (hh, drawables->named, drawable, next) {
        HASH_DEL(drawables->named, drawable);
        free(drawable);
    }
    apitrace_map_clear(&drawables->aliases);
}

int apitrace_drawables_begin_implicit(struct apitrace_drawables *drawables)
{
    struct apitrace_drawable *drawable = NULL;

    forget_names(drawables);
    drawables->count = 0;
    return add(drawables, APITRACE_IMPLICIT_DRAWABLE, APITRACE_NO_CALL, 0, &drawable);
}

void apitrace_drawables_tell_api(struct apitrace_drawables *drawables, bool embedded)
{
    struct apitrace_session_drawable *first = drawables->list;

    if (drawables->count == 0 || first->call != APITRACE_NO_CALL)
        return;
    drawables->changes += first->handle != embedded;
    first->handle = embedded;
}

void apitrace_drawables_finish(struct apitrace_drawables *drawables)
{
    forget_names(drawables);
    apitrace_map_clear(&drawables->samples);
    apitrace_free(drawables->sizes, &drawables->memory);
    drawables->sizes = NULL;
    drawables->sizes_room = 0;
}

void apitrace_drawables_clear(struct apitrace_drawables *drawables)
{
    apitrace_drawables_finish(drawables);
    apitrace_free(drawables->list, &drawables->memory);
    *drawables = (struct apitrace_drawables){0};
}
