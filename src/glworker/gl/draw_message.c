/* SPDX-License-Identifier: MIT */
/*
 * Handles messages about what a draw saw (worker.md 6.9). The session has stopped after the draw.
 */
#include "config.h"

#include "glworker/gl/draw_message.h"

#include "glworker/gl/draw_texts.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/pictures.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/surfaces.h"

#include <errno.h>

enum { TEXT_MAX = 64 << 20 };

struct retrace *retrace_draw_enter(struct serve_answer *answer, int *status)
{
    struct retrace *retrace = retrace_session();
    struct retrace_thread *thread;

    *status = -EINVAL;
    if (retrace == NULL) {
        serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
        return NULL;
    }
    thread = retrace_drawing_thread(retrace);
    *status = -ENOENT;
    if (thread == NULL || !retrace_enter(retrace, thread)) {
        serve_refuse(answer, -ENOENT, "no context is current");
        return NULL;
    }
    /* Calls that query the state would be compiled into the list. */
    if (thread->context->in_begin || thread->context->in_list) {
        serve_refuse(answer, -ENOENT,
                     "the call is between glBegin and glEnd, or in a display list");
        return NULL;
    }
    retrace_discard_update(retrace);
    retrace_await_stores(retrace);
    *status = 0;
    return retrace;
}

static void tell(struct retrace *retrace, enum apitrace_draw_text what, struct text *text)
{
    static void (*const of_context[APITRACE_DRAW_TEXTS])(const struct retrace *retrace,
                                                         struct text *text) = {
        [APITRACE_DRAW_TEXTURES] = retrace_textures_text,
        [APITRACE_DRAW_LOGS] = retrace_logs_text,
        [APITRACE_DRAW_STATE] = retrace_state_text,
        [APITRACE_DRAW_UNIFORMS] = retrace_uniforms_text,
    };
    /* These read the call again. */
    static void (*const of_call[APITRACE_DRAW_TEXTS])(struct retrace * retrace,
                                                      struct text * text) = {
        [APITRACE_DRAW_VERTICES] = retrace_vertices_text,
        [APITRACE_DRAW_MESH] = retrace_mesh_text,
        [APITRACE_DRAW_TRANSFORMED] = retrace_transformed_text,
        [APITRACE_DRAW_PRIMITIVES] = retrace_primitives_text,
        [APITRACE_DRAW_PRIMITIVES_MESH] = retrace_primitives_mesh_text,
    };

    if (of_call[what] != NULL)
        of_call[what](retrace, text);
    else
        of_context[what](retrace, text);
}

int retrace_handle_draw_text(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t what = message_read_u32(request);
    struct text text = TEXT_INIT;
    struct retrace *retrace;
    int status;

    if (!message_read_all(request) || what >= APITRACE_DRAW_TEXTS)
        return -EPROTO;
    retrace = retrace_draw_enter(answer, &status);
    if (retrace == NULL)
        return status;
    text.limit = TEXT_MAX;
    tell(retrace, (enum apitrace_draw_text)what, &text);
    graphics_failed();
    status = text_status(&text);
    if (status == 0)
        message_write_bytes(&answer->body, text.bytes, text.length);
    else
        serve_refuse(answer, status, "the text would be too long");
    text_clear(&text);
    return status;
}
