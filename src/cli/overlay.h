/* SPDX-License-Identifier: MIT */
/*
 * `-o overlay=DIR` (docs/overlay.md): edited files that have the names of a mount's replace what
 * those show of the dump, and the mount shows the dump that comes of it, anew after each save. The
 * dump and the folder are only read.
 */
#ifndef GPUDUMPFS_CLI_OVERLAY_H
#define GPUDUMPFS_CLI_OVERLAY_H

#include "cli/program.h"
#include "fuse/mount.h"

/* overlay_files.c: the folder's files, as they were when they were looked at last. One thread. */

enum {
    OVERLAY_FILES = 1024, /* names that are looked at, folders among them */
    OVERLAY_DEPTH = 4,    /* components of a path */
};
#define OVERLAY_FILE_MAX ((uint64_t)64 << 20)  /* bytes of one … */
#define OVERLAY_SIZE_MAX ((uint64_t)256 << 20) /* … and of all */

struct overlay_file {
    char *path; /* below the folder */
    struct stat status;
    bool is_kept;            /* from the look before */
    bool settled;            /* what is written from now on gives it another time */
    bool is_unreachable;     /* it could not be opened just now */
    char *problem;           /* why it is not used; NULL: it is, or is to be read */
    bool known;              /* `edit` and `problem` are those of the file as it is */
    struct format_edit edit; /* of the dump */
};

struct overlay_folder {
    char *path;
    int folder;                 /* opened before the confinement */
    int queue;                  /* of inotify; -1: nothing tells of changes */
    bool is_unwatched;          /* nor of those in some folder */
    struct overlay_file *files; /* by path */
    size_t count;
    struct stat *folders; /* this one, and those below it */
    size_t folder_count;
    bool is_too_much;   /* names were left out */
    bool is_incomplete; /* some could not be looked at, or read, just now */
};

/* 0 or -errno of the folder, -ENOTDIR. */
int overlay_folder_open(const char *path, struct overlay_folder *out);
void overlay_folder_close(struct overlay_folder *folder);

/*
 * Which files there are by now: those that are what they were keep what is known of them. *changed:
 * whether any is not, or has gone. 0, or -errno of what may pass, such as -ENOMEM or -EMFILE.
 */
int overlay_folder_read(struct overlay_folder *folder, bool *changed);

/* The bytes of a file, for free(). 0 or -errno; -EFBIG. */
int overlay_file_read(struct overlay_folder *folder, struct overlay_file *file, uint8_t **bytes,
                      size_t *size);

/* Waits until names or contents have changed, or so long: whether they have. */
bool overlay_folder_wait(const struct overlay_folder *folder, int timeout_ms, int woken);

/* overlay.c: what comes of them. Main thread. */

struct overlay;

/* Opens the folder, with all rights. 0 or -errno. */
int overlay_create(const char *path, struct overlay **out);
void overlay_destroy(struct overlay **overlay);

/* Its real path. */
const char *overlay_path(const struct overlay *overlay);

/*
 * Once the program's dump is open: makes its tree, and that of the dump with the edits that there
 * are, which is to be served. 0, or -errno, with a sentence in the log.
 */
int overlay_begin(struct overlay *overlay, struct program *program, unsigned threads,
                  struct tree **tree);

/*
 * Gives the mount that tree, and starts a thread that gives it another one after each save, until
 * overlay_end(). 0 or -errno.
 */
int overlay_start(struct overlay *overlay, struct mount *mount, struct tree *tree);

/* After the mount was served: no tree is left but the program's. */
void overlay_end(struct overlay *overlay);

#endif
