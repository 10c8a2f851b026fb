/* SPDX-License-Identifier: MIT */
/*
 * An opened trace, as the files of this format see it. The index is made when the trace is opened,
 * or afterwards if the trace is large; until then the tree requests nothing that has not been read.
 * Shaders, textures and what frames show are found when they are first needed. The index of a trace
 * that grows is made by a thread of its own, which also finds what frames show, so that no request
 * waits for either. views/views.h declares what the files of the tree contain.
 */
#ifndef GPUDUMPFS_APITRACE_DUMP_H
#define GPUDUMPFS_APITRACE_DUMP_H

#include "base/cancellable_mutex.h"
#include "base/locks.h"
#include "cache/index_task.h"
#include "cache/instance_pool.h"
#include "formats/apitrace/cut/cut.h"
#include "formats/apitrace/index/index.h"
#include "formats/apitrace/index/object_index.h"
#include "formats/apitrace/replay/presentation.h"
#include "tree/dump.h"
#include "tree/options.h"
#include "tree/rule.h"

/* The options of this format. */
struct apitrace_options {
    unsigned time_limit; /* seconds that the worker may take for one call */
};

extern const struct option_table apitrace_options_table;

/* The values in effect. */
static inline const struct apitrace_options *apitrace_options_of(const struct options *options)
{
    return options_values(options, &apitrace_options_table);
}

struct apitrace_follower;
struct apitrace_player;
struct apitrace_shader_translator;

/* The parts of a draw that its folder shows (views/draw_parts.c), by the folder's key. */
struct apitrace_known_draw {
    uint64_t key, used;
    struct blob *parts; /* NULL: the entry is free */
};
enum { APITRACE_KNOWN_DRAWS = 64 };

/* What a draw or frame covers (views/coverage.c). */
struct apitrace_covered;

struct apitrace_dump {
    struct dump base;
    struct apitrace_index index;

    /*
     * Used only for a trace that grows (follow.c) or a large one, which is read after its opening
     * (early.c).
     */
    struct index_task pass;             /* the thread that indexes the trace */
    struct source_params source_params; /* for what the index opens after the opening */
    struct apitrace_finder *finder;     /* finds what frames show, in the steps of the pass */
    _Atomic uint64_t wanted;            /* early.c: requests wait for frames below this number */

    /* Held by the thread that finds the objects; others wait for it. */
    struct cancellable_mutex objects_mutex;
    atomic_bool has_objects;
    struct apitrace_object_index objects; /* constant once `has_objects` is set */

    struct cancellable_mutex presentation_mutex; /* as objects_mutex */
    atomic_bool has_presentation;
    /*
     * Constant once `has_presentation` is set. While a trace grows, only the part that describes
     * shown frames is constant.
     */
    struct apitrace_presentation presentation;
    /* Guards presentation.drawables, which change while the trace grows. */
    pthread_mutex_t drawables_lock;

    struct cancellable_mutex cuts_mutex; /* as objects_mutex */
    atomic_bool has_cuts;
    struct apitrace_cuts cuts;        /* constant once `has_cuts` is set */
    struct instance_pool cut_cursors; /* cursors that stopped in the middle of a cut */

    /*
     * Guards the parts of recently requested draws, the clock of their last uses, and the last
     * coverage.
     */
    pthread_mutex_t parts_lock;
    struct apitrace_known_draw known_draws[APITRACE_KNOWN_DRAWS] GUARDED_BY(lock_of_apitrace_parts);
    uint64_t known_draws_used GUARDED_BY(lock_of_apitrace_parts);
    struct apitrace_covered *covered GUARDED_BY(lock_of_apitrace_parts);

    struct apitrace_player *player;                /* draws pictures; has its own lock */
    struct apitrace_shader_translator *translator; /* usable by any thread */

    pthread_mutex_t state_lock; /* guards the follower */
    /*
     * The follower that was used last (views/state.c); NULL if there is none, or a thread has taken
     * it.
     */
    struct apitrace_follower *follower GUARDED_BY(lock_of_apitrace_state);
};

static inline struct apitrace_dump *apitrace_dump_of(struct dump *dump)
{
    return (struct apitrace_dump *)dump;
}

static inline void apitrace_drawables_lock(struct apitrace_dump *dump)
    ACQUIRE(lock_of_apitrace_drawables)
{
    pthread_mutex_lock(&dump->drawables_lock);
}

static inline void apitrace_drawables_unlock(struct apitrace_dump *dump)
    RELEASE(lock_of_apitrace_drawables)
{
    pthread_mutex_unlock(&dump->drawables_lock);
}

static inline const struct apitrace_index *apitrace_index_of(const struct dump *dump)
{
    return &((const struct apitrace_dump *)dump)->index;
}

/*
 * Sets *out to the shaders and textures, which it finds now if necessary. While another thread is
 * finding them it waits, until `cancel` is raised. Returns 0, -EINTR or -ENOMEM. The dump owns
 * *out.
 */
int apitrace_dump_objects(struct dump *dump, const struct cancel *cancel,
                          const struct apitrace_object_index **out);

/* Returns the shaders and textures if they have been found, otherwise NULL. Never waits. */
const struct apitrace_object_index *apitrace_dump_peek_objects(struct dump *dump);

/*
 * Sets *out to what frames show, in the same way as apitrace_dump_objects(). Returns 0, -EINTR,
 * -ENOMEM or -EIO.
 */
int apitrace_dump_presentation(struct dump *dump, const struct cancel *cancel,
                               const struct apitrace_presentation **out);

/* Returns what frames show if that has been found, otherwise NULL. Never waits. */
const struct apitrace_presentation *apitrace_dump_peek_presentation(struct dump *dump);

/*
 * Sets *out to what must be known before frames are cut, in the same way. Returns 0, -EINTR,
 * -ENOMEM, -EIO, or -ENOENT for a trace that grows.
 */
int apitrace_dump_cuts(struct dump *dump, const struct cancel *cancel,
                       const struct apitrace_cuts **out);

/* Returns what must be known for cuts if it has been found, otherwise NULL. Never waits. */
const struct apitrace_cuts *apitrace_dump_peek_cuts(struct dump *dump);

/* views/draw_parts.c: frees what is kept of draws, when the dump is closed. */
void apitrace_known_draws_clear(struct apitrace_dump *dump);
/* views/coverage.c: frees the last coverage. */
void apitrace_covered_clear(struct apitrace_dump *dump);

/*
 * Copies the drawables known so far, and their count of changes. The caller frees *drawables with
 * free(). Returns 0 or -ENOMEM.
 */
int apitrace_dump_drawables(struct apitrace_dump *dump,
                            struct apitrace_session_drawable **drawables, size_t *count,
                            uint64_t *changes);

/* Returns the drawables' count of changes. A session that began with a lower count is outdated. */
uint64_t apitrace_dump_changes(struct apitrace_dump *dump);

/*
 * follow.c: a trace that grows (follow.md 7.2). A thread of its own indexes it, and shows its
 * frames as soon as the drawable and the size of their pictures are known. These functions are
 * called while the dump is opened, then by the tree.
 */
void apitrace_follow_init(struct apitrace_dump *dump);

/*
 * Completes `params` and opens the index of a source that grows. Returns as apitrace_index_open().
 */
int apitrace_follow_open(struct apitrace_dump *dump, struct apitrace_index_params *params);

/* Starts the thread; logs an error if it cannot. */
void apitrace_follow_start(struct dump *dump);

/*
 * early.c: a large trace is read after its opening. Frames that are shown before it has been read
 * completely do not change any more. apitrace_early_open() is called before the index is opened,
 * and sets what it needs in `params`. Streams of fewer bytes than `apitrace_early_from` are read
 * when they are opened, which takes no noticeable time; only tests change this variable.
 */
extern uint64_t apitrace_early_from;
void apitrace_early_open(struct apitrace_dump *dump, struct apitrace_index_params *params);

/*
 * Returns whether the trace is still being read. If so, the index may be used only for calls of
 * frames that are shown.
 */
bool apitrace_is_early(const struct dump *dump);

/*
 * Starts a thread that continues to read. If none can be started, the threads that wait for
 * something do the reading.
 */
void apitrace_early_start(struct apitrace_dump *dump);

/* Implements `known` of struct dump_readiness_ops. */
int apitrace_known(struct dump *dump, unsigned rule, uint64_t key);

/*
 * Waits until what the file or folder of `rule` and `key` needs has been read. Returns 0, -EINTR,
 * or the error that stopped the reading.
 */
int apitrace_early_wait(struct dump *dump, unsigned rule, uint64_t key,
                        const struct cancel *cancel);

/* Waits until the complete trace has been read. Returns the same. */
int apitrace_early_wait_all(struct dump *dump, const struct cancel *cancel);

/* rules.c: the table of what the format adds to the tree (apitrace.md 4). */
enum apitrace_rule {
    APITRACE_RULE_BLOBS_TSV = RULE_FORMAT_FIRST,
    APITRACE_RULE_BLOBS,
    APITRACE_RULE_BLOB_GROUP,
    APITRACE_RULE_BLOB,
    APITRACE_RULE_SHADERS_TSV,
    APITRACE_RULE_SHADERS,
    APITRACE_RULE_SHADER,
    APITRACE_RULE_SHADER_TEXT,
    APITRACE_RULE_TRANSLATED,
    APITRACE_RULE_SHADER_GLSL,
    APITRACE_RULE_SHADER_SPIRV,
    APITRACE_RULE_RESOURCES_TSV,
    APITRACE_RULE_RESOURCES,
    APITRACE_RULE_RESOURCE_IMAGE,
    APITRACE_RULE_UPLOADS_TSV,
    APITRACE_RULE_FRAME_RESOURCES_TSV,
    APITRACE_RULE_FRAME_RESOURCES,
    APITRACE_RULE_FRAME_RESOURCE,
    APITRACE_RULE_FRAME_RESOURCE_BUFFER,
    APITRACE_RULE_TEXTURES_TSV,
    APITRACE_RULE_TEXTURES,
    APITRACE_RULE_TEXTURE,
    APITRACE_RULE_MARKERS,
    APITRACE_RULE_ERRORS,
    APITRACE_RULE_THREADS,
    APITRACE_RULE_SIGNATURES,
    APITRACE_RULE_FUNCTIONS,
    APITRACE_RULE_ENUMS,
    APITRACE_RULE_BITMASKS,
    APITRACE_RULE_STRUCTS,
    APITRACE_RULE_CALLS,
    APITRACE_RULE_COMMANDS,
    APITRACE_RULE_CALLS_ONELINE,
    APITRACE_RULE_CALLS_VERBOSE,
    APITRACE_RULE_SUMMARY,
    APITRACE_RULE_FRAME_BLOBS,
    APITRACE_RULE_FRAME_BLOB,
    APITRACE_RULE_FRAME_SHADERS,
    APITRACE_RULE_FRAME_SHADER,
    APITRACE_RULE_FRAME_UPLOADS,
    APITRACE_RULE_FRAME_UPLOAD,
    APITRACE_RULE_FRAME_TEXTURES,
    APITRACE_RULE_FRAME_TEXTURE,
    APITRACE_RULE_FRAME_DRAWS_TSV,
    APITRACE_RULE_FRAME_DRAWS,
    APITRACE_RULE_FRAME_DRAW,
    APITRACE_RULE_CALLS_RAW,
    APITRACE_RULE_FRAME_CUT,
    APITRACE_RULE_DRAW_IDS_BIN,
    APITRACE_RULE_DRAW_IDS_PNG,
    APITRACE_RULE_PIXEL,
    APITRACE_RULE_PIXEL_TSV,
    APITRACE_RULE_PIXEL_JS,
    APITRACE_RULE_FRAME_DEPTH_PNG,
    APITRACE_RULE_FRAME_DEPTH_BIN,
    APITRACE_RULE_FRAME_OVERDRAW,
    APITRACE_RULE_FRAME_WIREFRAME,
    APITRACE_RULE_DRAW, /* all that follow are below it */
    APITRACE_RULE_DRAW_STATE,
    APITRACE_RULE_DRAW_UNIFORMS,
    APITRACE_RULE_DRAW_COLOUR,
    APITRACE_RULE_DRAW_DEPTH_PNG,
    APITRACE_RULE_DRAW_DEPTH_BIN,
    APITRACE_RULE_DRAW_STENCIL_PNG,
    APITRACE_RULE_DRAW_STENCIL_BIN,
    APITRACE_RULE_DRAW_TOUCHED,
    APITRACE_RULE_DRAW_OVERDRAW,
    APITRACE_RULE_DRAW_WIREFRAME,
    APITRACE_RULE_DRAW_TEXTURES,
    APITRACE_RULE_DRAW_TEXTURES_TSV,
    APITRACE_RULE_DRAW_TEXTURE,
    APITRACE_RULE_DRAW_BUFFERS,
    APITRACE_RULE_DRAW_VERTICES,
    APITRACE_RULE_DRAW_MESH,
    APITRACE_RULE_DRAW_TRANSFORMED,
    APITRACE_RULE_DRAW_PRIMITIVES,
    APITRACE_RULE_DRAW_PRIMITIVES_MESH,
    APITRACE_RULE_DRAW_BUFFER,
    APITRACE_RULE_DRAW_PROGRAM,
    APITRACE_RULE_DRAW_LOGS,
    APITRACE_RULE_DRAW_SHADER,
    APITRACE_RULES_END
};

enum { APITRACE_RULES = APITRACE_RULES_END - RULE_FORMAT_FIRST };

extern const struct rule apitrace_rules[APITRACE_RULES];

#endif
