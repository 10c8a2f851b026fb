/* SPDX-License-Identifier: MIT */
/*
 * What a draw saw, told by the driver where the session stands (worker.md 6.9): state, uniforms,
 * attachments, textures, buffers. What is asked leaves the state of the trace's context as it
 * was. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STATE_H
#define GPUDUMPFS_GLWORKER_GL_STATE_H

#include "base/text.h"
#include "glworker/gl/gl.h"
#include "glworker/gl/state_table.h"

/* state_values.c: values of rows as text. */

/* An object that is asked about. */
struct state_place {
    uint8_t group;
    GLenum target;
    GLuint index;
    GLint level;
    const char *prefix; /* before the rows' names */
};

/* enum state_api of the context that calls go to. */
unsigned retrace_state_api(const struct retrace_context *context);

/* All rows of a group in a section, `prefix.name = value` each; what the driver lacks is left out.
 */
void retrace_state_tell(const struct retrace *retrace, const struct state_place *place,
                        enum state_section section, struct text *text);

/* The name of an enumerant, or its number. */
void retrace_state_add_enum(struct text *text, uint32_t value);
void retrace_state_add_float(struct text *text, double value);

/* The four coordinates of a position. */
void retrace_state_add_position(struct text *text, const float *position, char separator);

/* The name that the trace has for an object; its own where the trace has none. */
uint64_t retrace_old_name(const struct retrace *retrace, enum retrace_names space, uint64_t name);

/* state_objects.c: the objects of each section, behind the context's own rows. */
void retrace_state_objects(const struct retrace *retrace, enum state_section section,
                           struct text *text);

/* Whether there is something of the kind that can be asked about; a number that the driver tells.
 */
bool retrace_state_get(GLenum what, GLint *value);

/* state_text.c: the whole of state.txt. */
void retrace_state_text(const struct retrace *retrace, struct text *text);

/* How values of a uniform's type stand in memory; a sampler or an image is an int. */
enum retrace_base {
    RETRACE_BASE_FLOAT,
    RETRACE_BASE_INT,
    RETRACE_BASE_UNSIGNED,
    RETRACE_BASE_BOOL,
    RETRACE_BASE_DOUBLE
};
struct retrace_value_type {
    GLenum type;
    uint8_t base, columns, rows; /* a vector is one column */
};
const struct retrace_value_type *retrace_value_type(GLenum type);

/* uniforms.c: the whole of uniforms.tsv. */
void retrace_uniforms_text(const struct retrace *retrace, struct text *text);

/* A program that draws use: by its name here, and as the trace has it. */
struct retrace_program_here {
    GLuint name;
    uint64_t old;
};
enum { RETRACE_PROGRAMS_MAX = 8 };
/* The current program, or those of the pipeline, each once; how many. */
unsigned retrace_programs(const struct retrace *retrace, struct retrace_program_here *out);

/*
 * draw_parts.c: what there is to read beside texts: attachments, levels of textures, buffers and
 * sources of shaders, as a list that is the same each time the session stands there.
 */
struct retrace_part {
    struct apitrace_draw_part told; /* as the daemon gets it */
    GLuint name;                    /* of the buffer or shader here */
    GLenum attachment;              /* of colours, depths and stencil values; 0: of the drawable */
    const uint8_t *memory;          /* in place of a buffer or shader; NULL: none */
};

enum { RETRACE_PARTS_MAX = 1024 };

struct retrace_parts {
    struct retrace_part list[RETRACE_PARTS_MAX];
    unsigned count;
    uint32_t width, height; /* of the drawable's part that is asked for; 0: all */
};

/* The next one, all zero; one that is told nowhere when there are too many. */
struct retrace_part *retrace_parts_add(struct retrace_parts *parts, enum apitrace_part_kind kind);

/* draw_targets.c, draw_textures.c, draw_buffers.c, draw_shaders.c: add what there is … */
void retrace_parts_targets(struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_coverage(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_textures(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_buffers(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_shaders(const struct retrace *retrace, struct retrace_parts *parts);
/* … and read it: 0, -ENOENT, -ENOMEM. */
int retrace_part_target(struct retrace *retrace, const struct retrace_part *part,
                        struct blob **out);
int retrace_part_buffer(const struct retrace_part *part, struct blob **out);
int retrace_part_shader(const struct retrace_part *part, struct blob **out);

/* draw_textures.c and draw_shaders.c: textures.tsv, and what the driver says of programs. */
void retrace_textures_text(const struct retrace *retrace, struct text *text);
void retrace_logs_text(const struct retrace *retrace, struct text *text);

/* draw_fetch.c: arrays that are on, whether attributes' or those of fixed functions. */
struct retrace_fetch {
    char name[64]; /* of the attribute in its program, or OpenGL's of the array */
    uint32_t slot; /* as arrays.c counts them: attributes from RETRACE_SLOT_NUMBERS on */
    GLenum type;
    GLint components;      /* 1 to 4; GL_BGRA: 4, blue first */
    GLint stride, divisor; /* bytes; instances that an element is for, 0: a vertex */
    bool normalized, integer;
    GLuint buffer;         /* by its name here; 0: none */
    uint64_t offset;       /* in it */
    const uint8_t *memory; /* of the trace, without a buffer; NULL: none is known */
    uint64_t size;         /* of that */
};
enum { RETRACE_FETCHES_MAX = 64 };
unsigned retrace_fetches(const struct retrace *retrace, struct retrace_fetch *out);
/* Bytes of an element of an array. */
unsigned retrace_fetch_bytes(const struct retrace_fetch *fetch);
/* One element as the vertex stage gets it; how many values there are. */
unsigned retrace_fetch_decode(const struct retrace_fetch *fetch, const uint8_t *element,
                              double values[4]);

/* draw_vertices.c: attributes.tsv, mesh.obj and transformed.obj of the draw that the session stands
 * behind. */
void retrace_vertices_text(struct retrace *retrace, struct text *text);
void retrace_mesh_text(struct retrace *retrace, struct text *text);
void retrace_transformed_text(struct retrace *retrace, struct text *text);

/* primitives.c: primitives.tsv and primitives.obj of it. */
void retrace_primitives_text(struct retrace *retrace, struct text *text);
void retrace_primitives_mesh_text(struct retrace *retrace, struct text *text);

/*
 * draw_vertices.c: pairs of vertices that the edges of a draw's primitives join, and of how many
 * instances, for free(). The call is at hand. NULL: nobody can tell.
 */
uint32_t *retrace_draw_edges(const struct retrace_call *call, uint32_t *count, int64_t *instances);

/* draw_message.c: makes the context current that the last call's thread has; NULL, and it is
 * refused with *status, for none. */
struct retrace *retrace_draw_enter(struct serve_answer *answer, int *status);

/* draw_buffers.c: bytes of a buffer by its name here; bindings stay as they were. */
int64_t retrace_buffer_size(GLuint buffer);
bool retrace_buffer_read(GLuint buffer, int64_t offset, int64_t size, uint8_t *to);

#endif
