/* SPDX-License-Identifier: MIT */
/*
 * A dump's bytes as one read-only array, whatever container they came in: a
 * plain file is mapped, a zstd, xz or gzip file (recognised by content, never
 * by name) is expanded once into an unlinked spool file on disk and that is
 * mapped. It may be read from any thread until source_close().
 *
 * The bytes stay what they were at source_open(), or source_check() says that they
 * are not: the mapping of a file is the file itself, which another program may write
 * or shorten (what is gone then reads as zeros). So whatever was made of the bytes, or
 * copied, is given away only when source_check() was asked afterwards. A file that was
 * expanded is not needed any more.
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
    const uint8_t *data; /* size bytes; NULL for a folder or an empty file */
    uint64_t size;       /* after expansion */
    uint64_t file_size;  /* of the file on disk, … */
    uint64_t holes;      /* … so many of whose bytes are of holes */
    enum source_container container;
    struct timespec mtime; /* the file's, shown by every file of the tree */
    char *path;            /* absolute */
    char *folder_name;     /* of one that was opened as a folder's file: that one's; or NULL */
    bool is_folder;
    bool packed;             /* `data` is the container itself: see source_params.keep_seekable */
    atomic_bool lost;        /* bytes were touched that the file does not have */
    struct filewatch *watch; /* of the mapped file; NULL: nobody else writes to what is mapped */
    struct stat status;      /* of the file at source_open(); none of a stream */
    const struct source *original; /* source/edited.h: of which some bytes were replaced; or NULL */
    struct edited_image *image;    /* the same; or NULL */
    struct growing_source *growth; /* NULL: all is there; else `size` is what there was at open */
    struct growing_source *whole;  /* source_params.whole: holds the bytes; NULL: does not */
    struct source_expansion *expansion; /* NULL: all is there; else see source_params.unfinished */
    struct spool_budget *budget;        /* that `spooled` bytes are of; NULL: none */
    uint64_t spooled;
    bool has_file; /* it is a file that is mapped or was expanded, … */
    int file;      /* … which stays open */
    bool no_links; /* it was opened as a struct source_file: siblings are in `folder`, no links */
    int folder;    /* that, or of a folder its own descriptor; else nothing */
};

#define SOURCE_MAX_EXPAND ((uint64_t)1 << 30)
#define SOURCE_MAX_STREAM ((uint64_t)8 << 30) /* of what is written while it is read, unpacked */

enum { SOURCE_MAX_RATIO = 2000 };

/* A file that was opened already, by a caller that knows which it is to be, and closes it. */
struct source_file {
    int fd;
    bool no_links; /* what lies beside it is looked for in that folder, … */
    int folder;    /* … which outlives the source, and no link is followed there */
};

struct source_params {
    const struct source_file *file; /* NULL: `path` is opened; else it is only shown */
    bool raw;                       /* take the bytes as they stand: no container is looked for */
    bool follow;                    /* a file is still being written: see source/growing_source.h */
    bool streams;        /* names of streams are understood (source/stream.h), and followed; with
                            `follow` also named pipes */
    bool whole;          /* … or read to their end at once, pipes too: the source does not grow */
    bool remote;         /* … and a socket may be open to other machines */
    bool keep_seekable;  /* a zstd file whose frames can be expanded one by one stays as it is */
    const int *stream;   /* opened already by stream_open(), and stays the caller's; NULL: is not */
    uint64_t max_expand; /* bytes that a container may expand to; 0: SOURCE_MAX_EXPAND, and of
                            what is not packed but grows SOURCE_MAX_STREAM */
    unsigned max_ratio;  /* … and times its own size, see source/spool.h; 0: any */
    struct spool_budget *budget; /* of all dumps of a mount; NULL: none. Outlives the source */
    unsigned max_wait_ms;        /* for which a container is expanded, then -EAGAIN; 0: any time */
    bool unfinished;       /* … then the source is what came by then, see source_complete() */
    const char *spool_dir; /* NULL: $TMPDIR, else /var/tmp; on a tmpfs it takes memory */
    const struct cancel *cancel;
    /* Told now and then while a container is expanded: bytes of the file read so far. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/*
 * Opens a file, a folder, or a stream. What is followed has its first bytes then. A container that
 * is cut off, damaged, or larger than max_expand gives what it holds, with an error in `problems`
 * that tells the offset in the container. 0, -errno of the file, -EINVAL for what is neither file
 * nor folder, -EISDIR for a folder that is to be followed, -EINTR when cancelled, -ENOMEM, -EAGAIN;
 * -errno of the spool (-ENOSPC), or -EBUSY for a container that is written meanwhile, with an error
 * in `problems`. *out is NULL then.
 */
int source_open(const char *path, const struct source_params *params, struct problems *problems,
                struct source **out);

/* Whether a name is a stream's by these parameters. Sees files by their names. */
bool source_is_stream(const char *path, const struct source_params *params);

/*
 * Opens `name` in the source's folder (the source itself, or the folder it lies
 * in). As source_open(); also -EINVAL for a name with a slash, "", "." and "..".
 */
int source_open_sibling(const struct source *source, const char *name,
                        const struct source_params *params, struct problems *problems,
                        struct source **out);

/*
 * The first bytes of an open file, at most `max`, expanded if it is a container: to see what
 * it is without its being expanded. 0, or -errno of the file.
 */
int source_peek(int fd, uint8_t *bytes, size_t max, size_t *size);

/*
 * How any file of a dump is opened: a descriptor or -errno. Waits for nothing: not for a pipe's
 * writer, nor for the holder of a lease.
 */
int source_open_file(int folder, const char *name, bool follow_links);

void source_close(struct source **source);

enum source_state {
    SOURCE_INTACT,
    SOURCE_SHORTENED,  /* the file lost bytes, … */
    SOURCE_WRITTEN,    /* … or was written: source/filewatch.h tells what of that is seen; … */
    SOURCE_UNREADABLE, /* … or its disk, or that of the spool, does not give what stands there */
};

/*
 * What became of the bytes by now, for good once they are not intact; about a microsecond. Of a
 * file that is followed, that it was shortened: what is written over bytes that are published
 * cannot be told from what is appended.
 */
enum source_state source_check(const struct source *source);

/* Checks several at once, at most so many, which takes less, for what source_state() says then. */
enum { SOURCE_SEVERAL = 8 };
void source_check_several(const struct source *const *sources, size_t count);

/* What source_check() found last. */
enum source_state source_state(const struct source *source);

/*
 * The bytes that may be read by now, and for good; of a dump that is not followed all,
 * and always the same.
 */
uint64_t source_size(const struct source *source);

/* The same of the file or stream before it is expanded. */
uint64_t source_file_size(const struct source *source);

/*
 * Likewise what a stranger had to send: a hole of a file is made for nothing, however long it is.
 * What limits are derived from.
 */
uint64_t source_sent(const struct source *source);
uint64_t source_file_sent(const struct source *source);

/*
 * What a stream or a followed file is read from, as it is now: a file, too, where standard input is
 * one. 0, -ENOENT: it is neither; or -errno.
 */
int source_stat_stream(const struct source *source, struct stat *out);

/*
 * Reads a stream to its end, or expands the rest of a container that was left unfinished: from now
 * on all is there. 0, or as source_open(). Until then an unfinished source is what was expanded so
 * far, fit to see what it is, and nothing else may be done with it but source_close().
 */
int source_complete(struct source *source, const struct cancel *cancel);

/* To be raised when bytes are missed of what was made of the source: it is lost as a whole. */
atomic_bool *source_lost(const struct source *source);

/* How a container is expanded by `params`, beside what it is: the most bytes, where, until when. */
void source_limit_spool(const struct source_params *params, struct spool_params *spool);

/* "plain", "zstd", "xz" or "gzip". */
const char *source_container_name(enum source_container container);

/* The file's name without folders, within source->path. */
const char *source_basename(const struct source *source);

/* What it is called to people: that, or by the name of the folder that was opened. */
const char *source_name(const struct source *source);

#endif
