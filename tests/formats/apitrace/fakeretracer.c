/* SPDX-License-Identifier: MIT */
/*
 * A worker that runs no calls. Its pictures say what it was requested to do since the last reset: R
 * for the reset; f and d with the number of the call at which a feed stopped (d: its draws were
 * discarded); P for a picture; followed by the number of its process. A picture 13 pixels high
 * kills it. It pauses feeds first, and requests more bytes, for as long as there are some. After R
 * it writes the calls that it has to leave out, each after an X. Unless there is one, a picture 617
 * pixels high kills it, and its breadcrumb says that call 3 did.
 *
 * A prewarming worker draws no pixels, and writes what it was requested to do to the file `told`
 * next to the program, with the number of a call that is left out, if any, in its name. If there
 * is such a file already, it dies of the reset, and leaves the file `died`. If it compiles fast it
 * writes r for R. As long as it lives it has the file `alive` locked. The file `mood` there says
 * how workers misbehave:
 *
 *     hello   a prewarming worker never answers the greeting
 *     feed    nor a feed
 *     slow    nor a feed, and the others never give a picture
 *     locks   like feed, but with the first file of shaders locked, and after a second for its
 *             reset; the others lock the file for each picture, once `told` is there
 *     marks   marks can be set, which is m; going back to one is b, or B if it does not stay; a
 *             feed to the call whose number follows crosses a mark
 *     yields  the first feed to that call leaves off when its caller has gone, and not before
 *     meets   before its first stretch that is not discarded, a prewarming worker waits until the
 *             breadcrumb of the others names the call whose number follows; the others wait for
 *             the prewarming worker before their picture
 *     lacks   if the call whose number follows is next there is no picture
 *     fails   the first feed to that call is run, and then has no memory for its answer
 *     texels  a level of a texture is 8 by 4 texels of that many bytes, whatever is requested
 *     alone   the others take a second for their reset, and die of it if `told` is there by then
 */
#include "config.h"

#include "base/bytes.h"
#include "worker/apitrace_session.h"
#include "worker/launch.h"
#include "worker/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FATAL_HEIGHT = 13, FATAL_ONCE = 617, FATAL_CALL = 3, HUNGER = 3 };

static const struct message_wait for_ever = {.deadline = INT64_MAX};
static char told[4096], folder[3072], mood[16];
static bool compile_only;
static uint64_t next, listed;
static uint64_t left_out; /* number of a call; 0: none */
static unsigned feeds;
static unsigned long long met; /* the call in the mood */
static uint64_t marked_next, marked_listed;
static bool marked;

static void path_beside(const char *name, char path[4096])
{
    snprintf(path, 4096, "%s/%s", folder, name);
}

static struct breadcrumb *map_breadcrumb(void)
{
    void *page = mmap(NULL, sizeof(struct breadcrumb), PROT_READ | PROT_WRITE, MAP_SHARED,
                      LAUNCH_BREADCRUMB, 0);

    if (page == MAP_FAILED)
        abort();
    return page;
}

/* Creates an empty file, which signals something to other processes. */
static void show(const char *name)
{
    char path[4096];
    int file;

    path_beside(name, path);
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        abort();
    close(file);
}

static void wait_for(const char *name)
{
    char path[4096];

    path_beside(name, path);
    while (access(path, R_OK) < 0)
        usleep(1000);
}

/* Locks the file `alive` for as long as the process lives. */
static void show_life(void)
{
    char path[4096];
    int file;

    path_beside("alive", path);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || flock(file, LOCK_EX) < 0)
        abort();
}

static void path_of_told(char path[4096])
{
    if (left_out != 0)
        snprintf(path, 4096, "%s/told%llu", folder, (unsigned long long)left_out);
    else
        snprintf(path, 4096, "%s/told", folder);
}

/*
 * Writes what a prewarming session was requested to do so far. Renames the file, so that a reader
 * always finds a complete one.
 */
static void tell_file(bool begins)
{
    char path[4096], fresh[4096];
    FILE *file;

    path_of_told(path);
    if (begins && access(path, F_OK) == 0) {
        show("died");
        abort();
    }
    path_beside("fresh", fresh);
    file = fopen(fresh, "w");
    if (file == NULL)
        abort();
    fprintf(file, "%s;", told);
    if (fclose(file) != 0 || rename(fresh, path) < 0)
        abort();
}

static void find_mood(const char *program)
{
    char path[4096];
    FILE *file;

    compile_only = getenv(LAUNCH_COMPILE_ONLY) != NULL;
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(program, '/') - program), program);
    path_beside("mood", path);
    file = fopen(path, "r");
    if (file == NULL)
        return;
    (void)!fscanf(file, "%15s %llu", mood, &met);
    fclose(file);
}

static bool is_in(const char *wanted)
{
    return strcmp(mood, wanted) == 0;
}

/* Opens and locks the file by name, as Mesa does. */
static void lock_shaders(void)
{
    char path[64];
    int file;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", LAUNCH_SHADERS);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || flock(file, LOCK_EX) < 0)
        abort();
    if (!compile_only)
        close(file);
}

static void wait_for_lock(void)
{
    char path[4096];

    path_of_told(path);
    while (access(path, R_OK) < 0)
        usleep(1000);
    lock_shaders();
}

/* Hangs until the daemon has closed the socket. */
static void hang(const char *at)
{
    struct pollfd ours = {.fd = LAUNCH_SOCKET, .events = POLLRDHUP};

    strcat(told, at);
    tell_file(at[0] == 'H');
    (void)poll(&ours, 1, -1);
    exit(1);
}

static void answer(struct message_header header, int32_t status, const struct message_writer *body)
{
    const struct message_part part = {.data = body->bytes, .size = body->size};
    uint64_t sent;

    header.status = status;
    header.size = body->size;
    message_send(LAUNCH_SOCKET, &header, &part, 1, &for_ever, &sent);
}

static void tell_stop(char how, uint64_t stop)
{
    size_t length = strlen(told);

    snprintf(told + length, sizeof(told) - length, "%c%llu ", how, (unsigned long long)stop);
}

static void expect_nobody(void)
{
    char path[4096];

    sleep(1);
    path_of_told(path);
    if (access(path, F_OK) == 0)
        abort();
}

static void reset(struct message_reader *request)
{
    uint32_t drawables, bad;

    message_read_u64(request);
    drawables = message_read_u32(request);
    bad = message_read_u32(request);
    for (uint32_t i = 0; i < drawables; i++)
        message_read_bytes(request, 32);
    strcpy(told, compile_only && getenv("GALLIVM_PERF") != NULL ? "r " : "R ");
    left_out = 0;
    for (uint32_t i = 0; i < bad; i++)
        tell_stop('X', left_out = message_read_u64(request));
    next = listed = feeds = 0;
    marked = false;
    if (compile_only && is_in("locks"))
        sleep(1);
    if (!compile_only && is_in("alone"))
        expect_nobody();
}

/* Leaves off, once, after its caller has gone. Returns whether it did. */
static bool yields(uint64_t stop, uint32_t serial)
{
    static bool done;
    const struct breadcrumb *breadcrumb;

    if (done || !is_in("yields") || stop != met)
        return false;
    done = true;
    breadcrumb = map_breadcrumb();
    show("waits");
    while (__atomic_load_n(&breadcrumb->withdrawn, __ATOMIC_ACQUIRE) != serial)
        usleep(1000);
    return true;
}

/* Returns whether to fail, once, after the feed has run. */
static bool fails(uint64_t stop)
{
    static bool done;

    if (done || !is_in("fails") || stop != met)
        return false;
    done = true;
    return true;
}

static int32_t feed(uint32_t serial, struct message_reader *request, struct message_writer *body)
{
    uint64_t offset = message_read_u64(request), stop = message_read_u64(request);
    uint32_t flags = message_read_u32(request), state = APITRACE_FEED_STOPPED;

    if (offset != next)
        abort();
    if (marked && is_in("marks") && stop == met)
        return -EXDEV;
    if (compile_only && is_in("locks"))
        lock_shaders();
    if (compile_only && (is_in("locks") || is_in("feed") || is_in("slow")) && left_out == 0)
        hang("hangs ");
    if (compile_only && is_in("meets") && (flags & APITRACE_FEED_DISCARD) == 0) {
        show("waits");
        wait_for("there");
    }
    message_read_u32(request);
    if (yields(stop, serial))
        return -EINTR; /* this answer is dropped */
    next += request->left;
    if (flags & APITRACE_FEED_STAY)
        state = APITRACE_FEED_HUNGRY;
    else if (feeds < HUNGER && (flags & APITRACE_FEED_END) == 0)
        state = feeds++ % 2 == 0 ? APITRACE_FEED_PAUSED : APITRACE_FEED_HUNGRY;
    else
        tell_stop(flags & APITRACE_FEED_DISCARD ? 'd' : 'f', stop);
    if (state == APITRACE_FEED_STOPPED)
        listed = stop;
    if (state == APITRACE_FEED_STOPPED && fails(stop))
        return -ENOMEM;
    message_write_u64(body, next);
    message_write_u64(body, listed);
    message_write_u64(body, stop);
    message_write_u64(body, 0);
    message_write_u32(body, state);
    message_write_u32(body, 0);
    return 0;
}

/* Records that a mark was set, or gone back to, and writes the answer. */
static int32_t mark(const char *tells, bool stays, struct message_writer *body)
{
    strcat(told, tells);
    marked = stays;
    message_write_u64(body, next);
    message_write_u64(body, listed);
    return 0;
}

/*
 * Sets a mark. Without the mood `marks`, fails and removes the stop before it from what is
 * reported.
 */
static int32_t set_mark(struct message_writer *body)
{
    if (!is_in("marks")) {
        *strrchr(told, ' ') = '\0';
        strrchr(told, ' ')[1] = '\0';
        return -ENOENT;
    }
    marked_next = next;
    marked_listed = listed;
    return mark("m ", true, body);
}

static int32_t go_back(struct message_reader *request, struct message_writer *body)
{
    const bool stays = message_read_u32(request) != 0;

    if (!marked)
        return -ENOENT;
    next = marked_next;
    listed = marked_listed;
    return mark(stays ? "b " : "B ", stays, body);
}

static void leave_breadcrumb(uint64_t call)
{
    *map_breadcrumb() = (struct breadcrumb){.activity = BREADCRUMB_CALL, .subjects = {call + 1}};
}

static void meet_prewarm(void)
{
    wait_for("waits");
    leave_breadcrumb(met);
    show("there");
}

static int32_t picture(struct message_reader *request, struct message_writer *body)
{
    uint32_t width, height;
    uint8_t *pixels;

    message_read_u32(request);
    width = message_read_u32(request);
    height = message_read_u32(request);
    if (is_in("lacks") && listed == met)
        return -ENOENT;
    if (is_in("locks"))
        wait_for_lock();
    if (is_in("meets"))
        meet_prewarm();
    if (is_in("slow"))
        for (;;)
            pause();
    if (height == FATAL_ONCE && left_out == 0)
        leave_breadcrumb(FATAL_CALL);
    if (height == FATAL_HEIGHT || (height == FATAL_ONCE && left_out == 0))
        abort();
    strcat(told, "P ");
    pixels = calloc((size_t)width * height, 3);
    snprintf((char *)pixels, (size_t)width * 3, "%s;%d;", told, (int)getpid());
    message_write_u32(body, width);
    message_write_u32(body, height);
    message_write_u32(body, 3);
    message_write_u32(body, 0);
    message_write_bytes(body, pixels, (size_t)width * height * 3);
    free(pixels);
    return 0;
}

static void texture(struct message_writer *body)
{
    static const uint8_t texels[8 * 4 * 16];

    message_write_u32(body, 8);
    message_write_u32(body, 4);
    message_write_u32(body, (uint32_t)met);
    message_write_u32(body, 0);
    message_write_bytes(body, texels, 8 * 4 * (size_t)met);
}

static void act(struct message_header header, const struct blob *payload)
{
    struct message_writer body = {.bytes = NULL};
    struct message_reader request;
    int32_t status = 0;

    message_reader_init(&request, payload->data, payload->size);
    switch (header.kind) {
    case MESSAGE_HELLO:
        if (compile_only && is_in("hello"))
            hang("Hangs ");
        message_write_u32(&body, 0);
        break;
    case APITRACE_MESSAGE_RESET:
        reset(&request);
        break;
    case APITRACE_MESSAGE_FEED:
        status = feed(header.serial, &request, &body);
        break;
    case APITRACE_MESSAGE_MARK:
        status = set_mark(&body);
        break;
    case APITRACE_MESSAGE_BACK:
        status = go_back(&request, &body);
        break;
    case APITRACE_MESSAGE_PICTURE:
        status = picture(&request, &body);
        break;
    case APITRACE_MESSAGE_TEXTURE:
        texture(&body);
        break;
    default:
        abort();
    }
    answer(header, status, &body);
    message_writer_free(&body);
}

int main(int count, char **arguments)
{
    struct message_header header;
    struct blob *payload;
    uint64_t received;

    (void)count;
    find_mood(arguments[0]);
    if (compile_only)
        show_life();
    while (message_receive(LAUNCH_SOCKET, WORKER_PAYLOAD_MAX, &for_ever, &header, &payload,
                           &received) == 0) {
        act(header, payload);
        if (compile_only && header.kind != MESSAGE_HELLO)
            tell_file(header.kind == APITRACE_MESSAGE_RESET);
        blob_unref(&payload);
    }
    return 0;
}
