/* SPDX-License-Identifier: MIT */
#include "cache/index_task.h"

#include "tests/support/support.h"

#include <errno.h>
#include <time.h>

/* A pass of some steps. Each step makes ten packets known, and every second step a frame. */
struct work {
    unsigned steps, done;
    unsigned runs;
    int failure;           /* of the step after the last one */
    bool breaks_off;       /* cancelled steps are not completed */
    struct cancel *raised; /* by the next step */
    atomic_bool *gate;     /* each step waits for it */
    atomic_int inside;     /* steps at the same time: must stay 1 */
    atomic_bool entered, overlapped;
    pthread_t ahead;   /* a thread that works ahead, … */
    unsigned by_ahead; /* … and the steps that it made */
};

static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct work *work = context;
    int status = 0;

    if (atomic_fetch_add(&work->inside, 1) != 0)
        atomic_store(&work->overlapped, true);
    atomic_store(&work->entered, true);
    while (work->gate != NULL && !atomic_load(work->gate))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    work->runs++;
    work->by_ahead += work->ahead != 0 && pthread_equal(pthread_self(), work->ahead);
    if (work->raised != NULL)
        cancel_raise(work->raised);
    if (cancel_requested(cancel) && work->breaks_off)
        status = -EINTR;
    else if (work->done == work->steps && work->failure != 0)
        status = work->failure;
    else
        work->done++;
    position->known = 10 * work->done;
    position->frames = work->done / 2;
    position->ended = work->done > work->steps;
    atomic_fetch_sub(&work->inside, 1);
    return status;
}

static void begin(struct index_task *pass, struct work *work, const struct cancel *cancel)
{
    index_task_init(
        pass, &(struct index_task_work){.advance = advance, .context = work, .cancel = cancel});
}

static void nothing_is_known_before_it_is_asked_for(void **state)
{
    struct work work = {.steps = 3};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_false(index_task_knows(&pass, 0));
    assert_false(index_task_knows_frame(&pass, 0));
    assert_false(index_task_knows_all(&pass));
    index_task_join(&pass); /* no thread was started */
    assert_int_equal(work.runs, 0);
    index_task_destroy(&pass);
}

static void a_pass_over_nothing_ends(void **state)
{
    struct work work = {.steps = 0};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_wait(&pass, 1000, NULL), 0);
    assert_int_equal(work.runs, 1);
    assert_true(index_task_knows(&pass, UINT64_MAX));
    assert_true(index_task_knows_frame(&pass, 5));
    assert_true(index_task_knows_all(&pass));
    index_task_destroy(&pass);
}

static void it_goes_as_far_as_is_asked(void **state)
{
    struct work work = {.steps = 8};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_wait(&pass, 9, NULL), 0);
    assert_int_equal(work.runs, 1);
    assert_int_equal(index_task_wait(&pass, 10, NULL), 0);
    assert_int_equal(work.runs, 2);
    assert_int_equal(index_task_wait_frame(&pass, 0, NULL), 0);
    assert_int_equal(work.runs, 2);
    assert_true(index_task_knows(&pass, 19));
    assert_false(index_task_knows(&pass, 20));
    assert_false(index_task_knows_frame(&pass, 1));
    assert_int_equal(index_task_wait_frame(&pass, 1, NULL), 0);
    assert_int_equal(work.runs, 4);
    assert_int_equal(index_task_wait_all(&pass, NULL), 0);
    assert_int_equal(work.runs, 9);
    assert_int_equal(index_task_wait_all(&pass, NULL), 0);
    assert_int_equal(work.runs, 9);
    index_task_destroy(&pass);
}

static void what_is_known_survives_a_failure(void **state)
{
    struct work work = {.steps = 2, .failure = -ENOMEM};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_wait_all(&pass, NULL), -ENOMEM);
    assert_int_equal(work.runs, 3);
    assert_int_equal(index_task_wait(&pass, 19, NULL), 0);
    assert_int_equal(index_task_wait(&pass, 20, NULL), -ENOMEM);
    assert_int_equal(work.runs, 3); /* the result is final */
    assert_false(index_task_knows_all(&pass));
    index_task_destroy(&pass);
}

static void a_cancelled_caller_leaves(void **state)
{
    struct work work = {.steps = 5};
    struct cancel cancel;
    struct index_task pass;

    (void)state;
    cancel_init(&cancel, NULL);
    begin(&pass, &work, NULL);
    work.raised = &cancel;
    assert_int_equal(index_task_wait_all(&pass, &cancel), -EINTR);
    assert_int_equal(work.runs, 1);
    assert_int_equal(index_task_wait(&pass, 0, &cancel), 0); /* known packets remain known */
    assert_int_equal(index_task_wait_all(&pass, NULL), 0);
    index_task_destroy(&pass);
}

static void a_step_that_is_broken_off_is_no_failure(void **state)
{
    struct work work = {.steps = 1, .breaks_off = true};
    struct cancel cancel;
    struct index_task pass;

    (void)state;
    cancel_init(&cancel, NULL);
    begin(&pass, &work, &cancel);
    work.raised = &cancel;
    assert_int_equal(index_task_wait_all(&pass, NULL), -EINTR);
    assert_int_equal(work.runs, 1);
    cancel_init(&cancel, NULL);
    work.raised = NULL;
    assert_int_equal(index_task_wait_all(&pass, NULL), 0);
    index_task_destroy(&pass);
}

static void its_thread_carries_it_out(void **state)
{
    struct work work = {.steps = 1000};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_start(&pass, NULL, NULL), 0);
    index_task_join(&pass);
    assert_true(index_task_knows_all(&pass));
    assert_int_equal(work.runs, 1001);
    index_task_join(&pass); /* the thread has ended */
    index_task_destroy(&pass);
}

static void *wait_and_note(void *context)
{
    struct index_task *pass = context;
    struct work *work = pass->work.context;

    if (index_task_wait(pass, 9, NULL) == 0)
        work->failure = -EIO; /* of the part after the known packets */
    return NULL;
}

static void a_thread_may_do_more(void **state)
{
    struct work work = {.steps = 1};
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_start(&pass, wait_and_note, &pass), 0);
    index_task_join(&pass);
    assert_int_equal(work.failure, -EIO);
    assert_false(index_task_knows_all(&pass));
    assert_int_equal(index_task_wait_all(&pass, NULL), -EIO);
    index_task_destroy(&pass);
}

static void one_works_and_others_wait(void **state)
{
    struct work work = {.steps = 50};
    atomic_bool gate = false;
    struct cancel cancel;
    struct index_task pass;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    work.gate = &gate;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_start(&pass, NULL, NULL), 0);
    while (!atomic_load(&work.entered))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_int_equal(index_task_wait_all(&pass, &cancel), -EINTR); /* during a step */
    assert_false(index_task_knows(&pass, 0));
    atomic_store(&gate, true);
    assert_int_equal(index_task_wait_frame(&pass, 20, NULL), 0);
    assert_int_equal(index_task_wait_all(&pass, NULL), 0);
    index_task_join(&pass);
    assert_int_equal(work.runs, 51);
    assert_false(atomic_load(&work.overlapped));
    index_task_destroy(&pass);
}

static void a_background_caller_works_where_none_waits(void **state)
{
    struct work work = {.steps = 8};
    struct cancel cancel;
    struct index_task pass;

    (void)state;
    begin(&pass, &work, NULL);
    assert_int_equal(index_task_work_ahead(&pass, 9, NULL), 0);
    assert_int_equal(work.runs, 1);
    assert_int_equal(index_task_work_ahead(&pass, 9, NULL), 0);
    assert_int_equal(work.runs, 1);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(index_task_work_ahead(&pass, 10, &cancel), -EINTR);
    assert_int_equal(index_task_work_ahead(&pass, UINT64_MAX, NULL), 0);
    assert_int_equal(work.runs, 9);
    index_task_destroy(&pass);
}

static void *work_ahead(void *context)
{
    struct index_task *pass = context;
    struct work *work = pass->work.context;

    work->ahead = pthread_self();
    index_task_work_ahead(pass, UINT64_MAX, pass->work.cancel);
    return NULL;
}

static void *ask_for_twenty_steps(void *context)
{
    struct index_task *pass = context;

    assert_int_equal(index_task_wait(pass, 199, NULL), 0);
    return NULL;
}

static unsigned callers_of(struct index_task *pass) LOCKS_UNCHECKED
{
    unsigned callers;

    pthread_mutex_lock(&pass->lock);
    callers = pass->waiting;
    pthread_mutex_unlock(&pass->lock);
    return callers;
}

/*
 * The background thread completes the step under way; steps that a caller waits for are done by the
 * caller.
 */
static void a_background_caller_leaves_the_work_to_waiting_ones(void **state)
{
    struct work work = {.steps = 1u << 30};
    atomic_bool gate = false;
    struct cancel cancel;
    pthread_t caller;
    struct index_task pass;

    (void)state;
    cancel_init(&cancel, NULL);
    work.gate = &gate;
    begin(&pass, &work, &cancel);
    assert_int_equal(index_task_start(&pass, work_ahead, &pass), 0);
    while (!atomic_load(&work.entered))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_int_equal(pthread_create(&caller, NULL, ask_for_twenty_steps, &pass), 0);
    while (callers_of(&pass) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    atomic_store(&gate, true);
    pthread_join(caller, NULL);
    while (!index_task_knows(&pass, 300)) /* then the thread continues on its own */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    cancel_raise(&cancel);
    index_task_join(&pass);
    assert_int_equal(work.runs - work.by_ahead, 19);
    assert_false(atomic_load(&work.overlapped));
    index_task_destroy(&pass);
}

static void the_end_of_the_dump_ends_all_waits(void **state)
{
    struct work work = {.steps = 1u << 30};
    struct cancel cancel;
    struct index_task pass;

    (void)state;
    cancel_init(&cancel, NULL);
    begin(&pass, &work, &cancel);
    assert_int_equal(index_task_start(&pass, NULL, NULL), 0);
    assert_int_equal(index_task_wait(&pass, 1000, NULL), 0);
    cancel_raise(&cancel);
    assert_int_equal(index_task_wait_all(&pass, NULL), -EINTR);
    index_task_join(&pass);
    index_task_destroy(&pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_before_it_is_asked_for),
        cmocka_unit_test(a_pass_over_nothing_ends),
        cmocka_unit_test(it_goes_as_far_as_is_asked),
        cmocka_unit_test(what_is_known_survives_a_failure),
        cmocka_unit_test(a_cancelled_caller_leaves),
        cmocka_unit_test(a_step_that_is_broken_off_is_no_failure),
        cmocka_unit_test(its_thread_carries_it_out),
        cmocka_unit_test(a_thread_may_do_more),
        cmocka_unit_test(one_works_and_others_wait),
        cmocka_unit_test(a_background_caller_works_where_none_waits),
        cmocka_unit_test(a_background_caller_leaves_the_work_to_waiting_ones),
        cmocka_unit_test(the_end_of_the_dump_ends_all_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
