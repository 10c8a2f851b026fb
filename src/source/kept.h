/* SPDX-License-Identifier: MIT */
/*
 * What was found out about a dump, kept for its next opening in the user's cache (disk_cache.h):
 * one file for each dump and maker. Its name is a hash of the file that the dump was opened from
 * (device, inode, size, times of its last change, whatever a writer may say), of bytes from all
 * over the dump, and of what its maker tells of itself; where a keeper has the files, it takes the
 * former from the dump's descriptor, so that no process keeps anything for a file that it cannot
 * open.
 * What is read is believed no more than a dump is: its hash tells damage, and callers check each
 * value. One thread for each reader and writer.
 */
#ifndef GPUDUMPFS_SOURCE_KEPT_H
#define GPUDUMPFS_SOURCE_KEPT_H

#include "base/sha256.h"
#include "source/disk_cache.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that are kept of a dump of so many, at most: a tenth, of shorter ones KEPT_FILE_MAX. Nor is
 * that more than half of what the folder has room for.
 */
#define KEPT_FILE_MAX (DISK_CACHE_MAX / 2)

static inline uint64_t kept_file_max(uint64_t dump)
{
    return dump / 10 > KEPT_FILE_MAX ? dump / 10 : KEPT_FILE_MAX;
}

/* Its first bytes, on which its name depends, too. */
#define KEPT_MAGIC "GPDKEPT1"
enum { KEPT_MAGIC_SIZE = 8 };

/* What tells a file from those of other dumps and makers. */
struct kept_key {
    char digits[DISK_CACHE_NAME + 1];
};

/* Whether anything can be kept for the dump: it is a file, all is there, and no edits. */
bool kept_file_is_for(const struct source *source);

/*
 * `maker`: what else a kept file depends on, such as its form, the code that made it, and options.
 * Looks at some 400 KiB of the dump.
 */
void kept_key_make(const struct source *source, const void *maker, size_t size,
                   struct kept_key *out);

/* Fields of a struct, for rows of which an array is kept. Numbers of 1, 2, 4 or 8 bytes. */
struct kept_field {
    size_t offset, size;
    uint64_t max; /* the largest value that is taken from a file */
};

/* One of them; and a table of them, as the two last arguments of what keeps and reads rows. */
#define KEPT_FIELD(type, member, max)                                                              \
    {                                                                                              \
        offsetof(type, member), sizeof(((type *)0)->member), max                                   \
    }
#define KEPT_FIELDS(table) table, sizeof(table) / sizeof((table)[0])

enum { KEPT_ROW_MAX = 256 /* bytes of a row's fields */ };

struct kept_writer {
    int file; /* without a name, in memory */
    struct sha256 hash;
    uint8_t *buffer;
    size_t held;
    uint64_t size, max; /* of what is kept */
    int status;         /* the first failure, which sticks */
};

/* `max`: bytes, at most; with more it fails with -EFBIG. */
void kept_writer_begin(struct kept_writer *writer, uint64_t max);
void kept_write(struct kept_writer *writer, const void *bytes, size_t size);
void kept_write_number(struct kept_writer *writer, uint64_t number);
void kept_write_rows(struct kept_writer *writer, const void *rows, size_t stride, uint64_t count,
                     const struct kept_field *fields, size_t field_count);

/* What was written, for close(), or what failed first. It ends the writer. */
int kept_writer_take(struct kept_writer *writer);

/*
 * Whether a change of a file from now on gives it another time than its last change has: the clock
 * that times are taken from has gone on. Where times are whole seconds that takes longer.
 */
bool kept_is_settled(const struct timespec *changed, const struct timespec *now);

/*
 * Replaces the dump's file by that. 0 or a negative errno; -EAGAIN: the dump was changed, or so
 * shortly before that a change to come could not be told from that one.
 */
int kept_file_replace(const struct source *source, const struct kept_key *key, int file);

struct kept_reader {
    int file;
    struct sha256 hash;
    uint8_t digest[SHA256_SIZE]; /* as the file tells it */
    uint8_t *buffer;
    size_t held, taken;
    uint64_t left; /* bytes that were not read from the file */
    int status;    /* the first failure, which sticks */
};

/*
 * 0, -ENOENT, -EPERM, -EBADMSG, -ENOTSUP: there is no place where anything could be kept, so that
 * nothing need be written; to be ended in any case.
 */
int kept_reader_begin(struct kept_reader *reader, const struct source *source,
                      const struct kept_key *key);

/* The same of an open file, which the reader closes. */
int kept_reader_begin_file(struct kept_reader *reader, int file);

/* After a failure zeros. */
void kept_read(struct kept_reader *reader, void *to, size_t size);
uint64_t kept_read_number(struct kept_reader *reader, uint64_t max);
void kept_read_rows(struct kept_reader *reader, void *rows, size_t stride, uint64_t count,
                    const struct kept_field *fields, size_t field_count);

/* A value was wrong: from now on it has failed. */
void kept_reader_refuse(struct kept_reader *reader);

/* Bytes that are left to be read: no array is longer. */
uint64_t kept_reader_left(const struct kept_reader *reader);

/*
 * An array of zeros for so many elements that are to be read, and one more, the caller's; NULL, and
 * it has failed: the file has not so many bytes, or there is no memory.
 */
void *kept_read_array(struct kept_reader *reader, uint64_t count, size_t size);

/* 0 if all was read, and is what was written; else what was read means nothing. */
int kept_reader_end(struct kept_reader *reader);

/*
 * As the process itself, for a keeper: the file for what is open in `dump`, its replacement by all
 * of `file`, and its removal. A descriptor, or 0; or a negative errno.
 */
int kept_file_open_here(const char *home, const char *digits, int dump);
int kept_file_replace_here(const char *home, const char *digits, int dump, int file);
int kept_file_drop_here(const char *home, const char *digits, int dump);

#endif
