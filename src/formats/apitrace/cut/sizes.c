/* SPDX-License-Identifier: MIT */
/*
 * Finds the sizes of all frames' cuts in one pass over the calls, so that the size of frame.trace
 * is known without making it. The cut of a frame consists of these parts (apitrace_cut_keeps()):
 *
 * - the header, with the property of window.c;
 * - the calls that every later cut has as well (`always`);
 * - the call that ends this frame (`own`), but not those that end earlier frames;
 * - draws that may be skipped (`draws`), but only those from frame drawn_from() on;
 * - each definition that one of these calls refers to, once.
 *
 * A definition counts with the first of these calls that applies. If a call of `always` has
 * referred to it, it is part of `always`. Otherwise, if a draw of the cut refers to it: whether any
 * draw from drawn_from() on does is known from the last frame whose draws do. So its bytes are
 * stored by that frame (`drawn`), and the bytes from drawn_from() on are summed up; a Fenwick tree
 * makes both fast. Otherwise, if the frame's ending call refers to it, it is part of `own`.
 */
#include "base/string.h"
#include "formats/apitrace/cut/cut.h"

#include <errno.h>
#include <stdlib.h>

enum { CHECK_EVERY = 4096, WORD_BITS = 64, GL_TIME_ELAPSED = 0x88BF };

/* The calls that refer to a definition. The frames are stored plus one; 0: none. */
struct reference {
    bool always; /* a call that all cuts from here on have refers to it */
    /* The last frame whose draws refer to it, and the last one whose ending call does. */
    uint32_t drawn, end;
};

struct sizer {
    struct apitrace_cuts *cuts;
    const struct cancel *cancel;
    struct apitrace_call call;
    struct reference *references; /* by serial */
    uint64_t always;              /* bytes that all cuts from here on have */
    uint64_t draws;               /* bytes of draws so far in frames that may be skipped */
    uint64_t *draws_before;       /* what `draws` was at the beginning of each frame */
    /*
     * Bytes of definitions that draws refer to, but no call of `always`, by the last frame whose
     * draws do: a Fenwick tree over the frames, with indices from 1 on.
     */
    uint64_t *drawn;
    uint64_t own; /* bytes that only the cut of the current frame has */
    uint32_t frame;
    enum apitrace_cut_kind kind; /* of the current call */
    uint64_t defined;            /* bytes of the definitions in the current call */
    unsigned compiling;          /* depth of display lists being compiled */
    bool captures, counts;       /* transform feedback is active; a query has counted */
};

/* Functions. */

static bool begins(const struct apitrace_function *function, const char *with)
{
    return string_begins(function->name.bytes, with);
}

/* Returns whether the function draws at once and does nothing else. */
static bool is_plain_draw(const struct apitrace_function *function)
{
    return apitrace_function_draws(function) && !begins(function, "glDrawPixels") &&
           (begins(function, "glDraw") || begins(function, "glMultiDraw") ||
            begins(function, "glRect") || function->semantic == APITRACE_CLEAR);
}

/*
 * Returns whether the call only returns something that the player does not need, and is no marker.
 */
static bool asks(const struct apitrace_function *function)
{
    return (function->classes & APITRACE_NO_EFFECT) != 0 &&
           (function->classes & APITRACE_MARKER) == 0 && function->semantic != APITRACE_TELLS &&
           function->semantic < APITRACE_OF_SHADERS;
}

/*
 * Calls that end frames in Direct3D may have other effects, too, so they are kept. If something is
 * drawn on before any context is current, any call may determine its API, so all calls are kept.
 */
static enum apitrace_cut_kind kind_of(const struct apitrace_cuts *cuts,
                                      const struct apitrace_function *function)
{
    if (function->classes & APITRACE_END_FRAME)
        return function->semantic == APITRACE_SWAP || begins(function, "wgl") ||
                       begins(function, "gl")
                   ? APITRACE_CUT_END
                   : APITRACE_CUT_KEPT;
    if (cuts->implicit)
        return APITRACE_CUT_KEPT;
    if (asks(function))
        return APITRACE_CUT_ASKS;
    return is_plain_draw(function) ? APITRACE_CUT_DRAW : APITRACE_CUT_KEPT;
}

/* Which calls a cut has. */

static bool is_skipped(const struct apitrace_cuts *cuts, uint64_t number)
{
    return (cuts->skipped[number / WORD_BITS] >> number % WORD_BITS & 1) != 0;
}

/* The picture of an unfinished frame is the one after its last draw. */
static uint64_t end_of(const struct apitrace_cuts *cuts, uint64_t frame)
{
    const struct apitrace_frame_record *record = &cuts->index->frames[frame];

    return record->function != APITRACE_NO_FUNCTION ||
                   cuts->presentation->frames[frame].drawable == APITRACE_NO_DRAWABLE
               ? record->end
               : apitrace_index_at(cuts->index, cuts->presentation->last_draw).order + 1;
}

static uint32_t drawn_from(const struct apitrace_cuts *cuts, uint64_t frame)
{
    uint32_t base = cuts->presentation->frames[frame].base;

    return base < frame ? base : (uint32_t)frame;
}

void apitrace_cut_init(struct apitrace_cut *cut, const struct apitrace_cuts *cuts, uint64_t first,
                       uint64_t last)
{
    *cut = (struct apitrace_cut){.cuts = cuts,
                                 .first = (uint32_t)first,
                                 .last = (uint32_t)last,
                                 .drawn = (uint32_t)first,
                                 .end = end_of(cuts, last)};
    for (uint64_t frame = first; frame <= last; frame++) {
        uint32_t drawn = drawn_from(cuts, frame);

        cut->drawn = drawn < cut->drawn ? drawn : cut->drawn;
    }
}

bool apitrace_cut_keeps(const struct apitrace_cut *cut, const struct apitrace_record *record)
{
    const struct apitrace_cuts *cuts = cut->cuts;

    if (record->order >= cut->end || record->function == APITRACE_NO_FUNCTION)
        return false;
    switch (cuts->kinds[record->function]) {
    case APITRACE_CUT_ASKS:
        return false;
    case APITRACE_CUT_END:
        return apitrace_index_frame(cuts->index, record->order) >= cut->first;
    case APITRACE_CUT_DRAW:
        return !is_skipped(cuts, record->number) ||
               apitrace_index_frame(cuts->index, record->order) >= cut->drawn;
    default:
        return true;
    }
}

/* The conditions under which the graphics worker skips a draw (worker.md 6). */

static bool leaves_nothing(const struct sizer *sizer, uint64_t order)
{
    const struct apitrace_target *target;

    if (sizer->compiling > 0 || sizer->captures || sizer->counts)
        return false;
    target = apitrace_targets_find(&sizer->cuts->presentation->targets, order);
    return target != NULL && target->kind == APITRACE_TARGET_DRAWABLE && target->framebuffer == 0;
}

static int follow_state(struct sizer *sizer, const struct apitrace_function *function,
                        uint64_t number)
{
    int status = 0;

    switch (function->semantic) {
    case APITRACE_NEW_LIST:
        sizer->compiling++;
        break;
    case APITRACE_END_LIST:
        sizer->compiling -= sizer->compiling > 0;
        break;
    case APITRACE_BEGIN_CAPTURE:
        sizer->captures = true;
        break;
    case APITRACE_END_CAPTURE:
        sizer->captures = false;
        break;
    case APITRACE_BEGIN_QUERY:
        status = apitrace_call_read(&sizer->call, number);
        if (status == 0 && apitrace_call_operand(&sizer->call, 0) != GL_TIME_ELAPSED)
            sizer->counts = true;
        break;
    default:
        break;
    }
    return status;
}

/* Sums. */

/* Adds to the bytes of frame `frame` - 1; the addend may wrap, to subtract. */
static void add_drawn(struct sizer *sizer, uint64_t frame, uint64_t bytes)
{
    for (; frame <= sizer->cuts->index->frame_count; frame += frame & (0 - frame))
        sizer->drawn[frame] += bytes;
}

/* Returns the sum over the frames before `frame`. */
static uint64_t sum_drawn(const struct sizer *sizer, uint64_t frame)
{
    uint64_t sum = 0;

    for (; frame > 0; frame &= frame - 1)
        sum += sizer->drawn[frame];
    return sum;
}

/*
 * Moves a definition to the draws of `frame`, the current frame plus one, or to none if that is 0.
 */
static void move_drawn(struct sizer *sizer, struct reference *reference, uint64_t bytes,
                       uint32_t frame)
{
    if (reference->drawn > 0)
        add_drawn(sizer, reference->drawn, 0 - bytes);
    if (frame > 0)
        add_drawn(sizer, frame, bytes);
    reference->drawn = frame;
}

static void refer(void *context, const struct apitrace_definition *definition, uint64_t position)
{
    struct sizer *sizer = context;
    struct reference *reference = &sizer->references[definition->serial];

    if (definition->position == position)
        sizer->defined += definition->bytes;
    if (reference->always)
        return;
    if (sizer->kind == APITRACE_CUT_KEPT) {
        reference->always = true;
        sizer->always += definition->bytes;
        move_drawn(sizer, reference, definition->bytes, 0);
    } else if (sizer->kind == APITRACE_CUT_DRAW && reference->drawn <= sizer->frame) {
        move_drawn(sizer, reference, definition->bytes, sizer->frame + 1);
    } else if (sizer->kind == APITRACE_CUT_END && reference->end <= sizer->frame) {
        reference->end = sizer->frame + 1;
        if (reference->drawn <= drawn_from(sizer->cuts, sizer->frame))
            sizer->own += definition->bytes;
    }
}

/*
 * Measures a call without the definitions in it. refer() is called for each definition that the
 * call refers to.
 */
static int measure(struct sizer *sizer, uint64_t number, uint64_t *bytes)
{
    static const struct apitrace_details nobody = {0};
    struct apitrace_call *call = &sizer->call;

    apitrace_call_choose(call, number);
    sizer->defined = 0;
    call->reader.refers = refer;
    call->reader.refers_context = sizer;
    *bytes = call->record->enter_bytes;
    if (apitrace_call_enter(call))
        apitrace_scan_details(&call->reader, call->definitions, call->function->argument_count,
                              &nobody);
    if (call->reader.status == 0 && apitrace_call_leave(call)) {
        *bytes += call->record->leave_bytes;
        apitrace_scan_details(&call->reader, call->definitions, call->function->argument_count,
                              &nobody);
    }
    call->reader.refers = NULL;
    *bytes -= sizer->defined;
    return apitrace_call_status(call);
}

static void end_frame(struct sizer *sizer)
{
    uint32_t drawn = drawn_from(sizer->cuts, sizer->frame);
    const struct apitrace_cut cut = {
        .cuts = sizer->cuts, .first = sizer->frame, .last = sizer->frame};
    char window[APITRACE_CUT_WINDOW];

    sizer->cuts->sizes[sizer->frame] =
        sizer->cuts->header_size + apitrace_cut_window(&cut, window) + sizer->always + sizer->own +
        (sizer->draws - sizer->draws_before[drawn]) +
        (sum_drawn(sizer, sizer->frame + 1) - sum_drawn(sizer, drawn));
    sizer->own = 0;
    sizer->frame++;
    sizer->draws_before[sizer->frame] = sizer->draws;
}

/* Draws in frames that are always drawn count like other calls. */
static enum apitrace_cut_kind kind_of_call(struct sizer *sizer,
                                           const struct apitrace_record *record)
{
    enum apitrace_cut_kind kind = sizer->cuts->kinds[record->function];

    if (kind != APITRACE_CUT_DRAW)
        return kind;
    if (sizer->cuts->presentation->frames[sizer->frame].full ||
        !leaves_nothing(sizer, record->order))
        return APITRACE_CUT_KEPT;
    sizer->cuts->skipped[record->number / WORD_BITS] |= UINT64_C(1) << record->number % WORD_BITS;
    return kind;
}

static int add(struct sizer *sizer, uint64_t number)
{
    const struct apitrace_record record = *apitrace_walk_to(&sizer->call.walk, number);
    uint64_t bytes = 0;
    int status = follow_state(sizer, apitrace_index_function(sizer->cuts->index, &record), number);

    sizer->kind = kind_of_call(sizer, &record);
    if (status == 0 && sizer->kind != APITRACE_CUT_ASKS)
        status = measure(sizer, number, &bytes);
    switch (sizer->kind) {
    case APITRACE_CUT_KEPT:
        sizer->always += bytes;
        break;
    case APITRACE_CUT_DRAW:
        sizer->draws += bytes;
        break;
    case APITRACE_CUT_END:
        sizer->own += bytes;
        break;
    default:
        break;
    }
    return status;
}

static int add_frame(struct sizer *sizer)
{
    const struct apitrace_index *index = sizer->cuts->index;
    uint64_t order = index->frames[sizer->frame].first, end = end_of(sizer->cuts, sizer->frame);
    int status = 0;

    for (; order < end && status == 0; order++)
        status = order % CHECK_EVERY == 0 && cancel_requested(sizer->cancel)
                     ? -EINTR
                     : add(sizer, apitrace_index_listed(index, order));
    if (status == 0)
        end_frame(sizer);
    return status;
}

/* The complete pass. */

static int begin_sizes(struct sizer *sizer)
{
    struct apitrace_cuts *cuts = sizer->cuts;
    const struct apitrace_index *index = cuts->index;
    uint64_t frames = index->frame_count, definitions = index->definitions.count;

    cuts->sizes = calloc((size_t)frames + 1, sizeof(*cuts->sizes));
    cuts->kinds = calloc((size_t)index->definitions.functions.count + 1, sizeof(*cuts->kinds));
    cuts->skipped = calloc((size_t)(index->calls.count / WORD_BITS) + 1, sizeof(*cuts->skipped));
    sizer->references = calloc((size_t)definitions + 1, sizeof(*sizer->references));
    sizer->draws_before = calloc((size_t)frames + 1, sizeof(*sizer->draws_before));
    sizer->drawn = calloc((size_t)frames + 1, sizeof(*sizer->drawn));
    if (cuts->sizes == NULL || cuts->kinds == NULL || cuts->skipped == NULL ||
        sizer->references == NULL || sizer->draws_before == NULL || sizer->drawn == NULL)
        return -ENOMEM;
    for (uint32_t n = 0; n < index->definitions.functions.count; n++)
        cuts->kinds[n] = (uint8_t)kind_of(cuts, apitrace_function_at(&index->definitions, n));
    return 0;
}

static bool is_implicit(const struct apitrace_presentation *presentation)
{
    return presentation->drawables.count > 0 &&
           presentation->drawables.list[0].handle == APITRACE_IMPLICIT_DRAWABLE;
}

int apitrace_cuts_find(const struct apitrace_index *index,
                       const struct apitrace_presentation *presentation,
                       const struct cancel *cancel, struct apitrace_cuts *out)
{
    struct sizer sizer = {.cuts = out, .cancel = cancel};
    int status;

    *out = (struct apitrace_cuts){.index = index,
                                  .presentation = presentation,
                                  .header_size = index->header_size,
                                  .implicit = is_implicit(presentation)};
    apitrace_call_init(&sizer.call, index, cancel);
    status = begin_sizes(&sizer);
    while (status == 0 && sizer.frame < index->frame_count)
        status = add_frame(&sizer);
    out->frame_count = sizer.frame;
    apitrace_call_clear(&sizer.call);
    free(sizer.references);
    free(sizer.draws_before);
    free(sizer.drawn);
    return status;
}

void apitrace_cuts_clear(struct apitrace_cuts *cuts)
{
    free(cuts->sizes);
    free(cuts->kinds);
    free(cuts->skipped);
    *cuts = (struct apitrace_cuts){0};
}
