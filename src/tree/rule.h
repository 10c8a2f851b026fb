/* SPDX-License-Identifier: MIT */
/*
 * Rules: the tree is made of rules, not of nodes, since a dump may have millions of packets. A rule
 * is one fixed name (`info.txt`) or one numbered family (`000012.png`) in one directory, and
 * answers three questions for a key: how long is the file, what are its bytes, which names are
 * there. Rules are rows of constant tables, which also print README.txt and are compared with the
 * man page.
 *
 * An inode number is the rule's id above its key:
 *
 *     63        56 55                                                    0
 *     +-----------+-------------------------------------------------------+
 *     |  rule id  |                          key                          |
 *     +-----------+-------------------------------------------------------+
 *
 * So lookup and getattr are arithmetic, nothing is allocated for a name, and numbers are the same
 * after a remount. Keys are formed from the root downwards:
 *
 * - The key of the root is 0.
 * - A fixed name has the key of its directory.
 * - The key of a family's member is the key of its directory, shifted up by the family's `bits`,
 *   with the member's ordinal below. If `bits` is 0, the key is the ordinal alone: packets, for
 *   example, are numbered over the whole dump, wherever they are shown.
 *
 * For example, the folder by-frame/000012 has the key 12, and so has info.txt in it. The packets
 * that are shown in this folder are families with `bits` 0: their keys are the numbers of the
 * packets.
 *
 * Items of the cache are inode numbers, too, and the contents of a file are part 0 of its item. The
 * part of a live file is its version instead. The parts of a file in pieces are the numbers of its
 * pieces, and the highest part holds the offsets of the pieces. For files that grow see internal.h.
 * What a format caches for itself has the rule RULE_NONE, or small part numbers of its own next to
 * a file's part 0.
 *
 * The reader thread calls the functions for names and sizes, so none of them may wait. If an answer
 * is not known yet, they return -EAGAIN; the tree then has the dump's `prepare` make it known in
 * the pool, and calls them again. What was known once stays known.
 */
#ifndef GPUDUMPFS_TREE_RULE_H
#define GPUDUMPFS_TREE_RULE_H

#include "tree/dump.h"

enum { RULE_KEY_BITS = 56, RULE_NAME_MAX = 255, RULE_PIECE = 1 << 20 };

enum rule_kind { RULE_DIRECTORY, RULE_FILE, RULE_LINK };

/* Ids of the common rules; formats number theirs from RULE_FORMAT_FIRST to 255. */
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
 * A numbered family of names within one directory. Members whose ordinal does not fit into the key
 * are not shown. If `bits` is 0, a member's key does not determine its directory: then the file's
 * own functions return -ENOENT for an ordinal that does not exist, and if the member is a
 * directory, its parent directory must have the key 0.
 */
struct rule_family {
    unsigned bits; /* of the ordinal in the key; 0: the ordinal is the key */
    /*
     * Finds the smallest member >= from. Returns 0, -ENOENT if there is none, or -EAGAIN if that is
     * not known yet. The tree uses it to check whether a member exists and, unless the rule is
     * unlisted, to list the members.
     */
    int (*next)(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal);
    /*
     * Writes the member's name: at most RULE_NAME_MAX bytes and a NUL. Returns 0, -EAGAIN or
     * -ENOENT.
     */
    int (*name)(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name);
    /*
     * Stores the ordinal that a name would have, or returns false; the tree then compares the name
     * with that from name(). NULL: the ordinal is the decimal number at the beginning of the name.
     */
    bool (*parse)(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *ordinal);
};

struct rule {
    uint8_t id;     /* enum rule_id, or the format's own */
    uint8_t parent; /* id of the directory that holds it */
    /*
     * Files and links: id of the rule whose inodes this one shares, which must be neither live nor
     * growing; 0: none.
     */
    uint8_t alias;
    enum rule_kind kind;
    /* The fixed name; of a family, the pattern shown in the README. */
    const char *name;
    const struct rule_family *family; /* NULL: a fixed name */
    const char *help;                 /* one line for README.txt; NULL: not mentioned */
    /*
     * What the number at the beginning of a member's name counts: the word after TREE_XATTR_PREFIX
     * in the name of an extended attribute of the member and of everything below it. For "frame"
     * and "packet" the dump supplies further attributes. NULL: none.
     */
    const char *counts;
    bool live; /* contents may change: the kernel must not cache the attributes */
    /*
     * A fixed name in the root that is live while the dump grows. If it is a listing, that only
     * gets longer.
     */
    bool grows;
    bool unlisted; /* found by its name alone: the family is too large to be listed */

    /*
     * The size of a file if it is arithmetic: exact, cheap, without replay, never waits. Returns 0;
     * -EAGAIN if it is not known until prepared; -ENODATA if it is known only from what `make`
     * returns, as if this were NULL; or -ENOENT if there is no such file.
     */
    int (*size)(struct dump *dump, uint64_t key, uint64_t *size);

    /*
     * A file has one of `make`, `listing` and `piece`. The `make` of links (which makes the target)
     * and of `uncached` files must not wait: it returns -EAGAIN instead.
     */
    int (*make)(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);
    /*
     * As cache_maker.finish, if `make` returned CACHE_FIRST_STAGE: makes the contents from `stage`.
     */
    int (*finish)(struct dump *dump, uint64_t key, const struct cancel *cancel,
                  const struct blob *stage, struct blob **out);
    const struct dump_listing *listing; /* made in pieces; its size is found by formatting it */
    /*
     * Makes `length` bytes from `offset`, which is a multiple of RULE_PIECE: a complete piece, or
     * the rest of the file. For large files that do not exist as such in the dump. Needs `size`.
     */
    int (*piece)(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                 const struct cancel *cancel, struct blob **out);
    /*
     * Of common rules: returns the dump's listing. The rule is not offered if that has neither rows
     * nor pieces.
     */
    const struct dump_listing *(*common_listing)(const struct dump *dump);

    /*
     * Returns whether this dump has names of this rule at all; called once, when the tree is made.
     * If a directory is not offered, nothing below it is. NULL: yes.
     */
    bool (*offered)(const struct dump *dump);

    enum cache_work work; /* cost of `make` or `piece`; CACHE_TEXT unless it replays */
    /*
     * The files are read ahead (readahead.h): a reader that takes them in order finds the next ones
     * made. For pictures of a family in a directory of key 0, for texts of packets, and for texts
     * in each directory of a family. These texts must be made without a long wait; a reader that
     * only requests their sizes takes part, too.
     */
    bool ahead;
    bool slow; /* `make` waits for the complete index, or for another program */
    /*
     * Returns whether a fixed name exists for the key of its directory: 0, -ENOENT or -EAGAIN.
     * NULL: always.
     */
    int (*exists)(struct dump *dump, uint64_t key);
    bool alike; /* `exists` returns the same for every key, which README.txt and pages use */
    /*
     * Of an unlisted family: makes known whether this member exists, or fails. Replaces the dump's
     * `prepare`. NULL: `prepare` does that.
     */
    int (*prepare)(struct dump *dump, uint64_t key, const struct cancel *cancel);
    /* Made anew at each open, without waiting: for borrowed slices and figures that change. */
    bool uncached;
    bool apart; /* needs no byte of the dump: still works after the dump's file was changed */
    /*
     * Of a live file: returns a number that changes whenever the contents may have changed. NULL:
     * the contents never change.
     */
    uint64_t (*version)(struct dump *dump, uint64_t key);
    /*
     * Of a file whose contents are known only after all of the dump was looked at: returns the size
     * of what is known of them by now. stat() reports this size if the wait takes too long; open()
     * waits, so that readers get complete contents. Cheap.
     */
    uint64_t (*size_so_far)(struct dump *dump, uint64_t key);
};

#endif
