/* SPDX-License-Identifier: MIT */
/*
 * The state machine that walks submissions: which commands are accepted, what
 * objects there are, what is bound (aerogpu.md 4). It holds no contents; an
 * owner of contents learns through struct aerogpu_effects what an accepted command
 * does to them. Every walk over a trace, for sizes, states, pictures or the worker,
 * is this machine, so that all of them accept and refuse the same. One thread at a
 * time.
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
    AEROGPU_SAMPLER_STATES = 16,
    AEROGPU_CONSTANTS = 4096, /* of SET_SHADER_CONSTANTS_F, vec4 */
    AEROGPU_SCALARS = 256,    /* of SET_SHADER_CONSTANTS_I and _B */
};

/* Guest memory that a submission brings: alloc_id to bytes. */
struct aerogpu_allocation {
    uint32_t id, flags, range; /* `range`: its place in the submission */
    uint64_t gpa, size;        /* as the submission says */
    const uint8_t *bytes;      /* of the blob */
    uint64_t held;             /* bytes there are, <= size */
    uint8_t *copy;             /* held bytes, once they were written back to; NULL: not yet */
    bool drawn;                /* what was written back is known to the worker alone */
};

struct aerogpu_memory {
    struct aerogpu_allocation *list; /* ascending by id, the first of equal ones first */
    size_t count;
};

/* NULL: not among them. */
struct aerogpu_allocation *aerogpu_memory_find(const struct aerogpu_memory *memory, uint32_t id);

/* Bytes [offset, offset + length) of it as they are now; NULL: beyond what is held. */
const uint8_t *aerogpu_memory_bytes(const struct aerogpu_allocation *allocation, uint64_t offset,
                                    uint64_t length);

struct aerogpu_binding {
    uint32_t buffer, offset, size, initial_count;
};

struct aerogpu_vertex_binding {
    uint32_t buffer, stride, offset;
};

/* What is bound to one stage; original handles, 0: nothing. */
struct aerogpu_stage_state {
    uint32_t shader;
    uint32_t textures[AEROGPU_TEXTURE_SLOTS];
    uint32_t samplers[AEROGPU_SAMPLER_SLOTS];
    struct aerogpu_binding constants[AEROGPU_CONSTANT_SLOTS];
    struct aerogpu_binding resources[AEROGPU_RESOURCE_SLOTS];
    struct aerogpu_binding unordered[AEROGPU_UNORDERED_SLOTS];
    uint32_t sampler_states[AEROGPU_SAMPLER_SLOTS][AEROGPU_SAMPLER_STATES];
    uint16_t sampler_states_set[AEROGPU_SAMPLER_SLOTS];
    uint32_t (*floats)[4];   /* AEROGPU_CONSTANTS of them; NULL: none was set */
    uint64_t *floats_set;    /* a bit for each */
    uint32_t (*integers)[4]; /* AEROGPU_SCALARS */
    uint64_t *integers_set;
    uint8_t *booleans; /* AEROGPU_SCALARS: 0, 1, or 2 for one that was not set */
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
};

struct aerogpu_machine;

/* A rectangle's corner, in one mip of one layer. */
struct aerogpu_corner {
    uint32_t mip, layer, x, y;
};

/*
 * What a copy says, as the machine has checked it. The words are read from the dump once:
 * another program may write to the file between two readings.
 */
struct aerogpu_copy {
    uint64_t to_offset, from_offset, size; /* of COPY_BUFFER */
    struct aerogpu_corner to, from;        /* of COPY_TEXTURE2D */
    uint32_t width, height;
    uint32_t flags;
};

/*
 * What accepted commands do to contents, called when the machine has checked them,
 * and before its own state changes; each may be NULL. 0, or a negative errno that
 * ends the walk (-ENOMEM).
 */
struct aerogpu_effects {
    /* A life begins, and ends. Contents are zero in the beginning. */
    int (*create)(void *context, struct aerogpu_object *object);
    void (*forget)(void *context, struct aerogpu_object *object);
    /* What is bound by this handle is bound no more: it is destroyed. */
    int (*unbind)(void *context, enum aerogpu_space space, uint32_t handle);
    /* A copy of an object; contents are one, until either side writes. */
    void (*share)(void *context, struct aerogpu_object *object);
    /* Bytes of the linear layout: uploads, and backing memory that is read. */
    int (*write)(void *context, struct aerogpu_object *object, uint64_t offset,
                 const uint8_t *bytes, uint64_t length);
    /* Both are buffers, or both are textures. */
    int (*copy)(void *context, const struct aerogpu_copy *copy, struct aerogpu_object *dst,
                struct aerogpu_object *src);
    int (*clear)(void *context, const struct aerogpu_command *command);
    int (*draw)(void *context, const struct aerogpu_command *command);
    int (*present)(void *context, const struct aerogpu_command *command);
};

/* What a replay is given beside the trace. */
struct aerogpu_limits {
    uint32_t back_width, back_height; /* of the implicit back buffer */
    uint64_t budget;                  /* bytes that live buffers and textures may have together */
};

struct aerogpu_machine {
    struct aerogpu_objects objects;
    struct aerogpu_pipeline pipeline;
    const struct aerogpu_effects *effects;
    void *context;
    struct aerogpu_memory *memory; /* of the submission under way */
    struct aerogpu_limits limits;
    bool back_touched; /* it was cleared, or drawn to */
    bool back_drawn;   /* as an object's `drawn` */
    uint64_t live;     /* bytes of buffers and textures */
    int status;        /* of an effect that failed */
};

/* `effects` may be NULL. The initial state of aerogpu.md 4.3. */
void aerogpu_machine_init(struct aerogpu_machine *machine, const struct aerogpu_effects *effects,
                          void *context, const struct aerogpu_limits *limits);
void aerogpu_machine_clear(struct aerogpu_machine *machine);

/* Makes `to` what `from` is between two submissions. 0, or -ENOMEM: `to` is nothing. */
int aerogpu_machine_copy(struct aerogpu_machine *to, const struct aerogpu_machine *from);

/*
 * Executes a command. NULL, or a sentence that says why it is refused: then nothing
 * has happened. An unknown opcode is refused, too. The machine's `status` is
 * the error of an effect that failed, else 0.
 */
const char *aerogpu_machine_apply(struct aerogpu_machine *machine,
                                  const struct aerogpu_command *command);

/* Bytes of a buffer, or of a texture's linear layout. */
uint64_t aerogpu_object_size(const struct aerogpu_object *object);

/* A resource's object behind its handle; NULL: none. */
struct aerogpu_object *aerogpu_machine_resource(const struct aerogpu_machine *machine,
                                                uint32_t handle);

/* The same of what is bound in `pipeline`: by its original handle, which may be destroyed. */
struct aerogpu_object *aerogpu_machine_bound(const struct aerogpu_machine *machine,
                                             uint32_t original);

/* The texture, or view of one, that is bound so as a target; false: none. */
bool aerogpu_machine_target_of(const struct aerogpu_machine *machine, uint32_t original,
                               struct aerogpu_target *out);

/* Colour target 0 to 7; false: nothing is bound there. */
bool aerogpu_machine_target(const struct aerogpu_machine *machine, uint32_t slot,
                            struct aerogpu_target *out);

/* What PRESENT shows: the first colour target, or the implicit back buffer. */
void aerogpu_machine_shown(const struct aerogpu_machine *machine, struct aerogpu_target *out);

/* Whether draws and CLEAR go to the implicit back buffer: nothing is bound, depth neither. */
bool aerogpu_machine_draws_back(const struct aerogpu_machine *machine);

/* What a draw without shaders draws to: colour target 0, or the back buffer; false: to nothing. */
bool aerogpu_machine_painted(const struct aerogpu_machine *machine, struct aerogpu_target *out);

/* Whether what a target shows is known to the worker alone. */
bool aerogpu_machine_drawn(const struct aerogpu_machine *machine,
                           const struct aerogpu_target *target);

/* Whether a draw would be the one without shaders (aerogpu.md 4.3), on the CPU. */
bool aerogpu_machine_is_unshaded(const struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command);

/*
 * This folder's own: commands on resources, those of Appendix A, and what both need.
 * As aerogpu_machine_apply().
 */
const char *aerogpu_machine_resource_command(struct aerogpu_machine *machine,
                                             const struct aerogpu_command *command);
const char *aerogpu_machine_appendix(struct aerogpu_machine *machine,
                                     const struct aerogpu_command *command);
const char *aerogpu_machine_draw(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command);

#endif
