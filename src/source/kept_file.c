/* SPDX-License-Identifier: MIT */
/* Finds and replaces the file that is kept for a dump. */
#include "config.h"

#include "source/kept.h"

#include "base/file_write.h"
#include "base/helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 128 * 1024,
    EDGE = 64 * 1024, /* bytes at each end of a dump that are hashed */
    SAMPLES = 64,     /* number of samples between the ends that are hashed, too */
    SAMPLE = 4096,    /* bytes of each sample */
};

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
 * Uses the times from when the dump was opened. If the file is changed while its index is being
 * kept, it has other times from then on, so the index is not found.
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
    sha256_digits(digest, out->digits);
}

/* Returns the path for an open dump, to be freed with free(), or NULL with *status set. */
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
    sha256_add(&hash, KEPT_MAGIC, KEPT_MAGIC_SIZE);
    sha256_add(&hash, digits, DISK_CACHE_NAME);
    sha256_add(&hash, numbers, sizeof(numbers));
    sha256_finish(&hash, digest);
    sha256_digits(digest, name);
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

/* Returns how much of the folder's room may be used for the dump. */
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

/* Sends a request to the keeper. *file is the file that it opens; `file` may be NULL. */
static int ask(enum helper_kind kind, const struct source *source, const struct kept_key *key,
               int written, int *file)
{
    const int files[] = {source->file, written};
    struct helper_request request;
    int status = helper_fill(&request, kind, key->digits);

    if (status != 0)
        return status;
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

/*
 * Returns whether the dump's file has not changed since it was opened, and its last change is long
 * enough ago that a further one will have another time.
 */
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

int kept_file_replace(const struct source *source, const struct kept_key *key, int file)
{
    return is_as_opened(source) ? replace_kept(source, key, file) : -EAGAIN;
}

int kept_reader_begin(struct kept_reader *reader, const struct source *source,
                      const struct kept_key *key)
{
    return kept_reader_begin_file(reader, open_kept(source, key));
}
