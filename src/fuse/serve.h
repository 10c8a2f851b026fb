/* SPDX-License-Identifier: MIT */
/* The answers that the mount of one dump and the mount of a folder have in common. */
#ifndef GPUDUMPFS_FUSE_SERVE_H
#define GPUDUMPFS_FUSE_SERVE_H

#include "fuse/internal.h"

/*
 * For how long the kernel may keep an answer: what exists never changes. In a dump that grows,
 * absent names may still appear.
 */
enum { LASTING_SECONDS = 86400 };

/* Answer requests about one tree; inode numbers are the tree's. Any thread, except serve_read(). */
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

/* Answers a read, from as many windows as it takes. */
void read_begin(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                size_t size);

/*
 * Replies to requests that need no tree, and returns whether it did: to all requests if attributes
 * are switched off, and to requests for a name that is not ours. `name` is NULL in a request for a
 * list.
 */
bool xattr_refuse(fuse_req_t fuse, const struct mount_options *options, const char *name);

/*
 * Replies with a value or a list: with its size if `room` is 0, with ERANGE if `room` is too small.
 */
void xattr_reply(fuse_req_t fuse, const char *bytes, size_t size, size_t room);

/* Replies with a full disk of that size, since df hides a file system without blocks. */
void serve_statfs(fuse_req_t fuse, uint64_t size);

/* Sets all operations that would write: they fail with EROFS. */
void refuse_writes(struct fuse_lowlevel_ops *operations);

#endif
