/* SPDX-License-Identifier: MIT */
/*
 * The FUSE adapter over the fake dump, served by a thread of this process: what
 * needs a gate that the test opens, or a dump that changes under the mount.
 */
#include "fuse/mount.h"

#include "tests/support/fake.h"

#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct mount_options options; /* set_up() */
static struct fixture {
    struct fake *fake;
    struct tree *tree;
    struct mount *mount;
    char *folder;
    pthread_t server;
    sem_t ready;
    int result; /* of mount_serve() */
} it;

static void note_ready(void *context)
{
    (void)context;
    sem_post(&it.ready);
}

static void *serve(void *context)
{
    (void)context;
    it.result = mount_serve(it.mount, it.tree, note_ready, NULL);
    return NULL;
}

static int wait_ready(void)
{
    struct timespec soon;

    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 10;
    return sem_timedwait(&it.ready, &soon);
}

static int set_up(void **state)
{
    struct mount_params params = {.program = "test_mount", .source = "fake", .options = &options};
    const char *required = getenv("GPUDUMPFS_REQUIRE_FUSE");

    (void)state;
    options = (struct mount_options){.uid = getuid(), .gid = getgid()};
    memset(&it, 0, sizeof(it));
    if (access("/dev/fuse", R_OK | W_OK) != 0 && (required == NULL || strcmp(required, "1") != 0))
        return 0;
    it.folder = support_folder();
    it.fake = fake_create(40);
    it.tree = fake_tree(it.fake, 2);
    sem_init(&it.ready, 0, 0);
    mount_hold_signals();
    return mount_create(&params, &it.mount) != 0 || mount_attach(it.mount, it.folder) != 0 ||
           pthread_create(&it.server, NULL, serve, NULL) != 0 || wait_ready() != 0;
}

/* Ends the mount as a signal does. */
static void end_mount(void)
{
    assert_int_equal(pthread_kill(it.server, SIGTERM), 0);
    assert_int_equal(pthread_join(it.server, NULL), 0);
    assert_int_equal(it.result, 0);
    tree_destroy(&it.tree);
    mount_detach(it.mount);
    mount_destroy(&it.mount);
}

static int tear_down(void **state)
{
    (void)state;
    if (it.folder == NULL)
        return 0;
    if (it.mount != NULL)
        end_mount();
    fake_free(it.fake);
    support_remove(&it.folder);
    return 0;
}

static void need_mount(void)
{
    if (it.folder == NULL)
        support_skip("/dev/fuse cannot be opened");
}

/* Waits until a condition of the fake holds. */
#define WAIT_UNTIL(condition)                                                                      \
    do {                                                                                           \
        for (int left = 10000; !(condition); left--) {                                             \
            if (left == 0)                                                                         \
                fail_msg("not in ten seconds: %s", #condition);                                    \
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);                               \
        }                                                                                          \
    } while (0)

static int open_path(const char *name)
{
    char *path = support_path(it.folder, name);
    int file = open(path, O_RDONLY);

    free(path);
    return file;
}

static int64_t size_of(const char *name)
{
    char *path = support_path(it.folder, name);
    struct stat status;
    int result = stat(path, &status);

    free(path);
    return result == 0 ? status.st_size : -errno;
}

static void ignore(int number)
{
    (void)number;
}

/* A process that reads the slow file; it exits with 0 when it got a byte. */
static pid_t start_reader(void)
{
    int file = open_path("things/00-a/big.bin");
    pid_t child;

    assert_true(file >= 0);
    child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_handler = ignore};
        char byte;

        for (int other = 3; other < 1024; other++)
            if (other != file)
                close(other); /* with the FUSE device open here the mount would never end */
        sigaction(SIGUSR1, &action, NULL);
        _exit(read(file, &byte, 1) == 1 ? 0 : 1);
    }
    assert_true(child > 0);
    close(file);
    return child;
}

static int end_of(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_sizes_follow_the_problems(void **state)
{
    char bytes[4096];
    int64_t size;
    int file;

    (void)state;
    need_mount();
    assert_int_equal(size_of("problems.txt"), 0);
    problems_add(it.fake->problems, PROBLEM_WARNING, 3, 0, "one");
    size = size_of("problems.txt");
    assert_true(size > 0);
    file = open_path("problems.txt");
    assert_int_equal(read(file, bytes, sizeof(bytes)), size);
    problems_add(it.fake->problems, PROBLEM_WARNING, 4, 0, "two");
    assert_true(size_of("problems.txt") > size);
    close(file);
    file = open_path("problems.txt");
    assert_int_equal(read(file, bytes, sizeof(bytes)), size_of("problems.txt"));
    close(file);
}

static void test_names_are_answered_while_a_file_is_made(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->shut = true;
    reader = start_reader();
    WAIT_UNTIL(it.fake->slow == 1);
    assert_true(size_of("frames/000001.png") > 0);
    assert_int_equal(size_of("nothing"), -ENOENT);
    assert_int_equal(it.fake->slow, 1);
    it.fake->shut = false;
    assert_int_equal(end_of(reader), 0);
}

static void test_a_killed_reader_is_given_up(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->shut = true;
    reader = start_reader();
    WAIT_UNTIL(it.fake->slow == 1);
    kill(reader, SIGKILL);
    assert_true(WIFSIGNALED(end_of(reader)));
    WAIT_UNTIL(it.fake->cancelled == 1 && it.fake->slow == 0);
}

static void test_one_of_two_readers_is_killed(void **state)
{
    pid_t doomed, reader;

    (void)state;
    need_mount();
    it.fake->shut = true;
    doomed = start_reader();
    WAIT_UNTIL(it.fake->slow == 1);
    reader = start_reader();
    kill(doomed, SIGKILL);
    assert_true(WIFSIGNALED(end_of(doomed)));
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    it.fake->shut = false;
    assert_int_equal(end_of(reader), 0);
    assert_int_equal(it.fake->bigs, 1);
}

static void test_a_harmless_signal_gives_nothing_up(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->shut = true;
    reader = start_reader();
    WAIT_UNTIL(it.fake->slow == 1);
    for (int i = 0; i < 5; i++) {
        kill(reader, SIGUSR1);
        nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    }
    assert_int_equal(it.fake->cancelled, 0);
    it.fake->shut = false;
    assert_int_equal(end_of(reader), 0);
}

static void test_the_end_does_not_wait_for_what_is_made(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->shut = true;
    reader = start_reader();
    WAIT_UNTIL(it.fake->slow == 1);
    end_mount();
    assert_int_equal(it.fake->cancelled, 1);
    assert_int_not_equal(end_of(reader), 0);
}

static void test_options(void **state)
{
    struct mount_params params = {.program = "test_mount", .source = "a,b\\c", .options = &options};
    struct mount *mount = NULL;

    (void)state;
    assert_int_equal(mount_create(&params, &mount), 0);
    mount_destroy(&mount);
    assert_null(mount);
    params.fuse_options = "";
    assert_int_equal(mount_create(&params, &mount), 0);
    mount_destroy(&mount);
    params.fuse_options = "allow_other,fsname=mine";
    params.max_read = 4096;
    assert_int_equal(mount_create(&params, &mount), 0);
    mount_destroy(&mount);
    params.fuse_options = "no_such_option";
    assert_int_equal(mount_create(&params, &mount), -EINVAL);
    assert_null(mount);
}

static void test_without_memory(void **state)
{
    struct mount_params params = {.program = "test_mount", .source = "fake", .options = &options};
    struct mount *mount = NULL;

    (void)state;
    support_fail_allocation(0);
    assert_int_equal(mount_create(&params, &mount), -ENOMEM);
    support_fail_allocation(-1);
    assert_null(mount);
}

int main(void)
{
#define WITH_MOUNT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_MOUNT(test_sizes_follow_the_problems),
        WITH_MOUNT(test_names_are_answered_while_a_file_is_made),
        WITH_MOUNT(test_a_killed_reader_is_given_up),
        WITH_MOUNT(test_one_of_two_readers_is_killed),
        WITH_MOUNT(test_a_harmless_signal_gives_nothing_up),
        WITH_MOUNT(test_the_end_does_not_wait_for_what_is_made),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
