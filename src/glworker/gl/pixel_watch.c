/* SPDX-License-Identifier: MIT */
/*
 * After each call that may have drawn on the watched drawable, reads the drawable and compares it
 * with what it held before. All state stays as the trace has it, so later calls do the same as
 * without the watch.
 */
#include "config.h"

#include "glworker/gl/pixel_watch.h"

#include "glworker/gl/call_writes.h"
#include "glworker/gl/coverage.h"
#include "glworker/gl/drawable.h"
#include "glworker/gl/probe.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/scissors.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"
#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAND = 64, /* rows that are read at a time */
    STENCIL_BITS = 8,
    COLOR_LOGIC_OP = 0x0BF2 /* core profiles have this name, but headers of OpenGL ES lack it */
};

/* What a pixel holds: colours in the watch's format; 24 bits of depth, 8 of stencil. */
struct sight {
    uint32_t colour, depth;
};

struct change {
    uint64_t call;
    uint32_t flags;   /* enum apitrace_watch_plane: planes that the call certainly wrote */
    uint32_t outcome; /* enum apitrace_pixel_outcome */
    struct sight before, after;
};

struct retrace_watch {
    uint32_t what; /* enum apitrace_watch_kind */
    uint64_t handle;
    struct retrace_box box; /* the watched part; y counts from the bottom */
    uint64_t surface;       /* serial number of the surface whose content is known; 0 if none is */
    bool has_depth;
    bool seen; /* the drawable has been read after the call at hand */

    struct sight first, now; /* of a single pixel */
    struct change *changes;
    uint32_t count, room;
    bool full; /* some changes are missing */

    uint32_t *colours, *depths, *ids; /* of all pixels, rows from the bottom */
    uint32_t *read;                   /* a band of colours or depths */

    uint32_t *covered; /* enum apitrace_covered_pixel for each pixel, rows from the bottom */
    float *cover_room; /* one for each pixel */
    uint32_t told;     /* enum apitrace_covered_by */
    bool may_spoil;    /* no call is run after the draw */
    bool narrow;       /* no other pixel is needed */
    /* the scissor is restricted for the call at hand, and `scissors` is to be restored */
    bool narrowed;
    struct retrace_scissors scissors;
    bool covering; /* the call at hand is being covered */
};

/* Functions that draw. */

uint8_t retrace_watch_paints(const struct apitrace_function *function)
{
    static const struct {
        const char *begin;
        uint8_t paints;
    } rows[] = {
        {"glAccum", RETRACE_PAINTS_PIXELS},
        {"glBitmap", RETRACE_PAINTS_PIXELS},
        {"glBlitFramebuffer", RETRACE_PAINTS_BLIT},
        {"glBlitNamedFramebuffer", RETRACE_PAINTS_BLIT_NAMED},
        {"glCallList", RETRACE_PAINTS_LIST},
        {"glClearBuffer", RETRACE_PAINTS_PIXELS},
        {"glClearNamedFramebuffer", RETRACE_PAINTS_NAMED},
        {"glCopyPixels", RETRACE_PAINTS_PIXELS},
        {"glDrawPixels", RETRACE_PAINTS_PIXELS},
        {"glDrawTex", RETRACE_PAINTS_PIXELS},
        /* What a list draws while it is compiled is read when the list ends. */
        {"glEndList", RETRACE_PAINTS_LIST},
        {"glNewList", RETRACE_PAINTS_LIST},
    };
    const char *name = function->name.bytes;

    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        if (strncmp(name, rows[n].begin, strlen(rows[n].begin)) == 0)
            return rows[n].paints;
    if (strcmp(name, "glBegin") == 0)
        return RETRACE_PAINTS_BEGIN;
    if (!apitrace_function_draws(function))
        return RETRACE_PAINTS_NOTHING;
    return strncmp(name, "glClear", 7) == 0 ? RETRACE_PAINTS_CLEAR : RETRACE_PAINTS_FRAGMENTS;
}

/* One pixel. */

/*
 * Returns what primitives that changed a pixel certainly wrote. With several samples they may have
 * written only some of them; and if only the stencil value changed, nothing may have been drawn.
 */
static uint32_t drawn_flags(const struct retrace_thread *thread, const struct retrace_call *call,
                            const struct change *change)
{
    const bool fragment =
        change->before.colour != change->after.colour ||
        change->before.depth >> STENCIL_BITS != change->after.depth >> STENCIL_BITS;

    return call->binding->paints == RETRACE_PAINTS_FRAGMENTS && thread->draw->samples == 0 &&
                   fragment && retrace_writes_all_channels(thread->context) &&
                   !glIsEnabled(GL_BLEND) && !glIsEnabled(COLOR_LOGIC_OP)
               ? APITRACE_PLANE_DRAWN
               : 0;
}

static bool look_at_pixel(struct retrace_watch *watch, const struct retrace_thread *thread,
                          struct sight *out)
{
    struct retrace_drawable part;
    bool seen;

    retrace_drawable_begin(thread, &watch->box, &part);
    seen = retrace_drawable_colours(&part, 0, 1, &out->colour);
    watch->has_depth =
        seen && watch->has_depth && retrace_drawable_depths(&part, 0, 1, &out->depth);
    if (part.format == GL_BGRA)
        out->colour = __builtin_bswap32(out->colour) >> 8 | (out->colour & 0xFF000000);
    retrace_drawable_end(&part);
    return seen;
}

static void add_change(struct retrace_watch *watch, const struct change *change)
{
    if (watch->count == watch->room) {
        uint32_t room = watch->room == 0 ? 64 : 2 * watch->room;
        struct change *changes =
            room > APITRACE_WATCHED_MAX ? NULL : realloc(watch->changes, room * sizeof(*changes));

        watch->full = watch->full || changes == NULL;
        if (changes == NULL)
            return;
        watch->changes = changes;
        watch->room = room;
    }
    watch->changes[watch->count++] = *change;
}

/* `repeat` is how to make the call once more, or NULL if that is impossible. */
static void see_pixel(struct retrace *retrace, const struct retrace_thread *thread,
                      const struct retrace_call *call, const struct retrace_repeat *repeat)
{
    struct retrace_watch *watch = retrace->watch;
    struct change change = {.call = call->event->number, .before = watch->now, .after = {0}};
    struct retrace_overwritten overwritten;

    if (!look_at_pixel(watch, thread, &change.after))
        return;
    watch->now = change.after;
    retrace_find_overwritten(retrace, thread->context, call, &watch->box, &overwritten);
    if (overwritten.box.width > 0)
        change.flags = overwritten.flags;
    if (change.flags == 0 && change.before.colour == change.after.colour &&
        change.before.depth == change.after.depth)
        change.outcome = repeat != NULL && retrace_can_probe(retrace, call)
                             ? retrace_probe(retrace, repeat, watch->box.x, watch->box.y)
                             : APITRACE_PIXEL_OUTCOMES;
    if (change.outcome == APITRACE_PIXEL_OUTCOMES)
        return;
    change.flags |= drawn_flags(thread, call, &change);
    add_change(watch, &change);
}

/* All pixels. */

typedef bool read_rows(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                       uint32_t *out);

/*
 * Stores a band of a plane that has been read. Pixels that have changed get the id `writer`, unless
 * that is APITRACE_WATCHED_NOBODY.
 */
static void take_band(const struct retrace_watch *watch, const struct retrace_box *box,
                      uint32_t row, uint32_t rows, uint32_t *plane, uint32_t writer)
{
    const size_t bytes = (size_t)box->width * sizeof(*plane);

    for (uint32_t y = 0; y < rows; y++) {
        const uint32_t *read = watch->read + (size_t)y * box->width;
        const size_t begin = (size_t)(box->y + row + y) * watch->box.width + box->x;

        if (memcmp(plane + begin, read, bytes) == 0)
            continue;
        for (uint32_t x = 0; writer != APITRACE_WATCHED_NOBODY && x < box->width; x++)
            if (plane[begin + x] != read[x])
                watch->ids[begin + x] = writer;
        memcpy(plane + begin, read, bytes);
    }
}

static bool see_plane(struct retrace_watch *watch, const struct retrace_drawable *part,
                      const struct retrace_box *box, read_rows *read, uint32_t *plane,
                      uint32_t writer)
{
    for (uint32_t row = 0; row < box->height; row += BAND) {
        uint32_t rows = box->height - row < BAND ? box->height - row : BAND;

        if (!read(part, row, rows, watch->read))
            return false;
        take_band(watch, box, row, rows, plane, writer);
    }
    return true;
}

static void see_planes(struct retrace_watch *watch, const struct retrace_thread *thread,
                       const struct retrace_box *box, bool colours, bool depths, uint32_t writer)
{
    struct retrace_drawable part;

    if (box->width == 0 || (!colours && !depths))
        return;
    retrace_drawable_begin(thread, box, &part);
    if (colours)
        see_plane(watch, &part, box, retrace_drawable_colours, watch->colours, writer);
    if (depths && watch->has_depth)
        watch->has_depth =
            see_plane(watch, &part, box, retrace_drawable_only_depths, watch->depths, writer);
    retrace_drawable_end(&part);
}

static void see_pixels(struct retrace *retrace, const struct retrace_thread *thread,
                       const struct retrace_call *call)
{
    struct retrace_watch *watch = retrace->watch;
    const struct retrace_box box = retrace_written_box(thread->context, call, &watch->box);
    const bool colours = retrace_writes_colours(thread->context, call);
    const uint32_t writer = colours && call->event->number < APITRACE_WATCHED_NOBODY
                                ? (uint32_t)call->event->number
                                : APITRACE_WATCHED_NOBODY;
    struct retrace_overwritten overwritten;

    see_planes(watch, thread, &box, colours, retrace_writes_depths(call), writer);
    retrace_find_overwritten(retrace, thread->context, call, &watch->box, &overwritten);
    if ((overwritten.flags & APITRACE_PLANE_COLOUR) == 0)
        return;
    for (uint32_t y = 0; y < overwritten.box.height; y++)
        for (uint32_t x = 0; x < overwritten.box.width; x++)
            watch->ids[(size_t)(overwritten.box.y + y) * watch->box.width + overwritten.box.x + x] =
                writer;
}

/* Watching. */

/*
 * Returns the thread of a call, with its context current, if the call may draw on the watched
 * drawable; otherwise NULL.
 */
static struct retrace_thread *find_thread(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_watch *watch = retrace->watch;
    struct retrace_thread *thread = retrace_thread(retrace, call->event->thread);
    const struct retrace_surface *surface;

    if (thread == NULL || !retrace_enter(retrace, thread) || thread->context->in_list ||
        thread->context->in_begin)
        return NULL;
    surface = retrace_surface_find(retrace, watch->handle);
    if (surface == NULL || thread->draw != surface ||
        watch->box.x + watch->box.width > surface->width ||
        watch->box.y + watch->box.height > surface->height)
        return NULL;
    if (call->binding->paints != RETRACE_PAINTS_NAMED &&
        call->binding->paints != RETRACE_PAINTS_BLIT_NAMED &&
        call->binding->paints != RETRACE_PAINTS_LIST && retrace_get(GL_FRAMEBUFFER_BINDING) != 0)
        return NULL;
    return thread;
}

/* Coverage. */

/* Increments the count of all pixels of a box, or of those whose id is `writer`. */
static void add_written(struct retrace_watch *watch, const struct retrace_box *box, uint32_t writer)
{
    for (uint32_t y = box->y; y < box->y + box->height; y++)
        for (uint32_t x = box->x; x < box->x + box->width; x++) {
            const size_t n = (size_t)y * watch->box.width + x;

            if (writer != APITRACE_WATCHED_NOBODY && watch->ids[n] != writer)
                continue;
            watch->ids[n] = APITRACE_WATCHED_NOBODY;
            if ((watch->covered[n] & APITRACE_COVERED_COUNT) < APITRACE_COVERED_COUNT)
                watch->covered[n]++;
        }
    watch->told |= APITRACE_COVERED_CHANGES;
}

/*
 * Returns the thread of a call, with its context current, if the call may draw on what is watched;
 * otherwise NULL.
 */
static struct retrace_thread *find_coverer(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_thread *thread;

    if (retrace->watch->handle != APITRACE_WATCH_ANY)
        return find_thread(retrace, call);
    thread = retrace_thread(retrace, call->event->thread);
    return thread != NULL && retrace_enter(retrace, thread) && !thread->context->in_list &&
                   !thread->context->in_begin
               ? thread
               : NULL;
}

/* If no drawable is watched, only clears are known, besides draws that are made twice. */
static void see_cleared(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_thread *thread = find_coverer(retrace, call);
    struct retrace_overwritten overwritten;

    if (thread == NULL || call->binding->paints != RETRACE_PAINTS_CLEAR)
        return;
    retrace_find_overwritten(retrace, thread->context, call, &retrace->watch->box, &overwritten);
    if (overwritten.flags != 0)
        add_written(retrace->watch, &overwritten.box, APITRACE_WATCHED_NOBODY);
}

/*
 * Returns what can be found of a draw. Finds nothing if that would affect later calls, unless there
 * are none.
 */
static unsigned can_cover(const struct retrace *retrace, const struct retrace_call *call)
{
    const unsigned told = retrace_can_cover(retrace, call->binding);

    return (told & APITRACE_COVERED_SPOILS) != 0 && !retrace->watch->may_spoil ? 0 : told;
}

static void cover(struct retrace *retrace, struct retrace_thread *thread,
                  const struct retrace_repeat *repeat, unsigned told)
{
    struct retrace_watch *watch = retrace->watch;

    watch->full = !retrace_read_drawn(retrace, thread) ||
                  !retrace_cover(retrace, repeat, watch->box.width, watch->box.height,
                                 watch->covered, watch->cover_room) ||
                  watch->full;
    retrace_read_own(retrace, thread);
    watch->told |= told;
    watch->covering = true;
    watch->surface = 0; /* what the draw leaves has not been read */
}

/*
 * Restricts the draw at hand to the watched pixel, if it has no other effect than pixels of the
 * drawable.
 */
static void narrow(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_watch *watch = retrace->watch;

    if (!watch->narrow || find_thread(retrace, call) == NULL || !retrace_can_probe(retrace, call))
        return;
    retrace_scissors_save(retrace_context(retrace), &watch->scissors);
    retrace_scissors_narrow(&watch->scissors, watch->box.x, watch->box.y);
    watch->narrowed = true;
}

static void widen(struct retrace_watch *watch)
{
    if (watch->narrowed)
        retrace_scissors_restore(&watch->scissors);
    watch->narrowed = false;
}

void retrace_watch_making(struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_repeat *repeat)
{
    struct retrace_thread *thread;
    unsigned told;

    narrow(retrace, call);
    if (retrace->watch->what != APITRACE_WATCH_COVERAGE)
        return;
    thread = find_coverer(retrace, call);
    told = thread != NULL ? can_cover(retrace, call) : 0;
    if (told != 0)
        cover(retrace, thread, repeat, told);
}

/* Starts to keep the calls after glBegin(), to draw them more than once. */
static bool begin_recording(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_thread *thread;

    if (retrace->watch->what != APITRACE_WATCH_COVERAGE ||
        call->binding->paints != RETRACE_PAINTS_BEGIN)
        return false;
    thread = find_coverer(retrace, call);
    if (thread == NULL || can_cover(retrace, call) == 0)
        return false;
    retrace_recording_begin(thread->context);
    return thread->context->recording != NULL;
}

/* After glEnd(), covers what was kept, which has not been drawn yet, and then draws it. */
static bool end_recording(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    struct retrace_recording *recording;
    struct retrace_thread *thread;

    if (context->recording == NULL || context->in_begin)
        return false;
    recording = retrace_recording_end(context);
    thread = find_coverer(retrace, call);
    if (thread != NULL)
        cover(retrace, thread, &(struct retrace_repeat){call, call->binding, NULL, recording},
              can_cover(retrace, call));
    retrace->watch->covering = false;
    retrace_recording_make(recording);
    retrace_recording_free(recording);
    return true;
}

void retrace_watch_before(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_watch *watch = retrace->watch;
    struct retrace_thread *thread;

    if (begin_recording(retrace, call))
        return;
    thread = find_thread(retrace, call);
    if (thread == NULL || watch->surface == thread->draw->serial ||
        (watch->what == APITRACE_WATCH_COVERAGE &&
         call->binding->paints == RETRACE_PAINTS_FRAGMENTS && can_cover(retrace, call) != 0))
        return;
    if (retrace_read_drawn(retrace, thread)) {
        watch->surface = thread->draw->serial;
        if (watch->what != APITRACE_WATCH_PIXEL)
            see_planes(watch, thread, &watch->box, true, true, APITRACE_WATCHED_NOBODY);
        else
            look_at_pixel(watch, thread, &watch->now);
        if (watch->count == 0)
            watch->first = watch->now;
    }
    retrace_read_own(retrace, thread);
}

/* Calls. */

static void see_all(struct retrace *retrace, const struct retrace_thread *thread,
                    const struct retrace_call *call, const struct retrace_repeat *repeat)
{
    struct retrace_watch *watch = retrace->watch;

    if (watch->what == APITRACE_WATCH_PIXEL) {
        see_pixel(retrace, thread, call, thread->read == thread->draw ? repeat : NULL);
        return;
    }
    see_pixels(retrace, thread, call);
    if (watch->what == APITRACE_WATCH_COVERAGE)
        add_written(watch, &watch->box, (uint32_t)call->event->number);
}

static void see(struct retrace *retrace, const struct retrace_call *call,
                const struct retrace_repeat *repeat)
{
    struct retrace_watch *watch = retrace->watch;
    const bool covering = watch->covering;
    struct retrace_thread *thread;

    watch->covering = false;
    if (covering)
        return;
    if (watch->handle == APITRACE_WATCH_ANY) {
        see_cleared(retrace, call);
        return;
    }
    thread = find_thread(retrace, call);
    if (thread == NULL || watch->surface != thread->draw->serial)
        return;
    if (retrace_read_drawn(retrace, thread))
        see_all(retrace, thread, call, repeat);
    retrace_read_own(retrace, thread);
}

void retrace_watch_made(struct retrace *retrace, const struct retrace_call *call,
                        const struct retrace_repeat *repeat)
{
    widen(retrace->watch);
    /* After glEnd(), `in_begin` is only updated later. */
    if (retrace_context(retrace)->in_begin)
        return;
    retrace->watch->seen = true;
    see(retrace, call, repeat);
}

void retrace_watch_after(struct retrace *retrace, const struct retrace_call *call)
{
    if (!end_recording(retrace, call) && !retrace->watch->seen)
        see(retrace, call, NULL);
    retrace->watch->seen = false;
}

/* Messages. */

void retrace_watch_end(struct retrace *retrace)
{
    struct retrace_watch *watch = retrace->watch;

    if (watch == NULL)
        return;
    retrace_recording_abandon(retrace);
    free(watch->changes);
    free(watch->colours);
    free(watch->depths);
    free(watch->ids);
    free(watch->read);
    free(watch->covered);
    free(watch->cover_room);
    free(watch);
    retrace->watch = NULL;
    retrace->feed.watching = false;
}

static int begin_ids(struct retrace_watch *watch)
{
    const size_t pixels = (size_t)watch->box.width * watch->box.height;

    watch->colours = calloc(pixels, sizeof(*watch->colours));
    watch->depths = calloc(pixels, sizeof(*watch->depths));
    watch->ids = malloc(pixels * sizeof(*watch->ids));
    watch->read = malloc((size_t)watch->box.width * BAND * sizeof(*watch->read));
    if (watch->colours == NULL || watch->depths == NULL || watch->ids == NULL ||
        watch->read == NULL)
        return -ENOMEM;
    memset(watch->ids, 0xFF, pixels * sizeof(*watch->ids));
    return 0;
}

static int begin_coverage(struct retrace_watch *watch)
{
    const size_t pixels = (size_t)watch->box.width * watch->box.height;

    watch->covered = calloc(pixels, sizeof(*watch->covered));
    watch->cover_room = malloc(pixels * sizeof(*watch->cover_room));
    if (watch->covered == NULL || watch->cover_room == NULL)
        return -ENOMEM;
    return begin_ids(watch);
}

int retrace_handle_watch(struct message_reader *request, struct serve_answer *answer)
{
    struct retrace_watch watch = {.has_depth = true};
    struct retrace *retrace = retrace_session();
    uint32_t flags;
    int status = 0;

    watch.handle = message_read_u64(request);
    watch.what = message_read_u32(request);
    watch.box.x = message_read_u32(request);
    watch.box.y = message_read_u32(request);
    watch.box.width = message_read_u32(request);
    watch.box.height = message_read_u32(request);
    flags = message_read_u32(request);
    watch.may_spoil = (flags & APITRACE_WATCH_MAY_SPOIL) != 0;
    watch.narrow = (flags & APITRACE_WATCH_NARROW) != 0 && watch.what == APITRACE_WATCH_PIXEL;
    if (!message_read_all(request) || watch.what > APITRACE_WATCH_COVERAGE)
        return -EPROTO;
    if (retrace == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    if (watch.box.x > PICTURE_MAX || watch.box.y > PICTURE_MAX || watch.box.width == 0 ||
        watch.box.height == 0 || watch.box.width > PICTURE_MAX || watch.box.height > PICTURE_MAX ||
        (watch.what == APITRACE_WATCH_PIXEL && watch.box.width * watch.box.height != 1) ||
        (watch.what != APITRACE_WATCH_PIXEL && (watch.box.x | watch.box.y) != 0))
        return serve_refuse(answer, -EINVAL, "a drawable has no such part");
    retrace_watch_end(retrace);
    retrace->watch = malloc(sizeof(watch));
    if (retrace->watch == NULL)
        return -ENOMEM;
    *retrace->watch = watch;
    if (watch.what == APITRACE_WATCH_IDS)
        status = begin_ids(retrace->watch);
    else if (watch.what == APITRACE_WATCH_COVERAGE)
        status = begin_coverage(retrace->watch);
    if (status == 0)
        return 0;
    retrace_watch_end(retrace);
    return serve_refuse(answer, -EFBIG, "out of memory for that many pixels");
}

static void write_sight(struct message_writer *writer, const struct sight *sight)
{
    message_write_u32(writer, sight->colour);
    message_write_u32(writer, sight->depth);
}

static int write_changes(const struct retrace_watch *watch, struct serve_answer *answer)
{
    if (watch->full)
        return serve_refuse(answer, -EFBIG, "the pixel changes too often");
    message_write_u32(&answer->body, (watch->surface != 0 ? APITRACE_PLANE_COLOUR : 0) |
                                         (watch->surface != 0 && watch->has_depth
                                              ? APITRACE_PLANE_DEPTH | APITRACE_PLANE_STENCIL
                                              : 0));
    message_write_u32(&answer->body, watch->count);
    write_sight(&answer->body, &watch->first);
    for (uint32_t n = 0; n < watch->count; n++) {
        message_write_u64(&answer->body, watch->changes[n].call);
        message_write_u32(&answer->body, watch->changes[n].flags);
        write_sight(&answer->body, &watch->changes[n].before);
        write_sight(&answer->body, &watch->changes[n].after);
        message_write_u32(&answer->body, watch->changes[n].outcome);
    }
    return answer->body.bad ? -ENOMEM : 0;
}

/* Writes numbers as a picture, rows from the top. */
static int write_numbers(const struct retrace_watch *watch, const uint32_t *numbers,
                         struct serve_answer *answer)
{
    const size_t row = (size_t)watch->box.width * sizeof(*numbers);
    int status = blob_create(row * watch->box.height, &answer->bulk);

    for (uint32_t y = 0; status == 0 && y < watch->box.height; y++)
        memcpy(answer->bulk->data + y * row,
               numbers + (size_t)(watch->box.height - 1 - y) * watch->box.width, row);
    message_write_u32(&answer->body, watch->box.width);
    message_write_u32(&answer->body, watch->box.height);
    message_write_u32(&answer->body, sizeof(*numbers));
    message_write_u32(&answer->body, 0);
    return status;
}

static int write_ids(const struct retrace_watch *watch, struct serve_answer *answer)
{
    return write_numbers(watch, watch->ids, answer);
}

static int write_coverage(const struct retrace_watch *watch, struct serve_answer *answer)
{
    if (watch->full)
        return serve_refuse(answer, -ENOENT,
                            "the driver cannot draw it to a framebuffer of the worker");
    message_write_u32(&answer->body, watch->told);
    return write_numbers(watch, watch->covered, answer);
}

int retrace_handle_watched(struct message_reader *request, struct serve_answer *answer)
{
    static int (*const writers[])(const struct retrace_watch *watch,
                                  struct serve_answer *answer) = {
        [APITRACE_WATCH_PIXEL] = write_changes,
        [APITRACE_WATCH_IDS] = write_ids,
        [APITRACE_WATCH_COVERAGE] = write_coverage,
    };
    struct retrace *retrace = retrace_session();
    int status;

    if (!message_read_all(request))
        return -EPROTO;
    if (retrace == NULL || retrace->watch == NULL)
        return serve_refuse(answer, -EINVAL, "nothing is watched");
    status = writers[retrace->watch->what](retrace->watch, answer);
    retrace_watch_end(retrace);
    return status;
}
