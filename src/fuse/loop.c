/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuse/loop.h"

#include "base/clock.h"
#include "fuse/busy_poll.h"
#include "fuse/generations.h"
#include "fuse/idle_unmount.h"
#include "fuse/notifier.h"
#include "fuse/request.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>

enum {
    NANOSECONDS = 1000000000,
    LOOK_INTERVAL = 100000000,
    SIGNALS_EVERY = 64, /* messages between two checks for signals */
};

static const int ending_signals[] = {SIGTERM, SIGINT, SIGHUP};
static volatile sig_atomic_t ending;

static void note_ending(int signal)
{
    (void)signal;
    ending = 1;
}

void loop_hold_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++)
        sigaddset(&set, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void loop_catch_signals(sigset_t *while_waiting)
{
    struct sigaction action = {.sa_handler = note_ending};
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    ending = 0;
    loop_hold_signals();
    pthread_sigmask(SIG_SETMASK, NULL, while_waiting);
    for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++) {
        sigaction(ending_signals[i], &action, NULL);
        sigdelset(while_waiting, ending_signals[i]);
    }
    sigaction(SIGPIPE, &ignore, NULL);
}

static unsigned count_processors(void)
{
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof(usable), &usable) != 0)
        return CPU_SETSIZE; /* more than the set has room for */
    return (unsigned)CPU_COUNT(&usable);
}

struct reading {
    struct mount *mount;
    const sigset_t *while_waiting;
    struct pollfd device;
    struct fuse_buf buffer;
    struct busy_poll poll;
    int64_t looked; /* time of the last request_look() */
    unsigned received;
};

/*
 * Takes signals with a ppoll() of no descriptor: if a descriptor can be read, ppoll() returns
 * without taking a signal.
 */
static bool take_signals(const struct reading *reading)
{
    static const struct timespec none;

    return ppoll(NULL, 0, &none, reading->while_waiting) < 0;
}

/* Polls until that time without sleeping, after taking signals once. */
static int receive_until(struct reading *reading, int64_t until)
{
    int result;

    if (take_signals(reading))
        return -EINTR;
    do
        result = fuse_session_receive_buf(reading->mount->session, &reading->buffer);
    while (result == -EAGAIN && clock_ns() < until);
    return result;
}

/*
 * Computes how long the thread may sleep; returns false if that is for ever, since nothing has to
 * be checked. A lookup is `due` in that many nanoseconds; -1: none is.
 */
static bool pause_of(const struct mount *mount, size_t making, int64_t due, int64_t since,
                     struct timespec *out)
{
    int64_t left = idle_unmount_left(&mount->idle_unmount, since);

    if (making > 0 || (left >= 0 && left < LOOK_INTERVAL))
        left = LOOK_INTERVAL;
    if (due >= 0 && due < left)
        left = due;
    *out = (struct timespec){.tv_sec = left / NANOSECONDS, .tv_nsec = left % NANOSECONDS};
    return left >= 0;
}

static size_t count_requests(struct mount *mount)
{
    if (mount->generations != NULL)
        return generations_count(mount->generations);
    return mount->folder != NULL ? folder_count(mount->folder) : request_count(mount);
}

/* Returns how many pictures are being made before they are requested. */
static size_t count_ahead(struct mount *mount)
{
    if (mount->generations != NULL)
        return generations_ahead(mount->generations);
    return mount->folder != NULL ? folder_ahead(mount->folder) : tree_drawing_ahead(mount->tree);
}

/*
 * Receives a message. Returns its length; 0 or -errno if the mount is gone; or -EAGAIN or -EINTR if
 * none has come yet. `making` answers are under way in other threads; for `due` see pause_of().
 */
static int receive(struct reading *reading, size_t making, int64_t due)
{
    size_t busy = making + count_ahead(reading->mount);
    int64_t since = clock_ns(), looked = busy_poll_now(&reading->poll, busy);
    struct timespec pause;
    bool pauses = pause_of(reading->mount, making, due, since, &pause);
    int result;

    if (++reading->received % SIGNALS_EVERY == 0 && take_signals(reading))
        return -EINTR;
    result = fuse_session_receive_buf(reading->mount->session, &reading->buffer);
    if (result == -EAGAIN && looked > 0)
        result = receive_until(reading, since + looked);
    if (result == -EAGAIN &&
        ppoll(&reading->device, 1, pauses ? &pause : NULL, reading->while_waiting) > 0)
        result = fuse_session_receive_buf(reading->mount->session, &reading->buffer);
    busy_poll_learn(&reading->poll, clock_ns() - since, looked);
    return result;
}

static void look_for_dying(struct reading *reading)
{
    struct mount *mount = reading->mount;
    bool all = atomic_exchange(&mount->look, false);

    if (!all && clock_ns() - reading->looked < LOOK_INTERVAL)
        return;
    if (mount->folder != NULL)
        folder_look(mount->folder, all);
    else if (mount->generations != NULL)
        generations_look(mount->generations, all);
    else
        request_look(mount, all);
    reading->looked = clock_ns();
}

/* As request_reply_early(), for any kind of mount. */
static int64_t reply_early(struct mount *mount)
{
    if (mount->generations != NULL)
        return generations_reply_early(mount->generations, clock_ns());
    return mount->folder != NULL ? folder_reply_early(mount->folder, clock_ns())
                                 : request_reply_early(mount, clock_ns());
}

/*
 * Checks whether the mount is idle, as far as can be seen here; a dump that is still being written
 * counts as in use.
 */
static void look_for_idleness(struct mount *mount, size_t making)
{
    int64_t time;

    if (mount->idle_unmount.after == 0)
        return;
    time = clock_ns();
    if (making > 0 || (mount->tree != NULL && tree_grows(mount->tree)))
        idle_unmount_stay(&mount->idle_unmount, time);
    idle_unmount_try(&mount->idle_unmount, time);
}

/* A live file's attributes changed; its pages are dropped at the next open. */
static void forget_attributes(void *context, uint64_t inode)
{
    struct mount *mount = context;

    (void)fuse_lowlevel_notify_inval_inode(mount->session, inode, -1, 0);
}

/*
 * Starts the notifications to the kernel; there must be none before its first request was answered.
 */
static void begin_telling(struct mount *mount)
{
    if (mount->tree == NULL)
        return;
    tree_on_change(mount->tree, forget_attributes, mount);
    if (tree_dump(mount->tree)->follow != NULL)
        (void)notifier_start(&mount->notifier, mount->session, mount->tree);
}

static void end_telling(struct mount *mount)
{
    if (mount->tree == NULL)
        return;
    tree_on_change(mount->tree, NULL, NULL);
    tree_on_growth(mount->tree, NULL, NULL);
    notifier_end(&mount->notifier);
}

static void answer(struct mount *mount, const struct fuse_buf *message)
{
    if (mount->greeted) {
        fuse_session_process_buf(mount->session, message);
        return;
    }
    handshake(mount, message);
    if (mount->folder == NULL)
        begin_telling(mount);
}

/*
 * Takes the next tree before the message. After the message, releases a tree that it was the last
 * to use.
 */
static void process(struct mount *mount, const struct fuse_buf *message)
{
    if (mount->generations != NULL)
        generations_turn(mount->generations);
    answer(mount, message);
    if (mount->generations != NULL)
        generations_turn(mount->generations);
}

/* Returns 0 when the mount is gone or a signal came, or -errno of the FUSE device. */
static int serve_requests(struct mount *mount, const sigset_t *while_waiting)
{
    int device = fuse_session_fd(mount->session), flags = fcntl(device, F_GETFL), result = 0;
    struct reading reading = {.mount = mount,
                              .while_waiting = while_waiting,
                              .device = {.fd = device, .events = POLLIN},
                              .looked = clock_ns()};

    if (flags < 0 || fcntl(device, F_SETFL, flags | O_NONBLOCK) != 0)
        return -errno;
    busy_poll_init(&reading.poll, count_processors());
    idle_unmount_stay(&mount->idle_unmount, clock_ns());
    while (!ending && !fuse_session_exited(mount->session)) {
        size_t making = count_requests(mount);
        int64_t due = -1;

        if (making > 0) {
            look_for_dying(&reading);
            due = reply_early(mount);
        }
        look_for_idleness(mount, making);
        result = receive(&reading, making, due);
        if (result > 0) {
            idle_unmount_stay(&mount->idle_unmount, mount->idle_unmount.after > 0 ? clock_ns() : 0);
            process(mount, &reading.buffer);
        } else if (result != -EINTR && result != -EAGAIN)
            break;
    }
    free(reading.buffer.mem);
    return result < 0 && result != -EINTR && result != -EAGAIN ? result : 0;
}

int loop_serve(struct mount *mount, const sigset_t *while_waiting)
{
    int result;

    if (mount->greeted)
        begin_telling(mount);
    result = serve_requests(mount, while_waiting);
    end_telling(mount);
    return result;
}

/* Waits until one of the files has an event. Returns 0, -ECANCELED after a signal, or -errno. */
static int wait_for(struct pollfd *files, nfds_t count, const sigset_t *while_waiting)
{
    while (ppoll(files, count, NULL, while_waiting) < 0) {
        if (errno != EINTR)
            return -errno;
        if (ending)
            return -ECANCELED;
    }
    return 0;
}

/* Answers only the kernel's first message: it sends no other before that. */
static int answer_first(struct mount *mount, const sigset_t *while_waiting)
{
    struct pollfd device = {.fd = fuse_session_fd(mount->session), .events = POLLIN};
    struct fuse_buf buffer = {0};
    int result;

    do {
        result = wait_for(&device, 1, while_waiting);
        if (result == 0)
            result = fuse_session_receive_buf(mount->session, &buffer);
    } while (result == -EINTR || result == -EAGAIN);
    if (result > 0)
        handshake(mount, &buffer);
    free(buffer.mem);
    return result > 0 ? 0 : result == 0 ? -ECANCELED : result;
}

int loop_wait(struct mount *mount, int opened, const sigset_t *while_waiting)
{
    /* no events: for the device, only its end is reported */
    struct pollfd files[] = {{.fd = opened, .events = POLLIN},
                             {.fd = fuse_session_fd(mount->session)}};
    int result = answer_first(mount, while_waiting);

    if (result == 0)
        result = wait_for(files, 2, while_waiting);
    return result == 0 && files[1].revents != 0 ? -ECANCELED : result;
}
