/* SPDX-License-Identifier: MIT */
/*
 * All watches share one inotify descriptor, since a user may have only a hundred or so. Each watch
 * reports once (IN_ONESHOT), so that the queue cannot get long while it is not read. Events are
 * read and distributed under the lock: a thread that has waited for the lock finds them
 * distributed.
 */
#include "source/filewatch.h"

#include "base/file_access.h"
#include "base/locks.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_NANOSECONDS = 20 * 1000 * 1000, /* longer than a tick of a file system's clock */
    PAUSE_NANOSECONDS = 1000 * 1000,     /* length of a pause while waiting for the clock */
    PAUSES_MAX = 50, /* maximum number of pauses: a file may be written all the time */
    NO_NUMBER = -1,
};

struct filewatch {
    int fd;
    struct stat before;
    atomic_int state;
    /* The watch's number; NO_NUMBER if there is none, or it has reported. */
    int number GUARDED_BY(lock_of_filewatch);
    struct filewatch *next GUARDED_BY(lock_of_filewatch);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct filewatch *watches GUARDED_BY(lock_of_filewatch);
static int queue GUARDED_BY(lock_of_filewatch) = -1;
static bool complained GUARDED_BY(lock_of_filewatch);

static void take_lock(void) ACQUIRE(lock_of_filewatch)
{
    pthread_mutex_lock(&lock);
}

static void give_lock(void) RELEASE(lock_of_filewatch)
{
    pthread_mutex_unlock(&lock);
}

static void set_state(struct filewatch *watch, enum filewatch_state state)
{
    int same = FILEWATCH_SAME;

    atomic_compare_exchange_strong(&watch->state, &same, (int)state);
}

static void hand_out(const struct inotify_event *event) REQUIRES(lock_of_filewatch)
{
    for (struct filewatch *watch = watches; watch != NULL; watch = watch->next) {
        if (watch->number != event->wd && (event->mask & IN_Q_OVERFLOW) == 0)
            continue;
        if ((event->mask & (IN_MODIFY | IN_Q_OVERFLOW)) != 0)
            set_state(watch, FILEWATCH_WRITTEN);
        if ((event->mask & (IN_MODIFY | IN_IGNORED)) != 0)
            watch->number = NO_NUMBER;
    }
}

static void take_events(void) REQUIRES(lock_of_filewatch)
{
    union {
        char bytes[4096];
        struct inotify_event event;
    } room;
    ssize_t got;

    while (queue >= 0 && (got = read(queue, room.bytes, sizeof(room))) > 0) {
        for (ssize_t at = 0; at < got;) {
            struct inotify_event event;

            memcpy(&event, room.bytes + at, sizeof(event));
            hand_out(&event);
            at += (ssize_t)(sizeof(event) + event.len);
        }
    }
}

static void complain(int error) REQUIRES(lock_of_filewatch)
{
    if (!complained)
        log_write(
            LOG_WARNING,
            "dumps cannot be watched (%s): changes are only detected by their modification times",
            strerror(error));
    complained = true;
}

static void begin(struct filewatch *watch)
{
    int number = -1;

    take_lock();
    if (queue < 0)
        queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (queue >= 0)
        number = file_access_watch(queue, watch->fd, FILE_ACCESS_WRITTEN_ONCE);
    if (number >= 0)
        watch->number = number;
    else
        complain(queue >= 0 ? -number : errno);
    watch->next = watches;
    watches = watch;
    give_lock();
}

/* Two watches of the same file have the same number. */
static bool is_number_used(int number) REQUIRES(lock_of_filewatch)
{
    const struct filewatch *watch = watches;

    while (watch != NULL && watch->number != number)
        watch = watch->next;
    return watch != NULL;
}

static void end(struct filewatch *watch)
{
    struct filewatch **link = &watches;

    take_lock();
    while (*link != watch)
        link = &(*link)->next;
    *link = watch->next;
    if (watch->number != NO_NUMBER && !is_number_used(watch->number))
        (void)inotify_rm_watch(queue, watch->number);
    if (watches == NULL && queue >= 0) {
        close(queue);
        queue = -1;
    }
    give_lock();
}

/* Returns whether a write now could leave the file's time unchanged. */
static bool is_in_tick(const struct timespec *time)
{
    struct timespec now = {0};
    long ahead;

    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (time->tv_sec < now.tv_sec || time->tv_sec > now.tv_sec + 1)
        return false;
    ahead = (long)(time->tv_sec - now.tv_sec) * 1000000000 + time->tv_nsec - now.tv_nsec;
    return ahead >= 0 && ahead < TICK_NANOSECONDS;
}

/*
 * Notes the file's status, after waiting until the clock has passed the time of the last write, so
 * that the next write gets a different time.
 */
static int note_before(struct filewatch *watch)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};

    for (int pauses = 0;; pauses++) {
        if (fstat(watch->fd, &watch->before) < 0)
            return -errno;
        if (pauses == PAUSES_MAX || !is_in_tick(&watch->before.st_mtim))
            return 0;
        nanosleep(&pause, NULL);
    }
}

int filewatch_create(int fd, struct stat *status, struct filewatch **out) LOCKS_UNCHECKED
{
    struct filewatch *watch = calloc(1, sizeof(*watch));
    int result = 0;

    *out = NULL;
    if (watch == NULL)
        return -ENOMEM;
    watch->number = NO_NUMBER;
    watch->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (watch->fd < 0) {
        result = -errno;
        free(watch);
        return result;
    }
    begin(watch);
    result = note_before(watch);
    *status = watch->before;
    *out = watch;
    if (result < 0)
        filewatch_destroy(out);
    return result;
}

void filewatch_destroy(struct filewatch **watch)
{
    struct filewatch *ending = *watch;

    *watch = NULL;
    if (ending == NULL)
        return;
    end(ending);
    close(ending->fd);
    free(ending);
}

enum filewatch_state filewatch_seen(const struct filewatch *watch)
{
    return (enum filewatch_state)atomic_load(&watch->state);
}

static bool are_equal(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec == other->tv_sec && one->tv_nsec == other->tv_nsec;
}

static enum filewatch_state compare(const struct stat *before, const struct stat *now)
{
    if (now->st_size < before->st_size)
        return FILEWATCH_SHORTENED;
    if (now->st_size != before->st_size || !are_equal(&now->st_mtim, &before->st_mtim))
        return FILEWATCH_WRITTEN;
    return FILEWATCH_SAME;
}

bool filewatch_is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino &&
           one->st_size == other->st_size && are_equal(&one->st_mtim, &other->st_mtim) &&
           are_equal(&one->st_ctim, &other->st_ctim);
}

/*
 * Checks the status before the events: if a file was truncated and has reached its old length
 * again, the event of the truncation came before the new length.
 */
void filewatch_look_at(struct filewatch *const *looked, size_t count)
{
    bool any = false;

    for (size_t n = 0; n < count; n++) {
        struct stat now;

        if (filewatch_seen(looked[n]) != FILEWATCH_SAME)
            continue;
        any = true;
        set_state(looked[n], fstat(looked[n]->fd, &now) < 0 ? FILEWATCH_WRITTEN
                                                            : compare(&looked[n]->before, &now));
    }
    if (!any)
        return;
    take_lock();
    take_events();
    give_lock();
}

enum filewatch_state filewatch_look(struct filewatch *watch)
{
    filewatch_look_at(&watch, 1);
    return filewatch_seen(watch);
}
