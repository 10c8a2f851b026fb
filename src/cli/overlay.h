/* SPDX-License-Identifier: MIT */
/*
 * `-o overlay=DIR` (docs/overlay.md): edited files in DIR with the names of files in the mount
 * replace those parts of the dump. The mount shows the resulting dump, anew after each save. The
 * dump and the folder are only read.
 */
#ifndef GPUDUMPFS_CLI_OVERLAY_H
#define GPUDUMPFS_CLI_OVERLAY_H

#include "cli/program.h"
#include "fuse/mount.h"

/* overlay_files.c: the folder's files, as they were at the last scan. One thread. */

enum {
    OVERLAY_FILES = 1024, /* names in a scan, including folders */
    OVERLAY_DEPTH = 4,    /* components of a path */
};
#define OVERLAY_FILE_MAX ((uint64_t)64 << 20)  /* bytes of one file */
#define OVERLAY_SIZE_MAX ((uint64_t)256 << 20) /* bytes of all files */

struct overlay_file {
    char *path; /* below the folder */
    struct stat status;
    bool is_kept;        /* unchanged since the scan before */
    bool settled;        /* any later write will change the file's time */
    bool is_unreachable; /* it could not be opened at the last scan, for a reason that may pass */
    char *problem;       /* why it is not used; NULL: it is used, or was not read yet */
    bool known;          /* `edit` and `problem` are those of the file's present contents */
    struct format_edit edit; /* what it changes in the dump */
};

struct overlay_folder {
    char *path;
    int folder;                 /* opened before the confinement */
    int queue;                  /* inotify queue; -1: changes are not reported */
    bool is_unwatched;          /* changes in some folder are not reported */
    struct overlay_file *files; /* sorted by path */
    size_t count;
    struct stat *folders; /* the folder itself, and those below it */
    size_t folder_count;
    bool is_too_much;   /* the limit of names was exceeded */
    bool is_incomplete; /* some files could not be opened or read, for reasons that may pass */
};

/* Opens the folder. Returns 0 or -errno, such as -ENOTDIR. */
int overlay_folder_open(const char *path, struct overlay_folder *out);
void overlay_folder_close(struct overlay_folder *folder);

/*
 * Scans the folder. Files that are unchanged keep what is known of them. Sets *changed to whether a
 * file has changed, appeared or gone. Returns 0, or -errno of a failure that may pass, such as
 * -ENOMEM or -EMFILE; then the list stays as it was.
 */
int overlay_folder_read(struct overlay_folder *folder, bool *changed);

/*
 * Reads a file; the caller frees *bytes. Returns 0, -EFBIG if it is too large, or another -errno.
 */
int overlay_file_read(struct overlay_folder *folder, struct overlay_file *file, uint8_t **bytes,
                      size_t *size);

/*
 * Waits until names or contents change, `woken` can be read, or the timeout has passed; -1: none.
 * Returns whether something has changed.
 */
bool overlay_folder_wait(const struct overlay_folder *folder, int timeout_ms, int woken);

/* overlay.c: the trees of the edited dump. Main thread. */

struct overlay;

/* Opens the folder; call it before the confinement. Returns 0 or -errno. */
int overlay_create(const char *path, struct overlay **out);
void overlay_destroy(struct overlay **overlay);

/* Returns the real path of the folder. */
const char *overlay_path(const struct overlay *overlay);

/*
 * Makes the program's tree, whose dump must be open, and the tree of the dump with its present
 * edits, *tree, which is to be served. Returns 0, or -errno, which is logged.
 */
int overlay_begin(struct overlay *overlay, struct program *program, unsigned threads,
                  struct tree **tree);

/*
 * Passes that tree to the mount, and starts a thread that passes another one after each save, until
 * overlay_end(). Returns 0 or -errno.
 */
int overlay_start(struct overlay *overlay, struct mount *mount, struct tree *tree);

/* After the mount was served: ends the thread, and destroys all trees except the program's. */
void overlay_end(struct overlay *overlay);

#endif
