/* SPDX-License-Identifier: MIT */
/*
 * The kernel's first request, INIT, and bits in the reply that libfuse before 3.17 leaves out,
 * whatever is wanted of it: without FUSE_PARALLEL_DIROPS the kernel looks up one name of a
 * directory after the other, so that one that takes long holds all of its neighbours, in a sleep
 * that no signal ends; without FUSE_DIRECT_IO_ALLOW_MMAP files of direct_io cannot be mapped.
 * libfuse writes to a descriptor's number, at which a pipe stands meanwhile; what is in the pipe
 * then is mended, and written to the device.
 */
#include "config.h"

#include "fuse/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <string.h>
#include <unistd.h>

enum { PASSES_ALL = 317 /* fuse_version() of libfuse 3.17 */, REPLY_MAX = 4096 };

/* Of Linux 6.6, in the second half of INIT's flags, which headers of Linux 6.1 lack. */
#define DIRECT_IO_ALLOW_MMAP (UINT64_C(1) << 36)

/* dup3() of another thread's that has just taken a number makes ours wait (dup(2), EBUSY). */
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

/* What libfuse replies, in bytes, or -errno: then the request is not processed. */
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
        length = 0; /* libfuse had no answer */
    if (put_in_place(device, place) != 0)
        fuse_session_exit(session);
out:
    close_if_open(device);
    close_if_open(ends[0]);
    close_if_open(ends[1]);
    return length;
}

/* Both halves of what the kernel offers. */
static uint64_t offered_flags(const struct fuse_buf *request)
{
    const size_t place = sizeof(struct fuse_in_header);
    struct fuse_init_in in = {.flags = 0};
    size_t length = request->size < place ? 0 : request->size - place;

    if ((request->flags & FUSE_BUF_IS_FD) != 0)
        return 0;
    memcpy(&in, (const char *)request->mem + place, length < sizeof(in) ? length : sizeof(in));
    return in.flags | ((in.flags & FUSE_INIT_EXT) != 0 ? (uint64_t)in.flags2 << 32 : 0);
}

static void add_flags(char *reply, size_t length, uint64_t flags)
{
    struct fuse_out_header header;
    struct fuse_init_out out;

    if (length < sizeof(header) + sizeof(out))
        return;
    memcpy(&header, reply, sizeof(header));
    if (header.error != 0)
        return;
    memcpy(&out, reply + sizeof(header), sizeof(out));
    out.flags |= (uint32_t)flags;
    if (flags >> 32 != 0) {
        out.flags |= FUSE_INIT_EXT;
        out.flags2 |= (uint32_t)(flags >> 32);
    }
    memcpy(reply + sizeof(header), &out, sizeof(out));
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
        fuse_session_exit(mount->session); /* unmounted meanwhile */
}
