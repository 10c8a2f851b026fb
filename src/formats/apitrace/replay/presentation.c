/* SPDX-License-Identifier: MIT */
/*
 * For each drawable the frames are known since which its colours, depths and stencil values have
 * been drawn: a clear that covers everything begins them anew, and what is drawn with a test
 * depends on what is tested. If something reads a drawable, the frames since then are marked, and
 * the player draws them even when it skips frames.
 */
#include "formats/apitrace/replay/presentation.h"

#include "formats/apitrace/replay/context_state.h"
#include "image/picture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_EVERY = 4096 };

/* Calls with these topics are read. */
enum { TOPICS = APITRACE_OF_CONTEXT | APITRACE_OF_TARGETS | APITRACE_OF_FRAMES };

enum { GL_COLOUR_BIT = 0x4000, GL_DEPTH_BIT = 0x100, GL_STENCIL_BIT = 0x400 };
enum { GL_SHADER_STORAGE_BUFFER = 0x90D2, GL_ATOMIC_COUNTER_BUFFER = 0x92C0 };

struct apitrace_finder {
    const struct apitrace_index *index;
    const struct cancel *cancel;
    struct apitrace_presentation *presentation;
    struct apitrace_drawables *drawables; /* `presentation`'s */
    struct apitrace_call call;
    struct apitrace_context_states states;
    uint64_t order;   /* of the next call */
    uint64_t settled; /* frames that are final */
    uint32_t frame;
    uint32_t unsafe;   /* from this frame on, none may be skipped */
    uint32_t *reaches; /* for each frame: the frame since which what it reads was drawn */
    uint64_t reach_room;
    struct apitrace_memory memory; /* of `reaches` */
    bool stopped;                  /* a call could not be read; earlier results stay valid */
    uint64_t drawn;                /* number of frames up to the one with the last draw */
    uint64_t last_shown;           /* handle of the drawable at the last draw */
    bool implicit;                 /* threads without a context have APITRACE_IMPLICIT_DRAWABLE */
    /* `implicit` is final, since a context was current, or something was drawn without one. */
    bool decided;
    uint32_t kept;      /* frames before this one keep the results from before begin_implicit() */
    uint32_t functions; /* number of functions checked so far for `opengl` */
    bool opengl;        /* one of them exists in OpenGL, but not in OpenGL ES */
};

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the frame since which all planes of a drawable have been drawn. */
static uint32_t whole_of(const struct apitrace_drawable *drawable)
{
    return min(drawable->colour, min(drawable->depth, drawable->stencil));
}

/*
 * Returns the drawable of framebuffer 0; NULL if there is none, or a framebuffer object is bound.
 */
static struct apitrace_drawable *target_of(const struct apitrace_finder *finder,
                                           const struct apitrace_binding *binding)
{
    return binding->context->draw == 0 && binding->draw != 0
               ? apitrace_drawables_find(finder->drawables, binding->draw)
               : NULL;
}

/*
 * Implicit contexts: of traces that begin in the middle, or were recorded without a window system.
 */

static bool makes_current(const struct apitrace_function *function)
{
    return function->semantic == APITRACE_MAKE_CURRENT ||
           function->semantic == APITRACE_CGL_MAKE_CURRENT;
}

/* EGL contexts are for OpenGL ES unless a function is met, maybe late, that only OpenGL has. */
static void tell_api(struct apitrace_finder *finder)
{
    const struct apitrace_index *index = finder->index;

    for (; finder->functions < index->definitions.functions.count; finder->functions++)
        finder->opengl |= (apitrace_function_at(&index->definitions, finder->functions)->classes &
                           APITRACE_FULL_GL) != 0;
    apitrace_drawables_tell_api(finder->drawables, !finder->opengl && index->api == APITRACE_EGL);
}

/*
 * Starts over with an implicit drawable, which exists from the first call on, because something is
 * drawn before any context is current. Frames so far, in which nothing was drawn, keep their
 * results.
 */
static int begin_implicit(struct apitrace_finder *finder)
{
    apitrace_context_states_clear(&finder->states);
    apitrace_targets_clear(&finder->presentation->targets);
    finder->kept = finder->frame;
    finder->implicit = finder->decided = true;
    finder->order = 0;
    finder->frame = 0;
    finder->drawn = 0;
    finder->unsafe = UINT32_MAX;
    for (uint64_t n = 0; n <= finder->kept; n++)
        finder->reaches[n] = UINT32_MAX;
    for (uint64_t n = finder->settled; n < finder->kept; n++)
        if (finder->presentation->frames[n].drawable != APITRACE_NO_DRAWABLE)
            finder->presentation->frames[n].drawable++;
    return apitrace_drawables_begin_implicit(finder->drawables);
}

/* Gives a thread without a context the implicit drawable, until the trace's first own context. */
static void assume(struct apitrace_finder *finder, struct apitrace_binding *binding)
{
    if (binding->context->handle == 0 && binding->draw == 0)
        binding->draw = binding->read = APITRACE_IMPLICIT_DRAWABLE;
    else if (binding->context->handle != 0)
        finder->implicit = false;
}

/* Sizes. */

/* If a context draws or clears with a viewport, that is a viewport of the window. */
static void use_viewport(const struct apitrace_finder *finder,
                         const struct apitrace_binding *binding)
{
    struct apitrace_context *context = binding->context;
    struct apitrace_drawable *drawable = target_of(finder, binding);

    if (!context->viewport_unused || drawable == NULL)
        return;
    apitrace_drawables_grow(finder->drawables, drawable, context->viewport[0],
                            context->viewport[1]);
    context->viewport_unused = false;
}

static bool uses_viewport(const struct apitrace_function *function)
{
    return function->semantic == APITRACE_CLEAR_BUFFER ||
           ((function->classes & APITRACE_RENDER) != 0 && function->semantic != APITRACE_BLIT &&
            function->semantic != APITRACE_BLIT_NAMED);
}

/*
 * Takes a viewport. One that the tracer inserted is the window's size; others count once something
 * is drawn with them.
 */
static void set_viewport(struct apitrace_finder *finder, struct apitrace_binding *binding)
{
    struct apitrace_call *call = &finder->call;
    unsigned semantic = call->function->semantic;
    struct apitrace_drawable *drawable = target_of(finder, binding);
    bool array = semantic == APITRACE_VIEWPORT_ARRAY || semantic == APITRACE_VIEWPORT_INDEXED_V;
    uint32_t first = semantic == APITRACE_VIEWPORT_INDEXED ? 1 : 0;
    int64_t box[4] = {0};

    if (semantic != APITRACE_VIEWPORT && apitrace_call_integer(call, 0, 0) != 0)
        return; /* only viewport 0 counts */
    if (array)
        apitrace_call_array(call, semantic == APITRACE_VIEWPORT_ARRAY ? 2 : 1, box, 4);
    for (uint32_t n = 0; n < 4 && !array; n++)
        box[n] = apitrace_call_integer(call, first + n, 0);
    binding->context->viewport_unused = false;
    box[2] = box[2] > 0 ? box[0] + box[2] : 0;
    box[3] = box[3] > 0 ? box[1] + box[3] : 0;
    if (drawable == NULL || box[2] <= 0 || box[3] <= 0 || box[2] > PICTURE_MAX ||
        box[3] > PICTURE_MAX)
        return;
    binding->context->viewport[0] = (uint32_t)box[2];
    binding->context->viewport[1] = (uint32_t)box[3];
    binding->context->viewport_unused = true;
    if (call->record->marks & APITRACE_FAKE)
        use_viewport(finder, binding);
    else
        apitrace_drawables_lend(finder->drawables, drawable, box[2], box[3]);
}

/* Since when contents have been drawn. */

/* Returns whether the scissor lets all pixels pass. */
static bool is_open(const struct apitrace_finder *finder, const struct apitrace_context *context,
                    const struct apitrace_drawable *drawable)
{
    return (context->hazards & APITRACE_SCISSORED) == 0 ||
           ((context->hazards & APITRACE_OTHER_BOX) == 0 &&
            apitrace_drawables_cover(finder->drawables, drawable, context->scissor));
}

static void clear(struct apitrace_finder *finder, const struct apitrace_binding *binding)
{
    const struct apitrace_context *context = binding->context;
    struct apitrace_drawable *drawable = target_of(finder, binding);
    int64_t bits = apitrace_call_integer(&finder->call, 0, 0);

    if (drawable == NULL || context->compiling || !is_open(finder, context, drawable))
        return;
    if (bits & GL_COLOUR_BIT &&
        (context->hazards & (APITRACE_COLOUR_MASKED | APITRACE_OTHER_BUFFER)) == 0)
        drawable->colour = finder->frame;
    if (bits & GL_DEPTH_BIT && (context->hazards & APITRACE_DEPTH_MASKED) == 0)
        drawable->depth = finder->frame;
    if (bits & GL_STENCIL_BIT && (context->hazards & APITRACE_STENCIL_MASKED) == 0)
        drawable->stencil = finder->frame;
}

/* What is drawn with a test depends on what is tested. */
static void draw(const struct apitrace_finder *finder, const struct apitrace_binding *binding)
{
    struct apitrace_drawable *drawable = target_of(finder, binding);
    unsigned hazards = binding->context->hazards;

    if (drawable == NULL || (hazards & (APITRACE_DEPTH_TESTED | APITRACE_STENCIL_TESTED)) == 0)
        return;
    if (hazards & APITRACE_STENCIL_TESTED) {
        drawable->colour = min(drawable->colour, drawable->stencil);
        drawable->depth = min(drawable->depth, drawable->stencil);
    }
    if (hazards & APITRACE_DEPTH_TESTED) {
        drawable->colour = min(drawable->colour, drawable->depth);
        drawable->stencil = min(drawable->stencil, drawable->depth);
    }
}

/* Notes that something reads what was drawn. */
static void read_drawable(struct apitrace_finder *finder, const struct apitrace_binding *binding)
{
    const struct apitrace_drawable *drawable =
        apitrace_drawables_find(finder->drawables, binding->read);
    uint32_t *reach = &finder->reaches[finder->frame];

    if (binding->context->compiling)
        finder->unsafe = min(finder->unsafe, finder->frame);
    if (binding->context->read == 0 && drawable != NULL)
        *reach = min(*reach, whole_of(drawable));
}

static void blit(struct apitrace_finder *finder, const struct apitrace_binding *binding,
                 uint32_t first)
{
    struct apitrace_call *call = &finder->call;
    struct apitrace_drawable *drawable = target_of(finder, binding);
    int64_t x0 = apitrace_call_integer(call, first, 0);
    int64_t y0 = apitrace_call_integer(call, first + 1, 0);
    int64_t x1 = apitrace_call_integer(call, first + 2, 0);
    int64_t y1 = apitrace_call_integer(call, first + 3, 0);
    const int64_t box[] = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, llabs(x1 - x0), llabs(y1 - y0)};

    if (drawable == NULL || box[2] == 0 || box[3] == 0)
        return;
    apitrace_drawables_lend(finder->drawables, drawable, box[0] + box[2], box[1] + box[3]);
    if (apitrace_call_integer(call, first + 4, 0) & GL_COLOUR_BIT &&
        apitrace_drawables_cover(finder->drawables, drawable, box) &&
        is_open(finder, binding->context, drawable) && binding->context->read != 0 &&
        (binding->context->hazards & APITRACE_OTHER_BUFFER) == 0)
        drawable->colour = finder->frame;
}

/* For this call, the framebuffers that it names count as bound. */
static void blit_named(struct apitrace_finder *finder, const struct apitrace_binding *binding)
{
    struct apitrace_context context = *binding->context;
    struct apitrace_binding as_if = *binding;

    context.read = (uint32_t)apitrace_call_integer(&finder->call, 0, 0);
    context.draw = (uint32_t)apitrace_call_integer(&finder->call, 1, 0);
    as_if.context = &context;
    read_drawable(finder, &as_if);
    blit(finder, &as_if, 6);
}

/* Pixels read into memory are in the trace, so only those read into a buffer matter. */
static bool reads_into_buffer(struct apitrace_call *call)
{
    struct apitrace_value value;

    return apitrace_call_argument(call, call->function->argument_count - 1, &value) &&
           value.type != APITRACE_BLOB;
}

/* Shaders may then write more than pixels. */
static bool is_written_by_shaders(int64_t target)
{
    return target == GL_SHADER_STORAGE_BUFFER || target == GL_ATOMIC_COUNTER_BUFFER;
}

static int look_at(struct apitrace_finder *finder, struct apitrace_binding *binding)
{
    struct apitrace_call *call = &finder->call;

    switch (call->function->semantic) {
    case APITRACE_CREATE_DRAWABLE:
    case APITRACE_PBUFFER_DC:
    case APITRACE_CHOOSE_CONFIG:
    case APITRACE_REPORT_CONFIG:
    case APITRACE_CONVERT_CONFIG:
    case APITRACE_SET_CONFIG:
    case APITRACE_CREATE_CONTEXT:
        return apitrace_drawables_follow(finder->drawables, call, finder->frame);
    case APITRACE_VIEWPORT:
    case APITRACE_VIEWPORT_ARRAY:
    case APITRACE_VIEWPORT_INDEXED:
    case APITRACE_VIEWPORT_INDEXED_V:
        set_viewport(finder, binding);
        break;
    case APITRACE_CLEAR:
        clear(finder, binding);
        break;
    case APITRACE_BLIT:
        read_drawable(finder, binding);
        blit(finder, binding, 4);
        break;
    case APITRACE_BLIT_NAMED:
        blit_named(finder, binding);
        break;
    case APITRACE_COPY:
    case APITRACE_COPY_IMAGE:
        read_drawable(finder, binding);
        break;
    case APITRACE_READ_PIXELS:
        if (reads_into_buffer(call))
            read_drawable(finder, binding);
        break;
    case APITRACE_BIND_BUFFER_INDEXED:
        if (is_written_by_shaders(apitrace_call_integer(call, 0, 0)))
            finder->unsafe = min(finder->unsafe, finder->frame);
        break;
    case APITRACE_UNSAFE:
        finder->unsafe = min(finder->unsafe, finder->frame);
        break;
    default:
        break;
    }
    return 0;
}

/* Frames. */

/* Returns the drawable that is shown: the one that a call swaps, otherwise the current one. */
static struct apitrace_drawable *shown(struct apitrace_finder *finder,
                                       const struct apitrace_binding *binding)
{
    struct apitrace_drawable *drawable = NULL;

    if (finder->call.function->semantic == APITRACE_SWAP)
        drawable = apitrace_drawables_find(finder->drawables,
                                           (uint64_t)apitrace_call_operand(&finder->call, 0));
    return drawable != NULL ? drawable : apitrace_drawables_find(finder->drawables, binding->draw);
}

/*
 * Sets what the frame shows. A drawable of unknown size is at least as large as its suggested size.
 */
static void show(struct apitrace_finder *finder, struct apitrace_drawable *drawable)
{
    struct apitrace_presented_frame *presented = &finder->presentation->frames[finder->frame];
    const struct apitrace_drawable_size *size;

    if (drawable == NULL || finder->frame < finder->kept)
        return;
    size = apitrace_drawables_size(finder->drawables, drawable->place);
    if (size->width == 0)
        apitrace_drawables_grow(finder->drawables, drawable, size->lent_width, size->lent_height);
    presented->drawable = drawable->place;
    presented->width = (uint16_t)size->width;
    presented->height = (uint16_t)size->height;
    presented->base = drawable->colour;
    presented->whole = whole_of(drawable);
}

/* Notes what a call draws on. */
static int follow_draw(struct apitrace_finder *finder, const struct apitrace_binding *binding,
                       const struct apitrace_record *record)
{
    const struct apitrace_drawable *drawable = target_of(finder, binding);

    draw(finder, binding);
    finder->drawn = (uint64_t)finder->frame + 1;
    finder->presentation->last_draw = record->number;
    /* A draw that never returned is listed after the calls that ended its context. */
    if (binding->draw != 0 || (record->marks & APITRACE_INCOMPLETE) == 0)
        finder->last_shown = binding->draw;
    return apitrace_targets_draw(&finder->presentation->targets, record->order, binding,
                                 drawable != NULL ? drawable->place : APITRACE_NO_DRAWABLE,
                                 drawable != NULL ? drawable->colour : 0,
                                 drawable != NULL ? whole_of(drawable) : 0);
}

/* For a call that names the framebuffer that it draws on, that one counts as bound. */
static int follow_named_draw(struct apitrace_finder *finder, const struct apitrace_binding *binding,
                             const struct apitrace_record *record)
{
    struct apitrace_context context = *binding->context;
    struct apitrace_binding as_if = *binding;
    int status = apitrace_call_read(&finder->call, record->number);

    if (status < 0)
        return status;
    context.draw = (uint32_t)apitrace_call_operand(&finder->call, 0);
    as_if.context = &context;
    return follow_draw(finder, &as_if, record);
}

static int follow(struct apitrace_finder *finder, uint64_t number)
{
    struct apitrace_call *call = &finder->call;
    const struct apitrace_record *record = apitrace_walk_to(&call->walk, number);
    const struct apitrace_function *function = apitrace_index_function(finder->index, record);
    bool followed = apitrace_context_state_follows(function->semantic);
    bool read = (function->semantic & TOPICS) != 0;
    bool ends = (function->classes & APITRACE_END_FRAME) != 0;
    struct apitrace_binding *binding;
    int status = 0;

    if (!read && !ends && (function->classes & APITRACE_RENDER) == 0 && !uses_viewport(function))
        return 0;
    binding = apitrace_binding_of(&finder->states, record->thread);
    if (binding == NULL)
        return -ENOMEM;
    if (finder->implicit)
        assume(finder, binding);
    if (uses_viewport(function))
        use_viewport(finder, binding);
    if (apitrace_function_names_target(function))
        status = follow_named_draw(finder, binding, record);
    else if ((function->classes & APITRACE_RENDER) != 0 || apitrace_function_draws(function))
        status = follow_draw(finder, binding, record);
    if (status < 0 || (!read && !ends))
        return status;
    status = apitrace_call_read(call, number);
    if (status == 0 && followed)
        status = apitrace_context_state_follow(&finder->states, call);
    if (status == 0 && makes_current(function))
        status = apitrace_drawables_meet(finder->drawables, binding, call->record->number,
                                         finder->frame);
    finder->decided |= binding->context->handle != 0;
    if (status == 0 && function->semantic & APITRACE_OF_TARGETS)
        status = apitrace_targets_follow(&finder->presentation->targets, binding, call);
    if (status == 0)
        status = look_at(finder, binding);
    if (status == 0 && ends) {
        draw(finder, binding);
        show(finder, shown(finder, binding));
        finder->frame++;
    }
    return status < 0 ? status : apitrace_call_status(call);
}

static const struct apitrace_function *function_of(struct apitrace_finder *finder, uint64_t number)
{
    return apitrace_index_function(finder->index, apitrace_walk_to(&finder->call.walk, number));
}

/* Follows all calls that are listed so far. */
static int follow_all(struct apitrace_finder *finder)
{
    const struct apitrace_index *index = finder->index;
    int status = 0;

    finder->call.reader.size = index->stream.size;
    while (finder->order < index->listed && status == 0) {
        uint64_t number = apitrace_index_listed(index, finder->order);

        if (finder->order % CHECK_EVERY == 0 && cancel_requested(finder->cancel))
            return -EINTR;
        if (!finder->decided && apitrace_function_draws(function_of(finder, number)))
            status = begin_implicit(finder);
        number = apitrace_index_listed(index, finder->order++);
        if (status == 0)
            status = follow(finder, number);
    }
    if (status == -EIO)
        finder->stopped = true;
    return status == -EIO ? 0 : status;
}

/* Settles frames whose drawables have a size, or never will. */
static void settle(struct apitrace_finder *finder, uint64_t frames, bool final)
{
    struct apitrace_presentation *presentation = finder->presentation;

    for (; finder->settled < frames; finder->settled++) {
        struct apitrace_presented_frame *presented = &presentation->frames[finder->settled];
        const struct apitrace_drawable_size *size;

        if (finder->settled >= finder->unsafe)
            presented->base = presented->whole = 0;
        if (presented->drawable == APITRACE_NO_DRAWABLE)
            continue;
        size = apitrace_drawables_size(finder->drawables, presented->drawable);
        if (size->width == 0 && !final)
            break;
        presented->late = presented->width == 0 && size->width > 0;
        if (presented->late) {
            presented->width = (uint16_t)size->first_width;
            presented->height = (uint16_t)size->first_height;
        } else if (presented->width == 0) {
            presented->width = (uint16_t)presentation->drawables.list[presented->drawable].width;
            presented->height = (uint16_t)presentation->drawables.list[presented->drawable].height;
        }
        presented->sized = (uint8_t)size->sized;
    }
}

/* Marks the frames that later ones read. */
static void mark_full(struct apitrace_finder *finder, uint64_t frames)
{
    uint32_t reach = UINT32_MAX;

    for (uint64_t n = frames; n-- > 0;) {
        reach = min(reach, finder->reaches[n]);
        finder->presentation->frames[n].full = reach <= n;
    }
}

static int make_room(struct apitrace_finder *finder, uint64_t frames)
{
    struct apitrace_presentation *presentation = finder->presentation;
    uint64_t before = presentation->frame_room;

    while (presentation->frame_room <= frames)
        if (apitrace_grow(&presentation->frames, presentation->frame_room,
                          &presentation->frame_room, sizeof(*presentation->frames),
                          &presentation->memory) < 0)
            return -ENOMEM;
    while (finder->reach_room <= frames)
        if (apitrace_grow(&finder->reaches, finder->reach_room, &finder->reach_room,
                          sizeof(*finder->reaches), &finder->memory) < 0)
            return -ENOMEM;
    for (uint64_t n = before; n < presentation->frame_room; n++) {
        presentation->frames[n] =
            (struct apitrace_presented_frame){.drawable = APITRACE_NO_DRAWABLE};
        finder->reaches[n] = UINT32_MAX;
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
    /* If the calls after the last swap draw nothing, they end the program and show nothing. */
    if (final && !finder->stopped && finder->frame < frames)
        show(finder, finder->drawn == (uint64_t)finder->frame + 1
                         ? apitrace_drawables_find(finder->drawables, finder->last_shown)
                         : NULL);
    apitrace_drawables_tell_sizes(finder->drawables);
    tell_api(finder);
    settle(finder, frames, final);
    if (final) {
        mark_full(finder, frames);
        finder->presentation->unsafe = finder->unsafe;
        apitrace_targets_finish(&finder->presentation->targets);
    }
    *settled = finder->settled;
    return 0;
}

bool apitrace_finder_is_certain(const struct apitrace_finder *finder)
{
    const struct apitrace_drawables *drawables = finder->drawables;

    return finder->decided && !finder->stopped &&
           (drawables->count == 0 || drawables->list[0].call != APITRACE_NO_CALL);
}

/* Returns what the property of a cut states. */
static struct apitrace_told_window told_window(const struct apitrace_index *index)
{
    struct apitrace_told_window told = {0};

    for (uint64_t n = 0; n < index->property_count; n++) {
        const struct apitrace_property *property = &index->properties[n];

        if (strcmp(property->name.bytes, APITRACE_WINDOW_PROPERTY) != 0)
            continue;
        if (sscanf(property->value.bytes, "%9" SCNu32 " %5" SCNu32 "x%5" SCNu32, &told.place,
                   &told.width, &told.height) != 3 ||
            told.width > PICTURE_MAX || told.height > PICTURE_MAX || told.height == 0)
            told = (struct apitrace_told_window){0};
    }
    return told;
}

static void clear_finding(struct apitrace_finder *finder)
{
    apitrace_drawables_finish(finder->drawables);
    apitrace_context_states_clear(&finder->states);
    apitrace_call_clear(&finder->call);
    apitrace_free(finder->reaches, &finder->memory);
}

int apitrace_finder_create(const struct apitrace_index *index, const struct cancel *cancel,
                           struct apitrace_presentation *presentation, struct apitrace_finder **out)
{
    struct apitrace_finder *finder = calloc(1, sizeof(*finder));

    *out = finder;
    if (finder == NULL)
        return -ENOMEM;
    *presentation = (struct apitrace_presentation){.memory = {.reserve = index->memory.reserve}};
    finder->index = index;
    finder->cancel = cancel;
    finder->presentation = presentation;
    finder->drawables = &presentation->drawables;
    finder->drawables->told = told_window(index);
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

int apitrace_presentation_find(const struct apitrace_index *index, const struct cancel *cancel,
                               struct apitrace_presentation *out)
{
    struct apitrace_finder *finder = NULL;
    uint64_t settled;
    int status = apitrace_finder_create(index, cancel, out, &finder);

    if (status == 0)
        status = apitrace_finder_go(finder, true, &settled);
    apitrace_finder_destroy(&finder);
    return status;
}

bool apitrace_presentation_draws(const struct apitrace_presentation *presentation,
                                 const struct apitrace_index *index, uint64_t frame,
                                 const struct apitrace_record *record)
{
    const struct apitrace_frame_record *bounds = &index->frames[frame];
    const struct apitrace_function *function = apitrace_index_function(index, record);
    const struct apitrace_target *target;

    if (record->order < bounds->first || record->order >= bounds->end || function == NULL ||
        !apitrace_function_draws(function))
        return false;
    target = apitrace_targets_find(&presentation->targets, record->order);
    return target == NULL || target->kind != APITRACE_TARGET_LIST;
}

void apitrace_presentation_clear(struct apitrace_presentation *presentation)
{
    apitrace_targets_clear(&presentation->targets);
    apitrace_drawables_clear(&presentation->drawables);
    apitrace_free(presentation->frames, &presentation->memory);
    *presentation = (struct apitrace_presentation){0};
}
