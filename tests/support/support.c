/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* The linker replaces calls of the originals by wrappers (TEST_WRAPPERS in configure.ac). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_reallocarray(void *block, size_t count, size_t size);
char *__real_strdup(const char *string);
void *__real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_reallocarray(void *block, size_t count, size_t size);
char *__wrap_strdup(const char *string);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);

/* Makes AddressSanitizer's malloc() return NULL, as others do, instead of ending the program. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static atomic_int allocations_left = -1; /* before the one that fails; negative: none fails */
static atomic_bool allocation_failed;

void support_fail_allocation(int n)
{
    if (n >= 0)
        atomic_store(&allocation_failed, false);
    atomic_store(&allocations_left, n < 0 ? -1 : n);
}

bool support_allocation_failed(void)
{
    return atomic_load(&allocation_failed);
}

int support_allocations_left(void)
{
    return atomic_load(&allocations_left);
}

static bool must_fail(void)
{
    if (atomic_load(&allocations_left) < 0 || atomic_fetch_sub(&allocations_left, 1) != 0)
        return false;
    atomic_store(&allocation_failed, true);
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return must_fail() ? NULL : __real_realloc(block, size);
}

void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
    return must_fail() ? NULL : __real_reallocarray(block, count, size);
}

char *__wrap_strdup(const char *string)
{
    return must_fail() ? NULL : __real_strdup(string);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return must_fail() ? MAP_FAILED : __real_mmap(address, size, protection, flags, fd, offset);
}

char *support_path(const char *folder, const char *name)
{
    char *path = NULL;

    assert_true(asprintf(&path, "%s/%s", folder, name) >= 0);
    return path;
}

unsigned support_count_files(const char *folder, char *path, size_t size)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    unsigned count = 0;

    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (entry->d_name[0] != '.') {
            count++;
            snprintf(path, size, "%s/%s", folder, entry->d_name);
        }
    if (entries != NULL)
        closedir(entries);
    return count;
}

void support_empty_folder(const char *folder)
{
    char path[4096];

    while (support_count_files(folder, path, sizeof(path)) > 0)
        assert_int_equal(unlink(path), 0);
}

_Noreturn void support_skip(const char *reason)
{
    printf("skipped: %s\n", reason); /* run-program.sh puts the reason into the test's line */
    fflush(stdout);
    skip();
    abort(); /* skip() does not return */
}

static bool corpus_is_required(void)
{
    const char *required = getenv("GPUDUMPFS_REQUIRE_CORPUS");

    return required != NULL && strcmp(required, "1") == 0;
}

_Noreturn void support_skip_driver(void)
{
    if (corpus_is_required())
        fail_msg("there is no graphics driver");
    support_skip("no graphics driver");
}

char *support_corpus(const char *name)
{
    const char *corpus = getenv("GPUDUMPFS_CORPUS");
    char *path;

    if (corpus == NULL)
        corpus = TOP_SRCDIR "/../shared/corpus";
    if (access(corpus, R_OK) < 0) {
        if (corpus_is_required())
            fail_msg("the corpus is required, and not at %s", corpus);
        support_skip("no corpus (GPUDUMPFS_CORPUS)");
    }
    path = support_path(corpus, name);
    if (access(path, R_OK) < 0)
        fail_msg("%s: %s", path, strerror(errno));
    return path;
}

char *support_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char *folder = support_path(parent != NULL ? parent : "/tmp", "gpudumpfs-test.XXXXXX");

    if (mkdtemp(folder) == NULL)
        fail_msg("%s: %s", folder, strerror(errno));
    return folder;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

void support_remove(char **folder)
{
    if (*folder == NULL)
        return;
    assert_int_equal(nftw(*folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(*folder);
    *folder = NULL;
}

uint8_t *support_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *bytes;

    if (file == NULL || fstat(fileno(file), &status) < 0)
        fail_msg("%s: %s", path, strerror(errno));
    bytes = malloc((size_t)status.st_size + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (size_t)status.st_size, file);
    if (*size != (size_t)status.st_size)
        fail_msg("%s: %zu of %zu bytes read", path, *size, (size_t)status.st_size);
    fclose(file);
    return bytes;
}

void support_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    assert_int_equal(size > 0 ? fwrite(bytes, 1, size, file) : 0, size);
    assert_int_equal(fclose(file), 0);
}

uint8_t *support_read_zst(const char *path, size_t *size)
{
    size_t room, packed_size, read;
    uint8_t *packed = support_read(path, &packed_size);
    uint8_t *bytes = NULL;
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed, packed_size, 0};
    ZSTD_outBuffer out = {NULL, 0, 0};

    assert_non_null(stream);
    for (room = packed_size * 4 + 4096; out.pos == out.size; room *= 2) {
        bytes = realloc(bytes, room);
        assert_non_null(bytes);
        out.dst = bytes;
        out.size = room;
        do {
            read = ZSTD_decompressStream(stream, &out, &in);
            if (ZSTD_isError(read))
                fail_msg("%s: %s", path, ZSTD_getErrorName(read));
        } while (in.pos < in.size && out.pos < out.size);
    }
    *size = out.pos;
    ZSTD_freeDStream(stream);
    free(packed);
    return bytes;
}

uint32_t support_crc32(const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

uint64_t support_random(uint64_t *state)
{
    *state ^= *state << 13; /* xorshift64 */
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

/* Returns the bytes of address space that the process uses. */
static rlim_t address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/*
 * Returns whether more memory can be mapped than the limit allows: qemu's user-mode emulation
 * ignores the limit.
 */
static bool is_room(uint64_t more)
{
    const size_t size = (size_t)more + (1 << 20);
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (room != MAP_FAILED)
        munmap(room, size);
    return room != MAP_FAILED;
}

void support_limit_space(uint64_t more)
{
    static struct rlimit before;
    static bool has_before;
    struct rlimit limit;

    if (!has_before)
        assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    has_before = true;
    limit = before;
    if (more > 0)
        limit.rlim_cur = address_space() + (rlim_t)more;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    if (more > 0 && is_room(more)) {
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        support_skip("address space has no limit here");
    }
}

unsigned support_stride(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 8;
#else
    return 1;
#endif
}
