/* SPDX-License-Identifier: MIT */
#include "base/cancellable_mutex.h"

#include "tests/support/support.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

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
        return turn; /* too early */
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
    atomic_uint order; /* of those who had it … */
    unsigned first, late;
};

static void *take_first(void *context)
{
    struct late *late = context;

    assert_int_equal(cancellable_mutex_lock(&late->turn, NULL), 0);
    late->first = atomic_fetch_add(&late->order, 1);
    cancellable_mutex_unlock(&late->turn);
    return NULL;
}

/* It is raised as soon as another thread waits, which has it first. */
static void test_late_ones_give_way(void **state)
{
    struct late late = {.order = 0};
    pthread_t thread;

    (void)state;
    cancel_init(&late.gives_way, NULL);
    cancellable_mutex_init(&late.turn);
    assert_int_equal(cancellable_mutex_lock_late(&late.turn, NULL, &late.gives_way), 0);
    assert_false(cancel_is_raised(&late.gives_way));
    assert_int_equal(pthread_create(&thread, NULL, take_first, &late), 0);
    while (!cancel_is_raised(&late.gives_way))
        sched_yield();
    cancellable_mutex_unlock(&late.turn);
    assert_int_equal(cancellable_mutex_lock_late(&late.turn, NULL, NULL), 0);
    late.late = atomic_fetch_add(&late.order, 1);
    cancellable_mutex_unlock(&late.turn);
    pthread_join(thread, NULL);
    assert_true(late.first < late.late);
    cancellable_mutex_destroy(&late.turn);
}

static void test_a_late_one_that_nobody_waits_for_is_cancelled(void **state)
{
    struct cancellable_mutex turn;
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    cancellable_mutex_init(&turn);
    assert_int_equal(cancellable_mutex_lock_late(&turn, &cancel, NULL), -EINTR);
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
        cmocka_unit_test(test_a_late_one_that_nobody_waits_for_is_cancelled),
    };

    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
