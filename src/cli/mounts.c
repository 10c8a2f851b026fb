/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/mounts.h"

#include "base/array.h"
#include "base/log.h"
#include "cli/mountpoint.h"
#include "tree/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { FORMAT_MAX = 32, FORMAT_MS = 2000, END_MS = 5000, BUSY_MS = 500, BUSY_STEP_MS = 10 };

/* Reading. */

static int add(struct mounts *mounts, const struct mount_line *line)
{
    if (ARRAY_GROW(mounts->entries, mounts->count, mounts->room) != 0)
        return -ENOMEM;
    mounts->entries[mounts->count++] = *line;
    return 0;
}

int mounts_read(FILE *file, struct mounts *out)
{
    struct mount_line line;
    int status;

    *out = (struct mounts){.count = 0};
    while ((status = mount_table_next(file, &line)) == 1) {
        bool ours = mount_line_is_ours(&line);

        status = ours ? add(out, &line) : 0;
        if (!ours || status != 0)
            mount_line_clear(&line);
        if (status != 0)
            break;
    }
    return status;
}

int mounts_find(const char *place, unsigned *connection)
{
    FILE *table = mount_table_open();
    struct mount_line line;
    int found = -EINVAL;

    if (table == NULL)
        return -errno;
    while (mount_table_next(table, &line) == 1) {
        if (strcmp(line.place, place) == 0) {
            found = mount_line_is_fuse(&line) ? 0 : -EINVAL;
            *connection = line.connection;
        }
        mount_line_clear(&line);
    }
    fclose(table);
    return found;
}

void mounts_clear(struct mounts *mounts)
{
    for (size_t i = 0; i < mounts->count; i++)
        mount_line_clear(&mounts->entries[i]);
    free(mounts->entries);
    *mounts = (struct mounts){.count = 0};
}

static int read_own(struct mounts *out)
{
    FILE *file = mount_table_open();
    int status = -errno;

    *out = (struct mounts){.count = 0};
    if (file != NULL) {
        status = mounts_read(file, out);
        fclose(file);
    }
    if (status < 0)
        log_write(LOG_ERR, "/proc/self/mountinfo: %s", strerror(-status));
    return status;
}

/* The table of mounts. */

/* The child that does nothing but ask the mount; it leaves our output alone. */
_Noreturn static void ask_format(const char *place, int answer)
{
    char format[FORMAT_MAX];
    ssize_t length;

    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    length = getxattr(place, TREE_XATTR_PREFIX "format", format, sizeof(format));
    if (length > 0)
        (void)!write(answer, format, (size_t)length);
    _exit(0);
}

/*
 * Reads the format from the mount, in a child process: if the mount's program is stopped, there is
 * no answer, and a process that waits for one may be impossible to kill.
 */
static void add_format(const char *place, struct text *text)
{
    struct pollfd answer = {.fd = -1, .events = POLLIN};
    char format[FORMAT_MAX];
    ssize_t length = 0;
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        text_fail(text, -errno);
        return;
    }
    child = fork();
    if (child == 0)
        ask_format(place, ends[1]);
    close(ends[1]);
    answer.fd = ends[0];
    if (child > 0 && poll(&answer, 1, FORMAT_MS) > 0)
        length = read(ends[0], format, sizeof(format));
    close(ends[0]);
    if (length > 0)
        text_add_escaped(text, format, (size_t)length);
    else
        text_add_char(text, '-');
    if (child > 0 && kill(child, SIGKILL) == 0)
        (void)waitpid(child, NULL, length > 0 ? 0 : WNOHANG);
}

static void add_process(const struct mount_line *entry, struct text *text)
{
    char found[NAME_MAX + 1];

    mount_line_process(entry, found);
    text_add(text, found);
}

enum program_status mounts_print(void)
{
    struct text text = TEXT_INIT;
    struct mounts mounts;
    int status = read_own(&mounts);

    text_add(&text, "mountpoint\tdump\tformat\tpid\n");
    for (size_t i = 0; i < mounts.count; i++) {
        const struct mount_line *entry = &mounts.entries[i];

        text_add_escaped(&text, entry->place, strlen(entry->place));
        text_add_char(&text, '\t');
        text_add_escaped(&text, entry->dump, strlen(entry->dump));
        text_add_char(&text, '\t');
        add_format(entry->place, &text);
        text_add_char(&text, '\t');
        add_process(entry, &text);
        text_add_char(&text, '\n');
    }
    if (status != 0 || text_status(&text) != 0) {
        status = -EIO;
    } else if (fwrite(text.bytes, 1, text.length, stdout) != text.length || fflush(stdout) != 0) {
        status = -errno;
        log_write(LOG_ERR, "standard output: %s", strerror(errno));
    }
    text_clear(&text);
    mounts_clear(&mounts);
    return status == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

/* Unmounting. */

static int run_fusermount(const char *place, bool quiet)
{
    const char *const arguments[] = {"fusermount3", quiet ? "-uq" : "-u", "--", place, NULL};
    int ended = 0, status;
    pid_t child;

    status = posix_spawnp(&child, arguments[0], NULL, NULL, (char *const *)arguments, environ);
    if (status != 0)
        return -status;
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? 0 : -EPERM;
}

int mounts_take_away(const char *place, bool quiet)
{
    if (umount2(place, UMOUNT_NOFOLLOW) == 0)
        return 0;
    return errno == EPERM ? run_fusermount(place, quiet) : -errno;
}

/* Returns the absolute path of a name, even for a dead mount, where realpath() fails. */
static char *resolve(const char *name)
{
    char *path = realpath(name, NULL);

    if (path == NULL && *name != '\0')
        (void)mountpoint_resolve_missing(name, &path);
    return path;
}

/* Returns a pidfd of the process that serves a mount; -1 if it is not known. */
static int open_process(const struct mount_line *entry)
{
    char found[NAME_MAX + 1];

    mount_line_process(entry, found);
    return found[0] == '-' ? -1 : (int)syscall(SYS_pidfd_open, (pid_t)atoi(found), 0);
}

/*
 * Waits until the process has ended, but at most END_MS. It still has to remove a mountpoint that
 * it made, which the next mount would take for the user's own.
 */
static void wait_for_end(int process)
{
    struct pollfd end = {.fd = process, .events = POLLIN};

    if (process >= 0)
        (void)poll(&end, 1, END_MS);
}

/*
 * Unmounts, and tries again for a while: a program that looks at every mount (--list, lsof) makes
 * each one busy for a moment.
 */
static int take_away_unused(const char *place)
{
    int status = mounts_take_away(place, true);

    for (int waited = 0; status != 0 && status != -EINVAL && waited < BUSY_MS;
         waited += BUSY_STEP_MS) {
        (void)poll(NULL, 0, BUSY_STEP_MS);
        status = mounts_take_away(place, true);
    }
    return status == 0 || status == -EINVAL ? status : mounts_take_away(place, false);
}

static bool take_away(const struct mount_line *entry)
{
    const char *place = entry->place;
    int process = open_process(entry), status = take_away_unused(place);

    if (status == 0)
        wait_for_end(process);
    if (process >= 0)
        close(process);
    if (status == 0)
        return true;
    if (status == -EBUSY)
        log_write(LOG_ERR,
                  "%s: in use: a file in it is open, or it is the current folder of a program",
                  place);
    else
        log_write(LOG_ERR, "%s: cannot be unmounted: %s", place, strerror(-status));
    return false;
}

/*
 * Unmounts the mount or mounts that a name means, the last mount first, since one may cover
 * another.
 */
static bool unmount(const struct mounts *mounts, const char *name)
{
    char *path = resolve(name);
    bool found = false, done = true;

    for (size_t i = mounts->count; i-- > 0;) {
        const struct mount_line *entry = &mounts->entries[i];

        if (strcmp(entry->dump, name) != 0 &&
            (path == NULL || (strcmp(entry->place, path) != 0 && strcmp(entry->dump, path) != 0)))
            continue;
        found = true;
        done = take_away(entry) && done;
    }
    if (!found)
        log_write(LOG_ERR, "%s: it is neither a mountpoint of gpudumpfs nor a mounted dump", name);
    free(path);
    return found && done;
}

enum program_status mounts_unmount(char **names, int count)
{
    enum program_status result = PROGRAM_OK;

    for (int i = 0; i < count; i++) {
        struct mounts mounts; /* as left by the names before */

        if (read_own(&mounts) != 0 || !unmount(&mounts, names[i]))
            result = PROGRAM_MOUNTPOINT;
        mounts_clear(&mounts);
    }
    return result;
}
