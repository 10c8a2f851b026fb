#include "core/pass.h"

#include "core/thread.h"

#include <errno.h>
#include <string.h>

static void take_lock(struct pass *pass) ACQUIRE(lock_of_pass)
{
    pthread_mutex_lock(&pass->lock);
}

static void give_lock(struct pass *pass) RELEASE(lock_of_pass)
{
    pthread_mutex_unlock(&pass->lock);
}

void pass_init(struct pass *pass, const struct pass_work *work)
{
    memset(pass, 0, sizeof(*pass));
    pass->work = *work;
    pthread_mutex_init(&pass->lock, NULL);
    thread_condition_init(&pass->moved);
}

void pass_destroy(struct pass *pass)
{
    pthread_cond_destroy(&pass->moved);
    pthread_mutex_destroy(&pass->lock);
}

static void *run_all(void *context)
{
    struct pass *pass = context;

    pass_wait_all(pass, pass->work.cancel);
    return NULL;
}

int pass_start(struct pass *pass, void *(*run)(void *context), void *context)
{
    int status = run != NULL ? thread_start(&pass->thread, run, context)
                             : thread_start(&pass->thread, run_all, pass);

    pass->has_thread = status == 0;
    return status;
}

void pass_join(struct pass *pass)
{
    if (pass->has_thread)
        pthread_join(pass->thread, NULL);
    pass->has_thread = false;
}

/* The lock is let go in between. */
static void advance(struct pass *pass) REQUIRES(lock_of_pass)
{
    struct pass_position position = pass->position;
    int status;

    pass->running = true;
    give_lock(pass);
    status = pass->work.advance(pass->work.context, pass->work.cancel, &position);
    take_lock(pass);
    pass->running = false;
    pass->position = position;
    if (status != -EINTR)
        pass->status = status;
    pthread_cond_broadcast(&pass->moved);
}

/* Whether who does not ask had better wait. */
static bool gives_way(const struct pass *pass) REQUIRES(lock_of_pass)
{
    return pass->askers > 0 || (pass->work.busy != NULL && pass->work.busy(pass->work.context));
}

/*
 * Until `*known`, of the position, exceeds `wanted`. Who does not `ask` leaves the
 * work to those who do.
 */
static int go_on(struct pass *pass, const uint64_t *known, uint64_t wanted, bool ask,
                 const struct cancel *cancel)
{
    int status = 0;

    take_lock(pass);
    pass->askers += ask;
    while (!pass->position.ended && *known <= wanted && (status = pass->status) == 0) {
        if (cancel_requested(cancel) || cancel_requested(pass->work.cancel)) {
            status = -EINTR;
            break;
        }
        if (pass->running || (!ask && gives_way(pass)))
            thread_wait_a_little(&pass->moved, &pass->lock);
        else
            advance(pass);
    }
    pass->askers -= ask;
    give_lock(pass);
    return status;
}

static int wait_for(struct pass *pass, const uint64_t *known, uint64_t wanted,
                    const struct cancel *cancel)
{
    return go_on(pass, known, wanted, true, cancel);
}

int pass_work_ahead(struct pass *pass, uint64_t number, const struct cancel *cancel)
{
    return go_on(pass, &pass->position.known, number, false, cancel);
}

int pass_wait(struct pass *pass, uint64_t number, const struct cancel *cancel)
{
    return wait_for(pass, &pass->position.known, number, cancel);
}

int pass_wait_frame(struct pass *pass, uint64_t frame, const struct cancel *cancel)
{
    return wait_for(pass, &pass->position.frames, frame, cancel);
}

int pass_wait_all(struct pass *pass, const struct cancel *cancel)
{
    return wait_for(pass, &pass->position.known, UINT64_MAX, cancel);
}

static bool knows(struct pass *pass, const uint64_t *known, uint64_t wanted)
{
    bool answer;

    take_lock(pass);
    answer = pass->position.ended || *known > wanted;
    give_lock(pass);
    return answer;
}

bool pass_knows(struct pass *pass, uint64_t number)
{
    return knows(pass, &pass->position.known, number);
}

bool pass_knows_frame(struct pass *pass, uint64_t frame)
{
    return knows(pass, &pass->position.frames, frame);
}

bool pass_knows_all(struct pass *pass)
{
    return knows(pass, &pass->position.known, UINT64_MAX);
}
