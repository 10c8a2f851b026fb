/* SPDX-License-Identifier: MIT */
/*
 * Mounts a dump. Everything that can fail is tried before the program's caller goes on; what reads
 * the dump is confined before it does (docs/confinement.md), and threads are made after that.
 */
#include "config.h"

#include "base/confinement.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "cli/confine.h"
#include "cli/gpudumpfs.h"
#include "cli/helpers.h"
#include "cli/keeper.h"
#include "cli/overlay.h"
#include "source/source.h"
#include "source/spool.h"
#include "source/stream.h"
#include "worker/launcher.h"
#include "worker/shader_disk_cache.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WAIT_MS = 400 }; /* for a dump's expansion, before it goes on behind the mount */

struct mount_session {
    struct command command;
    struct program program;
    struct mountpoint point;
    struct mount *mount;
    struct folder_dumps *dumps; /* of a folder; else NULL */
    struct overlay *overlay;    /* edits; NULL: none */
    struct pair *pair;          /* of two that are compared; else NULL */
    struct daemon daemon;
    struct confine_user user;    /* that the daemon becomes */
    struct keeper_grants grants; /* what it may have opened */
    struct launcher_params launcher;
    int stream; /* opened before the confinement; -1: none */
    bool attached;
    bool is_elsewhere;   /* the keeper, that could not enter mount-namespace */
    unsigned connection; /* of the mount, in the process that has made it (mounts_find()) */
};

static bool are_same(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The process that reads the folder also answers for the mountpoint: it would wait for itself. */
static bool is_in_folder(const struct mount_session *session)
{
    char *folder = realpath(session->command.dump, NULL);
    size_t length = folder != NULL ? strlen(folder) : 0;
    const char *path = session->point.path;
    bool within = length > 0 && strncmp(path, folder, length) == 0 &&
                  (path[length] == '\0' || path[length] == '/');

    free(folder);
    return within;
}

/* Of a mount that is not made by us the kernel checks no permissions unless it was told to. */
static bool are_permissions_checked(const struct mount_session *session)
{
    const char *options = session->command.fuse_options.bytes;

    return strstr(options, "allow_other") == NULL || strstr(options, "default_permissions") != NULL;
}

/* /dev/fd/N: mount.fuse3 has made the mount, and its place is nothing that we know or change. */
static enum program_status take_device(struct mount_session *session)
{
    const char *name = session->command.directory;
    int result = mount_take_device(name);

    if (!are_permissions_checked(session)) {
        log_write(LOG_ERR, "drop_privileges with allow_other needs default_permissions");
        return PROGRAM_USAGE;
    }
    if (session->program.options.mount.idle_unmount != 0) {
        log_write(LOG_ERR, "idle-unmount= cannot unmount what mount.fuse3 has mounted");
        return PROGRAM_USAGE;
    }
    if (result == 0 && (session->point.path = strdup(name)) == NULL)
        result = -ENOMEM;
    if (result == -ENOTTY)
        log_write(LOG_ERR, "mountpoint %s: not a descriptor of /dev/fuse", name);
    else if (result != 0)
        log_write(LOG_ERR, "mountpoint %s: %s", name, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

static enum program_status check_mountpoint(struct mount_session *session)
{
    const char *dump = session->command.dump, *directory = session->command.directory;
    struct text message = TEXT_INIT;
    char *name = directory != NULL ? strdup(directory) : mountpoint_name(dump);
    int result = -ENOMEM;

    if (directory != NULL && mount_is_device(directory)) {
        free(name);
        return take_device(session);
    }
    if (name != NULL &&
        (are_same(name, dump) ||
         (session->pair != NULL &&
          are_same(name, session->command.other)))) { /* a folder, or a file without an extension */
        text_printf(&message, "mountpoint %s: is the dump itself; give another MOUNTPOINT", name);
        result = -EBUSY;
    } else if (name != NULL) {
        result = mountpoint_check(&session->point, name, &message);
    }
    if (result == 0 && session->command.folder && is_in_folder(session)) {
        text_printf(&message, "mountpoint %s: is in the folder of the dumps", name);
        result = -EBUSY;
    }
    if (result != 0)
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    else if (session->point.occupied && !session->command.nonempty)
        log_write(LOG_WARNING, "mountpoint %s: what is in it is hidden until the unmount", name);
    text_clear(&message);
    free(name);
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

/*
 * By a thread of its own. Not a mount that somebody else made at this place after ours was detached
 * (umount -l), where our process lives on as long as a file is open.
 */
static int unmount_idle(void *context)
{
    const struct mount_session *session = context;
    struct helper_request request;
    unsigned connection = 0;

    if (helper_is_there(HELPER_KEEPER)) {
        helper_fill(&request, HELPER_UNMOUNT, NULL);
        return helper_ask(HELPER_KEEPER, &request, NULL, 0, NULL, NULL);
    }
    if (mounts_find(session->point.path, &connection) != 0 || connection != session->connection)
        return -EINVAL;
    return mounts_take_away(session->point.path, true);
}

static enum program_status create_mount(struct mount_session *session)
{
    char *absolute = realpath(session->command.dump, NULL);
    struct mount_params params = {.program = session->program.name,
                                  .source = absolute != NULL ? absolute : session->command.dump,
                                  .options = &session->program.options.mount,
                                  .fuse_options = session->command.fuse_options.bytes,
                                  .max_read = session->command.max_read,
                                  .debug = session->command.debug,
                                  .replaceable = session->overlay != NULL,
                                  .unmount = unmount_idle,
                                  .context = session};
    struct mount_dumps dumps;
    int result;

    if (session->dumps != NULL) {
        folder_dumps_describe(session->dumps, &dumps);
        result = mount_create_folder(&params, &dumps, &session->mount);
    } else if (session->pair != NULL) {
        pair_describe(session->pair, &dumps);
        result = mount_create_folder(&params, &dumps, &session->mount);
    } else {
        result = mount_create(&params, &session->mount);
    }
    free(absolute);
    if (result == -EINVAL)
        command_explain_options(&session->command, &session->program);
    return result == 0 ? PROGRAM_OK : PROGRAM_USAGE;
}

static void tell_unmountable(const struct mount_session *session)
{
    struct text message = TEXT_INIT;

    log_write(LOG_ERR, "%s: cannot mount here", session->point.path);
    if (mountpoint_explain_device("/dev/fuse", &message))
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    else if (geteuid() != 0 && strstr(session->command.fuse_options.bytes, "allow_") != NULL)
        log_write(LOG_ERR, "users may mount with allow_other only where /etc/fuse.conf has the "
                           "line user_allow_other");
    text_clear(&message);
}

static enum program_status attach_here(struct mount_session *session)
{
    struct mountpoint *point = &session->point;
    int result = mountpoint_make(point);

    if (result != 0) {
        log_write(LOG_ERR, "mountpoint %s: %s", point->path, strerror(-result));
        return PROGRAM_MOUNTPOINT;
    }
    (void)mountpoint_remake(point);
    result = mount_attach(session->mount, point->path);
    if (result != 0 && mountpoint_remake(point))
        result = mount_attach(session->mount, point->path);
    if (result != 0) {
        tell_unmountable(session);
        return PROGRAM_MOUNTPOINT;
    }
    session->attached = true;
    (void)mounts_find(point->path, &session->connection);
    return PROGRAM_OK;
}

/* The keeper has mounted; the device is what mount.fuse3 would give. */
static enum program_status take_mount(struct mount_session *session, int device)
{
    struct text path = TEXT_INIT;
    int status = -ENOMEM;

    text_printf(&path, "/dev/fd/%d%c", device, 0);
    if (device >= 0 && text_status(&path) == 0)
        status = mount_attach(session->mount, path.bytes);
    text_clear(&path);
    session->attached = status == 0;
    if (status != 0)
        log_write(LOG_ERR, "%s: %s", session->point.path, strerror(-status));
    return status == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

static enum program_status attach(struct mount_session *session)
{
    struct helper_request request;
    int device, status;

    if (!helper_is_there(HELPER_KEEPER) || mount_is_device(session->point.path))
        return attach_here(session);
    helper_fill(&request, HELPER_MOUNT, NULL);
    status = helper_ask(HELPER_KEEPER, &request, NULL, 0, NULL, &device);
    if (status > 0)
        return (enum program_status)status;
    if (status < 0) {
        log_write(LOG_ERR, "%s: cannot be mounted: %s", session->point.path, strerror(-status));
        return PROGRAM_MOUNTPOINT;
    }
    return take_mount(session, device);
}

/* The helpers. */

static int mount_as_keeper(void *context, int *device)
{
    struct mount_session *session = context;
    enum program_status status = session->is_elsewhere ? PROGRAM_MOUNTPOINT : attach_here(session);

    if (status != PROGRAM_OK)
        return (int)status;
    *device = mount_give_device(session->mount);
    return *device < 0 ? *device : 0;
}

/* The kernel gives numbers of connections again: the daemon knows whether its own has gone. */
static void detach_as_keeper(void *context, bool gone)
{
    struct mount_session *session = context;
    unsigned connection = 0;

    if (session->attached && !gone && mounts_find(session->point.path, &connection) == 0 &&
        connection == session->connection)
        mount_detach(session->mount);
    mountpoint_clear(&session->point);
}

/* The daemon's own may be one that a service manager has made, whose mounts nobody else sees. */
static int enter_namespace(const char *name)
{
    char *here = getcwd(NULL, 0);
    int file =
        strcmp(name, "-") == 0 ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int status = file < 0 || setns(file, CLONE_NEWNS) != 0 ? -errno : 0;

    if (file >= 0)
        close(file);
    if (here != NULL)
        (void)!chdir(here);
    free(here);
    return status;
}

static void be_keeper(void *context, int socket)
{
    struct mount_session *session = context;
    const struct keeper_params params = {.grants = &session->grants,
                                         .spool = spool_folder(session->program.options.spool),
                                         .mount = mount_as_keeper,
                                         .unmount = unmount_idle,
                                         .detach = detach_as_keeper,
                                         .context = session};
    const char *name = session->program.options.mount_namespace;
    int status = name != NULL ? enter_namespace(name) : 0;

    session->is_elsewhere = status < 0;
    if (status < 0)
        log_write(LOG_ERR, "mount-namespace=%s: %s", name, strerror(-status));
    keeper_serve(&params, socket);
}

static void be_launcher(void *context, int socket)
{
    struct mount_session *session = context;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++)
        (void)dup2(nowhere, standard);
    if (nowhere > 2)
        close(nowhere);
    if (session->launcher.program != NULL)
        session->launcher.program_file = open(session->launcher.program, O_PATH | O_CLOEXEC);
    /* Where it may not, the daemon may not either, which tells. */
    (void)confine_become(&session->user);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    launcher_serve(&session->launcher, socket);
}

static int grant_path(void *context, const char *path, bool output)
{
    struct keeper_grants *grants = context;
    int status = 0;

    if (output)
        return keeper_grant(grants, KEEPER_APPEND, path, NULL);
    for (const struct format *format = formats_table; format->name != NULL && status == 0; format++)
        if (format->ops->siblings != NULL)
            status = keeper_grant(grants, KEEPER_NAMES, path, format->ops->siblings);
    return status;
}

/* What a folder that is a dump consists of. */
static int grant_members(struct keeper_grants *grants, const char *folder)
{
    int status = 0;

    for (const struct format *format = formats_table; format->name != NULL && status == 0; format++)
        if (format->ops->members != NULL)
            status = keeper_grant(grants, KEEPER_NAMES, folder, format->ops->members);
    return status;
}

/* Its folder; of a folder itself. For free(). */
static char *folder_of(const char *path, bool is_folder)
{
    char *real = realpath(path, NULL);

    if (real != NULL && !is_folder) {
        char *slash = strrchr(real, '/');

        slash[slash == real] = '\0'; /* the root's own stays */
    }
    return real;
}

/* What the formats know by its name lies beside the dump, or in it. */
static int grant_dump(struct mount_session *session, const char *dump, bool is_folder)
{
    char *folder = folder_of(dump, is_folder);
    int status = keeper_grant(&session->grants, KEEPER_FILE, dump, NULL);

    if (status == 0 && folder != NULL)
        status = grant_path(&session->grants, folder, false);
    if (status == 0 && folder != NULL && is_folder)
        status = grant_members(&session->grants, folder);
    free(folder);
    return status;
}

static enum program_status start_helpers(struct mount_session *session)
{
    int status = options_each_path(&session->program.options.common, grant_path, &session->grants);

    if (status == 0 && session->dumps != NULL)
        status =
            keeper_grant(&session->grants, KEEPER_FOLDER, folder_dumps_path(session->dumps), NULL);
    else if (status == 0 && session->stream < 0)
        status = grant_dump(session, session->command.dump, session->program.is_folder);
    if (status == 0 && session->pair != NULL)
        status = grant_dump(session, session->command.other, session->pair->second.is_folder);
    if (status == 0 && session->overlay != NULL)
        status = keeper_grant(&session->grants, KEEPER_TREE, overlay_path(session->overlay), NULL);
    session->launcher = (struct launcher_params){
        .program = worker_program(), .program_file = -1, .namespaces = true};
    if (session->launcher.program != NULL)
        session->launcher.folder = shader_disk_cache_folder(session->launcher.program);
    worker_use_program(session->launcher.program, session->launcher.folder);
    if (status == 0)
        status = helpers_start(HELPER_KEEPER, "keeper", be_keeper, session);
    if (status == 0)
        status = helpers_start(HELPER_LAUNCHER, "launcher", be_launcher, session);
    if (status < 0)
        log_write(LOG_ERR, "no processes beside the daemon: %s", strerror(-status));
    confinement_note(CONFINEMENT_KEEPER, status == 0, "opens files, mounts and unmounts");
    confinement_note(CONFINEMENT_LAUNCHER, status == 0, "starts graphics workers");
    return status == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

/* The confinement. */

/* A producer is waited for, who might connect to a confined process no more. */
static enum program_status open_stream(struct mount_session *session)
{
    struct program *program = &session->program;
    const struct source_params params = {.streams = true, .follow = program->options.follow};
    struct text message = TEXT_INIT;

    if (session->dumps != NULL || session->pair != NULL ||
        !source_is_stream(session->command.dump, &params))
        return PROGRAM_OK;
    session->stream = stream_open(session->command.dump, program->options.allow_remote, &message);
    if (session->stream < 0)
        log_write(LOG_ERR, "%s: %.*s", session->command.dump, (int)message.length, message.bytes);
    text_clear(&message);
    program->stream = &session->stream;
    return session->stream < 0 ? PROGRAM_OPEN : PROGRAM_OK;
}

/* From here on no byte of a dump is read by a process that has more rights than it needs. */
static enum program_status confine(struct mount_session *session)
{
    uint64_t max_expand = session->program.options.max_expand;
    const struct confine_params params = {
        .user = session->user, .file_max = max_expand != 0 ? max_expand : SOURCE_MAX_STREAM};
    enum program_status status;

    if (session->program.options.confine == OPTIONS_DROP) {
        daemon_connect(&session->daemon);
        memory_limit_open();
        return PROGRAM_OK;
    }
    status = start_helpers(session);
    memory_limit_open();
    daemon_connect(&session->daemon);
    if (session->dumps == NULL)
        daemon_notify_opening(session->command.dump);
    if (status == PROGRAM_OK)
        status = open_stream(session);
    if (status != PROGRAM_OK)
        return status;
    confine_process(&params);
    daemon_follow_parent(&session->daemon);
    return PROGRAM_OK;
}

static void tell_ready(void *context)
{
    struct mount_session *session = context;
    struct helper_request request;

    log_write(LOG_INFO, "%s is mounted at %s", session->command.dump, session->point.path);
    daemon_notify_ready(session->command.dump, session->point.path);
    if (session->command.foreground)
        return;
    if (helper_is_there(HELPER_KEEPER)) {
        helper_fill(&request, HELPER_BACKGROUND, NULL);
        (void)helper_ask(HELPER_KEEPER, &request, NULL, 0, NULL, NULL);
    }
    daemon_ready(&session->daemon);
}

static enum program_status serve_folder(struct mount_session *session)
{
    int result = mount_serve_folder(session->mount, tell_ready, session);

    daemon_notify_stopping();
    if (result != 0)
        log_write(LOG_ERR, "%s: %s", session->point.path, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

static enum program_status serve_pair(struct mount_session *session)
{
    unsigned threads = session->command.single ? 0 : session->program.options.common.threads;
    enum program_status status = pair_start(session->pair, threads);

    if (status == PROGRAM_OK)
        status = serve_folder(session);
    if (!pair_end(session->pair) && status == PROGRAM_OK)
        status = PROGRAM_OPEN;
    return status;
}

/* What is left of opening it. False: there is nothing to serve, with the status to end with. */
static bool finish_opening(struct mount_session *session, enum program_status *status)
{
    struct program *program = &session->program;
    int result = program->dump.dump != NULL ? 0
                                            : opening_wait(program, session->command.dump,
                                                           session->mount, tell_ready, session);

    *status = result == 0 || result == -ECANCELED ? PROGRAM_OK : PROGRAM_OPEN;
    if (result != 0)
        daemon_notify_stopping();
    return result == 0;
}

/* Edits are made of a whole dump, whose format knows what can be edited. */
static enum program_status check_overlay(const struct mount_session *session)
{
    const struct format_dump *dump = &session->program.dump;

    if (session->overlay == NULL || dump->dump == NULL)
        return PROGRAM_OK;
    if (dump->dump->follow != NULL)
        log_write(LOG_ERR, "overlay: a dump that grows cannot be edited");
    else if (dump->format->ops->edit == NULL)
        log_write(LOG_ERR, "overlay: a %s cannot be edited", dump->format->title);
    else
        return PROGRAM_OK;
    return PROGRAM_USAGE;
}

/* The dump, or what comes of it and the edits that there are. */
static enum program_status make_tree(struct mount_session *session)
{
    struct program *program = &session->program;
    struct tree *tree;
    unsigned threads = session->command.single ? 0 : program->options.common.threads;
    enum program_status status = check_overlay(session);

    if (status == PROGRAM_OK && session->overlay == NULL)
        status = program_make_tree(program, threads);
    else if (status == PROGRAM_OK &&
             (overlay_begin(session->overlay, program, threads, &tree) != 0 ||
              overlay_start(session->overlay, session->mount, tree) != 0))
        status = PROGRAM_OPEN;
    return status;
}

static enum program_status serve(struct mount_session *session)
{
    struct program *program = &session->program;
    enum program_status status;
    int result;

    if (session->dumps != NULL)
        return serve_folder(session);
    if (session->pair != NULL)
        return serve_pair(session);
    if (!finish_opening(session, &status))
        return status;
    status = make_tree(session);
    if (status != PROGRAM_OK)
        return status;
    result = mount_serve(session->mount, program->tree, tell_ready, session);
    if (session->overlay != NULL)
        overlay_end(session->overlay);
    daemon_notify_stopping();
    if (result != 0)
        log_write(LOG_ERR, "%s: %s", session->point.path, strerror(-result));
    tree_destroy(&program->tree);
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

/* Of a stream this waits for its first bytes, which tell its format. */
static enum program_status open_dump(struct mount_session *session)
{
    struct program *program = &session->program;
    enum program_status status;

    if (session->program.options.confine == OPTIONS_DROP)
        daemon_notify_opening(session->command.dump);
    program->max_wait_ms = program->options.common.strict ? 0 : MAX_WAIT_MS;
    if (session->pair != NULL)
        return pair_open(session->pair, session->command.single ? 0 : program->max_wait_ms);
    status = program_open(program, session->command.dump);
    if (session->stream >= 0)
        close(session->stream); /* the dump has its own */
    session->stream = -1;
    if (status == PROGRAM_OK && session->command.single && program->dump.dump != NULL &&
        program->dump.dump->follow != NULL) {
        log_write(LOG_ERR, "a dump that grows is followed by threads: not with -s");
        status = PROGRAM_USAGE;
    }
    return status == PROGRAM_OK ? check_overlay(session) : status;
}

static enum program_status read_folder(struct mount_session *session)
{
    int result = folder_dumps_read(session->dumps);

    if (result != 0)
        log_write(LOG_ERR, "%s: %s", session->command.dump, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

static enum program_status run_daemon(struct mount_session *session)
{
    enum program_status status = confine(session);

    if (status == PROGRAM_OK)
        status = session->dumps != NULL ? read_folder(session) : open_dump(session);
    if (status == PROGRAM_OK) {
        mount_hold_signals(); /* from here on one ends the process by way of unmounting */
        status = attach(session);
    }
    if (status == PROGRAM_OK)
        status = serve(session);
    return status;
}

/* In the background the parent waits until the child is ready, and ends as it does if not. */
static enum program_status run_somewhere(struct mount_session *session)
{
    struct daemon *daemon = &session->daemon;
    enum program_status status;
    int result;

    if (session->command.foreground)
        return run_daemon(session);
    result = daemon_fork(daemon);
    if (result != 0) {
        log_write(LOG_ERR, "cannot go into the background: %s", strerror(-result));
        return PROGRAM_MOUNTPOINT;
    }
    if (daemon->child == 0)
        return run_daemon(session);
    status = (enum program_status)daemon_wait(daemon);
    if (status == PROGRAM_OK)
        _exit(PROGRAM_OK);
    return status;
}

static enum program_status open_folder(struct mount_session *session)
{
    int result = folder_dumps_create(session->command.dump, &session->program.options,
                                     session->command.single, &session->dumps);

    if (result != 0)
        log_write(LOG_ERR, "%s: %s", session->command.dump, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

static enum program_status open_pair(struct mount_session *session)
{
    const char *const paths[2] = {session->command.dump, session->command.other};

    session->program.streams = PROGRAM_NO_STREAMS;
    if (pair_create(&session->program, paths, &session->pair) == 0)
        return PROGRAM_OK;
    log_write(LOG_ERR, "%s", strerror(ENOMEM));
    return PROGRAM_OPEN;
}

static enum program_status find_user(struct mount_session *session)
{
    const char *name = session->program.options.run_as;
    int result = confine_find_user(name, &session->user);

    if (result == -EPERM)
        log_write(LOG_ERR, "run-as=%s: only root can mount as another user", name);
    else if (result != 0)
        log_write(LOG_ERR, "run-as=%s: there is no such user", name);
    return result == 0 ? PROGRAM_OK : PROGRAM_USAGE;
}

/* The daemon itself stays where it is, and so could not mount elsewhere. */
static enum program_status check_namespace(const struct mount_session *session)
{
    const struct program_options *options = &session->program.options;

    if (options->mount_namespace == NULL || options->confine != OPTIONS_DROP)
        return PROGRAM_OK;
    log_write(LOG_ERR, "mount-namespace is for a process beside the daemon: not with confine=no");
    return PROGRAM_USAGE;
}

/* The mount may hide the folder, and the background is another place: it is opened at once. */
static enum program_status open_overlay(struct mount_session *session)
{
    const char *path = session->program.options.overlay;
    const char *other = session->command.folder           ? "dir"
                        : session->command.compare        ? "compare"
                        : session->program.options.follow ? "follow"
                        : session->command.single         ? "-s"
                                                          : NULL;
    int result;

    if (path == NULL)
        return PROGRAM_OK;
    if (other != NULL) {
        log_write(LOG_ERR, "overlay is for one whole dump, and needs a thread: not with %s", other);
        return PROGRAM_USAGE;
    }
    result = overlay_create(path, &session->overlay);
    if (result != 0)
        log_write(LOG_ERR, "overlay=%s: %s", path, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_USAGE;
}

static enum program_status become_helper(const struct mount_session *session)
{
    const struct command *command = &session->command;
    int result =
        command_become_helper(command->dump, command->directory, command->helper_options.bytes);

    log_write(LOG_ERR, "drop_privileges and setuid= need mount.fuse3: %s", strerror(-result));
    return PROGRAM_MOUNTPOINT;
}

/* In the background the program stands in another folder. */
static void resolve_spool(struct program_options *options)
{
    char *path = options->spool != NULL ? realpath(options->spool, NULL) : NULL;

    if (path == NULL)
        return;
    free(options->spool);
    options->spool = path;
}

static enum program_status mount_dump(struct mount_session *session, int argc, char **argv)
{
    struct program *program = &session->program;
    enum program_status status = command_parse(&session->command, program, argc, argv);

    if (status == PROGRAM_OK && session->command.list)
        return mounts_print();
    if (status == PROGRAM_OK && session->command.unmount)
        return mounts_unmount(session->command.names, session->command.name_count);
    if (status == PROGRAM_OK && session->command.other_user)
        status = become_helper(session);
    resolve_spool(&program->options);
    if (status == PROGRAM_OK)
        status = find_user(session);
    if (status == PROGRAM_OK)
        status = check_namespace(session);
    program->streams = PROGRAM_STREAMS_GROW;
    program->folder_hint = "--dir mounts all dumps in it";
    if (status == PROGRAM_OK)
        program_look(program, session->command.dump);
    if (status == PROGRAM_OK && session->command.folder)
        status = open_folder(session);
    if (status == PROGRAM_OK && session->command.compare)
        status = open_pair(session);
    if (status == PROGRAM_OK)
        status = open_overlay(session);
    if (status == PROGRAM_OK)
        status = create_mount(session);
    if (status == PROGRAM_OK)
        status = check_mountpoint(session);
    if (status == PROGRAM_OK)
        status = run_somewhere(session);
    return status;
}

/* The keeper unmounts, and removes what it has made, while the device is still open here. */
static void detach(struct mount_session *session)
{
    struct helper_request request;
    bool gone = session->attached && mount_is_gone(session->mount);

    if (session->attached)
        mount_detach(session->mount);
    if (helper_is_there(HELPER_KEEPER)) {
        helper_fill(&request, HELPER_DETACH, NULL);
        request.flags = gone;
        (void)helper_ask(HELPER_KEEPER, &request, NULL, 0, NULL, NULL);
    }
    mount_destroy(&session->mount);
    helpers_end();
}

int main(int argc, char **argv)
{
    struct mount_session session = {.stream = -1};
    enum program_status status = program_init(&session.program, "gpudumpfs");

    helpers_take_words(argc, argv);
    if (status == PROGRAM_OK)
        status = mount_dump(&session, argc, argv);
    overlay_destroy(&session.overlay);
    pair_destroy(&session.pair);
    program_close(&session.program);
    detach(&session);
    keeper_grants_clear(&session.grants);
    folder_dumps_destroy(&session.dumps);
    mountpoint_clear(&session.point);
    command_clear(&session.command);
    return (int)status;
}
