/* SPDX-License-Identifier: MIT */
/*
 * Serves a tree as a mount, through libfuse's low-level interface. One thread reads requests;
 * threads of the tree answer later what may take long. No FUSE header is included outside this
 * folder. The main thread calls these functions in the order in which they are declared here;
 * functions for other threads or processes say so.
 */
#ifndef GPUDUMPFS_FUSE_MOUNT_H
#define GPUDUMPFS_FUSE_MOUNT_H

#include "fuse/mount_options.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <sys/stat.h>

struct mount;

/* Returns the version of libfuse, such as "3.14.0". */
const char *mount_library(void);

/*
 * Checks the options and creates a mount, which is not mounted yet. Returns 0, -EINVAL (libfuse has
 * logged the reason), or -ENOMEM.
 */
int mount_create(const struct mount_params *params, struct mount **out);

/*
 * Returns N if the path is a mountpoint /dev/fd/N, otherwise -1. Then the program that started this
 * one has made the mount, as mount.fuse3 does for drop_privileges, and N is its device.
 */
int mount_device_of(const char *path);

/*
 * Checks that the descriptor N of such a path is a FUSE device, and keeps it from programs that
 * this one starts. Returns 0, -ENOTTY if it is another kind of file, or an error of fstat(2) or
 * fcntl(2).
 */
int mount_take_device(const char *path);

/*
 * Blocks the signals that end the mount in all threads made from now on. To be called after the
 * fork and before mount_attach(); a signal that comes before the mount is served ends the mount
 * then.
 */
void mount_hold_signals(void);

/*
 * Mounts, unless the mountpoint is a device that was taken; requests are not answered yet. Returns
 * 0, or -EIO (libfuse has logged the reason). While the mount is served, another file takes the
 * device's descriptor number for a moment, by dup3(2).
 */
int mount_attach(struct mount *mount, const char *path);

/*
 * For a process that does not answer requests, but keeps the mount for mount_detach(), after
 * mount_attach(): closes its descriptors of the device and returns the only one that is left, which
 * is for the process that answers. Returns -errno on failure.
 */
int mount_give_device(struct mount *mount);

/* Returns whether an attached mount was unmounted. Another mount may be at its place by now. */
bool mount_is_gone(const struct mount *mount);

/*
 * For a dump that is still being opened: makes the mount ready, then waits until the descriptor
 * `opened` can be read. Meanwhile all requests stay in the kernel, which lets a reader that is
 * killed go. mount_serve() comes next, and does not call `ready` again. Returns 0; -ECANCELED if
 * the mount is gone or one of the signals came that end mount_serve(); or -errno of the FUSE
 * device.
 */
int mount_wait(struct mount *mount, int opened, void (*ready)(void *context), void *context);

/*
 * Answers requests until the mount is gone, or SIGTERM, SIGINT or SIGHUP comes. Calls `ready` once,
 * when the mount can be used. Requests may still be under way on return: tree_destroy() answers
 * them. Returns 0, or -errno of the FUSE device.
 */
int mount_serve(struct mount *mount, struct tree *tree, void (*ready)(void *context),
                void *context);

/*
 * Replaces the tree that is served by another one of the same format, from the next message on.
 * Open files stay with their tree. The first tree is set with this before mount_serve(), whose
 * `tree` is then NULL. One thread at a time; only for a mount with params.replaceable. Returns 0 or
 * -ENOMEM.
 */
int mount_replace(struct mount *mount, struct tree *tree);

/*
 * Returns a tree that was replaced and has no request and no open file any more, for the caller to
 * destroy; NULL if there is none so far. For the thread that calls mount_replace().
 */
struct tree *mount_take_unused(struct mount *mount);

/*
 * Several dumps in one mount, each a directory with the dump's name, which is opened when a request
 * needs it, and closed when it was not used for a while. Beside them are README.txt and dumps.tsv,
 * unless a dump has that name.
 */
struct mount_dumps {
    /*
     * Finds the next name of a dump from `*from` (opaque; 0 at first) on. Returns 0; -ENOENT at the
     * end; or -ENOMEM.
     */
    int (*next)(void *context, uint64_t *from, char name[RULE_NAME_MAX + 1]);
    /* Returns 0 if a dump has that name, with the status of its file; -ENOENT; or -ENOMEM. */
    int (*find)(void *context, const char *name, struct stat *file);
    /*
     * Appends the cells of dumps.tsv for a name from `next`, each after a tab: file, bytes, format,
     * time.
     */
    void (*describe)(void *context, const char *name, struct text *row);
    /*
     * Opens the dump of that name and file, with its threads; *dump is for `close`. Returns 0, or
     * -errno and a sentence in `message`; -ESTALE if the name has another file by now; -EINTR if
     * cancelled. Called by several threads.
     */
    int (*open)(void *context, const char *name, const struct stat *file,
                const struct cancel *cancel, struct text *message, void **dump, struct tree **tree);
    void (*close)(void *context, void *dump);
    void *context;
    struct stat folder; /* status of the folder that has the dumps */
    /*
     * The name of a dump that `next` does not list, whose own names are shown beside the dumps, in
     * place of README.txt and dumps.tsv; if a dump has one of these names, the name is that of the
     * dump. In this case all dumps stay open until the mount ends, this one is closed first, and a
     * dump is not another one when its file has changed. NULL: there is none.
     */
    const char *root;
    /* Number of dumps that may be open; exceeded only while all of them are in use. */
    unsigned max_open;
};

/* Does what mount_create() does, for a folder of dumps. */
int mount_create_folder(const struct mount_params *params, const struct mount_dumps *dumps,
                        struct mount **out);

/* Does what mount_serve() does, for a folder of dumps. Closes all dumps before it returns. */
int mount_serve_folder(struct mount *mount, void (*ready)(void *context), void *context);

/* Unmounts if the mount is still there; to be called after tree_destroy(). */
void mount_detach(struct mount *mount);

/*
 * Waits for the threads of the mount, and frees it. *mount becomes NULL, and may be NULL already.
 */
void mount_destroy(struct mount **mount);

#endif
