/*
 * The compiled shaders that processes of one worker leave for those after them: files
 * without names, which Mesa keeps its database in (worker.md 4.1). They are as
 * trustworthy as what the dump made of the process that wrote them: nobody looks into
 * them but processes that are confined alike, for the same dump. One thread at a time.
 */
#ifndef GPUDUMPFS_WORKER_SHADERS_H
#define GPUDUMPFS_WORKER_SHADERS_H

#include <stdint.h>

enum {
    SHADERS_DATABASE,
    SHADERS_INDEX, /* of the database */
    SHADERS_SUMS,  /* Mesa's note of what it has stored */
    SHADERS_FILES,
    SHADERS_KEPT = SHADERS_SUMS /* those before, beyond a mount; Mesa makes the last again */
};

/* Most bytes of one of them; Mesa begins anew before (LAUNCH_SHADERS_MAX). */
#define SHADERS_FILE_MOST (UINT64_C(64) << 20)

struct shaders {
    int files[SHADERS_FILES]; /* -1: there are none */
};

void shaders_init(struct shaders *shaders);

/* Makes the files unless they are there. 0 or a negative errno, then there are none. */
int shaders_make(struct shaders *shaders);

/*
 * Descriptors of the same files for a worker beside the one that made them, for processes of
 * both may use them at once. 0 or a negative errno, then *to has none; nor when *from has none.
 */
int shaders_share(const struct shaders *from, struct shaders *to);

/* Forgets all. */
void shaders_clear(struct shaders *shaders);

/* Bytes of the database, 0: nothing was stored yet. */
uint64_t shaders_stored(const struct shaders *shaders);

/* The memory that they take. */
uint64_t shaders_bytes(const struct shaders *shaders);

/*
 * The folder beside `program` in which Mesa looks for the files: its names lead to a
 * process' own descriptors. For free(); NULL: it is not there, and nothing can be kept.
 */
char *shaders_folder(const char *program);

#endif
