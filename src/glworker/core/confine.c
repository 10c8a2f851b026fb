/* SPDX-License-Identifier: MIT */
/*
 * Two steps. At the start files may still be read, since drivers and compilers are
 * loaded on demand; nothing may be written, connected or run. Once the driver is up
 * a list of system calls is left that computing and talking to the daemon need;
 * others fail with EPERM rather than kill, as libraries try things they can do without.
 */
#include "config.h"

#include "glworker/core/core.h"

#include "base/landlock.h"
#include "base/privileges.h"
#include "base/syscall_filter.h"
#include "base/thread.h"
#include "worker/launch.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
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

#define MEMORY_LIMIT (UINT64_C(6) << 30) /* Mesa and LLVM map about 1 GiB to begin with */
/* For compiled code, threads, what a trace is read with and a scene is drawn with. */
#define OWN_MEMORY (UINT64_C(1536) << 20)
enum { SAID_MAX = 64 * 1024, SECONDS_OF_A_CALL = 60 };

static unsigned layers;
static bool has_shaders; /* at LAUNCH_SHADERS and behind it */

static int limit(int what, rlim_t soft, rlim_t hard)
{
    const struct rlimit both = {.rlim_cur = soft, .rlim_max = hard};

    return setrlimit(what, &both);
}

static void set_limits(uint64_t memory_limit, bool shaders)
{
    rlim_t memory = memory_limit != 0 ? memory_limit : MEMORY_LIMIT;
    rlim_t max = shaders ? SHADER_DISK_CACHE_FILE_MAX : SAID_MAX;
    int status = limit(RLIMIT_CORE, 0, 0) | limit(RLIMIT_FSIZE, max, max);

    /* What is written beyond the limit fails; it does not kill. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
#ifdef SANITIZED
    (void)memory; /* a sanitizer reserves terabytes */
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

    /* The daemon's clock comes first; this is for a process that no daemon waits for. */
    if (getrusage(RUSAGE_SELF, &used) == 0)
        limit(RLIMIT_CPU,
              (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + SECONDS_OF_A_CALL,
              RLIM_INFINITY);
}

/* Files can be read; all else that the kernel knows is taken. */
static int restrict_files(void)
{
    struct landlock_rules rules;
    int status = landlock_open(&rules, LANDLOCK_NETWORK | LANDLOCK_SOCKETS | LANDLOCK_SIGNALS),
        allowed;

    if (status < 0)
        return status;
    allowed = landlock_allow(&rules, "/", LANDLOCK_READ | LANDLOCK_LIST);
    status = landlock_restrict(&rules);
    return status < 0 ? status : allowed;
}

/* Refused from the start. */
static const long refused[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_open_by_handle_at,
    SYS_truncate,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_setpgid,
    SYS_setsid,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
#endif
};

/* All that is left in the end. */
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

static int refuse_calls(void)
{
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_threads(&filter);
    syscall_filter_add_all(&filter, refused, sizeof(refused) / sizeof(refused[0]),
                           SYSCALL_FILTER_REFUSE(EPERM));
    return syscall_filter_install(&filter, SYSCALL_FILTER_ALLOW);
}

static int allow_calls(void)
{
    struct syscall_filter filter;

    syscall_filter_init(&filter);
    syscall_filter_add_threads(&filter);
    syscall_filter_add_all(&filter, allowed, sizeof(allowed) / sizeof(allowed[0]),
                           SYSCALL_FILTER_ALLOW);
    return syscall_filter_install(&filter, SYSCALL_FILTER_REFUSE(EPERM));
}

unsigned confine_start(uint64_t memory_limit, bool shaders)
{
    syscall(SYS_close_range, shaders ? LAUNCH_DESCRIPTORS : LAUNCH_SHADERS, ~0U, 0);
    has_shaders = shaders;
    (void)!chdir("/");
    set_limits(memory_limit, shaders);
    if (privileges_drop() < 0)
        return layers;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (restrict_files() == 0)
        layers |= CONFINE_READ_ONLY;
    if (refuse_calls() == 0)
        layers |= CONFINE_NO_NETWORK;
    return layers;
}

int confine_finish(void)
{
    int status;

    /* The driver has opened them by now. */
    if (has_shaders)
        syscall(SYS_close_range, LAUNCH_SHADERS, LAUNCH_DESCRIPTORS - 1, 0);
    has_shaders = false;
    status = allow_calls();
    if (status == 0)
        layers |= CONFINE_SYSTEM_CALLS;
    return status;
}

unsigned confine_layers(void)
{
    return layers;
}

static void *watch(void *context)
{
    struct pollfd socket = {.fd = (int)(intptr_t)context, .events = 0};

    while ((socket.revents & (POLLHUP | POLLERR)) == 0)
        poll(&socket, 1, -1);
    _exit(0);
}

int confine_watch(int socket)
{
    pthread_t thread;
    int status = thread_start(&thread, watch, (void *)(intptr_t)socket);

    if (status == 0)
        pthread_detach(thread);
    return status;
}
