#include "formats/aerogpu/decode/handles.h"

enum { EACH = 0xFF }; /* the handle begins each item of the tail */

struct row {
    uint32_t opcode;
    uint8_t offset, count; /* handles one behind the other */
    uint8_t space;
};

/* clang-format off */
static const struct row rows[] = {
    {AEROGPU_RESOURCE_DIRTY_RANGE, AEROGPU_AT_RESOURCE_DIRTY_RANGE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_UPLOAD_RESOURCE, AEROGPU_AT_UPLOAD_RESOURCE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_COPY_BUFFER, AEROGPU_AT_COPY_BUFFER_DST, 2, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_COPY_TEXTURE2D, AEROGPU_AT_COPY_TEXTURE2D_DST, 2, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_CREATE_TEXTURE_VIEW, AEROGPU_AT_CREATE_TEXTURE_VIEW_TEXTURE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_BIND_SHADERS, AEROGPU_AT_BIND_SHADERS_VS, 3, AEROGPU_SPACE_SHADER},
    {AEROGPU_SET_INPUT_LAYOUT, AEROGPU_AT_SET_INPUT_LAYOUT_LAYOUT, 1, AEROGPU_SPACE_LAYOUT},
    {AEROGPU_SET_RENDER_TARGETS, AEROGPU_AT_SET_RENDER_TARGETS_DEPTH_STENCIL, 9, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_VERTEX_BUFFERS, AEROGPU_AT_SET_VERTEX_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_INDEX_BUFFER, AEROGPU_AT_SET_INDEX_BUFFER_BUFFER, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_TEXTURE, AEROGPU_AT_SET_TEXTURE_TEXTURE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_SAMPLERS, AEROGPU_AT_SET_SAMPLERS_ITEMS, EACH, AEROGPU_SPACE_SAMPLER},
    {AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_EXPORT_SHARED_SURFACE, AEROGPU_AT_EXPORT_SHARED_SURFACE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
};

static const struct row rows_a[] = {
    {AEROGPU_A_UPLOAD_BUFFER, AEROGPU_AT_A_UPLOAD_BUFFER_BUFFER, 1, AEROGPU_SPACE_A_BUFFER},
    {AEROGPU_A_CREATE_PIPELINE, AEROGPU_AT_A_CREATE_PIPELINE_VS, 2, AEROGPU_SPACE_A_SHADER},
    {AEROGPU_A_SET_PIPELINE, AEROGPU_AT_A_SET_PIPELINE_PIPELINE, 1, AEROGPU_SPACE_A_PIPELINE},
    {AEROGPU_A_SET_VERTEX_BUFFER, AEROGPU_AT_A_SET_VERTEX_BUFFER_BUFFER, 1, AEROGPU_SPACE_A_BUFFER},
};
/* clang-format on */

static void emit_one(const uint8_t *bytes, enum aerogpu_space space, aerogpu_handle_emit *emit,
                     void *context)
{
    if (bytes_le32(bytes) != 0)
        emit(context, space, bytes_le32(bytes));
}

static void emit_row(const struct aerogpu_command *command, const struct row *row,
                     aerogpu_handle_emit *emit, void *context)
{
    enum aerogpu_space space = (enum aerogpu_space)row->space;

    if (row->count == EACH) {
        for (uint32_t at = 0; at < command->tail_length; at += command->tail_stride)
            emit_one(command->tail + at, space, emit, context);
        return;
    }
    for (uint32_t i = 0; i < row->count; i++)
        emit_one(command->bytes + row->offset + (size_t)4 * i, space, emit, context);
}

static void emit_more_shaders(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                              void *context)
{
    struct aerogpu_shaders shaders;

    aerogpu_bind_shaders(command, &shaders);
    if (shaders.gs != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.gs);
    if (shaders.hs != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.hs);
    if (shaders.ds != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.ds);
}

void aerogpu_handles(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                     void *context)
{
    bool a = command->type->dialect == AEROGPU_APPENDIX_A;
    const struct row *table = a ? rows_a : rows;
    size_t count = a ? sizeof(rows_a) / sizeof(rows_a[0]) : sizeof(rows) / sizeof(rows[0]);

    for (size_t i = 0; i < count; i++)
        if (table[i].opcode == command->opcode)
            emit_row(command, &table[i], emit, context);
    if (!a && command->opcode == AEROGPU_BIND_SHADERS)
        emit_more_shaders(command, emit, context);
}
