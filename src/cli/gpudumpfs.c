/* SPDX-License-Identifier: MIT */
/*
 * Mounts a dump. Everything that can fail is tried before the fork, so that it is
 * told to the program's caller; threads that stay are made after it.
 */
#include "cli/gpudumpfs.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WAIT_MS = 400 }; /* for a dump's expansion, before it goes on behind the mount */

struct mount_session {
    struct command command;
    struct program program;
    struct mountpoint point;
    struct mount *mount;
    struct folder_dumps *dumps; /* of a folder; else NULL */
    struct daemon daemon;
    bool attached;
    unsigned connection; /* of the mount, once it is attached (mounts_find()) */
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
    if (name != NULL && are_same(name, dump)) { /* a folder, or a file without an extension */
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
    unsigned connection = 0;

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
                                  .unmount = unmount_idle,
                                  .context = session};
    struct mount_dumps dumps;
    int result;

    if (session->dumps != NULL) {
        folder_dumps_describe(session->dumps, &dumps);
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

static enum program_status attach(struct mount_session *session)
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

static void tell_ready(void *context)
{
    struct mount_session *session = context;

    log_write(LOG_INFO, "%s is mounted at %s", session->command.dump, session->point.path);
    daemon_notify_ready(session->command.dump, session->point.path);
    if (!session->command.foreground)
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

static enum program_status serve(struct mount_session *session)
{
    struct program *program = &session->program;
    enum program_status status;
    int result;

    mount_hold_signals();
    if (session->dumps != NULL)
        return serve_folder(session);
    if (!finish_opening(session, &status))
        return status;
    status =
        program_make_tree(program, session->command.single ? 0 : program->options.common.threads);
    if (status != PROGRAM_OK)
        return status;
    result = mount_serve(session->mount, program->tree, tell_ready, session);
    daemon_notify_stopping();
    if (result != 0)
        log_write(LOG_ERR, "%s: %s", session->point.path, strerror(-result));
    tree_destroy(&program->tree);
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

/* In the background the parent cleans up after a child that never became ready. */
static enum program_status serve_somewhere(struct mount_session *session)
{
    struct daemon *daemon = &session->daemon;
    enum program_status status;
    int result;

    if (session->command.foreground)
        return serve(session);
    result = daemon_fork(daemon);
    if (result != 0) {
        log_write(LOG_ERR, "cannot go into the background: %s", strerror(-result));
        return PROGRAM_MOUNTPOINT;
    }
    if (daemon->child != 0) {
        status = (enum program_status)daemon_wait(daemon);
        if (status == PROGRAM_OK)
            _exit(PROGRAM_OK);
        return status;
    }
    status = serve(session);
    if (daemon->word >= 0)
        _exit((int)status);
    return status;
}

/* Of a stream this waits for its first bytes, which tell its format. */
static enum program_status open_dump(struct mount_session *session)
{
    struct program *program = &session->program;
    enum program_status status;

    program->streams = true;
    program->max_wait_ms = program->options.common.strict ? 0 : MAX_WAIT_MS;
    program->folder_hint = "--dir mounts all dumps in it";
    daemon_notify_opening(session->command.dump);
    status = program_open(program, session->command.dump);
    if (status == PROGRAM_OK && session->command.single && program->dump.dump != NULL &&
        program->dump.dump->follow != NULL) {
        log_write(LOG_ERR, "a dump that grows is followed by threads: not with -s");
        status = PROGRAM_USAGE;
    }
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
    if (status == PROGRAM_OK && session->command.folder)
        status = open_folder(session);
    if (status == PROGRAM_OK)
        status = create_mount(session);
    if (status == PROGRAM_OK)
        status = check_mountpoint(session);
    if (status == PROGRAM_OK && !session->command.folder)
        status = open_dump(session);
    if (status == PROGRAM_OK)
        status = attach(session);
    if (status == PROGRAM_OK)
        status = serve_somewhere(session);
    return status;
}

int main(int argc, char **argv)
{
    struct mount_session session = {0};
    enum program_status status = program_init(&session.program, "gpudumpfs");

    if (status == PROGRAM_OK)
        status = mount_dump(&session, argc, argv);
    program_close(&session.program);
    if (session.attached)
        mount_detach(session.mount);
    mount_destroy(&session.mount);
    folder_dumps_destroy(&session.dumps);
    mountpoint_clear(&session.point);
    command_clear(&session.command);
    return (int)status;
}
