/*
 * Of each drawable's colours, depths and stencil values is known since which frame they
 * have been drawn: a clear that covers all begins them anew, and what is drawn with a
 * test depends on what is tested. Where something reads a drawable, the frames since then
 * are marked, and whoever skips frames draws those.
 */
#include "formats/apitrace/replay/presentation.h"

#include "core/picture.h"
#include "formats/apitrace/replay/context_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_EVERY = 4096 };

enum { GL_COLOUR_BIT = 0x4000, GL_DEPTH_BIT = 0x100, GL_STENCIL_BIT = 0x400 };

struct apitrace_finder {
    const struct apitrace_index *index;
    const struct cancel *cancel;
    struct apitrace_screens *screens;
    struct apitrace_drawables *drawables; /* of the screens */
    struct apitrace_call call;
    struct apitrace_currents currents;
    uint64_t order;   /* of the next call */
    uint64_t settled; /* frames */
    uint32_t frame;
    uint32_t unsafe;   /* the first frame from which on none may be skipped */
    uint32_t *reaches; /* of each frame: since which one what it reads was drawn */
    uint64_t reach_room;
    struct apitrace_memory memory; /* of those */
    bool stopped;                  /* a call could not be read: what was shown before it is known */
    uint64_t last_shown;           /* drawable's handle at the last call of class R */
    bool implicit;                 /* threads without a context have APITRACE_IMPLICIT_DRAWABLE */
    bool decided;                  /* … or never have: something was drawn, or made current */
    uint32_t kept;                 /* frames before that was decided */
    uint32_t functions;            /* that were looked through for what only OpenGL has … */
    bool opengl;                   /* … and whether one is */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The drawable behind framebuffer 0; NULL: there is none, or a framebuffer object is bound. */
static struct apitrace_drawable *target_of(const struct apitrace_finder *finding,
                                           const struct apitrace_current *current)
{
    return current->context->draw == 0 && current->draw != 0
               ? apitrace_drawables_find(finding->drawables, current->draw)
               : NULL;
}

/* Implicit contexts: of traces that begin in the midst, or were made without a window system. */

static bool makes_current(const struct apitrace_function *function)
{
    return function->role >= APITRACE_MAKE_CURRENT && function->role <= APITRACE_CGL_MAKE_CURRENT;
}

/* What only OpenGL has: else EGL's contexts are of OpenGL ES. */
static bool is_of_opengl(const struct apitrace_function *function)
{
    static const char *const full[] = {"glBegin",      "glDrawBuffer",  "glEnableClientState",
                                       "glMatrixMode", "glPolygonMode", "eglBindAPI"};

    for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++)
        if (strcmp(function->name.bytes, full[i]) == 0)
            return true;
    return false;
}

static bool draws(const struct apitrace_function *function)
{
    return (function->classes & APITRACE_RENDER) != 0 &&
           strncmp(function->name.bytes, "gl", 2) == 0;
}

/* Of a trace that grows its API may turn out to be another one. */
static void tell_api(struct apitrace_finder *finding)
{
    const struct apitrace_index *index = finding->index;

    for (; finding->functions < index->definitions.functions.count; finding->functions++)
        finding->opengl |=
            is_of_opengl(apitrace_function_at(&index->definitions, finding->functions));
    apitrace_drawables_tell_api(finding->drawables, !finding->opengl && index->api == APITRACE_EGL);
}

/*
 * Something is drawn before anything is current: then the first call has a drawable already. The
 * frames so far, in which nothing was drawn, stay what they are.
 */
static int begin_implicit(struct apitrace_finder *finding)
{
    apitrace_currents_clear(&finding->currents);
    apitrace_targets_clear(&finding->screens->targets);
    finding->kept = finding->frame;
    finding->implicit = finding->decided = true;
    finding->order = 0;
    finding->frame = 0;
    finding->unsafe = UINT32_MAX;
    for (uint64_t n = 0; n <= finding->kept; n++)
        finding->reaches[n] = UINT32_MAX;
    for (uint64_t n = finding->settled; n < finding->kept; n++)
        if (finding->screens->frames[n].drawable != APITRACE_NO_DRAWABLE)
            finding->screens->frames[n].drawable++;
    return apitrace_drawables_begin_implicit(finding->drawables);
}

/* Before the first context of the trace's own: what the thread has. */
static void assume(struct apitrace_finder *finding, struct apitrace_current *current)
{
    if (current->context->handle == 0 && current->draw == 0)
        current->draw = current->read = APITRACE_IMPLICIT_DRAWABLE;
    else if (current->context->handle != 0)
        finding->implicit = false;
}

/* Sizes. */

static void set_viewport(struct apitrace_finder *finding, struct apitrace_current *current)
{
    struct apitrace_call *call = &finding->call;
    unsigned role = call->function->role;
    struct apitrace_drawable *drawable = target_of(finding, current);
    bool array = role == APITRACE_VIEWPORT_ARRAY || role == APITRACE_VIEWPORT_INDEXED_V;
    uint32_t first = role == APITRACE_VIEWPORT_INDEXED ? 1 : 0;
    int64_t box[4] = {0};

    if (role != APITRACE_VIEWPORT && apitrace_call_integer(call, 0, 0) != 0)
        return; /* not the viewport of number 0 */
    if (array)
        apitrace_call_array(call, role == APITRACE_VIEWPORT_ARRAY ? 2 : 1, box, 4);
    for (uint32_t n = 0; n < 4 && !array; n++)
        box[n] = apitrace_call_integer(call, first + n, 0);
    if (drawable == NULL || box[2] <= 0 || box[3] <= 0)
        return;
    apitrace_drawables_grow(finding->drawables, drawable, box[0] + box[2], box[1] + box[3]);
    if (box[0] + box[2] > 0 && box[0] + box[2] <= PICTURE_MAX && box[1] + box[3] > 0 &&
        box[1] + box[3] <= PICTURE_MAX) {
        current->context->viewport[0] = (uint32_t)(box[0] + box[2]);
        current->context->viewport[1] = (uint32_t)(box[1] + box[3]);
    }
}

/* What is drawn since when. */

/* Where the scissor lets all pixels pass. */
static bool is_open(const struct apitrace_finder *finding, const struct apitrace_context *context,
                    const struct apitrace_drawable *drawable)
{
    return (context->hazards & APITRACE_SCISSORED) == 0 ||
           ((context->hazards & APITRACE_OTHER_BOX) == 0 &&
            apitrace_drawables_cover(finding->drawables, drawable, context->scissor));
}

static void clear(struct apitrace_finder *finding, const struct apitrace_current *current)
{
    const struct apitrace_context *context = current->context;
    struct apitrace_drawable *drawable = target_of(finding, current);
    int64_t bits = apitrace_call_integer(&finding->call, 0, 0);

    if (drawable == NULL || context->compiling || !is_open(finding, context, drawable))
        return;
    if (bits & GL_COLOUR_BIT &&
        (context->hazards & (APITRACE_COLOUR_MASKED | APITRACE_OTHER_BUFFER)) == 0)
        drawable->colour = finding->frame;
    if (bits & GL_DEPTH_BIT && (context->hazards & APITRACE_DEPTH_MASKED) == 0)
        drawable->depth = finding->frame;
    if (bits & GL_STENCIL_BIT && (context->hazards & APITRACE_STENCIL_MASKED) == 0)
        drawable->stencil = finding->frame;
}

/* What is tested decides what is drawn. */
static void draw(const struct apitrace_finder *finding, const struct apitrace_current *current)
{
    struct apitrace_drawable *drawable = target_of(finding, current);
    unsigned hazards = current->context->hazards;

    if (drawable == NULL || (hazards & (APITRACE_DEPTH_TESTED | APITRACE_STENCIL_TESTED)) == 0)
        return;
    if (hazards & APITRACE_STENCIL_TESTED) {
        drawable->colour = least(drawable->colour, drawable->stencil);
        drawable->depth = least(drawable->depth, drawable->stencil);
    }
    if (hazards & APITRACE_DEPTH_TESTED) {
        drawable->colour = least(drawable->colour, drawable->depth);
        drawable->stencil = least(drawable->stencil, drawable->depth);
    }
}

/* Something reads what was drawn. */
static void read_drawable(struct apitrace_finder *finding, const struct apitrace_current *current)
{
    const struct apitrace_drawable *drawable =
        apitrace_drawables_find(finding->drawables, current->read);
    uint32_t *reach = &finding->reaches[finding->frame];

    if (current->context->compiling)
        finding->unsafe = least(finding->unsafe, finding->frame);
    if (current->context->read == 0 && drawable != NULL)
        *reach = least(*reach, least(drawable->colour, least(drawable->depth, drawable->stencil)));
}

static void blit(struct apitrace_finder *finding, const struct apitrace_current *current,
                 uint32_t first)
{
    struct apitrace_call *call = &finding->call;
    struct apitrace_drawable *drawable = target_of(finding, current);
    int64_t x0 = apitrace_call_integer(call, first, 0);
    int64_t y0 = apitrace_call_integer(call, first + 1, 0);
    int64_t x1 = apitrace_call_integer(call, first + 2, 0);
    int64_t y1 = apitrace_call_integer(call, first + 3, 0);
    const int64_t box[] = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, llabs(x1 - x0), llabs(y1 - y0)};

    if (drawable == NULL || box[2] == 0 || box[3] == 0)
        return;
    apitrace_drawables_grow(finding->drawables, drawable, box[0] + box[2], box[1] + box[3]);
    if (apitrace_call_integer(call, first + 4, 0) & GL_COLOUR_BIT &&
        apitrace_drawables_cover(finding->drawables, drawable, box) &&
        is_open(finding, current->context, drawable) && current->context->read != 0 &&
        (current->context->hazards & APITRACE_OTHER_BUFFER) == 0)
        drawable->colour = finding->frame;
}

/* Framebuffers that a call names count for this one call as if they were bound. */
static void blit_named(struct apitrace_finder *finding, const struct apitrace_current *current)
{
    struct apitrace_context context = *current->context;
    struct apitrace_current as_if = *current;

    context.read = (uint32_t)apitrace_call_integer(&finding->call, 0, 0);
    context.draw = (uint32_t)apitrace_call_integer(&finding->call, 1, 0);
    as_if.context = &context;
    read_drawable(finding, &as_if);
    blit(finding, &as_if, 6);
}

/* Pixels that go into a buffer: those that go to memory are in the trace. */
static bool reads_into_buffer(struct apitrace_call *call)
{
    struct apitrace_value value;

    return apitrace_call_argument(call, call->function->argument_count - 1, &value) &&
           value.type != APITRACE_BLOB;
}

/* Shader storage and atomic counters: shaders leave more than pixels. */
static bool is_written_by_shaders(int64_t target)
{
    return target == 0x90D2 || target == 0x92C0;
}

static int look_at(struct apitrace_finder *finding, struct apitrace_current *current)
{
    struct apitrace_call *call = &finding->call;

    switch (call->function->role) {
    case APITRACE_CREATE_DRAWABLE:
    case APITRACE_PBUFFER_DC:
    case APITRACE_CONFIG:
    case APITRACE_CREATE_CONTEXT:
    case APITRACE_CGL_CREATE_CONTEXT:
        return apitrace_drawables_follow(finding->drawables, call, finding->frame);
    case APITRACE_VIEWPORT:
    case APITRACE_VIEWPORT_ARRAY:
    case APITRACE_VIEWPORT_INDEXED:
    case APITRACE_VIEWPORT_INDEXED_V:
        set_viewport(finding, current);
        break;
    case APITRACE_CLEAR:
        clear(finding, current);
        break;
    case APITRACE_BLIT:
        read_drawable(finding, current);
        blit(finding, current, 4);
        break;
    case APITRACE_BLIT_NAMED:
        blit_named(finding, current);
        break;
    case APITRACE_COPY:
    case APITRACE_COPY_IMAGE:
        read_drawable(finding, current);
        break;
    case APITRACE_READ_PIXELS:
        if (reads_into_buffer(call))
            read_drawable(finding, current);
        break;
    case APITRACE_BIND_BUFFER_INDEXED:
        if (is_written_by_shaders(apitrace_call_integer(call, 0, 0)))
            finding->unsafe = least(finding->unsafe, finding->frame);
        break;
    case APITRACE_UNSAFE:
        finding->unsafe = least(finding->unsafe, finding->frame);
        break;
    default:
        break;
    }
    return 0;
}

/* Frames. */

/* The drawable that is shown: the one that a call swaps, else what is current. */
static struct apitrace_drawable *shown(struct apitrace_finder *finding,
                                       const struct apitrace_current *current)
{
    unsigned role = finding->call.function->role;
    struct apitrace_drawable *drawable = NULL;

    if (role == APITRACE_SWAP_FIRST || role == APITRACE_SWAP_SECOND)
        drawable = apitrace_drawables_find(
            finding->drawables,
            (uint64_t)apitrace_call_integer(&finding->call, role == APITRACE_SWAP_SECOND, 0));
    return drawable != NULL ? drawable : apitrace_drawables_find(finding->drawables, current->draw);
}

/* What is shown in the viewport that it found in its context is as large as that at least. */
static void show(struct apitrace_finder *finding, struct apitrace_drawable *drawable)
{
    struct apitrace_screen *screen = &finding->screens->frames[finding->frame];
    const struct apitrace_drawable_size *size;

    if (drawable == NULL || finding->frame < finding->kept)
        return;
    size = apitrace_drawables_size(finding->drawables, drawable->place);
    if (size->width == 0)
        apitrace_drawables_grow(finding->drawables, drawable, size->lent_width, size->lent_height);
    screen->drawable = drawable->place;
    screen->width = (uint16_t)size->width;
    screen->height = (uint16_t)size->height;
    screen->base = drawable->colour;
}

static int follow(struct apitrace_finder *finding, uint64_t number)
{
    struct apitrace_call *call = &finding->call;
    const struct apitrace_record *record = apitrace_walk_to(&call->walk, number);
    const struct apitrace_function *function = apitrace_index_function(finding->index, record);
    bool followed = apitrace_current_follows(function->role);
    bool ends = (function->classes & APITRACE_END_FRAME) != 0;
    struct apitrace_current *current;
    int status = 0;

    if (!followed && !ends && (function->classes & APITRACE_RENDER) == 0 &&
        function->role < APITRACE_CLEAR)
        return 0;
    current = apitrace_current_of(&finding->currents, record->thread);
    if (current == NULL)
        return -ENOMEM;
    if (finding->implicit)
        assume(finding, current);
    if (function->classes & APITRACE_RENDER) {
        const struct apitrace_drawable *drawable = target_of(finding, current);

        draw(finding, current);
        status = apitrace_targets_draw(&finding->screens->targets, record->order, current,
                                       drawable != NULL ? drawable->place : APITRACE_NO_DRAWABLE,
                                       drawable != NULL ? drawable->colour : 0);
        finding->screens->last_draw = number;
        finding->last_shown = current->draw;
    }
    if (status < 0 || (!followed && !ends && function->role < APITRACE_CLEAR))
        return status;
    status = apitrace_call_read(call, number);
    if (status == 0 && followed)
        status = apitrace_current_follow(&finding->currents, call);
    if (status == 0 && makes_current(function))
        status = apitrace_drawables_meet(finding->drawables, current, call->record->number,
                                         finding->frame);
    finding->decided |= current->context->handle != 0;
    if (status == 0 && apitrace_targets_follows(function->role))
        status = apitrace_targets_follow(&finding->screens->targets, current, call);
    if (status == 0)
        status = look_at(finding, current);
    if (status == 0 && ends) {
        draw(finding, current);
        show(finding, shown(finding, current));
        finding->frame++;
    }
    return status < 0 ? status : apitrace_call_status(call);
}

static const struct apitrace_function *function_of(struct apitrace_finder *finding, uint64_t number)
{
    return apitrace_index_function(finding->index, apitrace_walk_to(&finding->call.walk, number));
}

/* All calls that are listed so far. */
static int follow_all(struct apitrace_finder *finding)
{
    const struct apitrace_index *index = finding->index;
    int status = 0;

    finding->call.reader.size = index->stream.size;
    while (finding->order < index->listed && status == 0) {
        uint64_t number = apitrace_index_listed(index, finding->order);

        if (finding->order % CHECK_EVERY == 0 && cancel_requested(finding->cancel))
            return -EINTR;
        if (!finding->decided && draws(function_of(finding, number)))
            status = begin_implicit(finding);
        number = apitrace_index_listed(index, finding->order++);
        if (status == 0)
            status = follow(finding, number);
    }
    if (status == -EIO)
        finding->stopped = true;
    return status == -EIO ? 0 : status;
}

/* Frames whose drawables have sizes, or never will. */
static void settle(struct apitrace_finder *finding, uint64_t frames, bool final)
{
    struct apitrace_screens *screens = finding->screens;

    for (; finding->settled < frames; finding->settled++) {
        struct apitrace_screen *screen = &screens->frames[finding->settled];
        const struct apitrace_drawable_size *size;

        if (finding->settled >= finding->unsafe)
            screen->base = 0;
        if (screen->drawable == APITRACE_NO_DRAWABLE)
            continue;
        size = apitrace_drawables_size(finding->drawables, screen->drawable);
        if (size->width == 0 && !final)
            break;
        if (screen->width == 0 && size->width > 0) {
            screen->width = (uint16_t)size->first_width;
            screen->height = (uint16_t)size->first_height;
        } else if (screen->width == 0) {
            screen->width = (uint16_t)screens->drawables.list[screen->drawable].width;
            screen->height = (uint16_t)screens->drawables.list[screen->drawable].height;
        }
        screen->sized = (uint8_t)size->sized;
    }
}

/* What is read of frames before. */
static void mark_full(struct apitrace_finder *finding, uint64_t frames)
{
    uint32_t reach = UINT32_MAX;

    for (uint64_t n = frames; n-- > 0;) {
        reach = least(reach, finding->reaches[n]);
        finding->screens->frames[n].full = reach <= n;
    }
}

static int make_room(struct apitrace_finder *finding, uint64_t frames)
{
    struct apitrace_screens *screens = finding->screens;
    uint64_t before = screens->frame_room;

    while (screens->frame_room <= frames)
        if (apitrace_grow(&screens->frames, screens->frame_room, &screens->frame_room,
                          sizeof(*screens->frames), &screens->memory) < 0)
            return -ENOMEM;
    while (finding->reach_room <= frames)
        if (apitrace_grow(&finding->reaches, finding->reach_room, &finding->reach_room,
                          sizeof(*finding->reaches), &finding->memory) < 0)
            return -ENOMEM;
    for (uint64_t n = before; n < screens->frame_room; n++) {
        screens->frames[n] = (struct apitrace_screen){.drawable = APITRACE_NO_DRAWABLE};
        finding->reaches[n] = UINT32_MAX;
    }
    return 0;
}

int apitrace_finder_go(struct apitrace_finder *finder, bool final, uint64_t *settled)
{
    const struct apitrace_index *index = finder->index;
    uint64_t frames = final ? index->frame_count : index->finished_frames;
    int status = make_room(finder, frames);

    if (status == 0 && !finder->stopped)
        status = follow_all(finder);
    if (status < 0)
        return status;
    /* Calls after the last swap that draw nothing are a program's end. */
    if (final && !finder->stopped && finder->frame < frames)
        show(finder, index->frames[finder->frame].draws > 0
                         ? apitrace_drawables_find(finder->drawables, finder->last_shown)
                         : NULL);
    apitrace_drawables_tell_sizes(finder->drawables);
    tell_api(finder);
    settle(finder, frames, final);
    if (final) {
        mark_full(finder, frames);
        finder->screens->unsafe = finder->unsafe;
        apitrace_targets_finish(&finder->screens->targets);
    }
    *settled = finder->settled;
    return 0;
}

static void clear_finding(struct apitrace_finder *finding)
{
    apitrace_drawables_finish(finding->drawables);
    apitrace_currents_clear(&finding->currents);
    apitrace_call_clear(&finding->call);
    apitrace_free(finding->reaches, &finding->memory);
}

int apitrace_finder_create(const struct apitrace_index *index, const struct cancel *cancel,
                           struct apitrace_screens *screens, struct apitrace_finder **out)
{
    struct apitrace_finder *finder = calloc(1, sizeof(*finder));

    *out = finder;
    if (finder == NULL)
        return -ENOMEM;
    *screens = (struct apitrace_screens){.memory = {.reserve = index->memory.reserve}};
    finder->index = index;
    finder->cancel = cancel;
    finder->screens = screens;
    finder->drawables = &screens->drawables;
    finder->unsafe = UINT32_MAX;
    apitrace_call_init(&finder->call, index, cancel);
    return 0;
}

void apitrace_finder_destroy(struct apitrace_finder **finder)
{
    if (*finder != NULL)
        clear_finding(*finder);
    free(*finder);
    *finder = NULL;
}

int apitrace_screens_find(const struct apitrace_index *index, const struct cancel *cancel,
                          struct apitrace_screens *out)
{
    struct apitrace_finder *finder = NULL;
    uint64_t settled;
    int status = apitrace_finder_create(index, cancel, out, &finder);

    if (status == 0)
        status = apitrace_finder_go(finder, true, &settled);
    apitrace_finder_destroy(&finder);
    return status;
}

void apitrace_screens_clear(struct apitrace_screens *screens)
{
    apitrace_targets_clear(&screens->targets);
    apitrace_drawables_clear(&screens->drawables);
    apitrace_free(screens->frames, &screens->memory);
    *screens = (struct apitrace_screens){0};
}
