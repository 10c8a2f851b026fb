/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/context_state.h"

#include <errno.h>
#include <stdlib.h>

enum {
    DRAW_FRAMEBUFFER = 0x8CA9,
    STENCIL_BITS = 0xFF,
    NAMES_MAX = 256,
};

enum { GL_BACK_LEFT = 0x402, GL_BACK = 0x405, GL_FRONT_AND_BACK = 0x408 };

void apitrace_context_states_clear(struct apitrace_context_states *states)
{
    struct apitrace_binding *thread, *next;
    struct apitrace_context *context, *other;

    HASH_ITER (hh, states->threads, thread, next) {
        HASH_DEL(states->threads, thread);
        free(thread);
    }
    HASH_ITER (hh, states->contexts, context, other) {
        HASH_DEL(states->contexts, context);
        free(context);
    }
    *states = (struct apitrace_context_states){0};
}

/* Returns the context of that name. A new one has GL's initial state. */
static struct apitrace_context *find_context(struct apitrace_context_states *states,
                                             uint64_t handle)
{
    struct apitrace_context *context = NULL;

    HASH_FIND(hh, states->contexts, &handle, sizeof(handle), context);
    if (context != NULL)
        return context;
    context = calloc(1, sizeof(*context));
    if (context == NULL)
        return NULL;
    context->handle = handle;
    HASH_ADD(hh, states->contexts, handle, sizeof(context->handle), context);
    if (context->hh.tbl != NULL)
        return context;
    free(context);
    return NULL;
}

struct apitrace_binding *apitrace_binding_of(struct apitrace_context_states *states,
                                             uint32_t thread)
{
    struct apitrace_binding *binding = states->last;

    if (binding != NULL && binding->thread == thread)
        return binding;
    HASH_FIND(hh, states->threads, &thread, sizeof(thread), binding);
    if (binding == NULL) {
        binding = calloc(1, sizeof(*binding));
        if (binding == NULL)
            return NULL;
        binding->thread = thread;
        binding->context = find_context(states, 0);
        if (binding->context != NULL)
            HASH_ADD(hh, states->threads, thread, sizeof(thread), binding);
        if (binding->hh.tbl == NULL) {
            free(binding);
            return NULL;
        }
    }
    states->last = binding;
    return binding;
}

/* A call that failed changes nothing. */
static int make_current(struct apitrace_context_states *states, struct apitrace_binding *binding,
                        struct apitrace_call *call)
{
    struct apitrace_context *context;

    if (call->function->semantic == APITRACE_CGL_MAKE_CURRENT ? apitrace_call_result(call, 0) != 0
                                                              : apitrace_call_result(call, 1) == 0)
        return 0;
    context = find_context(states, (uint64_t)apitrace_call_operand(call, 2));
    if (context == NULL)
        return -ENOMEM;
    binding->context = context;
    binding->draw = (uint64_t)apitrace_call_operand(call, 0);
    binding->read = (uint64_t)apitrace_call_operand(call, 1);
    return 0;
}

/* A name may be used again for another context, which has the initial state. */
static void begin_context(struct apitrace_context_states *states, uint64_t handle)
{
    struct apitrace_context *context = NULL;

    HASH_FIND(hh, states->contexts, &handle, sizeof(handle), context);
    if (context == NULL || handle == 0)
        return;
    memset(&context->draw, 0,
           offsetof(struct apitrace_context, hh) - offsetof(struct apitrace_context, draw));
}

static void bind_framebuffer(struct apitrace_context *context, int64_t target, uint32_t name)
{
    if (target != APITRACE_GL_READ_FRAMEBUFFER)
        context->draw = name;
    if (target != DRAW_FRAMEBUFFER)
        context->read = name;
}

static void delete_framebuffers(struct apitrace_context *context, struct apitrace_call *call)
{
    int64_t names[NAMES_MAX];
    size_t count = apitrace_call_array(call, 1, names, NAMES_MAX);

    for (size_t n = 0; n < count; n++) {
        if (names[n] == (int64_t)context->draw)
            context->draw = 0;
        if (names[n] == (int64_t)context->read)
            context->read = 0;
    }
}

/* What is set while a list is compiled may take effect whenever a list is called. */
static void set_hazards(struct apitrace_context *context, unsigned which, bool on)
{
    if (context->compiling)
        context->in_lists |= which;
    else if (on)
        context->hazards |= which;
    else
        context->hazards &= ~which;
}

static void enable(struct apitrace_context *context, int64_t name, bool on)
{
    switch (name) {
    case 0x0C11:
        set_hazards(context, APITRACE_SCISSORED, on);
        break;
    case 0x0B71:
        set_hazards(context, APITRACE_DEPTH_TESTED, on);
        break;
    case 0x0B90:
        set_hazards(context, APITRACE_STENCIL_TESTED, on);
        break;
    default:
        break;
    }
}

static void set_scissor(struct apitrace_context *context, struct apitrace_call *call)
{
    set_hazards(context, APITRACE_OTHER_BOX, false);
    for (uint32_t n = 0; n < 4 && !context->compiling; n++)
        context->scissor[n] = apitrace_call_integer(call, n, 0);
}

static bool all_true(struct apitrace_call *call)
{
    bool all = true;

    for (uint32_t n = 0; n < 4; n++)
        all = all && apitrace_call_integer(call, n, 0) != 0;
    return all;
}

static void set_masks(struct apitrace_context *context, struct apitrace_call *call)
{
    switch (call->function->semantic) {
    case APITRACE_COLOR_MASK:
        set_hazards(context, APITRACE_COLOUR_MASKED, !all_true(call));
        break;
    case APITRACE_COLOR_MASK_INDEXED: /* only glColorMask(), which sets all, clears the hazard again
                                       */
        set_hazards(context, APITRACE_COLOUR_MASKED, true);
        break;
    case APITRACE_DEPTH_MASK:
        set_hazards(context, APITRACE_DEPTH_MASKED, apitrace_call_integer(call, 0, 0) == 0);
        break;
    case APITRACE_STENCIL_MASK:
        set_hazards(context, APITRACE_STENCIL_MASKED,
                    (apitrace_call_integer(call, 0, 0) & STENCIL_BITS) != STENCIL_BITS);
        break;
    default:
        set_hazards(context, APITRACE_STENCIL_MASKED, true);
        break;
    }
}

static void set_draw_buffer(struct apitrace_context *context, struct apitrace_call *call)
{
    bool array = call->function->semantic == APITRACE_DRAW_BUFFERS;
    int64_t buffer = 0;
    size_t count = array ? apitrace_call_array(call, 1, &buffer, 1) : 1;

    if (!array)
        buffer = apitrace_call_integer(call, 0, 0);
    if (call->function->semantic == APITRACE_DRAW_BUFFER_NAMED)
        set_hazards(context, APITRACE_OTHER_BUFFER, true);
    else if (context->draw == 0)
        set_hazards(context, APITRACE_OTHER_BUFFER,
                    count == 0 || (buffer != GL_BACK && buffer != GL_BACK_LEFT &&
                                   buffer != GL_FRONT_AND_BACK));
}

/* Returns the hazards that a mask of glPushAttrib() saves. */
static unsigned saved_by(int64_t mask)
{
    static const struct {
        int64_t bit;
        unsigned hazards;
    } groups[] = {
        {0x0100, APITRACE_DEPTH_TESTED | APITRACE_DEPTH_MASKED},
        {0x0400, APITRACE_STENCIL_TESTED | APITRACE_STENCIL_MASKED},
        {0x2000, APITRACE_SCISSORED | APITRACE_DEPTH_TESTED | APITRACE_STENCIL_TESTED},
        {0x4000, APITRACE_COLOUR_MASKED | APITRACE_OTHER_BUFFER},
        {0x80000, APITRACE_SCISSORED | APITRACE_OTHER_BOX},
    };
    unsigned saved = 0;

    for (size_t n = 0; n < sizeof(groups) / sizeof(groups[0]); n++)
        saved |= mask & groups[n].bit ? groups[n].hazards : 0;
    return saved;
}

static void push(struct apitrace_context *context, int64_t mask)
{
    unsigned saved = saved_by(mask);

    if (context->compiling) {
        context->in_lists |= saved;
        return;
    }
    if (context->pushes < APITRACE_PUSHED_MAX) {
        /* the box is not saved, so after the pop the scissor may cover anything */
        context->pushed[context->pushes][0] =
            context->hazards | (saved & (unsigned)APITRACE_OTHER_BOX);
        context->pushed[context->pushes][1] = saved;
    }
    context->pushes++;
}

static void pop(struct apitrace_context *context)
{
    if (context->compiling || context->pushes == 0)
        return;
    context->pushes--;
    if (context->pushes < APITRACE_PUSHED_MAX) {
        unsigned saved = context->pushed[context->pushes][1];

        context->hazards =
            (context->hazards & ~saved) | (context->pushed[context->pushes][0] & saved);
    }
}

int apitrace_context_state_follow(struct apitrace_context_states *states,
                                  struct apitrace_call *call)
{
    struct apitrace_binding *binding = apitrace_binding_of(states, call->record->thread);
    enum apitrace_gl_semantic semantic = call->function->semantic;
    struct apitrace_context *context;

    if (binding == NULL)
        return -ENOMEM;
    context = binding->context;
    switch (semantic) {
    case APITRACE_MAKE_CURRENT:
    case APITRACE_CGL_MAKE_CURRENT:
        return make_current(states, binding, call);
    case APITRACE_CREATE_CONTEXT:
        begin_context(states, (uint64_t)apitrace_call_operand(call, 1));
        break;
    case APITRACE_ACTIVE_TEXTURE:
        context->unit =
            (unsigned)(apitrace_call_integer(call, 0, APITRACE_GL_TEXTURE0) - APITRACE_GL_TEXTURE0);
        break;
    case APITRACE_BIND_FRAMEBUFFER:
        bind_framebuffer(context, apitrace_call_integer(call, 0, 0),
                         (uint32_t)apitrace_call_integer(call, 1, 0));
        break;
    case APITRACE_DELETE_FRAMEBUFFERS:
        delete_framebuffers(context, call);
        break;
    case APITRACE_ENABLE:
    case APITRACE_DISABLE:
        enable(context, apitrace_call_integer(call, 0, 0), semantic == APITRACE_ENABLE);
        break;
    case APITRACE_SCISSOR:
        set_scissor(context, call);
        break;
    case APITRACE_SCISSOR_ARRAY:
        set_hazards(context, APITRACE_OTHER_BOX, true);
        break;
    case APITRACE_COLOR_MASK:
    case APITRACE_COLOR_MASK_INDEXED:
    case APITRACE_DEPTH_MASK:
    case APITRACE_STENCIL_MASK:
    case APITRACE_STENCIL_MASK_SEPARATE:
        set_masks(context, call);
        break;
    case APITRACE_DRAW_BUFFER:
    case APITRACE_DRAW_BUFFERS:
    case APITRACE_DRAW_BUFFER_NAMED:
        set_draw_buffer(context, call);
        break;
    case APITRACE_PUSH_ATTRIBUTES:
        push(context, apitrace_call_integer(call, 0, -1));
        break;
    case APITRACE_POP_ATTRIBUTES:
        pop(context);
        break;
    case APITRACE_NEW_LIST:
        context->compiling = apitrace_call_integer(call, 1, 0) == APITRACE_GL_COMPILE;
        break;
    case APITRACE_END_LIST:
        context->compiling = false;
        break;
    case APITRACE_CALL_LIST:
        context->hazards |= context->in_lists;
        break;
    default:
        break;
    }
    return apitrace_call_status(call);
}
