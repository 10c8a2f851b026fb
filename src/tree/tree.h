/* SPDX-License-Identifier: MIT */
/*
 * The virtual tree of one dump: names to inode numbers, inode numbers to
 * attributes, listings and bytes. It knows no FUSE and no format; the FUSE
 * adapter and gpudump are two thin users of it. All functions may be called from
 * any thread; those that may take long say so. A thread that must not wait uses
 * tree_attributes() and tree_submit_*() alone.
 */
#ifndef GPUDUMPFS_TREE_TREE_H
#define GPUDUMPFS_TREE_TREE_H

#include "tree/rule.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TREE_ROOT = 1 }; /* the root's inode number; others are rule << 56 | key */

/* How far blobs held by open files may exceed the cache's budget before reads answer -ENOMEM. */
#define TREE_OVERDRAFT (UINT64_C(64) << 20)

struct tree;

struct tree_params {
    struct dump *dump;        /* taken over only by success; closed with the tree */
    const struct rule *rules; /* the format's own; the common part is the tree's */
    size_t rule_count;
    unsigned threads; /* 0: no pool, everything is made by the calling thread */
};

/*
 * 0, -ENOMEM or -EAGAIN for want of threads, -EINVAL when two rules have one id or
 * a parent is missing. Makes threads, so it comes after the fork.
 */
int tree_create(const struct tree_params *params, struct tree **out);

/*
 * Cancels what is under way, waits until every request is answered, closes the
 * files that are still open, and the dump.
 */
void tree_destroy(struct tree **tree);

struct dump *tree_dump(struct tree *tree);
struct cache *tree_cache(struct tree *tree);

struct tree_attributes {
    uint64_t inode;
    enum rule_kind kind;
    uint64_t size;
    struct timespec time;
    bool live;
    uint32_t links; /* directories: 2 + subdirectories is not counted: 1, "unknown" to find(1) */
};

/* 0 or -ENOENT, -ENOTDIR. May take long. `.` and `..` are names too. */
int tree_lookup(struct tree *tree, uint64_t directory, const char *name, uint64_t *inode);

/*
 * The inode that a whole path names, from the root; empty components are skipped.
 * Links within it are followed, the last one only if `follow`. -ENOENT, -ENOTDIR,
 * -ELOOP. May take long.
 */
int tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode);

/*
 * Attributes, if they are known or need no formatting; else -EAGAIN, with all but the size:
 * then tree_stat() makes what tells it first, and may take long. -ENOENT, -EIO.
 */
int tree_attributes(struct tree *tree, uint64_t inode, struct tree_attributes *out);
int tree_stat(struct tree *tree, uint64_t inode, const struct cancel *cancel,
              struct tree_attributes *out);

/*
 * Walks a directory from `*cursor` (0: the beginning; `.` and `..` come first),
 * calling `emit` until it returns false; *cursor is then that entry's, so that
 * the walk can go on with it. Formats nothing; may take long where names are not
 * known yet. 0, -ENOTDIR, -ENOENT, -EIO.
 */
typedef bool (*tree_emit)(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                          uint64_t next_cursor);
int tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
              void *context);

/*
 * Extended attributes of a file or directory, by what its place in the tree says: the dump's
 * format, and, where there are such, frame, time (of the frame, as in tables), packet, draw
 * and other numbers, in decimal. Links have none. Nothing is rendered.
 */
#define TREE_XATTR_PREFIX "user.gpudumpfs."
enum { TREE_XATTRS_MAX = 8, TREE_XATTR_VALUE = 40 };
struct tree_xattr {
    const char *name; /* constant, without the prefix */
    char value[TREE_XATTR_VALUE];
};
struct tree_xattrs {
    unsigned count;
    struct tree_xattr list[TREE_XATTRS_MAX];
};

/* As tree_lookup(). */
int tree_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out);

/* The value of the one by that name, without the prefix; NULL: there is none. */
const char *tree_xattrs_find(const struct tree_xattrs *xattrs, const char *name);

/* The target of a link. As tree_lookup(); -EINVAL for anything else. */
int tree_link(struct tree *tree, uint64_t inode, struct text *target);

/*
 * An open file: pins what it reads until it is closed, so that nothing is made
 * twice for one handle. Any thread may read it, several at once.
 */
struct tree_file;

/* 0, -ENOENT, -EISDIR, -ELOOP for a link, -ENOMEM, -EIO. As tree_lookup(). */
int tree_open(struct tree *tree, uint64_t inode, struct tree_file **out);
struct tree *tree_of_file(const struct tree_file *file);
/* No request on the file is under way any more. */
void tree_close(struct tree_file **file);

/* The same of a file that will not be read again soon: its memory is for the next ones. */
void tree_close_for_good(struct tree_file **file);

/*
 * The same of a file whose bytes the reader's system keeps. A picture that was read to its end, and
 * in its order, then leaves its memory to the next ones, if it can be had again in a moment.
 */
void tree_close_kept(struct tree_file **file);

/* How many pictures other threads make ahead of their readers now. Takes no lock. */
unsigned tree_drawing_ahead(const struct tree *tree);

/*
 * A window of a file's bytes: a reference to a blob, and where in it the bytes
 * asked for begin. It may be shorter than asked at the end of a piece (ask again
 * for the rest); length 0 at the end of the file.
 */
struct tree_window {
    struct blob *blob; /* the receiver's reference; NULL when length is 0 */
    const uint8_t *data;
    size_t length;
};

/* May take long. 0, -EIO (its reason is in problems), -ENOMEM, -EINTR. */
int tree_read(struct tree_file *file, uint64_t offset, size_t size, const struct cancel *cancel,
              struct tree_window *out);

/*
 * The same questions answered later, so that no thread waits: `done` is called
 * exactly once, at once when the answer is at hand, else from a pool thread. The
 * request is embedded in the caller's own structure, zeroed but for `done`; file,
 * tree, name and context outlive it.
 */
enum { TREE_NEAR = 1 << 17 };
struct tree_dependency;
struct tree_request {
    void (*done)(struct tree_request *request, int status);
    struct tree_attributes attributes; /* tree_submit_stat(), tree_submit_lookup() */
    struct tree_window window;         /* tree_submit_read(); tree_submit_link(): the target */
    struct tree_file *opened;          /* tree_submit_open() */
    struct tree_xattrs *xattrs;        /* tree_submit_xattrs() */
    /* The tree's own from here on. */
    struct tree *tree;
    int (*answer)(struct tree_request *request, struct tree_dependency *dependency);
    unsigned rounds;
    uint64_t inode, cursor;
    const char *name;
    bool inner;                   /* what is found stays in the tree: a step of a path */
    struct tree_attributes named; /* a lookup's, all but the size, … */
    atomic_bool is_named;         /* … from now on */
    tree_emit emit;
    void *context;
    bool far; /* tree_submit_list(): what is emitted stands behind TREE_NEAR others, or more */
    struct tree_file *file;
    struct tree_request *next; /* waits with others for what the whole file shares */
    uint64_t offset;
    size_t size;
    atomic_bool cancelled;
    struct cache_request cache;
};

/* The attributes of what a name in a directory stands for. */
void tree_submit_lookup(struct tree *tree, uint64_t directory, const char *name,
                        struct tree_request *request);

/*
 * Whether a lookup has found its name, and waits for the size alone, of a file that no reader has
 * open by a second name: none was told its size. Takes no lock. If so, what it has found: 0 and all
 * attributes but the size, or -EIO. The request stays under way.
 */
bool tree_lookup_may_leave_size(const struct tree_request *request);
int tree_lookup_named(struct tree_request *request, struct tree_attributes *out);
void tree_submit_stat(struct tree *tree, uint64_t inode, struct tree_request *request);

/*
 * Whether a file's size waits for all of the dump, which is so as long as the tree is there. If so,
 * its attributes with the size of what is known by now (struct rule's size_so_far). Never waits.
 */
bool tree_size_waits(const struct tree *tree, uint64_t inode);
void tree_attributes_so_far(struct tree *tree, uint64_t inode, struct tree_attributes *out);
void tree_submit_link(struct tree *tree, uint64_t inode, struct tree_request *request);
void tree_submit_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out,
                        struct tree_request *request);
/* `emit` is called by one thread at a time, by `done`'s at the last. */
void tree_submit_list(struct tree *tree, uint64_t directory, uint64_t cursor, tree_emit emit,
                      void *context, struct tree_request *request);
void tree_submit_open(struct tree *tree, uint64_t inode, struct tree_request *request);
void tree_submit_read(struct tree_file *file, uint64_t offset, size_t size,
                      struct tree_request *request);

/*
 * Cancels a request: `done` comes soon with -EINTR (from here, or from a pool
 * thread), unless it is under way. At any moment, also before it was submitted if its tree is set;
 * the request must stay valid until this returns, also if `done` was called meanwhile, and so must
 * the open file of a read.
 */
void tree_cancel_request(struct tree_request *request);

/* Digits of frame and packet numbers in this dump; the count of frames must be known. */
unsigned tree_frame_digits(const struct dump *dump);
unsigned tree_packet_digits(const struct dump *dump);

/* While a dump grows: absent names may come, directories and what is live get longer. */
bool tree_grows(const struct tree *tree);

/* What the dump's own thread calls when more is shown, or it has ended; quick. NULL: nothing. */
void tree_on_growth(struct tree *tree, void (*grew)(void *context), void *context);

/* No format has more files that are live while a dump grows. */
enum { TREE_GROWING_MAX = 8 };

/* Their inodes: their number, at most `max`. */
size_t tree_growing(const struct tree *tree, uint64_t *inodes, size_t max);

/*
 * Called when a live file's attributes changed (problems.txt), with no lock held. One listener.
 * Waits for calls that have begun, and so is never to be called by a listener.
 */
void tree_on_change(struct tree *tree, void (*changed)(void *context, uint64_t inode),
                    void *context);

#endif
