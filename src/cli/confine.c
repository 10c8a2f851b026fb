/* SPDX-License-Identifier: MIT */
/*
 * The filter allows the system calls for computing, memory, threads, open files, the FUSE device,
 * and messages to the helpers. Others fail with EPERM rather than kill the process, since libraries
 * try calls that they can do without.
 *
 * The helpers' sockets get numbers above the highest that any other descriptor may get from then
 * on, so that no other descriptor can take their place: messages that may have an address can be
 * sent only to them.
 */
#include "config.h"

#include "cli/confine.h"

#include "base/confinement.h"
#include "base/helper.h"
#include "base/landlock.h"
#include "base/privileges.h"
#include "base/syscall_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum {
    UNKNOWN_USER = 65534,  /* `nobody`, on systems that do not know the name */
    FILES_MAX = 4096,      /* limit of descriptors, unless there is a lower one */
    FILE_SLACK = 128 << 20 /* for compiled shaders, and what workers write */
};

/* The user. */

static bool parse_id(const char *name, uid_t *uid)
{
    char *end;
    unsigned long number;

    errno = 0;
    number = strtoul(name, &end, 10);
    *uid = (uid_t)number;
    return name[0] >= '0' && name[0] <= '9' && *end == '\0' && errno == 0 && number < UINT32_MAX;
}

int confine_find_user(const char *name, struct confine_user *out)
{
    const struct passwd *entry;

    *out =
        (struct confine_user){.changes = geteuid() == 0, .uid = UNKNOWN_USER, .gid = UNKNOWN_USER};
    if (name != NULL && geteuid() != 0)
        return -EPERM;
    if (!out->changes)
        return 0;
    if (name != NULL && parse_id(name, &out->uid)) {
        entry = getpwuid(out->uid);
        out->gid = entry != NULL ? entry->pw_gid : (gid_t)out->uid;
        return 0;
    }
    entry = getpwnam(name != NULL ? name : "nobody");
    if (entry == NULL)
        return name != NULL ? -ENOENT : 0;
    out->uid = entry->pw_uid;
    out->gid = entry->pw_gid;
    return 0;
}

int confine_become(const struct confine_user *user)
{
    if (!user->changes)
        return 0;
    /* Fails with EINVAL after the last capability that the kernel knows. */
    for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++)
        ;
    if (setgroups(0, NULL) != 0 || setresgid(user->gid, user->gid, user->gid) != 0 ||
        setresuid(user->uid, user->uid, user->uid) != 0)
        return -errno;
    return 0;
}

static void become(const struct confine_user *user)
{
    int status = confine_become(user);

    if (!user->changes)
        confinement_note(CONFINEMENT_USER, true, "%lu, which mounted", (unsigned long)geteuid());
    else if (status == 0)
        confinement_note(CONFINEMENT_USER, user->uid != 0, "%lu instead of 0",
                         (unsigned long)user->uid);
    else
        confinement_note(CONFINEMENT_USER, false, "%s", strerror(-status));
}

/* Limits. */

static int limit(int what, rlim_t value)
{
    struct rlimit now;

    if (getrlimit(what, &now) != 0)
        return -errno;
    if (now.rlim_max != RLIM_INFINITY && (value == RLIM_INFINITY || now.rlim_max < value))
        value = now.rlim_max;
    now.rlim_cur = now.rlim_max = value;
    return setrlimit(what, &now) == 0 ? 0 : -errno;
}

/* Sets the limits. Returns the first number that no descriptor can get. */
static int set_limits(const struct confine_params *params)
{
    rlim_t file_max =
        params->file_max > INT64_MAX - FILE_SLACK ? RLIM_INFINITY : params->file_max + FILE_SLACK;
    struct rlimit files = {.rlim_cur = FILES_MAX};
    int status, number;

    (void)getrlimit(RLIMIT_NOFILE, &files);
    number = files.rlim_cur > FILES_MAX ? FILES_MAX : (int)files.rlim_cur;
    number -= HELPER_ROLES;
    helper_lift(number);
    signal(SIGXFSZ, SIG_IGN); /* so that writing beyond the limit fails instead */
    status = limit(RLIMIT_CORE, 0);
    if (status == 0)
        status = limit(RLIMIT_FSIZE, file_max);
    if (status == 0)
        status = limit(RLIMIT_NOFILE, (rlim_t)number);
    if (status == 0)
        confinement_note(CONFINEMENT_LIMITS, true, "no core, %d descriptors", number);
    else
        confinement_note(CONFINEMENT_LIMITS, false, "%s", strerror(-status));
    return number;
}

/* Files, network, signals. */

#ifdef SANITIZED
/* A sanitizer reads /proc and libraries, and writes reports. */
static void restrict_files(void)
{
    confinement_note(CONFINEMENT_FILES, false, "built with a sanitizer");
    confinement_note(CONFINEMENT_NETWORK, false, "built with a sanitizer");
    confinement_note(CONFINEMENT_SCOPE, false, "built with a sanitizer");
}
#else
/*
 * Only the keeper opens files. Files below /proc are allowed, since they tell whether a reader is
 * being killed.
 */
static int restrict_paths(int *abi)
{
    struct landlock_rules rules;
    int status = landlock_open(&rules, LANDLOCK_NETWORK | LANDLOCK_SOCKETS | LANDLOCK_SIGNALS);

    *abi = rules.abi;
    if (status < 0)
        return status;
    (void)landlock_allow(&rules, "/proc", LANDLOCK_READ);
    return landlock_restrict(&rules);
}

static void restrict_files(void)
{
    enum { ABI_NETWORK = 4, ABI_SCOPE = 6 };
    int abi = 0, status = restrict_paths(&abi);
    const char *why = status < 0 ? strerror(-status) : "the kernel is too old for it";

    if (status == 0)
        confinement_note(CONFINEMENT_FILES, true, "Landlock %d", abi);
    else
        confinement_note(CONFINEMENT_FILES, false, "%s", why);
    if (status == 0 && abi >= ABI_NETWORK)
        confinement_note(CONFINEMENT_NETWORK, true, "Landlock");
    else
        confinement_note(CONFINEMENT_NETWORK, false, "%s", why);
    if (status == 0 && abi >= ABI_SCOPE)
        confinement_note(CONFINEMENT_SCOPE, true, "Landlock");
    else
        confinement_note(CONFINEMENT_SCOPE, false, "%s", why);
}
#endif

/* System calls. */

#ifdef SYSCALL_FILTER_ARCHITECTURE
static const long allowed[] = {
    /* memory; mmap() and mprotect() without code are below */
    SYS_brk,
    SYS_madvise,
    SYS_mremap,
    SYS_msync,
    SYS_munmap,
    /* open files */
    SYS_close,
    SYS_dup,
    SYS_eventfd2,
    SYS_fadvise64,
    SYS_fallocate,
    SYS_fstat,
    SYS_fstatfs,
    SYS_ftruncate,
    SYS_getdents64,
    SYS_lseek,
    SYS_memfd_create,
    SYS_newfstatat,
    SYS_pipe2,
    SYS_pread64,
    SYS_preadv,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_read,
    SYS_readlinkat,
    SYS_readv,
    SYS_statx,
    SYS_write,
    SYS_writev,
    SYS_splice,
    SYS_vmsplice,
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_inotify_rm_watch,
    /* messages; sendto() without an address, and sendmsg() to helpers are below */
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_setsockopt,
    SYS_shutdown,
    SYS_ppoll,
    SYS_pselect6,
    /* threads and time */
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_get_robust_list,
    SYS_getcpu,
    SYS_gettimeofday,
    SYS_membarrier,
    SYS_nanosleep,
    SYS_restart_syscall,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_yield,
    SYS_set_robust_list,
    SYS_set_tid_address,
    /* signals */
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    /* the process */
    SYS_chdir,
    SYS_getegid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getpgid,
    SYS_getpid,
    SYS_getppid,
    SYS_getrandom,
    SYS_getrusage,
    SYS_getsid,
    SYS_gettid,
    SYS_getuid,
    SYS_setsid,
    SYS_sysinfo,
    SYS_times,
    SYS_umask,
    SYS_uname,
    SYS_wait4,
    SYS_waitid,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_stat
    SYS_stat,
    SYS_lstat,
    SYS_poll,
    SYS_select,
    SYS_readlink,
    SYS_time,
    SYS_getrlimit,
    SYS_arch_prctl,
    SYS_epoll_wait,
#endif
#ifdef SANITIZED /* for reports, and for the tracer of LeakSanitizer */
    SYS_clone,
    SYS_kill,
    SYS_mincore,
    SYS_openat,
    SYS_personality,
    SYS_prctl,
    SYS_process_vm_readv,
    SYS_ptrace,
    SYS_sched_setaffinity,
    SYS_unlinkat,
#ifdef SYS_open
    SYS_access,
    SYS_getdents,
    SYS_open,
    SYS_pipe,
    SYS_unlink,
#endif
#endif
};

/* A call that depends on its arguments. */
struct call {
    long number;
    struct syscall_filter_test tests[2];
    size_t count;
};

static const struct call conditional[] = {
    /* No memory becomes code. */
    {SYS_mmap, {SYSCALL_FILTER_CLEAR(2, PROT_EXEC)}, 1},
    {SYS_mprotect, {SYSCALL_FILTER_CLEAR(2, PROT_EXEC)}, 1},
    /* Only to read, below /proc. */
    {SYS_openat, {SYSCALL_FILTER_CLEAR(2, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)}, 1},
    /* Duplicates, flags, locks and seals, but no signals. */
    {SYS_fcntl, {{1, UINT32_MAX & ~UINT32_C(7), 0}}, 1},
    {SYS_fcntl, {SYSCALL_FILTER_INT(1, F_DUPFD_CLOEXEC)}, 1},
    {SYS_fcntl, {SYSCALL_FILTER_INT(1, F_ADD_SEALS)}, 1},
    {SYS_fcntl, {SYSCALL_FILTER_INT(1, F_GET_SEALS)}, 1},
    {SYS_prctl, {SYSCALL_FILTER_INT(0, PR_SET_PDEATHSIG)}, 1},
    {SYS_prctl, {SYSCALL_FILTER_INT(0, PR_SET_NAME)}, 1},
    {SYS_prctl, {SYSCALL_FILTER_INT(0, PR_GET_NAME)}, 1},
    /* Signal 0: asks whether a reader still exists. */
    {SYS_kill, {SYSCALL_FILTER_INT(1, 0)}, 1},
    /* The width of a terminal. */
    {SYS_ioctl, {SYSCALL_FILTER_INT(1, TIOCGWINSZ)}, 1},
    {SYS_ioctl, {SYSCALL_FILTER_INT(1, TCGETS)}, 1},
    /* A pair that is connected to nothing else. */
    {SYS_socketpair, {SYSCALL_FILTER_INT(0, AF_UNIX)}, 1},
    /* Only to the peer of a connected socket. */
    {SYS_sendto, {{4, UINT64_MAX, 0}}, 1},
    /* Puts /dev/null in place of the standard descriptors, for the background. */
    {SYS_dup3, {{1, UINT32_MAX & ~UINT32_C(1), 0}}, 1},
    {SYS_dup3, {SYSCALL_FILTER_INT(1, STDERR_FILENO)}, 1},
#ifdef SYS_dup2
    {SYS_dup2, {{1, UINT32_MAX & ~UINT32_C(1), 0}}, 1},
    {SYS_dup2, {SYSCALL_FILTER_INT(1, STDERR_FILENO)}, 1},
#endif
};

/* Allows sendmsg() to the helpers, whose sockets have the numbers from `helpers` on. */
static void add_messages(struct syscall_filter *filter, int helpers)
{
    for (int i = 0; i < HELPER_ROLES; i++) {
        const struct syscall_filter_test to = SYSCALL_FILTER_INT(0, helpers + i);

        syscall_filter_add_if(filter, SYS_sendmsg, &to, 1, SYSCALL_FILTER_ALLOW);
    }
}

static int install_filter(int helpers, int device)
{
    const struct syscall_filter_test to_device[] = {SYSCALL_FILTER_INT(1, device),
                                                    SYSCALL_FILTER_INT(2, O_CLOEXEC)};
    struct syscall_filter filter;

    syscall_filter_init(&filter);
#ifdef SANITIZED
    syscall_filter_add_all(&filter, allowed, sizeof(allowed) / sizeof(allowed[0]),
                           SYSCALL_FILTER_ALLOW);
    syscall_filter_add_threads(&filter);
#else
    syscall_filter_add_threads(&filter);
    syscall_filter_add_all(&filter, allowed, sizeof(allowed) / sizeof(allowed[0]),
                           SYSCALL_FILTER_ALLOW);
#endif
    for (size_t i = 0; i < sizeof(conditional) / sizeof(conditional[0]); i++)
        syscall_filter_add_if(&filter, conditional[i].number, conditional[i].tests,
                              conditional[i].count, SYSCALL_FILTER_ALLOW);
    if (device >= 0)
        syscall_filter_add_if(&filter, SYS_dup3, to_device, 2, SYSCALL_FILTER_ALLOW);
    add_messages(&filter, helpers);
    return syscall_filter_install(&filter, SYSCALL_FILTER_REFUSE(EPERM));
}
#else
static int install_filter(int helpers, int device)
{
    (void)helpers;
    (void)device;
    return -ENOSYS;
}
#endif

static void restrict_calls(int helpers, int device)
{
    int status = install_filter(helpers, device);

    if (status == 0)
        confinement_note(CONFINEMENT_SYSTEM_CALLS, true, "seccomp");
    else
        confinement_note(CONFINEMENT_SYSTEM_CALLS, false, "%s", strerror(-status));
}

void confine_process(const struct confine_params *params)
{
    int helpers, status;

    tzset(); /* reads the time zone: messages have the local time */
    helpers = set_limits(params);
    become(&params->user);
    status = privileges_drop();
    if (status == 0)
        confinement_note(CONFINEMENT_PRIVILEGES, true, "for good");
    else
        confinement_note(CONFINEMENT_PRIVILEGES, false, "%s", strerror(-status));
    confinement_note(CONFINEMENT_CAPABILITIES, status == 0, "%s",
                     status == 0 ? "none is left" : strerror(-status));
    restrict_files();
    restrict_calls(helpers, params->device);
}
