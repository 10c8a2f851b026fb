/* SPDX-License-Identifier: MIT */
/*
 * A mount that nobody uses unmounts itself. Whether a file is open in it, or a program is there,
 * the kernel knows better: it refuses then, and after another while it is asked again. That is
 * done by a thread of its own, since requests may come meanwhile.
 */
#include "fuse/adapter.h"
#include "fuse/mount.h"

#include "base/log.h"
#include "base/thread.h"

#include <errno.h>
#include <string.h>

void leaving_init(struct leaving *leaving, const struct mount_params *params)
{
    *leaving = (struct leaving){.after = (int64_t)params->options->idle_unmount * LEAVING_SECOND,
                                .unmount = params->unmount,
                                .context = params->context};
    atomic_init(&leaving->busy, false);
}

void leaving_stay(struct leaving *leaving, int64_t now)
{
    leaving->since = now;
}

int64_t leaving_left(const struct leaving *leaving, int64_t now)
{
    int64_t left = leaving->since + leaving->after - now;

    return leaving->after == 0 ? -1 : left > 0 ? left : 0;
}

static void *leave(void *context)
{
    struct leaving *leaving = context;
    int status = leaving->unmount(leaving->context);

    /* EINVAL: it is unmounted already, and the session is about to notice. */
    if (status < 0 && status != -EBUSY && status != -EPERM && status != -EINVAL && !leaving->told) {
        log_write(LOG_WARNING, "the idle mount cannot be unmounted: %s", strerror(-status));
        leaving->told = true;
    }
    atomic_store(&leaving->busy, false);
    return NULL;
}

void leaving_try(struct leaving *leaving, int64_t now)
{
    if (leaving_left(leaving, now) != 0 || atomic_load(&leaving->busy))
        return;
    leaving_join(leaving);
    leaving->since = now;
    atomic_store(&leaving->busy, true);
    leaving->has_thread = thread_start(&leaving->thread, leave, leaving) == 0;
    if (!leaving->has_thread)
        atomic_store(&leaving->busy, false);
}

void leaving_join(struct leaving *leaving)
{
    if (leaving->has_thread)
        pthread_join(leaving->thread, NULL);
    leaving->has_thread = false;
}
