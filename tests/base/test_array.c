/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/array.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct pair {
    uint64_t number, square;
};

static void test_elements_stay_as_the_room_doubles(void **state)
{
    struct pair *pairs = NULL;
    size_t room = 0;

    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(ARRAY_GROW(pairs, i, room), 0);
        pairs[i] = (struct pair){i, i * i};
    }
    assert_int_equal(room, 1024);
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(pairs[i].number == i && pairs[i].square == i * i);
    free(pairs);
}

static void test_rooms_of_four_and_eight_bytes(void **state)
{
    struct {
        uint32_t before, room, behind;
    } among = {7, 0, 9};
    uint64_t wide = 0;
    char *bytes = NULL, *others = NULL;

    (void)state;
    assert_int_equal(ARRAY_GROW(bytes, 0u, among.room), 0);
    assert_int_equal(ARRAY_GROW(others, 0u, wide), 0);
    assert_int_equal(among.room, 16);
    assert_int_equal(wide, 16);
    assert_int_equal(among.before, 7);
    assert_int_equal(among.behind, 9);
    free(bytes);
    free(others);
}

/* An array never grows to a size that the type of its `room` or size_t cannot represent. */
static void test_a_room_that_cannot_double(void **state)
{
    struct pair *pairs = NULL;
    uint32_t narrow = UINT32_MAX / 2 + 1;
    uint64_t wide = UINT64_MAX / 2 + 1, bytes = SIZE_MAX / 4;

    (void)state;
    assert_int_equal(ARRAY_GROW(pairs, narrow, narrow), -ENOMEM);
    assert_int_equal(narrow, UINT32_MAX / 2 + 1);
    assert_int_equal(ARRAY_GROW(pairs, wide, wide), -ENOMEM);
    assert_int_equal(ARRAY_GROW(pairs, bytes, bytes), -ENOMEM);
    assert_null(pairs);
}

static void test_memory_runs_out(void **state)
{
    int *numbers = NULL;
    uint32_t room = 0;

    (void)state;
    assert_int_equal(ARRAY_GROW(numbers, 0u, room), 0);
    numbers[15] = 15;
    support_fail_allocation(0);
    assert_int_equal(ARRAY_GROW(numbers, 16u, room), -ENOMEM);
    support_fail_allocation(-1);
    assert_int_equal(room, 16);
    assert_int_equal(numbers[15], 15);
    free(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_stay_as_the_room_doubles),
        cmocka_unit_test(test_rooms_of_four_and_eight_bytes),
        cmocka_unit_test(test_a_room_that_cannot_double),
        cmocka_unit_test(test_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
