/* SPDX-License-Identifier: MIT */
/* What the mount of one dump and that of a folder answer alike. */
#ifndef GPUDUMPFS_FUSE_SERVE_H
#define GPUDUMPFS_FUSE_SERVE_H

#include "fuse/internal.h"

/*
 * For which the kernel believes what it was told: what is there never changes. Of a dump that
 * grows, what is not there may come.
 */
enum { LASTING_SECONDS = 86400 };

/* Requests about one tree; inode numbers are the tree's. Any thread, but for serve_read(). */
void serve_init(void *data, struct fuse_conn_info *connection);
void serve_lookup(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, const char *name);
void serve_getattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode);
void serve_readlink(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode);
void serve_readdirplus(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, size_t room,
                       off_t offset);
void serve_open(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode,
                struct fuse_file_info *info);
void serve_read(struct mount *mount, fuse_req_t fuse, size_t size, off_t offset,
                struct fuse_file_info *info);
void serve_release(struct mount *mount, fuse_req_t fuse, struct fuse_file_info *info);
void serve_getxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, const char *name,
                    size_t room);
void serve_listxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, size_t room);

/* Reads as many windows as it takes. */
void read_begin(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                size_t size);

/*
 * Replies where no tree is needed, and returns whether it did: to every request where attributes
 * are switched off, and to one for a name that is none of ours. NULL: it is for no name.
 */
bool xattr_refuse(fuse_req_t fuse, const struct mount_options *options, const char *name);

/* Replies with a value or a list, or its size where there is no room: at all, or enough. */
void xattr_reply(fuse_req_t fuse, const char *bytes, size_t size, size_t room);

/* A full disk of that size: df hides a file system without blocks. */
void serve_statfs(fuse_req_t fuse, uint64_t size);

/* Adds all that would write. */
void refuse_writes(struct fuse_lowlevel_ops *operations);

#endif
