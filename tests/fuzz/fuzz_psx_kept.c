/* SPDX-License-Identifier: MIT */
/*
 * Kept indexes of PSX GPU dumps (formats/psx/index/kept_index.h), forged: the input is a number of
 * bytes to be changed, for each a place and a value, and a dump, whose index is made, changed
 * there, given the right hash, and taken for the dump's. What is not refused is walked as any
 * dump's tree.
 */
#include "config.h"

#include "tests/fuzz/tree.h"

#include "base/bytes.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/index/kept_index.h"
#include "source/disk_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 48, HASH = 16, CHANGE = 5, INDEX_MEMORY = 1 << 20 };

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
    if (mkdtemp(home) == NULL || setenv("XDG_CACHE_HOME", home, 1) != 0)
        abort();
    atexit(remove_home);
    psx_kept_index_from = 0;
}

/* The index of the dump as a file, or -1. */
static int make_kept(const struct source *source, const struct options *options)
{
    struct problems *problems = NULL;
    struct kept_writer writer;
    struct psx_index index;
    int file = -1;

    if (problems_create(&problems) == 0 &&
        psx_index_open(source, options, problems, NULL, &index) == 0) {
        if (psx_index_wait_all(&index, NULL) == 0) {
            kept_writer_begin(&writer, KEPT_FILE_MAX);
            psx_kept_index_write(&index, &writer);
            file = kept_writer_take(&writer);
        }
        psx_index_close(&index);
    }
    problems_destroy(&problems);
    return file;
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

static void use(struct source *source, const struct options *options, const uint8_t *changes,
                size_t count)
{
    char *cache = disk_cache_home();
    struct kept_key key;
    int file = make_kept(source, options);

    if (file >= 0) {
        change(file, changes, count);
        source->has_file = true;
        psx_kept_index_key(source, options, &key);
        if (kept_file_replace_here(cache, key.digits, source->file, file) == 0)
            fuzz_dump(source, options, true);
        kept_file_drop_here(cache, key.digits, source->file);
        close(file);
    }
    free(cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t changes = size > 0 ? data[0] % 16 : 0, from = 1 + changes * CHANGE;
    char path[] = "/fuzz.psxgpu";
    struct options options;

    if (getenv("XDG_CACHE_HOME") == NULL || strcmp(getenv("XDG_CACHE_HOME"), home) != 0)
        make_home();
    if (size <= from || format_options_init(&options) < 0)
        return 0;

    struct source source = {.data = data + from,
                            .size = size - from,
                            .file_size = size - from,
                            .path = path,
                            .file = memfd_create("dump", MFD_CLOEXEC)};

    options.max_memory = INDEX_MEMORY;
    if (psx_magic_length(psx_magic_read(source.data, source.size)) > 0 && source.file >= 0)
        use(&source, &options, data + 1, changes);
    if (source.file >= 0)
        close(source.file);
    options_clear(&options);
    return 0;
}
