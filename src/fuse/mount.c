/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuse/mount.h"

#include "fuse/generations.h"
#include "fuse/idle_unmount.h"
#include "fuse/internal.h"
#include "fuse/loop.h"
#include "fuse/notifier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
    MISC_MAJOR = 10,   /* major number of /dev/fuse in every Linux (devices.txt of the kernel) */
    FUSE_MINOR = 229,  /* minor number of /dev/fuse */
    HELD_DEVICE = 127, /* a descriptor number above those that are open at the start */
};

const char *mount_library(void)
{
    return fuse_pkgversion();
}

/* Builds the options for libfuse; the user's come last, and win. */
static int build_arguments(const struct mount_params *params, unsigned max_read,
                           struct fuse_args *out)
{
    char *standard = NULL, *source = NULL, *list = NULL;
    int result = -ENOMEM;

    if (asprintf(&standard, "ro,nosuid,nodev,default_permissions,subtype=gpudumpfs,max_read=%u%s",
                 max_read, params->debug ? ",debug" : "") >= 0 &&
        asprintf(&source, "fsname=%s", params->source) >= 0 &&
        fuse_opt_add_opt(&list, standard) == 0 && fuse_opt_add_opt_escaped(&list, source) == 0 &&
        (params->fuse_options == NULL || *params->fuse_options == '\0' ||
         fuse_opt_add_opt(&list, params->fuse_options) == 0) &&
        fuse_opt_add_arg(out, params->program) == 0 && fuse_opt_add_arg(out, "-o") == 0 &&
        fuse_opt_add_arg(out, list) == 0)
        result = 0;
    free(standard);
    free(source);
    free(list);
    return result;
}

static int drop_option(void *found, const char *option, int key, struct fuse_args *arguments)
{
    (void)found;
    (void)option;
    (void)key;
    (void)arguments;
    return 0;
}

/* Has libfuse parse the list, since it knows how `\` escapes. */
bool mount_has_option(const char *list, const char *name)
{
    const struct fuse_opt wanted[] = {{name, 0, 1}, FUSE_OPT_END};
    struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
    int found = 0;

    if (list != NULL && fuse_opt_add_arg(&arguments, "") == 0 &&
        fuse_opt_add_arg(&arguments, "-o") == 0 && fuse_opt_add_arg(&arguments, list) == 0)
        (void)fuse_opt_parse(&arguments, &found, wanted, drop_option);
    fuse_opt_free_args(&arguments);
    return found != 0;
}

static int create(const struct mount_params *params, const struct mount_dumps *dumps,
                  struct mount **out)
{
    struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
    struct fuse_lowlevel_ops operations;
    struct mount *mount = calloc(1, sizeof(*mount));
    int result = -ENOMEM;

    if (mount == NULL)
        goto out;
    pthread_mutex_init(&mount->lock, NULL);
    mount->held_device = -1;
    mount->options = params->options;
    idle_unmount_init(&mount->idle_unmount, params);
    mount->must_opendir = mount_has_option(params->fuse_options, "auto_unmount");
    mount->max_read = params->max_read != 0 ? params->max_read : MOUNT_MAX_READ;
    result = build_arguments(params, mount->max_read, &arguments);
    if (result != 0)
        goto out;
    libfuse_log_begin();
    if (dumps == NULL)
        dump_set_operations(&operations);
    else
        folder_set_operations(&operations);
    if (dumps != NULL)
        result = folder_create(mount, dumps, &mount->folder);
    else if (params->replaceable)
        result = generations_create(&mount->generations);
    if (result != 0)
        goto out;
    mount->session = fuse_session_new(&arguments, &operations, sizeof(operations), mount);
    if (mount->session == NULL) {
        result = -EINVAL;
        goto out;
    }
    *out = mount;
    mount = NULL;
out:
    fuse_opt_free_args(&arguments);
    if (mount != NULL) {
        folder_destroy(&mount->folder);
        generations_destroy(&mount->generations);
        pthread_mutex_destroy(&mount->lock);
    }
    free(mount);
    return result;
}

int mount_create(const struct mount_params *params, struct mount **out)
{
    return create(params, NULL, out);
}

int mount_create_folder(const struct mount_params *params, const struct mount_dumps *dumps,
                        struct mount **out)
{
    return create(params, dumps, out);
}

/* Parses the path as libfuse does. */
int mount_device_of(const char *path)
{
    int device = -1, length = 0;

    return sscanf(path, "/dev/fd/%9d%n", &device, &length) == 1 && path[length] == '\0' ? device
                                                                                        : -1;
}

int mount_take_device(const char *path)
{
    int device = mount_device_of(path);
    struct stat status;

    if (fstat(device, &status) != 0 || fcntl(device, F_SETFD, FD_CLOEXEC) != 0)
        return -errno;
    return S_ISCHR(status.st_mode) && status.st_rdev == makedev(MISC_MAJOR, FUSE_MINOR) ? 0
                                                                                        : -ENOTTY;
}

/*
 * With auto_unmount a helper of libfuse waits for the end of a socket that is opened after the
 * device. The kernel closes the descriptors of a killed process from the highest down, so the
 * helper could see a mount that still exists, and leave it for good. A second descriptor of the
 * device, above the socket's, reverses the order.
 */
static int hold_device(int device)
{
    struct rlimit files = {.rlim_cur = 2 * HELD_DEVICE};
    int above;

    (void)getrlimit(RLIMIT_NOFILE, &files);
    above = files.rlim_cur / 2 < HELD_DEVICE ? (int)(files.rlim_cur / 2) : HELD_DEVICE;
    return fcntl(device, F_DUPFD_CLOEXEC, above);
}

int mount_attach(struct mount *mount, const char *path)
{
    if (fuse_session_mount(mount->session, path) != 0)
        return -EIO;
    mount->held_device = hold_device(fuse_session_fd(mount->session));
    return 0;
}

static void let_go_of_device(struct mount *mount)
{
    if (mount->held_device >= 0)
        close(mount->held_device);
    mount->held_device = -1;
}

bool mount_is_gone(const struct mount *mount)
{
    struct pollfd device = {.fd = fuse_session_fd(mount->session)};

    return poll(&device, 1, 0) == 1 && (device.revents & POLLERR) != 0;
}

int mount_give_device(struct mount *mount)
{
    int device = hold_device(fuse_session_fd(mount->session)), error = errno;

    let_go_of_device(mount);
    close(fuse_session_fd(mount->session));
    return device < 0 ? -error : device;
}

void mount_hold_signals(void)
{
    loop_hold_signals();
}

int mount_wait(struct mount *mount, int opened, void (*ready)(void *context), void *context)
{
    sigset_t while_waiting;

    mount->ready = ready;
    mount->ready_context = context;
    mount->reader = pthread_self();
    loop_catch_signals(&while_waiting);
    return loop_wait(mount, opened, &while_waiting);
}

int mount_serve(struct mount *mount, struct tree *tree, void (*ready)(void *context), void *context)
{
    sigset_t while_waiting;

    mount->ready = ready;
    mount->ready_context = context;
    mount->reader = pthread_self();
    if (mount->generations == NULL) {
        mount->tree = tree;
        mount->modes = modes_of_dump(mount->options, tree_dump(tree));
    } else {
        generations_turn(mount->generations);
    }
    loop_catch_signals(&while_waiting);
    return loop_serve(mount, &while_waiting);
}

int mount_serve_folder(struct mount *mount, void (*ready)(void *context), void *context)
{
    sigset_t while_waiting;
    int result;

    mount->ready = ready;
    mount->ready_context = context;
    mount->reader = pthread_self();
    loop_catch_signals(&while_waiting);
    result = folder_start(mount->folder);
    if (result == 0)
        result = loop_serve(mount, &while_waiting);
    folder_end(mount->folder);
    return result;
}

int mount_replace(struct mount *mount, struct tree *tree)
{
    return generations_replace(mount, tree);
}

struct tree *mount_take_unused(struct mount *mount)
{
    return generations_take_unused(mount);
}

void mount_detach(struct mount *mount)
{
    notifier_settle(&mount->notifier);
    let_go_of_device(mount);
    fuse_session_unmount(mount->session);
    idle_unmount_join(&mount->idle_unmount);
}

void mount_destroy(struct mount **mount)
{
    if (*mount == NULL)
        return;
    notifier_join(&(*mount)->notifier);
    idle_unmount_join(&(*mount)->idle_unmount);
    folder_destroy(&(*mount)->folder);
    generations_destroy(&(*mount)->generations);
    let_go_of_device(*mount);
    fuse_session_destroy((*mount)->session);
    pthread_mutex_destroy(&(*mount)->lock);
    free(*mount);
    *mount = NULL;
}
