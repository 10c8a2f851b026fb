/* SPDX-License-Identifier: MIT */
/*
 * Extended attributes. `ls -l` requests the ACL and the label of a file; once it gets EOPNOTSUPP,
 * it requests those of no other file on the device. The kernel itself stops when it gets ENOSYS,
 * but then for all names, so this is the reply if attributes are switched off.
 */
#include "base/string.h"
#include "fuse/mount_options.h"
#include "fuse/request.h"
#include "fuse/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = TREE_XATTR_PREFIX;

struct reading {
    struct request request;
    struct tree_xattrs xattrs;
    size_t room;
    /* The attribute whose value is requested, without the prefix. */
    char name[RULE_NAME_MAX + 1];
};

bool xattr_refuse(fuse_req_t fuse, const struct mount_options *options, const char *name)
{
    if (options->xattr == OPTIONS_DROP)
        fuse_reply_err(fuse, ENOSYS);
    else if (name != NULL && (string_begins(name, "system.") || string_begins(name, "security.")))
        fuse_reply_err(fuse, EOPNOTSUPP);
    else if (name != NULL && !string_begins(name, prefix))
        fuse_reply_err(fuse, ENODATA);
    else
        return false;
    return true;
}

void xattr_reply(fuse_req_t fuse, const char *bytes, size_t size, size_t room)
{
    if (room == 0)
        fuse_reply_xattr(fuse, size);
    else if (room < size)
        fuse_reply_err(fuse, ERANGE);
    else
        fuse_reply_buf(fuse, bytes, size);
}

static void reply_value(struct request *request, int status)
{
    const struct reading *reading = (const struct reading *)request;
    const char *value = status == 0 ? tree_xattrs_find(&reading->xattrs, reading->name) : NULL;

    if (value != NULL)
        xattr_reply(request->fuse, value, strlen(value), reading->room);
    else
        fuse_reply_err(request->fuse, status == 0 ? ENODATA : -status);
}

/* Replies with the names one after another, each with its NUL. */
static void reply_list(struct request *request, int status)
{
    const struct reading *reading = (const struct reading *)request;
    struct text names = TEXT_INIT;

    for (unsigned i = 0; status == 0 && i < reading->xattrs.count; i++)
        text_printf(&names, "%s%s%c", prefix, reading->xattrs.list[i].name, '\0');
    if (status == 0)
        status = text_status(&names);
    if (status == 0)
        xattr_reply(request->fuse, names.bytes, names.length, reading->room);
    else
        fuse_reply_err(request->fuse, -status);
    text_clear(&names);
}

static struct reading *begin(struct mount *mount, fuse_req_t fuse, size_t room,
                             void (*reply)(struct request *request, int status))
{
    struct reading *reading = request_begin(mount, fuse, sizeof(*reading), reply);

    if (reading != NULL)
        reading->room = room;
    return reading;
}

void serve_getxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, const char *name,
                    size_t room)
{
    struct reading *reading = begin(mount, fuse, room, reply_value);

    if (reading == NULL)
        return;
    strncpy(reading->name, name + strlen(prefix), RULE_NAME_MAX); /* the rest is zeroed */
    tree_submit_xattrs(mount->tree, inode, &reading->xattrs, &reading->request.tree);
    request_release(&reading->request);
}

void serve_listxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, size_t room)
{
    struct reading *reading = begin(mount, fuse, room, reply_list);

    if (reading == NULL)
        return;
    tree_submit_xattrs(mount->tree, inode, &reading->xattrs, &reading->request.tree);
    request_release(&reading->request);
}
