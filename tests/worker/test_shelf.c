/*
 * Compiled shaders between mounts: the same bytes come back, and nothing of a file that is
 * damaged, another's, or a link; what the folder may hold; who has none.
 */
#include "config.h"

#include "tests/support/support.h"

#include "worker/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 200000, HEAD = 56 };

struct shelf {
    char *root, *folder, *path;
    struct shaders shaders;
};

static void fill(const struct shaders *shaders, unsigned seed)
{
    for (int i = 0; i < SHADERS_KEPT; i++) {
        uint64_t random = seed + (unsigned)i;
        uint32_t words[SIZE / 4];

        for (size_t n = 0; n < COUNT_OF(words); n++)
            words[n] = (uint32_t)support_random(&random);
        assert_int_equal(ftruncate(shaders->files[i], 0), 0);
        assert_int_equal(pwrite(shaders->files[i], words, SIZE - (size_t)i * 4000, 0),
                         SIZE - i * 4000);
    }
}

static void shelf_begin(struct shelf *shelf)
{
    shelf->root = support_folder();
    shelf->folder = support_path(shelf->root, "gpudumpfs");
    shelf->path = support_path(shelf->folder, "one");
    shaders_init(&shelf->shaders);
    assert_int_equal(shaders_make(&shelf->shaders), 0);
    fill(&shelf->shaders, 1);
}

static void shelf_end(struct shelf *shelf)
{
    shaders_clear(&shelf->shaders);
    free(shelf->path);
    free(shelf->folder);
    support_remove(&shelf->root);
}

static off_t size_of(int file)
{
    struct stat stat;

    assert_int_equal(fstat(file, &stat), 0);
    return stat.st_size;
}

static void expect_equal(const struct shaders *some, const struct shaders *others)
{
    static uint8_t ours[SIZE], theirs[SIZE];

    for (int i = 0; i < SHADERS_KEPT; i++) {
        off_t size = size_of(some->files[i]);

        assert_int_equal(size_of(others->files[i]), size);
        assert_int_equal(pread(some->files[i], ours, SIZE, 0), size);
        assert_int_equal(pread(others->files[i], theirs, SIZE, 0), size);
        assert_memory_equal(ours, theirs, (size_t)size);
    }
}

/* What loading gives; after a failure nothing. */
static int load(const struct shelf *shelf)
{
    struct shaders loaded;
    int status;

    shaders_init(&loaded);
    assert_int_equal(shaders_make(&loaded), 0);
    status = shelf_load(shelf->path, &loaded);
    if (status == 0)
        expect_equal(&shelf->shaders, &loaded);
    for (int i = 0; status < 0 && i < SHADERS_KEPT; i++)
        assert_int_equal(size_of(loaded.files[i]), 0);
    shaders_clear(&loaded);
    return status;
}

static void test_the_same_comes_back(void **state)
{
    struct shelf shelf;
    struct stat stat_of;

    (void)state;
    shelf_begin(&shelf);
    assert_int_equal(load(&shelf), -ENOENT);
    for (unsigned n = 0; n < 3; n++) {
        fill(&shelf.shaders, n);
        assert_int_equal(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST), 0);
        assert_int_equal(load(&shelf), 0);
    }
    assert_int_equal(stat(shelf.path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0600);
    assert_int_equal(stat(shelf.folder, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0700);
    assert_int_equal(stat_of.st_nlink, 2);
    shelf_end(&shelf);
}

static void test_damage(void **state)
{
    struct shelf shelf;
    uint8_t *bytes;
    size_t size;

    (void)state;
    shelf_begin(&shelf);
    assert_int_equal(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST), 0);
    bytes = support_read(shelf.path, &size);
    assert_int_equal(size, HEAD + 2 * SIZE - 4000);
    for (size_t at = 0; at < size; at += at < HEAD ? 1 : 9973) {
        bytes[at] ^= 0x40;
        support_write(shelf.path, bytes, size);
        assert_int_equal(chmod(shelf.path, 0600), 0);
        assert_int_equal(load(&shelf), -EBADMSG);
        bytes[at] ^= 0x40;
    }
    for (size_t cut = 0; cut < size; cut += cut < HEAD + 2 ? 1 : 30011) {
        support_write(shelf.path, bytes, cut);
        assert_int_equal(load(&shelf), -EBADMSG);
    }
    support_write(shelf.path, bytes, size);
    assert_int_equal(load(&shelf), 0);
    free(bytes);
    shelf_end(&shelf);
}

static void test_files_of_others(void **state)
{
    struct shelf shelf;
    char *elsewhere, *folder;

    (void)state;
    shelf_begin(&shelf);
    elsewhere = support_path(shelf.root, "elsewhere");
    folder = support_path(shelf.root, "moved");
    assert_int_equal(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST), 0);
    assert_int_equal(chmod(shelf.path, 0644), 0);
    assert_int_equal(load(&shelf), -EPERM);
    assert_int_equal(chmod(shelf.path, 0600), 0);
    if (geteuid() == 0) { /* who else may give files away? */
        assert_int_equal(chown(shelf.path, 65534, (gid_t)-1), 0);
        assert_int_equal(load(&shelf), -EPERM);
        assert_int_equal(chown(shelf.path, 0, (gid_t)-1), 0);
    }
    assert_int_equal(rename(shelf.path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, shelf.path), 0);
    assert_int_equal(load(&shelf), -ELOOP);
    /* Saving replaces the link, and leaves what it led to. */
    fill(&shelf.shaders, 7);
    assert_int_equal(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST), 0);
    assert_int_equal(load(&shelf), 0);
    assert_int_equal(unlink(shelf.path), 0);
    assert_int_equal(link(elsewhere, shelf.path), 0);
    fill(&shelf.shaders, 1);
    assert_int_equal(load(&shelf), 0);
    assert_int_equal(unlink(shelf.path), 0);
    assert_int_equal(mkfifo(shelf.path, 0600), 0);
    assert_int_equal(load(&shelf), -EPERM);
    assert_int_equal(unlink(shelf.path), 0);
    assert_int_equal(rename(elsewhere, shelf.path), 0);
    /* A folder that is a link, or that others may write. */
    assert_int_equal(chmod(shelf.folder, 0722), 0);
    assert_int_equal(load(&shelf), -EPERM);
    assert_int_equal(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST), -EPERM);
    assert_int_equal(chmod(shelf.folder, 0700), 0);
    assert_int_equal(rename(shelf.folder, folder), 0);
    assert_int_equal(symlink(folder, shelf.folder), 0);
    assert_true(load(&shelf) < 0);
    assert_true(shelf_save(shelf.path, &shelf.shaders, SHELF_MOST) < 0);
    assert_int_equal(unlink(shelf.folder), 0);
    free(folder);
    free(elsewhere);
    shelf_end(&shelf);
}

static void test_oldest_go_first(void **state)
{
    static const char *const names[] = {"b", "a", "c", "d"};
    struct shelf shelf;

    (void)state;
    shelf_begin(&shelf);
    for (int n = 0; n < (int)COUNT_OF(names); n++) {
        const struct timespec times[2] = {{.tv_sec = 1000 + n}, {.tv_sec = 1000 + n}};
        char *path = support_path(shelf.folder, names[n]);

        assert_int_equal(shelf_save(path, &shelf.shaders, 3 * 2 * SIZE), 0);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        free(path);
    }
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *path = support_path(shelf.folder, names[n]);

        assert_int_equal(access(path, F_OK), n == 0 ? -1 : 0);
        free(path);
    }
    /* The one that is saved stays, however little may. */
    assert_int_equal(shelf_save(shelf.path, &shelf.shaders, 1), 0);
    assert_int_equal(load(&shelf), 0);
    assert_int_equal(unlink(shelf.path), 0);
    assert_int_equal(rmdir(shelf.folder), 0);
    shelf_end(&shelf);
}

static void expect_path(const struct source *source, const char *folder, bool same,
                        const char *other)
{
    char *path = shelf_path(source);

    assert_non_null(path);
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
    assert_int_equal(strlen(path), strlen(folder) + 64);
    if (other != NULL)
        assert_true((strcmp(path, other) == 0) == same);
    free(path);
}

/* Root can give its own away; who is not root finds that of root. */
static const char *home_of_another(const char *home)
{
    if (geteuid() != 0)
        return "/";
    assert_int_equal(chown(home, 65534, (gid_t)-1), 0);
    return home;
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
    assert_int_equal(setenv("XDG_CACHE_HOME", "here", 1), 0); /* not absolute: none */
    expect_path(&source, below_home, true, NULL);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    assert_null(shelf_path(&source));
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    expect_path(&source, caches, true, NULL);
    first = shelf_path(&source);
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
    assert_null(shelf_path(&source));
    source.data = bytes;
    assert_int_equal(setenv("XDG_CACHE_HOME", home_of_another(home), 1), 0);
    assert_null(shelf_path(&source));
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_null(shelf_path(&source));
    free(first);
    free(below_home);
    free(caches);
    support_remove(&home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_comes_back),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_files_of_others),
        cmocka_unit_test(test_oldest_go_first),
        cmocka_unit_test(test_where),
    };

    return cmocka_run_group_tests_name("worker_shelf", tests, NULL, NULL);
}
