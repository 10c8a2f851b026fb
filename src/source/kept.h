/* SPDX-License-Identifier: MIT */
/*
 * Kept files: what was found out about a dump, in the user's cache (disk_cache.h) for the next time
 * that the dump is opened. There is one file for each dump and maker. Its name is a hash of
 *
 * - the file that the dump was opened from: device, inode, size, and times of the last change,
 *   which a writer cannot forge,
 * - samples of the dump's bytes,
 * - what the maker specifies.
 *
 * If a keeper holds the files, it reads the status of the dump's file from a descriptor of the
 * dump, so that no process can keep anything for a file that it cannot open.
 *
 * What is read from a kept file is trusted no more than a dump is: a hash detects damage, and
 * callers check each value. Each reader and writer is for one thread.
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
 * Returns the maximum number of bytes that are kept for a dump of `dump` bytes: a tenth of it, but
 * at least KEPT_FILE_MAX. A kept file must not take more than half of the folder's room either.
 */
#define KEPT_FILE_MAX (DISK_CACHE_MAX / 2)

static inline uint64_t kept_file_max(uint64_t dump)
{
    return dump / 10 > KEPT_FILE_MAX ? dump / 10 : KEPT_FILE_MAX;
}

/* The first bytes of a kept file. The file's name depends on them, too. */
#define KEPT_MAGIC "GPDKEPT1"
enum { KEPT_MAGIC_SIZE = 8 };

/* Distinguishes a kept file from those of other dumps and makers. */
struct kept_key {
    char digits[DISK_CACHE_NAME + 1];
};

/* Returns whether anything can be kept for the dump: it must be a complete file, without edits. */
bool kept_file_is_for(const struct source *source);

/*
 * Computes a key. `maker` has everything else on which the kept file depends, such as its format,
 * the code that made it, and options. Reads some 400 KiB of the dump.
 */
void kept_key_make(const struct source *source, const void *maker, size_t size,
                   struct kept_key *out);

/*
 * A field of a struct, of which an array of rows is kept. Fields are numbers of 1, 2, 4 or 8 bytes.
 */
struct kept_field {
    size_t offset, size;
    uint64_t max; /* largest value that is accepted from a file */
};

/*
 * A field; and a table of fields, as the last two arguments of the functions that read and write
 * rows.
 */
#define KEPT_FIELD(type, member, max)                                                              \
    {                                                                                              \
        offsetof(type, member), sizeof(((type *)0)->member), max                                   \
    }
#define KEPT_FIELDS(table) table, sizeof(table) / sizeof((table)[0])

enum { KEPT_ROW_MAX = 256 /* maximum bytes of a row's fields */ };

struct kept_writer {
    int file; /* unnamed, in memory */
    struct sha256 hash;
    uint8_t *buffer;
    size_t held;
    uint64_t size, max; /* bytes kept, and their maximum */
    int status;         /* the first failure, which sticks */
};

/* Begins to write. With more than `max` bytes the writer fails with -EFBIG. */
void kept_writer_begin(struct kept_writer *writer, uint64_t max);
/*
 * Writes bytes. For this function and the next two: the first failure sticks, and
 * kept_writer_take() returns it.
 */
void kept_write(struct kept_writer *writer, const void *bytes, size_t size);

/* Writes a number of 64 bits. */
void kept_write_number(struct kept_writer *writer, uint64_t number);

/* Writes the fields of `count` rows, which are `stride` bytes apart. */
void kept_write_rows(struct kept_writer *writer, const void *rows, size_t stride, uint64_t count,
                     const struct kept_field *fields, size_t field_count);

/*
 * Ends the writer. Returns a descriptor of what was written, which the caller closes, or the first
 * failure.
 */
int kept_writer_take(struct kept_writer *writer);

/*
 * Returns whether any later change of a file will get a different time than the last one, because
 * the clock from which times are taken has advanced. This takes longer where times are whole
 * seconds.
 */
bool kept_is_settled(const struct timespec *changed, const struct timespec *now);

/*
 * Replaces the kept file of a dump by the contents of `file`, which stays the caller's. Returns 0
 * or a negative errno: -EAGAIN if the dump was changed, or was changed so recently that a further
 * change might have the same time.
 */
int kept_file_replace(const struct source *source, const struct kept_key *key, int file);

struct kept_reader {
    int file;
    struct sha256 hash;
    uint8_t digest[SHA256_SIZE]; /* as recorded in the file */
    uint8_t *buffer;
    size_t held, taken;
    uint64_t left; /* bytes not yet read from the file */
    int status;    /* the first failure, which sticks */
};

/*
 * Begins to read the kept file of a dump. Call kept_reader_end() even if this fails. Returns 0,
 * -ENOENT, -EPERM, -EBADMSG, -ENOTSUP if there is no place to keep files, so that none need be
 * written, or another -errno.
 */
int kept_reader_begin(struct kept_reader *reader, const struct source *source,
                      const struct kept_key *key);

/* The same for an open file, which the reader closes. */
int kept_reader_begin_file(struct kept_reader *reader, int file);

/* Reads bytes. For this function and the next two: after a failure the values are zero. */
void kept_read(struct kept_reader *reader, void *to, size_t size);

/* Reads a number of 64 bits; one above `max` is a failure. */
uint64_t kept_read_number(struct kept_reader *reader, uint64_t max);

/*
 * Reads the fields of `count` rows, which are `stride` bytes apart. A field above its maximum is a
 * failure.
 */
void kept_read_rows(struct kept_reader *reader, void *rows, size_t stride, uint64_t count,
                    const struct kept_field *fields, size_t field_count);

/* Makes the reader fail with a negative errno, unless it has failed before. */
void kept_reader_fail(struct kept_reader *reader, int status);

/* Makes the reader fail because a value was wrong. */
void kept_reader_refuse(struct kept_reader *reader);

/* Returns the bytes that are left to be read, which bound the length of any array. */
uint64_t kept_reader_left(const struct kept_reader *reader);

/*
 * Allocates a zeroed array for `count` elements that are to be read, and one more for the caller's
 * use. Returns NULL, and the reader fails, if the file has fewer than `count` bytes left, or
 * (with -ENOMEM) without memory.
 */
void *kept_read_array(struct kept_reader *reader, uint64_t count, size_t size);

/*
 * Ends the reader. Returns 0 if everything was read and is what was written. Otherwise returns the
 * failure, and what was read is worthless.
 */
int kept_reader_end(struct kept_reader *reader);

/*
 * Opens the file that is kept for the dump open in `dump`. Like the next two functions it is
 * carried out by the process itself, and is for the keeper. Returns a descriptor or a negative
 * errno.
 */
int kept_file_open_here(const char *home, const char *digits, int dump);

/* Replaces that kept file by the contents of `file`. Returns 0 or a negative errno. */
int kept_file_replace_here(const char *home, const char *digits, int dump, int file);

/* Removes that kept file. Returns 0 or a negative errno. */
int kept_file_drop_here(const char *home, const char *digits, int dump);

#endif
