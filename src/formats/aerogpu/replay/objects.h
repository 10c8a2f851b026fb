/* SPDX-License-Identifier: MIT */
/*
 * What handles name: buffers, textures, views, shaders, layouts and samplers, with their lives, and
 * shared surfaces (aerogpu.md 4.2). An object is reference-counted: its handles (the original one
 * and its aliases) and the views of it hold references. Only one thread may use the objects at a
 * time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_OBJECTS_H
#define GPUDUMPFS_AEROGPU_REPLAY_OBJECTS_H

#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/decode/layout.h"

enum aerogpu_object_kind {
    AEROGPU_OBJECT_BUFFER,
    AEROGPU_OBJECT_TEXTURE,
    AEROGPU_OBJECT_VIEW,
    AEROGPU_OBJECT_SHADER,
    AEROGPU_OBJECT_LAYOUT,
    AEROGPU_OBJECT_SAMPLER,
    AEROGPU_OBJECT_PIPELINE, /* Appendix A */
    AEROGPU_OBJECT_KINDS
};

/* Returns "buffer", "texture", "view", "shader", "layout", "sampler" or "pipeline". */
const char *aerogpu_object_name(enum aerogpu_object_kind kind);

struct aerogpu_object {
    enum aerogpu_object_kind kind;
    enum aerogpu_space space;
    uint32_t handle;     /* the original handle */
    uint32_t number;     /* of its life, in the order of creation */
    unsigned handles;    /* number of handles that name it: the original one and aliases */
    unsigned references; /* number of those handles and of views of it */
    unsigned tokens;     /* number of share tokens that name it */
    uint32_t usage;
    uint32_t alloc;        /* backing allocation; 0: none */
    uint32_t alloc_offset; /* bytes */
    /* Whether only the worker knows its contents, because shaders wrote to it. */
    bool drawn;
    union {
        uint64_t size;              /* buffer, bytes */
        struct aerogpu_shape shape; /* texture */
        struct {
            struct aerogpu_object *texture; /* holds a reference */
            uint32_t format, base_mip, mips, base_layer, layers;
        } view;
        struct {
            enum dxbc_program program;
            const uint8_t *code; /* borrowed from the dump */
            uint32_t length;
            uint64_t glsl; /* Appendix A: id of the blob, 0 for none */
        } shader;
        struct {
            const uint8_t *bytes; /* borrowed from the dump */
            uint32_t length;
        } layout;
        struct {
            uint32_t filter, address[3];
        } sampler;
        struct {
            uint32_t vs, fs;
        } pipeline;
    };
    void *contents;              /* of the replay that owns contents */
    struct aerogpu_object *twin; /* the copy of this object while all objects are copied */
};

struct aerogpu_name;
struct aerogpu_share;

struct aerogpu_objects {
    struct aerogpu_name *names; /* head of a uthash, keyed by space and handle */
    struct aerogpu_share *shares;
    uint32_t created;  /* number of lives that have begun */
    uint32_t aliases;  /* number of handles other than original ones */
    uint32_t reserved; /* number of original handles that were destroyed while their objects live */
    uint32_t retired;  /* number of tokens that no longer name anything */
    /* Called when an object loses its last reference. May be NULL. */
    void (*forget)(void *context, struct aerogpu_object *object);
    void *context;
};

void aerogpu_objects_clear(struct aerogpu_objects *objects);

/*
 * Copies all objects, names and shares to `to`, which must have none. Calls `share`, unless NULL,
 * for each copy, which has the original's contents pointer. Returns 0, or -ENOMEM; `to` must be
 * cleared then.
 */
int aerogpu_objects_copy(struct aerogpu_objects *to, const struct aerogpu_objects *from,
                         void (*share)(void *context, struct aerogpu_object *object),
                         void *context);

/* Returns the object that a handle names, or NULL if it names nothing or is 0. */
struct aerogpu_object *aerogpu_objects_find(const struct aerogpu_objects *objects,
                                            enum aerogpu_space space, uint32_t handle);

/*
 * Gets the handle by which a resource is bound. Bindings refer to resources rather than to handles,
 * so this is the original handle of the resource that `handle` names, or `handle` itself if it
 * names nothing yet. Returns false if the handle was destroyed while aliases or views keep its
 * resource.
 */
bool aerogpu_objects_original(const struct aerogpu_objects *objects, uint32_t handle,
                              uint32_t *original);

/* Returns the resource that is bound by its original handle, or NULL if there is none. */
struct aerogpu_object *aerogpu_objects_bound(const struct aerogpu_objects *objects,
                                             uint32_t original);

/* Returns the object of this life even if only aliases keep it, or NULL if it does not live now. */
struct aerogpu_object *aerogpu_objects_alive(const struct aerogpu_objects *objects,
                                             enum aerogpu_space space, uint32_t handle,
                                             uint32_t number);

/*
 * Adds a copy of `object` under its handle, as a new life. Returns 0; -EEXIST if the handle is in
 * use, or still reserved by a shared surface; or -ENOMEM.
 */
int aerogpu_objects_add(struct aerogpu_objects *objects, const struct aerogpu_object *object,
                        struct aerogpu_object **out);

/*
 * Drops a handle. The object lives on while it has other references. Returns false if there is no
 * such handle.
 */
bool aerogpu_objects_drop(struct aerogpu_objects *objects, enum aerogpu_space space,
                          uint32_t handle);

/* Takes a reference to an object. */
void aerogpu_object_ref(struct aerogpu_object *object);

/* Drops a reference. The last one frees the object, which calls objects->forget before. */
void aerogpu_object_unref(struct aerogpu_objects *objects, struct aerogpu_object *object);

/*
 * Functions that are called for names and tokens; each may be NULL. A result other than 0 ends the
 * visit.
 */
struct aerogpu_objects_visitor {
    int (*name)(void *context, uint32_t handle, const struct aerogpu_object *object, bool reserved);
    /* `object` is NULL if the token is retired. */
    int (*token)(void *context, uint64_t token, const struct aerogpu_object *object);
    void *context;
};

/*
 * Visits the names of resources, in the order in which they were given, and then the tokens.
 * Returns 0, or the result that ended the visit.
 */
int aerogpu_objects_visit(const struct aerogpu_objects *objects,
                          const struct aerogpu_objects_visitor *visitor);

/* Returns the number of share tokens, retired ones included. */
uint32_t aerogpu_objects_tokens(const struct aerogpu_objects *objects);

/* Returns whether a share token was ever exported; it may be retired. */
bool aerogpu_objects_has_token(const struct aerogpu_objects *objects, uint64_t token);

/* Shared surfaces. */

extern const char aerogpu_no_memory[]; /* the refusal for lack of memory */

/*
 * Makes `token` name the resource that `handle` names. Returns NULL, or a constant sentence with
 * the reason why that is refused.
 */
const char *aerogpu_objects_export(struct aerogpu_objects *objects, uint32_t handle,
                                   uint64_t token);

/*
 * Makes `alias` one more handle of the resource that `token` names. Returns NULL, or a constant
 * sentence with the reason why that is refused.
 */
const char *aerogpu_objects_import(struct aerogpu_objects *objects, uint32_t alias, uint64_t token);

/* Retires a token. Does nothing if the token is unknown or already retired. */
void aerogpu_objects_release(struct aerogpu_objects *objects, uint64_t token);

#endif
