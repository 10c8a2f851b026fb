/* SPDX-License-Identifier: MIT */
/*
 * One thread repeats these steps: check whether there is more, read it, expand it, append it to the
 * spool, publish it. A plain file that is followed is not copied: only its size is checked. Which
 * of the two it will be is unknown until the first bytes have come.
 */
#include "config.h"

#include "base/clock.h"
#include "base/locks.h"
#include "source/growing_source.h"

#include "base/file_access.h"
#include "base/file_write.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"
#include "source/sigbus_guard.h"
#include "source/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    IN_BYTES = 256 * 1024,
    OUT_BYTES = 256 * 1024,
    HEAD_BYTES = 8,        /* enough to recognise a container, or another stream of it */
    AWAIT_MS = 20,         /* milliseconds to wait for more bytes, between two checks of a cancel */
    LOOK_MS = 5,           /* milliseconds between two checks of a file that reports no changes */
    LOOK_IDLE_MS = 20,     /* the same if it has not grown for a while */
    EVENT_READS_MAX = 16,  /* reads of events in one step */
    MAPPED_MIN = 16 << 20, /* minimum of address space, in bytes; with less, nothing is read */
    /*
     * Bytes before the passed position that stay mapped. Earlier ones stay in the page cache only.
     */
    KEPT_MAPPED = 32 << 20,
};

struct growing_source {
    struct growing_source_params params;
    int in;
    int watch;                       /* inotify descriptor; -1 if there is none */
    bool closed;                     /* a writer has closed the file since it last grew */
    int64_t grown;                   /* when it last grew, in ms */
    int spool;                       /* -1 if the followed file itself is mapped */
    bool chosen;                     /* whether a spool is needed is known */
    uint8_t *room;                   /* IN_BYTES for input, then OUT_BYTES for output */
    size_t held;                     /* bytes in `room` that wait for more input */
    bool in_ended;                   /* no more will come */
    bool between;                    /* between two streams of the container */
    uint64_t checked;                /* bytes of streams that ended properly */
    const struct expander *expander; /* NULL if plain */
    void *state;
    uint8_t *data; /* params.max bytes of address space; NULL if not mapped yet */
    bool is_short; /* `max` was reduced, for lack of address space */
    uint64_t unmapped;
    pthread_t thread;
    bool has_thread;
    uint64_t safe; /* for spool_room() */
    atomic_uint_fast64_t size, passed, arrived;
    atomic_bool ended, stop;
    pthread_mutex_t lock; /* for the condition only */
    pthread_cond_t moved;
};

static void take_lock(struct growing_source *growing) ACQUIRE(lock_of_growing_source)
{
    pthread_mutex_lock(&growing->lock);
}

static void give_lock(struct growing_source *growing) RELEASE(lock_of_growing_source)
{
    pthread_mutex_unlock(&growing->lock);
}

static void wake(struct growing_source *growing)
{
    take_lock(growing);
    pthread_cond_broadcast(&growing->moved);
    give_lock(growing);
}

static void publish(struct growing_source *growing, uint64_t size)
{
    atomic_store(&growing->size, size);
    wake(growing);
}

static void end(struct growing_source *growing)
{
    atomic_store(&growing->ended, true);
    wake(growing);
}

/* Ends the source with an error, and keeps what has come so far. */
static void end_with(struct growing_source *growing, const char *what, const char *detail)
{
    problems_add(growing->params.problems, PROBLEM_ERROR, atomic_load(&growing->size),
                 PROBLEM_NOWHERE, "the stream %s%s%s; the dump could be read up to here", what,
                 detail[0] != '\0' ? ": " : "", detail);
    end(growing);
}

static void end_damaged(struct growing_source *growing, const char *why)
{
    char detail[SPOOL_DAMAGE_ROOM];

    spool_describe_damage(why, growing->checked, atomic_load(&growing->size), detail);
    end_with(growing, "is damaged", detail);
}

/*
 * Maps `bytes` bytes if there is address space for them; with `spare`, only if there is as much
 * again.
 */
static void *map_bytes(int fd, uint64_t bytes, bool spare)
{
    void *mapped = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    void *beside = mapped != MAP_FAILED && spare ? memory_reserve(bytes) : NULL;

    if (mapped != MAP_FAILED && spare && beside == NULL) {
        munmap(mapped, bytes);
        mapped = MAP_FAILED;
        errno = ENOMEM;
    }
    memory_unreserve(beside, bytes);
    return mapped;
}

/* Reads fewer bytes if address space is limited (ulimit -v, 32 bits). */
static void *map_less(struct growing_source *growing, int fd)
{
    void *mapped;

    if (growing->params.max > SIZE_MAX / 2) {
        growing->params.max = SIZE_MAX / 2;
        growing->is_short = true;
    }
    mapped = map_bytes(fd, growing->params.max, false);
    while (mapped == MAP_FAILED && errno == ENOMEM && growing->params.max / 2 >= MAPPED_MIN) {
        growing->params.max /= 2;
        growing->is_short = true;
        mapped = map_bytes(fd, growing->params.max, true);
    }
    if (growing->params.max_expand > growing->params.max)
        growing->params.max_expand = growing->params.max;
    if (growing->is_short && mapped != MAP_FAILED)
        log_write(LOG_WARNING,
                  "address space is limited (ulimit -v): at most %" PRIu64 " MiB are read",
                  growing->params.max >> 20);
    return mapped;
}

/* Maps all the address space that the dump may ever need. */
static int map(struct growing_source *growing, int fd)
{
    void *mapped = map_less(growing, fd);

    if (mapped == MAP_FAILED)
        return -errno;
    if (sigbus_guard_add(mapped, growing->params.max, growing->params.lost) != 0) {
        munmap(mapped, growing->params.max);
        return -ENOMEM;
    }
    growing->data = mapped;
    return 0;
}

static int start_spool(struct growing_source *growing)
{
    const char *folder = spool_folder(growing->params.spool_dir);
    int status = 0;

    growing->spool = spool_create(folder);
    if (growing->spool < 0)
        status = growing->spool;
    if (status == 0 && growing->expander != NULL)
        status = growing->expander->create(&growing->state);
    if (status == 0)
        status = map(growing, growing->spool);
    if (status < 0 && status != -ENOMEM)
        problems_add(growing->params.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "cannot spool into %s: %s", folder, strerror(-status));
    return status;
}

/*
 * Determines from the first bytes whether there is a container, and whether a file needs a spool.
 */
static int choose(struct growing_source *growing)
{
    const uint8_t *head = growing->room;

    growing->chosen = true;
    for (size_t i = 0; !growing->params.raw && i < EXPANDER_COUNT; i++)
        if (expanders[i]->recognises(head, growing->held) ||
            expanders[i]->begins(head, growing->held))
            growing->expander = expanders[i];
    if (growing->params.path == NULL || growing->expander != NULL)
        return start_spool(growing);
    return map(growing, growing->in);
}

static const char *tell_limit(const struct growing_source *growing)
{
    return growing->is_short ? "is longer than the available address space (ulimit -v)"
                             : "is longer than max-expand allows";
}

/* Returns the maximum number of bytes, and sets *why to the reason for that limit. */
static uint64_t max_size(const struct growing_source *growing, const char **why)
{
    const struct growing_source_params *params = &growing->params;
    uint64_t limit;

    *why = tell_limit(growing);
    if (growing->expander == NULL)
        return params->max;
    limit = spool_max_ratio(atomic_load(&growing->arrived), params->max_ratio);
    if (limit >= params->max_expand)
        return params->max_expand;
    *why = "expands to a larger multiple of its size than max-ratio allows";
    return limit;
}

/* Appends to the spool as many bytes as the limits allow. */
static int append(struct growing_source *growing, const uint8_t *bytes, size_t size)
{
    const char *too_long = NULL, *why;
    uint64_t before = atomic_load(&growing->size), limit = max_size(growing, &why);
    size_t fits;
    int status;

    if (size > limit - before) {
        size = (size_t)(limit - before);
        too_long = why;
    }
    fits = spool_room(growing->spool, before, size, &growing->safe);
    if (fits < size) {
        size = fits;
        too_long = "is longer than half of the free space in the spool folder";
    }
    status = file_write_all(growing->spool, bytes, size);
    if (status < 0) {
        end_with(growing, "cannot be spooled", strerror(-status));
        return 0;
    }
    publish(growing, before + size);
    if (too_long != NULL)
        end_with(growing, too_long, "");
    return 0;
}

/*
 * Begins another stream of the container, or stays between two streams until more bytes have come.
 */
static int next_stream(struct growing_source *growing, const uint8_t **bytes, size_t *size)
{
    const struct expander *expander = growing->expander;
    int status;

    while (expander->zero_padding && *size > 0 && **bytes == 0) {
        ++*bytes;
        --*size;
    }
    if (*size == 0 || (*size < HEAD_BYTES && !growing->in_ended))
        return 0;
    if (!expander->begins(*bytes, *size)) {
        end_with(growing, "continues with data that is not of the container", expander->name);
        return 0;
    }
    status = expander->restart(growing->state);
    growing->between = status < 0;
    return status;
}

static int expand(struct growing_source *growing, const uint8_t **bytes, size_t *size)
{
    uint8_t *room = growing->room + IN_BYTES;

    while (!atomic_load(&growing->ended) && !atomic_load(&growing->stop)) {
        struct expand_buffers buffers = {*bytes, *size, room, OUT_BYTES, ""};
        int result, status = growing->between ? next_stream(growing, bytes, size) : 0;
        size_t made;

        if (growing->between)
            return status;
        buffers.in = *bytes;
        buffers.in_left = *size;
        result = growing->expander->step(growing->state, &buffers);
        made = OUT_BYTES - buffers.out_left;
        if (made == 0 && buffers.in_left == *size && result == EXPAND_MORE)
            return 0;
        *bytes = buffers.in;
        *size = buffers.in_left;
        status = append(growing, room, made);
        if (status < 0 || result == -ENOMEM)
            return status < 0 ? status : result;
        if (result == -EBADMSG && !atomic_load(&growing->ended))
            end_damaged(growing, buffers.message);
        growing->between = result == EXPAND_END;
        if (growing->between)
            growing->checked = atomic_load(&growing->size);
    }
    return 0;
}

/* Processes what is in the room, and moves bytes that must wait for more to its front. */
static int take(struct growing_source *growing)
{
    const uint8_t *bytes = growing->room;
    size_t size = growing->held;
    int status;

    if (growing->expander == NULL) {
        status = append(growing, bytes, size);
        size = 0;
    } else {
        status = expand(growing, &bytes, &size);
    }
    memmove(growing->room, bytes, size);
    growing->held = size;
    return status;
}

static void end_of_input(struct growing_source *growing)
{
    if (growing->expander != NULL && !growing->between && !atomic_load(&growing->ended))
        end_with(growing, "is cut off within its container", growing->expander->name);
    end(growing);
}

/* Reads from the watch whether a writer has closed the followed file. */
static void look_at_watch(struct growing_source *growing)
{
    union {
        char bytes[4096];
        struct inotify_event event;
    } room;
    ssize_t got;

    /* a writer may cause events faster than they are read */
    for (int reads = 0; growing->watch >= 0 && reads < EVENT_READS_MAX; reads++) {
        if ((got = read(growing->watch, room.bytes, sizeof(room))) <= 0)
            break;
        for (ssize_t at = 0; at < got;) {
            struct inotify_event event;

            memcpy(&event, room.bytes + at, sizeof(event));
            if ((event.mask & IN_MODIFY) != 0)
                growing->closed = false;
            if ((event.mask & IN_CLOSE_WRITE) != 0)
                growing->closed = true;
            at += (ssize_t)(sizeof(event) + event.len);
        }
    }
}

/* Waits for input, or for an event of the followed file. */
static void wait_for_input(const struct growing_source *growing, int milliseconds)
{
    bool file = growing->params.path != NULL;
    struct pollfd input = {.fd = file ? growing->watch : growing->in, .events = POLLIN};
    int idle = clock_ms() - growing->grown > 1000 ? LOOK_IDLE_MS : LOOK_MS;

    if (file && milliseconds > idle)
        milliseconds = idle;
    (void)poll(&input, 1, milliseconds);
}

static void note_growth(struct growing_source *growing)
{
    growing->grown = clock_ms();
}

/* Returns whether all bytes of the followed file have been taken. */
static bool has_all_come(const struct growing_source *growing)
{
    uint64_t come = growing->spool >= 0 || !growing->chosen ? atomic_load(&growing->arrived)
                                                            : atomic_load(&growing->size);
    struct stat status;

    return fstat(growing->in, &status) == 0 && (uint64_t)status.st_size == come;
}

/*
 * Checks whether a file that does not grow has ended. Its writer may have written more, and closed
 * it, since its length was read.
 */
static void look_at_end(struct growing_source *growing)
{
    look_at_watch(growing);
    if (growing->closed && clock_ms() - growing->grown >= GROWING_SOURCE_SETTLED &&
        has_all_come(growing)) {
        growing->in_ended = true;
        if (growing->spool >= 0)
            end_of_input(growing);
        else
            end(growing);
    }
}

/* Checks a plain file, which is mapped itself. */
static void look_at_file(struct growing_source *growing)
{
    uint64_t before = atomic_load(&growing->size), size;
    struct stat status;

    if (fstat(growing->in, &status) < 0)
        return;
    size = (uint64_t)status.st_size;
    if (size < before) {
        atomic_store(growing->params.lost, true);
        end_with(growing, "was shortened while it was followed", "");
    } else if (size > growing->params.max) {
        publish(growing, growing->params.max);
        end_with(growing, tell_limit(growing), "");
    } else if (size > before) {
        note_growth(growing);
        publish(growing, size);
    } else {
        look_at_end(growing);
    }
}

static bool is_shorter(const struct growing_source *growing, uint64_t size)
{
    struct stat status;

    return fstat(growing->in, &status) < 0 || (uint64_t)status.st_size < size;
}

static int read_input(struct growing_source *growing)
{
    ssize_t got = read(growing->in, growing->room + growing->held, IN_BYTES - growing->held);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -errno;
    growing->held += (size_t)got;
    atomic_fetch_add(&growing->arrived, (uint64_t)got);
    if (got > 0)
        note_growth(growing);
    else if (growing->params.path == NULL)
        growing->in_ended = true;
    else if (is_shorter(growing, atomic_load(&growing->arrived)))
        end_with(growing, "was shortened while it was followed", "");
    else
        look_at_end(growing);
    return 0;
}

/* Processes what there is at present. */
static int step(struct growing_source *growing)
{
    int status = 0;

    if (growing->chosen && growing->spool < 0) {
        look_at_file(growing);
        return 0;
    }
    status = read_input(growing);
    if (status < 0) {
        end_with(growing, "cannot be read", strerror(-status));
        return 0;
    }
    if (!growing->chosen && (growing->held >= HEAD_BYTES || growing->in_ended))
        status = choose(growing);
    if (status < 0 || !growing->chosen)
        return status;
    if (growing->spool >= 0 && growing->held > 0)
        status = take(growing);
    if (status == 0 && growing->in_ended)
        end_of_input(growing);
    return status;
}

int growing_source_create(int fd, const struct growing_source_params *params,
                          struct growing_source **out)
{
    struct growing_source *growing = calloc(1, sizeof(*growing));

    *out = NULL;
    if (growing == NULL || (growing->room = memory_take(IN_BYTES + OUT_BYTES)) == NULL) {
        free(growing);
        close(fd);
        return -ENOMEM;
    }
    growing->params = *params;
    if (params->max_expand == 0)
        growing->params.max_expand = params->max;
    growing->in = fd;
    growing->spool = growing->watch = -1;
    growing->grown = clock_ms();
    pthread_mutex_init(&growing->lock, NULL);
    thread_condition_init(&growing->moved);
    if (params->path != NULL)
        growing->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (growing->watch >= 0)
        (void)file_access_watch(growing->watch, fd, FILE_ACCESS_WRITTEN);
    *out = growing;
    return 0;
}

void growing_source_destroy(struct growing_source **growing)
{
    struct growing_source *ending = *growing;

    *growing = NULL;
    if (ending == NULL)
        return;
    atomic_store(&ending->stop, true);
    wake(ending);
    if (ending->has_thread)
        pthread_join(ending->thread, NULL);
    if (ending->data != NULL) {
        sigbus_guard_remove(ending->data);
        munmap(ending->data, ending->params.max);
    }
    if (ending->state != NULL)
        ending->expander->destroy(ending->state);
    if (ending->spool >= 0)
        close(ending->spool);
    if (ending->watch >= 0)
        close(ending->watch);
    close(ending->in);
    memory_give(ending->room, IN_BYTES + OUT_BYTES);
    pthread_cond_destroy(&ending->moved);
    pthread_mutex_destroy(&ending->lock);
    free(ending);
}

int growing_source_fill(struct growing_source *growing, uint64_t bytes, int milliseconds,
                        const struct cancel *cancel)
{
    int64_t until = clock_ms() + milliseconds;
    int status = 0;

    while (status == 0 && !atomic_load(&growing->ended) && atomic_load(&growing->size) < bytes) {
        if (cancel_requested(cancel))
            return -EINTR;
        if (milliseconds >= 0 && clock_ms() >= until)
            break;
        wait_for_input(growing, LOOK_IDLE_MS);
        if (growing->params.path == NULL) {
            struct pollfd input = {.fd = growing->in, .events = POLLIN};

            if (poll(&input, 1, 0) == 0)
                continue;
        }
        status = step(growing);
    }
    return status;
}

/* Returns whether the producer must wait, since it is faster than the index. */
static bool is_far_ahead(const struct growing_source *growing)
{
    return growing->spool >= 0 &&
           atomic_load(&growing->size) - atomic_load(&growing->passed) > GROWING_SOURCE_LAG;
}

static void *run(void *context)
{
    struct growing_source *growing = context;
    bool file = growing->params.path != NULL;
    int status = 0;

    while (status == 0 && !atomic_load(&growing->ended) && !atomic_load(&growing->stop)) {
        struct pollfd input = {.fd = growing->in, .events = POLLIN};

        if (is_far_ahead(growing)) {
            take_lock(growing);
            thread_wait_a_little(&growing->moved, &growing->lock);
            give_lock(growing);
            continue;
        }
        wait_for_input(growing, LOOK_IDLE_MS);
        if (file || poll(&input, 1, 0) != 0)
            status = step(growing);
    }
    if (status < 0)
        end_with(growing, "cannot be stored", strerror(-status));
    return NULL;
}

int growing_source_start(struct growing_source *growing)
{
    int status = growing->has_thread ? 0 : thread_start(&growing->thread, run, growing);

    growing->has_thread |= status == 0;
    return status;
}

const uint8_t *growing_source_data(const struct growing_source *growing)
{
    return growing->data;
}

uint64_t growing_source_size(const struct growing_source *growing)
{
    return atomic_load(&growing->size);
}

int growing_source_stat(const struct growing_source *growing, struct stat *out)
{
    return fstat(growing->in, out) == 0 ? 0 : -errno;
}

uint64_t growing_source_arrived(const struct growing_source *growing)
{
    return growing->spool < 0 ? atomic_load(&growing->size) : atomic_load(&growing->arrived);
}

/* Reads what was published before the length, which may grow meanwhile. */
void growing_source_look(const struct growing_source *growing)
{
    uint64_t published = atomic_load(&growing->size);

    if (growing->spool < 0 && growing->data != NULL && is_shorter(growing, published))
        atomic_store(growing->params.lost, true);
}

bool growing_source_has_ended(const struct growing_source *growing)
{
    return atomic_load(&growing->ended);
}

enum source_container growing_source_container(const struct growing_source *growing)
{
    return growing->expander != NULL ? growing->expander->container : SOURCE_PLAIN;
}

void growing_source_wait(struct growing_source *growing, uint64_t size, unsigned milliseconds)
{
    int64_t until = clock_ms() + milliseconds;

    take_lock(growing);
    while (atomic_load(&growing->size) <= size && !atomic_load(&growing->ended) &&
           clock_ms() < until)
        thread_wait_a_little(&growing->moved, &growing->lock);
    give_lock(growing);
}

bool growing_source_await(struct growing_source *growing, uint64_t *seen, bool *ended)
{
    uint64_t size;

    *ended = growing_source_has_ended(growing);
    size = growing_source_size(growing);
    if (size == *seen && !*ended) {
        growing_source_wait(growing, size, AWAIT_MS);
        return false;
    }
    *seen = size;
    return true;
}

/*
 * Called by one thread at a time. Unmaps pages that were passed long ago, so that they do not count
 * as resident; they can be read again.
 */
void growing_source_pass(struct growing_source *growing, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    atomic_store(&growing->passed, bytes);
    wake(growing);
    if (growing->data == NULL || bytes < growing->unmapped + 2 * (uint64_t)KEPT_MAPPED)
        return;
    bytes = (bytes - KEPT_MAPPED) / page * page;
    (void)madvise(growing->data + growing->unmapped, bytes - growing->unmapped, MADV_DONTNEED);
    growing->unmapped = bytes;
}
