/* SPDX-License-Identifier: MIT */
/*
 * An opened PSX GPU dump, as the files of this format see it; the thread that follows a growing
 * dump; and the rules that the format adds to the tree. The functions that the rules call are in
 * views/views.h.
 */
#ifndef GPUDUMPFS_PSX_DUMP_H
#define GPUDUMPFS_PSX_DUMP_H

#include "base/locks.h"
#include "formats/psx/index/index.h"
#include "tree/dump.h"
#include "tree/rule.h"

#include <pthread.h>

struct psx_follow;
struct psx_replay;
struct psx_finder;
struct psx_players;
struct psx_recent_textures;
struct psx_texture_catalog;

/*
 * For flips.tsv: a flip is a frame whose display begins at another place than that of the frame
 * before (psx_frame_flips()). Each piece of the table needs the last flip before it; these are
 * found once for all pieces.
 */
struct psx_flips {
    pthread_mutex_t lock;
    /* By piece, the frame of the last flip before it; PSX_INITIAL: none. NULL until made. */
    uint64_t *before GUARDED_BY(lock_of_psx_flips);
};

struct psx_dump {
    struct dump base;
    struct psx_index index;
    struct psx_replay *replay;
    struct psx_finder *finder;
    struct psx_players *players;
    struct psx_recent_textures *recent_textures;
    struct psx_texture_catalog *catalog;
    struct psx_flips flips;
    struct psx_follow *follow; /* NULL if the dump is not followed */
    char *game;                /* the first game packet's string, or NULL */
};

static inline struct psx_dump *psx_dump_of(struct dump *dump)
{
    return (struct psx_dump *)dump;
}

static inline const struct psx_dump *psx_dump_of_const(const struct dump *dump)
{
    return (const struct psx_dump *)dump;
}

/*
 * Functions of early.c, for a long dump whose packet pass goes on after the dump was opened
 * (psx_index_is_early()). While it does, only the names in the root are known, and those only once
 * a Trace begin and the end of a frame have been found. psx_known() and psx_known_name() are
 * `known` and `known_name` of struct dump_readiness_ops; psx_early_picture() stands in for
 * `pictures.next` meanwhile.
 */
int psx_known(struct dump *dump, unsigned rule, uint64_t key);
int psx_known_name(struct dump *dump, unsigned rule, uint64_t key);
int psx_early_picture(const struct psx_index *index, uint64_t from, uint64_t *frame);

/*
 * Follows a growing dump in a thread of its own, and draws everything once. On its way the thread
 * adds keyframes of all of VRAM, keeps the newest frame at hand for readers, and writes the words
 * that packets of type 04 read to the readback channel (follow.md 4).
 *
 * psx_follow_create() opens the readback channel. It sets *out to NULL if the dump is not followed.
 * Returns 0, -ENOMEM, or -EINVAL with a sentence in `message`.
 */
int psx_follow_create(struct psx_dump *dump, struct text *message, struct psx_follow **out);
void psx_follow_destroy(struct psx_follow **follow);

/*
 * Start and join the thread; `follow` may be NULL. The thread ends when the stream ends, or when
 * the dump's cancel flag is raised.
 */
void psx_follow_start(struct psx_follow *follow);
void psx_follow_join(struct psx_follow *follow);

/* What the PSX format adds to the tree (gpudumpfs-psx(7), psx-dump.md 4.5), as a table. */
enum psx_rule {
    PSX_RULE_VRAM = RULE_FORMAT_FIRST,
    PSX_RULE_VRAM_BIN,
    PSX_RULE_VRAM_PNG,
    PSX_RULE_READBACKS,
    PSX_RULE_READBACK,
    PSX_RULE_FRAME_VRAM_BIN,
    PSX_RULE_FRAME_VRAM_PNG,
    PSX_RULE_INITIAL,
    PSX_RULE_INITIAL_STATE,
    PSX_RULE_INITIAL_BIN,
    PSX_RULE_INITIAL_PNG,
    PSX_RULE_DRAWS_TSV,
    PSX_RULE_DRAWS,
    PSX_RULE_DRAW_PNG,
    PSX_RULE_DRAW_TOUCHED,
    PSX_RULE_WITHOUT,
    PSX_RULE_WITHOUT_PNG,
    PSX_RULE_WITHOUT_AREA,
    PSX_RULE_OVERDRAW,
    PSX_RULE_LAST_WRITER,
    PSX_RULE_WIREFRAME,
    PSX_RULE_TEXTURES_TSV,
    PSX_RULE_TEXTURES,
    PSX_RULE_TEXTURE_PNG,
    PSX_RULE_CLUTS,
    PSX_RULE_CLUT_PNG,
    PSX_RULE_UPLOADS_TSV,
    PSX_RULE_UPLOADS,
    PSX_RULE_UPLOAD_PNG,
    PSX_RULE_STATISTICS,
    PSX_RULE_ALL_TEXTURES_TSV,
    PSX_RULE_ALL_TEXTURES,
    PSX_RULE_ALL_TEXTURE_PNG,
    PSX_RULE_ALL_UPLOADS_TSV,
    PSX_RULE_FLIPS_TSV,
    PSX_RULE_ALL_STATISTICS,
    PSX_RULE_COMMANDS_TSV,
    PSX_RULE_COST,
    PSX_RULE_FRAME_CUT,
    PSX_RULE_DRAW_CUT,
    PSX_RULE_DRAW_IDS_BIN,
    PSX_RULE_DRAW_IDS_PNG,
    PSX_RULE_PIXEL,
    PSX_RULE_PIXEL_TSV,
    PSX_RULE_PIXEL_JS,
    PSX_RULE_VRAM_PIXEL,
    PSX_RULE_VRAM_PIXEL_TSV,
    PSX_RULE_VRAM_PIXEL_JS,
    PSX_RULE_ASSEMBLY,
    PSX_RULE_IDENTITY,
    PSX_RULE_IDENTITY_FIRST,
    PSX_RULE_IDENTITY_WHERE,
    PSX_RULE_END,
};

enum { PSX_RULES = PSX_RULE_END - RULE_FORMAT_FIRST };

extern const struct rule psx_rules[PSX_RULES];

#endif
