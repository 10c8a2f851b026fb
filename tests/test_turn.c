#include "core/turn.h"

#include "support.h"

#include <errno.h>
#include <stdatomic.h>

static void test_one_at_a_time(void **state)
{
    struct cancel cancel;
    struct turn turn;

    (void)state;
    cancel_init(&cancel, NULL);
    turn_init(&turn);
    assert_int_equal(turn_take(&turn, NULL), 0);
    cancel_raise(&cancel);
    assert_int_equal(turn_take(&turn, &cancel), -EINTR);
    turn_give(&turn);
    assert_int_equal(turn_take(&turn, NULL), 0);
    turn_give(&turn);
    turn_destroy(&turn);
}

static atomic_bool given;

static void *take(void *context)
{
    struct turn *turn = context;

    if (turn_take(turn, NULL) == 0 && !atomic_load(&given))
        return turn; /* too early */
    turn_give(turn);
    return NULL;
}

static void test_who_waits_gets_it(void **state)
{
    pthread_t thread;
    struct turn turn;
    void *result = &turn;

    (void)state;
    turn_init(&turn);
    assert_int_equal(turn_take(&turn, NULL), 0);
    assert_int_equal(pthread_create(&thread, NULL, take, &turn), 0);
    atomic_store(&given, true);
    turn_give(&turn);
    pthread_join(thread, &result);
    assert_null(result);
    turn_destroy(&turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_who_waits_gets_it),
    };

    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
