/* SPDX-License-Identifier: MIT */
/*
 * The file system of a disk that fails: it has one file, `dump`, with the bytes of FILE, of which
 * those from OFFSET on cannot be read (EIO). Runs in the foreground until it is unmounted:
 *
 *     faultyfs FILE OFFSET MOUNTPOINT
 */
#define FUSE_USE_VERSION 31

#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int file;
static struct stat status;
static off_t good;

static int op_getattr(const char *path, struct stat *out, struct fuse_file_info *info)
{
    (void)info;
    if (strcmp(path, "/") == 0)
        *out = (struct stat){.st_mode = S_IFDIR | 0555, .st_nlink = 2};
    else if (strcmp(path, "/dump") == 0)
        *out = (struct stat){.st_mode = S_IFREG | 0444,
                             .st_nlink = 1,
                             .st_size = status.st_size,
                             .st_mtim = status.st_mtim,
                             .st_ctim = status.st_ctim};
    else
        return -ENOENT;
    return 0;
}

static int op_readdir(const char *path, void *listing, fuse_fill_dir_t fill, off_t offset,
                      struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
    (void)path;
    (void)offset;
    (void)info;
    (void)flags;
    return fill(listing, "dump", NULL, 0, 0) != 0 ? -ENOMEM : 0;
}

static int op_read(const char *path, char *bytes, size_t size, off_t offset,
                   struct fuse_file_info *info)
{
    ssize_t got;

    (void)path;
    (void)info;
    if (offset + (off_t)size > good && offset < status.st_size)
        return -EIO;
    got = pread(file, bytes, size, offset);
    return got < 0 ? -errno : (int)got;
}

/* Has each page read separately, so that no request contains both a good page and a bad one. */
static void *op_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
    (void)config;
    connection->max_read = PAGE;
    return NULL;
}

int main(int argc, char **argv)
{
    static const struct fuse_operations operations = {
        .init = op_init, .getattr = op_getattr, .readdir = op_readdir, .read = op_read};
    static char foreground[] = "-f", single[] = "-s", options[] = "-omax_read=4096";
    char *arguments[] = {argv[0], foreground, single, options, argv[argc - 1], NULL};

    if (argc != 4 || (file = open(argv[1], O_RDONLY)) < 0 || fstat(file, &status) != 0) {
        fprintf(stderr, "usage: faultyfs FILE OFFSET MOUNTPOINT\n");
        return EXIT_FAILURE;
    }
    good = (off_t)strtoll(argv[2], NULL, 10);
    return fuse_main(5, arguments, &operations, NULL);
}
