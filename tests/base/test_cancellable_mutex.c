/* SPDX-License-Identifier: MIT */
#include "base/cancellable_mutex.h"

#include "tests/support/support.h"

#include <errno.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_a_waiting_thread_gets_it),
    };

    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
