/* SPDX-License-Identifier: MIT */
/*
 * A tree served as a mount, through libfuse's low-level interface. One thread
 * reads requests; what may take long is answered later by the tree's own threads.
 * No FUSE header is included outside this folder. The main thread calls these functions, in the
 * order in which they stand here; those that other threads or processes call say so.
 */
#ifndef GPUDUMPFS_FUSE_MOUNT_H
#define GPUDUMPFS_FUSE_MOUNT_H

#include "fuse/mount_options.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <sys/stat.h>

struct mount;

/* "3.14.0" */
const char *mount_library(void);

/* Checks the options. 0, -EINVAL (libfuse has told the log why), -ENOMEM. */
int mount_create(const struct mount_params *params, struct mount **out);

/*
 * N of a mountpoint /dev/fd/N: the mount has been made by the program that started this one, as
 * mount.fuse3 does for drop_privileges, and N is its device; -1 of any other. mount_take_device()
 * sees that it is, and that no other program gets it from us: 0, -ENOTTY, or what fcntl(2) says.
 */
int mount_device_of(const char *path);
int mount_take_device(const char *path);

/*
 * Blocks the signals that end the mount, so that no thread made from now on
 * takes them. To be called after the fork, before mount_attach(): one that comes before
 * the mount is served ends it then.
 */
void mount_hold_signals(void);

/*
 * Makes the mount, unless it is a device that was taken; requests are not answered yet. 0, or -EIO
 * (libfuse has told the log why). Serving it, another file takes the device's number for a moment,
 * by dup3(2).
 */
int mount_attach(struct mount *mount, const char *path);

/*
 * After mount_attach() by a process that does not answer requests itself, but keeps the mount for
 * mount_detach(): its device, which this process has no more. A descriptor or -errno.
 */
int mount_give_device(struct mount *mount);

/* Whether it was unmounted, of one that is attached. Its place may be another mount's by now. */
bool mount_is_gone(const struct mount *mount);

/*
 * For a dump whose opening is not done: makes the mount ready, then waits until the descriptor
 * `opened` can be read, and leaves all requests to the kernel, which lets a reader that is killed
 * go. mount_serve() comes next, and calls `ready` no more. 0; -ECANCELED: the mount is gone, or
 * such a signal came as ends mount_serve(); or -errno of the FUSE device.
 */
int mount_wait(struct mount *mount, int opened, void (*ready)(void *context), void *context);

/*
 * Answers requests until the mount is gone or SIGTERM, SIGINT or SIGHUP comes.
 * `ready` is called once, when the mount can be used. Requests may still be under
 * way on return: tree_destroy() answers them. 0, or -errno of the FUSE device.
 */
int mount_serve(struct mount *mount, struct tree *tree, void (*ready)(void *context),
                void *context);

/*
 * Another tree in place of the one that is served, of the same format, from the next message on.
 * What is open stays what it was. The first one comes before mount_serve(), which is then given
 * none. One thread at a time. Of a mount whose params.replaceable was set. 0 or -ENOMEM.
 */
int mount_replace(struct mount *mount, struct tree *tree);

/*
 * A tree that was replaced, and that no request and no open file uses any more: the caller destroys
 * it. NULL: none as yet. That same thread.
 */
struct tree *mount_take_unused(struct mount *mount);

/*
 * Several dumps below one mount, each a directory by its name, opened when something in
 * it is asked for, and closed when nobody has used it for a while. Beside them are README.txt
 * and dumps.tsv, unless a dump has that name.
 */
struct mount_dumps {
    /* The next name >= from (an opaque number, 0 at first) of a dump: 0, -ENOENT. */
    int (*next)(void *context, uint64_t *from, char name[RULE_NAME_MAX + 1]);
    /* Whether a name is a dump's, and what its file is: 0, -ENOENT. */
    int (*find)(void *context, const char *name, struct stat *file);
    /* Cells of dumps.tsv, each behind a tab: file, bytes, format, time; of a name from `next`. */
    void (*describe)(void *context, const char *name, struct text *row);
    /*
     * Opens that file of that name, with its threads; *dump goes to `close`. -errno with a sentence
     * in `message`; -ESTALE: it is another file by now; -EINTR: cancelled. Several threads.
     */
    int (*open)(void *context, const char *name, const struct stat *file,
                const struct cancel *cancel, struct text *message, void **dump, struct tree **tree);
    void (*close)(void *context, void *dump);
    void *context;
    struct stat folder; /* in which they are */
    /*
     * The name, which `next` does not tell, of a dump whose own names stand beside the others, in
     * place of README.txt and dumps.tsv; where both have a name it is the other's. Then all dumps
     * stay open until the mount ends, this one is closed first, and none is another one when its
     * file has changed. NULL: there is none.
     */
    const char *root;
    unsigned max_open; /* dumps; more only while all are in use */
};

/* mount_create() for it, and mount_serve(), which closes all dumps before it returns. */
int mount_create_folder(const struct mount_params *params, const struct mount_dumps *dumps,
                        struct mount **out);
int mount_serve_folder(struct mount *mount, void (*ready)(void *context), void *context);

/* Takes the mount away if it is still there, after tree_destroy(). */
void mount_detach(struct mount *mount);

void mount_destroy(struct mount **mount);

#endif
