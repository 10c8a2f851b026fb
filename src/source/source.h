/* SPDX-License-Identifier: MIT */
/*
 * A source: a dump's bytes as one read-only array, regardless of the container in which they came.
 * A plain file is mapped. A zstd, xz or gzip file (recognised by content, never by name) is
 * expanded once into an unlinked spool on disk, which is mapped. Any thread may read the bytes
 * until source_close().
 *
 * The mapping of a file is the file itself, which another program may write or truncate (lost bytes
 * then read as zeros). So the bytes stay what they were at source_open(), or source_check() reports
 * that they have changed. Whatever was made from the bytes, or copied, may be handed out only after
 * a source_check(). A file that was expanded is not needed any more.
 */
#ifndef GPUDUMPFS_SOURCE_SOURCE_H
#define GPUDUMPFS_SOURCE_SOURCE_H

#include "base/cancel.h"
#include "base/problems.h"
#include "source/expand.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

struct edited_image;
struct growing_source;
struct filewatch;
struct source_expansion;
struct spool_budget;
struct spool_params;

struct source {
    const uint8_t *data; /* `size` bytes; NULL for a folder or an empty file */
    uint64_t size;       /* after expansion */
    uint64_t file_size;  /* size of the file on disk, in bytes */
    uint64_t holes;      /* bytes of the file that are holes */
    enum source_container container;
    struct timespec mtime; /* of the file; shown for every file of the tree */
    char *path;            /* absolute */
    char *folder_name;     /* name of the folder, if opened as that folder's file; or NULL */
    bool is_folder;
    bool packed;             /* `data` is the container itself: see source_params.keep_seekable */
    atomic_bool lost;        /* bytes were touched that the file does not have */
    struct filewatch *watch; /* of the mapped file; NULL if no other program can write it */
    struct stat status;      /* of the file at source_open(); unset for a stream */
    const struct source *original; /* the source that this one edits (source/edited.h); or NULL */
    struct edited_image *image;    /* likewise; or NULL */
    struct growing_source *growth; /* NULL if complete; otherwise `size` is the size at opening */
    struct growing_source *whole;  /* holds the bytes for source_params.whole; or NULL */
    struct source_expansion *expansion; /* NULL if complete; see source_params.unfinished */
    struct spool_budget *budget;        /* `spooled` bytes are charged to it; or NULL */
    uint64_t spooled;
    bool has_file; /* a file was mapped or expanded, and stays open as `file` */
    int file;      /* descriptor of that file */
    bool no_links; /* was opened as a struct source_file with no_links: no link is followed to
                      siblings */
    int folder;    /* the folder with the siblings, if `no_links`; a folder's own descriptor, if
                      `is_folder`; otherwise unset */
};

#define SOURCE_MAX_EXPAND ((uint64_t)1 << 30)
#define SOURCE_MAX_STREAM ((uint64_t)8 << 30) /* uncompressed data, read while it is written */

enum { SOURCE_MAX_RATIO = 2000 };

/*
 * A file that the caller has opened, since it knows which file it should be. The caller closes it.
 */
struct source_file {
    int fd;
    bool no_links; /* siblings are opened in `folder`, and no link is followed */
    int folder;    /* used if `no_links`; outlives the source */
};

struct source_params {
    const struct source_file *file; /* NULL: open `path`; otherwise `path` is only shown */
    bool raw;                       /* take the bytes as they are: do not look for a container */
    bool follow;  /* the file is still being written: see source/growing_source.h */
    bool streams; /* accept names of streams (source/stream.h), which are followed; with `follow` or
                     `whole` also names of named pipes */
    bool whole;   /* streams are read to their end at once, so that the source does not grow */
    bool remote;  /* sockets may accept connections from other machines */
    bool keep_seekable;  /* leave a zstd file as it is if its frames can be expanded one by one */
    const int *stream;   /* opened already by stream_open(); stays the caller's; NULL if not */
    uint64_t max_expand; /* maximum bytes after expansion; 0 means SOURCE_MAX_EXPAND, and
                            SOURCE_MAX_STREAM for uncompressed data that grows */
    unsigned max_ratio;  /* maximum ratio of the bytes after expansion to the size of the file
                            (source/spool.h); 0: any */
    struct spool_budget *budget; /* of all dumps of a mount; NULL: none. Outlives the source */
    unsigned max_wait_ms;        /* time to expand a container, then -EAGAIN; 0 means no limit */
    bool unfinished; /* after max_wait_ms, return 0 and what was expanded so far; source_complete()
                        does the rest */
    const char *spool_dir; /* NULL: $TMPDIR or /var/tmp; on a tmpfs it takes memory */
    const struct cancel *cancel;
    /* Called now and then while a container is expanded, with the bytes of the file read so far. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/*
 * Opens a file, a folder, or a stream. A source that is followed has its first bytes when this
 * returns. A container that is truncated, damaged, or larger than max_expand gives what it
 * contains, with an error in `problems` that has the offset in the container.
 *
 * Returns 0. On failure *out is NULL, and the result is -errno of the file, -EINVAL for what is
 * neither file nor folder, -EISDIR for a folder that should be followed, -EINTR when cancelled,
 * -ENOMEM, or -EAGAIN after max_wait_ms. It is -errno of the spool (-ENOSPC), or -EBUSY for a
 * container that was written meanwhile, with an error in `problems`.
 */
int source_open(const char *path, const struct source_params *params, struct problems *problems,
                struct source **out);

/* Returns whether a name means a stream with these parameters. Looks at the file of that name. */
bool source_is_stream(const char *path, const struct source_params *params);

/*
 * Opens the file `name` in the source's folder (the source itself, or the folder that it is in).
 * Returns as source_open(); also -EINVAL for a name with a slash, "", "." and "..".
 */
int source_open_sibling(const struct source *source, const char *name,
                        const struct source_params *params, struct problems *problems,
                        struct source **out);

/*
 * Reads the first bytes of an open file, at most `max`, expanded if it is a container, in order to
 * see what it is without expanding all of it. Returns 0, -ENOMEM, or -errno of the file.
 */
int source_peek(int fd, uint8_t *bytes, size_t max, size_t *size);

/*
 * Opens any file of a dump. Returns a descriptor or -errno. Does not wait for the writer of a pipe,
 * nor for the holder of a lease.
 */
int source_open_file(int folder, const char *name, bool follow_links);

/* Closes a source and sets the pointer to NULL. *source may be NULL. */
void source_close(struct source **source);

enum source_state {
    SOURCE_INTACT,
    SOURCE_SHORTENED,  /* the file lost bytes */
    SOURCE_WRITTEN,    /* the file was written, as far as source/filewatch.h detects that */
    SOURCE_UNREADABLE, /* the disk of the file or the spool cannot read the bytes */
};

/*
 * Checks whether the bytes have changed. A result other than SOURCE_INTACT is final. Takes about a
 * microsecond. For a followed file, only truncation is detected: overwriting published bytes cannot
 * be distinguished from appending.
 */
enum source_state source_check(const struct source *source);

/*
 * Checks up to SOURCE_SEVERAL sources, faster than one by one; source_state() returns the results.
 */
enum { SOURCE_SEVERAL = 8 };
void source_check_several(const struct source *const *sources, size_t count);

/* Returns the result of the last check. */
enum source_state source_state(const struct source *source);

/*
 * Returns the number of bytes that may be read from now on. For a dump that is not followed, it is
 * the complete size and never changes.
 */
uint64_t source_size(const struct source *source);

/* Returns the size so far of the file or stream, before expansion. */
uint64_t source_file_size(const struct source *source);

/*
 * Returns what source_size() returns, without holes of the file, which cost a sender nothing,
 * however long they are. Limits are derived from these sizes.
 */
uint64_t source_sent(const struct source *source);

/* Returns what source_file_size() returns, without holes of the file. */
uint64_t source_file_sent(const struct source *source);

/*
 * Gets the current status of what a stream or a followed file is read from; it is a file, too, if
 * standard input is one. Returns 0, -ENOENT if the source is neither, or -errno.
 */
int source_stat_stream(const struct source *source, struct stat *out);

/*
 * Makes a source complete: reads a stream to its end, or expands the rest of a container that was
 * left unfinished (source_params.unfinished). Returns as source_open(). An unfinished source has
 * the bytes expanded so far, which is enough to find out what it is. Until it is complete, it may
 * be used for nothing else, except source_close().
 */
int source_complete(struct source *source, const struct cancel *cancel);

/*
 * Returns the flag to set when bytes are missing from what was made of the source: the source
 * counts as lost then.
 */
atomic_bool *source_lost(const struct source *source);

/*
 * Fills in how a container is expanded according to `params`: maximum sizes, folder, time limit,
 * cancel and progress; but not the container itself.
 */
void source_limit_spool(const struct source_params *params, struct spool_params *spool);

/* Returns "plain", "zstd", "xz" or "gzip". */
const char *source_container_name(enum source_container container);

/* Returns the file's name without folders, a pointer into source->path. */
const char *source_basename(const struct source *source);

/* Returns the name to show: source_basename(), or the name of the folder that was opened. */
const char *source_name(const struct source *source);

#endif
