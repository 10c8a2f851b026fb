/* SPDX-License-Identifier: MIT */
/*
 * A program's own malloc() and its relatives replace those of the C library, for the libraries that
 * it uses as well. In glibc those of the C library can still be called by second names.
 */
#include "config.h"

#include "tests/formats/starve.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || !defined(__GLIBC__)

static int wanted, left;

void starve_begin(int n)
{
    wanted = left = n;
    support_fail_allocation(n);
}

bool starve_end(void)
{
    bool reached = support_allocation_failed();

    left = support_allocations_left();
    support_fail_allocation(-1);
    return reached;
}

int starve_count(void)
{
    return wanted - left;
}

struct starve_held starve_held(void)
{
    return (struct starve_held){0};
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

enum { OFF = -1 };

static atomic_int wanted = OFF; /* number of the allocation that fails */
static atomic_int count;
static atomic_llong blocks, mappings;

void starve_begin(int n)
{
    atomic_store(&count, 0);
    atomic_store(&wanted, n);
}

bool starve_end(void)
{
    int n = atomic_exchange(&wanted, OFF);

    return n != OFF && atomic_load(&count) > n;
}

int starve_count(void)
{
    return atomic_load(&count);
}

static int64_t open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int64_t files = 0;

    while (folder != NULL && readdir(folder) != NULL)
        files++;
    if (folder != NULL)
        closedir(folder);
    return files;
}

struct starve_held starve_held(void)
{
    struct starve_held held = {.files = open_files()};

    held.blocks = atomic_load(&blocks);
    held.mappings = atomic_load(&mappings);
    return held;
}

static bool must_fail(void)
{
    int n = atomic_load(&wanted);

    if (n == OFF || atomic_fetch_add(&count, 1) != n)
        return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add(&blocks, 1);
    return block;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
    return must_fail() ? NULL : counted(__libc_calloc(number, size));
}

void *realloc(void *block, size_t size)
{
    void *moved = must_fail() ? NULL : __libc_realloc(block, size);

    if (block == NULL)
        counted(moved);
    else if (moved == NULL && size == 0)
        atomic_fetch_sub(&blocks, 1);
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    return must_fail() ? NULL : counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = memalign(alignment, size);

    if (block == NULL)
        return ENOMEM;
    *out = block;
    return 0;
}

void free(void *block)
{
    if (block != NULL)
        atomic_fetch_sub(&blocks, 1);
    __libc_free(block);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    void *mapped = MAP_FAILED;

    if (!must_fail())
        mapped = (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
    if (mapped != MAP_FAILED && (flags & MAP_FIXED) == 0)
        atomic_fetch_add(&mappings, 1);
    return mapped;
}

int munmap(void *address, size_t size)
{
    atomic_fetch_sub(&mappings, 1);
    return (int)syscall(SYS_munmap, address, size);
}

#endif
