/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders between mounts: the same bytes come back, and none of a file that is damaged,
 * another user's, or a link; the folder's size limit; users without a folder.
 */
#include "config.h"

#include "tests/support/support.h"

#include "source/disk_cache.h"
#include "worker/shader_disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 200000, HEAD = 56 };

struct cached {
    char *root, *folder, *path;
    struct shader_disk_cache shaders;
};

static void fill(const struct shader_disk_cache *shaders, unsigned seed)
{
    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++) {
        uint64_t random = seed + (unsigned)i;
        uint32_t words[SIZE / 4];

        for (size_t n = 0; n < COUNT_OF(words); n++)
            words[n] = (uint32_t)support_random(&random);
        assert_int_equal(ftruncate(shaders->files[i], 0), 0);
        assert_int_equal(pwrite(shaders->files[i], words, SIZE - (size_t)i * 4000, 0),
                         SIZE - i * 4000);
    }
}

static void cached_begin(struct cached *cached)
{
    cached->root = support_folder();
    cached->folder = support_path(cached->root, "gpudumpfs");
    cached->path = support_path(cached->folder, "one");
    shader_disk_cache_init(&cached->shaders);
    assert_int_equal(shader_disk_cache_make(&cached->shaders), 0);
    fill(&cached->shaders, 1);
}

static void cached_end(struct cached *cached)
{
    shader_disk_cache_clear(&cached->shaders);
    free(cached->path);
    free(cached->folder);
    support_remove(&cached->root);
}

static off_t size_of(int file)
{
    struct stat stat;

    assert_int_equal(fstat(file, &stat), 0);
    return stat.st_size;
}

static void expect_equal(const struct shader_disk_cache *some,
                         const struct shader_disk_cache *others)
{
    static uint8_t ours[SIZE], theirs[SIZE];

    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++) {
        off_t size = size_of(some->files[i]);

        assert_int_equal(size_of(others->files[i]), size);
        assert_int_equal(pread(some->files[i], ours, SIZE, 0), size);
        assert_int_equal(pread(others->files[i], theirs, SIZE, 0), size);
        assert_memory_equal(ours, theirs, (size_t)size);
    }
}

/* Loads the shaders and returns the status; asserts that a failure loads nothing. */
static int load(const struct cached *cached)
{
    struct shader_disk_cache loaded;
    int status;

    shader_disk_cache_init(&loaded);
    assert_int_equal(shader_disk_cache_make(&loaded), 0);
    status = shader_disk_cache_load(cached->path, &loaded);
    if (status == 0)
        expect_equal(&cached->shaders, &loaded);
    for (int i = 0; status < 0 && i < SHADER_DISK_CACHE_KEPT; i++)
        assert_int_equal(size_of(loaded.files[i]), 0);
    shader_disk_cache_clear(&loaded);
    return status;
}

static void test_the_same_comes_back(void **state)
{
    struct cached cached;
    struct stat stat_of;

    (void)state;
    cached_begin(&cached);
    assert_int_equal(load(&cached), -ENOENT);
    for (unsigned n = 0; n < 3; n++) {
        fill(&cached.shaders, n);
        assert_int_equal(shader_disk_cache_save(cached.path, &cached.shaders), 0);
        assert_int_equal(load(&cached), 0);
    }
    assert_int_equal(stat(cached.path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0600);
    assert_int_equal(stat(cached.folder, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0700);
    assert_int_equal(stat_of.st_nlink, 2);
    cached_end(&cached);
}

static void test_damage(void **state)
{
    struct cached cached;
    uint8_t *bytes;
    size_t size;

    (void)state;
    cached_begin(&cached);
    assert_int_equal(shader_disk_cache_save(cached.path, &cached.shaders), 0);
    bytes = support_read(cached.path, &size);
    assert_int_equal(size, HEAD + 2 * SIZE - 4000);
    for (size_t at = 0; at < size; at += at < HEAD ? 1 : 9973) {
        bytes[at] ^= 0x40;
        support_write(cached.path, bytes, size);
        assert_int_equal(chmod(cached.path, 0600), 0);
        assert_int_equal(load(&cached), -EBADMSG);
        bytes[at] ^= 0x40;
    }
    for (size_t cut = 0; cut < size; cut += cut < HEAD + 2 ? 1 : 30011) {
        support_write(cached.path, bytes, cut);
        assert_int_equal(load(&cached), -EBADMSG);
    }
    support_write(cached.path, bytes, size);
    assert_int_equal(load(&cached), 0);
    free(bytes);
    cached_end(&cached);
}

static void test_files_of_others(void **state)
{
    struct cached cached;
    char *elsewhere, *folder;

    (void)state;
    cached_begin(&cached);
    elsewhere = support_path(cached.root, "elsewhere");
    folder = support_path(cached.root, "moved");
    assert_int_equal(shader_disk_cache_save(cached.path, &cached.shaders), 0);
    assert_int_equal(chmod(cached.path, 0644), 0);
    assert_int_equal(load(&cached), -EPERM);
    assert_int_equal(chmod(cached.path, 0600), 0);
    if (geteuid() == 0) { /* only root may give files away */
        assert_int_equal(chown(cached.path, 65534, (gid_t)-1), 0);
        assert_int_equal(load(&cached), -EPERM);
        assert_int_equal(chown(cached.path, 0, (gid_t)-1), 0);
    }
    assert_int_equal(rename(cached.path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, cached.path), 0);
    assert_int_equal(load(&cached), -ELOOP);
    /* Saving replaces the link, and does not change its target. */
    fill(&cached.shaders, 7);
    assert_int_equal(shader_disk_cache_save(cached.path, &cached.shaders), 0);
    assert_int_equal(load(&cached), 0);
    assert_int_equal(unlink(cached.path), 0);
    assert_int_equal(link(elsewhere, cached.path), 0);
    fill(&cached.shaders, 1);
    assert_int_equal(load(&cached), 0);
    assert_int_equal(unlink(cached.path), 0);
    assert_int_equal(mkfifo(cached.path, 0600), 0);
    assert_int_equal(load(&cached), -EPERM);
    assert_int_equal(unlink(cached.path), 0);
    assert_int_equal(rename(elsewhere, cached.path), 0);
    /* A folder that is a link, or that others may write to. */
    assert_int_equal(chmod(cached.folder, 0722), 0);
    assert_int_equal(load(&cached), -EPERM);
    assert_int_equal(shader_disk_cache_save(cached.path, &cached.shaders), -EPERM);
    assert_int_equal(chmod(cached.folder, 0700), 0);
    assert_int_equal(rename(cached.folder, folder), 0);
    assert_int_equal(symlink(folder, cached.folder), 0);
    assert_true(load(&cached) < 0);
    assert_true(shader_disk_cache_save(cached.path, &cached.shaders) < 0);
    assert_int_equal(unlink(cached.folder), 0);
    free(folder);
    free(elsewhere);
    cached_end(&cached);
}

static void test_oldest_go_first(void **state)
{
    static const char *const names[] = {"b", "a", "c", "d"};
    struct cached cached;

    (void)state;
    cached_begin(&cached);
    for (int n = 0; n < (int)COUNT_OF(names); n++) {
        const struct timespec times[2] = {{.tv_sec = 1000 + n}, {.tv_sec = 1000 + n}};
        char *path = support_path(cached.folder, names[n]);

        assert_int_equal(shader_disk_cache_save_within(path, &cached.shaders, 3 * 2 * SIZE), 0);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        free(path);
    }
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *path = support_path(cached.folder, names[n]);

        assert_int_equal(access(path, F_OK), n == 0 ? -1 : 0);
        free(path);
    }
    /* A name without a slash has no folder. */
    assert_int_equal(shader_disk_cache_save(strrchr(cached.path, '/') + 1, &cached.shaders),
                     -EINVAL);
    /* The file that is saved stays, however low the limit is. */
    assert_int_equal(shader_disk_cache_save_within(cached.path, &cached.shaders, 1), 0);
    assert_int_equal(load(&cached), 0);
    assert_int_equal(unlink(cached.path), 0);
    assert_int_equal(rmdir(cached.folder), 0);
    cached_end(&cached);
}

static void expect_path(const struct source *source, const char *folder, bool same,
                        const char *other)
{
    char *path = shader_disk_cache_path(source);

    assert_non_null(path);
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
    assert_int_equal(strlen(path), strlen(folder) + 64);
    if (other != NULL)
        assert_true((strcmp(path, other) == 0) == same);
    free(path);
}

/* Returns a folder of another user: root gives its own one away; another user takes root's. */
static const char *home_of_another(const char *home)
{
    if (geteuid() != 0)
        return "/";
    assert_int_equal(chown(home, 65534, (gid_t)-1), 0);
    return home;
}

static int write_word(void *context, int file)
{
    const char *word = context;

    return write(file, word, strlen(word)) == (ssize_t)strlen(word) ? 0 : -EIO;
}

static int write_amid_another(void *context, int file)
{
    static char inner[] = "inner", outer[] = "outer";

    assert_int_equal(disk_cache_replace(context, write_word, inner, DISK_CACHE_MAX), 0);
    return write_word(outer, file);
}

/* Threads of different PID namespaces may have the same number, as this one's two writers have. */
static void test_writers_of_one_number(void **state)
{
    struct cached cached;
    char word[8] = "";
    int file;

    (void)state;
    cached_begin(&cached);
    assert_int_equal(
        disk_cache_replace(cached.path, write_amid_another, cached.path, DISK_CACHE_MAX), 0);
    file = disk_cache_open(cached.path);
    assert_int_equal(read(file, word, sizeof(word)), 5);
    assert_string_equal(word, "outer");
    close(file);
    cached_end(&cached);
}

static void test_where(void **state)
{
    uint8_t bytes[300000] = {0};
    struct source source = {.data = bytes, .size = sizeof(bytes), .file_size = 17};
    char *home = support_folder(), *caches = support_path(home, "gpudumpfs/");
    char *below_home = support_path(home, ".cache/gpudumpfs/"), *first;

    (void)state;
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(setenv("HOME", home, 1), 0);
    expect_path(&source, below_home, true, NULL);
    assert_int_equal(setenv("XDG_CACHE_HOME", "here", 1), 0); /* not absolute: there is no folder */
    expect_path(&source, below_home, true, NULL);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    assert_null(shader_disk_cache_path(&source));
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    expect_path(&source, caches, true, NULL);
    first = shader_disk_cache_path(&source);
    expect_path(&source, caches, true, first);
    bytes[0] = 1;
    expect_path(&source, caches, false, first);
    bytes[0] = 0;
    bytes[sizeof(bytes) - 1] = 1;
    expect_path(&source, caches, false, first);
    bytes[sizeof(bytes) - 1] = 0;
    source.mtime.tv_nsec = 1;
    expect_path(&source, caches, false, first);
    source.mtime.tv_nsec = 0;
    source.file_size = 18;
    expect_path(&source, caches, false, first);
    source.file_size = 17;
    expect_path(&source, caches, true, first);
    source.data = NULL;
    assert_null(shader_disk_cache_path(&source));
    source.data = bytes;
    assert_int_equal(setenv("XDG_CACHE_HOME", home_of_another(home), 1), 0);
    assert_null(shader_disk_cache_path(&source));
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_null(shader_disk_cache_path(&source));
    free(first);
    free(below_home);
    free(caches);
    support_remove(&home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_comes_back),   cmocka_unit_test(test_damage),
        cmocka_unit_test(test_files_of_others),       cmocka_unit_test(test_oldest_go_first),
        cmocka_unit_test(test_writers_of_one_number), cmocka_unit_test(test_where),
    };

    return cmocka_run_group_tests_name("shader_disk_cache", tests, NULL, NULL);
}
