/* SPDX-License-Identifier: MIT */
/*
 * Makings and passes that work for longer than their budget allows. The tests measure the processor
 * time that they take, with a large margin, so a busy machine does not affect them.
 */
#include "base/budget.h"
#include "base/memory.h"
#include "base/memory_limit.h"
#include "cache/cache.h"
#include "cache/index_task.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MS       UINT64_C(1000000)
#define FOR_EVER UINT64_MAX

enum { LIMIT_MS = 64 };

struct scene {
    struct budget budget;
    enum budget_limit limit; /* the limit that must be reported */
    struct cache *cache;
    struct watchdog *watchdog;
    unsigned told;
    uint64_t item;
    unsigned begun;
};

static uint64_t spent(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

/* Called once, after the next time that a clock is read and before the result is used. */
static void (*after_reading)(void);

int __real_clock_gettime(clockid_t clock, struct timespec *time); /* NOLINT: the linker's name */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time); /* NOLINT: the linker's name */

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) /* NOLINT: the linker's name */
{
    void (*then)(void) = after_reading;
    int status = __real_clock_gettime(clock, time);

    after_reading = NULL;
    if (then != NULL)
        then();
    return status;
}

/* Works for a time, unless it is cancelled. */
static int burn(uint64_t nanoseconds, const struct cancel *cancel)
{
    uint64_t begin = spent();

    while (spent() - begin < nanoseconds)
        if (cancel_requested(cancel))
            return -EINTR;
    return 0;
}

/*
 * The context is a scene, and the item's number is the time of the work in milliseconds; from 1000
 * on the work never ends.
 */
static int make(void *context, struct cache_key key, const struct cancel *cancel, struct blob **out)
{
    struct scene *scene = context;
    int status;

    scene->begun++;
    status = burn(key.item < 1000 ? key.item * MS : FOR_EVER, cancel);
    return status == 0 ? blob_create(10, out) : status;
}

static int make_too_long(void *context, struct cache_key key, const struct cancel *cancel,
                         struct blob **out)
{
    (void)key, (void)cancel, (void)out;
    ((struct scene *)context)->begun++;
    return -EFBIG;
}

static const struct cache_maker maker = {.work = CACHE_TEXT, .make = make};
static const struct cache_maker patient = {.work = CACHE_TEXT, .make = make, .unlimited = true};
static const struct cache_maker too_long = {.work = CACHE_TEXT, .make = make_too_long};

static void note(void *context, enum budget_limit limit, uint64_t amount, uint64_t item)
{
    struct scene *scene = context;

    assert_int_equal(limit, scene->limit);
    assert_true(amount > 0);
    if (limit == BUDGET_TIME)
        assert_true(amount <= LIMIT_MS * MS);
    scene->told++;
    scene->item = item;
}

static void begin(struct scene *scene, uint64_t limit, bool watched)
{
    const struct budget_params params = {.time = limit, .exceeded = note, .context = scene};
    struct cache_params cache = {.budget = 1 << 20, .spending = &scene->budget};

    memset(scene, 0, sizeof(*scene));
    budget_init(&scene->budget, &params);
    if (watched)
        assert_int_equal(watchdog_create(&scene->watchdog), 0);
    cache.watchdog = scene->watchdog;
    assert_int_equal(cache_create(&cache, &scene->cache), 0);
}

static void end(struct scene *scene)
{
    watchdog_stop(scene->watchdog);
    cache_destroy(&scene->cache);
    watchdog_destroy(&scene->watchdog);
    budget_destroy(&scene->budget);
}

static int get(struct scene *scene, uint64_t item, const struct cache_maker *how)
{
    struct blob *blob = NULL;
    int status = cache_get(scene->cache, (struct cache_key){.item = item}, how, scene, NULL, &blob);

    assert_int_equal(status == 0, blob != NULL);
    blob_unref(&blob);
    return status;
}

static void ends_what_is_over(bool watched)
{
    struct scene scene;
    uint64_t before;

    begin(&scene, LIMIT_MS * MS, watched);
    assert_int_equal(get(&scene, 1, &maker), 0);
    assert_int_equal(scene.told, 0);
    before = spent();
    assert_int_equal(get(&scene, 1000, &maker), -EIO);
    assert_true(spent() - before >= LIMIT_MS * MS / 2);
    assert_true(spent() - before < 10 * LIMIT_MS * MS);
    assert_int_equal(scene.told, 1);
    assert_int_equal(scene.item, 1000);
    end(&scene);
}

static void a_watch_ends_what_is_over_its_limit(void **state)
{
    (void)state;
    ends_what_is_over(true);
}

static void without_a_watchdog_the_work_looks_itself(void **state)
{
    (void)state;
    ends_what_is_over(false);
}

static void a_failure_is_remembered(void **state)
{
    struct scene scene;
    unsigned begun;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    assert_int_equal(cache_failure(scene.cache, (struct cache_key){.item = 1000}), 0);
    assert_int_equal(get(&scene, 1000, &maker), -EIO);
    begun = scene.begun;
    assert_int_equal(get(&scene, 1000, &maker), -EIO);
    assert_int_equal(scene.begun, begun);
    assert_int_equal(scene.told, 1);
    assert_int_equal(cache_failure(scene.cache, (struct cache_key){.item = 1000}), -EIO);
    assert_int_equal(get(&scene, 7000, &too_long), -EFBIG);
    assert_int_equal(get(&scene, 7000, &too_long), -EFBIG);
    assert_int_equal(scene.begun, begun + 1);
    end(&scene);
}

/* A request that is answered later reports the remembered failure as well. */
static void answered(struct cache_request *request, int status, struct blob *blob)
{
    blob_unref(&blob);
    request->key.part = (uint64_t)-status;
}

static void a_request_is_told_of_it(void **state)
{
    struct cache_request request = {.done = answered};
    struct scene scene;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    assert_int_equal(get(&scene, 1000, &maker), -EIO);
    cache_submit_request(scene.cache, (struct cache_key){.item = 1000}, &maker, &scene, &request);
    assert_int_equal(request.key.part, EIO);
    assert_int_equal(scene.begun, 1);
    end(&scene);
}

static void failures_are_bounded(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    for (uint64_t item = 0; item < 5000; item++)
        assert_int_equal(get(&scene, item, &too_long), -EFBIG);
    assert_int_equal(cache_failure(scene.cache, (struct cache_key){.item = 0}), 0);
    assert_int_equal(cache_failure(scene.cache, (struct cache_key){.item = 4999}), -EFBIG);
    end(&scene);
}

/* Makings that exceed the limit cost little together, however many there are. */
static void the_account_of_the_mount_bounds_all(void **state)
{
    struct scene scene;
    uint64_t before;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    before = spent();
    for (uint64_t item = 1000; item < 1020; item++)
        assert_int_equal(get(&scene, item, &maker), -EIO);
    assert_int_equal(scene.told, 20);
    assert_true(spent() - before < 10 * LIMIT_MS * MS); /* 20 limits without an account */
    assert_true(budget_time(&scene.budget) < LIMIT_MS * MS / 2);
    end(&scene);
}

static void what_needs_its_time_has_no_limit(void **state)
{
    struct scene scene;

    (void)state;
    begin(&scene, 5 * MS, false);
    assert_int_equal(get(&scene, 100, &patient), 0);
    assert_int_equal(scene.told, 0);
    end(&scene);
    begin(&scene, 0, false);
    assert_int_equal(get(&scene, 100, &maker), 0);
    end(&scene);
}

/* Cancelling for a reader that has gone is not a failure of the item. */
static void a_cancelled_making_is_not_over(void **state)
{
    struct scene scene;
    struct cancel cancel;
    struct blob *blob = NULL;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    begin(&scene, LIMIT_MS * MS, false);
    assert_int_equal(
        cache_get(scene.cache, (struct cache_key){.item = 1000}, &maker, &scene, &cancel, &blob),
        -EINTR);
    assert_int_equal(scene.told, 0);
    assert_int_equal(cache_failure(scene.cache, (struct cache_key){.item = 1000}), 0);
    end(&scene);
}

/* Passes. */

struct pass {
    struct scene *scene;
    unsigned steps;
    uint64_t step; /* nanoseconds of work */
};

static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct pass *pass = context;
    int status = burn(pass->step, cancel);

    if (status == 0)
        position->known++;
    position->ended = position->known == pass->steps;
    return status;
}

static void start(struct index_task *task, struct pass *pass)
{
    index_task_init(task, &(struct index_task_work){.advance = advance,
                                                    .context = pass,
                                                    .spending = &pass->scene->budget});
}

static void a_pass_ends_and_what_is_known_stays(void **state)
{
    struct scene scene;
    struct pass pass = {.scene = &scene, .steps = 1000000, .step = MS};
    struct index_task task;
    uint64_t before, known;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    start(&task, &pass);
    before = spent();
    assert_int_equal(index_task_wait_all(&task, NULL), -EIO);
    assert_true(spent() - before < 10 * LIMIT_MS * MS);
    assert_int_equal(scene.told, 1);
    assert_int_equal(scene.item, 0);
    for (known = 0; index_task_knows(&task, known); known++)
        continue;
    assert_true(known > LIMIT_MS / 4);
    assert_int_equal(index_task_wait(&task, known - 1, NULL), 0);
    assert_int_equal(index_task_wait(&task, known, NULL), -EIO); /* at once, for good */
    assert_int_equal(scene.told, 1);
    index_task_destroy(&task);
    end(&scene);
}

static void a_pass_in_one_step_ends_too(void **state)
{
    struct scene scene;
    struct pass pass = {.scene = &scene, .steps = 1, .step = FOR_EVER};
    struct index_task task;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    start(&task, &pass);
    assert_int_equal(index_task_wait_all(&task, NULL), -EIO);
    assert_int_equal(scene.told, 1);
    index_task_destroy(&task);
    end(&scene);
}

static void a_pass_within_its_limit_is_complete(void **state)
{
    struct scene scene;
    struct pass pass = {.scene = &scene, .steps = 10, .step = MS};
    struct index_task task;

    (void)state;
    begin(&scene, 1000 * MS, false);
    start(&task, &pass);
    assert_int_equal(index_task_wait_all(&task, NULL), 0);
    assert_true(task.spent >= 10 * MS);
    assert_int_equal(scene.told, 0);
    index_task_destroy(&task);
    end(&scene);
}

/* Makes an item that needs the pass. The pass is not counted as a cost of the item. */
static int make_with_pass(void *context, struct cache_key key, const struct cancel *cancel,
                          struct blob **out)
{
    (void)key;
    return index_task_wait_all(context, cancel) == 0 ? blob_create(10, out) : -EIO;
}

static void a_pass_is_not_the_making_that_waits_for_it(void **state)
{
    static const struct cache_maker with_pass = {.work = CACHE_TEXT, .make = make_with_pass};
    struct scene scene, other;
    struct pass pass = {.scene = &other, .steps = 5, .step = LIMIT_MS * MS};
    struct index_task task;
    struct blob *blob = NULL;

    (void)state;
    begin(&other, 100 * LIMIT_MS * MS, false);
    for (int watched = 0; watched < 2; watched++) {
        begin(&scene, LIMIT_MS * MS, watched);
        start(&task, &pass);
        assert_int_equal(
            cache_get(scene.cache, (struct cache_key){.item = 1}, &with_pass, &task, NULL, &blob),
            0);
        blob_unref(&blob);
        assert_int_equal(scene.told, 0);
        index_task_destroy(&task);
        end(&scene);
    }
    end(&other);
}

/* Memory. */

enum { GROWS = 1 << 20, GREEDY = 5000, KEPT = 32 << 20 };

/* Allocates a large block at once, or takes memory, page by page, until it is cancelled. */
static int grow(void *context, struct cache_key key, const struct cancel *cancel, struct blob **out)
{
    struct scene *scene = context;
    uint8_t *space;
    int status = 0;

    scene->begun++;
    if (key.item == 0)
        return blob_create((size_t)1 << 30, out);
    if (key.item != GREEDY)
        return blob_create(KEPT, out);
    space = memory_reserve((size_t)1 << 30);
    for (size_t at = 0; at < (size_t)1 << 30 && status == 0; at += GROWS) {
        memset(space + at, 1, GROWS);
        status = burn(MS / 4, cancel);
    }
    memory_unreserve(space, (size_t)1 << 30);
    return status == 0 ? -EIO : status; /* all of the memory was taken: no thread checked it */
}

static const struct cache_maker grower = {.work = CACHE_TEXT, .make = grow};

static void begin_with_memory(struct scene *scene, struct memory_share *share, uint64_t more,
                              bool watched)
{
    memory_limit_open();
    *share = (struct memory_share){.shared = memory_limit_held() + MEMORY_LIMIT_SLACK + more};
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    support_skip("a sanitizer has memory of its own");
#endif
    begin(scene, 0, watched);
    scene->limit = BUDGET_MEMORY;
    memory_limit_add(share);
}

static void end_with_memory(struct scene *scene, const struct memory_share *share)
{
    memory_limit_remove(share);
    end(scene);
}

static void what_holds_too_much_ends(void **state)
{
    struct memory_share share;
    struct scene scene;

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        begin_with_memory(&scene, &share, 4 * (uint64_t)KEPT, watched);
        assert_int_equal(get(&scene, GREEDY, &grower), -ENOMEM);
        assert_int_equal(scene.told, 1);
        assert_int_equal(scene.item, GREEDY);
        assert_int_equal(get(&scene, GREEDY, &grower), -ENOMEM);
        assert_int_equal(scene.begun, 1); /* the failure is remembered */
        assert_int_equal(get(&scene, 1, &grower), 0);
        end_with_memory(&scene, &share);
    }
}

static void what_is_kept_goes_before_it(void **state)
{
    struct cache_statistics statistics;
    struct memory_share share;
    struct scene scene;
    const struct cache_params params = {.budget = UINT64_C(1) << 30, .spending = &scene.budget};

    (void)state;
    begin_with_memory(&scene, &share, 2 * (uint64_t)KEPT, false);
    cache_destroy(&scene.cache);
    assert_int_equal(cache_create(&params, &scene.cache), 0);
    for (uint64_t item = 1; item <= 8; item++) {
        assert_int_equal(get(&scene, item, &grower), 0);
        assert_false(memory_limit_look());
    }
    cache_statistics(scene.cache, &statistics);
    assert_int_equal(scene.told, 0);
    assert_true(statistics.evictions >= 4);
    assert_true(statistics.held >= KEPT);
    end_with_memory(&scene, &share);
}

static void a_block_that_cannot_fit_is_told(void **state)
{
    struct memory_share share;
    struct scene scene;

    (void)state;
    begin_with_memory(&scene, &share, 4 * (uint64_t)KEPT, true);
    assert_int_equal(get(&scene, 0, &grower), -ENOMEM);
    assert_int_equal(scene.told, 1);
    assert_int_equal(get(&scene, 0, &grower), -ENOMEM);
    assert_int_equal(scene.begun, 1);
    end_with_memory(&scene, &share);
}

/* Makes another item that grows, as a making does that reads the dump. */
static int grow_inside(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    struct scene *scene = context;
    const struct cache_key inner = {.item = key.item + 1};

    scene->begun++;
    return cache_get(scene->cache, inner, &grower, scene, cancel, out);
}

static void what_a_making_makes_on_its_way_is_no_other(void **state)
{
    static const struct cache_maker outer = {.work = CACHE_TEXT, .make = grow_inside};
    struct memory_share share;
    struct scene scene;

    (void)state;
    begin_with_memory(&scene, &share, 4 * (uint64_t)KEPT, true);
    assert_int_equal(get(&scene, GREEDY - 1, &outer), -ENOMEM);
    assert_int_equal(scene.begun, 2);
    assert_int_equal(get(&scene, GREEDY - 1, &outer), -ENOMEM);
    assert_int_equal(scene.begun, 2); /* the failure is remembered */
    end_with_memory(&scene, &share);
}

struct beside {
    struct scene *scene;
    bool alone;
    atomic_bool waits, ended;
};

/*
 * Reports that the helper needed too much memory; `alone` means that the helper had most of
 * the limit to itself.
 */
static int want_too_much(void *context, struct cache_key key, const struct cancel *cancel,
                         struct blob **out)
{
    struct beside *beside = context;

    (void)key, (void)cancel, (void)out;
    beside->scene->begun++;
    budget_end_helper_for_memory(beside->alone);
    return -EAGAIN;
}

static int stay(void *context, struct cache_key key, const struct cancel *cancel, struct blob **out)
{
    struct beside *beside = context;

    (void)key, (void)cancel, (void)out;
    atomic_store(&beside->waits, true);
    while (!atomic_load(&beside->ended))
        usleep(500);
    return -EIO;
}

static void *make_beside(void *context)
{
    static const struct cache_maker stays = {.work = CACHE_TEXT, .make = stay};
    struct beside *beside = context;
    struct blob *blob = NULL;

    (void)cache_get(beside->scene->cache, (struct cache_key){.item = 1}, &stays, beside, NULL,
                    &blob);
    return NULL;
}

/*
 * A helper that had most of the limit to itself will need too much memory the next time, too, so
 * the failure is remembered. Otherwise other makings may have been the cause.
 */
static void what_a_helper_wants_alone_is_remembered(void **state)
{
    static const struct cache_maker wants = {.work = CACHE_TEXT, .make = want_too_much};
    const struct cache_key key = {.item = GREEDY};
    struct memory_share share;
    struct blob *blob = NULL;
    struct scene scene;
    pthread_t thread;

    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct beside beside = {.scene = &scene, .alone = alone};

        begin_with_memory(&scene, &share, KEPT, true);
        assert_int_equal(pthread_create(&thread, NULL, make_beside, &beside), 0);
        while (!atomic_load(&beside.waits))
            usleep(500);
        assert_int_equal(cache_get(scene.cache, key, &wants, &beside, NULL, &blob), -ENOMEM);
        assert_int_equal(cache_get(scene.cache, key, &wants, &beside, NULL, &blob), -ENOMEM);
        assert_int_equal(scene.begun, alone ? 1 : 2);
        atomic_store(&beside.ended, true);
        pthread_join(thread, NULL);
        end_with_memory(&scene, &share);
    }
}

/* A pass whose steps no other thread checks. */
static int grow_pass(void *context, const struct cancel *cancel,
                     struct index_task_position *position)
{
    struct blob *blob = NULL;
    int status = grow(context, (struct cache_key){.item = GREEDY}, cancel, &blob);

    position->ended = status == 0;
    return status;
}

static void a_pass_that_holds_too_much_ends(void **state)
{
    struct memory_share share;
    struct index_task task;
    struct scene scene;

    (void)state;
    begin_with_memory(&scene, &share, KEPT, false);
    {
        const struct index_task_work work = {
            .advance = grow_pass, .context = &scene, .spending = &scene.budget};

        index_task_init(&task, &work);
    }
    assert_int_equal(index_task_wait_all(&task, NULL), -ENOMEM);
    assert_int_equal(scene.told, 1);
    assert_int_equal(scene.item, 0);
    index_task_destroy(&task);
    end_with_memory(&scene, &share);
}

/* A part that exceeds its limit ends, the use around it goes on, and neither is reported. */
static void a_part_ends_alone(void **state)
{
    struct scene scene = {.limit = BUDGET_TIME};
    const struct budget_params params = {
        .time = LIMIT_MS * MS, .exceeded = note, .context = &scene};
    struct budget_use use, part;
    uint64_t of, left;

    (void)state;
    assert_true(budget_left(&of) == UINT64_MAX && of == UINT64_MAX);
    budget_init(&scene.budget, &params);
    budget_use_begin(&use, &scene.budget, NULL, true, 0);
    use.whole = true;
    left = budget_left(&of);
    assert_int_equal(of, LIMIT_MS * MS);
    assert_in_range(left, 1, of);
    budget_use_begin_part(&part, &use.cancel, LIMIT_MS * MS / 4);
    assert_int_equal(burn(FOR_EVER, &part.cancel), -EINTR);
    budget_use_end(&part);
    assert_false(cancel_requested(&use.cancel));
    budget_use_begin_part(&part, &use.cancel, LIMIT_MS * MS / 8);
    assert_in_range(budget_helper_time(), 1, LIMIT_MS * MS / 4);
    budget_charge_helper(LIMIT_MS * MS / 8, true); /* a helper used all of it */
    assert_true(cancel_requested(&part.cancel));
    budget_use_end(&part);
    assert_false(cancel_requested(&use.cancel));
    budget_use_end(&use);
    assert_int_equal(scene.told, 0);
    budget_destroy(&scene.budget);
}

static void pause_for_as_long_as_the_limit(void)
{
    struct budget_pause pause;

    budget_pause(&pause);
    (void)burn(LIMIT_MS * MS, NULL);
    budget_resume(&pause);
}

/*
 * A check may be interrupted after it has read the clock, as when another thread that checks is
 * slow. The time of a pause that begins meanwhile is not counted.
 */
static void a_pause_amid_a_check_is_not_counted(void **state)
{
    struct budget_use use;
    struct scene scene;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    budget_use_begin(&use, &scene.budget, NULL, true, 0);
    after_reading = pause_for_as_long_as_the_limit;
    assert_false(budget_use_check(&use));
    assert_null(after_reading);
    assert_false(budget_use_check(&use));
    assert_false(cancel_requested(&use.cancel));
    budget_use_end(&use);
    end(&scene);
}

struct asking {
    struct cancel cancel;
    struct cache *cache;
};

static bool ask(const struct cancel *cancel)
{
    struct cache_statistics statistics;

    cache_statistics(((const struct asking *)cancel)->cache, &statistics); /* takes its lock */
    return false;
}

/* The cancel of a pass takes this lock, too, when it has memory returned. */
static void what_a_cancel_asks_may_take_the_caches_lock(void **state)
{
    struct scene scene;
    struct asking asking;
    struct blob *blob = NULL;

    (void)state;
    begin(&scene, LIMIT_MS * MS, false);
    cancel_init(&asking.cancel, NULL);
    asking.cancel.look = ask;
    asking.cache = scene.cache;
    assert_int_equal(cache_get(scene.cache, (struct cache_key){.item = 1}, &maker, &scene,
                               &asking.cancel, &blob),
                     0);
    blob_unref(&blob);
    end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_ends_what_is_over_its_limit),
        cmocka_unit_test(without_a_watchdog_the_work_looks_itself),
        cmocka_unit_test(a_failure_is_remembered),
        cmocka_unit_test(a_request_is_told_of_it),
        cmocka_unit_test(failures_are_bounded),
        cmocka_unit_test(the_account_of_the_mount_bounds_all),
        cmocka_unit_test(what_needs_its_time_has_no_limit),
        cmocka_unit_test(a_cancelled_making_is_not_over),
        cmocka_unit_test(a_pass_ends_and_what_is_known_stays),
        cmocka_unit_test(a_pass_in_one_step_ends_too),
        cmocka_unit_test(a_pass_within_its_limit_is_complete),
        cmocka_unit_test(a_pass_is_not_the_making_that_waits_for_it),
        cmocka_unit_test(what_holds_too_much_ends),
        cmocka_unit_test(what_is_kept_goes_before_it),
        cmocka_unit_test(a_block_that_cannot_fit_is_told),
        cmocka_unit_test(what_a_making_makes_on_its_way_is_no_other),
        cmocka_unit_test(what_a_helper_wants_alone_is_remembered),
        cmocka_unit_test(a_pass_that_holds_too_much_ends),
        cmocka_unit_test(a_part_ends_alone),
        cmocka_unit_test(a_pause_amid_a_check_is_not_counted),
        cmocka_unit_test(what_a_cancel_asks_may_take_the_caches_lock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
