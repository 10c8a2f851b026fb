/* SPDX-License-Identifier: MIT */
/*
 * The session: runs commands up to a position, and returns pictures. One submission is current; a
 * later message runs the rest of it.
 */
#include "config.h"

#include "glworker/d3d/session.h"

#include "glworker/core/breadcrumb_page.h"
#include "glworker/core/confine.h"

#include "glworker/d3d/appendix_a.h"
#include "glworker/d3d/bind.h"
#include "glworker/d3d/codes.h"
#include "glworker/d3d/copy.h"
#include "glworker/d3d/draw.h"
#include "glworker/d3d/objects.h"
#include "glworker/d3d/probe.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/shaders.h"
#include "glworker/d3d/state.h"
#include "glworker/d3d/storage.h"
#include "glworker/d3d/textures.h"

#include "worker/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXTURE_LIMIT (UINT64_C(1) << 30)
enum { OPCODES = 0x800 };

/* The functions that carry out commands. Commands without one do not affect pictures. */
static aero_command *const commands[OPCODES] = {
    [AEROGPU_CREATE_BUFFER] = aero_create_buffer,
    [AEROGPU_CREATE_TEXTURE2D] = aero_create_texture,
    [AEROGPU_DESTROY_RESOURCE] = aero_destroy_resource,
    [AEROGPU_RESOURCE_DIRTY_RANGE] = aero_dirty_range,
    [AEROGPU_UPLOAD_RESOURCE] = aero_upload,
    [AEROGPU_COPY_BUFFER] = aero_copy_buffer,
    [AEROGPU_COPY_TEXTURE2D] = aero_copy_texture,
    [AEROGPU_CREATE_TEXTURE_VIEW] = aero_create_view,
    [AEROGPU_DESTROY_TEXTURE_VIEW] = aero_destroy_view,
    [AEROGPU_CREATE_SHADER_DXBC] = aero_create_shader,
    [AEROGPU_DESTROY_SHADER] = aero_destroy_shader,
    [AEROGPU_BIND_SHADERS] = aero_bind_shaders_command,
    [AEROGPU_SET_SHADER_CONSTANTS_F] = aero_set_floats,
    [AEROGPU_CREATE_INPUT_LAYOUT] = aero_create_layout,
    [AEROGPU_DESTROY_INPUT_LAYOUT] = aero_destroy_layout,
    [AEROGPU_SET_INPUT_LAYOUT] = aero_set_layout,
    [AEROGPU_SET_SHADER_CONSTANTS_I] = aero_set_integers,
    [AEROGPU_SET_SHADER_CONSTANTS_B] = aero_set_booleans,
    [AEROGPU_SET_BLEND_STATE] = aero_set_blend,
    [AEROGPU_SET_DEPTH_STENCIL_STATE] = aero_set_depth_stencil,
    [AEROGPU_SET_RASTERIZER_STATE] = aero_set_rasterizer,
    [AEROGPU_SET_RENDER_TARGETS] = aero_set_targets,
    [AEROGPU_SET_VIEWPORT] = aero_set_viewport,
    [AEROGPU_SET_SCISSOR] = aero_set_scissor,
    [AEROGPU_SET_VERTEX_BUFFERS] = aero_set_vertices,
    [AEROGPU_SET_INDEX_BUFFER] = aero_set_indices,
    [AEROGPU_SET_PRIMITIVE_TOPOLOGY] = aero_set_topology,
    [AEROGPU_SET_TEXTURE] = aero_set_texture,
    [AEROGPU_SET_SAMPLER_STATE] = aero_set_sampler_state,
    [AEROGPU_SET_RENDER_STATE] = aero_set_render_state,
    [AEROGPU_CREATE_SAMPLER] = aero_create_sampler,
    [AEROGPU_DESTROY_SAMPLER] = aero_destroy_sampler,
    [AEROGPU_SET_SAMPLERS] = aero_set_samplers,
    [AEROGPU_SET_CONSTANT_BUFFERS] = aero_set_constants,
    [AEROGPU_SET_SHADER_RESOURCE_BUFFERS] = aero_set_buffers,
    [AEROGPU_SET_UNORDERED_ACCESS_BUFFERS] = aero_set_written,
    [AEROGPU_CLEAR] = aero_clear,
    [AEROGPU_DRAW] = aero_draw,
    [AEROGPU_DRAW_INDEXED] = aero_draw_indexed,
    [AEROGPU_DISPATCH] = aero_dispatch,
    [AEROGPU_PRESENT] = aero_present,
    [AEROGPU_PRESENT_EX] = aero_present,
    [AEROGPU_EXPORT_SHARED_SURFACE] = aero_export_surface,
    [AEROGPU_IMPORT_SHARED_SURFACE] = aero_import_surface,
    [AEROGPU_RELEASE_SHARED_SURFACE] = aero_release_surface,
};

/* The only session; NULL if there was no reset yet. */
static struct aero *session;

struct aero *aero_session(void)
{
    return session;
}

int aero_note(struct aero *aero, enum problem_severity severity, const char *format, ...)
{
    char text[300];
    va_list arguments;

    if (aero->quiet || aero->note_count == SESSION_NOTES_MAX)
        return -EINVAL;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    message_write_u32(&aero->notes, aero->command.offset);
    message_write_u32(&aero->notes, severity);
    message_write_u32(&aero->notes, (uint32_t)strlen(text));
    message_write_bytes(&aero->notes, text, strlen(text));
    aero->note_count++;
    return -EINVAL;
}

static struct aero_memory *find_memory(const struct aero *aero, uint32_t alloc)
{
    for (uint32_t i = aero->memory_count; i > 0; i--)
        if (aero->memories[i - 1].id == alloc)
            return &aero->memories[i - 1];
    return NULL;
}

uint8_t *aero_memory(struct aero *aero, uint32_t alloc, uint64_t offset, uint64_t size)
{
    struct aero_memory *memory = find_memory(aero, alloc);

    if (memory != NULL && bytes_inside(offset, size, memory->size))
        return memory->data + offset;
    aero_note(aero, PROBLEM_ERROR, "guest memory %u %s", alloc,
              memory == NULL ? "is not in the submission" : "ends before the resource does");
    return NULL;
}

bool aero_memory_writable(const struct aero *aero, uint32_t alloc)
{
    const struct aero_memory *memory = find_memory(aero, alloc);

    return memory != NULL && (memory->flags & AEROGPU_ALLOC_READONLY) == 0;
}

void aero_drop_submission(struct aero *aero)
{
    blob_unref(&aero->payload);
    free(aero->memories);
    aero->memories = NULL;
    aero->memory_count = 0;
    aero->pending = false;
    aero->ended = true;
}

static void delete_pipeline(struct aero *aero)
{
    glUseProgram(0);
    glBindProgramPipeline(0);
    glDeleteProgramPipelines(1, &aero->pipeline);
}

static void session_free(struct aero *aero)
{
    if (aero == NULL)
        return;
    aero_drop_submission(aero);
    aero_drop_session(aero);
    delete_pipeline(aero);
    glDeleteFramebuffers(1, &aero->framebuffer);
    glDeleteBuffers(1, &aero->empty);
    glDeleteBuffers(1, &aero->counting);
    glDeleteBuffers(AERO_STAGES * TRANSLATE_CONSTANTS, aero->scratch);
    glDeleteTextures(AERO_STAGES * TRANSLATE_UNITS, aero->unit_texels);
    glDeleteTextures(AERO_STAGES * TRANSLATE_IMAGES, aero->image_texels);
    glDeleteSamplers(1, &aero->nearest);
    glDeleteSamplers(AERO_STAGES * AERO_SAMPLER_SLOTS, aero->slot_samplers[0]);
    message_writer_free(&aero->notes);
    free(aero->bad);
    free(aero);
}

static int make_back(struct aero *aero, uint32_t width, uint32_t height)
{
    const struct aerogpu_shape shape = {
        .format = AEROGPU_R8G8B8A8, .width = width, .height = height, .mips = 1, .layers = 1};

    return aero_texture_make(aero, &shape, 0, &aero->back);
}

static void make_things(struct aero *aero)
{
    static const uint8_t zeros[65536];

    glCreateFramebuffers(1, &aero->framebuffer);
    glCreateProgramPipelines(1, &aero->pipeline);
    glCreateBuffers(1, &aero->empty);
    glNamedBufferData(aero->empty, sizeof(zeros), zeros, GL_STATIC_DRAW);
    /* An empty slot samples as in D3D: the nearest texel, clamped to the edges. */
    glCreateSamplers(1, &aero->nearest);
    glSamplerParameteri(aero->nearest, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glSamplerParameteri(aero->nearest, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glSamplerParameteri(aero->nearest, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(aero->nearest, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(aero->nearest, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

static int read_bad(struct message_reader *request, struct aero *aero, uint32_t count)
{
    if (count > request->left / 8)
        return -EPROTO;
    aero->bad = calloc(count + 1u, sizeof(*aero->bad));
    if (aero->bad == NULL)
        return -ENOMEM;
    for (aero->bad_count = 0; aero->bad_count < count; aero->bad_count++)
        aero->bad[aero->bad_count] = message_read_u64(request);
    return 0;
}

void aero_end(void)
{
    aero_forget_saved();
    session_free(session);
    session = NULL;
}

static int handle_reset(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t flags = message_read_u32(request);
    uint32_t width = message_read_u32(request), height = message_read_u32(request);
    uint32_t bad_count = message_read_u32(request);
    uint64_t limit = message_read_u64(request);
    struct aero *aero;
    int status = graphics_start(answer->reason);

    if (status < 0)
        return status;
    serve_begin_session(aero_end);
    aero_codes_trim();
    aero = calloc(1, sizeof(*aero));
    if (aero == NULL)
        return -ENOMEM;
    aero->flags = flags;
    aero->ended = true;
    aero->texture_limit = limit != 0 ? limit : TEXTURE_LIMIT;
    confine_memory(aero->texture_limit + AERO_COPIES_MAX);
    aero_state_init(&aero->state);
    make_things(aero);
    status = read_bad(request, aero, bad_count);
    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status == 0)
        status = make_back(aero, width, height);
    if (status < 0) {
        session_free(aero);
        return status;
    }
    session = aero;
    message_write_bytes(&answer->body, graphics_renderer(), strlen(graphics_renderer()));
    return 0;
}

/*
 * Reads the descriptions of the memory ranges; their bytes come after the commands, in the same
 * order.
 */
static int read_ranges(struct message_reader *request, struct aero *aero, uint32_t count)
{
    uint64_t flags;

    if (count > AEROGPU_SESSION_RANGES_MAX || count > request->left / 24)
        return -EPROTO;
    aero->memories = calloc(count + 1u, sizeof(*aero->memories));
    if (aero->memories == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        aero->memories[i].id = message_read_u64(request);
        flags = message_read_u64(request);
        aero->memories[i].flags = (uint32_t)flags;
        aero->memories[i].size = message_read_u64(request);
    }
    return 0;
}

static int read_memories(struct message_reader *request, struct aero *aero, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        aero->memories[i].data =
            (uint8_t *)(uintptr_t)message_read_bytes(request, aero->memories[i].size);
    aero->memory_count = count;
    return message_read_all(request) ? 0 : -EPROTO;
}

/* Opens the submission's commands, which point into the message. */
static int open_commands(struct aero *aero, const uint8_t *bytes, uint32_t size,
                         struct serve_answer *answer)
{
    struct aerogpu_error error;

    aero->ended = false;
    if (aero->dialect == AEROGPU_APPENDIX_A) {
        aero->pending = aerogpu_dwords_read(bytes, size, &aero->command, &error);
        return aero->pending ? 0 : serve_refuse(answer, -EINVAL, "not a packet of Appendix A");
    }
    if (!aerogpu_stream_open(&aero->stream, bytes, size))
        return serve_refuse(answer, -EINVAL, "not a command stream: %s",
                            aerogpu_error_name(aero->stream.error.kind));
    return 0;
}

static bool next_command(struct aero *aero)
{
    if (aero->pending)
        return true;
    if (aero->ended || aero->dialect == AEROGPU_APPENDIX_A)
        return false;
    aero->pending = aerogpu_stream_next(&aero->stream, &aero->command);
    aero->ended = !aero->pending;
    return aero->pending;
}

static int run_one(struct aero *aero)
{
    const struct aerogpu_command *command = &aero->command;

    breadcrumb_move(command->offset);
    /* The reader of the dump reports malformed commands. */
    if (command->error != AEROGPU_OK)
        return 0;
    if (aero->dialect == AEROGPU_APPENDIX_A)
        return aero_appendix_a_run(aero, command);
    if (command->opcode < OPCODES && commands[command->opcode] != NULL)
        return commands[command->opcode](aero, command);
    return 0;
}

static int run(struct aero *aero, uint32_t until, struct serve_answer *answer)
{
    uint32_t count = 0, position;
    int status = 0;

    aero->presents = 0;
    aero->note_count = 0;
    message_writer_free(&aero->notes);
    while (status != -ENOMEM && next_command(aero) && aero->command.offset < until &&
           !serve_is_withdrawn()) {
        status = run_one(aero);
        aero->pending = false;
        count++;
    }
    if (status == -ENOMEM)
        aero_note(aero, PROBLEM_ERROR, "out of memory for the command");
    glFinish();
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    position = aero->pending                         ? aero->command.offset
               : aero->dialect == AEROGPU_APPENDIX_A ? aero->command.size
                                                     : aero->stream.position;
    message_write_u32(&answer->body, position);
    message_write_u32(&answer->body, count);
    message_write_u32(&answer->body, aero->presents);
    message_write_u32(&answer->body, aero->note_count);
    message_write_bytes(&answer->body, aero->notes.bytes, aero->notes.size);
    return aero->notes.bad ? -ENOMEM : 0;
}

int aero_run_next(struct aero *aero, struct serve_answer *answer)
{
    return run(aero, next_command(aero) ? aero->command.offset + 1 : 0, answer);
}

static int handle_submit(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t dialect = message_read_u32(request), until = message_read_u32(request);
    uint32_t size = message_read_u32(request), count = message_read_u32(request);
    const uint8_t *commands_at;
    int status;

    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    if (dialect > AEROGPU_APPENDIX_A)
        return -EPROTO;
    aero_drop_submission(session);
    session->fed += serve_payload()->size;
    session->dialect = (enum aerogpu_dialect)dialect;
    status = read_ranges(request, session, count);
    if (status < 0)
        return status;
    commands_at = message_read_bytes(request, size);
    status = commands_at == NULL ? -EPROTO : read_memories(request, session, count);
    if (status == 0)
        status = open_commands(session, commands_at, size, answer);
    if (status < 0) {
        aero_drop_submission(session);
        return status;
    }
    /* Commands and memory point into the message, so it is kept. */
    session->payload = blob_ref(serve_payload());
    return run(session, until, answer);
}

static int handle_continue(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t until = message_read_u32(request);

    if (session == NULL || session->payload == NULL)
        return serve_refuse(answer, -EINVAL, "there is no submission");
    if (!message_read_all(request))
        return -EPROTO;
    return run(session, until, answer);
}

/* A requested subresource, and how to read it. */
struct wanted {
    struct aero_resource *resource;
    uint32_t mip, layer, format;
    bool upside_down;
};

static int find_wanted(const uint32_t numbers[5], struct wanted *out, struct serve_answer *answer)
{
    struct aero_view *view = NULL;
    struct aero_texture *texture;

    *out = (struct wanted){.resource = NULL};
    switch (numbers[0]) {
    case AEROGPU_PICTURE_PRESENTED:
        out->resource = session->shown;
        out->upside_down = session->shown_upside_down;
        break;
    case AEROGPU_PICTURE_TARGET:
        out->resource = numbers[1] < AEROGPU_MAX_TARGETS ? aero_target(session, numbers[1]) : NULL;
        if (out->resource == NULL && numbers[1] == 0) /* the first target that there is */
            out->resource = aero_presented(session);
        out->upside_down = out->resource == session->back && session->upside_down;
        break;
    case AEROGPU_PICTURE_DEPTH:
        out->resource = aero_depth_target(session);
        break;
    case AEROGPU_PICTURE_TEXTURE:
        out->resource = aero_find_kept(session, numbers[2]);
        out->mip = numbers[3];
        out->layer = numbers[4];
        break;
    case AEROGPU_PICTURE_BACK:
        out->resource = session->back;
        out->upside_down = session->upside_down;
        break;
    default:
        return -EPROTO;
    }
    texture = aero_texture_of(out->resource, &view);
    if (texture == NULL)
        return serve_refuse(answer, -ENOENT, "there is no such picture");
    if (view != NULL && (out->mip >= view->mips || out->layer >= view->layers))
        return serve_refuse(answer, -ENOENT, "there is no such part of the view");
    out->mip += view == NULL ? 0 : view->base_mip;
    out->layer += view == NULL ? 0 : view->base_layer;
    out->format = view == NULL ? texture->shape.format : view->format;
    return 0;
}

static void flip(uint8_t *pixels, uint32_t width, uint32_t height)
{
    size_t row = (size_t)width * 4;

    for (uint32_t y = 0; y < height / 2; y++) {
        uint8_t *a = pixels + y * row, *b = pixels + (height - 1 - y) * row;

        for (size_t x = 0; x < row; x++) {
            uint8_t byte = a[x];

            a[x] = b[x];
            b[x] = byte;
        }
    }
}

/* Sets alpha to 255. It is needed where an X8 view was cast from a format with alpha. */
static void make_opaque(uint8_t *pixels, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        pixels[4 * i + 3] = 255;
}

static int handle_picture(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t numbers[5];
    struct wanted wanted;
    struct aerogpu_subresource part;
    struct aerogpu_format_info info;
    struct aero_texture *texture;
    int status;

    for (int i = 0; i < 5; i++)
        numbers[i] = message_read_u32(request);
    if (!message_read_all(request))
        return -EPROTO;
    if (session == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    status = find_wanted(numbers, &wanted, answer);
    if (status < 0)
        return status;
    texture = aero_texture_of(wanted.resource, NULL);
    if (!aerogpu_subresource(&texture->shape, wanted.mip, wanted.layer, &part))
        return serve_refuse(answer, -ENOENT, "there is no such mip or layer");
    aero_refresh(session, wanted.resource);
    status = blob_create((size_t)part.width * part.height * 4, &answer->bulk);
    if (status < 0)
        return status;
    aero_texture_read(texture, wanted.mip, wanted.layer, answer->bulk->data);
    aerogpu_format_find(wanted.format, &info);
    if (info.opaque)
        make_opaque(answer->bulk->data, (uint64_t)part.width * part.height);
    if (wanted.upside_down)
        flip(answer->bulk->data, part.width, part.height);
    message_write_u32(&answer->body, part.width);
    message_write_u32(&answer->body, part.height);
    message_write_u32(&answer->body, wanted.format);
    message_write_u32(&answer->body, texture->info.depth);
    return 0;
}

/* Returns all subresources in a tight layout, whatever pitch the texture has in guest memory. */
static int texture_content(struct aero_texture *texture, struct blob **out)
{
    struct aerogpu_shape tight = texture->shape;
    int status;

    tight.row_pitch = 0;
    status = blob_create((size_t)aerogpu_shape_size(&tight), out);
    for (uint32_t layer = 0; status == 0 && layer < tight.layers; layer++)
        for (uint32_t mip = 0; status == 0 && mip < tight.mips; mip++) {
            const uint8_t *from = aero_texture_shadow(texture, mip, layer);
            struct aerogpu_subresource to, part;

            aerogpu_subresource(&tight, mip, layer, &to);
            aerogpu_subresource(&texture->shape, mip, layer, &part);
            for (uint32_t row = 0; from != NULL && row < to.rows; row++)
                memcpy((*out)->data + to.offset + (uint64_t)row * to.pitch,
                       from + (uint64_t)row * part.pitch, to.row_size);
            status = from == NULL ? -ENOMEM : 0;
        }
    if (status < 0)
        blob_unref(out);
    return status;
}

static int handle_content(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t handle = message_read_u32(request);
    struct aero_resource *resource;
    int status;

    if (!message_read_all(request))
        return -EPROTO;
    resource = session == NULL ? NULL : aero_find_kept(session, handle);
    if (resource == NULL || resource->kind == AERO_VIEW)
        return serve_refuse(answer, -ENOENT, "handle %u is not a resource", handle);
    aero_refresh(session, resource);
    if (resource->kind == AERO_TEXTURE_2D)
        return texture_content(&resource->texture, &answer->bulk);
    status = blob_create((size_t)resource->buffer.size, &answer->bulk);
    if (status == 0)
        glGetNamedBufferSubData(resource->buffer.storage->name, 0,
                                (GLsizeiptr)resource->buffer.size, answer->bulk->data);
    return status;
}

const struct serve_kind aero_kinds[] = {
    {AEROGPU_MESSAGE_RESET, handle_reset},       {AEROGPU_MESSAGE_SUBMIT, handle_submit},
    {AEROGPU_MESSAGE_CONTINUE, handle_continue}, {AEROGPU_MESSAGE_PICTURE, handle_picture},
    {AEROGPU_MESSAGE_CONTENT, handle_content},   {AEROGPU_MESSAGE_SAVE, aero_handle_save},
    {AEROGPU_MESSAGE_LOAD, aero_handle_load},    {AEROGPU_MESSAGE_FORGET, aero_handle_forget},
    {AEROGPU_MESSAGE_PROBE, aero_handle_probe},  {0, NULL},
};
