/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "cache/cache.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Items are made by make_item(): `item_size` bytes, each the key's item number. A maker may be held
 * at the gate, where it stops when it is cancelled.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool gate_closed;
static int begun, answered, last_status;
static size_t item_size = 1000;
static int item_status;
static struct pool *pool;
static struct cache *cache;

static int make_item(void *context, struct cache_key key, const struct cancel *cancel,
                     struct blob **out)
{
    int status = item_status;

    (void)context;
    pthread_mutex_lock(&lock);
    begun++;
    pthread_cond_broadcast(&changed);
    while (gate_closed && !cancel_requested(cancel)) {
        pthread_mutex_unlock(&lock);
        usleep(500);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    if (cancel_requested(cancel))
        return -EINTR;
    if (status == 0)
        status = blob_create(item_size, out);
    if (status == 0)
        memset((*out)->data, (int)key.item, item_size);
    return status;
}

static const struct cache_maker maker = {.work = CACHE_RENDER, .make = make_item};

static void set_gate(bool closed)
{
    pthread_mutex_lock(&lock);
    gate_closed = closed;
    pthread_mutex_unlock(&lock);
}

static void wait_for(const int *value, int wanted)
{
    pthread_mutex_lock(&lock);
    while (*value < wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static struct cache_statistics statistics(void)
{
    struct cache_statistics out;

    cache_statistics(cache, &out);
    return out;
}

static void make_cache(uint64_t budget, uint64_t overdraft, unsigned threads)
{
    struct cache_params params = {.budget = budget, .overdraft = overdraft};

    if (threads > 0)
        assert_int_equal(pool_create(threads, &pool), 0);
    params.pool = pool;
    assert_int_equal(cache_create(&params, &cache), 0);
}

static int set_up(void **state)
{
    (void)state;
    gate_closed = false;
    begun = answered = last_status = item_status = 0;
    item_size = 1000;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cache_destroy(&cache);
    pool_destroy(&pool);
    return 0;
}

static struct cache_key key_of(uint64_t item)
{
    return (struct cache_key){item, item / 2};
}

static struct blob *get(uint64_t item)
{
    struct blob *blob = NULL;

    assert_int_equal(cache_get(cache, key_of(item), &maker, NULL, NULL, &blob), 0);
    assert_int_equal(blob->data[0], (uint8_t)item);
    return blob;
}

static void get_and_drop(uint64_t item)
{
    struct blob *blob = get(item);

    blob_unref(&blob);
}

static bool is_kept(uint64_t item)
{
    struct blob *blob = cache_peek(cache, key_of(item));
    bool kept = blob != NULL;

    blob_unref(&blob);
    return kept;
}

struct test_request {
    struct cache_request request;
    int status;
    bool done;
    struct blob *blob;
};

static void note_answer(struct cache_request *request, int status, struct blob *blob)
{
    struct test_request *test = (struct test_request *)request;

    pthread_mutex_lock(&lock);
    assert_false(test->done);
    test->status = last_status = status;
    test->done = true;
    test->blob = blob;
    answered++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void ask(uint64_t item, struct test_request *request)
{
    *request = (struct test_request){.request = {.done = note_answer}};
    cache_submit_request(cache, key_of(item), &maker, NULL, &request->request);
}

static void test_empty(void **state)
{
    (void)state;
    cache_destroy(&cache);
    make_cache(0, 0, 0);
    assert_null(cache_peek(cache, key_of(1)));
    assert_int_equal(statistics().held, 0);
    get_and_drop(1); /* nothing is kept, but every item can be obtained */
    assert_int_equal(statistics().items, 0);
}

static void test_made_once(void **state)
{
    struct blob *first, *second;

    (void)state;
    make_cache(100000, 0, 0);
    first = get(7);
    second = get(7);
    assert_ptr_equal(first, second);
    blob_unref(&first);
    blob_unref(&second);
    assert_int_equal(begun, 1);
    assert_int_equal(statistics().hits, 1);
    assert_int_equal(statistics().misses, 1);
    assert_int_equal(statistics().made[CACHE_RENDER], 1);
    assert_int_equal(statistics().made[CACHE_TEXT], 0);
    assert_true(is_kept(7));
    assert_false(is_kept(8));
    assert_int_equal(statistics().misses, 1);
}

static void test_keys_differ_in_part(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    make_cache(100000, 0, 0);
    for (uint64_t part = 0; part < 4; part++) {
        struct cache_key key = {1, part};

        assert_int_equal(cache_get(cache, key, &maker, NULL, NULL, &blob), 0);
        blob_unref(&blob);
    }
    assert_int_equal(begun, 4);
}

static void test_least_recently_used_goes_first(void **state)
{
    (void)state;
    make_cache(10000, 0, 0);
    for (uint64_t i = 0; i < 7; i++)
        get_and_drop(i);
    assert_int_equal(statistics().items, 7);
    assert_true(is_kept(0)); /* used again */
    for (uint64_t i = 7; i < 10; i++)
        get_and_drop(i);
    assert_true(is_kept(0));
    assert_false(is_kept(1));
    assert_true(is_kept(9));
    assert_true(statistics().held <= 10000);
    assert_int_equal(statistics().evictions, 10 - statistics().items);
}

static void test_larger_than_budget_is_not_kept(void **state)
{
    (void)state;
    make_cache(10000, 0, 0);
    get_and_drop(1);
    item_size = 10001;
    get_and_drop(2);
    assert_false(is_kept(2));
    assert_true(is_kept(1)); /* nothing was evicted in vain */
}

static void test_evicted_blob_in_use_lives(void **state)
{
    struct blob *blob;

    (void)state;
    make_cache(2500, 0, 0);
    blob = get(3);
    for (uint64_t i = 10; i < 20; i++)
        get_and_drop(i);
    assert_false(is_kept(3));
    for (size_t i = 0; i < blob->size; i++)
        assert_int_equal(blob->data[i], 3);
    blob_unref(&blob);
}

static void test_failure_is_not_remembered(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    make_cache(100000, 0, 0);
    item_status = -EIO;
    assert_int_equal(cache_get(cache, key_of(1), &maker, NULL, NULL, &blob), -EIO);
    assert_null(blob);
    assert_int_equal(statistics().failed, 1);
    item_status = 0;
    get_and_drop(1);
    assert_int_equal(begun, 2);
}

static void test_borrowed_bytes_cost_nothing(void **state)
{
    static const uint8_t dump[1 << 20];
    struct blob *blob = NULL;

    (void)state;
    make_cache(10000, 0, 0);
    assert_int_equal(blob_borrow(dump, sizeof(dump), &blob), 0);
    cache_offer(cache, key_of(1), blob);
    assert_true(is_kept(1));
    assert_true(statistics().held > 0 && statistics().held < 1000);
    blob_unref(&blob);
}

static void test_offer(void **state)
{
    struct blob *blob = NULL, *other = NULL, *peeked;

    (void)state;
    make_cache(10000, 0, 0);
    assert_int_equal(blob_create(100, &blob), 0);
    assert_int_equal(blob_create(100, &other), 0);
    cache_offer(cache, key_of(1), blob);
    cache_offer(cache, key_of(1), other); /* there already */
    peeked = cache_peek(cache, key_of(1));
    assert_ptr_equal(peeked, blob);
    blob_unref(&peeked);
    blob_unref(&other);
    assert_int_equal(blob_create(20000, &other), 0);
    cache_offer(cache, key_of(2), other);
    assert_false(is_kept(2));
    blob_unref(&blob);
    blob_unref(&other);
}

static void test_one_blob_under_two_keys_is_counted_once(void **state)
{
    uint64_t held;
    struct blob *blob = NULL;

    (void)state;
    make_cache(1000000, 0, 0);
    assert_int_equal(blob_create(100000, &blob), 0);
    cache_offer(cache, key_of(1), blob);
    held = statistics().held;
    cache_offer(cache, key_of(2), blob);
    assert_int_equal(cache_pin(cache, blob), 0);
    assert_int_equal(statistics().held - held, held - 100000);
    cache_unpin(cache, blob);
    blob_unref(&blob);
}

static void test_pins(void **state)
{
    struct blob *kept, *large;
    uint64_t held;

    (void)state;
    make_cache(10000, 15000, 0);
    kept = get(1);
    held = statistics().held;
    assert_int_equal(cache_pin(cache, kept), 0);
    assert_int_equal(cache_pin(cache, kept), 0);
    assert_int_equal(statistics().held, held);
    assert_int_equal(statistics().pinned, 1000);

    item_size = 20000;
    large = get(2); /* larger than the budget */
    assert_int_equal(statistics().held, held);
    assert_int_equal(cache_pin(cache, large), 0);
    assert_int_equal(statistics().pinned, 21000);
    assert_int_equal(statistics().held, held + 20000);

    item_size = 1000;
    get_and_drop(3); /* the pins leave no room */
    assert_false(is_kept(3));
    assert_true(is_kept(1)); /* pinned, so never evicted */

    cache_unpin(cache, large);
    blob_unref(&large);
    get_and_drop(3);
    assert_true(is_kept(3));
    cache_unpin(cache, kept);
    assert_int_equal(statistics().pinned, 1000);
    cache_unpin(cache, kept);
    assert_int_equal(statistics().pinned, 0);
    blob_unref(&kept);
}

static void test_pins_beyond_the_overdraft(void **state)
{
    struct blob *blobs[3];

    (void)state;
    make_cache(1500, 1000, 0);
    for (size_t i = 0; i < COUNT_OF(blobs); i++)
        blobs[i] = get(i);
    assert_int_equal(cache_pin(cache, blobs[0]), 0);
    assert_int_equal(cache_pin(cache, blobs[1]), 0);
    assert_int_equal(cache_pin(cache, blobs[2]), -ENOMEM);
    cache_unpin(cache, blobs[0]);
    assert_int_equal(cache_pin(cache, blobs[2]), 0);
    cache_unpin(cache, blobs[1]);
    cache_unpin(cache, blobs[2]);
    assert_int_equal(statistics().pinned, 0);
    for (size_t i = 0; i < COUNT_OF(blobs); i++)
        blob_unref(&blobs[i]);
}

static void test_ask(void **state)
{
    struct test_request first, second;

    (void)state;
    make_cache(10000, 0, 2);
    ask(5, &first);
    wait_for(&answered, 1);
    assert_int_equal(first.status, 0);
    assert_int_equal(first.blob->data[999], 5);
    ask(5, &second);
    assert_true(second.done); /* answered at once */
    assert_ptr_equal(first.blob, second.blob);
    blob_unref(&first.blob);
    blob_unref(&second.blob);
}

static void test_ask_without_pool(void **state)
{
    struct test_request request;

    (void)state;
    make_cache(10000, 0, 0);
    ask(5, &request);
    assert_true(request.done);
    assert_int_equal(request.status, 0);
    blob_unref(&request.blob);
    item_status = -EIO;
    ask(6, &request);
    assert_int_equal(request.status, -EIO);
    assert_null(request.blob);
}

static void *get_one(void *context)
{
    get_and_drop(*(uint64_t *)context);
    return NULL;
}

static void test_fifty_readers_one_render(void **state)
{
    struct test_request requests[30];
    pthread_t threads[20];
    uint64_t item = 9;

    (void)state;
    make_cache(10000, 0, 2);
    set_gate(true);
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        ask(item, &requests[i]);
    wait_for(&begun, 1);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, get_one, &item), 0);
    usleep(5000);
    set_gate(false);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    wait_for(&answered, COUNT_OF(requests));
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        assert_int_equal(requests[i].status, 0);
        blob_unref(&requests[i].blob);
    }
    assert_int_equal(begun, 1);
    assert_int_equal(statistics().made[CACHE_RENDER], 1);
    assert_int_equal(statistics().misses, 1);
    assert_int_equal(statistics().hits, 49);
}

static void test_failure_reaches_all(void **state)
{
    struct test_request requests[3];

    (void)state;
    make_cache(10000, 0, 1);
    item_status = -EIO;
    set_gate(true);
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        ask(1, &requests[i]);
    set_gate(false);
    wait_for(&answered, COUNT_OF(requests));
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        assert_int_equal(requests[i].status, -EIO);
    assert_int_equal(begun, 1);
}

static void test_cancelled_by_all_ends(void **state)
{
    struct test_request running, queued;

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    ask(1, &running);
    wait_for(&begun, 1);
    ask(2, &queued);
    cache_cancel_request(cache, &queued.request);
    assert_true(queued.done);
    assert_int_equal(queued.status, -EINTR);
    cache_cancel_request(cache, &queued.request); /* already answered: nothing happens */
    cache_cancel_request(cache, &running.request);
    assert_int_equal(running.status, -EINTR);
    ask(3, &queued); /* the thread is free again, although the gate was not opened for item 1 */
    wait_for(&begun, 2);
    set_gate(false);
    wait_for(&answered, 3);
    assert_int_equal(queued.status, 0);
    blob_unref(&queued.blob);
    assert_false(is_kept(1));
    assert_false(is_kept(2));
    assert_int_equal(begun, 2);
}

static void test_cancelled_by_one_goes_on(void **state)
{
    struct test_request first, second;

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    ask(1, &first);
    ask(1, &second);
    wait_for(&begun, 1);
    cache_cancel_request(cache, &first.request);
    assert_int_equal(first.status, -EINTR);
    set_gate(false);
    wait_for(&answered, 2);
    assert_int_equal(second.status, 0);
    blob_unref(&second.blob);
    assert_int_equal(begun, 1);
}

/* A request that comes while a cancelled making is ending gets the item nevertheless. */
static void test_asked_again_after_cancellation(void **state)
{
    struct test_request first, second;

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    ask(1, &first);
    wait_for(&begun, 1);
    cache_cancel_request(cache, &first.request);
    ask(1, &second);
    set_gate(false);
    wait_for(&answered, 2);
    assert_int_equal(second.status, 0);
    blob_unref(&second.blob);
}

struct cancelled_get {
    struct cancel cancel;
    int status;
};

static void *get_cancelled(void *context)
{
    struct cancelled_get *get_context = context;
    struct blob *blob = NULL;

    get_context->status = cache_get(cache, key_of(1), &maker, NULL, &get_context->cancel, &blob);
    blob_unref(&blob);
    return NULL;
}

/* A killed reader does not disturb the other requests: another one that waits makes the item. */
static void test_cancelled_maker_hands_over(void **state)
{
    struct cancelled_get gets[2];
    struct test_request request;
    pthread_t threads[2];

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    for (size_t i = 0; i < 2; i++) {
        cancel_init(&gets[i].cancel, NULL);
        assert_int_equal(pthread_create(&threads[i], NULL, get_cancelled, &gets[i]), 0);
        wait_for(&begun, 1); /* the first thread makes the item */
    }
    ask(1, &request);
    cancel_raise(&gets[0].cancel);
    pthread_join(threads[0], NULL);
    assert_int_equal(gets[0].status, -EINTR);
    wait_for(&begun, 2); /* the second thread or the pool */
    cancel_raise(&gets[1].cancel);
    pthread_join(threads[1], NULL);
    assert_int_equal(gets[1].status, -EINTR);
    set_gate(false);
    wait_for(&answered, 1);
    assert_int_equal(request.status, 0);
    blob_unref(&request.blob);
}

static void test_cancelled_waiter_leaves(void **state)
{
    struct cancelled_get waiter;
    struct test_request request;
    pthread_t thread;

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    ask(1, &request);
    wait_for(&begun, 1);
    cancel_init(&waiter.cancel, NULL);
    assert_int_equal(pthread_create(&thread, NULL, get_cancelled, &waiter), 0);
    cancel_raise(&waiter.cancel);
    pthread_join(thread, NULL); /* returns although the item is not made yet */
    assert_int_equal(waiter.status, -EINTR);
    set_gate(false);
    wait_for(&answered, 1);
    assert_int_equal(request.status, 0);
    blob_unref(&request.blob);
}

/* Makes item N from item N - 1. */
static int make_nested(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    static const struct cache_maker nested = {.work = CACHE_TEXT, .make = make_nested};
    int status = 0;

    if (key.item > 0)
        status =
            cache_get(cache, (struct cache_key){key.item - 1, 0}, &nested, context, cancel, out);
    if (status < 0)
        return status;
    blob_unref(out);
    return blob_create(key.item + 1, out);
}

static const struct cache_maker nested_maker = {.work = CACHE_TEXT, .make = make_nested};

/* Requests all items of a chain at once, with fewer threads than items. */
static void test_nested_makers(void **state)
{
    enum { LENGTH = 50 };
    struct test_request requests[LENGTH];

    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        make_cache(100000, 0, threads);
        answered = 0;
        for (uint64_t i = 0; i < LENGTH; i++) {
            requests[i] = (struct test_request){.request = {.done = note_answer}};
            cache_submit_request(cache, (struct cache_key){(i * 7) % LENGTH, 0}, &nested_maker,
                                 NULL, &requests[i].request);
        }
        wait_for(&answered, LENGTH);
        for (uint64_t i = 0; i < LENGTH; i++) {
            assert_int_equal(requests[i].status, 0);
            assert_int_equal(requests[i].blob->size, (i * 7) % LENGTH + 1);
            blob_unref(&requests[i].blob);
        }
        assert_int_equal(statistics().made[CACHE_TEXT], LENGTH);
        cache_destroy(&cache);
        pool_destroy(&pool);
    }
}

static void test_destroy_answers_everyone(void **state)
{
    struct test_request requests[4];

    (void)state;
    make_cache(10000, 0, 1);
    set_gate(true);
    ask(1, &requests[0]);
    wait_for(&begun, 1);
    for (size_t i = 1; i < COUNT_OF(requests); i++)
        ask(i, &requests[i]);
    cache_destroy(&cache);
    assert_int_equal(answered, COUNT_OF(requests));
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        assert_int_equal(requests[i].status, -EINTR);
    assert_int_equal(begun, 1);
}

static void test_unmount_ends_everything(void **state)
{
    struct test_request request;
    struct cancel unmount;
    struct blob *blob = NULL;
    struct cache_params params = {.budget = 10000, .cancel = &unmount};

    (void)state;
    cancel_init(&unmount, NULL);
    assert_int_equal(pool_create(1, &pool), 0);
    params.pool = pool;
    assert_int_equal(cache_create(&params, &cache), 0);
    set_gate(true);
    ask(1, &request);
    wait_for(&begun, 1);
    cancel_raise(&unmount);
    wait_for(&answered, 1);
    assert_int_equal(request.status, -EINTR);
    assert_int_equal(cache_get(cache, key_of(2), &maker, NULL, NULL, &blob), -EINTR);
    assert_int_equal(begun, 1);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct cache_params params = {.budget = 100000};
        struct blob *blob = NULL;
        int status = 0;

        support_fail_allocation(n);
        status = cache_create(&params, &cache);
        for (uint64_t i = 0; i < 3 && status == 0; i++) {
            status = cache_get(cache, key_of(i), &maker, NULL, NULL, &blob);
            blob_unref(&blob);
        }
        /* an item that only could not be kept is not a failure */
        assert_true(status == 0 || (status == -ENOMEM && support_allocation_failed()));
        cache_destroy(&cache);
    }
    support_fail_allocation(-1);
}

static void test_charges_take_room_from_items(void **state)
{
    uint64_t account = 0;

    (void)state;
    make_cache(10000, 0, 0);
    for (uint64_t item = 1; item <= 4; item++)
        get_and_drop(item);
    assert_int_equal(cache_charge(cache, &account, 7000, UINT64_MAX), 0);
    assert_int_equal(account, 7000);
    assert_int_equal(statistics().charged, 7000);
    assert_true(statistics().held <= 10000);
    assert_true(statistics().evictions >= 1);
    assert_false(is_kept(1));
    assert_true(is_kept(4));
    assert_int_equal(cache_charge(cache, &account, 0, 0), 0);
    assert_int_equal(statistics().charged, 0);
}

/* An account has the value with which it was charged last. */
static void test_charges_replace_each_other(void **state)
{
    uint64_t first = 0, second = 0;

    (void)state;
    make_cache(10000, 0, 0);
    assert_int_equal(cache_charge(cache, &first, 3000, UINT64_MAX), 0);
    assert_int_equal(cache_charge(cache, &second, 4000, UINT64_MAX), 0);
    assert_int_equal(cache_charge(cache, &first, 6000, UINT64_MAX), 0);
    assert_int_equal(statistics().charged, 10000);
    assert_int_equal(cache_charge(cache, &second, 1, UINT64_MAX), 0);
    assert_int_equal(statistics().charged, 6001);
    assert_int_equal(statistics().held, 6001);
    cache_charge(cache, &first, 0, 0);
    cache_charge(cache, &second, 0, 0);
    assert_int_equal(statistics().held, 0);
}

static void test_charges_beyond_the_budget_are_refused(void **state)
{
    uint64_t account = 0;
    struct blob *blob;

    (void)state;
    make_cache(10000, 0, 0);
    assert_int_equal(cache_charge(cache, &account, 501, 500), -ENOMEM);
    assert_int_equal(cache_charge(cache, &account, 10001, UINT64_MAX), -ENOMEM);
    assert_int_equal(cache_charge(cache, &account, UINT64_MAX, UINT64_MAX), -ENOMEM);
    assert_int_equal(account, 0);
    assert_int_equal(cache_charge(cache, &account, 5000, 5000), 0);
    assert_int_equal(cache_charge(cache, &account, 10001, UINT64_MAX), -ENOMEM);
    assert_int_equal(account, 5000);

    item_size = 6000; /* the charged bytes leave no room for it */
    blob = get(1);
    assert_int_equal(cache_pin(cache, blob), -ENOMEM);
    assert_false(is_kept(1));
    blob_unref(&blob);
    item_size = 3000;
    blob = get(2);
    assert_int_equal(cache_pin(cache, blob), 0);
    assert_int_equal(cache_charge(cache, &account, 8000, UINT64_MAX), -ENOMEM);
    cache_unpin(cache, blob);
    blob_unref(&blob);
    assert_int_equal(cache_charge(cache, &account, 8000, UINT64_MAX), 0);
    cache_charge(cache, &account, 0, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_empty),
        TEST(test_made_once),
        TEST(test_keys_differ_in_part),
        TEST(test_least_recently_used_goes_first),
        TEST(test_larger_than_budget_is_not_kept),
        TEST(test_evicted_blob_in_use_lives),
        TEST(test_failure_is_not_remembered),
        TEST(test_borrowed_bytes_cost_nothing),
        TEST(test_offer),
        TEST(test_one_blob_under_two_keys_is_counted_once),
        TEST(test_pins),
        TEST(test_pins_beyond_the_overdraft),
        TEST(test_charges_take_room_from_items),
        TEST(test_charges_replace_each_other),
        TEST(test_charges_beyond_the_budget_are_refused),
        TEST(test_ask),
        TEST(test_ask_without_pool),
        TEST(test_fifty_readers_one_render),
        TEST(test_failure_reaches_all),
        TEST(test_cancelled_by_all_ends),
        TEST(test_cancelled_by_one_goes_on),
        TEST(test_asked_again_after_cancellation),
        TEST(test_cancelled_maker_hands_over),
        TEST(test_cancelled_waiter_leaves),
        TEST(test_nested_makers),
        TEST(test_destroy_answers_everyone),
        TEST(test_unmount_ends_everything),
        TEST(test_no_memory),
    };

    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
