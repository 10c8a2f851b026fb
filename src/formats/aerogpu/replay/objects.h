/* SPDX-License-Identifier: MIT */
/*
 * What handles stand for: buffers, textures, views, shaders, layouts, samplers,
 * with their lives, and shared surfaces (aerogpu.md 4.2). Objects are counted:
 * by their handles (the original and its aliases) and by views of them. One thread
 * at a time.
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

/* "buffer", "texture", "view", "shader", "layout", "sampler", "pipeline". */
const char *aerogpu_object_name(enum aerogpu_object_kind kind);

struct aerogpu_object {
    enum aerogpu_object_kind kind;
    enum aerogpu_space space;
    uint32_t handle;     /* the original one */
    uint32_t number;     /* of its life, by creation */
    unsigned handles;    /* that name it: the original one and aliases */
    unsigned references; /* those, and views of it */
    unsigned tokens;     /* that it may be imported by */
    uint32_t usage;
    uint32_t alloc;        /* backing allocation; 0: none */
    uint32_t alloc_offset; /* bytes */
    /* Whether only the worker knows what is in it: shaders wrote to it. */
    bool drawn;
    union {
        uint64_t size;              /* buffer, bytes */
        struct aerogpu_shape shape; /* texture */
        struct {
            struct aerogpu_object *texture; /* counted */
            uint32_t format, base_mip, mips, base_layer, layers;
        } view;
        struct {
            enum dxbc_program program;
            const uint8_t *code; /* borrowed from the dump */
            uint32_t length;
            uint64_t glsl; /* Appendix A: blob, 0: none */
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
    void *contents;              /* the replay's */
    struct aerogpu_object *twin; /* while all are copied: what this one became */
};

struct aerogpu_name;
struct aerogpu_share;

struct aerogpu_objects {
    struct aerogpu_name *names; /* uthash's head, by space and handle */
    struct aerogpu_share *shares;
    uint32_t created;  /* lives begun */
    uint32_t aliases;  /* names beside the original ones */
    uint32_t reserved; /* original names that are gone, while their objects live */
    uint32_t retired;  /* tokens that name nothing any more */
    /* Called when an object's last reference is gone; may be NULL. */
    void (*forget)(void *context, struct aerogpu_object *object);
    void *context;
};

void aerogpu_objects_clear(struct aerogpu_objects *objects);

/*
 * Copies of all objects, names and shares, for `to`, which has none; `share` (may be
 * NULL) is called for each copy, whose contents are the original's. 0, or -ENOMEM: then
 * `to` is to be cleared.
 */
int aerogpu_objects_copy(struct aerogpu_objects *to, const struct aerogpu_objects *from,
                         void (*share)(void *context, struct aerogpu_object *object),
                         void *context);

/* What the handle stands for; NULL: nothing, or handle 0. */
struct aerogpu_object *aerogpu_objects_find(const struct aerogpu_objects *objects,
                                            enum aerogpu_space space, uint32_t handle);

/*
 * Bindings are of resources, not of handles: what is bound by `handle` is bound by the original
 * handle of what it names, or by itself if it names nothing yet. False: it is destroyed, and
 * taken as long as others keep what it named.
 */
bool aerogpu_objects_original(const struct aerogpu_objects *objects, uint32_t handle,
                              uint32_t *original);

/* The resource that is bound by its original handle; NULL: none. */
struct aerogpu_object *aerogpu_objects_bound(const struct aerogpu_objects *objects,
                                             uint32_t original);

/* The object of this life, also if aliases alone keep it; NULL: it is no more, or not yet. */
struct aerogpu_object *aerogpu_objects_alive(const struct aerogpu_objects *objects,
                                             enum aerogpu_space space, uint32_t handle,
                                             uint32_t number);

/*
 * A copy of `object` under its handle, with a life of its own. 0, -EEXIST when the
 * handle is in use or reserved by a shared surface, -ENOMEM.
 */
int aerogpu_objects_add(struct aerogpu_objects *objects, const struct aerogpu_object *object,
                        struct aerogpu_object **out);

/* Drops a handle; the object may live on by other references. False: no such handle. */
bool aerogpu_objects_drop(struct aerogpu_objects *objects, enum aerogpu_space space,
                          uint32_t handle);

void aerogpu_object_ref(struct aerogpu_object *object);
void aerogpu_object_unref(struct aerogpu_objects *objects, struct aerogpu_object *object);

/* Functions that are told of names and tokens; each may be NULL. Another value than 0 ends it. */
struct aerogpu_objects_visitor {
    int (*name)(void *context, uint32_t handle, const struct aerogpu_object *object, bool reserved);
    /* NULL: the token is retired. */
    int (*token)(void *context, uint64_t token, const struct aerogpu_object *object);
    void *context;
};

/* Names of resources first, in the order in which they were given. */
int aerogpu_objects_visit(const struct aerogpu_objects *objects,
                          const struct aerogpu_objects_visitor *visitor);

/* How many tokens there are, retired ones included; whether one is among them. */
uint32_t aerogpu_objects_tokens(const struct aerogpu_objects *objects);
bool aerogpu_objects_has_token(const struct aerogpu_objects *objects, uint64_t token);

/* Shared surfaces. NULL, or a sentence that says why not. */
extern const char aerogpu_no_memory[]; /* a refusal that is the machine's, not the trace's */
const char *aerogpu_objects_export(struct aerogpu_objects *objects, uint32_t handle,
                                   uint64_t token);
const char *aerogpu_objects_import(struct aerogpu_objects *objects, uint32_t alias, uint64_t token);
/* An unknown token is left unknown. */
void aerogpu_objects_release(struct aerogpu_objects *objects, uint64_t token);

#endif
