/* SPDX-License-Identifier: MIT */
/*
 * The handshake: the answer to the kernel's first request, INIT. libfuse answers it, but its
 * versions before 3.17 leave two flags out of the reply, even if they are requested of it:
 *
 * - FUSE_PARALLEL_DIROPS. Without it the kernel looks up the names of a directory one after
 *   another, so that one slow name blocks all its neighbours, in a sleep that no signal ends.
 * - FUSE_DIRECT_IO_ALLOW_MMAP. Without it files with direct_io cannot be mapped.
 *
 * So the reply is caught on its way and corrected. libfuse writes it to the number of the device's
 * descriptor, which allows these steps:
 *
 *     1. duplicate the device, and put the write end of a pipe at its number (dup3)
 *     2. have libfuse process INIT: its reply goes into the pipe
 *     3. read the reply from the pipe, and put the device back at its number
 *     4. add the flags to the reply, and write it to the device
 *
 * If step 1 fails, libfuse processes INIT with the device in place, and the flags are missing.
 */
#include "config.h"

#include "fuse/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <string.h>
#include <unistd.h>

enum { PASSES_ALL = 317 /* fuse_version() of libfuse 3.17 */, REPLY_MAX = 4096 };

/*
 * DIRECT_IO_ALLOW_MMAP is in the second half of INIT's flags, and came with Linux 6.6. INIT_EXT
 * says that there is a second half, and came with Linux 5.17. Headers may be older.
 */
#define DIRECT_IO_ALLOW_MMAP (UINT64_C(1) << 36)
#define INIT_EXT             (UINT32_C(1) << 30)

/*
 * Byte offsets of fields in messages: a message is a header, then the struct of INIT in
 * <linux/fuse.h>.
 */
enum {
    IN_FLAGS = sizeof(struct fuse_in_header) + 12,
    IN_FLAGS_2 = IN_FLAGS + 4,
    OUT_ERROR = 4,
    OUT_FLAGS = sizeof(struct fuse_out_header) + 12,
    OUT_FLAGS_2 = OUT_FLAGS + 20,
};

/*
 * dup3() fails with EBUSY while another thread's dup3() is taking a number (dup(2)), so it is tried
 * again.
 */
static int put_in_place(int file, int place)
{
    int result;

    do
        result = dup3(file, place, O_CLOEXEC);
    while (result < 0 && (errno == EBUSY || errno == EINTR));
    return result < 0 ? -errno : 0;
}

static void close_if_open(int file)
{
    if (file >= 0)
        close(file);
}

/*
 * Has libfuse process INIT, and stores its reply. Returns the length of the reply, 0 if there is
 * none, or -errno if the request was not processed.
 */
static ssize_t catch_reply(struct fuse_session *session, const struct fuse_buf *request,
                           char reply[REPLY_MAX])
{
    int place = fuse_session_fd(session), device = fcntl(place, F_DUPFD_CLOEXEC, 0);
    int ends[2] = {-1, -1};
    ssize_t length = -EMFILE;

    if (device < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        goto out;
    length = put_in_place(ends[1], place);
    if (length < 0)
        goto out;
    fuse_session_process_buf(session, request);
    length = read(ends[0], reply, REPLY_MAX);
    if (length < 0)
        length = 0; /* libfuse did not reply */
    if (put_in_place(device, place) != 0)
        fuse_session_exit(session);
out:
    close_if_open(device);
    close_if_open(ends[0]);
    close_if_open(ends[1]);
    return length;
}

static uint32_t word_at(const void *message, size_t size, size_t place)
{
    uint32_t word = 0;

    if (size >= place + sizeof(word))
        memcpy(&word, (const char *)message + place, sizeof(word));
    return word;
}

/* Returns both halves of the flags that the kernel offers. */
static uint64_t offered_flags(const struct fuse_buf *request)
{
    uint32_t flags;

    if ((request->flags & FUSE_BUF_IS_FD) != 0)
        return 0;
    flags = word_at(request->mem, request->size, IN_FLAGS);
    return flags | ((flags & INIT_EXT) != 0
                        ? (uint64_t)word_at(request->mem, request->size, IN_FLAGS_2) << 32
                        : 0);
}

static void add_to_word(char *reply, size_t length, size_t place, uint32_t bits)
{
    uint32_t word = word_at(reply, length, place) | bits;

    if (length >= place + sizeof(word))
        memcpy(reply + place, &word, sizeof(word));
}

static void add_flags(char *reply, size_t length, uint64_t flags)
{
    const uint32_t second = (uint32_t)(flags >> 32);

    if (length < OUT_FLAGS_2 + sizeof(uint32_t) || word_at(reply, length, OUT_ERROR) != 0)
        return;
    add_to_word(reply, length, OUT_FLAGS, (uint32_t)flags | (second != 0 ? INIT_EXT : 0));
    add_to_word(reply, length, OUT_FLAGS_2, second);
}

void handshake(struct mount *mount, const struct fuse_buf *request)
{
    const uint64_t offered = offered_flags(request);
    char reply[REPLY_MAX];
    ssize_t length = -ENOTSUP;

    mount->greeted = true;
    if (fuse_version() < PASSES_ALL)
        length = catch_reply(mount->session, request, reply);
    if (length < 0) {
        fuse_session_process_buf(mount->session, request);
        return;
    }
    if (mount->parallel)
        add_flags(reply, (size_t)length, FUSE_PARALLEL_DIROPS);
    if ((offered & DIRECT_IO_ALLOW_MMAP) != 0)
        add_flags(reply, (size_t)length, DIRECT_IO_ALLOW_MMAP);
    if (length > 0 && write(fuse_session_fd(mount->session), reply, (size_t)length) < 0)
        fuse_session_exit(mount->session); /* the mount was unmounted meanwhile */
}
