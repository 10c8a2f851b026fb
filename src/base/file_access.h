/* SPDX-License-Identifier: MIT */
/*
 * Opens the files that a mount is made of: by the process itself, or by its keeper if the process
 * is confined and may not (base/helper.h). Any thread.
 */
#ifndef GPUDUMPFS_BASE_FILE_ACCESS_H
#define GPUDUMPFS_BASE_FILE_ACCESS_H

enum file_access_use {
    FILE_ACCESS_READ,         /* a dump; does not wait for the writer of a pipe */
    FILE_ACCESS_READ_NO_LINK, /* the same, but fails if the name is a symbolic link */
    FILE_ACCESS_APPEND, /* created if missing; opens both ends of a pipe, and so does not wait */
    FILE_ACCESS_BELOW,  /* a file below the folder, over no symbolic link and no mount point */
    FILE_ACCESS_FOLDER_BELOW, /* a folder there, for listing; "." is the folder itself */
    FILE_ACCESS_USES
};

/*
 * Opens a file. `name` is a path if `folder` is AT_FDCWD. Otherwise it is a plain name in `folder`
 * or, for the uses that say so, a path below `folder`. Returns a descriptor or -errno.
 */
int file_access_open(int folder, const char *name, enum file_access_use use);

enum file_access_events {
    FILE_ACCESS_WRITTEN_ONCE, /* the first change of the file's contents */
    FILE_ACCESS_WRITTEN,      /* every change, and the closing of the file by a writer */
    FILE_ACCESS_NAMES, /* of a folder: files in it that are written, created, moved or removed */
    FILE_ACCESS_EVENTS
};

/*
 * Adds an open file to an inotify queue. The file is given by its descriptor, so that another file
 * that has got its name cannot be watched by mistake. Returns the watch's number, or -errno.
 */
int file_access_watch(int queue, int file, enum file_access_events events);

/*
 * Returns the path of an open file, to be freed with free(); NULL if it has none, or without
 * memory.
 */
char *file_access_path(int file);

/*
 * Like file_access_open() and file_access_watch(), but always by the process itself: for the
 * keeper.
 */
int file_access_open_here(int folder, const char *name, enum file_access_use use);
int file_access_watch_here(int queue, int file, enum file_access_events events);

#endif
