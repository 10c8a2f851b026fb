/*
 * An opened PSX GPU dump, as its own files see it. What each file of texts or
 * pictures answers for the tree is declared in that file's header.
 */
#ifndef GPUDUMPFS_PSX_DUMP_H
#define GPUDUMPFS_PSX_DUMP_H

#include "formats/psx/index/index.h"
#include "tree/dump.h"

struct psx_follow;
struct psx_replay;
struct finder;
struct flips;
struct players;
struct recent_textures;
struct texture_catalog;

struct psx_dump {
    struct dump base;
    struct psx_index index;
    struct psx_replay *replay;
    struct finder *finder;
    struct players *players;
    struct recent_textures *recent_textures;
    struct texture_catalog *catalog;
    struct flips *flips;
    struct psx_follow *follow; /* NULL: the dump is not followed */
    char *game;                /* the first game packet's string, or NULL */
    uint64_t *pictures;        /* a bit for each frame, set if it has one */
};

static inline struct psx_dump *psx_dump_of(struct dump *dump)
{
    return (struct psx_dump *)dump;
}

static inline const struct psx_dump *psx_dump_of_const(const struct dump *dump)
{
    return (const struct psx_dump *)dump;
}

#endif
