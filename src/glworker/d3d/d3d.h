/* SPDX-License-Identifier: MIT */
/*
 * An AeroGPU session in the worker: objects, state, and the commands that change
 * them, on GL (worker.md 5). There is one session, and one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_D3D_H
#define GPUDUMPFS_GLWORKER_D3D_D3D_H

#include "glworker/core/graphics.h"
#include "glworker/core/serve.h"
#include "glworker/translate/translate.h"

#include "base/problems.h"
#include "dxbc/dxbc.h"
#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/decode/layout.h"
#include "formats/aerogpu/replay/worker_protocol.h"

#include <uthash.h>

/* The session. */

enum {
    AERO_STAGES = 6, /* enum dxbc_program */
    AERO_TEXTURE_SLOTS = 128,
    AERO_SAMPLER_SLOTS = 16,
    AERO_CONSTANT_SLOTS = TRANSLATE_CONSTANTS,
    AERO_WRITTEN_SLOTS = TRANSLATE_IMAGES,
    AERO_REGISTERS = 4096,      /* vec4s of a stage's constants */
    AERO_SMALL_REGISTERS = 256, /* of integers, and of booleans */
    AERO_D3D9_SAMPLER_STATES = 14,
    AERO_ATTRIBUTES = 16, /* vertex attributes of GL */
};

/* Guest memory of the current submission, or a blob. */
struct aero_memory {
    uint64_t id;
    uint32_t flags;
    uint8_t *data;
    uint64_t size;
};

/* Where a resource is in guest memory. */
struct aero_backing {
    uint32_t alloc; /* 0: nowhere */
    uint32_t offset;
};

/* A GL view of a texture, as shaders sample it or targets are attached. */
struct aero_gl_view {
    struct aero_gl_view *next;
    GLuint name;
    GLenum target, internal;
    bool opaque; /* alpha reads 1 */
    uint32_t base_mip, mips, base_layer, layers;
};

/*
 * What a buffer or texture holds. A session shares it with what was saved of it, and
 * copies it before it writes (aero_own()).
 */
struct aero_storage {
    unsigned users;
    uint64_t bytes;
    GLuint name; /* a buffer, or GL_TEXTURE_2D_ARRAY: RGBA8, or depth */
    /* Of buffers. */
    GLuint counter; /* of what is appended to it; 0: none yet */
    /* Of textures. */
    uint8_t *shadow; /* all subresources as they were uploaded; NULL: zeros */
    bool *newer;     /* for each subresource: what GL has is newer than the shadow */
    struct aero_gl_view *views;
};

struct aero_buffer {
    struct aero_storage *storage;
    uint64_t size;
    uint32_t usage;
};

struct aero_texture {
    struct aero_storage *storage;
    struct aerogpu_shape shape;
    struct aerogpu_format_info info;
    uint32_t usage;
};

struct aero_view {
    struct aero_resource *texture;
    uint32_t format, base_mip, mips, base_layer, layers;
};

enum aero_kind { AERO_BUFFER, AERO_TEXTURE_2D, AERO_VIEW };

struct aero_resource {
    enum aero_kind kind;
    uint32_t handles, views; /* that name it; it is freed with the last */
    uint32_t original;       /* the handle it was created by */
    struct aero_backing backing;
    bool stale; /* its memory is to be read again, from `stale_from` on */
    uint64_t stale_from, stale_to;
    struct aero_resource *twin; /* while a session is copied: what it became */
    union {
        struct aero_buffer buffer;
        struct aero_texture texture;
        struct aero_view view;
    };
};

struct aero_handle {
    uint32_t handle;
    bool reserved; /* destroyed, while aliases or views keep what it was */
    struct aero_resource *resource;
    UT_hash_handle hh;
};

struct aero_token {
    uint64_t token;
    struct aero_resource *resource; /* NULL: retired */
    UT_hash_handle hh;
};

/* One way to run a shader. */
struct aero_variant {
    bool tried;
    GLuint program; /* 0: it cannot be run, for `reason` */
    struct translation translation;
    char *reason;
};

struct aero_d3d9;

/*
 * What a shader was compiled to: kept from session to session, since drivers take
 * long, by its bytecode's name and size.
 */
struct aero_code {
    struct {
        uint64_t name, size;
    } key;
    bool proven;                     /* was drawn with, and came back */
    struct aero_variant variants[2]; /* [1]: turns y around */
    struct aero_d3d9 *d3d9;          /* what mojoshader says; NULL: not asked */
    UT_hash_handle hh;
};

struct aero_shader {
    uint32_t handle;
    enum dxbc_shader_kind kind;
    enum dxbc_program stage;
    bool bad;             /* killed a worker before */
    bool refused;         /* it was told that it cannot be run */
    struct blob *genuine; /* NULL: cannot be made so */
    struct aero_code *code;
    /* Of the vertex stage: what it reads. */
    struct {
        uint32_t hash, index, location, type;
    } inputs[32];
    unsigned input_count;
    UT_hash_handle hh;
};

struct aero_layout {
    uint32_t handle;
    struct aerogpu_element elements[32];
    unsigned count;
    UT_hash_handle hh;
};

struct aero_sampler {
    uint32_t handle;
    GLuint name;
    UT_hash_handle hh;
};

struct aero_range_binding {
    uint32_t buffer, offset, size;
};

struct aero_sampler_slot {
    uint32_t sampler; /* handle; 0: none */
    bool d3d9;        /* the states below were set last */
    uint32_t states[AERO_D3D9_SAMPLER_STATES];
};

struct aero_stage_state {
    uint32_t shader;
    uint32_t textures[AERO_TEXTURE_SLOTS];
    struct aero_range_binding buffers[AERO_TEXTURE_SLOTS];
    struct aero_range_binding constants[AERO_CONSTANT_SLOTS];
    struct aero_range_binding written[AERO_WRITTEN_SLOTS];
    uint32_t counters[AERO_WRITTEN_SLOTS]; /* initial counts still to be set, or ~0 */
    struct aero_sampler_slot samplers[AERO_SAMPLER_SLOTS];
    float floats[AERO_REGISTERS][4];
    int32_t integers[AERO_SMALL_REGISTERS][4];
    int32_t booleans[AERO_SMALL_REGISTERS];
    GLuint registers; /* the buffer that `floats` are bound by; 0: none yet */
    bool registers_changed;
};

struct aero_stencil_face {
    GLenum function, fail, depth_fail, pass;
};

/* All in GL's enumerations; initially as D3D11 has it. */
struct aero_state {
    struct aero_stage_state stages[AERO_STAGES];
    uint32_t layout;
    struct {
        uint32_t buffer, stride, offset;
    } vertices[AEROGPU_VERTEX_SLOTS];
    struct {
        uint32_t buffer, format, offset;
    } indices;
    uint32_t topology;
    uint32_t target_count, targets[AEROGPU_MAX_TARGETS], depth_target;
    float viewport[6]; /* x, y, width, height, minimum and maximum depth */
    int32_t scissor[4];
    struct {
        bool enabled, separate;
        GLenum source, destination, operation;
        GLenum source_alpha, destination_alpha, operation_alpha;
        GLenum own_source, own_destination, own_operation; /* of alpha, when separate */
        uint8_t masks[AEROGPU_MAX_TARGETS];
        float constant[4];
        uint32_t sample_mask;
    } blend;
    struct {
        bool enabled, written;
        GLenum function;
    } depth;
    struct {
        bool enabled, two_sided;
        uint8_t read_mask, write_mask, reference;
        struct aero_stencil_face clockwise, counter;
    } stencil;
    struct {
        uint32_t fill, cull;
        bool front_counter, scissor, clamp;
        float bias, slope;
    } raster;
    struct {
        bool test;
        GLenum function;
        float reference;
    } alpha;         /* of D3D9 */
    bool srgb_write; /* of D3D9 */
};

/* Programs of two shaders that are linked together, kept like codes. */
struct aero_pair {
    struct {
        uint64_t vertex, pixel; /* their names */
        uint64_t alpha_function;
    } key;
    GLuint program; /* 0: it cannot be run, for `reason` */
    char *reason;
    UT_hash_handle hh;
};

struct aero_appendix_a;

struct aero {
    uint32_t flags;
    uint64_t texture_bytes, texture_limit;
    uint64_t fed; /* bytes of submissions so far */
    struct aero_handle *handles;
    struct aero_token *tokens;
    struct aero_shader *shaders;
    struct aero_layout *layouts;
    struct aero_sampler *samplers;
    struct aero_state state;
    uint64_t *bad; /* names of shaders and draws that killed a worker */
    uint32_t bad_count;

    struct aero_resource *back;  /* stands in where no target is bound */
    struct aero_resource *shown; /* a copy of what was presented last; NULL: nothing */
    bool upside_down;            /* Appendix A drew on the back buffer, as GL has it */
    bool shown_upside_down;
    GLuint framebuffer, pipeline, empty; /* `empty`: a buffer of zeros */
    GLuint scratch[AERO_STAGES * TRANSLATE_CONSTANTS];
    GLuint bound[AERO_STAGES];                             /* programs of the pipeline */
    GLuint nearest;                                        /* the sampler of empty slots */
    GLuint slot_samplers[AERO_STAGES][AERO_SAMPLER_SLOTS]; /* of D3D9's states */
    /* Texels of buffers, by the place they are bound to. */
    GLuint unit_texels[AERO_STAGES * TRANSLATE_UNITS];
    GLuint image_texels[AERO_STAGES * TRANSLATE_IMAGES];
    GLuint counting; /* an index buffer 0, 1, 2, … */
    uint32_t counting_max;
    struct aero_appendix_a *appendix_a;

    /* The current submission. */
    struct blob *payload;
    struct aero_memory *memories;
    uint32_t memory_count;
    enum aerogpu_dialect dialect;
    struct aerogpu_stream stream;
    struct aerogpu_command command; /* that is run, or pending */
    bool pending;                   /* `command` was read, and not run */
    bool ended;
    uint32_t presents;
    struct message_writer notes;
    uint32_t note_count;
    bool quiet;               /* a draw is done once more: what it notes was noted */
    struct aero_probe *probe; /* that the command is run for; NULL: none */
};

/* 0, or a negative errno whose problem was noted: the command has no effect. */
typedef int aero_command(struct aero *aero, const struct aerogpu_command *command);

/* Tells of a problem with the command that is run. Returns -EINVAL. */
int aero_note(struct aero *aero, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Guest memory, `size` bytes at `offset` of an allocation; NULL: noted. */
uint8_t *aero_memory(struct aero *aero, uint32_t alloc, uint64_t offset, uint64_t size);
bool aero_memory_writable(const struct aero *aero, uint32_t alloc);

/* The one there is; NULL: there was no reset yet. */
struct aero *aero_session(void);
void aero_drop_submission(struct aero *aero);

/* objects.c: handles. */
struct aero_resource *aero_find(struct aero *aero, uint32_t handle);
/* Also a destroyed original that aliases or views keep. */
struct aero_resource *aero_find_kept(struct aero *aero, uint32_t handle);
/* A resource of that kind; NULL: noted. */
struct aero_resource *aero_get(struct aero *aero, uint32_t handle, enum aero_kind kind);
struct aero_shader *aero_shader(struct aero *aero, uint32_t handle);
/* Takes the resource over under a handle that must be free; -EINVAL: noted, and freed. */
int aero_add(struct aero *aero, uint32_t handle, struct aero_resource *resource);
void aero_resource_free(struct aero *aero, struct aero_resource *resource);
void aero_objects_free(struct aero *aero);
aero_command aero_create_buffer, aero_destroy_resource, aero_destroy_view, aero_create_view,
    aero_create_layout, aero_destroy_layout, aero_create_sampler, aero_destroy_sampler,
    aero_export_surface, aero_import_surface, aero_release_surface, aero_dirty_range;
/* The texture that a handle or its view names; NULL: none. The view may be NULL. */
struct aero_texture *aero_texture_of(struct aero_resource *resource, struct aero_view **view);
/* Reads what is stale of a backed resource; before each use. */
void aero_refresh(struct aero *aero, struct aero_resource *resource);

/* storage.c: what resources hold, and copies of the session. */
/* A new one, for `bytes`; NULL: no memory. */
struct aero_storage *aero_storage(uint64_t bytes);
void aero_storage_drop(struct aero_storage *storage);
/* Before anything is written: makes the storage the session's own. 0 or -ENOMEM, noted. */
int aero_own(struct aero *aero, struct aero_resource *resource);
/* Drops objects and state; what GL needs to draw stays. */
void aero_drop_session(struct aero *aero);
#define AERO_COPIES_MAX (UINT64_C(512) << 20) /* bytes that copies may hold beside the session */
/* Drops the copies that the session can go back to. */
void aero_forget_saved(void);
serve_handler aero_handle_save, aero_handle_load, aero_handle_forget;

/* textures.c. */
/* Storage without contents. 0 or -ENOMEM. */
int aero_texture_storage(const struct aero_texture *texture, struct aero_storage **out);
int aero_texture_make(struct aero *aero, const struct aerogpu_shape *shape, uint32_t usage,
                      struct aero_resource **out);
uint64_t aero_texture_bytes(const struct aerogpu_shape *shape);
/*
 * Bytes that textures and buffers may still have (worker.md 5.3): what a session may have grows
 * with what it was fed, where content comes from.
 */
uint64_t aero_room(const struct aero *aero);
void aero_texture_copy(const struct aero_texture *texture, const struct aero_storage *from,
                       struct aero_storage *to);
int aero_texture_write(struct aero_texture *texture, uint64_t offset, const uint8_t *bytes,
                       uint64_t size);
/* RGBA8, or f32 of depth formats; width * height * 4 bytes. */
void aero_texture_read(const struct aero_texture *texture, uint32_t mip, uint32_t layer,
                       uint8_t *to);
/* Brings the shadow up to date; NULL: no memory. */
const uint8_t *aero_texture_shadow(struct aero_texture *texture, uint32_t mip, uint32_t layer);
/*
 * The byte that X8 formats have beside colours. GL has none: the shadow always tells it,
 * at every fourth byte from here. NULL: no memory.
 */
enum { AERO_X8 = 3, AERO_X8_BYTES = 4 };
bool aero_texture_has_x8(const struct aero_texture *texture);
uint8_t *aero_texture_x8(struct aero_texture *texture);
/* GL has something newer of these. */
void aero_texture_drawn(struct aero_texture *texture, uint32_t mip, uint32_t base_layer,
                        uint32_t layers);
/* The view for a target of GL, of a whole texture (`view` NULL) or a part; 0: no such. */
GLuint aero_gl_view(struct aero_texture *texture, const struct aero_view *view, GLenum target,
                    bool srgb_wanted);
aero_command aero_create_texture;

/* copy.c. */
aero_command aero_upload, aero_copy_buffer, aero_copy_texture;

/* shaders.c. */
aero_command aero_create_shader, aero_destroy_shader, aero_bind_shaders_command;
void aero_shader_free(struct aero *aero, struct aero_shader *shader);
/* Whether this shader, or draw, killed a worker before. */
bool aero_is_bad(const struct aero *aero, uint64_t name);
/* Compiles on first use; NULL: it cannot be run, noted once. */
struct aero_variant *aero_variant(struct aero *aero, struct aero_shader *shader, bool flip);

/* state.c. */
void aero_state_init(struct aero_state *state);
void aero_state_free(struct aero_state *state);
void aero_state_forget(struct aero_state *state, uint32_t handle);
aero_command aero_set_floats, aero_set_integers, aero_set_booleans, aero_set_layout, aero_set_blend,
    aero_set_depth_stencil, aero_set_rasterizer, aero_set_targets, aero_set_viewport,
    aero_set_scissor, aero_set_vertices, aero_set_indices, aero_set_topology, aero_set_texture,
    aero_set_samplers, aero_set_constants, aero_set_buffers, aero_set_written;
/* state9.c: D3D9's states. */
aero_command aero_set_sampler_state, aero_set_render_state;

/* bind.c: state to GL, before a draw. */
/* Attaches the targets; *width and *height: the smallest of them. -EINVAL: noted. */
int aero_bind_targets(struct aero *aero, uint32_t *width, uint32_t *height);
void aero_targets_drawn(struct aero *aero);
/* Whether colour target `index` has no alpha: it stays at 255, as it reads. */
bool aero_is_opaque(struct aero *aero, uint32_t index);
void aero_bind_raster(struct aero *aero, uint32_t width, uint32_t height, bool fixed);
void aero_bind_stage(struct aero *aero, enum dxbc_program stage,
                     const struct translation *translation);
void aero_bind_vertices(struct aero *aero, const struct aero_shader *shader);
/* One attribute from a slot. */
void aero_bind_attribute(struct aero *aero, unsigned location,
                         const struct aerogpu_element *element, bool integer);
/* Colour target `index`, or the back buffer if none at all is bound; NULL: none there. */
struct aero_resource *aero_target(struct aero *aero, uint32_t index);
GLuint aero_sampler_of(struct aero *aero, enum dxbc_program stage, unsigned slot, bool *srgb);

/* draw.c. */
aero_command aero_clear, aero_draw, aero_draw_indexed, aero_dispatch, aero_present;

/* probe.c: what a command does to one pixel, or to all of a subresource (worker.md 5.7). */
struct aero_probe {
    uint32_t handle, mip, layer, x, y; /* handle 0: the back buffer */
    uint8_t *mask;                     /* of all pixels; NULL: only that one is asked for */
    uint32_t width, height;
    bool drawn; /* the command is a draw on that subresource, of which the rest is told */
    enum aerogpu_outcome outcome;
};
/* Does the draw that is bound once more. */
typedef int aero_again(struct aero *aero, void *context);
/*
 * Finds out, before a draw that is all bound, what it will do. Leaves targets and raster state to
 * be bound anew. `writes`: its shaders write buffers, so that it cannot be done again.
 */
void aero_probe_draw(struct aero *aero, bool writes, aero_again *again, void *context);
serve_handler aero_handle_probe;
/* session.c: runs the one command that is next, whose offset it has; with the answer of a run. */
int aero_run_next(struct aero *aero, struct serve_answer *answer);

/* d3d9.c. */
void aero_d3d9_free(struct aero_d3d9 *d3d9);
/* Program, constants, textures and vertices of a pair; -EAGAIN: magenta stands in, noted. */
int aero_d3d9_bind(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel,
                   uint32_t width, uint32_t height);

/* shaders.c, codes: what outlives a session. */
/* NULL: no memory. */
struct aero_code *aero_code(uint64_t name, uint64_t size);
/* The pair, with `made` false if it is new and is to be linked; NULL: no memory. */
struct aero_pair *aero_pair(uint64_t vertex, uint64_t pixel, uint64_t alpha_function, bool *made);
/* Between sessions: drops all when they have become many. */
void aero_codes_trim(void);
/* Position and colour passed on; y downwards as in D3D, or upwards. 0: noted. */
GLuint aero_plain_program(struct aero *aero, bool upwards);
/* Magenta, as pixel or vertex stage. 0: noted. */
GLuint aero_magenta_program(struct aero *aero, enum dxbc_program stage);

/* appendix_a.c: Appendix A. */
int aero_appendix_a_run(struct aero *aero, const struct aerogpu_command *command);
void aero_appendix_a_free(struct aero *aero);

/* session.c: the session. */
extern const struct serve_kind aero_kinds[];
/* Ends it, if there is one, with all that was saved of it. */
void aero_end(void);

#endif
