/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/objects.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

struct aerogpu_name {
    uint64_t key; /* space and handle */
    struct aerogpu_object *object;
    bool reserved; /* the original handle is destroyed, but aliases or views keep it taken */
    UT_hash_handle hh;
};

struct aerogpu_share {
    uint64_t token;
    uint32_t handle; /* the original handle; 0 if the token is retired */
    uint32_t number; /* of its life, since the handle may name another object later */
    UT_hash_handle hh;
};

static const char *const kind_names[AEROGPU_OBJECT_KINDS] = {
    "buffer", "texture", "view", "shader", "layout", "sampler", "pipeline",
};

const char *aerogpu_object_name(enum aerogpu_object_kind kind)
{
    return kind_names[kind];
}

static uint64_t key_of(enum aerogpu_space space, uint32_t handle)
{
    return (uint64_t)space << 32 | handle;
}

static struct aerogpu_name *find_name(const struct aerogpu_objects *objects,
                                      enum aerogpu_space space, uint32_t handle)
{
    uint64_t key = key_of(space, handle);
    struct aerogpu_name *name = NULL;

    HASH_FIND(hh, objects->names, &key, sizeof(key), name);
    return name;
}

struct aerogpu_object *aerogpu_objects_find(const struct aerogpu_objects *objects,
                                            enum aerogpu_space space, uint32_t handle)
{
    const struct aerogpu_name *name = handle != 0 ? find_name(objects, space, handle) : NULL;

    return name == NULL || name->reserved ? NULL : name->object;
}

bool aerogpu_objects_original(const struct aerogpu_objects *objects, uint32_t handle,
                              uint32_t *original)
{
    const struct aerogpu_name *name =
        handle != 0 ? find_name(objects, AEROGPU_SPACE_RESOURCE, handle) : NULL;

    *original = name != NULL ? name->object->handle : handle;
    return name == NULL || !name->reserved;
}

struct aerogpu_object *aerogpu_objects_bound(const struct aerogpu_objects *objects,
                                             uint32_t original)
{
    const struct aerogpu_name *name =
        original != 0 ? find_name(objects, AEROGPU_SPACE_RESOURCE, original) : NULL;

    /*
     * Nothing is bound by an alias: a binding has an alias's number only if it was free at that
     * time.
     */
    return name != NULL && name->object->handle == original && name->object->handles > 0
               ? name->object
               : NULL;
}

struct aerogpu_object *aerogpu_objects_alive(const struct aerogpu_objects *objects,
                                             enum aerogpu_space space, uint32_t handle,
                                             uint32_t number)
{
    const struct aerogpu_name *name = handle != 0 ? find_name(objects, space, handle) : NULL;

    return name != NULL && name->object->number == number ? name->object : NULL;
}

static int add_name(struct aerogpu_objects *objects, enum aerogpu_space space, uint32_t handle,
                    struct aerogpu_object *object)
{
    struct aerogpu_name *name = NULL;

    if (find_name(objects, space, handle) != NULL)
        return -EEXIST;
    name = calloc(1, sizeof(*name));
    if (name == NULL)
        return -ENOMEM;
    name->key = key_of(space, handle);
    name->object = object;
    HASH_ADD(hh, objects->names, key, sizeof(name->key), name);
    if (name->hh.tbl != NULL)
        return 0;
    free(name); /* uthash could not allocate */
    return -ENOMEM;
}

int aerogpu_objects_add(struct aerogpu_objects *objects, const struct aerogpu_object *object,
                        struct aerogpu_object **out)
{
    struct aerogpu_object *copy = malloc(sizeof(*copy));
    int status = 0;

    if (copy == NULL)
        return -ENOMEM;
    *copy = *object;
    copy->handles = copy->references = 1;
    copy->number = objects->created;
    status = add_name(objects, copy->space, copy->handle, copy);
    if (status != 0) {
        free(copy);
        return status;
    }
    objects->created++;
    *out = copy;
    return 0;
}

void aerogpu_object_ref(struct aerogpu_object *object)
{
    object->references++;
}

static void remove_name(struct aerogpu_objects *objects, struct aerogpu_name *name)
{
    HASH_DEL(objects->names, name);
    free(name);
}

/* Frees an object that has lost its last reference. Its original handle becomes free. */
static void free_object(struct aerogpu_objects *objects, struct aerogpu_object *object)
{
    struct aerogpu_name *name = find_name(objects, object->space, object->handle);

    if (name != NULL && name->reserved && name->object == object) {
        objects->reserved--;
        remove_name(objects, name);
    }
    if (object->kind == AEROGPU_OBJECT_VIEW)
        aerogpu_object_unref(objects, object->view.texture);
    if (objects->forget != NULL)
        objects->forget(objects->context, object);
    free(object);
}

void aerogpu_object_unref(struct aerogpu_objects *objects, struct aerogpu_object *object)
{
    if (--object->references == 0)
        free_object(objects, object);
}

bool aerogpu_objects_drop(struct aerogpu_objects *objects, enum aerogpu_space space,
                          uint32_t handle)
{
    struct aerogpu_name *name = handle != 0 ? find_name(objects, space, handle) : NULL;
    struct aerogpu_object *object = NULL;

    if (name == NULL || name->reserved)
        return false;
    object = name->object;
    if (--object->handles == 0)
        objects->retired += object->tokens;
    if (handle != object->handle)
        objects->aliases--;
    if (handle == object->handle && object->references > 1) {
        name->reserved = true;
        objects->reserved++;
    } else {
        remove_name(objects, name);
    }
    aerogpu_object_unref(objects, object);
    return true;
}

const char aerogpu_no_memory[] = "out of memory";

static struct aerogpu_share *find_share(const struct aerogpu_objects *objects, uint64_t token)
{
    struct aerogpu_share *share = NULL;

    HASH_FIND(hh, objects->shares, &token, sizeof(token), share);
    return share;
}

static bool add_share(struct aerogpu_objects *objects, uint64_t token, uint32_t handle,
                      uint32_t number)
{
    struct aerogpu_share *share = calloc(1, sizeof(*share));

    if (share == NULL)
        return false;
    share->token = token;
    share->handle = handle;
    share->number = number;
    HASH_ADD(hh, objects->shares, token, sizeof(share->token), share);
    if (share->hh.tbl != NULL)
        return true;
    free(share);
    return false;
}

/*
 * Returns the object that a token names, or NULL if the token is retired, by a command or with the
 * object's last handle.
 */
static struct aerogpu_object *shared_object(const struct aerogpu_objects *objects,
                                            const struct aerogpu_share *share)
{
    const struct aerogpu_name *name =
        share->handle != 0 ? find_name(objects, AEROGPU_SPACE_RESOURCE, share->handle) : NULL;

    return name != NULL && name->object->number == share->number && name->object->handles > 0
               ? name->object
               : NULL;
}

const char *aerogpu_objects_export(struct aerogpu_objects *objects, uint32_t handle, uint64_t token)
{
    struct aerogpu_object *object = aerogpu_objects_find(objects, AEROGPU_SPACE_RESOURCE, handle);
    const struct aerogpu_share *share = find_share(objects, token);

    if (token == 0)
        return "share token 0";
    if (object == NULL)
        return "unknown resource";
    if (share != NULL && shared_object(objects, share) == NULL)
        return "share token was retired, and cannot be used again";
    if (share != NULL)
        return share->number == object->number ? NULL : "share token belongs to another resource";
    if (!add_share(objects, token, object->handle, object->number))
        return aerogpu_no_memory;
    object->tokens++;
    return NULL;
}

const char *aerogpu_objects_import(struct aerogpu_objects *objects, uint32_t alias, uint64_t token)
{
    const struct aerogpu_share *share = find_share(objects, token);
    struct aerogpu_object *object = share != NULL ? shared_object(objects, share) : NULL;
    int status = 0;

    if (token == 0 || alias == 0)
        return token == 0 ? "share token 0" : "resource handle 0";
    if (object == NULL)
        return share == NULL ? "unknown share token" : "share token was retired";
    if (aerogpu_objects_find(objects, AEROGPU_SPACE_RESOURCE, alias) == object)
        return NULL;
    status = add_name(objects, AEROGPU_SPACE_RESOURCE, alias, object);
    if (status != 0)
        return status == -EEXIST ? "resource handle is in use" : aerogpu_no_memory;
    aerogpu_object_ref(object);
    object->handles++;
    objects->aliases++;
    return NULL;
}

/* Unknown and retired tokens are left unchanged. */
void aerogpu_objects_release(struct aerogpu_objects *objects, uint64_t token)
{
    struct aerogpu_share *share = find_share(objects, token);
    struct aerogpu_object *object = share != NULL ? shared_object(objects, share) : NULL;

    if (object == NULL)
        return;
    share->handle = 0;
    object->tokens--;
    objects->retired++;
}

int aerogpu_objects_visit(const struct aerogpu_objects *objects,
                          const struct aerogpu_objects_visitor *visitor)
{
    int status = 0;

    for (const struct aerogpu_name *name = visitor->name != NULL ? objects->names : NULL;
         status == 0 && name != NULL; name = name->hh.next)
        if (name->key >> 32 == AEROGPU_SPACE_RESOURCE)
            status =
                visitor->name(visitor->context, (uint32_t)name->key, name->object, name->reserved);
    for (const struct aerogpu_share *share = visitor->token != NULL ? objects->shares : NULL;
         status == 0 && share != NULL; share = share->hh.next)
        status = visitor->token(visitor->context, share->token, shared_object(objects, share));
    return status;
}

uint32_t aerogpu_objects_tokens(const struct aerogpu_objects *objects)
{
    return HASH_COUNT(objects->shares);
}

bool aerogpu_objects_has_token(const struct aerogpu_objects *objects, uint64_t token)
{
    return find_share(objects, token) != NULL;
}

/*
 * Returns the copy of an object, creating it without references when it is first needed. Returns
 * NULL if there is not enough memory.
 */
static struct aerogpu_object *twin_of(struct aerogpu_object *object,
                                      void (*share)(void *context, struct aerogpu_object *object),
                                      void *context)
{
    struct aerogpu_object *texture = NULL;

    if (object->twin != NULL)
        return object->twin;
    if (object->kind == AEROGPU_OBJECT_VIEW) {
        texture = twin_of(object->view.texture, share, context);
        if (texture == NULL)
            return NULL;
    }
    object->twin = malloc(sizeof(*object->twin));
    if (object->twin == NULL)
        return NULL;
    *object->twin = *object;
    object->twin->twin = NULL;
    object->twin->references = 0;
    if (texture != NULL) {
        object->twin->view.texture = texture;
        aerogpu_object_ref(texture);
    }
    if (share != NULL)
        share(context, object->twin);
    return object->twin;
}

static int copy_name(struct aerogpu_objects *to, const struct aerogpu_name *name,
                     struct aerogpu_object *twin)
{
    enum aerogpu_space space = (enum aerogpu_space)(name->key >> 32);
    int status = twin == NULL ? -ENOMEM : add_name(to, space, (uint32_t)name->key, twin);

    if (status == 0 && name->reserved)
        find_name(to, space, (uint32_t)name->key)->reserved = true;
    else if (status == 0)
        aerogpu_object_ref(twin);
    else if (twin != NULL && twin->references == 0)
        free_object(to, twin);
    return status;
}

/*
 * Copies reserved names last, when other names and views already hold the copies of their objects.
 */
static int copy_names(struct aerogpu_objects *to, const struct aerogpu_objects *from,
                      void (*share)(void *context, struct aerogpu_object *object), void *context)
{
    int status = 0;

    for (int reserved = 0; reserved < 2; reserved++)
        for (const struct aerogpu_name *name = from->names; status == 0 && name != NULL;
             name = name->hh.next)
            if (name->reserved == (reserved != 0))
                status = copy_name(to, name, twin_of(name->object, share, context));
    return status;
}

static void forget_twins(const struct aerogpu_objects *from)
{
    for (const struct aerogpu_name *name = from->names; name != NULL; name = name->hh.next) {
        if (name->object->kind == AEROGPU_OBJECT_VIEW)
            name->object->view.texture->twin = NULL;
        name->object->twin = NULL;
    }
}

int aerogpu_objects_copy(struct aerogpu_objects *to, const struct aerogpu_objects *from,
                         void (*share)(void *context, struct aerogpu_object *object), void *context)
{
    int status = copy_names(to, from, share, context);

    forget_twins(from);
    to->created = from->created;
    to->aliases = from->aliases;
    to->reserved = from->reserved;
    to->retired = from->retired;
    for (const struct aerogpu_share *token = from->shares; status == 0 && token != NULL;
         token = token->hh.next)
        if (!add_share(to, token->token, token->handle, token->number))
            status = -ENOMEM;
    return status;
}

void aerogpu_objects_clear(struct aerogpu_objects *objects)
{
    struct aerogpu_name *name = NULL, *next_name = NULL;
    struct aerogpu_share *share = NULL, *next_share = NULL;

    /*
     * Removes reserved names first: they would be removed with the last reference to their objects.
     */
    HASH_ITER (hh, objects->names, name, next_name)
        if (name->reserved)
            remove_name(objects, name);
    HASH_ITER (hh, objects->names, name, next_name) {
        struct aerogpu_object *object = name->object;

        remove_name(objects, name);
        aerogpu_object_unref(objects, object);
    }
    HASH_ITER (hh, objects->shares, share, next_share) {
        HASH_DEL(objects->shares, share);
        free(share);
    }
    objects->created = objects->aliases = objects->reserved = objects->retired = 0;
}
