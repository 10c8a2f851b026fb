/* SPDX-License-Identifier: MIT */
/*
 * The tree is made of rules, not of nodes: a dump may have millions of packets.
 * A rule is one fixed name (`info.txt`) or one numbered family (`000012.png`) in
 * one directory, and answers three questions for a key: how long, which bytes,
 * which names. Rules stand in constant tables, one line each, that also print
 * README.txt and are compared with the man page.
 *
 * An inode number is the rule's id (8 bits) above its key (56 bits), so lookup
 * and getattr are arithmetic, nothing is allocated per name, and numbers are the
 * same after a remount. The key of the root is 0. A fixed name has its parent's
 * key. A member of a family has its parent's key shifted up by the family's
 * `bits`, with its ordinal below; with `bits` 0 its ordinal alone (packets are
 * numbered over the whole dump, wherever they are shown).
 *
 * The cache's items are inode numbers too: a file's contents are part 0 (a live
 * file's, its version; of one in pieces their numbers, and the last part where they lie;
 * of what grows see internal.h).
 * What a format caches for itself has RULE_NONE for its rule, or small parts of
 * its own beside a file's part 0.
 *
 * Questions about names and sizes are asked by the thread that reads requests, so
 * none of them may wait. Where an answer is not known yet it is -EAGAIN, and the
 * tree has the dump's `prepare` make it known in the pool before it asks again.
 * What was known once stays known.
 */
#ifndef GPUDUMPFS_TREE_RULE_H
#define GPUDUMPFS_TREE_RULE_H

#include "tree/dump.h"

enum { RULE_KEY_BITS = 56, RULE_NAME_MAX = 255, RULE_PIECE = 1 << 20 };

enum rule_kind { RULE_DIRECTORY, RULE_FILE, RULE_LINK };

/* Ids of the common part; formats number theirs from RULE_FORMAT_FIRST to 255. */
enum rule_id {
    RULE_NONE = 0,
    RULE_ROOT = 1,
    RULE_README,
    RULE_METADATA_TXT,
    RULE_METADATA_JSON,
    RULE_PROBLEMS,
    RULE_PACKETS_TSV,
    RULE_PACKETS,
    RULE_PACKET_GROUP,
    RULE_PACKET_BIN,
    RULE_PACKET_TXT,
    RULE_FRAMES_TSV,
    RULE_FRAMES,
    RULE_FRAME_PNG,
    RULE_BY_FRAME,
    RULE_FRAME,
    RULE_FRAME_INFO,
    RULE_FRAME_IMAGE,
    RULE_FRAME_PACKETS_TSV,
    RULE_FRAME_PACKETS,
    RULE_FRAME_PACKET_BIN,
    RULE_FRAME_PACKET_TXT,
    RULE_FRAME_COMMANDS,
    RULE_FRAME_STATE,
    RULE_LATEST,
    RULE_ABOUT,
    RULE_ABOUT_VERSION,
    RULE_ABOUT_OPTIONS,
    RULE_ABOUT_CACHE,
    RULE_ABOUT_CONFINEMENT,
    RULE_ABOUT_OVERLAY,
    RULE_ABOUT_PAGE_JS,
    RULE_ABOUT_PAGE_CSS,
    RULE_ABOUT_DUMP_JS,
    RULE_INDEX_HTML,
    RULE_FRAME_INDEX_HTML,
    RULE_SCRIPT,
    RULE_FRAME_SCRIPT,
    RULE_FIND,
    RULE_FIND_FRAMES,
    RULE_FIND_FRAME,
    RULE_FIND_FRAME_FIRST,
    RULE_FIND_FRAME_WHERE,
    RULE_FIND_TEXTURES,
    RULE_FIND_TEXTURE,
    RULE_FIND_TEXTURE_FIRST,
    RULE_FIND_TEXTURE_WHERE,
    RULE_NEAR_FRAMES,
    RULE_CONTACT_SHEET,
    RULE_TIMELINE,
    RULE_FORMAT_FIRST = 64,
};

/*
 * A numbered family of names within one directory. What does not fit in the key
 * is not shown. With bits 0 a member's directory cannot be told from its key:
 * then a file's own functions answer -ENOENT for an ordinal that is none, and a
 * directory must stand under key 0.
 */
struct rule_family {
    unsigned bits; /* of the ordinal in the key; 0: the ordinal is the key */
    /*
     * The smallest member >= from: 0, -ENOENT when there is none, -EAGAIN while that is
     * not known. Answers membership (from is one) and, unless the rule is unlisted, listing.
     */
    int (*next)(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal);
    /* Writes the member's name, at most RULE_NAME_MAX bytes and a NUL. 0, -EAGAIN, -ENOENT. */
    int (*name)(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name);
    /*
     * The ordinal that a name would have: its check against name() is the tree's.
     * NULL: the decimal number that the name begins with.
     */
    bool (*parse)(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *ordinal);
};

struct rule {
    uint8_t id;     /* enum rule_id, or the format's own */
    uint8_t parent; /* id of the directory that it stands in */
    /* Files: the rule whose inode this one shares, neither live nor growing; 0: its own. */
    uint8_t alias;
    enum rule_kind kind;
    const char *name;                 /* the fixed name; of a family, its pattern for the README */
    const struct rule_family *family; /* NULL: a fixed name */
    const char *help;                 /* one line for README.txt; NULL: not mentioned */
    /*
     * What the number is that a member's name begins with: an extended attribute of the member
     * and of all below it, TREE_XATTR_PREFIX and this word. "frame" and "packet" are numbers that
     * the dump is asked for more with. NULL: none.
     */
    const char *counts;
    bool live; /* contents may change: attributes are not cached by the kernel */
    /* A fixed name in the root that is live while the dump grows; a listing only gets longer. */
    bool grows;
    bool unlisted; /* found by its name alone: a family too large for a listing to be of use */

    /*
     * Files whose size is arithmetic: exact, cheap, never replays, never waits. 0;
     * -EAGAIN: not known until prepared; -ENODATA: only `make` can tell, as with NULL;
     * -ENOENT: no such file.
     */
    int (*size)(struct dump *dump, uint64_t key, uint64_t *size);

    /*
     * Files, one of these three. Links: `make` gives the target, without waiting, or
     * -EAGAIN; `uncached` files likewise.
     */
    int (*make)(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
    /* When `make` returned CACHE_FIRST_STAGE, for cache_maker.finish: makes the contents of
     * `stage`. */
    int (*finish)(struct dump *dump, uint64_t key, const struct cancel *cancel,
                  const struct blob *stage, struct blob **out);
    const struct dump_listing *listing; /* made piece by piece; its size is found by formatting */
    /*
     * `length` bytes from `offset`, a multiple of RULE_PIECE: all of a piece, of the last
     * one what is left. For large files that are not there as they are; needs `size`.
     */
    int (*piece)(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                 const struct cancel *cancel, struct blob **out);
    /* The common part's listings, which the dump answers; not offered without rows or pieces. */
    const struct dump_listing *(*common_listing)(const struct dump *dump);

    /*
     * Whether this dump has such names at all, asked once; with a directory all below it
     * goes. NULL: yes.
     */
    bool (*offered)(const struct dump *dump);

    enum cache_work work; /* what `make` or `piece` costs; CACHE_TEXT unless it replays */
    /*
     * A reader in order finds the next ones made: pictures of a family in folder 0 (readahead.h);
     * listings by a fixed name in each directory of a family, which are made without
     * waiting for long, and for whose sizes it is enough to ask.
     */
    bool ahead;
    bool slow; /* `make` waits for all of the index, or for another program */
    /* Whether a fixed name is there for its parent's key: 0, -ENOENT, -EAGAIN; NULL: always. */
    int (*exists)(struct dump *dump, uint64_t key);
    bool alike; /* `exists` answers alike for every key: README.txt and pages heed it */
    /*
     * Of a family that is not listed: makes known whether this member is there, or fails, in place
     * of the dump's `prepare`. NULL: that knows.
     */
    int (*prepare)(struct dump *dump, uint64_t key, const struct cancel *cancel);
    bool uncached; /* borrowed slices and live figures: made anew at each open, at once */
    bool apart;    /* needs no byte of the dump: is there also when the dump's file was changed */
    /* Of a live file: changes whenever its contents may have. NULL: contents never change. */
    uint64_t (*version)(struct dump *dump, uint64_t key);
    /*
     * Of a file whose contents wait for all of the dump: the size of what is known of them by now.
     * stat() tells that if it had to wait; open() waits, so that a reader has all. Cheap.
     */
    uint64_t (*size_so_far)(struct dump *dump, uint64_t key);
};

#endif
