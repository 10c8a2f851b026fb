/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/gpudump.h"

#include "base/descriptors.h"
#include "base/file_write.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "cli/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SECONDS = 1800, /* seconds: the minimum of the time limit of a command */
    /*
     * If the user sets the time limit of a file (-o max-seconds), a command has this many times as
     * much, if that is more than SECONDS.
     */
    FILES = 130,
    PIECE = 1 << 16 /* bytes copied at a time */
};

void confined_init(struct confined *confined)
{
    *confined = (struct confined){.result = -1, .stream = -1};
}

/* The child. */

/*
 * Grants the dump to the keeper, and opens it if it is a stream. All descriptors must still be
 * open, since the dump's name may be that of a descriptor.
 */
static enum program_status find_dump(struct gpudump *gpudump)
{
    struct program *program = &gpudump->program;
    struct confined *confined = &gpudump->confined;
    const char *dump = gpudump->dumps[0];
    int status = helper_roles_grant_dump(&confined->roles, dump, program->is_folder);

    if (status == 0)
        return program_open_stream(program, dump, &confined->stream);
    log_write(LOG_ERR, "%s: %s", dump, strerror(-status));
    return PROGRAM_OPEN;
}

/* Opens another file in place of a standard descriptor. Returns 0 or -errno. */
static int open_instead(const char *path, int flags, int standard)
{
    int file = open(path, flags | O_CLOEXEC);
    int status = file < 0 || dup2(file, standard) < 0 ? -errno : 0;

    if (file >= 0)
        close(file);
    return status;
}

/*
 * After this, nothing that the program was started with can be read or written, except standard
 * error, which gets messages. A dump may be named by a descriptor's path: standard input stays open
 * as a place only (O_PATH). The other descriptors that stay open were opened while the original
 * ones were open, so their numbers are different, and no such path leads to another file.
 */
static enum program_status leave_descriptors(const struct confined *confined)
{
    const int kept[] = {confined->result, confined->stream, memory_limit_open()};
    int status = open_instead("/proc/self/fd/0", O_PATH, STDIN_FILENO);

    if (status != 0)
        status = open_instead("/dev/null", O_RDONLY, STDIN_FILENO);
    if (status == 0)
        status = open_instead("/dev/null", O_WRONLY, STDOUT_FILENO);
    if (status != 0) {
        log_write(LOG_ERR, "/dev/null: %s", strerror(-status));
        return PROGRAM_OPEN;
    }
    descriptors_close_others(STDERR_FILENO + 1, kept, sizeof(kept) / sizeof(kept[0]));
    return PROGRAM_OK;
}

/* After this, no process with more rights than it needs reads a byte of a dump. */
static enum program_status confine(struct gpudump *gpudump)
{
    struct program *program = &gpudump->program;
    struct confined *confined = &gpudump->confined;
    uint64_t max_expand = program->options.max_expand;
    struct confine_params params = {.file_max = max_expand != 0 ? max_expand : SOURCE_MAX_STREAM,
                                    .device = -1};
    enum program_status status;

    (void)confine_find_user(NULL, &params.user); /* cannot fail without a name */
    confined->roles.user = params.user;
    status = find_dump(gpudump);
    if (status == PROGRAM_OK)
        status = leave_descriptors(confined);
    if (status == PROGRAM_OK)
        status = helper_roles_start(&confined->roles, &program->options);
    if (status == PROGRAM_OK)
        confine_process(&params);
    child_follow_parent(&confined->child);
    return status;
}

int confined_write(struct gpudump *gpudump, const char *path, const struct blob *blob)
{
    const struct confined *confined = &gpudump->confined;

    if (contents_is_file_of_dump(gpudump->program.tree, &confined->place))
        return contents_refuse(path, "dump");
    return file_write_all(confined->result, blob->data, blob->size);
}

/* The parent. */

enum program_status confined_begin(struct gpudump *gpudump, const char *writes, bool *child)
{
    struct confined *confined = &gpudump->confined;
    int status;

    *child = false;
    (void)contents_find(writes, &confined->place);
    confined->result = memfd_create("gpudump", MFD_CLOEXEC);
    status = confined->result >= 0 ? child_fork(&confined->child) : -errno;
    if (status < 0) {
        log_write(LOG_ERR, "the process that reads the dump cannot be started: %s",
                  strerror(-status));
        return PROGRAM_OPEN;
    }
    *child = confined->child.process == 0;
    return *child ? confine(gpudump) : PROGRAM_OK;
}

/*
 * Returns the time limit in seconds; 0: none, for a stream, whose producer may take any time, or if
 * the user allows any time for a file.
 */
static unsigned time_limit(const struct gpudump *gpudump)
{
    const struct options *options = &gpudump->program.options.common;
    unsigned file = options->max_seconds;

    if (file == 0 || program_is_stream(&gpudump->program, gpudump->dumps[0]))
        return 0;
    return file != OPTIONS_BY_DUMP && file > SECONDS / FILES ? file * FILES : SECONDS;
}

/* Copies the first `size` bytes of a file. Returns 0 or -errno. */
static int copy(int from, int to, off_t size)
{
    char piece[PIECE];
    int status = 0;

    for (off_t at = 0; status == 0 && at < size;) {
        off_t left = size - at;
        ssize_t got = pread(from, piece, left < PIECE ? (size_t)left : PIECE, at);

        if (got <= 0)
            return got < 0 ? -errno : -EIO;
        status = file_write_all(to, piece, (size_t)got);
        at += got;
    }
    return status;
}

static int write_result(const struct confined *confined, const char *path, uint64_t max)
{
    struct stat result;
    int to, status;

    if (fstat(confined->result, &result) != 0)
        return -errno;
    if (result.st_size == 0)
        return -EIO;
    if ((uint64_t)result.st_size > max)
        return -EFBIG;
    to = contents_create(NULL, path);
    if (to < 0)
        return to;
    status = copy(confined->result, to, result.st_size);
    if (close(to) != 0 && status == 0)
        status = -errno;
    return status;
}

enum program_status confined_finish(struct gpudump *gpudump, const char *path, uint64_t max)
{
    int ended = child_wait(&gpudump->confined.child, time_limit(gpudump), gpudump->dumps[0]);
    int status;

    if (ended != 0)
        return ended > 0 ? (enum program_status)ended : PROGRAM_USAGE;
    status = write_result(&gpudump->confined, path, max);
    if (status != 0)
        contents_tell(gpudump, path, status);
    return gpudump_outcome(gpudump);
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void confined_end(struct confined *confined)
{
    helpers_end();
    helper_roles_clear(&confined->roles);
    close_file(&confined->stream);
    close_file(&confined->result);
}
