/* SPDX-License-Identifier: MIT */
/*
 * Compares edits with the longest common subsequence, which is found by the slow and simple
 * algorithm.
 */
#include "base/shortest_edit.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 40, MANY = 5000 };

struct lists {
    const char *a, *b;
};

static bool same(const void *context, size_t a, size_t b)
{
    const struct lists *lists = context;

    return lists->a[a] == lists->b[b];
}

static size_t longest_common(const struct lists *lists, size_t a_count, size_t b_count)
{
    size_t table[LENGTH + 1][LENGTH + 1] = {{0}};

    for (size_t a = 1; a <= a_count; a++)
        for (size_t b = 1; b <= b_count; b++) {
            size_t longer = table[a - 1][b] > table[a][b - 1] ? table[a - 1][b] : table[a][b - 1];

            table[a][b] = same(lists, a - 1, b - 1) ? table[a - 1][b - 1] + 1 : longer;
        }
    return table[a_count][b_count];
}

/*
 * Asserts that the elements that are neither removed nor added are the same in both lists and in
 * the same order, and that there are as many as possible.
 */
static void check_edit(const struct lists *lists, size_t a_count, size_t b_count)
{
    const struct shortest_edit edit = {same, lists, a_count, b_count, NULL};
    bool gone[LENGTH] = {false}, come[LENGTH] = {false};
    size_t a = 0, b = 0, common = 0;

    assert_int_equal(shortest_edit_find(&edit, gone, come), 0);
    while (a < a_count || b < b_count) {
        if (a < a_count && gone[a]) {
            a++;
        } else if (b < b_count && come[b]) {
            b++;
        } else {
            assert_true(a < a_count && b < b_count && lists->a[a] == lists->b[b]);
            a++;
            b++;
            common++;
        }
    }
    assert_int_equal(common, longest_common(lists, a_count, b_count));
}

static void edits_are_shortest(void **state)
{
    static const struct lists cases[] = {
        {"", ""}, {"abc", ""}, {"", "abc"}, {"abcabba", "cbabac"}, {"abc", "abc"}, {"ab", "ba"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_edit(&cases[i], strlen(cases[i].a), strlen(cases[i].b));
}

static void random_edits_are_shortest(void **state)
{
    (void)state;
    srand(1);
    for (unsigned i = 0; i < 3000; i++) {
        char a[LENGTH], b[LENGTH];
        const struct lists lists = {a, b};
        unsigned letters = 1 + (unsigned)rand() % 6;

        for (size_t n = 0; n < LENGTH; n++) {
            a[n] = (char)('a' + (unsigned)rand() % letters);
            b[n] = (char)('a' + (unsigned)rand() % letters);
        }
        check_edit(&lists, (size_t)rand() % (LENGTH + 1), (size_t)rand() % (LENGTH + 1));
    }
}

static void very_many_are_replaced(void **state)
{
    static char a[MANY], b[MANY];
    static bool gone[MANY], come[MANY];
    const struct lists lists = {a, b};
    const struct shortest_edit edit = {same, &lists, MANY, MANY, NULL};

    (void)state;
    memset(a, 'a', sizeof(a));
    memset(b, 'b', sizeof(b));
    b[0] = b[MANY - 1] = 'a';
    assert_int_equal(shortest_edit_find(&edit, gone, come), 0);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(gone[i], i != 0 && i != MANY - 1);
        assert_int_equal(come[i], gone[i]);
    }
}

/* A search must need little memory, because several readers may compare texts at the same time. */
static void a_search_takes_little_memory(void **state)
{
    static char a[MANY], b[MANY];
    static bool gone[MANY], come[MANY];
    const struct lists lists = {a, b};
    const struct shortest_edit edit = {same, &lists, MANY, MANY, NULL};
    int status;

    (void)state;
    memset(a, 'a', sizeof(a));
    memset(b, 'b', sizeof(b));
    support_limit_space(UINT64_C(48) << 20);
    status = shortest_edit_find(&edit, gone, come);
    support_limit_space(0);
    assert_int_equal(status, 0);
}

/* Two lists that have no element in common. */
struct cancelled_lists {
    struct cancel cancel;
    unsigned compared, raised_at;
};

static bool differ(const void *context, size_t a, size_t b)
{
    struct cancelled_lists *lists = (struct cancelled_lists *)context;

    (void)a, (void)b;
    if (++lists->compared == lists->raised_at)
        cancel_raise(&lists->cancel);
    return false;
}

/* A search ends soon after the flag is raised, whenever that is. */
static void a_search_is_cancelled(void **state)
{
    static bool gone[MANY], come[MANY];

    (void)state;
    for (unsigned raised_at = 1; raised_at < 8000000; raised_at *= 7) {
        struct cancelled_lists lists = {.raised_at = raised_at};
        const struct shortest_edit edit = {differ, &lists, MANY, MANY, &lists.cancel};

        cancel_init(&lists.cancel, NULL);
        assert_int_equal(shortest_edit_find(&edit, gone, come), -EINTR);
        assert_in_range(lists.compared, raised_at, raised_at + 300);
        for (size_t i = 0; i < MANY; i++)
            assert_false(gone[i] || come[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_shortest),     cmocka_unit_test(random_edits_are_shortest),
        cmocka_unit_test(very_many_are_replaced), cmocka_unit_test(a_search_takes_little_memory),
        cmocka_unit_test(a_search_is_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
