/* SPDX-License-Identifier: MIT */
/*
 * How files are opened that a mount is made of: by the process itself, or by its keeper where it
 * may not (base/helper.h). Any thread.
 */
#ifndef GPUDUMPFS_BASE_FILE_ACCESS_H
#define GPUDUMPFS_BASE_FILE_ACCESS_H

enum file_access_use {
    FILE_ACCESS_READ,         /* a dump's; waits for no pipe's writer */
    FILE_ACCESS_READ_NO_LINK, /* the same, unless the name is a link's */
    FILE_ACCESS_APPEND, /* made if need be; a pipe is opened for both ends, and waits for no reader
                         */
    FILE_ACCESS_BELOW,  /* a file anywhere below the folder, over no link and no mount */
    FILE_ACCESS_FOLDER_BELOW, /* a folder there, to be listed; "." is the folder itself */
    FILE_ACCESS_USES
};

/*
 * A descriptor or -errno. `folder` is AT_FDCWD, or the folder that `name` is a plain name in, or
 * below.
 */
int file_access_open(int folder, const char *name, enum file_access_use use);

enum file_access_events {
    FILE_ACCESS_WRITTEN_ONCE, /* the first change of its contents */
    FILE_ACCESS_WRITTEN,      /* each, and that a writer has closed it */
    FILE_ACCESS_NAMES,        /* of a folder: what is written, made, moved or removed in it */
    FILE_ACCESS_EVENTS
};

/*
 * Adds the file to an inotify queue by its descriptor, so that no other file of its name is meant.
 * The watch's number, or -errno.
 */
int file_access_watch(int queue, int file, enum file_access_events events);

/* The path of an open file, for free(); NULL: it has none, or no memory. */
char *file_access_path(int file);

/* What the two do, as the process itself: for a keeper. */
int file_access_open_here(int folder, const char *name, enum file_access_use use);
int file_access_watch_here(int queue, int file, enum file_access_events events);

#endif
