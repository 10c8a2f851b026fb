/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/mounts.h"

#include "base/log.h"
#include "cli/mountpoint.h"
#include "tree/tree.h"

#include <dirent.h>
#include <errno.h>
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

static const char type[] = "fuse.gpudumpfs";

/* Reading. */

static bool is_octal(const char *digits)
{
    return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
           digits[2] >= '0' && digits[2] <= '7';
}

/* \NNN of blanks, tabs, ends of lines and backslashes becomes what it stands for. */
static char *decode(const char *word)
{
    char *name = strdup(word), *to = name;

    if (name == NULL)
        return NULL;
    for (; *word != '\0'; to++) {
        bool escaped = word[0] == '\\' && is_octal(word + 1);

        *to =
            escaped ? (char)((word[1] - '0') << 6 | (word[2] - '0') << 3 | (word[3] - '0')) : *word;
        word += escaped ? 4 : 1;
    }
    *to = '\0';
    return name;
}

/* Whether a process has the device of a connection open; kernels before 6.16 do not tell. */
static bool holds(const char *process, unsigned connection)
{
    char path[PATH_MAX], line[128];
    const struct dirent *entry;
    unsigned number;
    bool found = false;
    DIR *folder;

    snprintf(path, sizeof(path), "/proc/%s/fdinfo", process);
    folder = opendir(path);
    while (folder != NULL && !found && (entry = readdir(folder)) != NULL) {
        FILE *file;

        snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", process, entry->d_name);
        file = entry->d_name[0] != '.' ? fopen(path, "re") : NULL;
        while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL)
            found = sscanf(line, "fuse_connection: %u", &number) == 1 && number == connection;
        if (file != NULL)
            fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

/* Whether it is the program; `told`: with that mountpoint as one of its words. */
static bool is_program(const char *process, const char *place, bool *told)
{
    char path[PATH_MAX], *word = NULL;
    size_t room = 0, number = 0;
    bool ours = false;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%s/cmdline", process);
    file = fopen(path, "re");
    *told = false;
    for (; file != NULL && getdelim(&word, &room, '\0', file) >= 0; number++) {
        const char *slash = strrchr(word, '/');

        if (number == 0)
            ours = strcmp(slash != NULL ? slash + 1 : word, "gpudumpfs") == 0;
        *told = *told || (number > 0 && strcmp(word, place) == 0);
    }
    free(word);
    if (file != NULL)
        fclose(file);
    return ours;
}

static bool is_number(const char *name)
{
    return name[0] >= '1' && name[0] <= '9';
}

/* Whether a process of the program serves it, under another name (-o subtype=). */
static bool is_served(const struct mounts_entry *entry)
{
    DIR *folder = opendir("/proc");
    const struct dirent *process;
    bool served = false, told = false;

    while (folder != NULL && !served && (process = readdir(folder)) != NULL)
        served = is_number(process->d_name) && is_program(process->d_name, entry->place, &told) &&
                 (told || holds(process->d_name, entry->connection));
    if (folder != NULL)
        closedir(folder);
    return served;
}

/* Of the program's own type, or any of FUSE that it serves. */
static bool is_ours(const char *own_type, const struct mounts_entry *entry)
{
    if (strcmp(own_type, type) == 0)
        return true;
    return strncmp(own_type, "fuse", 4) == 0 && (own_type[4] == '\0' || own_type[4] == '.') &&
           is_served(entry);
}

/*
 * id parent MAJOR:MINOR root PLACE options [optional …] - TYPE DUMP super-options. 1: a mount;
 * 0: no such line; -ENOMEM.
 */
static int parse(char *line, struct mounts_entry *out, bool *ours)
{
    enum { DEVICE = 2, PLACE = 4, FIRST_OPTIONAL = 6 };
    char *rest = NULL, *word = strtok_r(line, " \n", &rest), *place = NULL, *own_type;
    unsigned field = 0;
    char end;

    *out = (struct mounts_entry){.place = NULL};
    for (; word != NULL && (field < FIRST_OPTIONAL || strcmp(word, "-") != 0); field++) {
        if (field == DEVICE && sscanf(word, "%*u:%u%c", &out->connection, &end) != 1)
            return 0;
        if (field == PLACE)
            place = word;
        word = strtok_r(NULL, " \n", &rest);
    }
    if (word == NULL || (word = strtok_r(NULL, " \n", &rest)) == NULL)
        return 0;
    own_type = word;
    if ((word = strtok_r(NULL, " \n", &rest)) == NULL)
        return 0;
    out->place = decode(place);
    out->dump = decode(word);
    if (out->place == NULL || out->dump == NULL)
        return -ENOMEM;
    *ours = is_ours(own_type, out);
    return 1;
}

static void clear_entry(struct mounts_entry *entry)
{
    free(entry->place);
    free(entry->dump);
}

static int add(struct mounts *mounts, const struct mounts_entry *entry)
{
    struct mounts_entry *moved =
        reallocarray(mounts->entries, mounts->count + 1, sizeof(*mounts->entries));

    if (moved == NULL)
        return -ENOMEM;
    mounts->entries = moved;
    moved[mounts->count++] = *entry;
    return 0;
}

int mounts_read(FILE *file, struct mounts *out)
{
    struct mounts_entry entry;
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    *out = (struct mounts){.count = 0};
    while (status == 0 && getline(&line, &room, file) >= 0) {
        bool ours = false;

        status = parse(line, &entry, &ours);
        if (status != 1 || !ours || (status = add(out, &entry)) != 0)
            clear_entry(&entry);
        status = status < 0 ? status : 0;
    }
    free(line);
    return status;
}

int mounts_find(const char *place, unsigned *connection)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    struct mounts_entry entry;
    char *line = NULL;
    size_t room = 0;
    int found = -EINVAL;

    if (file == NULL)
        return -errno;
    while (getline(&line, &room, file) >= 0) {
        bool ours = false;

        if (parse(line, &entry, &ours) == 1 && strcmp(entry.place, place) == 0) {
            found = ours ? 0 : -EINVAL;
            *connection = entry.connection;
        }
        clear_entry(&entry);
    }
    free(line);
    fclose(file);
    return found;
}

void mounts_clear(struct mounts *mounts)
{
    for (size_t i = 0; i < mounts->count; i++)
        clear_entry(&mounts->entries[i]);
    free(mounts->entries);
    *mounts = (struct mounts){.count = 0};
}

static int read_own(struct mounts *out)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
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

/* What is known of one. */

/* A process that does nothing else, and leaves our output alone. */
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
 * Asked of the mount, by another process: where the mount's program has stopped there is no
 * answer, and the process that waits for one may not even be killed.
 */
static void add_format(const char *place, struct text *text)
{
    struct pollfd answer = {.fd = -1, .events = POLLIN};
    char format[FORMAT_MAX];
    ssize_t length = 0;
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0) {
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

/* The number of the process that serves a mount, or "-". */
static void find_process(const struct mounts_entry *entry, char found[NAME_MAX + 1])
{
    DIR *folder = opendir("/proc");
    const struct dirent *process;

    strcpy(found, "-");

    while (folder != NULL && (process = readdir(folder)) != NULL) {
        bool told;

        if (!is_number(process->d_name))
            continue;
        if (holds(process->d_name, entry->connection)) {
            snprintf(found, NAME_MAX + 1, "%s", process->d_name);
            break;
        }
        if (found[0] == '-' && is_program(process->d_name, entry->place, &told) && told)
            snprintf(found, NAME_MAX + 1, "%s", process->d_name);
    }
    if (folder != NULL)
        closedir(folder);
}

static void add_process(const struct mounts_entry *entry, struct text *text)
{
    char found[NAME_MAX + 1];

    find_process(entry, found);
    text_add(text, found);
}

enum program_status mounts_print(void)
{
    struct text text = TEXT_INIT;
    struct mounts mounts;
    int status = read_own(&mounts);

    text_add(&text, "mountpoint\tdump\tformat\tpid\n");
    for (size_t i = 0; i < mounts.count; i++) {
        const struct mounts_entry *entry = &mounts.entries[i];

        text_add_escaped(&text, entry->place, strlen(entry->place));
        text_add_char(&text, '\t');
        text_add_escaped(&text, entry->dump, strlen(entry->dump));
        text_add_char(&text, '\t');
        add_format(entry->place, &text);
        text_add_char(&text, '\t');
        add_process(entry, &text);
        text_add_char(&text, '\n');
    }
    if (status == 0 && text_status(&text) == 0)
        fwrite(text.bytes, 1, text.length, stdout);
    else
        status = -EIO;
    text_clear(&text);
    mounts_clear(&mounts);
    return status == 0 && fflush(stdout) == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

/* Taking away. */

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

/* The absolute path of a name; also of a mount that has died, of which realpath() fails. */
static char *resolve(const char *name)
{
    char *path = realpath(name, NULL);

    if (path == NULL && *name != '\0')
        (void)mountpoint_resolve_missing(name, &path);
    return path;
}

/* A descriptor of the process that serves a mount; -1: it is not known. */
static int open_process(const struct mounts_entry *entry)
{
    char found[NAME_MAX + 1];

    find_process(entry, found);
    return found[0] == '-' ? -1 : (int)syscall(SYS_pidfd_open, (pid_t)atoi(found), 0);
}

/* It still removes the mountpoint that it made, which the next mount would take for the user's. */
static void wait_for_end(int process)
{
    struct pollfd end = {.fd = process, .events = POLLIN};

    if (process >= 0)
        (void)poll(&end, 1, END_MS);
}

/* A program that looks at every mount (--list, lsof) has each in use for a moment. */
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

static bool take_away(const struct mounts_entry *entry)
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
        log_write(LOG_ERR, "%s: in use: a file in it is open, or it is a program's folder", place);
    else
        log_write(LOG_ERR, "%s: cannot be unmounted: %s", place, strerror(-status));
    return false;
}

/* The last mounted first, since one may cover another. */
static bool unmount(const struct mounts *mounts, const char *name)
{
    char *path = resolve(name);
    bool found = false, done = true;

    for (size_t i = mounts->count; i-- > 0;) {
        const struct mounts_entry *entry = &mounts->entries[i];

        if (strcmp(entry->dump, name) != 0 &&
            (path == NULL || (strcmp(entry->place, path) != 0 && strcmp(entry->dump, path) != 0)))
            continue;
        found = true;
        done = take_away(entry) && done;
    }
    if (!found)
        log_write(LOG_ERR, "%s: no dump is mounted there, nor is it a dump that is mounted", name);
    free(path);
    return found && done;
}

enum program_status mounts_unmount(char **names, int count)
{
    enum program_status result = PROGRAM_OK;

    for (int i = 0; i < count; i++) {
        struct mounts mounts; /* as the names before have left them */

        if (read_own(&mounts) != 0 || !unmount(&mounts, names[i]))
            result = PROGRAM_MOUNTPOINT;
        mounts_clear(&mounts);
    }
    return result;
}
