/* SPDX-License-Identifier: MIT */
#include "tests/worker/scene.h"

#include "tests/support/support.h"

#include "base/bytes.h"
#include "base/text.h"
#include "dxbc/dxbc.h"

#include <string.h>

void scene_init(struct scene *scene)
{
    memset(scene->bytes, 0, 24);
    bytes_put_le32(scene->bytes, AEROGPU_STREAM_MAGIC);
    bytes_put_le32(scene->bytes + 4, 0x00010004);
    bytes_put_le32(scene->bytes + 8, 24);
    scene->size = 24;
}

void scene_add(struct scene *scene, uint32_t opcode, const uint32_t *words, size_t count,
               const void *tail, size_t tail_size)
{
    size_t padded = (tail_size + 3) / 4 * 4, size = 8 + 4 * count + padded;
    uint8_t *at = scene->bytes + scene->size;

    assert_true(size <= sizeof(scene->bytes) - scene->size);
    memset(at, 0, size);
    bytes_put_le32(at, opcode);
    bytes_put_le32(at + 4, (uint32_t)size);
    for (size_t i = 0; i < count; i++)
        bytes_put_le32(at + 8 + 4 * i, words[i]);
    if (tail_size > 0)
        memcpy(at + 8 + 4 * count, tail, tail_size);
    scene->size += size;
    bytes_put_le32(scene->bytes + 8, (uint32_t)scene->size);
}

uint32_t scene_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

void scene_upload(struct scene *scene, uint32_t handle, uint64_t offset, const void *bytes,
                  uint32_t size)
{
    scene_add(scene, AEROGPU_UPLOAD_RESOURCE,
              (const uint32_t[]){handle, 0, (uint32_t)offset, (uint32_t)(offset >> 32), size, 0}, 6,
              bytes, size);
}

void scene_buffer(struct scene *scene, uint32_t handle, const void *bytes, uint32_t size)
{
    SCENE(scene, AEROGPU_CREATE_BUFFER, handle, 0, size, 0, 0, 0, 0, 0);
    if (bytes != NULL)
        scene_upload(scene, handle, 0, bytes, size);
}

void scene_texture(struct scene *scene, uint32_t handle, uint32_t format, uint32_t width,
                   uint32_t height, uint32_t mips, uint32_t layers)
{
    SCENE(scene, AEROGPU_CREATE_TEXTURE2D, handle, 0x18, format, width, height, mips, layers, 0, 0,
          0, 0, 0);
}

void scene_target(struct scene *scene, uint32_t colour, uint32_t depth)
{
    SCENE(scene, AEROGPU_SET_RENDER_TARGETS, colour != 0, depth, colour, 0, 0, 0, 0, 0, 0, 0);
}

void scene_clear(struct scene *scene, uint32_t flags, float red, float green, float blue,
                 float alpha, float depth, uint32_t stencil)
{
    SCENE(scene, AEROGPU_CLEAR, flags, scene_float(red), scene_float(green), scene_float(blue),
          scene_float(alpha), scene_float(depth), stencil);
}

void scene_bytecode(struct scene *scene, uint32_t handle, uint32_t stage, const void *bytes,
                    size_t size)
{
    scene_add(scene, AEROGPU_CREATE_SHADER_DXBC,
              (const uint32_t[]){handle, stage, (uint32_t)size, 0}, 4, bytes, size);
}

void scene_shader(struct scene *scene, uint32_t handle, uint32_t stage, struct blob *code)
{
    scene_bytecode(scene, handle, stage, code->data, code->size);
    blob_unref(&code);
}

void scene_shader_ex(struct scene *scene, uint32_t handle, uint32_t stage_ex, struct blob *code)
{
    scene_add(scene, AEROGPU_CREATE_SHADER_DXBC,
              (const uint32_t[]){handle, AEROGPU_COMPUTE, (uint32_t)code->size, stage_ex}, 4,
              code->data, code->size);
    blob_unref(&code);
}

void scene_bind(struct scene *scene, uint32_t vs, uint32_t ps)
{
    SCENE(scene, AEROGPU_BIND_SHADERS, vs, ps, 0, 0);
}

void scene_layout(struct scene *scene, uint32_t handle)
{
    /* ILAY, version 1, two elements of R32G32B32A32_FLOAT. */
    static const uint32_t blob[] = {0x59414C49, 1, 2,          0, 0x7808E88A, 0, 2,          0, 0,
                                    0,          0, 0xE7C308F8, 0, 2,          0, 0xFFFFFFFF, 0, 0};

    scene_add(scene, AEROGPU_CREATE_INPUT_LAYOUT, (const uint32_t[]){handle, sizeof(blob), 0}, 3,
              blob, sizeof(blob));
    SCENE(scene, AEROGPU_SET_INPUT_LAYOUT, handle, 0);
}

void scene_vertices(struct scene *scene, uint32_t buffer, uint32_t stride)
{
    SCENE(scene, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, buffer, stride, 0, 0);
}

void scene_draw(struct scene *scene, uint32_t count)
{
    SCENE(scene, AEROGPU_DRAW, count, 1, 0, 0);
}

/*
 * Appends a signature's parameters. The second mask of an input says which channels are read, of
 * any other parameter which are never written.
 */
static void add_parameters(struct text *text, const struct scene_parameter *list, size_t count,
                           bool inputs)
{
    uint32_t offset = 8 + 24 * (uint32_t)count;

    text_add_le32(text, (uint32_t)count);
    text_add_le32(text, 8);
    for (size_t i = 0; i < count; i++) {
        text_add_le32(text, offset);
        text_add_le32(text, list[i].index);
        text_add_le32(text, list[i].system_value);
        text_add_le32(text, list[i].type);
        text_add_le32(text, list[i].location);
        text_add_le32(text, list[i].mask | (inputs ? list[i].mask << 8 : 0));
        offset += (uint32_t)strlen(list[i].name) + 1;
    }
    for (size_t i = 0; i < count; i++)
        text_add_bytes(text, list[i].name, strlen(list[i].name) + 1);
    while (text->length % 4 != 0)
        text_add_char(text, '\0');
}

static void add_chunk(struct text *chunks, unsigned *count, const char *name)
{
    struct text *chunk = &chunks[(*count)++];

    *chunk = (struct text)TEXT_INIT;
    text_add_bytes(chunk, name, 4);
    text_add_le32(chunk, 0);
}

static void add_signature(struct text *chunks, unsigned *count, const char *name,
                          const struct scene_signature *signature)
{
    add_chunk(chunks, count, name);
    add_parameters(&chunks[*count - 1], signature->list, signature->count, name[0] == 'I');
}

static void add_code(struct text *chunks, unsigned *count, const struct scene_program *program)
{
    add_chunk(chunks, count, program->model >= 0x50 ? "SHEX" : "SHDR");
    text_add_le32(&chunks[*count - 1], (uint32_t)program->type << 16 | program->model);
    text_add_le32(&chunks[*count - 1], (uint32_t)program->token_count + 2);
    for (size_t i = 0; i < program->token_count; i++)
        text_add_le32(&chunks[*count - 1], program->tokens[i]);
}

/* Packs chunks into a container, and clears them. */
static struct blob *pack(struct text *chunks, unsigned count)
{
    uint32_t size = 32 + 4 * count, offset = size;
    struct text whole = TEXT_INIT;
    struct blob *blob;

    for (unsigned i = 0; i < count; i++)
        size += (uint32_t)chunks[i].length;
    text_add_bytes(&whole, "DXBC", 4);
    for (int i = 0; i < 4; i++)
        text_add_le32(&whole, 0);
    text_add_le32(&whole, 1);
    text_add_le32(&whole, size);
    text_add_le32(&whole, count);
    for (unsigned i = 0; i < count; i++) {
        text_add_le32(&whole, offset);
        offset += (uint32_t)chunks[i].length;
        bytes_put_le32((uint8_t *)chunks[i].bytes + 4, (uint32_t)chunks[i].length - 8);
    }
    for (unsigned i = 0; i < count; i++) {
        text_add_bytes(&whole, chunks[i].bytes, chunks[i].length);
        text_clear(&chunks[i]);
    }
    assert_int_equal(text_blob(&whole, &blob), 0);
    dxbc_checksum(blob->data, blob->size, blob->data + 4);
    text_clear(&whole);
    return blob;
}

struct blob *scene_assemble_program(const struct scene_program *program)
{
    struct text chunks[4];
    unsigned count = 0;

    add_signature(chunks, &count, "ISGN", &program->inputs);
    add_signature(chunks, &count, "OSGN", &program->outputs);
    if (program->patch.count > 0)
        add_signature(chunks, &count, "PCSG", &program->patch);
    add_code(chunks, &count, program);
    return pack(chunks, count);
}

struct blob *scene_assemble(enum dxbc_program program, uint32_t model,
                            const struct scene_parameter *inputs, size_t input_count,
                            const struct scene_parameter *outputs, size_t output_count,
                            const uint32_t *tokens, size_t token_count)
{
    const struct scene_program whole = {
        .type = program,
        .model = model,
        .inputs = {inputs, input_count},
        .outputs = {outputs, output_count},
        .tokens = tokens,
        .token_count = token_count,
    };

    return scene_assemble_program(&whole);
}

static const struct scene_parameter position_and_colour[] = {
    {"POSITION", 0, 0, 3, 0, 15},
    {"COLOR", 0, 0, 3, 1, 15},
};
static const struct scene_parameter passed[] = {
    {"SV_Position", 0, 1, 3, 0, 15},
    {"COLOR", 0, 0, 3, 1, 15},
};
static const struct scene_parameter target[] = {{"SV_Target", 0, 0, 3, 0, 15}};

struct blob *scene_pass_vertex(void)
{
    static const uint32_t tokens[] = {
        0x0300005F, 0x001010F2, 0,                /* dcl_input v0 */
        0x0300005F, 0x001010F2, 1,                /* dcl_input v1 */
        0x04000067, 0x001020F2, 0, 1,             /* dcl_output_siv o0, position */
        0x03000065, 0x001020F2, 1,                /* dcl_output o1 */
        0x05000036, 0x001020F2, 0, 0x00101E46, 0, /* mov o0, v0 */
        0x05000036, 0x001020F2, 1, 0x00101E46, 1, /* mov o1, v1 */
        0x0100003E,                               /* ret */
    };

    return scene_assemble(DXBC_VS, 0x40, position_and_colour, 2, passed, 2, tokens,
                          COUNT_OF(tokens));
}

struct blob *scene_pass_pixel(void)
{
    static const uint32_t tokens[] = {
        0x03001062, 0x001010F2, 1,                /* dcl_input_ps linear v1 */
        0x03000065, 0x001020F2, 0,                /* dcl_output o0 */
        0x05000036, 0x001020F2, 0, 0x00101E46, 1, /* mov o0, v1 */
        0x0100003E,
    };

    return scene_assemble(DXBC_PS, 0x40, passed, 2, target, 1, tokens, COUNT_OF(tokens));
}
