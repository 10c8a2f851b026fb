/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/draws.h"

static int ask(void *context, struct apitrace_session *session, const struct cancel *cancel,
               struct blob **out)
{
    const enum apitrace_draw_text *what = context;

    return apitrace_session_draw_text(session, *what, cancel, out);
}

static int make_text(struct dump *dump, uint64_t key, enum apitrace_draw_text what,
                     const struct cancel *cancel, struct blob **out)
{
    return apitrace_draw_visit(dump, key, ask, &what, cancel, out);
}

int apitrace_draw_uniforms_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_UNIFORMS, cancel, out);
}

int apitrace_draw_state_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_STATE, cancel, out);
}

int apitrace_draw_textures_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_TEXTURES, cancel, out);
}

int apitrace_draw_vertices_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_VERTICES, cancel, out);
}

int apitrace_draw_mesh_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_MESH, cancel, out);
}

int apitrace_draw_logs_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_LOGS, cancel, out);
}

int apitrace_draw_transformed_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                   struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_TRANSFORMED, cancel, out);
}

int apitrace_draw_primitives_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_PRIMITIVES, cancel, out);
}

int apitrace_draw_primitives_mesh_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                       struct blob **out)
{
    return make_text(dump, key, APITRACE_DRAW_PRIMITIVES_MESH, cancel, out);
}
