/* SPDX-License-Identifier: MIT */
/* Which requests a look gives up, with requests that no kernel has sent. */
#include "fuse/request.h"

#include "tests/support/fake.h"

#include "tests/support/support.h"

#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 3 };

static struct fake *fake;
/* There is only one thread, so the lock of the mount is not taken. */
static struct mount mount;
static struct request requests[COUNT]; /* in the order of the list */
static pid_t dead;                     /* a process that has ended */

static int set_up(void **state) LOCKS_UNCHECKED
{
    (void)state;
    fake = fake_create(8);
    mount = (struct mount){.tree = fake_tree(fake, 0)};
    pthread_mutex_init(&mount.lock, NULL);
    dead = fork();
    if (dead == 0)
        _exit(0);
    if (dead < 0 || waitid(P_PID, (id_t)dead, &(siginfo_t){0}, WEXITED | WNOWAIT) != 0)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        requests[i] = (struct request){.mount = &mount,
                                       .tree.tree = mount.tree,
                                       .requester = getpid(),
                                       .next = i + 1 < COUNT ? &requests[i + 1] : NULL,
                                       .previous = i > 0 ? &requests[i - 1] : NULL};
        atomic_init(&requests[i].holds, 1);
        cancel_init(&requests[i].cancel, NULL);
    }
    mount.requests = &requests[0];
    mount.request_count = COUNT;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    waitpid(dead, NULL, 0);
    pthread_mutex_destroy(&mount.lock);
    tree_destroy(&mount.tree);
    fake_free(fake);
    return 0;
}

static void expect_given_up(bool first, bool second, bool third) LOCKS_UNCHECKED
{
    const bool expected[COUNT] = {first, second, third};

    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(requests[i].cancelled, expected[i]);
        assert_int_equal(cancel_is_raised(&requests[i].cancel), expected[i]);
        assert_int_equal(requests[i].holds, 1);
    }
}

static void test_those_of_the_dying_are_given_up_once_they_were_seen(void **state)
{
    (void)state;
    requests[1].requester = dead;
    request_look(&mount, false);
    expect_given_up(false, false, false);
    request_look(&mount, false);
    expect_given_up(false, true, false);
}

static void test_young_ones_are_given_up_when_somebody_got_a_signal(void **state)
{
    (void)state;
    requests[0].requester = requests[2].requester = dead;
    request_look(&mount, true);
    expect_given_up(true, false, true);
}

/*
 * A request that was replied to early is given up by the second look only, however many other
 * requests the first look gives up.
 */
static void test_one_replied_early_has_until_the_next_look(void **state) LOCKS_UNCHECKED
{
    (void)state;
    requests[0].replied_early = true;
    requests[1].requester = requests[2].requester = dead;
    requests[1].seen = requests[2].seen = true;
    request_look(&mount, false);
    expect_given_up(false, true, true);
    request_look(&mount, false);
    expect_given_up(true, true, true);
}

/* Looks that signals cause do not count: they leave the request no time. */
static void test_signals_leave_one_replied_early_its_time(void **state) LOCKS_UNCHECKED
{
    (void)state;
    requests[1].replied_early = true;
    requests[2].requester = dead;
    request_look(&mount, true);
    request_look(&mount, true);
    expect_given_up(false, false, true);
    request_look(&mount, false);
    expect_given_up(false, true, true);
}

int main(void)
{
#define WITH_REQUESTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_REQUESTS(test_those_of_the_dying_are_given_up_once_they_were_seen),
        WITH_REQUESTS(test_young_ones_are_given_up_when_somebody_got_a_signal),
        WITH_REQUESTS(test_one_replied_early_has_until_the_next_look),
        WITH_REQUESTS(test_signals_leave_one_replied_early_its_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
