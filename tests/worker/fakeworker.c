/* SPDX-License-Identifier: MIT */
/* A worker that misbehaves as requested. The daemon's side must survive all of it. */
#include "config.h"

#include "tests/worker/fakeworker.h"

#include "base/bytes.h"
#include "worker/launch.h"
#include "worker/message.h"
#include "worker/worker.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct message_wait for_ever = {.deadline = INT64_MAX};
static sigset_t wakers;

static void answer(struct message_header header, int32_t status, const void *bytes, size_t size)
{
    const struct message_part part = {.data = bytes, .size = size};
    uint64_t sent;

    header.status = status;
    header.size = size;
    message_send(LAUNCH_SOCKET, &header, &part, 1, &for_ever, &sent);
}

/* Sends a header that announces `size` bytes, and no payload. */
static void announce(struct message_header header, uint64_t size)
{
    uint8_t head[MESSAGE_HEADER];

    header.size = size;
    message_write_header(&header, head);
    (void)!write(LAUNCH_SOCKET, head, sizeof(head));
}

/* Sends the first `count` bytes of an answer of 1 MiB one by one, with a pause after each. */
static void begin(struct message_header header, uint32_t count, unsigned pause)
{
    uint8_t bytes[MESSAGE_HEADER + 1] = {0};

    header.size = 1 << 20;
    message_write_header(&header, bytes);
    for (uint32_t n = 0; n < count; n++) {
        (void)!write(LAUNCH_SOCKET, bytes + (n < MESSAGE_HEADER ? n : (uint32_t)MESSAGE_HEADER), 1);
        usleep(pause);
    }
}

static uint32_t open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    uint32_t count = 0;

    while (folder != NULL && readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 3; /* `.`, `..`, and the folder's own */
}

static struct breadcrumb *map_breadcrumb(void)
{
    struct breadcrumb *breadcrumb =
        mmap(NULL, sizeof(*breadcrumb), PROT_READ | PROT_WRITE, MAP_SHARED, LAUNCH_BREADCRUMB, 0);

    if (breadcrumb == MAP_FAILED)
        exit(1);
    return breadcrumb;
}

/* Spins until the message is withdrawn. */
static void work(const struct message_header *header)
{
    const struct breadcrumb *breadcrumb = map_breadcrumb();

    while (__atomic_load_n(&breadcrumb->withdrawn, __ATOMIC_ACQUIRE) != header->serial)
        ;
    munmap((void *)breadcrumb, sizeof(*breadcrumb));
}

/*
 * Truncates all files of this process that the daemon maps or reads. Returns how many could be
 * truncated.
 */
static uint32_t shrink_all(void)
{
    static const int files[] = {2, LAUNCH_BREADCRUMB};
    uint32_t count = 0;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        count += ftruncate(files[i], 0) == 0;
    return count;
}

/* Reports that this process holds that much memory. Returns how much it may hold. */
static uint64_t hold(const struct blob *payload)
{
    struct breadcrumb *breadcrumb = map_breadcrumb();

    breadcrumb->held =
        payload->size == sizeof(uint64_t) ? bytes_le64(payload->data) : UINT64_C(1) << 30;
    return breadcrumb->max_held;
}

static void be_greedy(const struct blob *payload)
{
    struct breadcrumb *breadcrumb = map_breadcrumb();

    if (payload->size == sizeof(uint32_t)) {
        breadcrumb->activity = BREADCRUMB_DRAW;
        breadcrumb->subjects[0] = bytes_le32(payload->data);
    }
    breadcrumb->greedy = 1;
    exit(1);
}

static void leave_breadcrumb(void)
{
    struct breadcrumb *breadcrumb = map_breadcrumb();

    *breadcrumb = (struct breadcrumb){.activity = BREADCRUMB_DRAW, .offset = 77, .subjects = {5}};
}

static void sleep_for_ever(void)
{
    for (;;)
        sleep(100);
}

static void nap(void)
{
    int number;

    sigwait(&wakers, &number);
}

static struct blob *told;
static bool drowsy;

static void tell(struct message_header header)
{
    if (header.kind >= FAKE_ECHO || told == NULL || told->size == 0)
        answer(header, -EOPNOTSUPP, "", 0);
    else if (told->data[0] != 0)
        answer(header, 0, told->data + 1, told->size - 1);
    else
        for (size_t at = 1; at < told->size;) {
            ssize_t done = write(LAUNCH_SOCKET, told->data + at, told->size - at);

            if (done <= 0)
                exit(1);
            at += (size_t)done;
        }
}

static void act(struct message_header header, const struct blob *payload)
{
    static char reason[4000];
    volatile unsigned turns = 0;
    uint32_t count;

    memset(reason, 'r', sizeof(reason));
    switch (header.kind) {
    case MESSAGE_HELLO:
        if (drowsy)
            nap();
        answer(header, 0, payload->data, payload->size);
        break;
    case FAKE_ECHO:
        answer(header, 0, payload->data, payload->size);
        break;
    case FAKE_HOLD: {
        uint64_t max = hold(payload);

        answer(header, 0, &max, sizeof(max));
        break;
    }
    case FAKE_GREEDY:
        be_greedy(payload);
        break;
    case FAKE_ABORT:
        leave_breadcrumb();
        fprintf(stderr, "first line\nassertion `x' \001failed\n");
        abort();
    case FAKE_EXIT:
        exit(3);
    case FAKE_HANG:
        sleep_for_ever();
        break;
    case FAKE_SPIN:
        for (;;)
            turns++;
    case FAKE_WORK:
        work(&header);
        answer(header, 0, "late", 4);
        break;
    case FAKE_SHRINK:
        leave_breadcrumb();
        count = shrink_all();
        answer(header, 0, &count, 4);
        break;
    case FAKE_GARBAGE:
        (void)!write(LAUNCH_SOCKET, reason, 200);
        break;
    case FAKE_HUGE:
        announce(header, UINT64_C(1) << 62);
        break;
    case FAKE_TOO_LONG:
        announce(header, bytes_le64(payload->data) + 1);
        break;
    case FAKE_CUT:
        announce(header, 100);
        (void)!write(LAUNCH_SOCKET, reason, 50);
        exit(0);
    case FAKE_BEGIN:
        begin(header, bytes_le32(payload->data), 0);
        for (;;)
            turns++;
    case FAKE_DRIP:
        begin(header, 1 << 20, 20000);
        break;
    case FAKE_STRAY:
        header.serial++;
        answer(header, 0, "", 0);
        break;
    case FAKE_OTHER_KIND:
        header.kind++;
        answer(header, 0, "", 0);
        break;
    case FAKE_POSITIVE:
        answer(header, 7, "", 0);
        break;
    case FAKE_STATUS:
        answer(header, (int32_t)bytes_le32(payload->data), "", 0);
        break;
    case FAKE_REFUSE:
        answer(header, -EILSEQ, "not so", 6);
        break;
    case FAKE_LONG_REASON:
        answer(header, -EILSEQ, reason, sizeof(reason));
        break;
    case FAKE_CHATTER:
        for (int i = 0; i < 1 << 18; i++)
            (void)!write(2, "abc\n", 4);
        abort();
    case FAKE_CLOSE:
        close(LAUNCH_SOCKET);
        sleep_for_ever();
        break;
    case FAKE_DESCRIPTORS:
        count = open_descriptors();
        answer(header, 0, &count, 4);
        break;
    case FAKE_DEAF:
        answer(header, 0, "", 0);
        sleep_for_ever();
        break;
    case FAKE_TELL:
        blob_unref(&told);
        told = blob_ref((struct blob *)payload);
        answer(header, 0, "", 0);
        break;
    default:
        tell(header);
    }
}

int main(int count, char **arguments)
{
    struct message_header header;
    struct blob *payload;
    uint64_t received;
    bool greeted = false;

    drowsy = count > 1 && strtoull(arguments[1], NULL, 10) == FAKE_DROWSY;
    sigemptyset(&wakers);
    sigaddset(&wakers, SIGUSR1);
    sigprocmask(SIG_BLOCK, &wakers, NULL);
    while (message_receive(LAUNCH_SOCKET, WORKER_PAYLOAD_MAX, &for_ever, &header, &payload,
                           &received) == 0) {
        if (!greeted && header.kind != MESSAGE_HELLO)
            return 1; /* as the real worker does */
        greeted = true;
        act(header, payload);
        blob_unref(&payload);
    }
    return 0;
}
