/* SPDX-License-Identifier: MIT */
/* Which files the keeper opens, and which it refuses, whatever the request. */
#include "config.h"

#include "cli/helpers.h"
#include "cli/keeper.h"

#include "base/file_access.h"
#include "source/spool.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[] = {"beside", "link", "missing", "pipe", NULL};
static const char digits[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static struct {
    char *folder, *dump, *granted, *output, *spool, *tree;
    char descriptor[32]; /* path of a descriptor that is open for reading */
    int open;            /* this descriptor */
    char deleted[40]; /* path of a descriptor whose file was deleted; the keeper's spool folder has
                         the same number */
    struct keeper_grants grants;
} world;

static int refuse(void *context)
{
    (void)context;
    return -EPERM;
}

static int fail_to_mount(void *context, int *device)
{
    (void)context, (void)device;
    return 10;
}

/* Creates or extends a file, which shows the test, a different process, that this was called. */
static void note_detach(void *context, bool gone)
{
    char *path = support_path(world.folder, "detached");

    (void)context, (void)gone;
    close(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    free(path);
}

static void be_keeper(void *context, int socket)
{
    const struct keeper_params params = {.grants = &world.grants,
                                         .spool = world.spool,
                                         .mount = fail_to_mount,
                                         .unmount = refuse,
                                         .detach = note_detach};

    (void)context;
    keeper_serve(&params, socket);
}

static void write_in(const char *folder, const char *name)
{
    char *path = support_path(folder, name);

    support_write(path, name, strlen(name));
    free(path);
}

/* Creates a folder below which every file may be read. */
static void make_tree(void)
{
    char *below, *link;

    world.tree = support_path(world.folder, "tree");
    below = support_path(world.tree, "below");
    assert_int_equal(mkdir(world.tree, 0700), 0);
    assert_int_equal(mkdir(below, 0700), 0);
    write_in(below, "file");
    link = support_path(below, "link");
    assert_int_equal(symlink("file", link), 0);
    free(link);
    link = support_path(world.tree, "out");
    assert_int_equal(symlink("..", link), 0);
    free(link);
    link = support_path(below, "pipe");
    assert_int_equal(mkfifo(link, 0600), 0);
    free(link);
    free(below);
}

static void open_descriptor(void)
{
    char *path = support_path(world.folder, "secret");

    world.open = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(world.open > STDERR_FILENO);
    snprintf(world.descriptor, sizeof(world.descriptor), "/dev/fd/%d", world.open);
    free(path);
}

static void open_deleted(void)
{
    char *path = support_path(world.folder, "deleted");
    int file;

    write_in(world.folder, "deleted");
    file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file > STDERR_FILENO);
    assert_int_equal(unlink(path), 0);
    snprintf(world.deleted, sizeof(world.deleted), "/proc/thread-self/fd/%d", file);
    free(path);
}

static int make_world(void **state)
{
    char *path;

    (void)state;
    world.folder = support_folder();
    world.dump = support_path(world.folder, "dump");
    world.granted = support_path(world.folder, "granted");
    world.output = support_path(world.folder, "output");
    world.spool = support_path(world.folder, "spool");
    assert_int_equal(setenv("XDG_CACHE_HOME", world.folder, 1), 0);
    assert_int_equal(mkdir(world.granted, 0700), 0);
    assert_int_equal(mkdir(world.spool, 0700), 0);
    write_in(world.folder, "dump");
    write_in(world.folder, "secret");
    write_in(world.granted, "beside");
    write_in(world.granted, "another");
    path = support_path(world.granted, "link");
    assert_int_equal(symlink("../secret", path), 0);
    free(path);
    path = support_path(world.granted, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    free(path);
    make_tree();
    open_descriptor();
    open_deleted();
    assert_int_equal(keeper_grant(&world.grants, KEEPER_TREE, world.tree, NULL), 0);
    assert_int_equal(keeper_grant(&world.grants, KEEPER_FILE, world.descriptor, NULL), 0);
    assert_int_equal(keeper_grant(&world.grants, KEEPER_FILE, world.deleted, NULL), 0);
    assert_int_equal(keeper_grant(&world.grants, KEEPER_FILE, world.dump, NULL), 0);
    assert_int_equal(keeper_grant(&world.grants, KEEPER_NAMES, world.granted, names), 0);
    assert_int_equal(keeper_grant(&world.grants, KEEPER_APPEND, world.output, NULL), 0);
    assert_int_equal(helpers_start(HELPER_KEEPER, "keeper", be_keeper, NULL), 0);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    close(world.open);
    keeper_grants_clear(&world.grants);
    free(world.dump);
    free(world.granted);
    free(world.output);
    free(world.spool);
    free(world.tree);
    support_remove(&world.folder);
    return 0;
}

/* Opens and closes a file. Returns 0, or -errno. */
static int opening(int folder, const char *path, enum file_access_use use)
{
    int file = file_access_open(folder, path, use);

    if (file < 0)
        return file;
    close(file);
    return 0;
}

static int opening_in(const char *folder, const char *name, enum file_access_use use)
{
    char *path = support_path(folder, name);
    int status = opening(AT_FDCWD, path, use);

    free(path);
    return status;
}

static void the_dump_is_opened_to_be_read(void **state)
{
    int file = file_access_open(AT_FDCWD, world.dump, FILE_ACCESS_READ);
    char bytes[8];

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(read(file, bytes, sizeof(bytes)), 4);
    assert_int_equal(write(file, "x", 1), -1);
    assert_int_equal(fcntl(file, F_GETFD), FD_CLOEXEC);
    close(file);
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_APPEND), -EACCES);
}

/* In the keeper, the descriptor's number belongs to another file, or to none. */
static void a_descriptors_file_is_opened_by_its_path(void **state)
{
    int file = file_access_open(AT_FDCWD, world.descriptor, FILE_ACCESS_READ);
    char bytes[8];

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(read(file, bytes, sizeof(bytes)), 6);
    close(file);
}

/* This holds even if the descriptor's number is in use in the keeper. */
static void a_descriptors_file_that_has_gone_is_not_opened(void **state)
{
    (void)state;
    assert_int_equal(opening(AT_FDCWD, world.deleted, FILE_ACCESS_READ), -ENOENT);
}

static void other_files_are_not_opened(void **state)
{
    char *inside = support_path(world.dump, "x"), *long_name = malloc(2 * HELPER_NAME);

    (void)state;
    assert_int_equal(opening_in(world.folder, "secret", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.folder, "./dump", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.folder, "granted", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(AT_FDCWD, "/etc/passwd", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(AT_FDCWD, "", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(AT_FDCWD, inside, FILE_ACCESS_READ), -EACCES);
    memset(long_name, '/', 2 * HELPER_NAME);
    long_name[2 * HELPER_NAME - 1] = '\0';
    assert_int_equal(opening(AT_FDCWD, long_name, FILE_ACCESS_READ), -ENAMETOOLONG);
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_USES), -EINVAL);
    free(inside);
    free(long_name);
}

static void of_a_folder_names_are_opened(void **state)
{
    int granted = open(world.granted, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int folder = open(world.folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

    (void)state;
    assert_int_equal(opening_in(world.granted, "beside", FILE_ACCESS_READ), 0);
    assert_int_equal(opening_in(world.granted, "missing", FILE_ACCESS_READ), -ENOENT);
    assert_int_equal(opening_in(world.granted, "another", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.granted, "link", FILE_ACCESS_READ), 0);
    assert_int_equal(opening_in(world.granted, "link", FILE_ACCESS_READ_NO_LINK), -ELOOP);
    assert_int_equal(opening_in(world.granted, "pipe", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.granted, "../secret", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.granted, "..", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.granted, "", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening_in(world.granted, "beside", FILE_ACCESS_APPEND), -EACCES);
    assert_int_equal(opening(granted, "beside", FILE_ACCESS_READ), 0);
    assert_int_equal(opening(granted, "another", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(granted, world.dump, FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(folder, "secret", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(folder, "beside", FILE_ACCESS_READ), -EACCES);
    close(granted);
    close(folder);
}

static void below_a_folder_files_are_opened(void **state)
{
    int tree = open(world.tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int folder = open(world.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    (void)state;
    assert_int_equal(opening(tree, "below/file", FILE_ACCESS_BELOW), 0);
    assert_int_equal(opening(tree, "below/link", FILE_ACCESS_BELOW), -ELOOP);
    assert_int_equal(opening(tree, "below/pipe", FILE_ACCESS_BELOW), -ENXIO);
    assert_int_equal(opening(tree, "below", FILE_ACCESS_BELOW), -ENXIO);
    assert_int_equal(opening(tree, "missing", FILE_ACCESS_BELOW), -ENOENT);
    assert_int_equal(opening(tree, "out/secret", FILE_ACCESS_BELOW), -ELOOP);
    assert_int_equal(opening(tree, "../secret", FILE_ACCESS_BELOW), -EXDEV);
    assert_int_equal(opening(tree, "/etc/passwd", FILE_ACCESS_BELOW), -EXDEV);
    assert_int_equal(opening(tree, "below/file", FILE_ACCESS_READ), -EACCES);
    assert_int_equal(opening(tree, "below/file", FILE_ACCESS_APPEND), -EACCES);
    assert_int_equal(opening(tree, ".", FILE_ACCESS_FOLDER_BELOW), 0);
    assert_int_equal(opening(tree, "below", FILE_ACCESS_FOLDER_BELOW), 0);
    assert_int_equal(opening(tree, "below/file", FILE_ACCESS_FOLDER_BELOW), -ENOTDIR);
    assert_int_equal(opening(tree, "..", FILE_ACCESS_FOLDER_BELOW), -EXDEV);
    assert_int_equal(opening(folder, "secret", FILE_ACCESS_BELOW), -EACCES);
    assert_int_equal(opening(folder, ".", FILE_ACCESS_FOLDER_BELOW), -EACCES);
    close(tree);
    close(folder);
}

/*
 * A name that is too long fails as it does without a keeper; its beginning is the name of another
 * file.
 */
static void a_name_is_not_cut(void **state)
{
    int tree = open(world.tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char name[HELPER_NAME + 1];

    (void)state;
    memset(name, '/', HELPER_NAME);
    memcpy(name, "below", 5);
    name[HELPER_NAME - 1] = '\0';
    assert_int_equal(opening(tree, name, FILE_ACCESS_FOLDER_BELOW), 0);
    memcpy(name + HELPER_NAME - 1, "x", 2);
    assert_int_equal(opening(tree, name, FILE_ACCESS_FOLDER_BELOW), -ENAMETOOLONG);
    close(tree);
}

static void an_output_is_appended_to(void **state)
{
    int file = file_access_open(AT_FDCWD, world.output, FILE_ACCESS_APPEND);

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "x", 1), 1);
    close(file);
    assert_int_equal(opening(AT_FDCWD, world.output, FILE_ACCESS_READ), -EACCES);
}

static void the_spool_has_no_name(void **state)
{
    int file = spool_create("/nowhere");
    struct stat status;

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &status), 0);
    assert_int_equal(status.st_nlink, 0);
    close(file);
    assert_int_equal(rmdir(world.spool), 0);
    assert_int_equal(mkdir(world.spool, 0700), 0);
}

static int asking(enum helper_kind kind, const char *name, uint64_t number, const int *files,
                  size_t count)
{
    struct helper_request request;

    helper_fill(&request, kind, name);
    request.number = number;
    return helper_ask(HELPER_KEEPER, &request, files, count, NULL, NULL);
}

static void strange_requests_are_refused(void **state)
{
    const int file = open("/dev/null", O_RDWR | O_CLOEXEC), files[] = {file, file, file};

    (void)state;
    assert_int_equal(asking(0, "", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_START, "", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(99, world.dump, 0, files, 3), -EINVAL);
    assert_int_equal(asking(HELPER_OPEN, world.dump, 0, files, 2), -EINVAL);
    assert_int_equal(asking(HELPER_OPEN, world.dump, UINT64_MAX, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_WATCH, "", 0, files, 1), -EINVAL);
    assert_int_equal(asking(HELPER_WATCH, "", FILE_ACCESS_EVENTS, files, 2), -EINVAL);
    assert_int_equal(asking(HELPER_WATCH, "", 0, files, 2), -EINVAL); /* not a queue */
    assert_int_equal(asking(HELPER_LOAD_SHADERS, "../secret", 0, files, 2), -EINVAL);
    assert_int_equal(asking(HELPER_DROP_SHADERS, "secret", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_OPEN_KEPT, "secret", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_REPLACE_KEPT, "secret", 0, files, 1), -EINVAL);
    assert_int_equal(asking(HELPER_REPLACE_KEPT, "secret", 0, files, 3), -EINVAL);
    assert_int_equal(asking(HELPER_UNMOUNT, "/", 0, NULL, 0), -EPERM);
    assert_int_equal(asking(HELPER_MOUNT, "/", 0, NULL, 0), 10);
    assert_int_equal(asking(HELPER_MOUNT, "/", 0, NULL, 0), -EALREADY);
    close(file);
}

/* Sends messages that have the length of no request, without helper_ask(). */
static void strange_lengths_are_answered(void **state)
{
    static const size_t lengths[] = {1, sizeof(struct helper_request) - 1,
                                     sizeof(struct helper_request) + 1};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct helper_request request = {.kind = HELPER_SPOOL};
        char *bytes = calloc(1, lengths[i] + sizeof(request));
        int ends[2], files[HELPER_FILES];
        size_t count;

        memcpy(bytes, &request, sizeof(request.kind));
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        assert_int_equal(send(ends[0], bytes, lengths[i], 0), lengths[i]);
        assert_int_equal(helper_receive(ends[1], &request, files, &count), 1);
        assert_int_equal(request.kind, 0);
        assert_int_equal(count, 0);
        close(ends[0]);
        assert_int_equal(helper_receive(ends[1], &request, files, &count), 0);
        close(ends[1]);
        free(bytes);
    }
}

/* The process has no free descriptor for the file that the keeper opens. */
static void want_of_descriptors_is_told(void **state)
{
    struct rlimit before, none;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_READ), -EMFILE);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_READ), 0);
}

static void the_watch_is_of_the_file(void **state)
{
    int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), value = -1;
    int file = open(world.dump, O_RDWR | O_CLOEXEC);
    const int files[] = {queue, file};
    struct helper_request request;
    struct inotify_event event;

    (void)state;
    helper_fill(&request, HELPER_WATCH, NULL);
    request.number = FILE_ACCESS_WRITTEN_ONCE;
    assert_int_equal(helper_ask(HELPER_KEEPER, &request, files, 2, &value, NULL), 0);
    assert_true(value >= 0);
    assert_int_equal(pwrite(file, "d", 1, 0), 1);
    assert_int_equal(read(queue, &event, sizeof(event)), sizeof(event));
    assert_int_equal(event.wd, value);
    assert_int_equal(event.mask, IN_MODIFY);
    close(queue);
    close(file);
}

/* With O_PATH a file can be opened without any permission for its contents. */
static void what_was_not_opened_to_be_read_is_refused(void **state)
{
    static const int flags[] = {O_PATH, O_WRONLY};
    char *secret = support_path(world.folder, "secret");
    int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    int kept = memfd_create("kept", MFD_CLOEXEC), folder = open(world.folder, O_PATH | O_CLOEXEC);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        int file = open(secret, flags[i] | O_CLOEXEC);
        const int watched[] = {queue, file}, replaced[] = {file, kept};

        assert_true(file >= 0);
        assert_int_equal(asking(HELPER_WATCH, "", FILE_ACCESS_WRITTEN, watched, 2), -EACCES);
        assert_int_equal(asking(HELPER_OPEN_KEPT, digits, 0, &file, 1), -EACCES);
        assert_int_equal(asking(HELPER_REPLACE_KEPT, digits, 0, replaced, 2), -EACCES);
        close(file);
    }
    assert_int_equal(asking(HELPER_WATCH, "", FILE_ACCESS_NAMES, (const int[]){queue, folder}, 2),
                     -EACCES);
    close(folder);
    close(kept);
    close(queue);
    free(secret);
}

/*
 * Only files in memory are kept. Files below /proc show what their reader may know, and the keeper
 * may know more than the daemon.
 */
static void memory_alone_is_kept(void **state)
{
    int dump = open(world.dump, O_RDONLY | O_CLOEXEC), memory = memfd_create("kept", MFD_CLOEXEC);
    int process = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

    (void)state;
    assert_int_equal(asking(HELPER_REPLACE_KEPT, digits, 0, (const int[]){dump, process}, 2),
                     -EINVAL);
    assert_int_equal(asking(HELPER_OPEN_KEPT, digits, 0, &dump, 1), -ENOENT);
    assert_int_equal(asking(HELPER_REPLACE_KEPT, digits, 0, (const int[]){dump, memory}, 2), 0);
    assert_int_equal(asking(HELPER_OPEN_KEPT, digits, 0, &dump, 1), 0);
    close(process);
    close(memory);
    close(dump);
}

/* The last test of this keeper: it detaches without a request when the daemon has ended. */
static void it_detaches_at_the_end(void **state)
{
    char *path = support_path(world.folder, "detached");

    (void)state;
    assert_int_equal(access(path, F_OK), -1);
    helpers_end();
    assert_int_equal(access(path, F_OK), 0);
    assert_false(helper_is_there(HELPER_KEEPER));
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_READ), 0);
    free(path);
}

/* The keeper of a program that does not mount. */
static void be_keeper_without_mount(void *context, int socket)
{
    const struct keeper_params params = {.grants = &world.grants, .spool = world.spool};

    (void)context;
    keeper_serve(&params, socket);
}

static void without_a_mount_files_alone_are_given(void **state)
{
    (void)state;
    assert_int_equal(helpers_start(HELPER_KEEPER, "keeper", be_keeper_without_mount, NULL), 0);
    assert_int_equal(asking(HELPER_MOUNT, "", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_UNMOUNT, "", 0, NULL, 0), -EINVAL);
    assert_int_equal(asking(HELPER_DETACH, "", 0, NULL, 0), 0);
    assert_int_equal(opening(AT_FDCWD, world.dump, FILE_ACCESS_READ), 0);
    helpers_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dump_is_opened_to_be_read),
        cmocka_unit_test(a_descriptors_file_is_opened_by_its_path),
        cmocka_unit_test(a_descriptors_file_that_has_gone_is_not_opened),
        cmocka_unit_test(other_files_are_not_opened),
        cmocka_unit_test(of_a_folder_names_are_opened),
        cmocka_unit_test(below_a_folder_files_are_opened),
        cmocka_unit_test(a_name_is_not_cut),
        cmocka_unit_test(an_output_is_appended_to),
        cmocka_unit_test(the_spool_has_no_name),
        cmocka_unit_test(strange_requests_are_refused),
        cmocka_unit_test(strange_lengths_are_answered),
        cmocka_unit_test(want_of_descriptors_is_told),
        cmocka_unit_test(the_watch_is_of_the_file),
        cmocka_unit_test(what_was_not_opened_to_be_read_is_refused),
        cmocka_unit_test(memory_alone_is_kept),
        cmocka_unit_test(it_detaches_at_the_end),
        cmocka_unit_test(without_a_mount_files_alone_are_given),
    };

    return cmocka_run_group_tests(tests, make_world, end_world);
}
