/* SPDX-License-Identifier: MIT */
/*
 * The confinement has two steps. At the start, drivers and compilers still have to be loaded: the
 * process keeps a list of system calls that loading and computing need, and may read the files that
 * loading reads. Once the driver is up, which is before any byte of a dump is looked at, no file
 * can be opened any more. Calls that are not on the list fail with EPERM instead of killing the
 * process, since libraries try calls that they can do without.
 */
#include "config.h"

#include "glworker/core/confine.h"

#include "base/descriptors.h"
#include "base/landlock.h"
#include "base/memory_limit.h"
#include "base/privileges.h"
#include "base/syscall_filter.h"
#include "base/thread.h"
#include "glworker/core/breadcrumb_page.h"
#include "worker/launch.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Bytes for compiled code, threads, reading a trace and drawing a scene. */
#define OWN_MEMORY (UINT64_C(1536) << 20)
enum { SAID_MAX = 64 * 1024, SECONDS_OF_A_CALL = 60, LOOK_MS = 10 };

static unsigned layers;
static bool has_shaders;          /* at descriptors from LAUNCH_SHADERS on */
static int statm = -1, wake = -1; /* file with the memory held; eventfd that wakes watch() */
static atomic_bool busy;

static int limit(int what, rlim_t soft, rlim_t hard)
{
    const struct rlimit both = {.rlim_cur = soft, .rlim_max = hard};

    return setrlimit(what, &both);
}

static void set_limits(uint64_t memory_limit, bool shaders)
{
    rlim_t memory = memory_limit != 0 ? memory_limit : LAUNCH_MEMORY;
    rlim_t max = shaders ? SHADER_DISK_CACHE_FILE_MAX : SAID_MAX;
    int status = limit(RLIMIT_CORE, 0, 0) | limit(RLIMIT_FSIZE, max, max);

    /* A write beyond the limit fails instead of killing the process. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
#ifdef SANITIZED
    (void)memory; /* a sanitizer reserves terabytes of address space */
#else
    status |= limit(RLIMIT_AS, memory, memory);
#endif
    if (status == 0)
        layers |= CONFINE_LIMITS;
}

void confine_memory(uint64_t objects)
{
#ifdef SANITIZED
    (void)objects;
#else
    struct rlimit both;

    if (getrlimit(RLIMIT_DATA, &both) < 0)
        return;
    both.rlim_cur = OWN_MEMORY + objects < both.rlim_max ? OWN_MEMORY + objects : both.rlim_max;
    setrlimit(RLIMIT_DATA, &both);
#endif
}

void confine_time(void)
{
    struct rusage used;

    /*
     * The daemon's own time limit expires first; this one is for a process that no daemon waits
     * for.
     */
    if (getrusage(RUSAGE_SELF, &used) == 0)
        limit(RLIMIT_CPU,
              (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + SECONDS_OF_A_CALL,
              RLIM_INFINITY);
}

/*
 * Moves the process to a network namespace and System V objects of its own, if the user may have a
 * user namespace. Mounts stay shared with the daemon: a copy of them would keep a dump's mount busy
 * when it is unmounted. Returns 0 or -errno.
 */
static int leave_namespaces(void)
{
    return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) < 0 ? -errno : 0;
}

/*
 * Paths of libraries, of drivers and of their configuration. A path that does not exist does no
 * harm.
 */
static const char *const readable[] = {
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
    "/run/opengl-driver",
    "/app/lib",
    "/etc/ld.so.cache",
    "/etc/drirc",
    "/etc/glvnd",
    "/usr/share/drirc.d",
    "/usr/share/glvnd",
    "/usr/local/share/drirc.d",
    "/usr/local/share/glvnd",
    "/dev/null",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
};

/* Environment variables with lists of paths, separated by colons. */
static const char *const told[] = {
    "LD_LIBRARY_PATH",           "LIBGL_DRIVERS_PATH",
    "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES",
    LAUNCH_SHADERS_FOLDER,
};

static void allow(const struct landlock_rules *rules, const char *path)
{
    if (path[0] == '/' && path[1] != '\0')
        (void)landlock_allow(rules, path, LANDLOCK_READ | LANDLOCK_LIST);
}

static void allow_told(const struct landlock_rules *rules, const char *variable)
{
    const char *value = getenv(variable);
    char *list = value == NULL ? NULL : strdup(value), *next = list, *path;

    while ((path = strsep(&next, ":")) != NULL)
        allow(rules, path);
    free(list);
}

/* Allows the folder of a library that is already loaded: it may contain others. */
static int allow_loaded(struct dl_phdr_info *library, size_t size, void *rules)
{
    char folder[PATH_MAX], *slash;

    (void)size;
    snprintf(folder, sizeof(folder), "%s", library->dlpi_name);
    slash = strrchr(folder, '/');
    if (slash != NULL && slash != folder) {
        *slash = '\0';
        allow(rules, folder);
    }
    return 0;
}

/* Allows the folders of libraries that this machine has configured beside the usual ones. */
static void allow_configured(const struct landlock_rules *rules)
{
    static const char folder[] = "/etc/ld.so.conf.d";
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[sizeof(folder) + NAME_MAX + 2], line[PATH_MAX];
        FILE *file;

        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        file = strstr(entry->d_name, ".conf") == NULL ? NULL : fopen(path, "re");
        while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
            line[strcspn(line, " \t\n#")] = '\0';
            allow(rules, line);
        }
        if (file != NULL)
            fclose(file);
    }
    if (entries != NULL)
        closedir(entries);
}

/*
 * Allows only the files that drivers consist of to be read, and denies everything else that the
 * kernel's Landlock can deny. Returns 0 or -errno.
 */
static int restrict_files(void)
{
    struct landlock_rules rules;
    int status = landlock_open(&rules, LANDLOCK_NETWORK | LANDLOCK_SOCKETS | LANDLOCK_SIGNALS);

    if (status < 0)
        return status;
    for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++)
        allow(&rules, readable[i]);
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        allow_told(&rules, told[i]);
    allow_configured(&rules);
    dl_iterate_phdr(allow_loaded, &rules);
    return landlock_restrict(&rules);
}

#ifdef SYSCALL_FILTER_ARCHITECTURE
/* System calls that are allowed only while drivers are loaded. */
static const long loading[] = {
    SYS_openat,
    SYS_newfstatat,
    SYS_statx,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_fcntl,
    SYS_seccomp,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_get_priority_min,
    SYS_sched_get_priority_max,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_open
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
#endif
};

/* System calls that are allowed for good. */
static const long allowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_lseek,
    SYS_flock,
    SYS_ftruncate,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_ppoll,
    SYS_sendto,
    SYS_recvfrom,
    SYS_exit,
    SYS_exit_group,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_getrandom,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_prctl,
    SYS_membarrier,
    SYS_restart_syscall,
    SYS_uname,
    SYS_sysinfo,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
};

static int allow_calls(bool files)
{
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_threads(&filter);
    syscall_filter_add_all(&filter, allowed, sizeof(allowed) / sizeof(allowed[0]),
                           SYSCALL_FILTER_ALLOW);
    if (files)
        syscall_filter_add_all(&filter, loading, sizeof(loading) / sizeof(loading[0]),
                               SYSCALL_FILTER_ALLOW);
    return syscall_filter_install(&filter, SYSCALL_FILTER_REFUSE(EPERM));
}
#else
static int allow_calls(bool files)
{
    (void)files;
    return -ENOSYS;
}
#endif

unsigned confine_start(uint64_t memory_limit, bool shaders)
{
    descriptors_close(shaders ? LAUNCH_DESCRIPTORS : LAUNCH_SHADERS, ~0U);
    has_shaders = shaders;
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (void)!chdir("/");
    set_limits(memory_limit, shaders);
    if (leave_namespaces() == 0)
        layers |= CONFINE_NAMESPACES;
    if (privileges_drop() < 0)
        return layers;
    layers |= CONFINE_PRIVILEGES;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (restrict_files() == 0)
        layers |= CONFINE_FILES;
    /* After Landlock, whose own calls are on no list. */
    if (allow_calls(true) == 0)
        layers |= CONFINE_LOADING;
    return layers;
}

int confine_finish(void)
{
    int status;

    /* The driver has opened its files by now. */
    if (has_shaders)
        descriptors_close(LAUNCH_SHADERS, LAUNCH_DESCRIPTORS - 1);
    has_shaders = false;
    status = allow_calls(false);
    if (status == 0)
        layers |= CONFINE_SYSTEM_CALLS;
    return (layers & CONFINE_LOADING) != 0 ? status : 0;
}

unsigned confine_layers(void)
{
    return layers;
}

/*
 * Ends the process if it holds too much memory, before a driver that runs out of it dies in some
 * other way.
 */
static void look_at_memory(void)
{
    if (breadcrumb_tell_memory(memory_limit_read(statm)))
        _exit(EXIT_FAILURE);
}

static void *watch(void *context)
{
    enum { SOCKET, WAKE, FILES };
    struct pollfd files[FILES] = {[SOCKET] = {.fd = (int)(intptr_t)context, .events = 0},
                                  [WAKE] = {.fd = wake, .events = POLLIN}};
    uint64_t times;

    while ((files[SOCKET].revents & (POLLHUP | POLLERR)) == 0) {
        poll(files, FILES, atomic_load(&busy) ? LOOK_MS : -1);
        if ((files[WAKE].revents & POLLIN) != 0)
            (void)!read(wake, &times, sizeof(times));
        if (atomic_load(&busy))
            look_at_memory();
    }
    _exit(0);
}

void confine_be_busy(bool now)
{
    const uint64_t once = 1;

    atomic_store(&busy, now);
    if (now)
        (void)!write(wake, &once, sizeof(once));
    else
        look_at_memory();
}

int confine_watch(int socket)
{
    pthread_t thread;
    int status = thread_start(&thread, watch, (void *)(intptr_t)socket);

    if (status == 0)
        pthread_detach(thread);
    return status;
}
