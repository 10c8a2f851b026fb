/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/bound_contexts.h"

#include "base/hash.h"
#include "formats/apitrace/decode/gl_calls.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

struct apitrace_bound_context {
    uint64_t handle;
    uint64_t bytes; /* of memory, as they were counted last */
    struct apitrace_texture_bindings bindings;
    UT_hash_handle hh;
};

static struct apitrace_bound_context *find(const struct apitrace_bound_contexts *contexts,
                                           uint64_t handle)
{
    struct apitrace_bound_context *context = NULL;

    HASH_FIND(hh, contexts->contexts, &handle, sizeof(handle), context);
    return context;
}

static struct apitrace_bound_context *add(struct apitrace_bound_contexts *contexts, uint64_t handle)
{
    struct apitrace_bound_context *context = calloc(1, sizeof(*context));

    if (context == NULL)
        return NULL;
    context->handle = handle;
    apitrace_bindings_init(&context->bindings);
    HASH_ADD(hh, contexts->contexts, handle, sizeof(handle), context);
    if (context->hh.tbl == NULL) {
        free(context);
        return NULL;
    }
    context->bytes = apitrace_bindings_bytes(&context->bindings);
    contexts->bytes += context->bytes;
    return context;
}

struct apitrace_texture_bindings *apitrace_bound_contexts_find(
    struct apitrace_bound_contexts *contexts, uint32_t thread)
{
    struct apitrace_bound_context *context;
    uint64_t handle = 0;

    apitrace_map_get(&contexts->current, thread, 0, &handle);
    context = find(contexts, handle);
    if (context == NULL)
        context = add(contexts, handle);
    return context == NULL ? NULL : &context->bindings;
}

void apitrace_bound_contexts_count(struct apitrace_bound_contexts *contexts,
                                   struct apitrace_texture_bindings *bindings)
{
    struct apitrace_bound_context *context =
        (struct apitrace_bound_context *)((char *)bindings -
                                          offsetof(struct apitrace_bound_context, bindings));
    const uint64_t bytes = apitrace_bindings_bytes(bindings);

    contexts->bytes += bytes - context->bytes;
    context->bytes = bytes;
}

/* A handle may be used again for another context, which has nothing bound. */
static void begin_context(struct apitrace_bound_contexts *contexts, uint64_t handle)
{
    struct apitrace_bound_context *context = handle == 0 ? NULL : find(contexts, handle);

    if (context == NULL)
        return;
    apitrace_bindings_clear(&context->bindings);
    apitrace_bindings_init(&context->bindings);
    apitrace_bound_contexts_count(contexts, &context->bindings);
}

int apitrace_bound_contexts_follow(struct apitrace_bound_contexts *contexts,
                                   struct apitrace_call *call)
{
    bool failed = false;

    switch (call->function->semantic) {
    case APITRACE_CREATE_CONTEXT:
        begin_context(contexts, (uint64_t)apitrace_call_operand(call, 1));
        return 0;
    case APITRACE_MAKE_CURRENT:
        failed = apitrace_call_result(call, 1) == 0;
        break;
    default: /* APITRACE_CGL_MAKE_CURRENT */
        failed = apitrace_call_result(call, 0) != 0;
        break;
    }
    return failed ? 0
                  : apitrace_map_set(&contexts->current, call->record->thread, 0,
                                     (uint64_t)apitrace_call_operand(call, 2));
}

void apitrace_bound_contexts_clear(struct apitrace_bound_contexts *contexts)
{
    struct apitrace_bound_context *context, *next;

    HASH_ITER (hh, contexts->contexts, context, next) {
        HASH_DEL(contexts->contexts, context);
        apitrace_bindings_clear(&context->bindings);
        free(context);
    }
    apitrace_map_clear(&contexts->current);
    contexts->bytes = 0;
}
