/* SPDX-License-Identifier: MIT */
/*
 * All operations that would write. The kernel refuses them itself, since the mount is read-only;
 * these replies are for a mount that was remounted with write access.
 */
#include "fuse/serve.h"

#include <errno.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSE(operation, ...)                                                                     \
    static void refuse_##operation(fuse_req_t fuse, fuse_ino_t inode, __VA_ARGS__)                 \
    {                                                                                              \
        fuse_reply_err(fuse, EROFS);                                                               \
    }
REFUSE(setattr, struct stat *status, int which, struct fuse_file_info *info)
REFUSE(mknod, const char *name, mode_t mode, dev_t device)
REFUSE(mkdir, const char *name, mode_t mode)
REFUSE(name, const char *name)
REFUSE(rename, const char *name, fuse_ino_t directory, const char *new_name, unsigned flags)
REFUSE(link, fuse_ino_t directory, const char *name)
REFUSE(create, const char *name, mode_t mode, struct fuse_file_info *info)
REFUSE(setxattr, const char *name, const char *value, size_t size, int flags)

static void refuse_symlink(fuse_req_t fuse, const char *target, fuse_ino_t inode, const char *name)
{
    fuse_reply_err(fuse, EROFS);
}
#pragma GCC diagnostic pop

void refuse_writes(struct fuse_lowlevel_ops *operations)
{
    operations->setattr = refuse_setattr;
    operations->mknod = refuse_mknod;
    operations->mkdir = refuse_mkdir;
    operations->unlink = refuse_name;
    operations->rmdir = refuse_name;
    operations->symlink = refuse_symlink;
    operations->rename = refuse_rename;
    operations->link = refuse_link;
    operations->create = refuse_create;
    operations->setxattr = refuse_setxattr;
    operations->removexattr = refuse_name;
}
