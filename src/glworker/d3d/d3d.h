/* SPDX-License-Identifier: MIT */
/*
 * An AeroGPU session in the worker: objects, state, and the commands that change them, on GL
 * (worker.md 5). There is only one session, and one thread uses it.
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

/* Guest memory or a blob that came with the current submission. */
struct aero_memory {
    uint64_t id;
    uint32_t flags;
    uint8_t *data;
    uint64_t size;
};

/* Where a resource is in guest memory. */
struct aero_backing {
    uint32_t alloc; /* 0 if it has no guest memory */
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
 * The contents of a buffer or texture. A session shares them with its saved copies, and copies them
 * before it writes (aero_own()).
 */
struct aero_storage {
    unsigned users;
    uint64_t bytes;
    GLuint name; /* a buffer, or a GL_TEXTURE_2D_ARRAY of RGBA8 or depth */
    /* Only for buffers. */
    GLuint counter; /* the counter of appended elements; 0 if there is none yet */
    /* Only for textures. */
    uint8_t *shadow; /* all subresources as they were uploaded; NULL means zeros */
    bool *newer;     /* for each subresource: GL's contents are newer than the shadow */
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
    /* The numbers of handles and views that refer to the resource; it is freed when both are 0. */
    uint32_t handles, views;
    uint32_t original; /* the handle that it was created by */
    struct aero_backing backing;
    bool stale; /* guest memory from stale_from to stale_to must be read again */
    uint64_t stale_from, stale_to;
    struct aero_resource *twin; /* while a session is copied: the resource's copy */
    union {
        struct aero_buffer buffer;
        struct aero_texture texture;
        struct aero_view view;
    };
};

struct aero_handle {
    uint32_t handle;
    bool reserved; /* destroyed, but aliases or views still keep its resource */
    struct aero_resource *resource;
    UT_hash_handle hh;
};

struct aero_token {
    uint64_t token;
    struct aero_resource *resource; /* NULL if the token is retired */
    UT_hash_handle hh;
};

/* One compiled variant of a shader. */
struct aero_variant {
    bool tried;
    GLuint program; /* 0 if it cannot be run, for `reason` */
    struct translation translation;
    char *reason;
};

struct aero_d3d9;

/*
 * The compiled form of a shader, found by its bytecode's name and size. It is kept from session to
 * session, since drivers take long to compile.
 */
struct aero_code {
    struct {
        uint64_t name, size;
    } key;
    bool proven;                     /* a draw with it has completed */
    struct aero_variant variants[2]; /* [1]: the variant that flips y */
    /* Mojoshader's result; NULL if it has not parsed the shader yet. */
    struct aero_d3d9 *d3d9;
    UT_hash_handle hh;
};

struct aero_shader {
    uint32_t handle;
    enum dxbc_shader_kind kind;
    enum dxbc_program stage;
    bool bad;             /* killed a worker before */
    bool refused;         /* a note has said that it, or a pair with it, cannot be run */
    bool misplaced;       /* a note has said that it is bound where it cannot be run */
    struct blob *genuine; /* the genuine bytecode; NULL if it cannot be derived */
    struct aero_code *code;
    /* Only for vertex shaders: the inputs. */
    struct {
        uint32_t hash, index, location, type;
    } inputs[32];
    unsigned input_count;
    uint32_t outputs; /* for pixel shaders: bits of the colour targets that may be written */
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
    uint32_t sampler; /* handle; 0 if there is none */
    bool d3d9;        /* the states below were set after `sampler` */
    uint32_t states[AERO_D3D9_SAMPLER_STATES];
};

struct aero_stage_state {
    uint32_t shader;
    uint32_t textures[AERO_TEXTURE_SLOTS];
    struct aero_range_binding buffers[AERO_TEXTURE_SLOTS];
    struct aero_range_binding constants[AERO_CONSTANT_SLOTS];
    struct aero_range_binding written[AERO_WRITTEN_SLOTS];
    uint32_t counters[AERO_WRITTEN_SLOTS]; /* initial counts that are still to be set, or ~0 */
    struct aero_sampler_slot samplers[AERO_SAMPLER_SLOTS];
    float floats[AERO_REGISTERS][4];
    int32_t integers[AERO_SMALL_REGISTERS][4];
    int32_t booleans[AERO_SMALL_REGISTERS];
    GLuint registers; /* the buffer that passes `floats` to GL; 0 if there is none yet */
    bool registers_changed;
};

struct aero_stencil_face {
    GLenum function, fail, depth_fail, pass;
};

/*
 * Fields of type GLenum have GL's values, other enumerations AeroGPU's. Initially the state is that
 * of Direct3D 11.
 */
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

/* A program linked from two shaders; kept as codes are. */
struct aero_pair {
    struct {
        uint64_t vertex, pixel; /* their names */
        uint64_t alpha_function;
    } key;
    GLuint program; /* 0 if it cannot be run, for `reason` */
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

    struct aero_resource *back;  /* the back buffer: the target if no target is bound */
    struct aero_resource *shown; /* a copy of the picture presented last; NULL if there is none */
    /* Appendix A has drawn on the back buffer, so its rows are in GL's order. */
    bool upside_down;
    bool shown_upside_down;
    GLuint framebuffer, pipeline, empty; /* `empty`: a buffer of zeros */
    GLuint scratch[AERO_STAGES * TRANSLATE_CONSTANTS];
    GLuint bound[AERO_STAGES];                             /* programs bound to the pipeline */
    GLuint nearest;                                        /* the sampler for empty slots */
    GLuint slot_samplers[AERO_STAGES][AERO_SAMPLER_SLOTS]; /* samplers with D3D9's states */
    /* Buffer textures, by the unit that they are bound to. */
    GLuint unit_texels[AERO_STAGES * TRANSLATE_UNITS];
    GLuint image_texels[AERO_STAGES * TRANSLATE_IMAGES];
    GLuint counting; /* an index buffer with 0, 1, 2, …, counting_max - 1 */
    uint32_t counting_max;
    struct aero_appendix_a *appendix_a;

    /* The current submission. */
    struct blob *payload;
    struct aero_memory *memories;
    uint32_t memory_count;
    enum aerogpu_dialect dialect;
    struct aerogpu_stream stream;
    struct aerogpu_command command; /* the command that runs, or is pending */
    bool pending;                   /* `command` was read, but has not run */
    bool ended;
    uint32_t presents;
    struct message_writer notes;
    uint32_t note_count;
    bool quiet;               /* a draw is repeated: its notes were recorded the first time */
    struct aero_probe *probe; /* the probe that the command runs for; NULL if there is none */
};

/*
 * Carries out a command. Returns 0, or -errno after the problem was noted; the command then has no
 * effect.
 */
typedef int aero_command(struct aero *aero, const struct aerogpu_command *command);

/*
 * Adds a note about a problem with the command that runs, unless there are SESSION_NOTES_MAX notes
 * already or the session is quiet. Returns -EINVAL.
 */
int aero_note(struct aero *aero, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns a pointer to `size` bytes at `offset` of the guest memory of an allocation; NULL, with a
 * note, if the current submission does not have them all.
 */
uint8_t *aero_memory(struct aero *aero, uint32_t alloc, uint64_t offset, uint64_t size);
/* Returns whether the current submission has that allocation, and it may be written. */
bool aero_memory_writable(const struct aero *aero, uint32_t alloc);

/* Returns the session; NULL if there was no reset yet. */
struct aero *aero_session(void);
/* Frees the current submission, with the commands that have not run. */
void aero_drop_submission(struct aero *aero);

/* Frees the session, if there is one, and all its saved copies. */
void aero_end(void);

/*
 * Runs only the next command, if there is one, and appends the answer of a run to `answer`. Returns
 * 0 or -ENOMEM.
 */
int aero_run_next(struct aero *aero, struct serve_answer *answer);

#endif
