/*
 * An opened trace, as its own files see it. The index is made by opening, so nothing
 * waits for it; shaders, textures and what frames show are found at the first need. Of a
 * trace that grows the index is made by a thread of its own, which finds what frames show,
 * too, and no request waits for it. What each file of listings or contents answers for the tree
 * is declared in that file's header.
 */
#ifndef GPUDUMPFS_APITRACE_DUMP_H
#define GPUDUMPFS_APITRACE_DUMP_H

#include "base/cancellable_mutex.h"
#include "cache/index_task.h"
#include "formats/apitrace/index/index.h"
#include "formats/apitrace/index/object_index.h"
#include "formats/apitrace/replay/presentation.h"
#include "tree/dump.h"

struct apitrace_follower;
struct apitrace_player;

struct apitrace_dump {
    struct dump base;
    struct apitrace_index index;

    struct index_task pass;             /* of a trace that grows … */
    struct source_params source_params; /* … for what its index opens later */
    struct apitrace_finder *finder;     /* of the pass's thread */

    struct cancellable_mutex objects_turn; /* of the thread that finds them; others wait for it */
    atomic_bool has_objects;
    struct apitrace_object_index objects; /* not changed any more once they are there */

    struct cancellable_mutex presentation_turn; /* the same */
    atomic_bool has_presentation;
    /* The same; of a trace that grows the frames that are shown do not change. */
    struct apitrace_presentation presentation;
    pthread_mutex_t drawables_lock; /* of presentation.drawables, which change while it grows */

    struct apitrace_player *player; /* that makes pictures; has a lock of its own */

    pthread_mutex_t state_lock;         /* of what follows */
    struct apitrace_follower *follower; /* the one that was needed last; NULL: none was */
};

static inline struct apitrace_dump *apitrace_dump_of(struct dump *dump)
{
    return (struct apitrace_dump *)dump;
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

/* A copy of the drawables as they are known by now, for free(), and of `changes`. 0 or -ENOMEM. */
int apitrace_dump_drawables(struct apitrace_dump *dump, struct retrace_drawable **drawables,
                            size_t *count, uint64_t *changes);
uint64_t apitrace_dump_changes(struct apitrace_dump *dump);

#endif
