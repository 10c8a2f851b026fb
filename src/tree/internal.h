/* SPDX-License-Identifier: MIT */
/*
 * What the files of tree/ share, and no other file sees: the tree itself, its table of rules, and
 * open files.
 */
#ifndef GPUDUMPFS_TREE_INTERNAL_H
#define GPUDUMPFS_TREE_INTERNAL_H

#include "base/locks.h"
#include "base/memory_limit.h"
#include "tree/inode.h"
#include "tree/tree.h"

#include <pthread.h>

#define LATEST_NONE UINT64_MAX

enum { RULES_MAX = 256, RULES_CHILDREN_MAX = 120 };

/* All rules by id, and the children of each directory in the order of the tables. */
struct rule_set {
    const struct rule *by_id[RULES_MAX];
    const struct rule *children[RULES_MAX];
    /*
     * Index into `children` of a directory's first child; the next directory's first child ends
     * them.
     */
    uint16_t first[RULES_MAX + 1];
    /* By id: another rule is an alias of this one, so its files have two names. */
    bool shared[RULES_MAX];
};

/*
 * Builds the table from the common rules and the format's own rules, without those that the dump
 * does not offer. Returns -EINVAL if two rules have the same id, a parent is missing or is no
 * directory, a rule has no contents, or a rule is an alias of one that must not have any.
 */
int rules_build(struct rule_set *set, const struct rule *own, size_t own_count,
                const struct dump *dump);

/* The common rules, which every dump has, and their number. */
extern const struct rule common_rules[];
extern const size_t common_rule_count;

struct readahead;      /* readahead.h */
struct picture_search; /* search.h */

/*
 * What a picture of the complete dump left off when it was first made, since there was not enough
 * time. If the cache has dropped the picture, it is made again with the same parts left off.
 */
struct overview_state {
    atomic_uint_fast64_t left_off; /* a bit for each place of a picture that was left off */
    atomic_uint_fast64_t figures;  /* pieces of frames.tsv that it shows; 0 means all */
    atomic_bool problems;          /* problems were not counted */
    atomic_bool told;              /* problems.txt has a line about it */
};

struct tree {
    struct dump *dump;
    struct cache *cache;
    struct pool *pool;         /* NULL if the tree has no threads */
    struct watchdog *watchdog; /* likewise */
    struct rule_set rules;
    /* Last frame with a picture, plus 1; LATEST_NONE: there is none; 0: not known. */
    atomic_uint_fast64_t latest;
    struct readahead *readahead;
    struct told_sizes *told;
    /* For what shows the complete dump (picture_batch.h). */
    struct budget of_batches;
    struct picture_search *frames, *textures; /* pictures by their hashes (search.h) */
    struct overview_state sheet, line;        /* of contact-sheet.png and timeline.png */
    struct memory_share memory;               /* what the dump adds to the memory limit */
    atomic_uint limit_lines;                  /* lines of problems.txt about limits */
    atomic_uint_fast64_t measured;            /* bytes of packets.tsv counted so far */
    pthread_mutex_t lock;                     /* of the guarded fields below */
    /* Signalled when a request was answered, or a call of `changed` has returned. */
    pthread_cond_t answered;
    size_t requests GUARDED_BY(lock_of_tree);         /* submitted and not yet answered */
    struct tree_file *files GUARDED_BY(lock_of_tree); /* all open files */
    void (*changed)(void *context, uint64_t inode) GUARDED_BY(lock_of_tree);
    void *changed_context GUARDED_BY(lock_of_tree);
    unsigned changing GUARDED_BY(lock_of_tree); /* calls of `changed` that are under way */
    void (*grew)(void *context) GUARDED_BY(lock_of_tree);
    void *grew_context GUARDED_BY(lock_of_tree);
    struct growing_listing {
        uint64_t item;
        struct blob *offsets; /* the offsets of the longest state of the listing so far */
    } growing[TREE_GROWING_MAX] GUARDED_BY(lock_of_tree); /* listings of a followed dump */
    struct unfinished_listing {
        struct blob *offsets;              /* NULL: nothing to continue */
        uint64_t pieces;                   /* number of pieces whose ends are known */
    } unfinished GUARDED_BY(lock_of_tree); /* packets.tsv, if its counting was interrupted */
};

static inline void tree_lock(struct tree *tree) ACQUIRE(lock_of_tree)
{
    pthread_mutex_lock(&tree->lock);
}

static inline void tree_unlock(struct tree *tree) RELEASE(lock_of_tree)
{
    pthread_mutex_unlock(&tree->lock);
}

/* The file or directory of an inode number. */
struct tree_target {
    const struct rule *rule;
    uint64_t key;
    uint64_t inode;
};

/*
 * Part numbers of a file's item that the tree reserves: one for the offsets of the file's pieces,
 * and one for the item that stands for what the dump's `prepare` made known.
 */
#define PART_OFFSETS  UINT64_MAX
#define PART_PREPARED (UINT64_MAX - 1)

/*
 * For files that grow: the part of contents and offsets contains the moment (cache/follow.h), and
 * the part of a listing's piece contains the length up to which the piece is read.
 */
#define PART_GROWN        (UINT64_C(1) << 63)
#define PART_LENGTH_SHIFT 40

/* Returns whether files of the rule get longer, or have got longer, while the dump is followed. */
static inline bool rule_has_grown(const struct rule *rule, const struct dump *dump)
{
    return rule->grows && dump->follow != NULL;
}

/*
 * Returns whether stat() may report a smaller size than the final one, so that open() waits for the
 * contents.
 */
static inline bool rule_waits_at_open(const struct rule *rule, const struct dump *dump)
{
    return rule->size_so_far != NULL && !rule_has_grown(rule, dump);
}

/*
 * Requests are answered from what is known. What is not known yet is a dependency: an item of the
 * cache that is made first, in the pool or by the waiting thread, before the request is answered
 * again.
 */
struct tree_dependency {
    struct cache_key key;
    const struct cache_maker *maker;
    struct blob *made; /* the item of the last dependency, once it was made; NULL before */
};

/*
 * Looks up an inode number. Returns 0, -ENOENT for a number that no file of this dump has, or
 * -EAGAIN and a dependency; another -errno if the dump fails. Cheap.
 */
int tree_target(const struct tree *tree, uint64_t inode, struct tree_target *out,
                struct tree_dependency *dependency);

/* Returns the inode of the directory that holds a directory; for the root, the root itself. */
uint64_t tree_parent(const struct tree *tree, const struct tree_target *target);

/* Returns the inode number of a rule's name for this key: that of its alias, if it has one. */
uint64_t tree_child_inode(const struct rule *rule, uint64_t key);

/*
 * Checks whether a fixed name exists for the key of its directory. Returns 0, -ENOENT, or -EAGAIN
 * and a dependency.
 */
int tree_present(const struct tree *tree, const struct rule *rule, uint64_t key,
                 struct tree_dependency *dependency);

/*
 * Returns what a reader gets for an error: -ENOMEM, -EINTR, -ENOENT and -EFBIG are unchanged, all
 * others become -EIO.
 */
int tree_error(int status);

/* A blob that an open file keeps in memory; if pinned, it counts against the cache's budget. */
struct tree_held {
    struct blob *blob;
    uint64_t part;
    bool pinned;
};

struct tree_file {
    struct tree *tree;
    struct tree_target target;
    bool sized; /* the size is arithmetic; `size` has it as it was at open */
    uint64_t size;
    pthread_mutex_t lock;   /* of the guarded fields below */
    pthread_cond_t settled; /* `requested` was cleared */
    /* The contents, or the offsets of the pieces. */
    struct tree_held whole GUARDED_BY(lock_of_file);
    struct tree_held piece GUARDED_BY(lock_of_file); /* the piece that was read last */
    /* For `whole`, on behalf of all requests that wait for it. */
    struct cache_request request;
    struct tree_request *waiting GUARDED_BY(lock_of_file); /* requests that wait for `whole` */
    unsigned cancelling GUARDED_BY(lock_of_file); /* threads that are cancelling `request` */
    bool requested GUARDED_BY(lock_of_file);      /* `request` is under way */
    bool read GUARDED_BY(lock_of_file);           /* the last byte was read from `whole` */
    struct tree_file *next GUARDED_BY(lock_of_tree), *previous GUARDED_BY(lock_of_tree);
};

static inline void file_lock(struct tree_file *file) ACQUIRE(lock_of_file)
{
    pthread_mutex_lock(&file->lock);
}

static inline void file_unlock(struct tree_file *file) RELEASE(lock_of_file)
{
    pthread_mutex_unlock(&file->lock);
}

/*
 * Looks for the bytes at an offset in what the file holds. Returns 0 (length 0: the end of the
 * file), -errno, or 1 if an item must be obtained first: its key is stored in *needed, and the item
 * is then passed to file_keep().
 */
int file_window(struct tree_file *file, uint64_t offset, size_t size, struct cache_key *needed,
                struct tree_window *out) EXCLUDES(lock_of_file, lock_of_tree);

/*
 * Keeps a reference to an item that was needed, and answers from it as far as possible. Returns as
 * file_window(): 0, 1 or -errno.
 */
int file_keep(struct tree_file *file, struct cache_key key, struct blob *blob, uint64_t offset,
              size_t size, struct tree_window *out) EXCLUDES(lock_of_file, lock_of_tree);

/* Returns whether the item serves the whole file, so that one request for it is enough. */
bool file_is_whole(const struct tree_file *file, struct cache_key key);

/* Waits until the request for `whole` is over. No request may wait for the item any more. */
void file_settle(struct tree_file *file) EXCLUDES(lock_of_file, lock_of_tree);

/* Notes that a request begins: tree_destroy() waits until it is answered. */
void tree_request_begin(struct tree_request *request) EXCLUDES(lock_of_file, lock_of_tree);

/* Answers a request that has begun. */
void tree_request_end(struct tree_request *request, int status)
    EXCLUDES(lock_of_file, lock_of_tree);

/* Requests (request.c). */

/*
 * Sets the dependency to what the dump's `prepare` makes known of a directory or file. Returns
 * -EAGAIN.
 */
int dependency_prepared(unsigned rule, uint64_t key, struct tree_dependency *dependency);

/*
 * Returns whether the item of the last dependency is the file's contents, or the offsets of its
 * pieces.
 */
bool dependency_has_contents(const struct tree_dependency *dependency, uint64_t inode);

/*
 * Translates the status of one of the dump's functions: -EAGAIN sets the dependency as
 * dependency_prepared(), any other error becomes what a reader gets (tree_error()).
 */
int dependency_status(int status, unsigned rule, uint64_t key, struct tree_dependency *dependency);

/*
 * Answers a request whose `tree`, `answer` and own members are set, in this thread. Returns the
 * status.
 */
int tree_request_wait(struct tree_request *request, const struct cancel *cancel);

/* The same, but answers through `done`, at once or later. */
void tree_request_submit(struct tree_request *request);

/* Answer functions used by several files. */
int answer_stat(struct tree_request *request, struct tree_dependency *dependency);

/* Contents (content.c): the bytes of a file, as items of the cache. */

/*
 * Returns the key of the item by which a file's size is known: its contents, or the offsets of its
 * pieces.
 */
struct cache_key content_key(const struct tree *tree, const struct tree_target *target);

/* Returns how an item of a file is made; the maker's context is the tree. */
const struct cache_maker *content_maker(const struct tree *tree, const struct tree_target *target,
                                        struct cache_key key);

/* As content_maker(), for a file that is one item, when no reader waits for it. */
const struct cache_maker *content_maker_slow(const struct rule *rule);

/* Returns the size of a file from its item with content_key(). */
uint64_t content_size(const struct tree *tree, const struct tree_target *target,
                      const struct blob *item);

/* Makes contents that are not cached, or a link's target, as `make` of struct rule. */
int content_make(struct tree *tree, const struct tree_target *target, const struct cancel *cancel,
                 struct blob **out);

/* Returns whether the file's size is found by making its contents. */
bool content_size_is_made(const struct tree *tree, const struct tree_target *target);

/*
 * Finds a size without making anything. Returns 0; -EAGAIN and the dependency by which the size
 * will be known; -EIO or -ENOENT.
 */
int content_known_size(struct tree *tree, const struct tree_target *target, uint64_t *size,
                       struct tree_dependency *dependency);

/* Returns whether a file's bytes are made at once at each open, and do not come from the cache. */
bool content_is_at_hand(const struct tree *tree, const struct tree_target *target);

/* Contents of the common part, each a rule's `make`. */

/* README.txt, printed from the rules of this dump. */
int readme_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);

/* Makes known which names and pictures there are, before a text lists them. Returns 0 or -errno. */
int readme_know_names(struct dump *dump, const struct cancel *cancel);

/*
 * Returns whether the dump certainly has no name of the rule: only if that is known already, and is
 * the same in every directory.
 */
bool readme_is_absent(const struct tree *tree, const struct rule *rule);

/*
 * Appends the path from the root to a rule, with patterns for families; directories end with a
 * slash.
 */
void readme_add_path(struct text *text, const struct tree *tree, const struct rule *rule);

/* The files of .gpudumpfs/. */
int about_make_version(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int about_make_options(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int about_make_overlay(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int about_make_confinement(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int about_make_cache(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);

/*
 * Turns a finished text into a blob if `status` is 0; otherwise returns `status`. Clears the text
 * in both cases.
 */
int common_finish(struct text *text, int status, struct blob **out);

#endif
