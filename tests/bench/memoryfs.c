/* SPDX-License-Identifier: MIT */
/*
 * The control for what is measured on a mount: a file system with one folder, frames/, of COUNT
 * files of SIZE bytes, all of which are the same bytes in memory. It only replies, with the same
 * settings as gpudumpfs, in libfuse's own loop. That loop sleeps before each request, where
 * gpudumpfs polls for a moment (fuse.md, "Busy polling"). So this is what a plain file system
 * costs, not a bound. Runs in the foreground until it is unmounted:
 *
 *     memoryfs COUNT SIZE MOUNTPOINT
 */
#define FUSE_USE_VERSION 31

#include <errno.h>
#include <fuse_lowlevel.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOT = FUSE_ROOT_ID, FRAMES = 2, FIRST = 3, TIMEOUT = 86400 };

static uint64_t count;
static size_t size;
static uint8_t *bytes;

static void fill_stat(fuse_ino_t inode, struct stat *out)
{
    *out = (struct stat){.st_ino = inode, .st_uid = getuid(), .st_gid = getgid()};
    out->st_mode = inode < FIRST ? S_IFDIR | 0555 : S_IFREG | 0444;
    out->st_nlink = inode < FIRST ? 2 : 1;
    out->st_size = inode < FIRST ? 0 : (off_t)size;
    out->st_blocks = (out->st_size + 511) / 512;
}

static void fill_entry(fuse_ino_t inode, struct fuse_entry_param *out)
{
    *out =
        (struct fuse_entry_param){.ino = inode, .attr_timeout = TIMEOUT, .entry_timeout = TIMEOUT};
    fill_stat(inode, &out->attr);
}

static void op_lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    struct fuse_entry_param entry;
    char *end;
    uint64_t number = strtoull(name, &end, 10);

    if (parent == ROOT && strcmp(name, "frames") == 0)
        fill_entry(FRAMES, &entry);
    else if (parent == FRAMES && strcmp(end, ".png") == 0 && number < count)
        fill_entry(FIRST + number, &entry);
    else
        entry = (struct fuse_entry_param){.entry_timeout = TIMEOUT};
    fuse_reply_entry(request, &entry);
}

static void op_getattr(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
    struct stat attributes;

    (void)file;
    fill_stat(inode, &attributes);
    fuse_reply_attr(request, &attributes, TIMEOUT);
}

static void op_open(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
    (void)inode;
    file->keep_cache = 1;
    file->noflush = 1;
    fuse_reply_open(request, file);
}

static void op_read(fuse_req_t request, fuse_ino_t inode, size_t max, off_t offset,
                    struct fuse_file_info *file)
{
    size_t from = (size_t)offset < size ? (size_t)offset : size;

    (void)inode, (void)file;
    fuse_reply_buf(request, (const char *)bytes + from, max < size - from ? max : size - from);
}

static void op_opendir(fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *file)
{
    (void)inode;
    file->cache_readdir = file->keep_cache = 1;
    fuse_reply_open(request, file);
}

static void op_readdirplus(fuse_req_t request, fuse_ino_t inode, size_t max, off_t offset,
                           struct fuse_file_info *file)
{
    uint64_t entries = inode == ROOT ? 1 : count;
    char *buffer = malloc(max);
    size_t used = 0;

    (void)file;
    for (uint64_t i = (uint64_t)offset; buffer != NULL && i < entries; i++) {
        struct fuse_entry_param entry;
        char name[32] = "frames";
        size_t length;

        fill_entry(inode == ROOT ? FRAMES : FIRST + i, &entry);
        if (inode != ROOT)
            snprintf(name, sizeof(name), "%06" PRIu64 ".png", i);
        length =
            fuse_add_direntry_plus(request, buffer + used, max - used, name, &entry, (off_t)i + 1);
        if (length > max - used)
            break;
        used += length;
    }
    if (buffer == NULL)
        fuse_reply_err(request, ENOMEM);
    else
        fuse_reply_buf(request, buffer, used);
    free(buffer);
}

static void op_init(void *data, struct fuse_conn_info *connection)
{
    (void)data;
    connection->want &= ~(unsigned)FUSE_CAP_READDIRPLUS_AUTO;
}

static const struct fuse_lowlevel_ops operations = {.init = op_init,
                                                    .lookup = op_lookup,
                                                    .getattr = op_getattr,
                                                    .open = op_open,
                                                    .read = op_read,
                                                    .opendir = op_opendir,
                                                    .readdirplus = op_readdirplus};

static int serve(struct fuse_session *session, const char *place)
{
    int result = 1;

    if (fuse_set_signal_handlers(session) != 0)
        return 1;
    if (fuse_session_mount(session, place) == 0) {
        result = fuse_session_loop(session) < 0;
        fuse_session_unmount(session);
    }
    fuse_remove_signal_handlers(session);
    return result;
}

int main(int argc, char **argv)
{
    struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
    struct fuse_session *session = NULL;
    int result = 1;

    if (argc != 4) {
        fprintf(stderr, "usage: memoryfs COUNT SIZE MOUNTPOINT\n");
        return 2;
    }
    count = strtoull(argv[1], NULL, 10);
    size = strtoull(argv[2], NULL, 10);
    bytes = calloc(1, size + 1);
    if (bytes != NULL && fuse_opt_add_arg(&arguments, argv[0]) == 0 &&
        fuse_opt_add_arg(&arguments, "-oro,default_permissions,subtype=memoryfs") == 0)
        session = fuse_session_new(&arguments, &operations, sizeof(operations), NULL);
    if (session != NULL)
        result = serve(session, argv[3]);
    if (session != NULL)
        fuse_session_destroy(session);
    fuse_opt_free_args(&arguments);
    free(bytes);
    return result;
}
