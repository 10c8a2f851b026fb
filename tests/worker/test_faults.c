/* SPDX-License-Identifier: MIT */
/*
 * The daemon's end of the worker when system calls and allocations fail: the first, the second, and
 * so on. A process is started, answers, refuses, dies and is started again. Each call must give its
 * usual result, or fail with a sentence; the next calls must work; and no descriptor and no process
 * may be left. The same for the files that keep compiled shaders.
 */
#include "config.h"

#include "worker/session.h"
#include "worker/shader_disk_cache.h"

#include "tests/support/faults.h"
#include "tests/support/support.h"
#include "tests/worker/fakeworker.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG_MS = 120000, RUNS_MAX = 400 };

static char program[PATH_MAX]; /* tests/worker/fakeworker */

/* One way to fail. */
struct fault {
    const char *name;
    void (*begin)(int n);
    bool (*end)(void);
    bool answers; /* nothing fails: requests are answered correctly */
};

static void begin_broken(int n)
{
    faults_begin(FAULTS_BROKEN, n);
}

static void begin_full(int n)
{
    faults_begin(FAULTS_FULL, n);
}

static void begin_short(int n)
{
    faults_begin(FAULTS_SHORT, n);
}

static bool end_allocation(void)
{
    bool reached = support_allocation_failed();

    support_fail_allocation(-1);
    return reached;
}

static const struct fault faults[] = {
    {"broken", begin_broken, faults_end, false},
    {"full", begin_full, faults_end, false},
    {"short", begin_short, faults_end, true},
    {"allocation", support_fail_allocation, end_allocation, false},
};

static unsigned descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* Returns what is wrong with a reply; NULL if nothing is. */
static const char *judge(int status, const struct worker_reply *reply, int wanted)
{
    if ((status == 0) != (reply->payload != NULL))
        return "a payload, and a failure";
    if (status == 0 && (reply->payload->size != 5 || memcmp(reply->payload->data, "hello", 5) != 0))
        return "another payload";
    if (status < 0 && reply->reason[0] == '\0')
        return "no sentence";
    return status == 0 && wanted != 0 ? "it should have failed" : NULL;
}

static const char *ask(struct worker *worker, uint16_t kind, int wanted, bool must)
{
    static const struct message_part part = {.data = "hello", .size = 5};
    const struct worker_request request = {
        .kind = kind, .parts = &part, .part_count = 1, .max_reply = 100};
    struct worker_reply reply;
    int status = worker_call(worker, &request, NULL, &reply);
    const char *wrong = judge(status, &reply, wanted);

    if (wrong == NULL && must && status != wanted)
        wrong = "another status";
    blob_unref(&reply.payload);
    return wrong;
}

/* Puts a worker through all of that. Returns what is wrong; NULL if nothing is. */
static const char *live(struct worker *worker, bool must)
{
    const char *wrong = NULL;

    if (worker_start(worker, NULL) < 0 && must)
        return "no start";
    wrong = ask(worker, FAKE_ECHO, 0, must);
    if (wrong == NULL)
        wrong = ask(worker, FAKE_REFUSE, -EILSEQ, must);
    if (wrong == NULL)
        wrong = ask(worker, FAKE_EXIT, -EIO, must);
    return wrong != NULL ? wrong : ask(worker, FAKE_ECHO, 0, must);
}

/* Runs with call `n` failing. Returns whether that call was reached. */
static bool run(const struct fault *fault, int n)
{
    const struct worker_params params = {.program = program, .time_limit_ms = LONG_MS};
    struct worker *worker = NULL;
    unsigned before = descriptors();
    const char *wrong = NULL;
    bool reached;
    int status;

    fault->begin(n);
    status = worker_create(&params, &worker);
    if (status == 0 && worker_acquire(worker, NULL) == 0) {
        wrong = live(worker, fault->answers);
        reached = fault->end();
        if (wrong == NULL && ask(worker, FAKE_ECHO, 0, true) != NULL)
            wrong = "it does not work again";
        worker_release(worker);
    } else {
        reached = fault->end();
        if (fault->answers)
            wrong = "no worker";
    }
    worker_destroy(&worker);
    if (wrong != NULL)
        fail_msg("%s %d (%s): %s", fault->name, n, faults_name(), wrong);
    if (descriptors() != before)
        fail_msg("%s %d (%s): %u descriptors, and %u before", fault->name, n, faults_name(),
                 descriptors(), before);
    if (waitpid(-1, NULL, WNOHANG) != -1)
        fail_msg("%s %d (%s): a process is left", fault->name, n, faults_name());
    return reached;
}

static void test_worker(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        int n = 0;

        while (run(&faults[i], n) && n < RUNS_MAX)
            n++;
        print_message("%s: %d calls failed\n", faults[i].name, n);
        assert_true(n > 0);
    }
}

static void put(const struct shader_disk_cache *shaders, const char *bytes)
{
    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++)
        assert_int_equal(pwrite(shaders->files[i], bytes, strlen(bytes), 0), strlen(bytes));
}

/* Returns whether all files are empty, or all hold those bytes. */
static bool holds(const struct shader_disk_cache *shaders, const char *bytes)
{
    char found[64];

    for (int i = 0; i < SHADER_DISK_CACHE_KEPT; i++) {
        ssize_t got = pread(shaders->files[i], found, sizeof(found), 0);

        if (got != (ssize_t)strlen(bytes) || memcmp(found, bytes, (size_t)got) != 0)
            return false;
    }
    return true;
}

/*
 * Saves shaders and loads them again: this gives the old ones, the new ones, or none. Both may
 * fail, since shaders can be compiled again; a short write counts as a failure here.
 */
static bool keep(const struct fault *fault, int n, const char *path)
{
    struct shader_disk_cache from, to;
    unsigned before = descriptors();
    int saved, loaded = -ENOENT;
    bool reached;

    shader_disk_cache_init(&from);
    shader_disk_cache_init(&to);
    assert_int_equal(shader_disk_cache_make(&from), 0);
    put(&from, "the old ones");
    assert_int_equal(shader_disk_cache_save_within(path, &from, 1 << 20), 0);
    put(&from, "newer shaders");
    fault->begin(n);
    saved = shader_disk_cache_save_within(path, &from, 1 << 20);
    if (shader_disk_cache_make(&to) == 0)
        loaded = shader_disk_cache_load(path, &to);
    reached = fault->end();
    if (loaded == 0 && !holds(&to, saved == 0 ? "newer shaders" : "the old ones") &&
        !(saved != 0 && holds(&to, "newer shaders")))
        fail_msg("%s %d (%s): others are loaded", fault->name, n, faults_name());
    if (loaded != 0 && to.files[0] >= 0 && !holds(&to, ""))
        fail_msg("%s %d (%s): refused, and yet there", fault->name, n, faults_name());
    shader_disk_cache_clear(&from);
    shader_disk_cache_clear(&to);
    if (descriptors() != before)
        fail_msg("%s %d (%s): descriptors are left", fault->name, n, faults_name());
    return reached;
}

static void test_shader_files(void **state)
{
    char *folder = support_folder(), *path = support_path(folder, "gpudumpfs/dump.shaders");

    (void)state;
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        int n = 0;

        while (keep(&faults[i], n, path) && n < RUNS_MAX)
            n++;
        print_message("%s: %d calls failed\n", faults[i].name, n);
    }
    free(path);
    support_remove(&folder);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worker),
        cmocka_unit_test(test_shader_files),
    };
    char *slash;

    (void)count;
    if (realpath(arguments[0], program) == NULL)
        return 1;
    slash = strrchr(program, '/');
    strcpy(slash + 1, "fakeworker");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
