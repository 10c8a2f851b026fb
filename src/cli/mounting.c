/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/log.h"
#include "cli/helpers.h"
#include "cli/mount_session.h"
#include "cli/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool are_same(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The process that reads the folder also serves the mountpoint: it would wait for itself. */
static bool is_in_folder(const struct mount_session *session)
{
    char *folder = realpath(session->command.dump, NULL);
    size_t length = folder != NULL ? strlen(folder) : 0;
    const char *path = session->point.path;
    bool within = length > 0 && strncmp(path, folder, length) == 0 &&
                  (folder[length - 1] == '/' || path[length] == '\0' || path[length] == '/');

    free(folder);
    return within;
}

/*
 * For a mount that we did not make, the kernel checks no permissions unless default_permissions is
 * set.
 */
static bool are_permissions_checked(const struct mount_session *session)
{
    const char *options = session->command.fuse_options.bytes;

    return !mount_has_option(options, "allow_other") ||
           mount_has_option(options, "default_permissions");
}

/*
 * Takes /dev/fd/N as mountpoint: mount.fuse3 has made the mount, at a place that we neither know
 * nor change.
 */
static enum program_status take_device(struct mount_session *session)
{
    const char *name = session->command.directory;
    int result = mount_take_device(name);

    if (!are_permissions_checked(session)) {
        log_write(LOG_ERR, "drop_privileges with allow_other needs default_permissions");
        return PROGRAM_USAGE;
    }
    if (session->program.options.mount.idle_unmount != 0) {
        log_write(LOG_ERR, "idle-unmount= cannot unmount a mount that mount.fuse3 has made");
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

/*
 * Returns whether the mountpoint is a dump. Without MOUNTPOINT, its name is the dump's without the
 * extension. If there is no extension, as for a folder, that is the dump's own name. For two dumps
 * that are compared, it is made of the first one's name, and may be the name of the second one.
 */
static bool is_dump_itself(const struct mount_session *session, const char *name)
{
    const struct command *command = &session->command;

    return are_same(name, command->dump) ||
           (session->pair != NULL && are_same(name, command->other));
}

enum program_status mount_session_check_mountpoint(struct mount_session *session)
{
    const char *dump = session->command.dump, *directory = session->command.directory;
    struct text message = TEXT_INIT;
    char *name = directory != NULL ? strdup(directory) : mountpoint_name(dump);
    int result = -ENOMEM;

    if (directory != NULL && mount_device_of(directory) >= 0) {
        free(name);
        return take_device(session);
    }
    if (name != NULL && is_dump_itself(session, name)) {
        text_printf(&message, "mountpoint %s: it is the dump itself; give another MOUNTPOINT",
                    name);
        result = -EBUSY;
    } else if (name != NULL) {
        result = mountpoint_check(&session->point, name, &message);
    }
    if (result == 0 && session->command.folder && is_in_folder(session)) {
        text_printf(&message, "mountpoint %s: it is in the folder of the dumps", name);
        result = -EBUSY;
    }
    if (result != 0 && message.length > 0)
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    else if (result != 0)
        log_write(LOG_ERR, "mountpoint of %s: %s", dump, strerror(-result));
    else if (session->point.occupied && !session->command.nonempty)
        log_write(LOG_WARNING,
                  "mountpoint %s: it is not empty; its contents are hidden until the unmount",
                  name);
    text_clear(&message);
    free(name);
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

int mount_session_unmount_idle(void *context)
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

enum program_status mount_session_create(struct mount_session *session)
{
    char *absolute = realpath(session->command.dump, NULL);
    struct mount_params params = {.program = session->program.name,
                                  .source = absolute != NULL ? absolute : session->command.dump,
                                  .options = &session->program.options.mount,
                                  .fuse_options = session->command.fuse_options.bytes,
                                  .max_read = session->command.max_read,
                                  .debug = session->command.debug,
                                  .replaceable = session->overlay != NULL,
                                  .unmount = mount_session_unmount_idle,
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
    if (result == -EINVAL) {
        command_explain_options(&session->command, &session->program);
        return PROGRAM_USAGE;
    }
    if (result != 0)
        log_write(LOG_ERR, "%s: cannot be mounted: %s", session->point.path, strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

static bool asks_for_others(const struct mount_session *session)
{
    const char *options = session->command.fuse_options.bytes;

    return mount_has_option(options, "allow_other") || mount_has_option(options, "allow_root");
}

static void tell_unmountable(const struct mount_session *session)
{
    struct text message = TEXT_INIT;

    log_write(LOG_ERR, "%s: cannot mount here", session->point.path);
    if (mountpoint_explain_device("/dev/fuse", &message))
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    else if (geteuid() != 0 && asks_for_others(session))
        log_write(LOG_ERR, "users may mount with allow_other or allow_root only if /etc/fuse.conf "
                           "has the line user_allow_other");
    text_clear(&message);
}

enum program_status mount_session_attach_here(struct mount_session *session)
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

/*
 * Moves the device to the number that is reserved for it. If that fails, keeps its own number,
 * which only loses the improvement of handshake.c.
 */
static int take_number(struct mount_session *session, int device)
{
    if (session->device < 0)
        return device;
    if (dup3(device, session->device, O_CLOEXEC) < 0) {
        log_write(LOG_INFO, "names in a directory are looked up one at a time: %s",
                  strerror(errno));
        close(session->device);
        session->device = -1;
        return device;
    }
    close(device);
    return session->device;
}

/* Makes the session serve the device, or closes it on failure. Returns 0 or -errno. */
static int attach_device(struct mount_session *session, int device)
{
    struct text path = TEXT_INIT;
    int status;

    device = take_number(session, device);
    text_printf(&path, "/dev/fd/%d%c", device, 0);
    status = text_status(&path);
    if (status == 0)
        status = mount_attach(session->mount, path.bytes);
    if (status != 0)
        close(device);
    text_clear(&path);
    return status;
}

/* Takes the device of a mount that the keeper has made, like one of mount.fuse3; -1: none came. */
static enum program_status take_mount(struct mount_session *session, int device)
{
    int status = device >= 0 ? attach_device(session, device) : -EBADF;

    session->attached = status == 0;
    if (status != 0)
        log_write(LOG_ERR, "%s: %s", session->point.path, strerror(-status));
    return status == 0 ? PROGRAM_OK : PROGRAM_MOUNTPOINT;
}

enum program_status mount_session_attach(struct mount_session *session)
{
    struct helper_request request;
    int device, status;

    if (!helper_is_there(HELPER_KEEPER) || mount_device_of(session->point.path) >= 0)
        return mount_session_attach_here(session);
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

void mount_session_detach(struct mount_session *session)
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
