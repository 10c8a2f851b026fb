/* SPDX-License-Identifier: MIT */
/*
 * What the files of tree/ share, and no other file sees: the tree itself, its table
 * of rules, and open files.
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

/* All rules by id, and each directory's children in the order of the tables. */
struct rule_set {
    const struct rule *by_id[RULES_MAX];
    const struct rule *children[RULES_MAX];
    uint16_t first[RULES_MAX + 1]; /* of a directory's children; the next one's ends them */
    bool shared[RULES_MAX];        /* by id: another rule's files are these, by a second name */
};

/*
 * The common rules and the format's own, without those that the dump does not offer.
 * -EINVAL: two rules with one id, a parent that is missing or no directory, an empty rule,
 * an alias of what may have none.
 */
int rules_build(struct rule_set *set, const struct rule *own, size_t own_count,
                const struct dump *dump);

/* The constant rules of every dump, and their number. */
extern const struct rule common_rules[];
extern const size_t common_rule_count;

struct readahead;      /* readahead.h */
struct picture_search; /* search.h */

/*
 * What a picture of the whole dump left off when it was made first, for want of time. When the
 * cache has dropped it, it is made as it was.
 */
struct overview_state {
    atomic_uint_fast64_t left_off; /* bits: pictures, by their places */
    atomic_uint_fast64_t figures;  /* pieces of frames.tsv that it shows; 0: all */
    atomic_bool problems;          /* those of frames */
    atomic_bool told;
};

struct tree {
    struct dump *dump;
    struct cache *cache;
    struct pool *pool;         /* NULL: none */
    struct watchdog *watchdog; /* the same */
    struct rule_set rules;
    atomic_uint_fast64_t latest; /* the last frame with a picture, plus 1; 0: not sought */
    struct readahead *readahead;
    struct told_sizes *told;
    struct budget of_batches;                 /* of what shows a whole dump: picture_batch.h */
    struct picture_search *frames, *textures; /* by what is in them */
    struct overview_state sheet, line;        /* contact-sheet.png, timeline.png */
    struct memory_share memory;               /* what the dump adds to the limit */
    atomic_uint limit_lines;                  /* of problems.txt */
    atomic_uint_fast64_t measured;            /* bytes of packets.tsv that were counted so far */
    pthread_mutex_t lock;                     /* of what follows */
    pthread_cond_t answered;                  /* a request was, or `changed` has returned */
    size_t requests GUARDED_BY(lock_of_tree); /* submitted and not yet answered */
    struct tree_file *files GUARDED_BY(lock_of_tree); /* all that are open */
    void (*changed)(void *context, uint64_t inode) GUARDED_BY(lock_of_tree);
    void *changed_context GUARDED_BY(lock_of_tree);
    unsigned changing GUARDED_BY(lock_of_tree); /* calls of it that are under way */
    void (*grew)(void *context) GUARDED_BY(lock_of_tree);
    void *grew_context GUARDED_BY(lock_of_tree);
    struct growing_listing {
        uint64_t item;
        struct blob *offsets;                             /* the latest */
    } growing[TREE_GROWING_MAX] GUARDED_BY(lock_of_tree); /* listings of a followed dump */
    struct unfinished_listing {
        struct blob *offsets;              /* NULL: none, or all of it */
        uint64_t pieces;                   /* whose ends are in there */
    } unfinished GUARDED_BY(lock_of_tree); /* packets.tsv, whose counting was left off */
};

static inline void tree_lock(struct tree *tree) ACQUIRE(lock_of_tree)
{
    pthread_mutex_lock(&tree->lock);
}

static inline void tree_unlock(struct tree *tree) RELEASE(lock_of_tree)
{
    pthread_mutex_unlock(&tree->lock);
}

/* What an inode number stands for. */
struct tree_target {
    const struct rule *rule;
    uint64_t key;
    uint64_t inode;
};

/* Parts of a file's item that are the tree's: where its pieces lie, what was prepared. */
#define PART_OFFSETS  UINT64_MAX
#define PART_PREPARED (UINT64_MAX - 1)

/*
 * Of what grows: contents and offsets have the moment (cache/follow.h) in their part, a
 * listing's pieces the length that is read of them.
 */
#define PART_GROWN        (UINT64_C(1) << 63)
#define PART_LENGTH_SHIFT 40

/* Whether a file of the rule gets longer, or did. */
static inline bool rule_has_grown(const struct rule *rule, const struct dump *dump)
{
    return rule->grows && dump->follow != NULL;
}

/* Whether stat() may tell less than there will be, so that open() waits for the contents. */
static inline bool rule_waits_at_open(const struct rule *rule, const struct dump *dump)
{
    return rule->size_so_far != NULL && !rule_has_grown(rule, dump);
}

/*
 * Requests are answered from what is known. What is not known yet is a dependency: an item of
 * the cache that is made first, in the pool or by the waiting thread, before the request is
 * answered anew.
 */
struct tree_dependency {
    struct cache_key key;
    const struct cache_maker *maker;
    struct blob *made; /* what was made of the last dependency; NULL: nothing yet */
};

/* 0, -ENOENT for a number that no file of this dump has, or -EAGAIN. Cheap. */
int tree_target(const struct tree *tree, uint64_t inode, struct tree_target *out,
                struct tree_dependency *dependency);

/* The directory that holds a directory; the root's is the root. */
uint64_t tree_parent(const struct tree *tree, const struct tree_target *target);

/* The inode number of a rule's name under a parent's key, its alias's if it has one. */
uint64_t tree_child_inode(const struct rule *rule, uint64_t key);

/* Whether a fixed name is there for its directory's key: 0, -ENOENT, -EAGAIN. */
int tree_present(const struct tree *tree, const struct rule *rule, uint64_t key,
                 struct tree_dependency *dependency);

/* What a reader is told of a failure: -ENOMEM, -EINTR, -ENOENT, -EFBIG as they are, -EIO for the
 * rest. */
int tree_error(int status);

/* A blob that an open file keeps in memory, and counts against the cache's budget. */
struct tree_held {
    struct blob *blob;
    uint64_t part;
    bool pinned;
};

struct tree_file {
    struct tree *tree;
    struct tree_target target;
    bool sized; /* its size is arithmetic and stays what it was at open */
    uint64_t size;
    pthread_mutex_t lock;                            /* of what follows */
    pthread_cond_t settled;                          /* `requested` was lowered */
    struct tree_held whole GUARDED_BY(lock_of_file); /* its contents, or where its pieces lie */
    struct tree_held piece GUARDED_BY(lock_of_file); /* the one that was read last */
    struct cache_request request;                    /* for `whole`, on behalf of all that wait */
    struct tree_request *waiting GUARDED_BY(lock_of_file);
    unsigned cancelling GUARDED_BY(lock_of_file); /* threads that are cancelling the request */
    bool requested GUARDED_BY(lock_of_file);
    bool read GUARDED_BY(lock_of_file); /* its last byte was, while `whole` held it */
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
 * The bytes at an offset, if the file holds them: 0 (length 0: the end), or a
 * negative errno. 1: the item `needed` must be got first, and handed to file_keep().
 */
int file_window(struct tree_file *file, uint64_t offset, size_t size, struct cache_key *needed,
                struct tree_window *out) EXCLUDES(lock_of_file, lock_of_tree);

/* Keeps a reference to a blob that was needed, and answers from it what it can (0 or 1, as above).
 */
int file_keep(struct tree_file *file, struct cache_key key, struct blob *blob, uint64_t offset,
              size_t size, struct tree_window *out) EXCLUDES(lock_of_file, lock_of_tree);

/* Whether an item serves the whole file, so that one request for it is enough. */
bool file_is_whole(const struct tree_file *file, struct cache_key key);

/* Waits until the request for `whole` is over; no request waits for it any more. */
void file_settle(struct tree_file *file) EXCLUDES(lock_of_file, lock_of_tree);

/* A request begins, and is answered: tree_destroy() waits for all. */
void tree_request_begin(struct tree_request *request) EXCLUDES(lock_of_file, lock_of_tree);
void tree_request_end(struct tree_request *request, int status)
    EXCLUDES(lock_of_file, lock_of_tree);

/* Requests (request.c). */

/* What the dump's `prepare` makes known of a directory or a file. Always -EAGAIN. */
int dependency_prepared(unsigned rule, uint64_t key, struct tree_dependency *dependency);

/* Whether the contents of a file were made of the last dependency, or its offsets. */
bool dependency_has_contents(const struct tree_dependency *dependency, uint64_t inode);

/* A dump's answer that says -EAGAIN leads to the dependency; a failure to what readers are told. */
int dependency_status(int status, unsigned rule, uint64_t key, struct tree_dependency *dependency);

/*
 * The two ways to have a request answered whose `tree`, `answer` and own members
 * are set: by this thread, or later through `done`.
 */
int tree_request_wait(struct tree_request *request, const struct cancel *cancel);
void tree_request_submit(struct tree_request *request);

/* Answers of several files. */
int answer_stat(struct tree_request *request, struct tree_dependency *dependency);

/* Contents (content.c): what the bytes of a file are, as items of the cache. */

/* The item that knows a file's size: its contents, or where its pieces lie. */
struct cache_key content_key(const struct tree *tree, const struct tree_target *target);

/* How any item of a file is made; its context is the tree. */
const struct cache_maker *content_maker(const struct tree *tree, const struct tree_target *target,
                                        struct cache_key key);

/* The same of a file that is one item, when no reader waits for it. */
const struct cache_maker *content_maker_slow(const struct rule *rule);

/* The size that a file has by its item from content_key(). */
uint64_t content_size(const struct tree *tree, const struct tree_target *target,
                      const struct blob *item);

/* Makes contents that are not cached, or a link's target. As struct rule's `make`. */
int content_make(struct tree *tree, const struct tree_target *target, const struct cancel *cancel,
                 struct blob **out);

/* Whether making the contents is what tells it. */
bool content_size_is_made(const struct tree *tree, const struct tree_target *target);

/* A size that is known without making anything. 0, -EAGAIN: it is not; -EIO, -ENOENT. */
int content_known_size(struct tree *tree, const struct tree_target *target, uint64_t *size,
                       struct tree_dependency *dependency);

/* Whether a file's bytes are had at once, and not from the cache. */
bool content_is_at_hand(const struct tree *tree, const struct tree_target *target);

/* Contents of the common part, each a rule's `make`. */

/* README.txt, printed from the rules of this dump. */
int readme_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);

/* Makes known which names and pictures there are, for what tells of them. 0 or a negative errno. */
int readme_know_names(struct dump *dump, const struct cancel *cancel);

/* Whether no name of the dump is the rule's, as far as that is known and the same everywhere. */
bool readme_is_absent(const struct tree *tree, const struct rule *rule);

/* The way from the root to a rule, as patterns; directories end with a slash. */
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

/* Hands a finished text over, or its failure; the text is cleared either way. */
int common_finish(struct text *text, int status, struct blob **out);

#endif
