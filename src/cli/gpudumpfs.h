/* SPDX-License-Identifier: MIT */
/*
 * What the files of gpudumpfs(1) give each other: its command line, the place of a mount, the
 * mounts that there are, the way into the background, and the dumps of a folder. Main thread,
 * unless a function says otherwise.
 */
#ifndef GPUDUMPFS_CLI_GPUDUMPFS_H
#define GPUDUMPFS_CLI_GPUDUMPFS_H

#include "base/cancellable_mutex.h"
#include "cli/program.h"
#include "fuse/mount.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* command.c: the command line, also as mount(8) and fstab give it. */

struct command {
    const char *dump;
    bool folder;              /* `dump` is a folder of dumps */
    bool compare;             /* two dumps are compared … */
    const char *other;        /* … and this is the second */
    const char *directory;    /* NULL: not given */
    struct text fuse_options; /* libfuse's, as a string; empty: none */
    unsigned max_read;        /* 0: not given */
    bool foreground, debug, single;
    bool nonempty;      /* files in the mountpoint are not worth a word */
    bool list, unmount; /* instead of mounting; of `unmount`: */
    char **names;
    int name_count;
    bool helper;                /* called by mount(8), as mount.gpudumpfs */
    bool other_user;            /* drop_privileges or setuid= were given to it … */
    struct text helper_options; /* … with all that stood behind -o */
};

/* Ends the program for -h and -V. Strings belong to argv. */
enum program_status command_parse(struct command *command, struct program *program, int argc,
                                  char **argv);
void command_clear(struct command *command);

/* After libfuse has refused its options: tells which of ours they may have been meant for. */
void command_explain_options(const struct command *command, const struct program *program);

/*
 * Becomes mount.fuse3(8), which gives away privileges or becomes another user before it runs a file
 * system: it does so for `mount -t fuse.gpudumpfs`, and as mount.gpudumpfs the program hands itself
 * over to it, before anything else was made. With that dump, mountpoint and list of options, which
 * runs this program again. Returns only if that fails: -errno; -ENOENT: it is not installed.
 */
int command_become_helper(const char *dump, const char *directory, const char *options);

/*
 * mountpoint.c: where a dump is mounted: the default name, the checks that libfuse leaves to us
 * (fuse.md, "Settings that matter"), and a directory that is made for the mount and removed after
 * it.
 */

struct mountpoint {
    char *path; /* absolute */
    bool missing;
    bool made;
    bool occupied; /* there are files in it, which the mount will hide */
};

/*
 * The dump's name without its folder and its extensions: `a/b.psxgpu.zst` gives
 * `b`. For free(); NULL without memory.
 */
char *mountpoint_name(const char *dump);

/*
 * Resolves and checks. 0, or -errno with a sentence for the user in `message`:
 * not a directory, a stale mount, a folder that is not there, another dump's mount.
 */
int mountpoint_check(struct mountpoint *point, const char *name, struct text *message);

/*
 * Whether the FUSE device cannot be used, with a sentence in `message` that tells what to do;
 * `device` is its path. Of use once mounting has failed.
 */
bool mountpoint_explain_device(const char *device, struct text *message);

/*
 * The absolute path of a name that does not exist, in a folder that does: for free(). 0 or -errno;
 * the name has one character at least.
 */
int mountpoint_resolve_missing(const char *name, char **path);

/* Makes the directory if it is missing. 0 or -errno. */
int mountpoint_make(struct mountpoint *point);

/*
 * Makes the directory if it has gone since: a daemon that has just been unmounted
 * there takes away what it had made. True: it was made.
 */
bool mountpoint_remake(struct mountpoint *point);

/* Removes the directory if it was made; frees the path. */
void mountpoint_clear(struct mountpoint *point);

/* mounts.c: the mounts of dumps that there are, as the kernel lists them, and taking them away. */

struct mounts_entry {
    char *place, *dump; /* as they are; of a stream or by mount.fuse3 `dump` is no path */
    /* The device's minor number, by which the kernel tells FUSE mounts apart. */
    unsigned connection;
};

struct mounts {
    struct mounts_entry *entries; /* in the order in which they were mounted */
    size_t count;
};

/*
 * Ours of a file in the form of /proc/self/mountinfo (proc(5)); lines of another form are left
 * out. 0, -ENOMEM; to be cleared in any case.
 */
int mounts_read(FILE *file, struct mounts *out);
void mounts_clear(struct mounts *mounts);

/*
 * Which mount is the uppermost at a place, a real path: 0 and its connection, or -EINVAL: none of
 * ours. Sends no request to the mount. Any thread.
 */
int mounts_find(const char *place, unsigned *connection);

/* Prints a table: mountpoint, dump, format and process, `-` where that is not known. */
enum program_status mounts_print(void);

/*
 * Takes away the mounts that each name stands for: a mountpoint, or a dump with all its mounts.
 * What cannot be done is told, and PROGRAM_MOUNTPOINT.
 */
enum program_status mounts_unmount(char **names, int count);

/*
 * Unmounts, by fusermount3 where only that may. The program that serves the mount goes on
 * meanwhile, so it is another thread. 0; -EBUSY: in use; -EPERM: fusermount3 has refused it, and
 * has told why unless `quiet`; or another negative errno. Any thread.
 */
int mounts_take_away(const char *place, bool quiet);

/*
 * daemon.c: going into the background. The parent waits for the child's word, and ends with the
 * status that the child gives, so that the program's caller knows when the mount can be used. No
 * other thread before.
 */

struct daemon {
    int word; /* the pipe: the child writes, the parent reads; -1: neither */
    pid_t child;
    bool forked;
    int nowhere; /* daemon_connect()'s */
};

/* What is needed later, and cannot be had by a confined process: /dev/null, syslog, the manager. */
void daemon_connect(struct daemon *daemon);

/*
 * In the child: it ends when its parent is killed before it is ready. Told again after its user has
 * changed, for then the kernel forgets.
 */
void daemon_follow_parent(const struct daemon *daemon);

/* Forks. In the child `child` is 0. 0 or -errno. */
int daemon_fork(struct daemon *daemon);

/* The parent: waits until the child is ready (0) or has ended: its exit status. */
int daemon_wait(struct daemon *daemon);

/* The child: lets the parent end, and leaves its terminal and folder. Errors go to syslog. */
void daemon_ready(struct daemon *daemon);

/*
 * Telling a service manager how it goes (sd_notify(3)): a datagram to the socket that the
 * environment names in NOTIFY_SOCKET. Without one, or where it cannot be sent, nothing is done.
 */

/* The dump is being opened; may be told several times. */
void daemon_notify_opening(const char *dump);

/* The mount can be used, by this process. */
void daemon_notify_ready(const char *dump, const char *place);

/* The mount has gone, or will go at once. */
void daemon_notify_stopping(void);

/*
 * opening.c: a dump that program_open() has left unfinished, once it is mounted. Returns when it is
 * open: 0; -ECANCELED where the mount was to end before; or -errno, which is told unless it is
 * mount_wait()'s or a thread's. `ready` as in mount_wait().
 */
int opening_wait(struct program *program, const char *path, struct mount *mount,
                 void (*ready)(void *context), void *context);

/*
 * folder.c: the dumps of a folder, for one mount of them all: which files are dumps, and how one is
 * opened. One thread asks for names, others open and close dumps.
 */

struct folder_dumps;

/* Looks at no file in it. Options are borrowed. 0, or -errno of the folder, -ENOTDIR. */
int folder_dumps_create(const char *path, const struct program_options *options, bool single,
                        struct folder_dumps **out);

/* Which files are dumps. 0 or -errno. */
int folder_dumps_read(struct folder_dumps *dumps);

/* Its real path. */
const char *folder_dumps_path(const struct folder_dumps *dumps);

void folder_dumps_destroy(struct folder_dumps **dumps);

/* For mount_create_folder(). */
void folder_dumps_describe(struct folder_dumps *dumps, struct mount_dumps *out);

/*
 * pair.c: two dumps and their comparison, for one mount of all three. A dump whose container takes
 * long to expand is opened by a thread behind the mount. From pair_start() on the mount's threads
 * ask for the trees, and end them.
 */

/* One of the two. */
struct pair_side {
    struct pair *pair;
    struct program *program;
    const char *path; /* as it was given */
    struct stat file;
    pthread_t thread;
    bool has_thread;
    struct cancellable_mutex turn; /* the thread's until `status` is known */
    int status;                    /* 0: it has its tree */
};

struct pair {
    struct pair_side sides[2];
    struct program second; /* its options are the first one's */
    struct stat folder;    /* of the directory that shows both: what their files allow */
    struct problems *problems;
    unsigned threads;
    struct cancel cancel; /* of the threads that open */
    pthread_t server;     /* of the mount */
    struct tree *comparison;
};

/*
 * Opens nothing. `first`, which is borrowed, has its options, of whose cache each tree gets a part.
 * 0 or -ENOMEM.
 */
int pair_create(struct program *first, const char *const paths[2], struct pair **out);

/*
 * Opens both, as program_open() with that limit in time. Of two formats: PROGRAM_USAGE, which is
 * told.
 */
enum program_status pair_open(struct pair *pair, unsigned max_wait_ms);

/*
 * After the fork: makes the trees, with their threads, of what is open, and starts the threads that
 * open the rest. When one of those cannot, which is told, it ends the mount: the calling thread,
 * which is to serve that, gets SIGTERM.
 */
enum program_status pair_start(struct pair *pair, unsigned threads);

/* Ends what is still there, the comparison's tree first. Whether both dumps could be opened. */
bool pair_end(struct pair *pair);

/* Before program_close() of the first. */
void pair_destroy(struct pair **pair);

/* For mount_create_folder(). */
void pair_describe(struct pair *pair, struct mount_dumps *out);

#endif
