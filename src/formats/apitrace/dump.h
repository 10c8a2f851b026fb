/* SPDX-License-Identifier: MIT */
/*
 * An opened trace, as its own files see it. The index is made by opening, or behind it if the
 * trace is large; then the tree asks for nothing that is not read yet. Shaders, textures and what
 * frames show are found at the first need. Of a trace that grows the index is made by a thread of
 * its own, which finds what frames show, too, and no request waits for it. What the tree's files
 * hold is declared in views/views.h.
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

/* The format's own options. */
struct apitrace_options {
    unsigned time_limit; /* seconds that the worker may take for one call */
};

extern const struct option_table apitrace_options_table;

/* The values in force. */
static inline const struct apitrace_options *apitrace_options_of(const struct options *options)
{
    return options_values(options, &apitrace_options_table);
}

struct apitrace_follower;
struct apitrace_player;
struct apitrace_shader_translator;

/* What there is to read behind a draw (views/draw_parts.c), by the key of its folder. */
struct apitrace_known_draw {
    uint64_t key, used;
    struct blob *parts; /* NULL: none */
};
enum { APITRACE_KNOWN_DRAWS = 64 };

/* What a draw or frame covers (views/coverage.c). */
struct apitrace_covered;

struct apitrace_dump {
    struct dump base;
    struct apitrace_index index;

    struct index_task pass;             /* of a trace that grows, or is read later … */
    struct source_params source_params; /* … for what its index opens later */
    struct apitrace_finder *finder;     /* of the pass's steps */
    _Atomic uint64_t wanted; /* of a trace that is read later: frames up to it are waited for */

    struct cancellable_mutex objects_mutex; /* of the thread that finds them; others wait for it */
    atomic_bool has_objects;
    struct apitrace_object_index objects; /* not changed any more once they are there */

    struct cancellable_mutex presentation_mutex; /* the same */
    atomic_bool has_presentation;
    /* The same; of a trace that grows the frames that are shown do not change. */
    struct apitrace_presentation presentation;
    pthread_mutex_t drawables_lock; /* of presentation.drawables, which change while it grows */

    struct cancellable_mutex cuts_mutex; /* the same */
    atomic_bool has_cuts;
    struct apitrace_cuts cuts;        /* the same */
    struct instance_pool cut_cursors; /* those that are in the midst of one */

    pthread_mutex_t parts_lock; /* of what follows: parts of draws that were asked for last … */
    struct apitrace_known_draw known_draws[APITRACE_KNOWN_DRAWS] GUARDED_BY(lock_of_apitrace_parts);
    uint64_t known_draws_used GUARDED_BY(lock_of_apitrace_parts);        /* … and how often … */
    struct apitrace_covered *covered GUARDED_BY(lock_of_apitrace_parts); /* … the last coverage */

    struct apitrace_player *player;                /* that makes pictures; has a lock of its own */
    struct apitrace_shader_translator *translator; /* any thread */

    pthread_mutex_t state_lock; /* of what follows */
    /* The one that was needed last; NULL: none was. */
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
 * Shaders and textures, found now if need be; waits while another thread finds them, until
 * `cancel` is raised. 0, -EINTR, -ENOMEM.
 */
int apitrace_dump_objects(struct dump *dump, const struct cancel *cancel,
                          const struct apitrace_object_index **out);

/* The same if they are found already, else NULL. Never waits. */
const struct apitrace_object_index *apitrace_dump_peek_objects(struct dump *dump);

/* What frames show, in the same way. 0, -EINTR, -ENOMEM, -EIO. */
int apitrace_dump_presentation(struct dump *dump, const struct cancel *cancel,
                               const struct apitrace_presentation **out);

/* The same if it is found already, else NULL. Never waits. */
const struct apitrace_presentation *apitrace_dump_peek_presentation(struct dump *dump);

/* What there is to know before frames are cut, in the same way; of a trace that does not grow. */
int apitrace_dump_cuts(struct dump *dump, const struct cancel *cancel,
                       const struct apitrace_cuts **out);
const struct apitrace_cuts *apitrace_dump_peek_cuts(struct dump *dump);

/* views/draw_parts.c: what is kept of draws goes; at the dump's end. */
void apitrace_known_draws_clear(struct apitrace_dump *dump);
/* views/coverage.c: the same. */
void apitrace_covered_clear(struct apitrace_dump *dump);

/* A copy of the drawables as they are known by now, for free(), and of `changes`. 0 or -ENOMEM. */
int apitrace_dump_drawables(struct apitrace_dump *dump,
                            struct apitrace_session_drawable **drawables, size_t *count,
                            uint64_t *changes);
uint64_t apitrace_dump_changes(struct apitrace_dump *dump);

/*
 * follow.c: a trace that grows (follow.md 7.2): a thread of its own indexes it, and shows its
 * frames as soon as it is known what their pictures are of. Called while the dump is opened, then
 * by the tree.
 */
void apitrace_follow_init(struct apitrace_dump *dump);

/* Opens the index of a source that grows; completes `params`. As apitrace_index_open(). */
int apitrace_follow_open(struct apitrace_dump *dump, struct apitrace_index_params *params);

/* Begins the thread. */
void apitrace_follow_start(struct dump *dump);

/*
 * early.c: a large trace is read behind its opening, and frames are shown before that is through,
 * as they stay. Called before its index is opened; sets what that takes of `params`. A stream of
 * less than so many bytes is read in no time; not changed but by tests.
 */
extern uint64_t apitrace_early_from;
void apitrace_early_open(struct apitrace_dump *dump, struct apitrace_index_params *params);

/* Whether that is under way. Then the index may be asked for calls of frames that are shown. */
bool apitrace_is_early(const struct dump *dump);

/* Begins a thread that reads on; without one, or a thread for it, the caller that waits does. */
void apitrace_early_start(struct apitrace_dump *dump);

/* struct dump_ops' function. */
int apitrace_known(struct dump *dump, unsigned rule, uint64_t key);

/* Returns when that is known, or all is: 0, -EINTR, or why no more can be read. */
int apitrace_early_wait(struct dump *dump, unsigned rule, uint64_t key,
                        const struct cancel *cancel);
int apitrace_early_wait_all(struct dump *dump, const struct cancel *cancel);

/* rules.c: what the format adds to the tree (apitrace.md 4), as a table. */
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
    APITRACE_RULE_DRAW, /* all that follows is below it */
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
