/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU command streams and shaders written by hand, for the tests of the worker. Commands are
 * appended to a stream, which is then submitted to a session.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_SCENE_H
#define GPUDUMPFS_TESTS_WORKER_SCENE_H

#include "base/blob.h"
#include "formats/aerogpu/decode/command_stream.h"

#include <stddef.h>
#include <stdint.h>

struct scene {
    uint8_t bytes[1 << 17];
    size_t size;
};

/* Begins an empty stream, which consists of its header. */
void scene_init(struct scene *scene);

/*
 * Appends a command: its words after the packet's header, then a tail, padded to a multiple of 4
 * bytes.
 */
void scene_add(struct scene *scene, uint32_t opcode, const uint32_t *words, size_t count,
               const void *tail, size_t tail_size);
#define SCENE(scene, opcode, ...)                                                                  \
    scene_add(scene, opcode, (const uint32_t[]){__VA_ARGS__},                                      \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4, NULL, 0)

uint32_t scene_float(float value);

/* Append the most common commands. */
void scene_buffer(struct scene *scene, uint32_t handle, const void *bytes, uint32_t size);
void scene_texture(struct scene *scene, uint32_t handle, uint32_t format, uint32_t width,
                   uint32_t height, uint32_t mips, uint32_t layers);
void scene_upload(struct scene *scene, uint32_t handle, uint64_t offset, const void *bytes,
                  uint32_t size);
void scene_target(struct scene *scene, uint32_t colour, uint32_t depth);
void scene_clear(struct scene *scene, uint32_t flags, float red, float green, float blue,
                 float alpha, float depth, uint32_t stencil);
void scene_bytecode(struct scene *scene, uint32_t handle, uint32_t stage, const void *bytes,
                    size_t size);
void scene_shader(struct scene *scene, uint32_t handle, uint32_t stage, struct blob *code);
/* As scene_shader(), for a stage that only the field `stage_ex` can name. */
void scene_shader_ex(struct scene *scene, uint32_t handle, uint32_t stage_ex, struct blob *code);
void scene_bind(struct scene *scene, uint32_t vs, uint32_t ps);
/*
 * The layout of vertices with positions and colours, four floats each, in slot 0: POSITION and
 * COLOR.
 */
void scene_layout(struct scene *scene, uint32_t handle);
void scene_vertices(struct scene *scene, uint32_t buffer, uint32_t stride);
void scene_draw(struct scene *scene, uint32_t count);

/* Parameters of a shader's signature. */
struct scene_parameter {
    const char *name;
    uint32_t index, system_value, type, location, mask;
};

struct scene_signature {
    const struct scene_parameter *list;
    size_t count;
};

/* A program, its inputs and its outputs. */
struct scene_program {
    enum dxbc_program type;
    uint32_t model; /* 0x40, 0x50 */
    struct scene_signature inputs, outputs;
    struct scene_signature patch; /* of hull and domain shaders; empty if there is none */
    const uint32_t *tokens;
    size_t token_count;
};

/* Assemble genuine DXBC. The caller drops the blob. */
struct blob *scene_assemble_program(const struct scene_program *program);
struct blob *scene_assemble(enum dxbc_program program, uint32_t model,
                            const struct scene_parameter *inputs, size_t input_count,
                            const struct scene_parameter *outputs, size_t output_count,
                            const uint32_t *tokens, size_t token_count);

/*
 * A vertex shader that passes position and colour on, and a pixel shader that returns the colour.
 */
struct blob *scene_pass_vertex(void);
struct blob *scene_pass_pixel(void);

#endif
