/* SPDX-License-Identifier: MIT */
/* Answers about one tree, for any kind of mount. */
#include "fuse/serve.h"

#include "fuse/mount_options.h"
#include "fuse/request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, STAT_BLOCK = 512 };

static const mode_t kind_modes[] = {
    [RULE_DIRECTORY] = S_IFDIR | 0555, [RULE_FILE] = S_IFREG | 0444, [RULE_LINK] = S_IFLNK | 0777};

static struct tree_file *file_of(const struct fuse_file_info *info)
{
    return (struct tree_file *)(uintptr_t)info->fh;
}

static const struct dump *dump_of(const struct mount *mount)
{
    return tree_dump(mount->tree);
}

static void fill_stat(const struct mount *mount, const struct tree_attributes *attributes,
                      struct stat *out)
{
    mode_t mode = kind_modes[attributes->kind];

    memset(out, 0, sizeof(*out));
    out->st_ino = attributes->inode ^ mount->salt;
    out->st_mode = S_ISLNK(mode) ? mode : mode & (S_IFMT | mount->modes);
    out->st_nlink = attributes->links;
    out->st_uid = mount->options->uid;
    out->st_gid = mount->options->gid;
    out->st_size = (off_t)attributes->size;
    out->st_blksize = BLOCK;
    out->st_blocks = (blkcnt_t)((attributes->size + STAT_BLOCK - 1) / STAT_BLOCK);
    out->st_mtim = out->st_ctim = out->st_atim = attributes->time;
}

static double attribute_timeout(const struct mount *mount, const struct tree_attributes *attributes)
{
    return attributes->live || mount->generation != NULL ? 0 : LASTING_SECONDS;
}

/* Returns 0, or -ENOMEM: an entry with node 0 would mean that there is no such name. */
static int fill_entry(const struct mount *mount, const struct tree_attributes *attributes,
                      struct fuse_entry_param *out)
{
    memset(out, 0, sizeof(*out));
    out->ino =
        mount->branch != NULL ? branch_node(mount->branch, attributes->inode) : attributes->inode;
    fill_stat(mount, attributes, &out->attr);
    out->attr_timeout = attribute_timeout(mount, attributes);
    out->entry_timeout = mount->generation != NULL ? 0 : LASTING_SECONDS;
    return out->ino != 0 ? 0 : -ENOMEM;
}

struct lookup {
    struct request request;
    bool grew; /* the dump still grew when the lookup began */
    char name[RULE_NAME_MAX + 1];
};

static void reply_entry(struct request *request, int status)
{
    const struct lookup *lookup = (const struct lookup *)request;
    /* The reply if there is no such name, and never will be: node 0, which the kernel may keep. */
    struct fuse_entry_param entry = {.entry_timeout = LASTING_SECONDS};

    if (status == 0)
        status = fill_entry(request->mount, &request->tree.attributes, &entry);
    if (status == -ENOENT && lookup->grew)
        fuse_reply_err(request->fuse, ENOENT); /* the name may appear later */
    else if (status == 0 || status == -ENOENT)
        reply_with_entry(request->mount->branch, request->fuse, &entry);
    else
        fuse_reply_err(request->fuse, -status);
}

/*
 * The size in a reply without the size: a number that the kernel never uses, since the attributes
 * have a lifetime of 0, so that the kernel requests them again first. A file that may be open gets
 * no such reply (tree_lookup_may_leave_size()): the kernel would fill up what is read of it with
 * zeros.
 */
static const off_t UNKNOWN_SIZE = (off_t)1 << 62;

static void reply_entry_early(struct request *request)
{
    struct tree_attributes attributes;
    struct fuse_entry_param entry;
    int status = tree_lookup_named(&request->tree, &attributes);

    if (status == 0)
        status = fill_entry(request->mount, &attributes, &entry);
    if (status != 0) {
        fuse_reply_err(request->fuse, -status);
        return;
    }
    entry.attr.st_size = UNKNOWN_SIZE;
    entry.attr.st_blocks = 0;
    entry.attr_timeout = 0;
    reply_with_entry(request->mount->branch, request->fuse, &entry);
}

static void reply_attributes(struct request *request, int status)
{
    const struct tree_attributes *attributes = &request->tree.attributes;
    struct stat out;

    if (status != 0) {
        fuse_reply_err(request->fuse, -status);
        return;
    }
    fill_stat(request->mount, attributes, &out);
    fuse_reply_attr(request->fuse, &out, attribute_timeout(request->mount, attributes));
}

/*
 * Replies to GETATTR with the size that is known by now, for a file that waits for all of the dump.
 * open() waits for the rest.
 */
static void reply_attributes_early(struct request *request)
{
    struct tree_attributes attributes;
    struct stat out;

    tree_attributes_so_far(request->tree.tree, request->tree.inode, &attributes);
    fill_stat(request->mount, &attributes, &out);
    fuse_reply_attr(request->fuse, &out, 0);
}

void serve_init(void *data, struct fuse_conn_info *connection)
{
    struct mount *mount = data;

    connection->max_read = mount->max_read;
    connection->max_background = 64;
    connection->congestion_threshold = 48;
    connection->time_gran = 1;
    /* a dump that is still being opened is not followed */
    if (mount->generations == NULL &&
        (mount->folder != NULL || mount->tree == NULL || dump_of(mount)->follow == NULL))
        connection->want |= connection->capable & FUSE_CAP_CACHE_SYMLINKS;
    mount->parallel = (connection->capable & FUSE_CAP_PARALLEL_DIROPS) != 0;
    connection->want |= connection->capable & FUSE_CAP_PARALLEL_DIROPS; /* see handshake.c */
#ifdef FUSE_CAP_DIRECT_IO_ALLOW_MMAP
    connection->want |= connection->capable & FUSE_CAP_DIRECT_IO_ALLOW_MMAP; /* likewise */
#endif
    connection->want &= ~(unsigned)FUSE_CAP_ASYNC_DIO; /* its readers could not be killed */
    mount->no_opendir =
        !mount->must_opendir && (connection->capable & FUSE_CAP_NO_OPENDIR_SUPPORT) != 0;
    mount->ready(mount->ready_context);
}

void serve_lookup(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, const char *name)
{
    struct lookup *lookup;
    size_t length = strlen(name);

    if (length > RULE_NAME_MAX) {
        fuse_reply_err(fuse, ENAMETOOLONG);
        return;
    }
    lookup = request_begin(mount, fuse, sizeof(*lookup), reply_entry);
    if (lookup == NULL)
        return;
    request_allow_early_reply(&lookup->request, false, reply_entry_early);
    memcpy(lookup->name, name, length + 1);
    lookup->grew = mount->generation != NULL ||
                   tree_grows(mount->tree); /* not read later: the name may have appeared by then */
    tree_submit_lookup(mount->tree, directory, lookup->name, &lookup->request.tree);
    request_release(&lookup->request);
}

void serve_getattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode)
{
    struct request *request = request_begin(mount, fuse, sizeof(*request), reply_attributes);

    if (request == NULL)
        return;
    if (tree_size_waits(mount->tree, inode))
        request_allow_early_reply(request, true, reply_attributes_early);
    tree_submit_stat(mount->tree, inode, &request->tree);
    request_release(request);
}

static void reply_target(struct request *request, int status)
{
    struct tree_window *window = &request->tree.window;
    struct text target = TEXT_INIT;

    if (status == 0) {
        text_add_bytes(&target, (const char *)window->data, window->length);
        text_add_char(&target, '\0');
        status = text_status(&target);
    }
    if (status == 0)
        fuse_reply_readlink(request->fuse, target.bytes);
    else
        fuse_reply_err(request->fuse, -status);
    text_clear(&target);
    blob_unref(&window->blob);
}

void serve_readlink(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode)
{
    struct request *request = request_begin(mount, fuse, sizeof(*request), reply_target);

    if (request == NULL)
        return;
    tree_submit_link(mount->tree, inode, &request->tree);
    request_release(request);
}

/*
 * A reply to readdir that is being filled. It has attributes only where they are known at once. An
 * entry with inode number 0 has none, and is looked up when they are needed. The kernel takes a
 * kilobyte for each of the other entries, so attributes are not given for millions.
 */
struct listing {
    struct request request;
    char *bytes;
    size_t room, used;
    struct told_nodes told; /* the nodes in the reply; used in a mount with a branch */
};

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool add_name(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                     uint64_t next_cursor)
{
    struct listing *listing = context;
    struct mount *mount = listing->request.mount;
    const struct fuse_entry_param plain = {
        .attr = {.st_ino = inode ^ mount->salt, .st_mode = kind_modes[kind]}};
    struct fuse_entry_param entry = {0};
    struct tree_attributes attributes;
    char *place = listing->bytes + listing->used;
    size_t room = listing->room - listing->used, size;

    if (listing->request.tree.far || is_dots(name) ||
        tree_attributes(mount->tree, inode, &attributes) != 0 ||
        fill_entry(mount, &attributes, &entry) != 0)
        entry = plain;
    if (mount->branch != NULL && entry.ino != 0 && !told_nodes_add(&listing->told, entry.ino)) {
        branch_forget(mount->branch, entry.ino, 1);
        entry = plain;
    }
    size = fuse_add_direntry_plus(listing->request.fuse, place, room, name, &entry,
                                  (off_t)next_cursor);
    if (size > room && mount->branch != NULL && entry.ino != 0) {
        told_nodes_drop(&listing->told);
        branch_forget(mount->branch, entry.ino, 1);
    }
    if (size > room)
        return false;
    listing->used += size;
    return true;
}

static void reply_listing(struct request *request, int status)
{
    struct listing *listing = (struct listing *)request;
    struct folder *folder = ((struct mount *)fuse_req_userdata(request->fuse))->folder;
    int taken = -1;

    if (status == 0)
        taken = fuse_reply_buf(request->fuse, listing->bytes, listing->used);
    else
        fuse_reply_err(request->fuse, -status);
    told_nodes_end(&listing->told, folder, taken == 0);
}

static void clear_listing(struct request *request)
{
    free(((struct listing *)request)->bytes);
}

void serve_readdirplus(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, size_t room,
                       off_t offset)
{
    struct listing *listing = request_begin(mount, fuse, sizeof(*listing), reply_listing);

    if (listing == NULL)
        return;
    listing->request.clear = clear_listing;
    listing->bytes = malloc(room);
    listing->room = room;
    if (listing->bytes != NULL)
        tree_submit_list(mount->tree, directory, (uint64_t)offset, add_name, listing,
                         &listing->request.tree);
    else
        request_answer(&listing->request.tree, -ENOMEM);
    request_release(&listing->request);
}

/*
 * Chooses what the kernel may keep of a file's contents. It keeps pages, which belong to the inode.
 *
 * - Contents that never change: the pages stay true from one open to the next, even if the file was
 *   never made here.
 * - Contents that change: read() must go to the daemon. From its own pages the kernel would serve
 *   the file up to its new end, with zeros after the end of an earlier, shorter read. It does so
 *   for sendfile() and splice(), which always use pages.
 * - Trees that are replaced: read() must go to the daemon, too, since readers of an older tree
 *   would get the pages of a newer one.
 */
static void choose_caching(struct mount *mount, uint64_t inode, struct fuse_file_info *info)
{
    struct tree_attributes attributes;
    int status = tree_attributes(mount->tree, inode, &attributes);
    bool known = status == 0 || status == -EAGAIN;

    info->direct_io = mount->generation != NULL || (known && attributes.live);
    info->keep_cache = known && !info->direct_io;
}

struct opening {
    struct request request;
    uint64_t inode;
    struct fuse_file_info info;
};

static void reply_open(struct request *request, int status)
{
    struct opening *opening = (struct opening *)request;
    struct tree_file *file = request->tree.opened;

    if (status != 0) {
        fuse_reply_err(request->fuse, -status);
        return;
    }
    opening->info.fh = (uintptr_t)file;
    choose_caching(request->mount, opening->inode, &opening->info);
#if FUSE_VERSION >= FUSE_MAKE_VERSION(3, 11)
    /* Earlier versions of libfuse answer the first flush with ENOSYS, which ends flushes. */
    opening->info.noflush = 1;
#endif
    mount_hold(request->mount);
    if (fuse_reply_open(request->fuse, &opening->info) == -ENOENT) {
        tree_close(&file); /* the requester has left: no release will follow */
        mount_release(request->mount);
    }
}

void serve_open(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, struct fuse_file_info *info)
{
    struct opening *opening;

    if ((info->flags & O_ACCMODE) != O_RDONLY) {
        fuse_reply_err(fuse, EROFS);
        return;
    }
    opening = request_begin(mount, fuse, sizeof(*opening), reply_open);
    if (opening == NULL)
        return;
    opening->inode = inode;
    opening->info = *info;
    tree_submit_open(mount->tree, inode, &opening->request.tree);
    request_release(&opening->request);
}

void serve_read(struct mount *mount, fuse_req_t fuse, size_t size, off_t offset,
                struct fuse_file_info *info)
{
    read_begin(mount, fuse, file_of(info), (uint64_t)offset, size);
}

void serve_release(struct mount *mount, fuse_req_t fuse, struct fuse_file_info *info)
{
    struct tree_file *file = file_of(info);

    if (mount->generation != NULL) /* the kernel keeps no pages then: choose_caching() */
        tree_close(&file);
    else
        tree_close_kept(&file);
    mount_release(mount);
    fuse_reply_err(fuse, 0);
}

void serve_statfs(fuse_req_t fuse, uint64_t size)
{
    struct statvfs status = {
        .f_bsize = BLOCK,
        .f_frsize = BLOCK,
        .f_blocks = size / BLOCK + 1,
        .f_namemax = RULE_NAME_MAX,
        .f_flag = ST_RDONLY | ST_NOSUID,
    };

    fuse_reply_statfs(fuse, &status);
}
