/* SPDX-License-Identifier: MIT */
#include "cache/index_task.h"

#include "base/thread.h"

#include <errno.h>
#include <string.h>

static void take_lock(struct index_task *task) ACQUIRE(lock_of_task)
{
    pthread_mutex_lock(&task->lock);
}

static void give_lock(struct index_task *task) RELEASE(lock_of_task)
{
    pthread_mutex_unlock(&task->lock);
}

void index_task_init(struct index_task *task, const struct index_task_work *work)
{
    memset(task, 0, sizeof(*task));
    task->work = *work;
    pthread_mutex_init(&task->lock, NULL);
    thread_condition_init(&task->moved);
}

void index_task_destroy(struct index_task *task)
{
    pthread_cond_destroy(&task->moved);
    pthread_mutex_destroy(&task->lock);
}

static void *run_all(void *context)
{
    struct index_task *task = context;

    index_task_wait_all(task, task->work.cancel);
    return NULL;
}

int index_task_start(struct index_task *task, void *(*run)(void *context), void *context)
{
    int status = run != NULL ? thread_start(&task->thread, run, context)
                             : thread_start(&task->thread, run_all, task);

    task->has_thread = status == 0;
    return status;
}

void index_task_join(struct index_task *task)
{
    if (task->has_thread)
        pthread_join(task->thread, NULL);
    task->has_thread = false;
}

/*
 * Takes one step. Its time counts towards the pass alone, and not towards what the thread is
 * making.
 */
static int take_step(struct index_task *task, struct index_task_position *position)
{
    struct budget_pause pause;
    struct budget_use use;
    int status;

    budget_pause(&pause);
    budget_use_begin(&use, task->work.spending, task->work.cancel, true, task->spent);
    use.whole = true;
    status = task->work.advance(task->work.context, &use.cancel, position);
    if (!position->ended && budget_use_check(&use))
        status = -EIO;
    task->spent = budget_use_spent(&use);
    budget_use_end(&use);
    budget_resume(&pause);
    if (budget_use_is_over(&use, status))
        status = budget_use_tell(&use, 0);
    return status;
}

/*
 * Takes one step, with the lock released meanwhile. Returns -EIO if the step returned -EAGAIN, an
 * error for this caller alone, and otherwise 0; a final failure is in task->status.
 */
static int advance(struct index_task *task) REQUIRES(lock_of_task)
{
    struct index_task_position position = task->position;
    int status;

    task->running = true;
    give_lock(task);
    status = task->work.spending != NULL
                 ? take_step(task, &position)
                 : task->work.advance(task->work.context, task->work.cancel, &position);
    take_lock(task);
    task->running = false;
    task->position = position;
    if (status != -EINTR && status != -EAGAIN)
        task->status = status;
    pthread_cond_broadcast(&task->moved);
    return status == -EAGAIN ? -EIO : 0;
}

/*
 * Takes steps, or waits for others to, until `*known`, a member of the position, exceeds `wanted`.
 * A call that is not `urgent` leaves the work to calls that are.
 */
static int go_on(struct index_task *task, const uint64_t *known, uint64_t wanted, bool urgent,
                 const struct cancel *cancel)
{
    int status = 0;

    take_lock(task);
    task->waiting += urgent;
    while (status == 0 && !task->position.ended && *known <= wanted &&
           (status = task->status) == 0) {
        if (cancel_is_raised(cancel) || cancel_is_raised(task->work.cancel)) {
            status = -EINTR;
            break;
        }
        if (task->running || (!urgent && task->waiting > 0))
            thread_wait_a_little(&task->moved, &task->lock);
        else
            status = advance(task);
    }
    if (task->status == 0 && status == -EIO && (task->position.ended || *known > wanted))
        status = 0; /* the failed step had reached that before it failed */
    task->waiting -= urgent;
    give_lock(task);
    return status;
}

static int wait_for(struct index_task *task, const uint64_t *known, uint64_t wanted,
                    const struct cancel *cancel)
{
    return go_on(task, known, wanted, true, cancel);
}

int index_task_work_ahead(struct index_task *task, uint64_t number, const struct cancel *cancel)
{
    return go_on(task, &task->position.known, number, false, cancel);
}

int index_task_wait(struct index_task *task, uint64_t number, const struct cancel *cancel)
{
    return wait_for(task, &task->position.known, number, cancel);
}

int index_task_wait_frame(struct index_task *task, uint64_t frame, const struct cancel *cancel)
{
    return wait_for(task, &task->position.frames, frame, cancel);
}

int index_task_wait_all(struct index_task *task, const struct cancel *cancel)
{
    return wait_for(task, &task->position.known, UINT64_MAX, cancel);
}

static bool knows(struct index_task *task, const uint64_t *known, uint64_t wanted)
{
    bool answer;

    take_lock(task);
    answer = task->position.ended || *known > wanted;
    give_lock(task);
    return answer;
}

bool index_task_knows(struct index_task *task, uint64_t number)
{
    return knows(task, &task->position.known, number);
}

bool index_task_knows_frame(struct index_task *task, uint64_t frame)
{
    return knows(task, &task->position.frames, frame);
}

bool index_task_knows_all(struct index_task *task)
{
    return knows(task, &task->position.known, UINT64_MAX);
}
