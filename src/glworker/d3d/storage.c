/* SPDX-License-Identifier: MIT */
/*
 * The contents of buffers and textures, with a count of users. A saved copy of a session has
 * resources of its own, whose storage is shared with the original until one of them writes
 * (worker.md 5.6).
 */
#include "config.h"

#include "glworker/d3d/storage.h"

#include "glworker/d3d/appendix_a.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/state.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t all_bytes; /* of all storages */

struct aero_storage *aero_storage(uint64_t bytes)
{
    struct aero_storage *storage = calloc(1, sizeof(*storage));

    if (storage == NULL)
        return NULL;
    storage->users = 1;
    storage->bytes = bytes;
    all_bytes += bytes;
    return storage;
}

static void delete_views(struct aero_storage *storage)
{
    while (storage->views != NULL) {
        struct aero_gl_view *view = storage->views;

        storage->views = view->next;
        glDeleteTextures(1, &view->name);
        free(view);
    }
}

void aero_storage_drop(struct aero_storage *storage)
{
    if (--storage->users > 0)
        return;
    all_bytes -= storage->bytes;
    delete_views(storage);
    if (storage->newer != NULL)
        glDeleteTextures(1, &storage->name);
    else
        glDeleteBuffers(1, &storage->name);
    glDeleteBuffers(1, &storage->counter);
    free(storage->shadow);
    free(storage->newer);
    free(storage);
}

/* Returns how many bytes storages hold beyond those of the session itself. */
static uint64_t saved_bytes(const struct aero *aero)
{
    return all_bytes > aero->texture_bytes ? all_bytes - aero->texture_bytes : 0;
}

/* Creates a GL buffer, unless there is one, with room for `size` bytes. */
static bool make_room(GLuint *name, uint64_t size)
{
    graphics_failed(); /* clears errors of earlier calls */
    if (*name == 0)
        glCreateBuffers(1, name);
    glNamedBufferData(*name, (GLsizeiptr)size, NULL, GL_DYNAMIC_DRAW);
    return !graphics_failed();
}

bool aero_buffer_make(GLuint *name, uint64_t size)
{
    if (!make_room(name, size))
        return false;
    glClearNamedBufferData(*name, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
    return !graphics_failed();
}

/* Returns whether there was memory for it. */
static bool copy_buffer(GLuint from, GLuint *to, uint64_t size)
{
    if (!make_room(to, size))
        return false;
    glCopyNamedBufferSubData(from, *to, 0, 0, (GLsizeiptr)size);
    return !graphics_failed();
}

static int own_buffer(struct aero_buffer *buffer)
{
    struct aero_storage *from = buffer->storage, *to = aero_storage(from->bytes);

    if (to == NULL)
        return -ENOMEM;
    if (!copy_buffer(from->name, &to->name, buffer->size) ||
        (from->counter != 0 && !copy_buffer(from->counter, &to->counter, 4))) {
        aero_storage_drop(to);
        return -ENOMEM;
    }
    buffer->storage = to;
    aero_storage_drop(from);
    return 0;
}

static int own_texture(struct aero_texture *texture)
{
    struct aero_storage *from = texture->storage, *to = NULL;
    size_t size = (size_t)aerogpu_shape_size(&texture->shape);
    int status = aero_texture_storage(texture, &to);

    if (status < 0)
        return status;
    if (from->shadow != NULL) {
        to->shadow = malloc(size);
        if (to->shadow == NULL) {
            aero_storage_drop(to);
            return -ENOMEM;
        }
        memcpy(to->shadow, from->shadow, size);
    }
    aero_texture_copy(texture, from, to);
    texture->storage = to;
    aero_storage_drop(from);
    return graphics_failed() ? -ENOMEM : 0;
}

int aero_own(struct aero *aero, struct aero_resource *resource)
{
    int status = 0;

    if (resource->kind == AERO_VIEW)
        resource = resource->view.texture;
    if (resource->kind == AERO_BUFFER && resource->buffer.storage->users > 1)
        status = own_buffer(&resource->buffer);
    if (resource->kind == AERO_TEXTURE_2D && resource->texture.storage->users > 1)
        status = own_texture(&resource->texture);
    if (status < 0)
        aero_note(aero, PROBLEM_ERROR, "out of memory for a copy of resource %u",
                  resource->original);
    return status;
}

/* Returns the copy of a resource, created at the first call; NULL if there is no memory. */
static struct aero_resource *twin_of(struct aero_resource *resource)
{
    struct aero_resource *texture = NULL, *twin;

    if (resource == NULL || resource->twin != NULL)
        return resource == NULL ? NULL : resource->twin;
    if (resource->kind == AERO_VIEW) {
        texture = twin_of(resource->view.texture);
        if (texture == NULL)
            return NULL;
    }
    twin = malloc(sizeof(*twin));
    if (twin == NULL)
        return NULL;
    *twin = *resource;
    twin->handles = twin->views = 0;
    if (resource->kind == AERO_VIEW) {
        twin->view.texture = texture;
        texture->views++;
    } else {
        (resource->kind == AERO_BUFFER ? twin->buffer.storage : twin->texture.storage)->users++;
    }
    resource->twin = twin;
    return twin;
}

static int copy_handles(struct aero *to, const struct aero *from)
{
    for (const struct aero_handle *handle = from->handles; handle != NULL;
         handle = handle->hh.next) {
        struct aero_handle *copy = calloc(1, sizeof(*copy));

        if (copy == NULL)
            return -ENOMEM;
        copy->handle = handle->handle;
        copy->reserved = handle->reserved;
        copy->resource = twin_of(handle->resource);
        if (copy->resource == NULL) {
            free(copy);
            return -ENOMEM;
        }
        copy->resource->handles += !copy->reserved;
        HASH_ADD(hh, to->handles, handle, sizeof(copy->handle), copy);
    }
    return 0;
}

static int copy_tokens(struct aero *to, const struct aero *from)
{
    for (const struct aero_token *token = from->tokens; token != NULL; token = token->hh.next) {
        struct aero_token *copy = calloc(1, sizeof(*copy));

        if (copy == NULL)
            return -ENOMEM;
        copy->token = token->token;
        copy->resource = token->resource == NULL ? NULL : token->resource->twin;
        HASH_ADD(hh, to->tokens, token, sizeof(copy->token), copy);
    }
    return 0;
}

static int copy_shaders(struct aero *to, const struct aero *from)
{
    for (const struct aero_shader *shader = from->shaders; shader != NULL;
         shader = shader->hh.next) {
        struct aero_shader *copy = malloc(sizeof(*copy));

        if (copy == NULL)
            return -ENOMEM;
        *copy = *shader;
        copy->genuine = shader->genuine == NULL ? NULL : blob_ref(shader->genuine);
        HASH_ADD(hh, to->shaders, handle, sizeof(copy->handle), copy);
    }
    return 0;
}

static int copy_layouts(struct aero *to, const struct aero *from)
{
    for (const struct aero_layout *layout = from->layouts; layout != NULL;
         layout = layout->hh.next) {
        struct aero_layout *copy = malloc(sizeof(*copy));

        if (copy == NULL)
            return -ENOMEM;
        *copy = *layout;
        HASH_ADD(hh, to->layouts, handle, sizeof(copy->handle), copy);
    }
    return 0;
}

static int copy_samplers(struct aero *to, const struct aero *from)
{
    static const GLenum parameters[] = {GL_TEXTURE_MAG_FILTER, GL_TEXTURE_MIN_FILTER,
                                        GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};

    for (const struct aero_sampler *sampler = from->samplers; sampler != NULL;
         sampler = sampler->hh.next) {
        struct aero_sampler *copy = malloc(sizeof(*copy));
        GLint value = 0;

        if (copy == NULL)
            return -ENOMEM;
        copy->handle = sampler->handle;
        glCreateSamplers(1, &copy->name);
        for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
            glGetSamplerParameteriv(sampler->name, parameters[i], &value);
            glSamplerParameteri(copy->name, parameters[i], value);
        }
        HASH_ADD(hh, to->samplers, handle, sizeof(copy->handle), copy);
    }
    return 0;
}

static void copy_state(struct aero *to, const struct aero *from)
{
    to->state = from->state;
    for (int i = 0; i < AERO_STAGES; i++)
        to->state.stages[i].registers = 0; /* created again when needed */
    to->texture_bytes = from->texture_bytes;
    to->fed = from->fed;
    to->upside_down = from->upside_down;
    to->shown_upside_down = from->shown_upside_down;
}

static void forget_twins(const struct aero *from)
{
    for (const struct aero_handle *handle = from->handles; handle != NULL;
         handle = handle->hh.next) {
        if (handle->resource->kind == AERO_VIEW)
            handle->resource->view.texture->twin = NULL;
        handle->resource->twin = NULL;
    }
    from->back->twin = NULL;
    if (from->shown != NULL)
        from->shown->twin = NULL;
}

/* Copies objects and state of `from`, whose submission is over, to `to`, which has none. */
static int copy_session(struct aero *to, const struct aero *from)
{
    int status;

    copy_state(to, from);
    to->back = twin_of(from->back);
    to->shown = twin_of(from->shown);
    status = to->back == NULL || (from->shown != NULL && to->shown == NULL) ? -ENOMEM : 0;
    if (status == 0)
        status = copy_handles(to, from);
    if (status == 0)
        status = copy_tokens(to, from);
    if (status == 0)
        status = copy_shaders(to, from);
    if (status == 0)
        status = copy_layouts(to, from);
    if (status == 0)
        status = copy_samplers(to, from);
    forget_twins(from);
    return status;
}

void aero_drop_session(struct aero *aero)
{
    aero_objects_free(aero);
    aero_appendix_a_free(aero);
    aero_resource_free(aero, aero->back);
    aero_resource_free(aero, aero->shown);
    aero_state_free(&aero->state);
    aero->back = aero->shown = NULL;
}

/* Copies of the session between two submissions (worker.md 5.6). */

static struct aero *saved[AEROGPU_SESSION_SAVED_MAX];

static void forget(uint32_t slot)
{
    if (saved[slot] == NULL)
        return;
    aero_drop_session(saved[slot]);
    free(saved[slot]);
    saved[slot] = NULL;
}

void aero_forget_saved(void)
{
    for (uint32_t i = 0; i < AEROGPU_SESSION_SAVED_MAX; i++)
        forget(i);
}

static int read_slot(struct message_reader *request, struct serve_answer *answer, uint32_t *slot)
{
    *slot = message_read_u32(request);
    if (aero_session() == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    return *slot < AEROGPU_SESSION_SAVED_MAX ? 0 : -EPROTO;
}

int aero_handle_save(struct message_reader *request, struct serve_answer *answer)
{
    struct aero *session = aero_session();
    uint32_t slot;
    int status = read_slot(request, answer, &slot);

    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status < 0)
        return status;
    if (!session->ended || session->appendix_a != NULL)
        return serve_refuse(
            answer, -EBUSY,
            "a session cannot be saved within a submission, or after commands of Appendix A");
    forget(slot);
    if (saved_bytes(session) > AERO_COPIES_MAX)
        return serve_refuse(answer, -ENOSPC, "the saved sessions are too large");
    saved[slot] = calloc(1, sizeof(*saved[slot]));
    if (saved[slot] == NULL)
        return -ENOMEM;
    status = copy_session(saved[slot], session);
    if (status < 0)
        forget(slot);
    return status;
}

int aero_handle_load(struct message_reader *request, struct serve_answer *answer)
{
    struct aero *session = aero_session();
    uint32_t slot, flags;
    int status = read_slot(request, answer, &slot);

    flags = message_read_u32(request);
    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status < 0)
        return status;
    if (saved[slot] == NULL)
        return serve_refuse(answer, -ENOENT, "nothing was saved there");
    aero_drop_submission(session);
    aero_drop_session(session);
    session->flags = flags;
    status = copy_session(session, saved[slot]);
    /* A session that was copied only in part is of no use. */
    if (status < 0)
        aero_end();
    return status;
}

int aero_handle_forget(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t slot;
    int status = read_slot(request, answer, &slot);

    if (status == 0 && !message_read_all(request))
        status = -EPROTO;
    if (status == 0)
        forget(slot);
    return status;
}
