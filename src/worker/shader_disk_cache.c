/* SPDX-License-Identifier: MIT */
/* A file is a header, then Mesa's database and its index. A hash in the header detects damage. */
#include "config.h"

#include "worker/shader_disk_cache.h"

#include "base/bytes.h"
#include "base/file_read.h"
#include "base/file_write.h"
#include "base/helper.h"
#include "base/log.h"
#include "base/sha256.h"
#include "source/disk_cache.h"
#include "source/spool.h"
#include "worker/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD_SIZES = 8,
    HEAD_HASH = HEAD_SIZES + 8 * SHADER_DISK_CACHE_KEPT,
    HEAD = HEAD_HASH + SHA256_SIZE,
    EDGE = 64 * 1024, /* bytes at each end of a dump that identify it */
    PIECE = 64 * 1024,
};

static const char magic[HEAD_SIZES] = "GPDSHDR1";

_Static_assert((int)SHADER_DISK_CACHE_FILES == (int)LAUNCH_SHADER_FILES,
               "a process gets all of them");

void shader_disk_cache_init(struct shader_disk_cache *shaders)
{
    for (int i = 0; i < SHADER_DISK_CACHE_FILES; i++)
        shaders->files[i] = -1;
}

int shader_disk_cache_make(struct shader_disk_cache *shaders)
{
    if (shaders->files[0] >= 0)
        return 0;
    for (int i = 0; i < SHADER_DISK_CACHE_FILES; i++) {
        shaders->files[i] = launch_lift(memfd_create("gpudumpfs-shaders", MFD_CLOEXEC));
        if (shaders->files[i] < 0) {
            int status = -errno;

            shader_disk_cache_clear(shaders);
            return status;
        }
    }
    return 0;
}

int shader_disk_cache_share(const struct shader_disk_cache *from, struct shader_disk_cache *to)
{
    shader_disk_cache_init(to);
    for (int i = 0; i < SHADER_DISK_CACHE_FILES && from->files[i] >= 0; i++) {
        to->files[i] = fcntl(from->files[i], F_DUPFD_CLOEXEC, LAUNCH_DESCRIPTORS);
        if (to->files[i] < 0) {
            int status = -errno;

            shader_disk_cache_clear(to);
            return status;
        }
    }
    return 0;
}

void shader_disk_cache_clear(struct shader_disk_cache *shaders)
{
    for (int i = 0; i < SHADER_DISK_CACHE_FILES; i++)
        if (shaders->files[i] >= 0)
            close(shaders->files[i]);
    shader_disk_cache_init(shaders);
}

uint64_t shader_disk_cache_stored(const struct shader_disk_cache *shaders)
{
    int file = shaders->files[SHADER_DISK_CACHE_DATABASE];
    struct stat stat;

    return file >= 0 && fstat(file, &stat) == 0 ? (uint64_t)stat.st_size : 0;
}

uint64_t shader_disk_cache_bytes(const struct shader_disk_cache *shaders)
{
    uint64_t bytes = 0;
    struct stat stat;

    for (int i = 0; i < SHADER_DISK_CACHE_FILES; i++)
        if (shaders->files[i] >= 0 && fstat(shaders->files[i], &stat) == 0)
            bytes += (uint64_t)stat.st_blocks * 512;
    return bytes;
}

char *shader_disk_cache_folder(const char *program)
{
    static const char name[] = "gpudumpfs-shaders";
    char path[PATH_MAX], *folder = NULL, *database = NULL;

    /* Absolute, since the process changes its directory before Mesa looks for the folder. */
    if (realpath(program, path) == NULL)
        return NULL;
    *strrchr(path, '/') = '\0';
    if (asprintf(&folder, "%s/%s", path, name) < 0)
        return NULL;
    if (asprintf(&database, "%s/mesa_shader_cache_db", folder) < 0)
        database = NULL;
    if (database == NULL || access(database, X_OK) != 0) {
        free(folder);
        folder = NULL;
    }
    free(database);
    return folder;
}

/* Between mounts. */

static void identify(const struct source *source, char name[DISK_CACHE_NAME + 1])
{
    size_t edge = source->size < EDGE ? (size_t)source->size : EDGE;
    uint8_t digest[SHA256_SIZE], numbers[32];
    struct sha256 hash;

    bytes_put_le64(numbers, source->file_size);
    bytes_put_le64(numbers + 8, source->size);
    bytes_put_le64(numbers + 16, (uint64_t)source->mtime.tv_sec);
    bytes_put_le64(numbers + 24, (uint64_t)source->mtime.tv_nsec);
    sha256_init(&hash);
    sha256_add(&hash, PACKAGE_VERSION, sizeof(PACKAGE_VERSION));
    sha256_add(&hash, numbers, sizeof(numbers));
    sha256_add(&hash, source->data, edge);
    sha256_add(&hash, source->data + source->size - edge, edge);
    sha256_finish(&hash, digest);
    sha256_digits(digest, name);
}

char *shader_disk_cache_path(const struct source *source)
{
    char name[DISK_CACHE_NAME + 1], *home, *path = NULL;

    if (source->data == NULL || source->growth != NULL)
        return NULL;
    identify(source, name);
    if (helper_is_there(HELPER_KEEPER))
        return strdup(name);
    home = disk_cache_home();
    if (home != NULL && asprintf(&path, "%s/%s", home, name) < 0)
        path = NULL;
    free(home);
    return path;
}

/* Sends the keeper a request, with the descriptors of the files that are kept. */
static int ask_keeper(enum helper_kind kind, const char *name,
                      const struct shader_disk_cache *shaders)
{
    struct helper_request request;
    int status = helper_fill(&request, kind, name);

    if (status != 0)
        return status;
    return helper_ask(HELPER_KEEPER, &request, shaders != NULL ? shaders->files : NULL,
                      shaders != NULL ? SHADER_DISK_CACHE_KEPT : 0, NULL, NULL);
}

void shader_disk_cache_drop(const char *path)
{
    if (helper_is_there(HELPER_KEEPER))
        (void)ask_keeper(HELPER_DROP_SHADERS, path, NULL);
    else
        unlink(path);
}

/* Copies `size` bytes between the current offsets of two files, and adds them to the hash. */
static int copy(int from, int to, uint64_t size, struct sha256 *hash)
{
    uint8_t *piece = malloc(PIECE);
    int status = piece == NULL ? -ENOMEM : 0;

    while (status == 0 && size > 0) {
        size_t part = size < PIECE ? (size_t)size : PIECE;

        status = file_read_all(from, piece, part);
        if (status == 0)
            status = file_write_all(to, piece, part);
        if (status == 0)
            sha256_add(hash, piece, part);
        size -= part;
    }
    free(piece);
    return status;
}

static int rewind_all(const struct shader_disk_cache *shaders)
{
    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++)
        if (lseek(shaders->files[i], 0, SEEK_SET) < 0)
            return -errno;
    return 0;
}

static int load(int fd, const struct shader_disk_cache *shaders)
{
    uint8_t head[HEAD], digest[SHA256_SIZE];
    struct sha256 hash;
    struct stat stat;
    uint64_t left;
    int status;

    if (fstat(fd, &stat) < 0)
        return -errno;
    status = stat.st_size < HEAD ? -EBADMSG : file_read_all(fd, head, HEAD);
    if (status != 0)
        return status;
    if (memcmp(head, magic, sizeof(magic)) != 0)
        return -EBADMSG;
    left = (uint64_t)stat.st_size - HEAD;
    sha256_init(&hash);
    sha256_add(&hash, head, HEAD_HASH);
    status = rewind_all(shaders);
    for (int i = 0; status == 0 && i < SHADER_DISK_CACHE_KEPT; i++) {
        uint64_t size = bytes_le64(head + HEAD_SIZES + (size_t)i * 8);

        if (size > left || size > SHADER_DISK_CACHE_FILE_MAX)
            return -EBADMSG;
        left -= size;
        status = copy(fd, shaders->files[i], size, &hash);
    }
    sha256_finish(&hash, digest);
    if (status == 0 && (left != 0 || memcmp(digest, head + HEAD_HASH, SHA256_SIZE) != 0))
        status = -EBADMSG;
    return status;
}

static int load_from(const char *path, const struct shader_disk_cache *shaders)
{
    int fd = disk_cache_open(path), status;

    if (fd < 0)
        return fd;
    status = load(fd, shaders);
    close(fd);
    return status;
}

int shader_disk_cache_load(const char *path, const struct shader_disk_cache *shaders)
{
    int status = helper_is_there(HELPER_KEEPER) ? ask_keeper(HELPER_LOAD_SHADERS, path, shaders)
                                                : load_from(path, shaders);

    if (status == 0)
        return 0;
    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++)
        (void)!ftruncate(shaders->files[i], 0);
    if (status != -ENOENT)
        log_write(LOG_INFO, "compiled shaders in %s are not used: %s", path,
                  status == -EBADMSG ? "damaged" : strerror(-status));
    return status;
}

static int save(void *context, int fd)
{
    const struct shader_disk_cache *shaders = context;
    uint8_t head[HEAD] = {0};
    struct sha256 hash;
    int status = rewind_all(shaders);

    memcpy(head, magic, sizeof(magic));
    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++) {
        struct stat stat;

        if (fstat(shaders->files[i], &stat) < 0)
            return -errno;
        if ((uint64_t)stat.st_size > SHADER_DISK_CACHE_FILE_MAX)
            return -EFBIG;
        bytes_put_le64(head + HEAD_SIZES + (size_t)i * 8, (uint64_t)stat.st_size);
    }
    sha256_init(&hash);
    sha256_add(&hash, head, HEAD_HASH);
    if (status == 0 && lseek(fd, HEAD, SEEK_SET) < 0)
        status = -errno;
    for (int i = 0; status == 0 && i < SHADER_DISK_CACHE_KEPT; i++)
        status = copy(shaders->files[i], fd, bytes_le64(head + HEAD_SIZES + (size_t)i * 8), &hash);
    sha256_finish(&hash, head + HEAD_HASH);
    if (status == 0 && lseek(fd, 0, SEEK_SET) < 0)
        status = -errno;
    return status == 0 ? file_write_all(fd, head, HEAD) : status;
}

int shader_disk_cache_save_within(const char *path, const struct shader_disk_cache *shaders,
                                  uint64_t max)
{
    struct shader_disk_cache saved = *shaders;

    return disk_cache_replace(path, save, &saved, max);
}

int shader_disk_cache_save(const char *path, const struct shader_disk_cache *shaders)
{
    if (helper_is_there(HELPER_KEEPER))
        return ask_keeper(HELPER_SAVE_SHADERS, path, shaders);
    return shader_disk_cache_save_within(path, shaders, disk_cache_room(path));
}
