/* SPDX-License-Identifier: MIT */
/*
 * A mount that is not used unmounts itself. The kernel knows better than the daemon whether a file
 * is open or a program runs in the mount: it refuses to unmount then, and another attempt follows
 * after the same time. A thread of its own does this, since requests may come meanwhile.
 */
#include "fuse/idle_unmount.h"

#include "base/log.h"
#include "base/thread.h"
#include "fuse/mount_options.h"

#include <errno.h>
#include <string.h>

void idle_unmount_init(struct idle_unmount *idle_unmount, const struct mount_params *params)
{
    *idle_unmount =
        (struct idle_unmount){.after = (int64_t)params->options->idle_unmount * IDLE_UNMOUNT_SECOND,
                              .unmount = params->unmount,
                              .context = params->context};
    atomic_init(&idle_unmount->busy, false);
}

void idle_unmount_stay(struct idle_unmount *idle_unmount, int64_t now)
{
    idle_unmount->since = now;
}

int64_t idle_unmount_left(const struct idle_unmount *idle_unmount, int64_t now)
{
    int64_t left = idle_unmount->since + idle_unmount->after - now;

    return idle_unmount->after == 0 ? -1 : left > 0 ? left : 0;
}

static void *leave(void *context)
{
    struct idle_unmount *idle_unmount = context;
    int status = idle_unmount->unmount(idle_unmount->context);

    /* EINVAL: it is already unmounted, and the session is about to notice. */
    if (status < 0 && status != -EBUSY && status != -EPERM && status != -EINVAL &&
        !idle_unmount->told) {
        log_write(LOG_WARNING, "the idle mount cannot be unmounted: %s", strerror(-status));
        idle_unmount->told = true;
    }
    atomic_store(&idle_unmount->busy, false);
    return NULL;
}

void idle_unmount_try(struct idle_unmount *idle_unmount, int64_t now)
{
    if (idle_unmount_left(idle_unmount, now) != 0 || atomic_load(&idle_unmount->busy))
        return;
    idle_unmount_join(idle_unmount);
    idle_unmount->since = now;
    atomic_store(&idle_unmount->busy, true);
    idle_unmount->has_thread = thread_start(&idle_unmount->thread, leave, idle_unmount) == 0;
    if (!idle_unmount->has_thread)
        atomic_store(&idle_unmount->busy, false);
}

void idle_unmount_join(struct idle_unmount *idle_unmount)
{
    if (idle_unmount->has_thread)
        pthread_join(idle_unmount->thread, NULL);
    idle_unmount->has_thread = false;
}
