/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/launch.h"

#include "base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOCKET_ROOM = 1 << 20, COMPILE_ONLY_NICE = 10 };

/*
 * Variables of the daemon's environment that the worker keeps: where libraries and drivers are, and
 * options of sanitizers. Pictures must not depend on other variables. TSAN_OPTIONS is left out:
 * ThreadSanitizer ends a process that cannot open the log which these options name, and a confined
 * process cannot.
 */
static const char *const kept[] = {
    "PATH",
    "LD_LIBRARY_PATH",
    "LIBGL_DRIVERS_PATH",
    "__EGL_VENDOR_LIBRARY_DIRS",
    "__EGL_VENDOR_LIBRARY_FILENAMES",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "LSAN_OPTIONS",
};

/*
 * Variables that the worker is given: the same renderer on every machine, and large pages from the
 * C library, with which llvmpipe takes some 5 % less time. Compilers allocate and free a lot, so
 * freed memory that has been cleared once is kept.
 */
#define KEPT_BYTES   "glibc.malloc.trim_threshold=268435456"
#define MAPPED_BYTES "glibc.malloc.mmap_threshold=33554432"
static const char *const given[] = {
    "LIBGL_ALWAYS_SOFTWARE=1",
    "GALLIUM_DRIVER=llvmpipe",
    "EGL_PLATFORM=surfaceless",
    "LC_ALL=C",
    "VKD3D_SHADER_DEBUG=none",
    ("GLIBC_TUNABLES=glibc.malloc.hugetlb=1:" KEPT_BYTES ":" MAPPED_BYTES),
};

/* Mesa's database has two files; one file for each shader could not be handed on. */
static const char *const keeping[] = {
    "MESA_DISK_CACHE_DATABASE=1",
    "MESA_SHADER_CACHE_MAX_SIZE=" LAUNCH_SHADERS_MAX,
};

/* All of these, the shaders' folder, four switches of make_environment(), and the final NULL. */
enum {
    ENVIRONMENT_MAX = sizeof(kept) / sizeof(kept[0]) + sizeof(given) / sizeof(given[0]) +
                      sizeof(keeping) / sizeof(keeping[0]) + 1 + 4 + 1
};

static size_t tell_shaders(const char *folder, char *out[])
{
    size_t count = 0;

    if (folder == NULL) {
        out[count++] = (char *)"MESA_SHADER_CACHE_DISABLE=true";
        return count;
    }
    for (size_t i = 0; i < sizeof(keeping) / sizeof(keeping[0]); i++)
        out[count++] = (char *)keeping[i];
    out[count++] = (char *)folder;
    return count;
}

/* `folder` is a complete entry, or NULL. */
static void make_environment(const struct launch_params *params, const char *folder,
                             char *out[ENVIRONMENT_MAX])
{
    size_t count = tell_shaders(folder, out);

    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
        out[count++] = (char *)given[i];
    /* Read by llvmpipe: machine code without optimisation passes; no rasterization. */
    if (params->fast_compile)
        out[count++] = (char *)"GALLIVM_PERF=nopt";
    if (params->compile_only)
        out[count++] = (char *)(LAUNCH_COMPILE_ONLY "=true");
    if (params->one_thread)
        out[count++] = (char *)(LAUNCH_RASTERIZERS "=0");
    if (params->vulkan)
        out[count++] = (char *)(LAUNCH_VULKAN "=1");
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        size_t length = strlen(kept[i]);

        for (char **entry = environ; *entry != NULL; entry++)
            if (strncmp(*entry, kept[i], length) == 0 && (*entry)[length] == '=') {
                out[count++] = *entry;
                break;
            }
    }
    out[count] = NULL;
}

/* Passes these descriptors and no others; the worker itself closes any others that remain. */
static int place_descriptors(posix_spawn_file_actions_t *actions, const int files[LAUNCH_FILES],
                             const struct launch_params *params)
{
    const bool shaders = params->shaders != NULL;
    int status = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

    if (status == 0)
        status = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(actions, files[LAUNCH_FILE_SAID], 2);
    if (status == 0)
        status =
            posix_spawn_file_actions_adddup2(actions, files[LAUNCH_FILE_SOCKET], LAUNCH_SOCKET);
    if (status == 0)
        status = posix_spawn_file_actions_adddup2(actions, files[LAUNCH_FILE_BREADCRUMB],
                                                  LAUNCH_BREADCRUMB);
    for (int i = 0; status == 0 && shaders && i < LAUNCH_SHADER_FILES; i++)
        status = posix_spawn_file_actions_adddup2(actions, files[LAUNCH_FILE_SHADERS + i],
                                                  LAUNCH_SHADERS + i);
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
    if (status == 0 && !params->program_is_open)
        status = posix_spawn_file_actions_addclosefrom_np(actions, shaders ? LAUNCH_DESCRIPTORS
                                                                           : LAUNCH_SHADERS);
#endif
    return -status;
}

/*
 * Gives the process its own group, which Ctrl-C in a terminal does not reach, and default signals.
 */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    int status;

    sigemptyset(&none);
    sigfillset(&all);
    status = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                      POSIX_SPAWN_SETSIGDEF);
    if (status == 0)
        status = posix_spawnattr_setpgroup(attributes, 0);
    if (status == 0)
        status = posix_spawnattr_setsigmask(attributes, &none);
    if (status == 0)
        status = posix_spawnattr_setsigdefault(attributes, &all);
    return -status;
}

int launch_spawn(const struct launch_params *params, const int files[LAUNCH_FILES], pid_t *pid)
{
    char limit[24], *folder = NULL, *environment[ENVIRONMENT_MAX];
    char *arguments[] = {(char *)params->program, limit, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int status = -ENOMEM;

    snprintf(limit, sizeof(limit), "%llu", (unsigned long long)params->memory_limit);
    if (params->shaders != NULL &&
        asprintf(&folder, LAUNCH_SHADERS_FOLDER "=%s", params->folder) < 0)
        return status;
    make_environment(params, folder, environment);
    if (posix_spawn_file_actions_init(&actions) != 0)
        goto no_actions;
    if (posix_spawnattr_init(&attributes) != 0)
        goto no_attributes;
    status = place_descriptors(&actions, files, params);
    if (status == 0)
        status = set_attributes(&attributes);
    if (status == 0)
        status = -posix_spawn(pid, params->program, &actions, &attributes, arguments, environment);
    /*
     * A process that compiles ahead uses what others leave; its threads, not yet made, inherit
     * this.
     */
    if (status == 0 && params->compile_only)
        (void)setpriority(PRIO_PROCESS, (id_t)*pid, COMPILE_ONLY_NICE);
    posix_spawnattr_destroy(&attributes);
no_attributes:
    posix_spawn_file_actions_destroy(&actions);
no_actions:
    free(folder);
    return status;
}

/* The launcher knows the program and its folder of links; limits and descriptors are sent. */
static int ask_launcher(const struct launch_params *params, const int files[LAUNCH_FILES],
                        pid_t *pid)
{
    struct helper_request request;

    helper_fill(&request, HELPER_START, NULL);
    request.number = params->memory_limit;
    request.flags = (params->fast_compile ? HELPER_FAST_COMPILE : 0) |
                    (params->compile_only ? HELPER_COMPILE_ONLY : 0) |
                    (params->one_thread ? HELPER_ONE_THREAD : 0) |
                    (params->vulkan ? HELPER_VULKAN : 0) |
                    (params->shaders != NULL ? HELPER_SHADERS : 0);
    return helper_ask(HELPER_LAUNCHER, &request, files,
                      params->shaders != NULL ? LAUNCH_FILES : LAUNCH_FILE_SHADERS, pid, NULL);
}

static int spawn(const struct launch_params *params, int socket, int breadcrumb, int said,
                 pid_t *pid)
{
    int files[LAUNCH_FILES] = {[LAUNCH_FILE_SOCKET] = socket,
                               [LAUNCH_FILE_BREADCRUMB] = breadcrumb,
                               [LAUNCH_FILE_SAID] = said};

    if (params->shaders != NULL)
        memcpy(files + LAUNCH_FILE_SHADERS, params->shaders, sizeof(int) * LAUNCH_SHADER_FILES);
    return helper_is_there(HELPER_LAUNCHER) ? ask_launcher(params, files, pid)
                                            : launch_spawn(params, files, pid);
}

int launch_lift(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, LAUNCH_DESCRIPTORS);

    if (fd >= 0)
        close(fd);
    return high;
}

/* The page is sealed: if the process could shrink it, the daemon would crash reading it. */
static int make_breadcrumb(int *fd, struct breadcrumb **breadcrumb)
{
    void *page;

    *fd = launch_lift(memfd_create("gpudumpfs-breadcrumb", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (*fd < 0 || ftruncate(*fd, sizeof(**breadcrumb)) < 0 ||
        fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
        return -errno;
    page = mmap(NULL, sizeof(**breadcrumb), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (page == MAP_FAILED)
        return -errno;
    *breadcrumb = page;
    return 0;
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

int launch_start(const struct launch_params *params, struct launch *out)
{
    int pair[2] = {-1, -1}, breadcrumb = -1, said = -1, room = SOCKET_ROOM;
    struct launch launch = {.pid = 0};
    int status;

    status = make_breadcrumb(&breadcrumb, &launch.breadcrumb);
    if (status < 0)
        goto out;
    said = launch_lift(memfd_create("gpudumpfs-said", MFD_CLOEXEC));
    if (said < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
        status = -errno;
        goto out;
    }
    pair[1] = launch_lift(pair[1]);
    if (pair[1] < 0 || fcntl(said, F_SETFL, O_APPEND) < 0) {
        status = -errno;
        goto out;
    }
    /* Best effort: the system may grant less. */
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    status = spawn(params, pair[1], breadcrumb, said, &launch.pid);
    if (status < 0)
        goto out;
    launch.socket = pair[0];
    launch.said = said;
    pair[0] = said = -1;
    *out = launch;
out:
    close_all((const int[]){pair[0], pair[1], breadcrumb, said}, 4);
    if (status < 0 && launch.breadcrumb != NULL)
        munmap(launch.breadcrumb, sizeof(*launch.breadcrumb));
    return status;
}

const struct breadcrumb *launch_view(const struct launch *launch)
{
    void *page = MAP_FAILED;

    /* Given a size of 0, mremap() maps the shared pages a second time. */
    if (launch->pid != 0)
        page = mremap(launch->breadcrumb, 0, sizeof(*launch->breadcrumb), MREMAP_MAYMOVE);
    return page == MAP_FAILED ? NULL : page;
}

void launch_withdraw(struct launch *launch, uint32_t serial)
{
    __atomic_store_n(&launch->breadcrumb->withdrawn, serial, __ATOMIC_RELEASE);
}

static bool is_killed(int ended)
{
    return WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL;
}

/* A process that suffers from something gets a moment to die by itself. */
int launch_reap(pid_t pid, bool killed)
{
    int ended = 0;

    for (int i = 0; !killed && i < 50; i++) {
        pid_t done = waitpid(pid, &ended, WNOHANG);

        if (done == pid)
            return ended;
        if (done < 0 && errno != EINTR)
            return 0;
        usleep(2000);
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, &ended, 0) < 0)
        if (errno != EINTR)
            return 0;
    return killed || !is_killed(ended) ? ended : LAUNCH_STAYED;
}

static int reap(pid_t pid, bool killed)
{
    struct helper_request request;
    int ended = SIGKILL;

    if (!helper_is_there(HELPER_LAUNCHER))
        return launch_reap(pid, killed);
    helper_fill(&request, HELPER_REAP, NULL);
    request.number = (uint64_t)pid;
    request.flags = killed;
    /* If the launcher is gone, its processes were killed with it. */
    return helper_ask(HELPER_LAUNCHER, &request, NULL, 0, &ended, NULL) == 0 ? ended : SIGKILL;
}

/* Copies the last line that the process wrote, made printable; empty if there is none. */
static void last_words(int said, char *line, size_t size)
{
    char tail[512];
    off_t end = lseek(said, 0, SEEK_END);
    off_t from = end > (off_t)sizeof(tail) - 1 ? end - ((off_t)sizeof(tail) - 1) : 0;
    ssize_t got = end <= 0 ? 0 : pread(said, tail, (size_t)(end - from), from);
    char *start;

    line[0] = '\0';
    if (got <= 0)
        return;
    while (got > 0 && (tail[got - 1] == '\n' || tail[got - 1] == '\0'))
        got--;
    tail[got] = '\0';
    start = memrchr(tail, '\n', (size_t)got);
    start = start == NULL ? tail : start + 1;
    for (char *c = start; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    snprintf(line, size, "%.*s", (int)size - 1, start);
}

/* Appends to `reason` how a process ended that was not killed on purpose. */
static void tell_end(int ended, char *reason, size_t size)
{
    size_t length = strlen(reason);

    if (ended == LAUNCH_STAYED)
        snprintf(reason + length, size - length, " (it closed its socket, but did not end)");
    else if (WIFSIGNALED(ended))
        snprintf(reason + length, size - length, " (%s)", strsignal(WTERMSIG(ended)));
    else if (WIFEXITED(ended))
        snprintf(reason + length, size - length, " (exit status %d)", WEXITSTATUS(ended));
}

bool launch_end(struct launch *launch, bool killed, struct breadcrumb *breadcrumb, char *reason,
                size_t size)
{
    int ended = reap(launch->pid, killed);
    size_t length;
    char words[300];

    memcpy(breadcrumb, launch->breadcrumb, sizeof(*breadcrumb));
    last_words(launch->said, words, sizeof(words));
    if (!killed)
        tell_end(ended, reason, size);
    length = strlen(reason);
    if (words[0] != '\0')
        snprintf(reason + length, size - length, ": %s", words);
    munmap(launch->breadcrumb, sizeof(*launch->breadcrumb));
    close(launch->socket);
    close(launch->said);
    *launch = (struct launch){.pid = 0, .socket = -1, .said = -1};
    return !killed && ended != LAUNCH_STAYED && is_killed(ended);
}
