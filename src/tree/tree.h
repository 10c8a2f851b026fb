/* SPDX-License-Identifier: MIT */
/*
 * The virtual tree of one dump: maps names to inode numbers, and inode numbers to attributes,
 * listings and bytes. It knows neither FUSE nor any format; the FUSE adapter and gpudump are thin
 * layers above it. All functions may be called from any thread; those that may take long say so. A
 * thread that must not wait calls only tree_attributes(), tree_submit_*(), and the functions that
 * say that they never wait or take no lock.
 */
#ifndef GPUDUMPFS_TREE_TREE_H
#define GPUDUMPFS_TREE_TREE_H

#include "tree/rule.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TREE_ROOT = 1 }; /* the root's inode number; others are rule << 56 | key */

/*
 * By how many bytes blobs held by open files may exceed the cache's budget before reads fail with
 * -ENOMEM.
 */
#define TREE_OVERDRAFT (UINT64_C(64) << 20)

struct tree;

struct tree_params {
    struct dump *dump;        /* owned by the tree once it was created; closed with the tree */
    const struct rule *rules; /* the format's own rules; the tree adds the common ones */
    size_t rule_count;
    unsigned threads; /* 0: no pool; everything is made by the calling thread */
};

/*
 * Creates the tree of an opened dump. Starts threads, so it must be called after the fork into the
 * background. Returns 0, -ENOMEM, -EAGAIN if a thread cannot be started, or -EINVAL if the rules
 * are inconsistent, for example if two have the same id or a parent is missing (see rules_build()).
 */
int tree_create(const struct tree_params *params, struct tree **out);

/*
 * Destroys a tree: cancels what is under way, waits until every request is answered, and closes the
 * dump and the files that are still open. *tree becomes NULL, and may be NULL already.
 */
void tree_destroy(struct tree **tree);

/* Returns the tree's dump, which remains the tree's. */
struct dump *tree_dump(struct tree *tree);

/* Returns the tree's cache, which remains the tree's. */
struct cache *tree_cache(struct tree *tree);

struct tree_attributes {
    uint64_t inode;
    enum rule_kind kind;
    uint64_t size;
    struct timespec time;
    bool live;
    /* Always 1, which find(1) takes as "unknown": a directory's subdirectories are not counted. */
    uint32_t links;
};

/*
 * Finds the inode number of a name in a directory; `.` and `..` are names, too. Returns 0, -ENOENT,
 * -ENOTDIR, or another -errno if the name cannot be made known. May take long.
 */
int tree_lookup(struct tree *tree, uint64_t directory, const char *name, uint64_t *inode);

/*
 * Finds the inode number of a path from the root; empty components are skipped. Follows links in
 * the middle of the path, and a link at its end only if `follow`. Returns 0, -ENOENT, -ENOTDIR,
 * -ELOOP, -ENAMETOOLONG, or another -errno. May take long.
 */
int tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode);

/*
 * Stores the attributes of an inode, and never waits. Returns 0 if the size is known or takes no
 * formatting, -ENOENT, or -EIO. Returns -EAGAIN if the size is not known yet; *out then has all
 * attributes except the size, or is zeroed if not even the existence of the file is known.
 */
int tree_attributes(struct tree *tree, uint64_t inode, struct tree_attributes *out);

/*
 * Stores the attributes of an inode, after making what the size depends on. May take long. Returns
 * 0, -EINTR if `cancel` is raised, or another -errno.
 */
int tree_stat(struct tree *tree, uint64_t inode, const struct cancel *cancel,
              struct tree_attributes *out);

/*
 * Lists a directory from `*cursor` on (0: the beginning; `.` and `..` come first) by calling `emit`
 * until it returns false. *cursor then stays at the entry that was refused, so that a later call
 * can continue there. Formats no contents, but may take long where names are not known yet. Returns
 * 0, -ENOTDIR, -ENOENT or -EIO.
 */
typedef bool (*tree_emit)(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                          uint64_t next_cursor);
int tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
              void *context);

/*
 * The extended attributes of a file or directory, as far as its place in the tree determines them:
 * the dump's format and, where they apply, the frame, the time (of the frame, as in tables), the
 * packet, the draw and other numbers, in decimal. Links have none.
 */
#define TREE_XATTR_PREFIX "user.gpudumpfs."
enum { TREE_XATTRS_MAX = 8, TREE_XATTR_VALUE = 40 };
struct tree_xattr {
    const char *name; /* constant; without the prefix */
    char value[TREE_XATTR_VALUE];
};
struct tree_xattrs {
    unsigned count;
    struct tree_xattr list[TREE_XATTRS_MAX];
};

/*
 * Stores the extended attributes of an inode; nothing is rendered for them. Errors and waiting are
 * those of tree_lookup().
 */
int tree_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out);

/* Returns the value of an attribute by its name without the prefix, or NULL if there is none. */
const char *tree_xattrs_find(const struct tree_xattrs *xattrs, const char *name);

/*
 * Appends the target of a link to `target`. Errors and waiting are those of tree_lookup(); returns
 * -EINVAL if the inode is not a link.
 */
int tree_link(struct tree *tree, uint64_t inode, struct text *target);

/*
 * An open file. It pins the item that it reads until it is closed, so that nothing is made twice
 * for one handle. Several threads may read it at the same time.
 */
struct tree_file;

/*
 * Opens a file. Returns 0, -ENOENT, -EISDIR, -ELOOP for a link, -EFBIG for a text that is known to
 * be beyond its limit, -ENOMEM or -EIO; *out is NULL on failure. May take long, as tree_lookup().
 */
int tree_open(struct tree *tree, uint64_t inode, struct tree_file **out);
struct tree *tree_of_file(const struct tree_file *file);
/* Closes a file; *file may be NULL. No request on the file may be under way. */
void tree_close(struct tree_file **file);

/*
 * As tree_close(), for a file that will not be read again soon: also drops its contents from the
 * cache, which leaves their memory to other files.
 */
void tree_close_for_good(struct tree_file **file);

/*
 * As tree_close(), for a file whose bytes the reader's kernel keeps. A picture that was read to its
 * end, in sequence with the pictures before it, is dropped from the cache if the format can make it
 * again cheaply (dump_ops.pictures.cheap).
 */
void tree_close_kept(struct tree_file **file);

/* Returns how many pictures other threads are making ahead of their readers. Takes no lock. */
unsigned tree_drawing_ahead(const struct tree *tree);

/*
 * A window of a file's bytes: a reference to a blob, and the place in the blob where the requested
 * bytes begin. It may be shorter than requested at the end of a piece: then the caller reads again
 * for the rest. Its length is 0 at the end of the file.
 */
struct tree_window {
    struct blob *blob; /* the caller's reference; NULL if length is 0 */
    const uint8_t *data;
    size_t length;
};

/*
 * Reads at most `size` bytes at `offset`. May take long. Returns 0, -EIO (problems.txt has the
 * reason), -EFBIG for a text beyond its limit, -ENOMEM or -EINTR.
 */
int tree_read(struct tree_file *file, uint64_t offset, size_t size, const struct cancel *cancel,
              struct tree_window *out);

/*
 * The same operations as asynchronous requests, so that no thread waits. The tree calls `done`
 * exactly once: at once if the answer is known, otherwise from a pool thread. The request is
 * embedded in the caller's own structure and zeroed except for `done`. File, tree, name and context
 * must outlive the request.
 */
enum { TREE_NEAR = 1 << 17 };
struct tree_dependency;
struct tree_request {
    void (*done)(struct tree_request *request, int status);
    struct tree_attributes attributes; /* result of tree_submit_stat() and tree_submit_lookup() */
    /* Result of tree_submit_read(), and of tree_submit_link(): the target. */
    struct tree_window window;
    struct tree_file *opened;   /* result of tree_submit_open() */
    struct tree_xattrs *xattrs; /* result of tree_submit_xattrs() */
    /* The fields from here on are private to the tree. */
    struct tree *tree;
    int (*answer)(struct tree_request *request, struct tree_dependency *dependency);
    unsigned rounds;
    uint64_t inode, cursor;
    const char *name;
    bool inner; /* a step within a path: the inode found is not given to a reader */
    /* Of a lookup: all attributes but the size; valid once `is_named` is set. */
    struct tree_attributes named;
    atomic_bool is_named;
    tree_emit emit;
    void *context;
    /*
     * For the `emit` of tree_submit_list(): the entry that is being emitted is a member of a
     * family, and its number is TREE_NEAR or more above that of the first member.
     */
    bool far;
    struct tree_file *file;
    struct tree_request *next; /* list of the requests that wait for the same item */
    uint64_t offset;
    size_t size;
    atomic_bool cancelled;
    struct cache_request cache;
};

/*
 * Requests the attributes of the file that has this name in a directory; `attributes` of the
 * request gets them.
 */
void tree_submit_lookup(struct tree *tree, uint64_t directory, const char *name,
                        struct tree_request *request);

/*
 * Returns whether a lookup has found its name, waits for the size alone, and may be answered
 * without the size. It may not if the file has a second name and its size may have been reported
 * before, since a reader may have the file open by that name. Takes no lock.
 */
bool tree_lookup_may_leave_size(const struct tree_request *request);

/*
 * Stores what such a lookup has found so far: returns 0 and all attributes but the size, or -EIO if
 * the dump's file was changed. The request stays under way.
 */
int tree_lookup_named(struct tree_request *request, struct tree_attributes *out);

/* Requests the attributes of an inode; `attributes` of the request gets them. */
void tree_submit_stat(struct tree *tree, uint64_t inode, struct tree_request *request);

/*
 * Returns whether the size of a file is known only after all of the dump was looked at; the answer
 * is the same as long as the tree exists. Never waits.
 */
bool tree_size_waits(const struct tree *tree, uint64_t inode);

/*
 * Stores the attributes of such a file with the size of what is known by now (size_so_far of struct
 * rule). Never waits.
 */
void tree_attributes_so_far(struct tree *tree, uint64_t inode, struct tree_attributes *out);

/* Requests the target of a link, in request->window, whose blob the receiver releases. */
void tree_submit_link(struct tree *tree, uint64_t inode, struct tree_request *request);

/* Requests extended attributes, in *out, which must outlive the request. */
void tree_submit_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out,
                        struct tree_request *request);

/*
 * Requests a listing. No two threads call `emit` at the same time; the thread that calls `done` is
 * the last that calls it.
 */
void tree_submit_list(struct tree *tree, uint64_t directory, uint64_t cursor, tree_emit emit,
                      void *context, struct tree_request *request);

/* Requests an open file, in request->opened, which the receiver closes. */
void tree_submit_open(struct tree *tree, uint64_t inode, struct tree_request *request);

/* Requests bytes of an open file, in request->window, whose blob the receiver releases. */
void tree_submit_read(struct tree_file *file, uint64_t offset, size_t size,
                      struct tree_request *request);

/*
 * Cancels a request: `done` is soon called with -EINTR, from here or from a pool thread, unless it
 * is being called or has been called already. May be called at any time, even before the request is
 * submitted if its `tree` is set. The request, and the open file of a read, must stay valid until
 * this returns, even if `done` is called meanwhile.
 */
void tree_cancel_request(struct tree_request *request);

/*
 * Returns the number of digits that frame numbers have in names of this dump. The number of frames
 * must be known, unless the dump is followed or its frames become known one by one.
 */
unsigned tree_frame_digits(const struct dump *dump);

/* Returns the number of digits that packet numbers have in names of this dump. */
unsigned tree_packet_digits(const struct dump *dump);

/*
 * Returns whether the dump may still grow: absent names may appear, and directories and live files
 * may get longer.
 */
bool tree_grows(const struct tree *tree);

/*
 * Sets the function that the dump's own thread calls when the dump shows more, or has ended; NULL
 * removes it. The tree's lock is held during the call: it must be quick, and call nothing of the
 * tree that takes this lock.
 */
void tree_on_growth(struct tree *tree, void (*grew)(void *context), void *context);

/* The largest number of files of any format that are live while a dump grows. */
enum { TREE_GROWING_MAX = 8 };

/*
 * Stores the inode numbers of the files that grow with a followed dump, at most `max` of them, and
 * returns how many it stored.
 */
size_t tree_growing(const struct tree *tree, uint64_t *inodes, size_t max);

/*
 * Sets the only listener for changes of a live file's attributes (problems.txt); NULL removes it.
 * The listener is called with no lock held. Waits for calls that have begun, so a listener must
 * never call this.
 */
void tree_on_change(struct tree *tree, void (*changed)(void *context, uint64_t inode),
                    void *context);

#endif
