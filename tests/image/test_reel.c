/* SPDX-License-Identifier: MIT */
/* Pictures are taken out of a reel as they were added, whatever picture was taken before. */
#include "config.h"

#include "tests/support/support.h"

#include "image/reel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURES = 200, SIZE = 1003, OTHER_SIZE = 517, PLENTY = 1 << 20 };

static uint8_t pictures[PICTURES][SIZE];

/* Some bytes of each picture differ from the previous one; every 40th picture has another size. */
static size_t size_of(unsigned n)
{
    return n % 40 == 39 ? OTHER_SIZE : SIZE;
}

static void make_pictures(void)
{
    srand(1);
    for (unsigned n = 0; n < PICTURES; n++) {
        if (n > 0)
            memcpy(pictures[n], pictures[n - 1], SIZE);
        for (unsigned i = n % 5 == 0 ? 0 : 30; i > 0; i--)
            pictures[n][rand() % SIZE] = (uint8_t)rand();
    }
}

static uint64_t name_of(unsigned n)
{
    return 10 + 3 * n;
}

static struct reel *filled(uint64_t max_bytes)
{
    struct reel *reel;

    make_pictures();
    assert_int_equal(reel_create(max_bytes, &reel), 0);
    for (unsigned n = 0; n < PICTURES; n++) {
        assert_int_equal(reel_add(reel, name_of(n), pictures[n], size_of(n)), 0);
        assert_true(reel_bytes(reel) <= max_bytes);
    }
    return reel;
}

static int look_at(struct reel *reel, unsigned n)
{
    uint8_t found[SIZE];
    int status = reel_get(reel, name_of(n), found, size_of(n));

    if (status == 0)
        assert_memory_equal(found, pictures[n], size_of(n));
    return status;
}

static void an_empty_reel_has_nothing(void **state)
{
    struct reel *reel = NULL;
    uint8_t byte = 7;

    (void)state;
    reel_destroy(&reel);
    assert_int_equal(reel_create(PLENTY, &reel), 0);
    assert_int_equal(reel_get(reel, 1, &byte, 1), -ENOENT);
    assert_int_equal(reel_add(reel, 1, &byte, 0), -EINVAL);
    reel_destroy(&reel);
    assert_null(reel);
}

static void names_grow(void **state)
{
    struct reel *reel;
    uint8_t byte = 7, found = 0;

    (void)state;
    assert_int_equal(reel_create(PLENTY, &reel), 0);
    assert_int_equal(reel_add(reel, 5, &byte, 1), 0);
    assert_int_equal(reel_add(reel, 5, &byte, 1), -EINVAL);
    assert_int_equal(reel_add(reel, 4, &byte, 1), -EINVAL);
    assert_int_equal(reel_get(reel, 5, &found, 1), 0);
    assert_int_equal(found, 7);
    assert_int_equal(reel_get(reel, 5, &found, 2), -ENOENT);
    assert_int_equal(reel_get(reel, 4, &found, 1), -ENOENT);
    reel_destroy(&reel);
}

static void pictures_are_found_in_any_order(void **state)
{
    struct reel *reel = filled(PLENTY);

    (void)state;
    for (unsigned n = PICTURES; n-- > 0;)
        assert_int_equal(look_at(reel, n), 0);
    for (unsigned n = 0; n < PICTURES; n++)
        assert_int_equal(look_at(reel, n), 0);
    for (unsigned n = 0; n < 1000; n++)
        assert_int_equal(look_at(reel, (unsigned)rand() % PICTURES), 0);
    reel_destroy(&reel);
}

/* A reel takes memory for what changes: most of these pictures differ by at most 30 bytes. */
static void it_takes_what_changes(void **state)
{
    struct reel *reel = filled(PLENTY);

    (void)state;
    assert_true(reel_bytes(reel) < PICTURES * SIZE / 2);
    reel_destroy(&reel);
}

static void what_was_added_first_goes_first(void **state)
{
    struct reel *reel = filled(20000);
    unsigned gone = 0;

    (void)state;
    while (look_at(reel, gone) == -ENOENT)
        gone++;
    assert_in_range(gone, 1, PICTURES - 10);
    for (unsigned n = PICTURES; n-- > gone;)
        assert_int_equal(look_at(reel, n), 0);
    reel_destroy(&reel);
}

/* Pictures can be added after another picture has been read. */
static void what_is_added_after_a_look_is_found(void **state)
{
    struct reel *reel;

    (void)state;
    make_pictures();
    assert_int_equal(reel_create(PLENTY, &reel), 0);
    for (unsigned n = 0; n < PICTURES; n++) {
        assert_int_equal(reel_add(reel, name_of(n), pictures[n], size_of(n)), 0);
        assert_int_equal(look_at(reel, n / 2), 0);
    }
    for (unsigned n = 0; n < PICTURES; n++)
        assert_int_equal(look_at(reel, n), 0);
    reel_destroy(&reel);
}

static void a_picture_that_is_too_large_is_left_out(void **state)
{
    struct reel *reel;

    (void)state;
    make_pictures();
    assert_int_equal(reel_create(SIZE - 100, &reel), 0);
    assert_false(reel_may_take(reel, SIZE));
    assert_int_equal(reel_add(reel, 1, pictures[0], SIZE / 4), 0);
    assert_int_equal(reel_add(reel, 2, pictures[0], SIZE), -ENOMEM);
    assert_int_equal(reel_add(reel, 3, pictures[0] + 1, SIZE / 4), 0);
    assert_int_equal(reel_get(reel, 1, pictures[1], SIZE / 4), 0);
    assert_memory_equal(pictures[1], pictures[0], SIZE / 4);
    assert_int_equal(reel_get(reel, 2, pictures[1], SIZE), -ENOENT);
    assert_int_equal(reel_get(reel, 3, pictures[1], SIZE / 4), 0);
    assert_memory_equal(pictures[1], pictures[0] + 1, SIZE / 4);
    reel_destroy(&reel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_reel_has_nothing),
        cmocka_unit_test(names_grow),
        cmocka_unit_test(pictures_are_found_in_any_order),
        cmocka_unit_test(it_takes_what_changes),
        cmocka_unit_test(what_was_added_first_goes_first),
        cmocka_unit_test(what_is_added_after_a_look_is_found),
        cmocka_unit_test(a_picture_that_is_too_large_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
