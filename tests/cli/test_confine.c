/* SPDX-License-Identifier: MIT */
/*
 * Attempts that a confined daemon must be refused, each in a process of its own, for the daemon of
 * root and for that of a user. Files and folders are accessible to all users, so that it is the
 * confinement that refuses, not a permission. A process of the owner of the files that is not
 * confined must succeed in the attempts that are marked `alone`.
 */
#include "config.h"

#include "cli/confine.h"

#include "base/confinement.h"
#include "base/file_access.h"
#include "base/helper.h"
#include "base/thread.h"
#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { A_USER = 12345, REFUSED = 0, DONE = 1, OTHER = 2 /* plus errno */ };

/* What a daemon has open, and what it must not be able to access. */
static struct {
    char *folder, *dump, *other, *fresh, *listener;
    int file, device, terminal, datagram;
    pid_t victim; /* process of the same user */
} world;

/* Attempts. Each returns 0, or -1 with errno. */

static int keep(int fd)
{
    if (fd >= 0)
        close(fd);
    return fd < 0 ? -1 : 0;
}

static int read_another(void)
{
    return keep(open(world.other, O_RDONLY));
}

static int write_another(void)
{
    return keep(open(world.other, O_WRONLY));
}

static int make_a_file(void)
{
    return keep(open(world.fresh, O_WRONLY | O_CREAT, 0600));
}

static int make_a_nameless_file(void)
{
    return keep(open(world.folder, O_TMPFILE | O_RDWR, 0600));
}

static int list_a_folder(void)
{
    DIR *folder = opendir(world.folder);

    if (folder != NULL)
        closedir(folder);
    return folder != NULL ? 0 : -1;
}

static int cut_another(void)
{
    return truncate(world.other, 0);
}

static int remove_another(void)
{
    return unlink(world.other);
}

static int rename_another(void)
{
    return rename(world.other, world.fresh);
}

static int make_a_folder(void)
{
    return mkdir(world.fresh, 0700);
}

static int make_a_link(void)
{
    return symlink("/", world.fresh);
}

static int change_mode(void)
{
    return chmod(world.dump, 0777);
}

static int change_mode_of_open(void)
{
    return fchmod(world.file, 0777);
}

static int change_times(void)
{
    return futimens(world.file, NULL);
}

static int change_owner(void)
{
    return fchown(world.file, getuid(), getgid());
}

static int set_attribute(void)
{
    return fsetxattr(world.file, "user.test", "x", 1, 0);
}

static int make_a_socket(void)
{
    return keep(socket(AF_INET, SOCK_STREAM, 0));
}

static int make_a_local_socket(void)
{
    return keep(socket(AF_UNIX, SOCK_STREAM, 0));
}

static socklen_t address_of_listener(struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof(address->sun_path), "%s", world.listener);
    return sizeof(*address);
}

static int connect_a_socket(void)
{
    struct sockaddr_un address;
    socklen_t size = address_of_listener(&address);

    return connect(world.datagram, (const struct sockaddr *)&address, size);
}

static int send_to_an_address(void)
{
    struct sockaddr_un address;
    socklen_t size = address_of_listener(&address);

    return sendto(world.datagram, "x", 1, 0, (const struct sockaddr *)&address, size) == 1 ? 0 : -1;
}

static int send_a_message_to_an_address(void)
{
    struct sockaddr_un address;
    struct iovec part = {.iov_base = (char[]){"x"}, .iov_len = 1};
    struct msghdr message = {.msg_name = &address,
                             .msg_namelen = address_of_listener(&address),
                             .msg_iov = &part,
                             .msg_iovlen = 1};

    return sendmsg(world.datagram, &message, 0) == 1 ? 0 : -1;
}

/* Replaces a descriptor other than that of the device and standard error. */
static int replace_an_open_file(void)
{
    return dup3(world.file, world.datagram, O_CLOEXEC) < 0 ? -1 : 0;
}

/*
 * Gives a socket the number that a helper's socket might have: these numbers are at or above the
 * limit, so that no new descriptor can get one.
 */
static int take_a_helpers_place(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur != files.rlim_max)
        return 0;
    return keep(fcntl(world.datagram, F_DUPFD, (int)files.rlim_max));
}

static int run_a_program(void)
{
    char *arguments[] = {(char[]){"true"}, NULL};
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

    if (child == 0) {
        execv("/bin/true", arguments);
        _exit(1);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    if (child > 0)
        return 0;
    execv("/bin/true", arguments);
    return -1;
}

static int make_a_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    return child < 0 ? -1 : 0;
}

static int trace_another(void)
{
    long status = ptrace(PTRACE_ATTACH, world.victim, NULL, NULL);

    if (status == 0) {
        (void)waitpid(world.victim, NULL, __WALL);
        ptrace(PTRACE_DETACH, world.victim, NULL, NULL);
    }
    return status == 0 ? 0 : -1;
}

static int read_anothers_memory(void)
{
    char here[1];
    struct iovec to = {here, 1}, from = {(void *)&world, 1};

    return process_vm_readv(world.victim, &to, 1, &from, 1, 0) == 1 ? 0 : -1;
}

static int read_anothers_environment(void)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/environ", (int)world.victim);
    return keep(open(path, O_RDONLY));
}

static int signal_another(void)
{
    return kill(world.victim, SIGCONT);
}

static int signal_anothers_thread(void)
{
    return (int)syscall(SYS_tgkill, world.victim, world.victim, SIGCONT);
}

static int have_another_signalled(void)
{
    return fcntl(world.datagram, F_SETOWN, world.victim);
}

static int name_another_process(void)
{
    return keep((int)syscall(SYS_pidfd_open, world.victim, 0));
}

static int type_into_a_terminal(void)
{
    return ioctl(world.terminal, TIOCSTI, "x");
}

static int mount_something(void)
{
    return mount("none", world.folder, "tmpfs", 0, NULL);
}

static int unmount_something(void)
{
    return umount2("/proc", MNT_DETACH);
}

static int become_root(void)
{
    return setuid(0);
}

static int join_groups(void)
{
    const gid_t group = 0;

    return setgroups(1, &group);
}

static int make_namespaces(void)
{
    return unshare(CLONE_NEWUSER);
}

static int change_the_root(void)
{
    return chroot("/");
}

static int map_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? -1 : 0;
}

static int turn_into_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int write_own_memory(void)
{
    return keep(open("/proc/self/mem", O_RDWR));
}

static int allow_more_files(void)
{
    struct rlimit more;

    if (getrlimit(RLIMIT_NOFILE, &more) != 0)
        return -1;
    more.rlim_cur = ++more.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &more);
}

static int load_a_program_into_the_kernel(void)
{
    return keep((int)syscall(SYS_bpf, 0, NULL, 0));
}

static int make_a_ring(void)
{
    return keep((int)syscall(SYS_io_uring_setup, 1, NULL));
}

static int open_by_handle(void)
{
    return keep((int)syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
}

static int use_keys(void)
{
    return (int)syscall(SYS_keyctl, 0, -3, 0);
}

static int watch_page_faults(void)
{
    return keep((int)syscall(SYS_userfaultfd, 1 /* of user mode only */));
}

static int let_others_trace(void)
{
    return prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

static const struct attempt {
    const char *name;
    int (*go)(void);
    bool alone; /* an unconfined process of a user may do it, wherever tests run */
} attempts[] = {
    {"read another file", read_another, true},
    {"write another file", write_another, true},
    {"make a file", make_a_file, true},
    {"make a nameless file", make_a_nameless_file, false},
    {"list a folder", list_a_folder, true},
    {"cut another file", cut_another, true},
    {"remove another file", remove_another, true},
    {"rename another file", rename_another, true},
    {"make a folder", make_a_folder, true},
    {"make a link", make_a_link, true},
    {"change the dump's mode", change_mode, true},
    {"change the open dump's mode", change_mode_of_open, true},
    {"change the dump's times", change_times, true},
    {"change the dump's owner", change_owner, true},
    {"set an attribute", set_attribute, false},
    {"make a socket", make_a_socket, true},
    {"make a local socket", make_a_local_socket, true},
    {"connect", connect_a_socket, true},
    {"send to an address", send_to_an_address, true},
    {"send a message to an address", send_a_message_to_an_address, true},
    {"take a helper's place", take_a_helpers_place, false},
    {"replace an open file", replace_an_open_file, true},
    {"run a program", run_a_program, true},
    {"make a process", make_a_process, true},
    {"trace another process", trace_another, false},
    {"read another's memory", read_anothers_memory, false},
    {"read another's environment", read_anothers_environment, true},
    {"signal another process", signal_another, true},
    {"signal another's thread", signal_anothers_thread, true},
    {"have another signalled", have_another_signalled, true},
    {"name another process", name_another_process, true},
    {"type into a terminal", type_into_a_terminal, false},
    {"mount", mount_something, false},
    {"unmount", unmount_something, false},
    {"become root", become_root, false},
    {"join groups", join_groups, false},
    {"make namespaces", make_namespaces, false},
    {"change the root", change_the_root, false},
    {"map code", map_code, true},
    {"turn memory into code", turn_into_code, true},
    {"write its own memory", write_own_memory, true},
    {"allow more files", allow_more_files, false},
    {"load a program into the kernel", load_a_program_into_the_kernel, false},
    {"make a ring", make_a_ring, false},
    {"open by a handle", open_by_handle, false},
    {"use keys", use_keys, false},
    {"watch page faults", watch_page_faults, false},
    {"let others trace", let_others_trace, false},
};

/* What attempts are made on. */

static void give_away(const char *path)
{
    if (geteuid() == 0)
        assert_int_equal(chown(path, A_USER, A_USER), 0);
}

static void open_listener(void)
{
    struct sockaddr_un address;
    socklen_t size = address_of_listener(&address);
    int listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(listener, (const struct sockaddr *)&address, size), 0);
    assert_int_equal(chmod(world.listener, 0777), 0);
}

static int make_world(void **state)
{
    (void)state;
    world.folder = support_folder();
    world.dump = support_path(world.folder, "dump");
    world.other = support_path(world.folder, "other");
    world.fresh = support_path(world.folder, "fresh");
    world.listener = support_path(world.folder, "listener");
    assert_int_equal(chmod(world.folder, 0777), 0);
    give_away(world.folder);
    open_listener();
    world.terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    world.datagram = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    support_remove(&world.folder);
    free(world.dump);
    free(world.other);
    free(world.fresh);
    free(world.listener);
    return 0;
}

static void refresh_files(void)
{
    (void)rmdir(world.fresh);
    (void)unlink(world.fresh);
    support_write(world.dump, "dump", 4);
    support_write(world.other, "other", 5);
    assert_int_equal(chmod(world.dump, 0666), 0);
    assert_int_equal(chmod(world.other, 0666), 0);
    give_away(world.dump);
    give_away(world.other);
    world.file = open(world.dump, O_RDONLY | O_CLOEXEC);
    assert_true(world.file >= 0);
}

enum who { ROOTS_DAEMON, USERS_DAEMON, USERS_PROCESS };

static void be_user(void)
{
    if (geteuid() != 0)
        return;
    if (setgroups(0, NULL) != 0 || setresgid(A_USER, A_USER, A_USER) != 0 ||
        setresuid(A_USER, A_USER, A_USER) != 0)
        _exit(99);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* so that another process of this user can be traced */
}

/* Starts a process that an attempt tries to harm. */
static pid_t make_victim(enum who who)
{
    pid_t victim = fork();

    if (victim != 0)
        return victim;
    if (who == ROOTS_DAEMON &&
        (setresgid(65534, 65534, 65534) | setresuid(65534, 65534, 65534)) != 0)
        _exit(99);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    for (;;)
        pause();
}

/*
 * Confines the process as a daemon, with the socket of a helper from whose other end no process
 * reads.
 */
static void confine(enum who who)
{
    struct confine_params params = {.file_max = 1 << 20};
    int ends[2];

    world.device = params.device = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(world.device >= 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    helper_use(HELPER_KEEPER, ends[0]);
    if (who == ROOTS_DAEMON)
        assert_int_equal(confine_find_user(NULL, &params.user), 0);
    confine_process(&params);
}

/* Returns REFUSED, DONE, or OTHER plus errno. */
static int outcome_of(const struct attempt *attempt, enum who who)
{
    pid_t *victim =
        mmap(NULL, sizeof(*victim), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ended = 0;
    pid_t child;

    assert_ptr_not_equal(victim, MAP_FAILED);

    refresh_files();
    child = fork();
    if (child == 0) {
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
        if (who != ROOTS_DAEMON)
            be_user();
        world.victim = *victim = make_victim(who);
        usleep(1000);
        if (who != USERS_PROCESS)
            confine(who);
        errno = 0;
        if (attempt->go() == 0)
            _exit(DONE);
        _exit(errno == EPERM || errno == EACCES ? REFUSED : OTHER + errno);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    close(world.file);
    if (*victim > 0)
        kill(*victim, SIGKILL); /* the death of a confined parent sends no signal */
    munmap(victim, sizeof(*victim));
    if (!WIFEXITED(ended))
        fail_msg("%s: ended by signal %d", attempt->name, WTERMSIG(ended));
    return WEXITSTATUS(ended);
}

static void expect_refused(enum who who)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < COUNT_OF(attempts); i++) {
        int outcome = outcome_of(&attempts[i], who);

        /* no descriptor has a number beyond the limit */
        if (attempts[i].go == take_a_helpers_place && outcome == OTHER + EINVAL)
            outcome = REFUSED;
        if (outcome != REFUSED)
            print_error("%s: %s\n", attempts[i].name,
                        outcome == DONE ? "done" : strerror(outcome - OTHER));
        wrong += outcome != REFUSED;
    }
    assert_int_equal(wrong, 0);
}

static void need_whole_kernel(void)
{
#ifdef SANITIZED
    support_skip("a sanitizer");
#endif
    pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        confine(USERS_DAEMON);
        _exit(confinement_holds(CONFINEMENT_FILES) && confinement_holds(CONFINEMENT_SYSTEM_CALLS)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (ended != 0)
        support_skip("a kernel without Landlock or seccomp");
}

static void a_daemon_of_roots_is_refused_all(void **state)
{
    (void)state;
    need_whole_kernel();
    if (geteuid() != 0)
        support_skip("not root");
    expect_refused(ROOTS_DAEMON);
}

static void a_daemon_of_a_users_is_refused_all(void **state)
{
    (void)state;
    need_whole_kernel();
    expect_refused(USERS_DAEMON);
}

/* Otherwise the two tests above would prove nothing. */
static void an_unconfined_process_may(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(attempts); i++) {
        int outcome = attempts[i].alone ? outcome_of(&attempts[i], USERS_PROCESS) : DONE;

        if (outcome != DONE)
            fail_msg("%s: %s", attempts[i].name,
                     outcome == REFUSED ? "refused" : strerror(outcome - OTHER));
    }
}

/* What a confined daemon can still do. */

static void *add_one(void *context)
{
    ++*(int *)context;
    return NULL;
}

static bool threads_work(void)
{
    pthread_t threads[4];
    int number = 0;

    for (size_t i = 0; i < COUNT_OF(threads); i++)
        if (thread_start(&threads[i], add_one, &number) != 0 || pthread_join(threads[i], NULL) != 0)
            return false;
    return number == COUNT_OF(threads);
}

static bool the_dump_is_read(void)
{
    char bytes[4];
    void *mapped = mmap(NULL, sizeof(bytes), PROT_READ, MAP_SHARED, world.file, 0);

    return pread(world.file, bytes, sizeof(bytes), 0) == 4 && memcmp(bytes, "dump", 4) == 0 &&
           mapped != MAP_FAILED && memcmp(mapped, "dump", 4) == 0;
}

static bool the_dump_is_watched(void)
{
    int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

    return queue >= 0 && file_access_watch(queue, world.file, FILE_ACCESS_WRITTEN_ONCE) >= 0;
}

static bool memory_is_had(void)
{
    int ends[2], file = memfd_create("test", MFD_CLOEXEC);
    void *bytes = malloc(64 << 20);
    bool had = bytes != NULL && file >= 0 && ftruncate(file, 4096) == 0 &&
               socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;

    free(bytes);
    return had;
}

/*
 * A confined process can replace the descriptor of the FUSE device, as the daemon does in order to
 * catch the reply of libfuse to the first request.
 */
static bool a_device_is_replaced(void)
{
    return dup3(world.file, world.device, O_CLOEXEC) == world.device;
}

static bool a_dying_reader_is_seen(void)
{
    FILE *file = fopen("/proc/self/status", "re");

    return file != NULL && fclose(file) == 0;
}

static const struct {
    const char *name;
    bool (*works)(void);
} needs[] = {
    {"threads", threads_work},
    {"the dump is read", the_dump_is_read},
    {"the dump is watched", the_dump_is_watched},
    {"memory", memory_is_had},
    {"the device is replaced", a_device_is_replaced},
    {"a dying reader is seen", a_dying_reader_is_seen},
};

static void what_is_needed_works(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(needs); i++)
        for (enum who who = ROOTS_DAEMON; who <= USERS_DAEMON; who++) {
            int ended = 0;
            pid_t child;

            refresh_files();
            child = fork();
            if (child == 0) {
                confine(who);
                _exit(needs[i].works() ? 0 : 1);
            }
            assert_int_equal(waitpid(child, &ended, 0), child);
            close(world.file);
            if (ended != 0)
                fail_msg("%s", needs[i].name);
        }
}

static void layers_are_told(void **state)
{
    struct text text = TEXT_INIT;
    int ended = 0;
    pid_t child;

    (void)state;
    confinement_write(&text);
    assert_int_equal(text_status(&text), 0);
    text_add_char(&text, '\0');
    assert_non_null(strstr(text.bytes, "user: no\n"));
    assert_non_null(strstr(text.bytes, "system_calls: no\n"));
    text_clear(&text);
    child = fork();
    if (child == 0) {
        confine(USERS_DAEMON);
        confinement_write(&text);
        text_add_char(&text, '\0');
        _exit(strstr(text.bytes, "no_new_privs: yes") != NULL ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

static void users_are_found(void **state)
{
    struct confine_user user;

    (void)state;
    if (geteuid() != 0) {
        assert_int_equal(confine_find_user(NULL, &user), 0);
        assert_false(user.changes);
        assert_int_equal(confine_find_user("nobody", &user), -EPERM);
        return;
    }
    assert_int_equal(confine_find_user(NULL, &user), 0);
    assert_true(user.changes && user.uid != 0 && user.gid != 0);
    assert_int_equal(confine_find_user("12345", &user), 0);
    assert_int_equal(user.uid, 12345);
    assert_int_equal(confine_find_user("no such user", &user), -ENOENT);
    assert_int_equal(confine_find_user("4294967295", &user), -ENOENT);
    assert_int_equal(confine_find_user("-1", &user), -ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_daemon_of_roots_is_refused_all),
        cmocka_unit_test(a_daemon_of_a_users_is_refused_all),
        cmocka_unit_test(an_unconfined_process_may),
        cmocka_unit_test(what_is_needed_works),
        cmocka_unit_test(layers_are_told),
        cmocka_unit_test(users_are_found),
    };

    return cmocka_run_group_tests(tests, make_world, end_world);
}
