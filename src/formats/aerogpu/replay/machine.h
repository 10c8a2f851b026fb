/* SPDX-License-Identifier: MIT */
/*
 * The state machine that walks over submissions: which commands are accepted, which objects exist,
 * and what is bound (aerogpu.md 4). It holds no contents. The owner of contents learns through
 * struct aerogpu_effects what an accepted command does to them. Every walk over a trace, for sizes,
 * states, pictures or the worker, uses this machine, so that all of them accept and refuse the same
 * commands. Only one thread may use a machine at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_MACHINE_H
#define GPUDUMPFS_AEROGPU_REPLAY_MACHINE_H

#include "formats/aerogpu/replay/objects.h"

enum {
    AEROGPU_PROGRAMS = 6, /* enum dxbc_program */
    AEROGPU_TEXTURE_SLOTS = 128,
    AEROGPU_SAMPLER_SLOTS = 16,
    AEROGPU_CONSTANT_SLOTS = 14,
    AEROGPU_RESOURCE_SLOTS = 128,
    AEROGPU_UNORDERED_SLOTS = 64,
    AEROGPU_RENDER_STATES = 256,
    AEROGPU_D3DRS_SRGBWRITEENABLE = 194,
    AEROGPU_SAMPLER_STATES = 16,
    AEROGPU_CONSTANTS = 4096, /* registers of SET_SHADER_CONSTANTS_F, vec4 */
    AEROGPU_SCALARS = 256,    /* registers of SET_SHADER_CONSTANTS_I and _B */
};

/* Guest memory that a submission brings: maps an alloc_id to bytes. */
struct aerogpu_allocation {
    uint32_t id, flags, range; /* `range`: index of the range in the submission */
    uint64_t gpa, size;        /* as given by the submission */
    const uint8_t *bytes;      /* of the blob */
    uint64_t held;             /* number of bytes present, <= size */
    uint8_t *copy; /* copy of the `held` bytes once something was written back; NULL before */
    bool drawn;    /* only the worker knows what was written back */
};

struct aerogpu_memory {
    struct aerogpu_allocation *list; /* ascending by id, then by range */
    size_t count;
};

/* Returns NULL if there is no such allocation. */
struct aerogpu_allocation *aerogpu_memory_find(const struct aerogpu_memory *memory, uint32_t id);

/*
 * Returns the current bytes [offset, offset + length) of an allocation, or NULL if they are beyond
 * what is held.
 */
const uint8_t *aerogpu_memory_bytes(const struct aerogpu_allocation *allocation, uint64_t offset,
                                    uint64_t length);

struct aerogpu_binding {
    uint32_t buffer, offset, size, initial_count;
};

struct aerogpu_vertex_binding {
    uint32_t buffer, stride, offset;
};

/* What is bound to one stage, by original handles; 0 means nothing. */
struct aerogpu_stage_state {
    uint32_t shader;
    uint32_t textures[AEROGPU_TEXTURE_SLOTS];
    uint32_t samplers[AEROGPU_SAMPLER_SLOTS];
    struct aerogpu_binding constants[AEROGPU_CONSTANT_SLOTS];
    struct aerogpu_binding resources[AEROGPU_RESOURCE_SLOTS];
    struct aerogpu_binding unordered[AEROGPU_UNORDERED_SLOTS];
    uint32_t sampler_states[AEROGPU_SAMPLER_SLOTS][AEROGPU_SAMPLER_STATES];
    uint16_t sampler_states_set[AEROGPU_SAMPLER_SLOTS];
    uint32_t (*floats)[4];   /* AEROGPU_CONSTANTS of them; NULL if none was set */
    uint64_t *floats_set;    /* a bit for each register */
    uint32_t (*integers)[4]; /* AEROGPU_SCALARS of them */
    uint64_t *integers_set;
    uint8_t *booleans; /* AEROGPU_SCALARS of them: 0, 1, or 2 if it was not set */
};

struct aerogpu_pipeline {
    uint32_t colour_count, colours[AEROGPU_MAX_TARGETS], depth_stencil;
    float viewport[6]; /* x, y, width, height, min and max depth */
    bool has_viewport;
    int32_t scissor[4];
    bool has_scissor;
    uint32_t layout, topology;
    struct aerogpu_vertex_binding vertices[AEROGPU_VERTEX_SLOTS];
    uint32_t index_buffer, index_format, index_offset;
    struct {
        uint32_t enable, src, dst, op, src_alpha, dst_alpha, op_alpha, sample_mask;
        uint8_t write_mask;
        float constant[4];
    } blend;
    struct {
        uint32_t enable, write, func, stencil_enable;
        uint8_t read_mask, write_mask;
    } depth;
    struct {
        uint32_t fill, cull, front_ccw, scissor_enable, flags;
        int32_t depth_bias;
    } raster;
    uint32_t render_states[AEROGPU_RENDER_STATES];
    uint64_t render_states_set[AEROGPU_RENDER_STATES / 64];
    struct aerogpu_stage_state stages[AEROGPU_PROGRAMS];
    struct {
        uint32_t pipeline, buffer, stride, position, colour, width, height;
    } a; /* Appendix A */
};

/* A picture that commands draw to, or that is presented. */
struct aerogpu_target {
    struct aerogpu_object *texture; /* NULL: the implicit back buffer */
    uint32_t format, mip, layer, width, height;
    /* From `layer` on. A clear writes all of them, a draw without shaders the first. */
    uint32_t layers;
};

struct aerogpu_machine;

/* A corner of a rectangle, in one mip of one layer. */
struct aerogpu_corner {
    uint32_t mip, layer, x, y;
};

/*
 * The parameters of a copy, which the machine has checked. They are read from the dump only once,
 * since another program may write to the file between two reads.
 */
struct aerogpu_copy {
    uint64_t to_offset, from_offset, size; /* of COPY_BUFFER */
    struct aerogpu_corner to, from;        /* of COPY_TEXTURE2D */
    uint32_t width, height;
    uint32_t flags;
};

/*
 * What accepted commands do to contents. The machine calls these functions after it has checked the
 * command, and before its own state changes. Each may be NULL. They return 0, or a negative errno
 * that ends the walk (-ENOMEM).
 */
struct aerogpu_effects {
    /* Begin and end a life. Contents are zero at the beginning. */
    int (*create)(void *context, struct aerogpu_object *object);
    void (*forget)(void *context, struct aerogpu_object *object);
    /*
     * Unbinds what is bound by this handle, whose resource, layout or sampler is destroyed.
     */
    int (*unbind)(void *context, enum aerogpu_space space, uint32_t handle);
    /* Called for a copy of an object. Its contents are shared until either side writes. */
    void (*share)(void *context, struct aerogpu_object *object);
    /* Writes bytes of the linear layout: an upload, or backing memory that is read. */
    int (*write)(void *context, struct aerogpu_object *object, uint64_t offset,
                 const uint8_t *bytes, uint64_t length);
    /* Copies; both are buffers, or both are textures. */
    int (*copy)(void *context, const struct aerogpu_copy *copy, struct aerogpu_object *dst,
                struct aerogpu_object *src);
    int (*clear)(void *context, const struct aerogpu_command *command);
    int (*draw)(void *context, const struct aerogpu_command *command);
    int (*present)(void *context, const struct aerogpu_command *command);
};

/* The parameters of a replay other than the trace. */
struct aerogpu_limits {
    uint32_t back_width, back_height; /* of the implicit back buffer */
    uint64_t budget; /* maximum number of bytes of all live buffers and textures together */
};

struct aerogpu_machine {
    struct aerogpu_objects objects;
    struct aerogpu_pipeline pipeline;
    const struct aerogpu_effects *effects;
    void *context;
    struct aerogpu_memory *memory; /* of the current submission */
    struct aerogpu_limits limits;
    bool back_touched; /* the implicit back buffer was cleared or drawn to */
    bool back_drawn;   /* only the worker knows what the implicit back buffer contains */
    uint64_t live;     /* bytes of all live buffers and textures */
    int status;        /* error of an effect that failed; 0: none has */
};

/* Sets the initial state of aerogpu.md 4.3. `effects` may be NULL. */
void aerogpu_machine_init(struct aerogpu_machine *machine, const struct aerogpu_effects *effects,
                          void *context, const struct aerogpu_limits *limits);
void aerogpu_machine_clear(struct aerogpu_machine *machine);

/* Copies a machine between two submissions. Returns 0, or -ENOMEM and then clears `to`. */
int aerogpu_machine_copy(struct aerogpu_machine *to, const struct aerogpu_machine *from);

/*
 * Executes a command. Returns NULL, or a sentence with the reason why the command is refused; then
 * nothing has changed. Unknown opcodes are refused, too. machine->status is the error of an effect
 * that failed, otherwise 0.
 */
const char *aerogpu_machine_apply(struct aerogpu_machine *machine,
                                  const struct aerogpu_command *command);

/* Returns the number of bytes of a buffer, or of a texture's linear layout. */
uint64_t aerogpu_object_size(const struct aerogpu_object *object);

/* Returns the resource that a handle names, or NULL if there is none. */
struct aerogpu_object *aerogpu_machine_resource(const struct aerogpu_machine *machine,
                                                uint32_t handle);

/*
 * Returns the resource that is bound in `pipeline` by its original handle, or NULL. That handle may
 * be destroyed already.
 */
struct aerogpu_object *aerogpu_machine_bound(const struct aerogpu_machine *machine,
                                             uint32_t original);

/*
 * Gets the texture, or view of one, that is bound as a target by its original handle. Returns false
 * if there is none.
 */
bool aerogpu_machine_target_of(const struct aerogpu_machine *machine, uint32_t original,
                               struct aerogpu_target *out);

/* Gets colour target 0 to 7. Returns false if nothing is bound there. */
bool aerogpu_machine_target(const struct aerogpu_machine *machine, uint32_t slot,
                            struct aerogpu_target *out);

/* Gets the implicit back buffer. */
void aerogpu_machine_back(const struct aerogpu_machine *machine, struct aerogpu_target *out);

/* Gets what PRESENT shows: the first colour target that is bound, or the implicit back buffer. */
void aerogpu_machine_shown(const struct aerogpu_machine *machine, struct aerogpu_target *out);

/*
 * Returns whether draws and CLEAR go to the implicit back buffer, that is, whether neither a colour
 * nor a depth target is bound.
 */
bool aerogpu_machine_draws_back(const struct aerogpu_machine *machine);

/*
 * Gets what a draw without shaders draws to: colour target 0, or the back buffer. Returns false if
 * it draws to nothing.
 */
bool aerogpu_machine_painted(const struct aerogpu_machine *machine, struct aerogpu_target *out);

/*
 * Returns the format in which clears and draws write to a target of that format: its sRGB twin, if
 * D3DRS_SRGBWRITEENABLE is set and there is one.
 */
uint32_t aerogpu_machine_written_format(const struct aerogpu_machine *machine, uint32_t format);

/* Returns whether only the worker knows the contents of a target. */
bool aerogpu_machine_drawn(const struct aerogpu_machine *machine,
                           const struct aerogpu_target *target);

/* Returns whether a draw would be one without shaders (aerogpu.md 4.3), which the CPU executes. */
bool aerogpu_machine_is_unshaded(const struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command);

/*
 * Private to this folder: execute commands on resources, commands of Appendix A, and draws. They
 * return what aerogpu_machine_apply() returns.
 */
const char *aerogpu_machine_resource_command(struct aerogpu_machine *machine,
                                             const struct aerogpu_command *command);
const char *aerogpu_machine_appendix(struct aerogpu_machine *machine,
                                     const struct aerogpu_command *command);
const char *aerogpu_machine_draw(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command);

#endif
