/*
 * Steps of one thread: look whether there is more, read it, expand it, append it to
 * the spool, publish. A followed file that is plain is not copied: only its size is
 * looked at. Before the first bytes it is not known which of the two it will be.
 */
#include "config.h"

#include "core/growth.h"

#include "core/guard.h"
#include "core/memory.h"
#include "core/spool.h"
#include "core/thread.h"

#include <errno.h>
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
    HEAD_BYTES = 8,         /* tell which container it is, and whether another stream follows */
    LOOK_MS = 5,            /* how often a file is looked at that does not tell of itself */
    LOOK_IDLE_MS = 20,      /* the same when it has stood still */
    KEPT_MAPPED = 32 << 20, /* behind what is passed; the rest is left to the page cache */
};

static const struct expander *const expanders[] = {&expand_zstd, &expand_xz, &expand_gzip};

struct growth {
    struct growth_params params;
    int in;
    int watch;                       /* inotify; -1: none */
    bool closed;                     /* a writer has closed the file since it last grew */
    int64_t grown;                   /* when it did, in ms */
    int spool;                       /* -1: the followed file is mapped itself */
    bool chosen;                     /* … is known by now */
    uint8_t *room;                   /* IN_BYTES, then OUT_BYTES */
    size_t held;                     /* bytes in the room that wait for more */
    uint64_t taken;                  /* bytes of the container behind them */
    bool in_ended;                   /* the pipe has no more */
    bool between;                    /* streams of the container */
    const struct expander *expander; /* NULL: plain */
    void *state;
    uint8_t *data; /* params.most bytes of address space; NULL: not yet */
    uint64_t unmapped;
    pthread_t thread;
    bool has_thread;
    atomic_uint_fast64_t size, passed, arrived;
    atomic_bool ended, stop;
    pthread_mutex_t lock; /* of the condition alone */
    pthread_cond_t moved;
};

static int64_t now_ms(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void wake(struct growth *growth)
{
    pthread_mutex_lock(&growth->lock);
    pthread_cond_broadcast(&growth->moved);
    pthread_mutex_unlock(&growth->lock);
}

static void publish(struct growth *growth, uint64_t size)
{
    atomic_store(&growth->size, size);
    wake(growth);
}

static void end(struct growth *growth)
{
    atomic_store(&growth->ended, true);
    wake(growth);
}

/* What came so far is kept, and nothing more comes. */
static void end_with(struct growth *growth, const char *what, const char *detail)
{
    problems_add(growth->params.problems, PROBLEM_ERROR, atomic_load(&growth->size),
                 PROBLEM_NOWHERE, "the stream %s%s%s; so far the dump could be read", what,
                 detail[0] != '\0' ? ": " : "", detail);
    end(growth);
}

/* Maps all the address space that the dump may ever need. */
static int map(struct growth *growth, int fd)
{
    void *mapped = mmap(NULL, growth->params.most, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);

    if (mapped == MAP_FAILED)
        return -errno;
    if (guard_add(mapped, growth->params.most, growth->params.lost) != 0) {
        munmap(mapped, growth->params.most);
        return -ENOMEM;
    }
    growth->data = mapped;
    return 0;
}

static int start_spool(struct growth *growth)
{
    const char *folder = spool_folder(growth->params.spool_dir);
    int status = 0;

    growth->spool = spool_create(folder);
    if (growth->spool < 0)
        status = growth->spool;
    if (status == 0 && growth->expander != NULL)
        status = growth->expander->create(&growth->state);
    if (status == 0)
        status = map(growth, growth->spool);
    if (status < 0 && status != -ENOMEM)
        problems_add(growth->params.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "cannot spool into %s: %s", folder, strerror(-status));
    return status;
}

/* By the first bytes: whether there is a container, and whether a file needs a spool. */
static int choose(struct growth *growth)
{
    const uint8_t *head = growth->room;

    growth->chosen = true;
    for (size_t i = 0; !growth->params.raw && i < sizeof(expanders) / sizeof(expanders[0]); i++)
        if (expanders[i]->recognises(head, growth->held) ||
            expanders[i]->begins(head, growth->held))
            growth->expander = expanders[i];
    if (growth->params.path == NULL || growth->expander != NULL)
        return start_spool(growth);
    return map(growth, growth->in);
}

/* Appends to the spool as much as may be. */
static int append(struct growth *growth, const uint8_t *bytes, size_t size)
{
    uint64_t before = atomic_load(&growth->size), left = growth->params.most - before;
    int status = spool_write(growth->spool, bytes, size < left ? size : (size_t)left);

    if (status < 0) {
        end_with(growth, "cannot be spooled", strerror(-status));
        return 0;
    }
    publish(growth, before + (size < left ? size : left));
    if (size > left)
        end_with(growth, "is longer than max-expand allows", "");
    return 0;
}

/* Between two streams of a container: whether another one begins. False: wait for more bytes. */
static bool next_stream(struct growth *growth, const uint8_t **bytes, size_t *size)
{
    const struct expander *expander = growth->expander;

    while (expander->zero_padding && *size > 0 && **bytes == 0) {
        ++*bytes;
        --*size;
    }
    if (*size == 0 || (*size < HEAD_BYTES && !growth->in_ended))
        return false;
    growth->between = false;
    if (expander->begins(*bytes, *size) && expander->restart(growth->state) == 0)
        return true;
    end_with(growth, "goes on with what is not the container's data", expander->name);
    return false;
}

static int expand(struct growth *growth, const uint8_t **bytes, size_t *size)
{
    uint8_t *room = growth->room + IN_BYTES;

    while (!atomic_load(&growth->ended) && !atomic_load(&growth->stop)) {
        struct expand_buffers buffers = {*bytes, *size, room, OUT_BYTES, ""};
        size_t made;
        int result, status;

        if (growth->between && !next_stream(growth, bytes, size))
            return 0;
        buffers.in = *bytes;
        buffers.in_left = *size;
        result = growth->expander->step(growth->state, &buffers);
        made = OUT_BYTES - buffers.out_left;
        if (made == 0 && buffers.in_left == *size && result == EXPAND_MORE)
            return 0;
        *bytes = buffers.in;
        *size = buffers.in_left;
        status = append(growth, room, made);
        if (status < 0 || result == -ENOMEM)
            return status < 0 ? status : result;
        if (result == -EBADMSG && !atomic_load(&growth->ended))
            end_with(growth, "is damaged", buffers.message);
        growth->between = result == EXPAND_END;
    }
    return 0;
}

/* What stands in the room goes on its way; what must wait for more is moved to its front. */
static int take(struct growth *growth)
{
    const uint8_t *bytes = growth->room;
    size_t size = growth->held;
    int status;

    if (growth->expander == NULL) {
        status = append(growth, bytes, size);
        size = 0;
    } else {
        status = expand(growth, &bytes, &size);
    }
    growth->taken += growth->held - size;
    memmove(growth->room, bytes, size);
    growth->held = size;
    return status;
}

static void end_of_input(struct growth *growth)
{
    if (growth->expander != NULL && !growth->between && !atomic_load(&growth->ended))
        end_with(growth, "is cut off within its container", growth->expander->name);
    end(growth);
}

/* Whether a followed file has told that a writer closed it. */
static void look_at_watch(struct growth *growth)
{
    union {
        char bytes[4096];
        struct inotify_event event;
    } room;
    ssize_t got;

    while (growth->watch >= 0 && (got = read(growth->watch, room.bytes, sizeof(room))) > 0) {
        for (ssize_t at = 0; at < got;) {
            struct inotify_event event;

            memcpy(&event, room.bytes + at, sizeof(event));
            growth->closed |= (event.mask & IN_CLOSE_WRITE) != 0;
            at += (ssize_t)(sizeof(event) + event.len);
        }
    }
}

/* Waits for what may tell of more: the pipe, or the watch of a file. */
static void wait_for_input(const struct growth *growth, int milliseconds)
{
    bool file = growth->params.path != NULL;
    struct pollfd input = {.fd = file ? growth->watch : growth->in, .events = POLLIN};
    int idle = now_ms() - growth->grown > 1000 ? LOOK_IDLE_MS : LOOK_MS;

    if (file && milliseconds > idle)
        milliseconds = idle;
    (void)poll(&input, 1, milliseconds);
}

static void note_growth(struct growth *growth)
{
    growth->grown = now_ms();
    growth->closed = false;
}

/* A file that stands still, since when, and whether that is its end. */
static void look_at_end(struct growth *growth)
{
    look_at_watch(growth);
    if (growth->closed && now_ms() - growth->grown >= GROWTH_SETTLED) {
        growth->in_ended = true;
        if (growth->spool >= 0)
            end_of_input(growth);
        else
            end(growth);
    }
}

/* A plain file that is mapped itself. */
static void look_at_file(struct growth *growth)
{
    uint64_t before = atomic_load(&growth->size), size;
    struct stat status;

    if (fstat(growth->in, &status) < 0)
        return;
    size = (uint64_t)status.st_size;
    if (size < before) {
        atomic_store(growth->params.lost, true);
        end_with(growth, "was shortened while it was followed", "");
    } else if (size > growth->params.most) {
        publish(growth, growth->params.most);
        end_with(growth, "is longer than max-expand allows", "");
    } else if (size > before) {
        note_growth(growth);
        publish(growth, size);
    } else {
        look_at_end(growth);
    }
}

static bool is_shorter(const struct growth *growth, uint64_t size)
{
    struct stat status;

    return fstat(growth->in, &status) < 0 || (uint64_t)status.st_size < size;
}

static int read_input(struct growth *growth)
{
    ssize_t got = read(growth->in, growth->room + growth->held, IN_BYTES - growth->held);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -errno;
    growth->held += (size_t)got;
    atomic_fetch_add(&growth->arrived, (uint64_t)got);
    if (got > 0)
        note_growth(growth);
    else if (growth->params.path == NULL)
        growth->in_ended = true;
    else if (is_shorter(growth, atomic_load(&growth->arrived)))
        end_with(growth, "was shortened while it was followed", "");
    else
        look_at_end(growth);
    return 0;
}

/* Takes up what there is now. */
static int step(struct growth *growth)
{
    int status = 0;

    if (growth->chosen && growth->spool < 0) {
        look_at_file(growth);
        return 0;
    }
    status = read_input(growth);
    if (status < 0) {
        end_with(growth, "cannot be read", strerror(-status));
        return 0;
    }
    if (!growth->chosen && (growth->held >= HEAD_BYTES || growth->in_ended))
        status = choose(growth);
    if (status < 0 || !growth->chosen)
        return status;
    if (growth->spool >= 0 && growth->held > 0)
        status = take(growth);
    if (status == 0 && growth->in_ended)
        end_of_input(growth);
    return status;
}

int growth_create(int fd, const struct growth_params *params, struct growth **out)
{
    struct growth *growth = calloc(1, sizeof(*growth));

    *out = NULL;
    if (growth == NULL || (growth->room = memory_take(IN_BYTES + OUT_BYTES)) == NULL) {
        free(growth);
        close(fd);
        return -ENOMEM;
    }
    growth->params = *params;
    growth->in = fd;
    growth->spool = growth->watch = -1;
    growth->grown = now_ms();
    pthread_mutex_init(&growth->lock, NULL);
    thread_condition_init(&growth->moved);
    if (params->path != NULL)
        growth->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (growth->watch >= 0)
        (void)inotify_add_watch(growth->watch, params->path, IN_MODIFY | IN_CLOSE_WRITE);
    *out = growth;
    return 0;
}

void growth_destroy(struct growth **growth)
{
    struct growth *ending = *growth;

    *growth = NULL;
    if (ending == NULL)
        return;
    atomic_store(&ending->stop, true);
    wake(ending);
    if (ending->has_thread)
        pthread_join(ending->thread, NULL);
    if (ending->data != NULL) {
        guard_remove(ending->data);
        munmap(ending->data, ending->params.most);
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

int growth_fill(struct growth *growth, uint64_t bytes, int milliseconds,
                const struct cancel *cancel)
{
    int64_t until = now_ms() + milliseconds;
    int status = 0;

    while (status == 0 && !atomic_load(&growth->ended) && atomic_load(&growth->size) < bytes) {
        if (cancel_requested(cancel))
            return -EINTR;
        if (milliseconds >= 0 && now_ms() >= until)
            break;
        wait_for_input(growth, LOOK_IDLE_MS);
        if (growth->params.path == NULL) {
            struct pollfd input = {.fd = growth->in, .events = POLLIN};

            if (poll(&input, 1, 0) == 0)
                continue;
        }
        status = step(growth);
    }
    return status;
}

/* A writer who is faster than whoever understands the bytes waits. */
static bool is_far_ahead(const struct growth *growth)
{
    return growth->spool >= 0 &&
           atomic_load(&growth->size) - atomic_load(&growth->passed) > GROWTH_LAG;
}

static void *run(void *context)
{
    struct growth *growth = context;
    bool file = growth->params.path != NULL;
    int status = 0;

    while (status == 0 && !atomic_load(&growth->ended) && !atomic_load(&growth->stop)) {
        struct pollfd input = {.fd = growth->in, .events = POLLIN};

        if (is_far_ahead(growth)) {
            pthread_mutex_lock(&growth->lock);
            thread_wait_a_little(&growth->moved, &growth->lock);
            pthread_mutex_unlock(&growth->lock);
            continue;
        }
        wait_for_input(growth, LOOK_IDLE_MS);
        if (file || poll(&input, 1, 0) != 0)
            status = step(growth);
    }
    if (status < 0)
        end_with(growth, "cannot be kept", strerror(-status));
    return NULL;
}

int growth_start(struct growth *growth)
{
    int status = growth->has_thread ? 0 : thread_start(&growth->thread, run, growth);

    growth->has_thread |= status == 0;
    return status;
}

const uint8_t *growth_data(const struct growth *growth)
{
    return growth->data;
}

uint64_t growth_size(const struct growth *growth)
{
    return atomic_load(&growth->size);
}

uint64_t growth_arrived(const struct growth *growth)
{
    return growth->spool < 0 ? atomic_load(&growth->size) : atomic_load(&growth->arrived);
}

/* What was published is known before the length, which may grow meanwhile. */
void growth_look(const struct growth *growth)
{
    uint64_t published = atomic_load(&growth->size);

    if (growth->spool < 0 && growth->data != NULL && is_shorter(growth, published))
        atomic_store(growth->params.lost, true);
}

bool growth_has_ended(const struct growth *growth)
{
    return atomic_load(&growth->ended);
}

enum source_container growth_container(const struct growth *growth)
{
    return growth->expander != NULL ? growth->expander->container : SOURCE_PLAIN;
}

void growth_wait(struct growth *growth, uint64_t size, unsigned milliseconds)
{
    int64_t until = now_ms() + milliseconds;

    pthread_mutex_lock(&growth->lock);
    while (atomic_load(&growth->size) <= size && !atomic_load(&growth->ended) && now_ms() < until)
        thread_wait_a_little(&growth->moved, &growth->lock);
    pthread_mutex_unlock(&growth->lock);
}

/* One thread at a time. Mapped pages behind it count for nothing any more, and may be had again. */
void growth_pass(struct growth *growth, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    atomic_store(&growth->passed, bytes);
    wake(growth);
    if (growth->data == NULL || bytes - growth->unmapped < 2 * (uint64_t)KEPT_MAPPED)
        return;
    bytes = (bytes - KEPT_MAPPED) / page * page;
    (void)madvise(growth->data + growth->unmapped, bytes - growth->unmapped, MADV_DONTNEED);
    growth->unmapped = bytes;
}
