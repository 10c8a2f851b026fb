/* SPDX-License-Identifier: MIT */
/*
 * A dump whose container takes long to expand is mounted first, and opened by a thread meanwhile,
 * so that the command returns either way. By then, its first bytes have shown that it is a dump.
 * All that can still turn out, and is logged, is that it is damaged; then the mount ends.
 */
#include "config.h"

#include "cli/opening.h"

#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct opening {
    struct program *program;
    const char *path;
    struct cancel cancel;
    int result;
    int done; /* an eventfd */
};

static void *run(void *context)
{
    struct opening *opening = context;

    opening->result = program_open_rest(opening->program, opening->path, &opening->cancel);
    (void)eventfd_write(opening->done, 1);
    return NULL;
}

int opening_wait(struct program *program, const char *path, struct mount *mount,
                 void (*ready)(void *context), void *context)
{
    struct opening opening = {
        .program = program, .path = path, .done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    pthread_t thread;
    int status;

    if (opening.done < 0)
        return -errno;
    cancel_init(&opening.cancel, NULL);
    status = thread_start(&thread, run, &opening);
    if (status == 0) {
        status = mount_wait(mount, opening.done, ready, context);
        if (status < 0)
            cancel_raise(&opening.cancel);
        pthread_join(thread, NULL);
    }
    close(opening.done);
    return status == 0 ? opening.result : status;
}
