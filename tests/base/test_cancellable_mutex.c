/* SPDX-License-Identifier: MIT */
#include "base/cancellable_mutex.h"

#include "tests/support/support.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static void test_one_at_a_time(void **state)
{
    struct cancel cancel;
    struct cancellable_mutex turn;

    (void)state;
    cancel_init(&cancel, NULL);
    cancellable_mutex_init(&turn);
    assert_int_equal(cancellable_mutex_lock(&turn, NULL), 0);
    cancel_raise(&cancel);
    assert_int_equal(cancellable_mutex_lock(&turn, &cancel), -EINTR);
    cancellable_mutex_unlock(&turn);
    assert_int_equal(cancellable_mutex_lock(&turn, NULL), 0);
    cancellable_mutex_unlock(&turn);
    cancellable_mutex_destroy(&turn);
}

static atomic_bool given;

static void *take(void *context)
{
    struct cancellable_mutex *turn = context;

    if (cancellable_mutex_lock(turn, NULL) == 0 && !atomic_load(&given))
        return turn; /* locked too early */
    cancellable_mutex_unlock(turn);
    return NULL;
}

static void test_a_waiting_thread_gets_it(void **state)
{
    pthread_t thread;
    struct cancellable_mutex turn;
    void *result = &turn;

    (void)state;
    cancellable_mutex_init(&turn);
    assert_int_equal(cancellable_mutex_lock(&turn, NULL), 0);
    assert_int_equal(pthread_create(&thread, NULL, take, &turn), 0);
    atomic_store(&given, true);
    cancellable_mutex_unlock(&turn);
    pthread_join(thread, &result);
    assert_null(result);
    cancellable_mutex_destroy(&turn);
}

struct late {
    struct cancellable_mutex turn;
    struct cancel gives_way;
    enum cancellable_mutex_rank rank; /* rank of the thread that must come first */
    atomic_uint order;                /* number of threads that have had the lock … */
    unsigned first, late;
};

static void *take_first(void *context)
{
    struct late *late = context;

    assert_int_equal(cancellable_mutex_lock_late(&late->turn, late->rank, NULL, NULL), 0);
    late->first = atomic_fetch_add(&late->order, 1);
    cancellable_mutex_unlock(&late->turn);
    return NULL;
}

/*
 * The flag of the lock's owner is raised as soon as a thread of an earlier rank waits, and that
 * thread gets the lock first.
 */
static void gives_way_to(enum cancellable_mutex_rank rank, enum cancellable_mutex_rank before)
{
    struct late late = {.order = 0, .rank = before};
    pthread_t thread;

    cancel_init(&late.gives_way, NULL);
    cancellable_mutex_init(&late.turn);
    assert_int_equal(cancellable_mutex_lock_late(&late.turn, rank, NULL, &late.gives_way), 0);
    assert_false(cancel_is_raised(&late.gives_way));
    assert_int_equal(pthread_create(&thread, NULL, take_first, &late), 0);
    while (!cancel_is_raised(&late.gives_way))
        sched_yield();
    cancellable_mutex_unlock(&late.turn);
    assert_int_equal(cancellable_mutex_lock_late(&late.turn, rank, NULL, NULL), 0);
    late.late = atomic_fetch_add(&late.order, 1);
    cancellable_mutex_unlock(&late.turn);
    pthread_join(thread, NULL);
    assert_true(late.first < late.late);
    cancellable_mutex_destroy(&late.turn);
}

static void test_late_ones_give_way(void **state)
{
    (void)state;
    gives_way_to(CANCELLABLE_MUTEX_LAST, CANCELLABLE_MUTEX_FIRST);
    gives_way_to(CANCELLABLE_MUTEX_LAST, CANCELLABLE_MUTEX_SECOND);
    gives_way_to(CANCELLABLE_MUTEX_SECOND, CANCELLABLE_MUTEX_FIRST);
}

/* A thread of a later rank, or of the same rank, does not raise the flag of the lock's owner. */
static void test_a_later_one_disturbs_nobody(void **state)
{
    const enum cancellable_mutex_rank others[] = {CANCELLABLE_MUTEX_SECOND, CANCELLABLE_MUTEX_LAST};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(others); n++) {
        struct late late = {.order = 0, .rank = others[n]};
        pthread_t thread;

        cancel_init(&late.gives_way, NULL);
        cancellable_mutex_init(&late.turn);
        assert_int_equal(cancellable_mutex_lock_late(&late.turn, CANCELLABLE_MUTEX_SECOND, NULL,
                                                     &late.gives_way),
                         0);
        assert_int_equal(pthread_create(&thread, NULL, take_first, &late), 0);
        usleep(20000); /* most likely the thread waits by now */
        late.late = atomic_fetch_add(&late.order, 1);
        assert_false(cancel_is_raised(&late.gives_way));
        cancellable_mutex_unlock(&late.turn);
        pthread_join(thread, NULL);
        assert_true(late.late < late.first);
        assert_false(cancel_is_raised(&late.gives_way));
        cancellable_mutex_destroy(&late.turn);
    }
}

struct crowd {
    struct cancellable_mutex turn;
    atomic_uint wanting;
    atomic_bool done;
};

/* Takes the lock again and again, and keeps it until another thread waits for it. */
static void *take_without_pause(void *context)
{
    struct crowd *crowd = context;

    while (!crowd->done) {
        crowd->wanting++;
        assert_int_equal(cancellable_mutex_lock(&crowd->turn, NULL), 0);
        crowd->wanting--;
        while (crowd->wanting == 0 && !crowd->done)
            sched_yield();
        usleep(1000); /* so that the other thread really waits */
        cancellable_mutex_unlock(&crowd->turn);
    }
    return NULL;
}

/*
 * Of two threads that take the lock without a pause, one waits at all times; a late thread must get
 * the lock nevertheless.
 */
static void test_late_ones_have_their_turn(void **state)
{
    struct crowd crowd = {.done = false};
    pthread_t threads[2];

    (void)state;
    cancellable_mutex_init(&crowd.turn);
    for (size_t n = 0; n < COUNT_OF(threads); n++)
        assert_int_equal(pthread_create(&threads[n], NULL, take_without_pause, &crowd), 0);
    assert_int_equal(cancellable_mutex_lock_late(&crowd.turn, CANCELLABLE_MUTEX_LAST, NULL, NULL),
                     0);
    crowd.done = true;
    cancellable_mutex_unlock(&crowd.turn);
    for (size_t n = 0; n < COUNT_OF(threads); n++)
        pthread_join(threads[n], NULL);
    cancellable_mutex_destroy(&crowd.turn);
}

static void test_a_late_one_that_nobody_waits_for_is_cancelled(void **state)
{
    struct cancellable_mutex turn;
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    cancellable_mutex_init(&turn);
    assert_int_equal(cancellable_mutex_lock_late(&turn, CANCELLABLE_MUTEX_LAST, &cancel, NULL),
                     -EINTR);
    assert_int_equal(cancellable_mutex_lock(&turn, NULL), 0);
    cancellable_mutex_unlock(&turn);
    cancellable_mutex_destroy(&turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_a_waiting_thread_gets_it),
        cmocka_unit_test(test_late_ones_give_way),
        cmocka_unit_test(test_a_later_one_disturbs_nobody),
        cmocka_unit_test(test_late_ones_have_their_turn),
        cmocka_unit_test(test_a_late_one_that_nobody_waits_for_is_cancelled),
    };

    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
