/* SPDX-License-Identifier: MIT */
/*
 * Mounts a dump. Everything that can fail is tried before the calling program goes on. The process
 * that reads the dump is confined before it does so (docs/confinement.md), and makes threads only
 * after that.
 */
#include "config.h"

#include "base/confinement.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "cli/helpers.h"
#include "cli/mount_session.h"
#include "cli/mounts.h"
#include "cli/opening.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_WAIT_MS = 400, /* milliseconds to expand a dump before the mount is made; the rest is
                          expanded after that */
};

/* The confinement. */

/* Opens a stream now: a producer may be unable to connect to a confined process. */
static enum program_status open_stream(struct mount_session *session)
{
    if (session->dumps != NULL || session->pair != NULL)
        return PROGRAM_OK;
    return program_open_stream(&session->program, session->command.dump, &session->stream);
}

/*
 * Reserves the number that FUSE's device will have, and that the confinement is given. Apart from
 * the standard descriptors, it is the only one whose number another file may take later.
 */
static void keep_device_free(struct mount_session *session)
{
    session->device = mount_device_of(session->point.path);
    if (session->device < 0)
        session->device = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* After this, no process with more rights than it needs reads a byte of a dump. */
static enum program_status confine(struct mount_session *session)
{
    uint64_t max_expand = session->program.options.max_expand;
    struct confine_params params = {.user = session->helpers.user,
                                    .file_max = max_expand != 0 ? max_expand : SOURCE_MAX_STREAM};
    enum program_status status;

    if (session->program.options.confine == OPTIONS_DROP) {
        daemon_connect(&session->daemon);
        (void)memory_limit_open();
        return PROGRAM_OK;
    }
    status = mount_session_start_helpers(session);
    (void)memory_limit_open();
    daemon_connect(&session->daemon);
    if (session->dumps == NULL)
        daemon_notify_opening(session->command.dump);
    if (status == PROGRAM_OK)
        status = open_stream(session);
    if (status != PROGRAM_OK)
        return status;
    keep_device_free(session);
    params.device = session->device;
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

/*
 * Waits for the rest of opening the dump. Returns false if there is nothing to serve, with the
 * status to end with.
 */
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

/*
 * Checks that edits are possible: they need a dump that is complete, and a format that supports
 * them.
 */
static enum program_status check_overlay(const struct mount_session *session)
{
    const struct format_dump *dump = &session->program.dump;

    if (session->overlay == NULL || dump->dump == NULL)
        return PROGRAM_OK;
    if (dump->dump->follow != NULL)
        log_write(LOG_ERR, "overlay: a growing dump cannot be edited");
    else if (dump->format->ops->edit == NULL)
        log_write(LOG_ERR, "overlay: this %s cannot be edited", dump->format->title);
    else
        return PROGRAM_OK;
    return PROGRAM_USAGE;
}

/* Makes the tree of the dump, or of the dump with its present edits. */
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

/* For a stream, this waits for its first bytes, which show the format. */
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
        close(session->stream); /* the dump has its own descriptor */
    session->stream = -1;
    if (status == PROGRAM_OK && session->command.single && program->dump.dump != NULL &&
        program->dump.dump->follow != NULL) {
        log_write(LOG_ERR, "a growing dump needs threads to be followed, so -s is not possible");
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
        mount_hold_signals(); /* from here on, a signal ends the process by unmounting */
        status = mount_session_attach(session);
    }
    if (status == PROGRAM_OK)
        status = serve(session);
    return status;
}

/* In the background, the parent waits until the child is ready, or ends with its status. */
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
    int result = confine_find_user(name, &session->helpers.user);

    if (result == -EPERM)
        log_write(LOG_ERR, "run-as=%s: only root can mount as another user", name);
    else if (result != 0)
        log_write(LOG_ERR, "run-as=%s: there is no such user", name);
    return result == 0 ? PROGRAM_OK : PROGRAM_USAGE;
}

/* Without helpers, the daemon itself would mount, but it stays in its own namespace. */
static enum program_status check_namespace(const struct mount_session *session)
{
    const struct program_options *options = &session->program.options;

    if (options->mount_namespace == NULL || options->confine != OPTIONS_DROP)
        return PROGRAM_OK;
    log_write(LOG_ERR, "mount-namespace needs a helper process, so confine=no is not possible");
    return PROGRAM_USAGE;
}

/*
 * Opens the folder at once: the mount may hide it, and the background process has another current
 * folder.
 */
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
        log_write(LOG_ERR,
                  "overlay needs a single complete dump and a thread, so %s is not possible",
                  other);
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

/* In the background, the program has another current folder. */
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
        status = mount_session_create(session);
    if (status == PROGRAM_OK)
        status = mount_session_check_mountpoint(session);
    if (status == PROGRAM_OK)
        status = run_somewhere(session);
    return status;
}

/*
 * Otherwise a file that is opened later would get one of these numbers, and be replaced in the
 * background.
 */
static void fill_standard_files(void)
{
    int file;

    do
        file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

int main(int argc, char **argv)
{
    struct mount_session session = {.stream = -1, .device = -1};
    enum program_status status;

    fill_standard_files();
    status = program_init(&session.program, "gpudumpfs");
    helpers_take_words("gpudumpfs", argc, argv);
    if (status == PROGRAM_OK)
        status = mount_dump(&session, argc, argv);
    overlay_destroy(&session.overlay);
    pair_destroy(&session.pair);
    program_close(&session.program);
    mount_session_detach(&session);
    helper_roles_clear(&session.helpers);
    folder_dumps_destroy(&session.dumps);
    mountpoint_clear(&session.point);
    command_clear(&session.command);
    return (int)status;
}
