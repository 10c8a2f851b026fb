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
    uint32_t outputs; /* of the pixel stage: bits of the colour targets that it may write to */
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

/* Ends it, if there is one, with all that was saved of it. */
void aero_end(void);

/* Runs the one command that is next, whose offset it has; with the answer of a run. */
int aero_run_next(struct aero *aero, struct serve_answer *answer);

#endif
