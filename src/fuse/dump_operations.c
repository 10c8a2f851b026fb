/* SPDX-License-Identifier: MIT */
/*
 * The mount of one dump. Inode numbers are the tree's. The kernel's counts of lookups do not
 * matter, since no memory depends on a number.
 */
#include "fuse/generations.h"
#include "fuse/serve.h"

#include <errno.h>

static struct mount *mount_of(fuse_req_t fuse)
{
    struct mount *mount = fuse_req_userdata(fuse);

    return mount->generations != NULL ? generations_newest(mount->generations) : mount;
}

static struct mount *mount_of_file(fuse_req_t fuse, const struct fuse_file_info *info)
{
    struct mount *mount = fuse_req_userdata(fuse);

    return mount->generations != NULL
               ? generations_of(mount->generations,
                                tree_of_file((struct tree_file *)(uintptr_t)info->fh))
               : mount;
}

static void op_lookup(fuse_req_t fuse, fuse_ino_t directory, const char *name)
{
    serve_lookup(mount_of(fuse), fuse, directory, name);
}

static void op_getattr(fuse_req_t fuse, fuse_ino_t inode, struct fuse_file_info *info)
{
    (void)info;
    serve_getattr(mount_of(fuse), fuse, inode);
}

static void op_readlink(fuse_req_t fuse, fuse_ino_t inode)
{
    serve_readlink(mount_of(fuse), fuse, inode);
}

/*
 * Lets the kernel keep listings, unless they may grow or the tree may be replaced. ENOSYS does that
 * for all directories: after it the kernel never sends opendir again, and keeps every listing.
 */
static void op_opendir(fuse_req_t fuse, fuse_ino_t inode, struct fuse_file_info *file)
{
    (void)inode;
    if (mount_of(fuse)->generation != NULL || tree_grows(mount_of(fuse)->tree)) {
        fuse_reply_open(fuse, file);
        return;
    }
    if (mount_of(fuse)->no_opendir) {
        fuse_reply_err(fuse, ENOSYS);
        return;
    }
    file->keep_cache = 1;
    file->cache_readdir = 1;
    fuse_reply_open(fuse, file);
}

static void op_readdirplus(fuse_req_t fuse, fuse_ino_t directory, size_t room, off_t offset,
                           struct fuse_file_info *info)
{
    (void)info;
    serve_readdirplus(mount_of(fuse), fuse, directory, room, offset);
}

static void op_open(fuse_req_t fuse, fuse_ino_t inode, struct fuse_file_info *info)
{
    serve_open(mount_of(fuse), fuse, inode, info);
}

static void op_read(fuse_req_t fuse, fuse_ino_t inode, size_t size, off_t offset,
                    struct fuse_file_info *info)
{
    (void)inode;
    serve_read(mount_of_file(fuse, info), fuse, size, offset, info);
}

static void op_release(fuse_req_t fuse, fuse_ino_t inode, struct fuse_file_info *info)
{
    (void)inode;
    serve_release(mount_of_file(fuse, info), fuse, info);
}

static void op_statfs(fuse_req_t fuse, fuse_ino_t inode)
{
    (void)inode;
    serve_statfs(fuse, source_size(tree_dump(mount_of(fuse)->tree)->source));
}

static void op_getxattr(fuse_req_t fuse, fuse_ino_t inode, const char *name, size_t room)
{
    struct mount *mount = mount_of(fuse);

    if (!xattr_refuse(fuse, mount->options, name))
        serve_getxattr(mount, fuse, inode, name, room);
}

static void op_listxattr(fuse_req_t fuse, fuse_ino_t inode, size_t room)
{
    struct mount *mount = mount_of(fuse);

    if (!xattr_refuse(fuse, mount->options, NULL))
        serve_listxattr(mount, fuse, inode, room);
}

void dump_set_operations(struct fuse_lowlevel_ops *operations)
{
    *operations = (struct fuse_lowlevel_ops){
        .init = serve_init,
        .lookup = op_lookup,
        .getattr = op_getattr,
        .readlink = op_readlink,
        .opendir = op_opendir,
        .readdirplus = op_readdirplus,
        .open = op_open,
        .read = op_read,
        .release = op_release,
        .statfs = op_statfs,
        .getxattr = op_getxattr,
        .listxattr = op_listxattr,
    };
    refuse_writes(operations);
}
