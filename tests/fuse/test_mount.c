/* SPDX-License-Identifier: MIT */
/*
 * The FUSE adapter over the fake dump, served by a thread of this process: tests that need a gate,
 * or a dump that changes while it is mounted.
 */
#include "config.h"

#include "fuse/mount.h"

#include "tests/support/fake.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
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
    int result; /* result of mount_serve() */
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

static int set_up_with(uint64_t cache)
{
    struct mount_params params = {.program = "test_mount", .source = "fake", .options = &options};
    const char *required = getenv("GPUDUMPFS_REQUIRE_FUSE");

    options = (struct mount_options){.uid = getuid(), .gid = getgid()};
    memset(&it, 0, sizeof(it));
    if (access("/dev/fuse", R_OK | W_OK) != 0 && (required == NULL || strcmp(required, "1") != 0))
        return 0;
    it.folder = support_folder();
    it.fake = fake_create(40);
    it.fake->options.cache = cache;
    it.tree = fake_tree(it.fake, 2);
    sem_init(&it.ready, 0, 0);
    mount_hold_signals();
    return mount_create(&params, &it.mount) != 0 || mount_attach(it.mount, it.folder) != 0 ||
           pthread_create(&it.server, NULL, serve, NULL) != 0 || wait_ready() != 0;
}

static int set_up(void **state)
{
    (void)state;
    return set_up_with(1 << 20);
}

static int set_up_without_cache(void **state)
{
    (void)state;
    return set_up_with(0);
}

/* Ends the mount with a signal. */
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

/*
 * Starts a process that reads from an open file. It exits with 0 if it read `wanted` bytes when it
 * requested `room` bytes.
 */
static pid_t start_reader_of(int file, size_t wanted, size_t room)
{
    pid_t child;

    assert_true(file >= 0);
    child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_handler = ignore};
        static char bytes[4096];

        for (int other = 3; other < 1024; other++)
            if (other != file)
                close(other); /* with the FUSE device open here, the mount would never end */
        sigaction(SIGUSR1, &action, NULL);
        _exit(read(file, bytes, room) == (ssize_t)wanted ? 0 : 1);
    }
    assert_true(child > 0);
    close(file);
    return child;
}

/* Starts a process that reads the slow file. */
static pid_t start_reader(void)
{
    return start_reader_of(open_path("things/00-a/big.bin"), 1, 1);
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

/* What another process does with a path; it returns 0 on success, which is the exit code. */

static int find(const char *path)
{
    return open(path, O_PATH | O_NOFOLLOW) < 0;
}

static int ask_size(const char *path)
{
    struct stat status;

    return lstat(path, &status) != 0;
}

static int list(const char *path)
{
    DIR *folder = opendir(path);

    return folder == NULL || readdir(folder) == NULL;
}

static int read_whole(const char *path)
{
    static char bytes[1 << 16];
    int file = open(path, O_RDONLY);
    struct stat status;
    int64_t left;
    ssize_t got;

    if (fstat(file, &status) != 0)
        return 1;
    for (left = status.st_size; (got = read(file, bytes, sizeof(bytes))) > 0; left -= got)
        ;
    return status.st_size == 0 || got != 0 || left != 0;
}

static pid_t start(int (*act)(const char *path), const char *name)
{
    char *path = support_path(it.folder, name);
    pid_t child = fork();

    if (child == 0) {
        for (int other = 3; other < 1024; other++)
            close(other);
        _exit(act(path));
    }
    free(path);
    assert_true(child > 0);
    return child;
}

/* Returns whether a process that must not be blocked has ended; use with WAIT_UNTIL. */
static bool ends(pid_t child, int *status)
{
    return waitpid(child, status, WNOHANG) == child;
}

static void expect_success(pid_t child)
{
    int status = -1;

    WAIT_UNTIL(ends(child, &status));
    assert_int_equal(status, 0);
}

static void expect_death(pid_t child)
{
    int status = 0;

    kill(child, SIGKILL);
    WAIT_UNTIL(ends(child, &status));
    assert_true(WIFSIGNALED(status));
}

/* Opens the file, which must have three lines and the length that its attributes then report. */
static int find_three_lines(const char *path)
{
    char bytes[4096];
    int file = open(path, O_RDONLY), lines = 0;
    struct stat status;
    ssize_t got;

    if (fstat(file, &status) != 0)
        return 1;
    got = read(file, bytes, sizeof(bytes));
    for (ssize_t n = 0; n < got; n++)
        lines += bytes[n] == '\n';
    return lines != 3 || status.st_size != got;
}

/*
 * Opening problems.txt waits for the complete dump, but its size does not: it is the size of the
 * problems that are known.
 */
static void test_the_size_of_problems_does_not_wait(void **state)
{
    int64_t size;
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->settled = false;
    problems_add(it.fake->problems, PROBLEM_WARNING, 3, 0, "one");
    size = size_of("problems.txt");
    assert_true(size > 0 && it.fake->settlings > 0);
    reader = start(find_three_lines, "problems.txt");
    problems_add(it.fake->problems, PROBLEM_WARNING, 4, 0, "two");
    assert_true(size_of("problems.txt") > size);
    problems_add(it.fake->problems, PROBLEM_WARNING, 5, 0, "three");
    it.fake->settled = true;
    expect_success(reader);
    assert_int_equal(size_of("problems.txt"), problems_length(it.fake->problems));
}

/*
 * Opens the file, which must not be empty and must have the length that its attributes then report.
 */
static int read_to_the_end(const char *path)
{
    int file = open(path, O_RDONLY);
    struct stat status;
    int64_t length = 0;
    ssize_t got = 0;
    char bytes[4096];

    if (fstat(file, &status) != 0)
        return 1;
    while ((got = read(file, bytes, sizeof(bytes))) > 0)
        length += got;
    return got != 0 || length == 0 || length != status.st_size;
}

/* Pieces that were counted for the size are not made again when the file is opened. */
static void test_the_size_of_packets_does_not_wait(void **state)
{
    enum { GATED = 5, PIECES = 14 };
    int64_t size;
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->gated_piece = GATED + 1;
    it.fake->shut = true;
    size = size_of("packets.tsv");
    assert_true(size > 0);
    assert_int_equal(it.fake->pieces, GATED);
    WAIT_UNTIL(it.fake->cancelled == 1); /* no reader waits for the piece any more */
    assert_int_equal(size_of("packets.tsv"), size);
    reader = start(read_to_the_end, "packets.tsv");
    it.fake->shut = false;
    expect_success(reader);
    assert_true(size_of("packets.tsv") > size);
    assert_int_equal(it.fake->pieces, PIECES);
}

static void test_the_size_of_metadata_does_not_wait(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->gated_metadata = it.fake->shut = true;
    assert_int_equal(size_of("metadata.txt"), 0);
    reader = start(read_to_the_end, "metadata.txt");
    it.fake->shut = false;
    expect_success(reader);
    assert_true(size_of("metadata.txt") > 0);
}

static void test_a_slow_size_holds_no_name(void **state)
{
    pid_t reader, doomed;

    (void)state;
    need_mount();
    it.fake->counting = it.fake->shut = true;
    reader = start(ask_size, "things/00-a/long.txt");
    WAIT_UNTIL(it.fake->slow == 1);
    expect_success(start(find, "things/00-a/long.txt"));
    expect_success(start(find, "things/00-a/notes.txt"));
    expect_success(start(ask_size, "things/00-a/lying.bin"));
    expect_success(start(ask_size, "things/00-a/inner"));
    doomed = start(ask_size, "things/00-a/long.txt");
    expect_success(start(ask_size, "things/00-a/big.bin"));
    expect_death(doomed);
    assert_int_equal(it.fake->slow, 1);
    assert_int_equal(it.fake->cancelled, 0);
    it.fake->shut = false;
    expect_success(reader);
    assert_int_equal(size_of("things/00-a/long.txt"), 40 * 64 * 1024);
}

static void test_a_size_that_nobody_asks_for_is_given_up(void **state)
{
    (void)state;
    need_mount();
    it.fake->counting = it.fake->shut = true;
    expect_success(start(find, "things/00-a/long.txt"));
    WAIT_UNTIL(it.fake->cancelled == 1 && it.fake->slow == 0);
    it.fake->shut = false;
    assert_int_equal(size_of("things/00-a/long.txt"), 40 * 64 * 1024);
}

static void test_a_file_of_unknown_size_is_read_whole(void **state)
{
    pid_t reader;

    (void)state;
    need_mount();
    it.fake->counting = it.fake->shut = true;
    expect_success(start(find, "things/00-a/long.txt"));
    reader = start(read_whole, "things/00-a/long.txt");
    WAIT_UNTIL(it.fake->slow == 1);
    it.fake->shut = false;
    expect_success(reader);
}

/*
 * Makes the links known: they are prepared for all of late/NN at once, so that those of other
 * directories are known, too.
 */
static void make_links_known(void)
{
    it.fake->unknown = true;
    assert_true(size_of("late/00") >= 0);
    expect_success(start(ask_size, "late/00/there"));
    it.fake->shut = true;
}

static void test_a_slow_name_holds_no_other(void **state)
{
    pid_t doomed, reader;

    (void)state;
    need_mount();
    make_links_known();
    doomed = start(ask_size, "late/01/00.bin");
    WAIT_UNTIL(it.fake->slow == 1);
    expect_success(start(ask_size, "late/01/there"));
    reader = start(ask_size, "late/01/01.bin");
    expect_success(start(ask_size, "late/02"));
    expect_death(doomed);
    WAIT_UNTIL(it.fake->slow == 1);
    it.fake->shut = false;
    expect_success(reader);
}

static void test_a_slow_listing_holds_no_name(void **state)
{
    pid_t doomed;

    (void)state;
    need_mount();
    make_links_known();
    doomed = start(list, "late/01");
    WAIT_UNTIL(it.fake->slow == 1);
    expect_success(start(ask_size, "late/01/there"));
    assert_int_equal(it.fake->slow, 1);
    expect_death(doomed);
    WAIT_UNTIL(it.fake->slow == 0);
}

/*
 * Returns the number of bytes that an open file has for a reader that has not asked for its size,
 * or -errno.
 */
static int64_t sent_of(int file)
{
    int to = memfd_create("sent", MFD_CLOEXEC);
    int64_t sent = 0;
    ssize_t got;

    while ((got = sendfile(to, file, NULL, 1 << 20)) > 0)
        sent += got;
    close(to);
    return got == 0 ? sent : -errno;
}

/* Opens the text of a packet and gets its size. From then on, making the text waits at the gate. */
static int open_shut_packet(int64_t *size)
{
    int file;

    need_mount();
    file = open_path("packets/00000/00000001-gp0.txt");
    *size = size_of("packets/00000/00000001-gp0.txt");
    assert_true(file >= 0 && *size > 0);
    it.fake->gated_to = 1;
    it.fake->shut = true;
    return file;
}

/*
 * With a cache that keeps nothing, a size that is found only by making the text stays known after
 * it has been reported.
 */
static void test_another_name_does_not_shorten_an_open_file(void **state)
{
    int64_t size;
    int file;

    (void)state;
    file = open_shut_packet(&size);
    expect_success(start(find, "by-frame/000000/packets/00000001-gp0.txt"));
    it.fake->shut = false;
    assert_int_equal(sent_of(file), size);
    close(file);
    assert_int_equal(size_of("by-frame/000000/packets/00000001-gp0.txt"), size);
}

/* Nor are zeros appended to the bytes that are being read. */
static void test_another_name_does_not_lengthen_what_is_read(void **state)
{
    pid_t reader;
    int64_t size;
    int file;

    (void)state;
    file = open_shut_packet(&size);
    reader = start_reader_of(file, (size_t)size, 4096);
    WAIT_UNTIL(it.fake->slow == 1);
    expect_success(start(find, "by-frame/000000/packets/00000001-gp0.txt"));
    it.fake->shut = false;
    assert_int_equal(end_of(reader), 0);
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

static void test_an_option_is_a_whole_word(void **state)
{
    (void)state;
    assert_true(mount_has_option("allow_other", "allow_other"));
    assert_true(mount_has_option("fsname=mine,,allow_other,ro", "allow_other"));
    assert_false(mount_has_option("fsname=allow_other", "allow_other"));
    assert_false(mount_has_option("fsname=a\\,allow_other", "allow_other"));
    assert_true(mount_has_option("fsname=a\\\\,allow_other", "allow_other"));
    assert_true(mount_has_option("fsname=a,allow\\_other", "allow_other"));
    assert_false(mount_has_option("allow_others,no_allow_other", "allow_other"));
    assert_false(mount_has_option("", "allow_other"));
    assert_false(mount_has_option(NULL, "allow_other"));
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
        WITH_MOUNT(test_the_size_of_problems_does_not_wait),
        WITH_MOUNT(test_the_size_of_packets_does_not_wait),
        WITH_MOUNT(test_the_size_of_metadata_does_not_wait),
        WITH_MOUNT(test_a_slow_size_holds_no_name),
        WITH_MOUNT(test_a_size_that_nobody_asks_for_is_given_up),
        WITH_MOUNT(test_a_file_of_unknown_size_is_read_whole),
        WITH_MOUNT(test_a_slow_name_holds_no_other),
        WITH_MOUNT(test_a_slow_listing_holds_no_name),
        cmocka_unit_test_setup_teardown(test_another_name_does_not_shorten_an_open_file,
                                        set_up_without_cache, tear_down),
        cmocka_unit_test_setup_teardown(test_another_name_does_not_lengthen_what_is_read,
                                        set_up_without_cache, tear_down),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_an_option_is_a_whole_word),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
