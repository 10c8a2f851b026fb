/* SPDX-License-Identifier: MIT */
/*
 * A file is a magic, the number of bytes that follow the head, their SHA-256, and they. Numbers
 * are as the machine has them, which the key tells.
 */
#include "config.h"

#include "source/kept.h"

#include "base/file_write.h"
#include "base/helper.h"
#include "base/log.h"
#include "source/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    HEAD_SIZE = 8,
    HEAD_HASH = 16,
    HEAD = HEAD_HASH + SHA256_SIZE,
    BUFFER = 128 * 1024,
    EDGE = 64 * 1024, /* bytes at both ends of a dump that are looked at, … */
    SAMPLES = 64,     /* … and places between them, … */
    SAMPLE = 4096,    /* … each of so many bytes */
};

static const char magic[HEAD_SIZE] = "GPDKEPT1";

/* Keys. */

bool kept_file_is_for(const struct source *source)
{
    return source->has_file && source->data != NULL && source->growth == NULL &&
           source->expansion == NULL && source->original == NULL && !source->packed;
}

static void add_samples(struct sha256 *hash, const struct source *source)
{
    uint64_t edge = source->size < EDGE ? source->size : EDGE;
    uint64_t between = source->size - edge > SAMPLE ? source->size - edge - SAMPLE : 0;

    sha256_add(hash, source->data, (size_t)edge);
    sha256_add(hash, source->data + source->size - edge, (size_t)edge);
    for (unsigned n = 0; n < SAMPLES && between > edge; n++)
        sha256_add(hash, source->data + edge + (between - edge) / SAMPLES * n, SAMPLE);
}

/*
 * The times are those of the bytes that were read. A file that is changed while its index is being
 * kept has others from then on, by which the index is not found.
 */
void kept_key_make(const struct source *source, const void *maker, size_t size,
                   struct kept_key *out)
{
    const struct stat *status = &source->status;
    const uint64_t numbers[] = {0x0102030405060708,
                                sizeof(void *),
                                size,
                                source->size,
                                (uint64_t)status->st_mtim.tv_sec,
                                (uint64_t)status->st_mtim.tv_nsec,
                                (uint64_t)status->st_ctim.tv_sec,
                                (uint64_t)status->st_ctim.tv_nsec};
    uint8_t digest[SHA256_SIZE];
    struct sha256 hash;

    sha256_init(&hash);
    sha256_add(&hash, PACKAGE_VERSION, sizeof(PACKAGE_VERSION));
    sha256_add(&hash, numbers, sizeof(numbers));
    sha256_add(&hash, maker, size);
    add_samples(&hash, source);
    sha256_finish(&hash, digest);
    disk_cache_name(digest, out->digits);
}

/* The path for a file that is open, for free(), or NULL with *status set. */
static char *path_for(const char *home, const char *digits, int dump, int *status)
{
    char name[DISK_CACHE_NAME + 1], *path = NULL;
    uint8_t digest[SHA256_SIZE];
    struct sha256 hash;
    struct stat file;

    *status = home == NULL ? -ENOTSUP : 0;
    if (*status == 0 &&
        (!disk_cache_is_name(digits) || fstat(dump, &file) != 0 || !S_ISREG(file.st_mode)))
        *status = -EINVAL;
    if (*status != 0)
        return NULL;

    const uint64_t numbers[] = {file.st_dev,
                                file.st_ino,
                                (uint64_t)file.st_size,
                                (uint64_t)file.st_mtim.tv_sec,
                                (uint64_t)file.st_mtim.tv_nsec,
                                (uint64_t)file.st_ctim.tv_sec,
                                (uint64_t)file.st_ctim.tv_nsec};

    sha256_init(&hash);
    sha256_add(&hash, magic, sizeof(magic));
    sha256_add(&hash, digits, DISK_CACHE_NAME);
    sha256_add(&hash, numbers, sizeof(numbers));
    sha256_finish(&hash, digest);
    disk_cache_name(digest, name);
    if (asprintf(&path, "%s/%s", home, name) < 0)
        path = NULL;
    *status = path == NULL ? -ENOMEM : 0;
    return path;
}

/* Files. */

int kept_file_open_here(const char *home, const char *digits, int dump)
{
    int status;
    char *path = path_for(home, digits, dump, &status);

    if (path == NULL)
        return status;
    status = disk_cache_open(path);
    free(path);
    return status;
}

struct copied {
    int from;
    uint64_t max;
};

static int copy_all(void *context, int to)
{
    const struct copied *copied = context;
    uint8_t *piece = malloc(BUFFER);
    int status = piece == NULL ? -ENOMEM : 0;
    uint64_t offset = 0;

    while (status == 0) {
        ssize_t got = pread(copied->from, piece, BUFFER, (off_t)offset);

        if (got == 0)
            break;
        status = got < 0 ? -errno : file_write_all(to, piece, (size_t)got);
        offset += got > 0 ? (uint64_t)got : 0;
        if (status == 0 && offset > copied->max)
            status = -EFBIG;
    }
    free(piece);
    return status;
}

/* What a dump may have of the room that there is. */
static uint64_t max_here(uint64_t room, int dump)
{
    struct stat stat;
    uint64_t max = fstat(dump, &stat) == 0 ? kept_file_max((uint64_t)stat.st_size) : 0;

    return max < room / 2 ? max : room / 2;
}

int kept_file_replace_here(const char *home, const char *digits, int dump, int file)
{
    struct copied copied = {.from = file};
    int status;
    char *path = path_for(home, digits, dump, &status);
    uint64_t room;

    if (path == NULL)
        return status;
    room = disk_cache_room(path);
    copied.max = max_here(room, dump);
    status = disk_cache_replace(path, copy_all, &copied, room);
    free(path);
    return status;
}

int kept_file_drop_here(const char *home, const char *digits, int dump)
{
    int status;
    char *path = path_for(home, digits, dump, &status);

    if (path == NULL)
        return status;
    status = unlink(path) == 0 ? 0 : -errno;
    free(path);
    return status;
}

/* *file: what is opened. */
static int ask(enum helper_kind kind, const struct source *source, const struct kept_key *key,
               int written, int *file)
{
    const int files[] = {source->file, written};
    struct helper_request request;

    helper_fill(&request, kind, key->digits);
    return helper_ask(HELPER_KEEPER, &request, files, written >= 0 ? 2 : 1, NULL, file);
}

static int open_kept(const struct source *source, const struct kept_key *key)
{
    char *home;
    int file, status;

    if (helper_is_there(HELPER_KEEPER)) {
        status = ask(HELPER_OPEN_KEPT, source, key, -1, &file);
        return status != 0 ? status : file >= 0 ? file : -EPIPE;
    }
    home = disk_cache_home();
    status = kept_file_open_here(home, key->digits, source->file);
    free(home);
    return status;
}

static int replace_kept(const struct source *source, const struct kept_key *key, int written)
{
    char *home;
    int status;

    if (helper_is_there(HELPER_KEEPER))
        return ask(HELPER_REPLACE_KEPT, source, key, written, NULL);
    home = disk_cache_home();
    status = kept_file_replace_here(home, key->digits, source->file, written);
    free(home);
    return status;
}

bool kept_is_settled(const struct timespec *changed, const struct timespec *now)
{
    const int64_t second = 1000000000, wait = changed->tv_nsec == 0 ? 2 * second : second / 20;

    return (now->tv_sec - changed->tv_sec) * second + now->tv_nsec - changed->tv_nsec > wait;
}

/* Whether the file is what was opened, and all that was read of it. */
static bool is_as_opened(const struct source *source)
{
    const struct stat *then = &source->status;
    struct timespec time;
    struct stat now;

    return clock_gettime(CLOCK_REALTIME_COARSE, &time) == 0 && fstat(source->file, &now) == 0 &&
           kept_is_settled(&now.st_ctim, &time) && now.st_size == then->st_size &&
           now.st_ctim.tv_sec == then->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == then->st_ctim.tv_nsec && source_check(source) == SOURCE_INTACT;
}

/* Writing. */

static void flush(struct kept_writer *writer)
{
    sha256_add(&writer->hash, writer->buffer, writer->held);
    if (writer->status == 0)
        writer->status = file_write_all(writer->file, writer->buffer, writer->held);
    writer->size += writer->held;
    if (writer->status == 0 && writer->size + HEAD > writer->max)
        writer->status = -EFBIG;
    writer->held = 0;
}

void kept_writer_begin(struct kept_writer *writer, uint64_t max)
{
    static const uint8_t head[HEAD];

    memset(writer, 0, sizeof(*writer));
    writer->max = max;
    sha256_init(&writer->hash);
    writer->file = memfd_create("gpudumpfs-kept", MFD_CLOEXEC);
    writer->buffer = malloc(BUFFER);
    if (writer->buffer == NULL || writer->file < 0)
        writer->status = writer->file < 0 ? -errno : -ENOMEM;
    else
        writer->status = file_write_all(writer->file, head, HEAD);
}

void kept_write(struct kept_writer *writer, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;

    while (writer->status == 0 && size > 0) {
        size_t room = BUFFER - writer->held, taken = size < room ? size : room;

        memcpy(writer->buffer + writer->held, next, taken);
        writer->held += taken;
        next += taken;
        size -= taken;
        if (writer->held == BUFFER)
            flush(writer);
    }
}

void kept_write_number(struct kept_writer *writer, uint64_t number)
{
    kept_write(writer, &number, sizeof(number));
}

void kept_write_rows(struct kept_writer *writer, const void *rows, size_t stride, uint64_t count,
                     const struct kept_field *fields, size_t field_count)
{
    const uint8_t *row = rows;

    for (; count > 0 && writer->status == 0; count--, row += stride)
        for (size_t i = 0; i < field_count; i++)
            kept_write(writer, row + fields[i].offset, fields[i].size);
}

static int write_head(struct kept_writer *writer)
{
    uint8_t head[HEAD];

    memcpy(head, magic, sizeof(magic));
    memcpy(head + HEAD_SIZE, &writer->size, sizeof(writer->size));
    sha256_finish(&writer->hash, head + HEAD_HASH);
    return pwrite(writer->file, head, HEAD, 0) == HEAD ? 0 : -EIO;
}

int kept_writer_take(struct kept_writer *writer)
{
    int file = writer->file;

    if (writer->status == 0)
        flush(writer);
    if (writer->status == 0)
        writer->status = write_head(writer);
    free(writer->buffer);
    writer->buffer = NULL;
    writer->file = -1;
    if (writer->status == 0)
        return file;
    if (file >= 0)
        close(file);
    return writer->status;
}

int kept_file_replace(const struct source *source, const struct kept_key *key, int file)
{
    return is_as_opened(source) ? replace_kept(source, key, file) : -EAGAIN;
}

/* Reading. */

static int read_head(struct kept_reader *reader)
{
    uint8_t head[HEAD];
    struct stat stat;

    if (fstat(reader->file, &stat) != 0)
        return -errno;
    if (stat.st_size < HEAD || read(reader->file, head, HEAD) != HEAD ||
        memcmp(head, magic, sizeof(magic)) != 0)
        return -EBADMSG;
    memcpy(&reader->left, head + HEAD_SIZE, sizeof(reader->left));
    memcpy(reader->digest, head + HEAD_HASH, SHA256_SIZE);
    return reader->left == (uint64_t)stat.st_size - HEAD ? 0 : -EBADMSG;
}

int kept_reader_begin_file(struct kept_reader *reader, int file)
{
    memset(reader, 0, sizeof(*reader));
    sha256_init(&reader->hash);
    reader->file = file;
    reader->buffer = file < 0 ? NULL : malloc(BUFFER);
    reader->status = file < 0 ? file : reader->buffer == NULL ? -ENOMEM : read_head(reader);
    return reader->status;
}

int kept_reader_begin(struct kept_reader *reader, const struct source *source,
                      const struct kept_key *key)
{
    return kept_reader_begin_file(reader, open_kept(source, key));
}

static void fill(struct kept_reader *reader)
{
    size_t wanted = reader->left < BUFFER ? (size_t)reader->left : BUFFER;
    ssize_t got = wanted > 0 ? read(reader->file, reader->buffer, wanted) : 0;

    reader->held = reader->taken = 0;
    if (got <= 0) {
        reader->status = got < 0 ? -errno : -EBADMSG;
        return;
    }
    sha256_add(&reader->hash, reader->buffer, (size_t)got);
    reader->held = (size_t)got;
    reader->left -= (size_t)got;
}

void kept_read(struct kept_reader *reader, void *to, size_t size)
{
    uint8_t *next = to;

    while (reader->status == 0 && size > 0) {
        size_t here = reader->held - reader->taken, taken = size < here ? size : here;

        memcpy(next, reader->buffer + reader->taken, taken);
        reader->taken += taken;
        next += taken;
        size -= taken;
        if (size > 0)
            fill(reader);
    }
    if (size > 0)
        memset(next, 0, size);
}

uint64_t kept_read_number(struct kept_reader *reader, uint64_t max)
{
    uint64_t number;

    kept_read(reader, &number, sizeof(number));
    if (number <= max)
        return number;
    kept_reader_refuse(reader);
    return 0;
}

static uint64_t value_of(const void *bytes, size_t size)
{
    uint64_t number = 0;
    uint32_t word;
    uint16_t half;

    switch (size) {
    case 1:
        return *(const uint8_t *)bytes;
    case 2:
        memcpy(&half, bytes, sizeof(half));
        return half;
    case 4:
        memcpy(&word, bytes, sizeof(word));
        return word;
    default:
        memcpy(&number, bytes, sizeof(number));
        return number;
    }
}

static size_t row_size(const struct kept_field *fields, size_t field_count)
{
    size_t size = 0;

    for (size_t i = 0; i < field_count; i++)
        size += fields[i].size;
    return size;
}

/* Values are looked at before they stand where they may have another type. */
static bool take_row(const uint8_t *bytes, uint8_t *row, const struct kept_field *fields,
                     size_t field_count)
{
    for (size_t i = 0; i < field_count; bytes += fields[i++].size) {
        if (value_of(bytes, fields[i].size) > fields[i].max)
            return false;
        memcpy(row + fields[i].offset, bytes, fields[i].size);
    }
    return true;
}

void kept_read_rows(struct kept_reader *reader, void *rows, size_t stride, uint64_t count,
                    const struct kept_field *fields, size_t field_count)
{
    size_t size = row_size(fields, field_count);
    uint8_t *row = rows, bytes[KEPT_ROW_MAX];

    if (size > KEPT_ROW_MAX)
        kept_reader_refuse(reader);
    for (; count > 0 && reader->status == 0; count--, row += stride) {
        kept_read(reader, bytes, size);
        if (!take_row(bytes, row, fields, field_count))
            kept_reader_refuse(reader);
    }
}

void kept_reader_refuse(struct kept_reader *reader)
{
    if (reader->status == 0)
        reader->status = -EBADMSG;
}

uint64_t kept_reader_left(const struct kept_reader *reader)
{
    return reader->left + (reader->held - reader->taken);
}

int kept_reader_end(struct kept_reader *reader)
{
    uint8_t digest[SHA256_SIZE];

    sha256_finish(&reader->hash, digest);
    if (reader->status == 0 &&
        (kept_reader_left(reader) > 0 || memcmp(digest, reader->digest, SHA256_SIZE) != 0))
        reader->status = -EBADMSG;
    free(reader->buffer);
    if (reader->file >= 0)
        close(reader->file);
    reader->buffer = NULL;
    reader->file = -1;
    return reader->status;
}
