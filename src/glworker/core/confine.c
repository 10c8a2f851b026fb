/* SPDX-License-Identifier: MIT */
/*
 * Two steps. At the start files may still be read, since drivers and compilers are
 * loaded on demand; nothing may be written, connected or run. Once the driver is up
 * a list of system calls is left that computing and talking to the daemon need;
 * others fail with EPERM rather than kill, as libraries try things they can do without.
 */
#include "config.h"

#include "glworker/core/core.h"

#include "base/thread.h"
#include "worker/launch.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OUR_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#define MEMORY_LIMIT (UINT64_C(6) << 30) /* Mesa and LLVM map about 1 GiB to begin with */
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

void confine_time(void)
{
    struct rusage used;

    /* The daemon's clock comes first; this is for a process that no daemon waits for. */
    if (getrusage(RUSAGE_SELF, &used) == 0)
        limit(RLIMIT_CPU,
              (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + SECONDS_OF_A_CALL,
              RLIM_INFINITY);
}

/* Files can be read; all else that the first Landlock knows is taken. */
static int restrict_files(void)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs =
                                                   (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    struct landlock_path_beneath_attr root = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE |
                                                                LANDLOCK_ACCESS_FS_READ_DIR,
                                              .parent_fd = -1};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
    int status = rules;

    if (rules < 0)
        return -errno;
    root.parent_fd = open("/", O_PATH | O_CLOEXEC);
    status = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &root, 0);
    close(root.parent_fd);
    if (status >= 0)
        status = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return status < 0 ? -EPERM : 0;
}

/* Filters, built one instruction behind the other. */
enum { FILTER_MAX = 512 };

struct filter {
    struct sock_filter code[FILTER_MAX];
    unsigned short count;
};

static void emit(struct filter *filter, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (filter->count < FILTER_MAX)
        filter->code[filter->count++] = (struct sock_filter){code, yes, no, k};
}

static void emit_load(struct filter *filter, size_t offset)
{
    emit(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(struct filter *filter, uint32_t action)
{
    emit(filter, BPF_RET | BPF_K, action, 0, 0);
}

/* The call's number is loaded; calls of another architecture fail. */
static void emit_head(struct filter *filter)
{
    emit_load(filter, offsetof(struct seccomp_data, arch));
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0);
    emit_return(filter, SECCOMP_RET_KILL_PROCESS);
    emit_load(filter, offsetof(struct seccomp_data, nr));
    /* Also those of x32, which are numbered from here on. */
    emit(filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    emit_return(filter, SECCOMP_RET_KILL_PROCESS);
}

static void emit_call(struct filter *filter, long number, uint32_t action)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    emit_return(filter, action);
}

/* A call that is allowed if an argument's low half equals `value`, or has it as a bit. */
static void emit_if(struct filter *filter, long number, int argument, uint16_t test, uint32_t value)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
    emit_load(filter, offsetof(struct seccomp_data, args) + (size_t)argument * 8);
    emit(filter, (uint16_t)(BPF_JMP | test | BPF_K), value, 0, 1);
    emit_return(filter, SECCOMP_RET_ALLOW);
    emit_return(filter, SECCOMP_RET_ERRNO | EPERM);
}

/* What holds in both steps: threads but no processes, signals to ourselves alone. */
static void emit_common(struct filter *filter)
{
    uint32_t self = (uint32_t)getpid();

    emit_head(filter);
    emit_if(filter, SYS_clone, 0, BPF_JSET, CLONE_THREAD);
    /* Its flags are in memory, where no filter sees them: libc then uses clone(). */
    emit_call(filter, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    emit_if(filter, SYS_tgkill, 0, BPF_JEQ, self);
    emit_if(filter, SYS_prlimit64, 0, BPF_JEQ, 0);
}

static int install(struct filter *filter)
{
    const struct sock_fprog program = {.len = filter->count, .filter = filter->code};

    if (filter->count == FILTER_MAX)
        return -E2BIG;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return -errno;
    return 0;
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
    struct filter filter = {.count = 0};

    emit_common(&filter);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        emit_call(&filter, refused[i], SECCOMP_RET_ERRNO | EPERM);
    emit_return(&filter, SECCOMP_RET_ALLOW);
    return install(&filter);
}

static int allow_calls(void)
{
    struct filter filter = {.count = 0};

    emit_common(&filter);
    for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
        emit_call(&filter, allowed[i], SECCOMP_RET_ALLOW);
    emit_return(&filter, SECCOMP_RET_ERRNO | EPERM);
    return install(&filter);
}

unsigned confine_start(uint64_t memory_limit, bool shaders)
{
    syscall(SYS_close_range, shaders ? LAUNCH_DESCRIPTORS : LAUNCH_SHADERS, ~0U, 0);
    has_shaders = shaders;
    (void)!chdir("/");
    set_limits(memory_limit, shaders);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
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
