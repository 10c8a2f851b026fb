/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/fuzz/kept.h"

#include "tests/fuzz/tree.h"

#include "base/bytes.h"
#include "source/disk_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 48, HASH = 16, CHANGE = 5, CHANGES_MAX = 16 };

static char home[] = "/tmp/fuzz-kept-XXXXXX";

static void remove_home(void)
{
    char path[sizeof(home) + 16];

    snprintf(path, sizeof(path), "%s/gpudumpfs", home);
    rmdir(path);
    rmdir(home);
}

static void make_home(void)
{
    const char *caches = getenv("XDG_CACHE_HOME");

    if (caches != NULL && strcmp(caches, home) == 0)
        return;
    if (mkdtemp(home) == NULL || setenv("XDG_CACHE_HOME", home, 1) != 0)
        abort();
    atexit(remove_home);
}

/* Returns the index of the dump as a file, or -1. */
static int make_kept(const struct fuzz_kept *format, const struct source *source,
                     const struct options *options, struct kept_key *key)
{
    struct problems *problems = NULL;
    struct kept_writer writer;
    bool kept;
    int file;

    if (problems_create(&problems) != 0)
        return -1;
    kept_writer_begin(&writer, KEPT_FILE_MAX);
    kept = format->write(source, options, problems, &writer, key);
    file = kept_writer_take(&writer);
    problems_destroy(&problems);
    if (kept || file < 0)
        return file;
    close(file);
    return -1;
}

static void change(int file, const uint8_t *changes, size_t count)
{
    uint8_t *bytes, digest[SHA256_SIZE];
    struct sha256 hash;
    struct stat stat;

    if (fstat(file, &stat) != 0 || stat.st_size <= HEAD)
        return;
    bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return;
    for (; count > 0; count--, changes += CHANGE)
        bytes[HEAD + bytes_le32(changes) % (uint64_t)(stat.st_size - HEAD)] ^= changes[4];
    sha256_init(&hash);
    sha256_add(&hash, bytes + HEAD, (size_t)stat.st_size - HEAD);
    sha256_finish(&hash, digest);
    memcpy(bytes + HASH, digest, SHA256_SIZE);
    munmap(bytes, (size_t)stat.st_size);
}

static void use(const struct fuzz_kept *format, struct source *source,
                const struct options *options, const uint8_t *changes, size_t count)
{
    char *cache = disk_cache_home();
    struct kept_key key;
    int file = make_kept(format, source, options, &key);

    if (file >= 0) {
        change(file, changes, count);
        source->has_file = true;
        if (kept_file_replace_here(cache, key.digits, source->file, file) == 0)
            fuzz_dump(source, options, true);
        kept_file_drop_here(cache, key.digits, source->file);
        close(file);
    }
    free(cache);
}

void fuzz_kept(const struct fuzz_kept *format, const uint8_t *data, size_t size)
{
    size_t changes = size > 0 ? data[0] % CHANGES_MAX : 0, from = 1 + changes * CHANGE;
    struct options options;

    make_home();
    if (size <= from || format_options_init(&options) < 0)
        return;

    char *path = strdup(format->path);
    struct source source = {.data = data + from,
                            .size = size - from,
                            .file_size = size - from,
                            .path = path,
                            .file = memfd_create("dump", MFD_CLOEXEC)};

    options.max_memory = format->max_memory;
    if (path != NULL && source.file >= 0 && format->is_dump(&source))
        use(format, &source, &options, data + 1, changes);
    if (source.file >= 0)
        close(source.file);
    free(path);
    options_clear(&options);
}
