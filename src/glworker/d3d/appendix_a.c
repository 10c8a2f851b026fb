/* SPDX-License-Identifier: MIT */
/*
 * Appendix A: ten commands, one in each packet, that draw on the back buffer with GLSL ES shaders
 * of their own (worker.md 5.5). Rows are in GL's order, from the bottom.
 */
#include "config.h"

#include "glworker/d3d/appendix_a.h"

#include "glworker/core/breadcrumb_page.h"

#include "glworker/d3d/bind.h"
#include "glworker/d3d/codes.h"
#include "glworker/d3d/draw.h"
#include "glworker/d3d/probe.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/shaders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_MAX = 1 << 28, VERTICES_MAX = 1 << 26 };

/* An object with a number: a buffer, shader or pipeline. Each kind has its own table. */
struct appendix_object {
    uint32_t id;
    GLuint name;      /* buffer, or program */
    uint32_t size;    /* of a buffer */
    char *text;       /* of a shader; NULL if it has none */
    uint64_t subject; /* breadcrumb name of a shader, or of a pipeline's vertex stage */
    uint64_t pixel;   /* breadcrumb name of a pipeline's fragment stage */
    UT_hash_handle hh;
};

struct aero_appendix_a {
    struct appendix_object *buffers, *shaders, *pipelines;
    uint32_t pipeline;
    uint32_t buffer, stride, position, colour;
    uint32_t width, height;
};

static struct appendix_object *find(struct appendix_object *table, uint32_t id)
{
    struct appendix_object *object;

    HASH_FIND(hh, table, &id, sizeof(id), object);
    return object;
}

/*
 * Returns the object of that number, creating it if there is none. Returns NULL if there is no
 * memory.
 */
static struct appendix_object *make(struct appendix_object **table, uint32_t id)
{
    struct appendix_object *object = find(*table, id);

    if (object != NULL)
        return object;
    object = calloc(1, sizeof(*object));
    if (object != NULL) {
        object->id = id;
        HASH_ADD(hh, *table, id, sizeof(object->id), object);
    }
    return object;
}

static void free_table(struct appendix_object **table, void (*delete_name)(GLuint))
{
    struct appendix_object *object, *next;

    HASH_ITER (hh, *table, object, next) {
        HASH_DEL(*table, object);
        if (object->name != 0)
            delete_name(object->name);
        free(object->text);
        free(object);
    }
}

static void delete_buffer(GLuint name)
{
    glDeleteBuffers(1, &name);
}

/* Deletes nothing: programs outlive the session (codes.h). */
static void leave_program(GLuint name)
{
    (void)name;
}

void aero_appendix_a_free(struct aero *aero)
{
    if (aero->appendix_a == NULL)
        return;
    free_table(&aero->appendix_a->buffers, delete_buffer);
    free_table(&aero->appendix_a->shaders, leave_program);
    free_table(&aero->appendix_a->pipelines, leave_program);
    free(aero->appendix_a);
    aero->appendix_a = NULL;
}

/* Returns the blob of that number that came with the packet; NULL if there is none. */
static const struct aero_memory *find_blob(const struct aero *aero, uint64_t id)
{
    for (uint32_t i = 0; i < aero->memory_count; i++)
        if (aero->memories[i].id == id)
            return &aero->memories[i];
    return NULL;
}

static int create_buffer(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t size = aerogpu_u32(command, AEROGPU_AT_A_CREATE_BUFFER_SIZE);
    uint32_t id = aerogpu_u32(command, AEROGPU_AT_A_CREATE_BUFFER_BUFFER);
    struct appendix_object *buffer;

    if (size == 0 || size > BUFFER_MAX)
        return aero_note(aero, PROBLEM_ERROR, "a buffer of %u bytes, which must be 1 to %u", size,
                         (unsigned)BUFFER_MAX);
    buffer = make(&aero->appendix_a->buffers, id);
    if (buffer == NULL)
        return -ENOMEM;
    buffer->size = 0;
    if (!aero_buffer_make(&buffer->name, size))
        return aero_note(aero, PROBLEM_ERROR, "the driver has no room for a buffer of %u bytes",
                         size);
    buffer->size = size;
    return 0;
}

static int upload_buffer(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t offset = aerogpu_u32(command, AEROGPU_AT_A_UPLOAD_BUFFER_OFFSET);
    uint32_t size = aerogpu_u32(command, AEROGPU_AT_A_UPLOAD_BUFFER_SIZE);
    struct appendix_object *buffer =
        find(aero->appendix_a->buffers, aerogpu_u32(command, AEROGPU_AT_A_UPLOAD_BUFFER_BUFFER));
    const struct aero_memory *blob =
        find_blob(aero, aerogpu_u64(command, AEROGPU_AT_A_UPLOAD_BUFFER_BLOB));

    if (buffer == NULL || blob == NULL)
        return aero_note(aero, PROBLEM_ERROR, "an upload without %s",
                         buffer == NULL ? "a buffer" : "its blob");
    if (size > blob->size || !bytes_inside(offset, size, buffer->size))
        return aero_note(aero, PROBLEM_ERROR, "an upload beyond the end of a buffer or blob");
    glNamedBufferSubData(buffer->name, offset, size, blob->data);
    return 0;
}

static int create_shader(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t id = aerogpu_u32(command, AEROGPU_AT_A_CREATE_SHADER_SHADER);
    const struct aero_memory *blob =
        find_blob(aero, aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_GLSL));
    struct appendix_object *shader = make(&aero->appendix_a->shaders, id);

    if (shader == NULL)
        return -ENOMEM;
    free(shader->text);
    shader->text = blob == NULL ? NULL : strndup((const char *)blob->data, blob->size);
    shader->subject = blob == NULL ? 0 : breadcrumb_name(blob->data, blob->size);
    if (shader->text != NULL && aero_is_bad(aero, shader->subject)) {
        aero_note(aero, PROBLEM_ERROR, "shader %u killed the graphics worker", id);
        free(shader->text);
        shader->text = NULL;
    }
    return 0;
}

static GLuint link_own(struct aero *aero, uint32_t id, const struct appendix_object *vertex,
                       const struct appendix_object *fragment)
{
    static const char *const names[] = {"a_position", "a_color"};
    char reason[WORKER_REASON] = "";
    bool made;
    struct aero_pair *pair = aero_pair(vertex->subject, fragment->subject, 0, &made);

    if (pair == NULL)
        return 0;
    if (!made) {
        breadcrumb_set(BREADCRUMB_COMPILE,
                       (const uint64_t[BREADCRUMB_SUBJECTS]){vertex->subject, fragment->subject});
        pair->program = graphics_program(vertex->text, fragment->text, names, 2, reason);
        breadcrumb_set(BREADCRUMB_NONE, NULL);
        pair->reason = pair->program == 0 ? strdup(reason) : NULL;
    }
    if (pair->program == 0)
        aero_note(aero, PROBLEM_ERROR, "pipeline %u cannot be run: %s", id,
                  pair->reason == NULL ? "" : pair->reason);
    return pair->program;
}

/*
 * Creates a pipeline of the trace's own shaders, if it has both as GLSL and they link; otherwise of
 * shaders that pass colours through.
 */
static int create_pipeline(struct aero *aero, const struct aerogpu_command *command)
{
    struct appendix_object *vertex =
        find(aero->appendix_a->shaders, aerogpu_u32(command, AEROGPU_AT_A_CREATE_PIPELINE_VS));
    struct appendix_object *fragment =
        find(aero->appendix_a->shaders, aerogpu_u32(command, AEROGPU_AT_A_CREATE_PIPELINE_FS));
    struct appendix_object *pipeline = make(
        &aero->appendix_a->pipelines, aerogpu_u32(command, AEROGPU_AT_A_CREATE_PIPELINE_PIPELINE));

    if (pipeline == NULL)
        return -ENOMEM;
    pipeline->name = 0;
    if (vertex != NULL && fragment != NULL && vertex->text != NULL && fragment->text != NULL)
        pipeline->name = link_own(aero, pipeline->id, vertex, fragment);
    pipeline->subject = pipeline->name == 0 ? 0 : vertex->subject;
    pipeline->pixel = pipeline->name == 0 ? 0 : fragment->subject;
    if (pipeline->name == 0)
        pipeline->name = aero_plain_program(aero, true);
    return pipeline->name == 0 ? -EINVAL : 0;
}

/* Binds the back buffer as the target, and the state that all of Appendix A uses. */
static int bind_back(struct aero *aero)
{
    const struct aero_appendix_a *appendix = aero->appendix_a;
    const struct aerogpu_shape *shape = &aero->back->texture.shape;
    uint32_t width, height;
    int status = aero_bind_targets(aero, &width, &height);

    if (status < 0)
        return status;
    aero_bind_raster(aero, shape->width, shape->height, true);
    if (appendix->width != 0 && appendix->height != 0)
        glViewport(0, 0, (GLsizei)appendix->width, (GLsizei)appendix->height);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    aero->upside_down = true;
    aero_targets_drawn(aero);
    return 0;
}

static int clear(struct aero *aero, const struct aerogpu_command *command)
{
    float colour[4];
    int status = bind_back(aero);

    for (uint32_t i = 0; i < 4; i++)
        colour[i] = aerogpu_f32(command, AEROGPU_AT_A_CLEAR_COLOR + 4 * i);
    if (status == 0)
        glClearBufferfv(GL_COLOR, 0, colour);
    return status;
}

static void bind_attribute(const struct appendix_object *buffer, GLuint location, GLint count,
                           uint32_t offset, uint32_t stride)
{
    glVertexAttribFormat(location, count, GL_FLOAT, GL_FALSE, 0);
    glVertexAttribBinding(location, location);
    glVertexBindingDivisor(location, 0);
    glBindVertexBuffer(location, buffer->name, offset, (GLsizei)stride);
    glEnableVertexAttribArray(location);
}

/* The vertices of a draw. */
struct vertices {
    uint32_t first, count;
};

static int draw_again(struct aero *aero, void *context)
{
    const struct vertices *vertices = context;

    (void)aero;
    glDrawArrays(GL_TRIANGLES, (GLint)vertices->first, (GLsizei)vertices->count);
    return 0;
}

static int draw(struct aero *aero, const struct aerogpu_command *command)
{
    const struct aero_appendix_a *appendix = aero->appendix_a;
    struct vertices vertices = {aerogpu_u32(command, AEROGPU_AT_A_DRAW_FIRST),
                                aerogpu_u32(command, AEROGPU_AT_A_DRAW_COUNT)};
    struct appendix_object *buffer = find(appendix->buffers, appendix->buffer);
    struct appendix_object *pipeline = find(appendix->pipelines, appendix->pipeline);
    int status;

    if (pipeline == NULL || pipeline->name == 0 || buffer == NULL)
        return aero_note(aero, PROBLEM_ERROR, "a draw without %s",
                         buffer == NULL ? "a vertex buffer" : "a pipeline");
    if (appendix->stride > 2048 || appendix->position >= buffer->size ||
        appendix->colour >= buffer->size || vertices.count > VERTICES_MAX ||
        vertices.first > INT32_MAX)
        return aero_note(
            aero, PROBLEM_ERROR,
            "a draw beyond the end of its buffer, or with too large a stride or count");
    status = bind_back(aero);
    if (status < 0)
        return status;
    for (GLuint i = 0; i < AERO_ATTRIBUTES; i++)
        glDisableVertexAttribArray(i);
    bind_attribute(buffer, 0, 2, appendix->position, appendix->stride);
    bind_attribute(buffer, 1, 4, appendix->colour, appendix->stride);
    glUseProgram(pipeline->name);
    breadcrumb_set(BREADCRUMB_DRAW,
                   (const uint64_t[BREADCRUMB_SUBJECTS]){pipeline->subject, pipeline->pixel});
    if (aero->probe != NULL) {
        aero_probe_draw(aero, false, draw_again, &vertices);
        status = bind_back(aero);
    }
    if (status == 0)
        status = draw_again(aero, &vertices);
    if (graphics_failed())
        aero_note(aero, PROBLEM_ERROR, "the driver refuses the draw");
    return status;
}

/*
 * Runs a command on the back buffer and without encoding, whatever targets and state commands of
 * the A3A0 dialect have set.
 */
static int run_on_back(struct aero *aero, const struct aerogpu_command *command,
                       int (*run)(struct aero *aero, const struct aerogpu_command *command))
{
    const uint32_t count = aero->state.target_count, depth = aero->state.depth_target;
    const bool srgb_write = aero->state.srgb_write;
    int status;

    aero->state.target_count = aero->state.depth_target = 0;
    aero->state.srgb_write = false;
    status = run(aero, command);
    aero->state.target_count = count;
    aero->state.depth_target = depth;
    aero->state.srgb_write = srgb_write;
    return status;
}

int aero_appendix_a_run(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_appendix_a *appendix;

    if (aero->appendix_a == NULL)
        aero->appendix_a = calloc(1, sizeof(*aero->appendix_a));
    appendix = aero->appendix_a;
    if (appendix == NULL)
        return -ENOMEM;
    switch (command->opcode) {
    case AEROGPU_A_CREATE_BUFFER:
        return create_buffer(aero, command);
    case AEROGPU_A_UPLOAD_BUFFER:
        return upload_buffer(aero, command);
    case AEROGPU_A_CREATE_SHADER:
        return create_shader(aero, command);
    case AEROGPU_A_CREATE_PIPELINE:
        return create_pipeline(aero, command);
    case AEROGPU_A_SET_PIPELINE:
        appendix->pipeline = aerogpu_u32(command, AEROGPU_AT_A_SET_PIPELINE_PIPELINE);
        return 0;
    case AEROGPU_A_SET_VERTEX_BUFFER:
        appendix->buffer = aerogpu_u32(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_BUFFER);
        appendix->stride = aerogpu_u32(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_STRIDE);
        appendix->position = aerogpu_u32(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_POSITION);
        appendix->colour = aerogpu_u32(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_COLOR);
        return 0;
    case AEROGPU_A_SET_VIEWPORT:
        appendix->width = aerogpu_u32(command, AEROGPU_AT_A_SET_VIEWPORT_WIDTH);
        appendix->height = aerogpu_u32(command, AEROGPU_AT_A_SET_VIEWPORT_HEIGHT);
        return 0;
    case AEROGPU_A_CLEAR:
        return run_on_back(aero, command, clear);
    case AEROGPU_A_DRAW:
        return run_on_back(aero, command, draw);
    case AEROGPU_A_PRESENT:
        return run_on_back(aero, command, aero_present);
    default:
        return 0;
    }
}
