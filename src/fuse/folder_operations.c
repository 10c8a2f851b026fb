/* SPDX-License-Identifier: MIT */
/*
 * Requests about a mount of several dumps: those about the folder itself are answered here, those
 * about a dump are passed to its branch.
 */
#include "fuse/folder.h"
#include "fuse/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOT_SECONDS = 1, /* seconds for which the kernel may keep the folder's names */
    ERROR_INODE = 2,  /* error.txt of a dump that cannot be opened; no tree has this inode */
    /* Place of the first dump in the folder's listing: after `.`, `..` and the files. */
    FIRST_PLACE = 4,
    TREE_PLACE = 2, /* place of the first name in a tree's listing: after `.` and `..` */
};

/*
 * Places of names in a tree are at least this (tree/readdir.c), places in the folder are below it.
 */
#define FIRST_TREE_PLACE ((off_t)1 << RULE_KEY_BITS)

static const char error_name[] = "error.txt";

static struct folder *folder_of(fuse_req_t fuse)
{
    return ((struct mount *)fuse_req_userdata(fuse))->folder;
}

static bool has_tree_in_root(fuse_req_t fuse)
{
    return folder_of(fuse)->dumps.root != NULL;
}

/*
 * Finds and holds the branch of a node; for the root, the branch whose names are shown there.
 * Returns 0, -ESTALE or -ENOMEM.
 */
static int find_branch(struct folder *folder, fuse_ino_t node, struct pending *pending)
{
    struct branch *root = NULL;
    int status = 0;

    if (node == FUSE_ROOT_ID && folder->dumps.root != NULL)
        status = branch_by_name(folder, folder->dumps.root, &root);
    folder_lock(folder);
    if (root != NULL) {
        pending->branch = root;
        pending->inode = TREE_ROOT;
    }
    if (root != NULL || nodes_find(folder, node, &pending->branch, &pending->inode))
        branch_hold_locked(pending->branch);
    folder_unlock(folder);
    if (pending->branch != NULL)
        return 0;
    return status == -ENOMEM ? status : -ESTALE;
}

static struct pending *prepare(fuse_req_t fuse, fuse_ino_t node,
                               void (*go)(const struct pending *pending, struct mount *mount))
{
    struct pending *pending = calloc(1, sizeof(*pending));
    int status;

    if (pending == NULL) {
        fuse_reply_err(fuse, ENOMEM);
        return NULL;
    }
    pending->go = go;
    pending->fuse = fuse;
    pending->requester = fuse_req_ctx(fuse)->pid;
    status = find_branch(folder_of(fuse), node, pending);
    if (status == 0)
        return pending;
    fuse_reply_err(fuse, -status);
    free(pending);
    return NULL;
}

/* Fills the attributes of the folder, or of a directory in a dump, by its mount. */
static void fill_directory(const struct mount *mount, uint64_t inode, const struct timespec *time,
                           struct stat *out)
{
    const struct mount_options *options = mount->options;

    *out = (struct stat){.st_ino = inode,
                         .st_mode = S_IFDIR | (0555 & mount->modes),
                         .st_nlink = 1,
                         .st_uid = options->uid,
                         .st_gid = options->gid,
                         .st_mtim = *time,
                         .st_ctim = *time,
                         .st_atim = *time};
}

static void fill_error(const struct branch *branch, struct stat *out)
{
    fill_directory(&branch->mount, ERROR_INODE ^ branch->mount.salt, &branch->file.st_mtim, out);
    out->st_mode = S_IFREG | (0444 & branch->mount.modes);
    out->st_size = (off_t)branch->message.length;
}

/* Fills a dump's own directory, which exists without opening the dump. Returns 0 or -ENOMEM. */
static int fill_branch(struct branch *branch, struct fuse_entry_param *out)
{
    *out = (struct fuse_entry_param){.ino = branch_node(branch, TREE_ROOT),
                                     .attr_timeout = LASTING_SECONDS,
                                     .entry_timeout = ROOT_SECONDS};
    fill_directory(&branch->mount, TREE_ROOT ^ branch->mount.salt, &branch->file.st_mtim,
                   &out->attr);
    return out->ino != 0 ? 0 : -ENOMEM;
}

/*
 * Replies about a dump that is not open, except for error.txt. If the dump's file is another one by
 * now, the reply makes the kernel look up its name again.
 */
static void refuse(const struct pending *pending, int error)
{
    fuse_reply_err(pending->fuse, pending->branch->stale ? ESTALE : error);
}

static void go_lookup(const struct pending *pending, struct mount *mount)
{
    struct fuse_entry_param entry = {0};

    if (mount != NULL) {
        serve_lookup(mount, pending->fuse, pending->inode, pending->name);
    } else if (pending->branch->stale || pending->inode != TREE_ROOT ||
               strcmp(pending->name, error_name) != 0) {
        refuse(pending, ENOENT);
    } else {
        entry.ino = branch_node(pending->branch, ERROR_INODE);
        fill_error(pending->branch, &entry.attr);
        if (entry.ino != 0)
            reply_with_entry(pending->branch, pending->fuse, &entry);
        else
            fuse_reply_err(pending->fuse, ENOMEM);
    }
}

static void lookup_in_tree(fuse_req_t fuse, fuse_ino_t directory, const char *name)
{
    struct pending *pending = prepare(fuse, directory, go_lookup);

    if (pending == NULL)
        return;
    memcpy(pending->name, name, strlen(name) + 1);
    branch_proceed(pending);
}

static void lookup_in_root(fuse_req_t fuse, const char *name)
{
    struct folder *folder = folder_of(fuse);
    struct fuse_entry_param entry;
    uint64_t file = files_find(folder, name);
    struct branch *branch = NULL;
    int status;

    if (file != 0)
        status = files_fill(folder, file, &entry);
    else if ((status = branch_by_name(folder, name, &branch)) == 0)
        status = fill_branch(branch, &entry);
    if (status == 0)
        reply_with_entry(branch, fuse, &entry);
    else if (status == -ENOENT && has_tree_in_root(fuse))
        lookup_in_tree(fuse, FUSE_ROOT_ID, name);
    else
        fuse_reply_err(fuse, -status);
}

static void folder_lookup(fuse_req_t fuse, fuse_ino_t directory, const char *name)
{
    if (strlen(name) > RULE_NAME_MAX)
        fuse_reply_err(fuse, ENAMETOOLONG);
    else if (directory == FUSE_ROOT_ID)
        lookup_in_root(fuse, name);
    else
        lookup_in_tree(fuse, directory, name);
}

static void folder_forget(fuse_req_t fuse, fuse_ino_t node, uint64_t times)
{
    nodes_forget(folder_of(fuse), node, times);
    fuse_reply_none(fuse);
}

static void folder_forget_multi(fuse_req_t fuse, size_t count, struct fuse_forget_data *forgets)
{
    for (size_t i = 0; i < count; i++)
        nodes_forget(folder_of(fuse), forgets[i].ino, forgets[i].nlookup);
    fuse_reply_none(fuse);
}

static void go_getattr(const struct pending *pending, struct mount *mount)
{
    struct stat out;

    if (mount != NULL) {
        serve_getattr(mount, pending->fuse, pending->inode);
    } else if (pending->inode != ERROR_INODE) {
        refuse(pending, EIO);
    } else {
        fill_error(pending->branch, &out);
        fuse_reply_attr(pending->fuse, &out, 0);
    }
}

static void getattr_of_file(fuse_req_t fuse, fuse_ino_t node)
{
    struct fuse_entry_param entry;
    int status = files_fill(folder_of(fuse), node, &entry);

    if (status == 0)
        fuse_reply_attr(fuse, &entry.attr, entry.attr_timeout);
    else
        fuse_reply_err(fuse, -status);
}

static void folder_getattr(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct folder *folder = folder_of(fuse);
    struct pending *pending = NULL;
    struct stat out;

    (void)info;
    if (node == FUSE_ROOT_ID) {
        fill_directory(folder->mount, FUSE_ROOT_ID, &folder->time, &out);
        fuse_reply_attr(fuse, &out, ROOT_SECONDS);
        return;
    }
    if (files_is_node(node)) {
        getattr_of_file(fuse, node);
        return;
    }
    pending = prepare(fuse, node, go_getattr);
    if (pending == NULL)
        return;
    if (pending->inode != TREE_ROOT) {
        branch_proceed(pending);
        return;
    }
    fill_directory(&pending->branch->mount, TREE_ROOT ^ pending->branch->mount.salt,
                   &pending->branch->file.st_mtim, &out);
    branch_release(pending->branch);
    free(pending);
    fuse_reply_attr(fuse, &out, LASTING_SECONDS);
}

static void go_readlink(const struct pending *pending, struct mount *mount)
{
    if (mount != NULL)
        serve_readlink(mount, pending->fuse, pending->inode);
    else
        refuse(pending, EIO);
}

static void folder_readlink(fuse_req_t fuse, fuse_ino_t node)
{
    struct pending *pending = prepare(fuse, node, go_readlink);

    if (pending != NULL)
        branch_proceed(pending);
}

static void open_root(fuse_req_t fuse, struct fuse_file_info *info)
{
    struct folder_file *names;
    int status = files_open_names(folder_of(fuse), &names);

    info->fh = (uintptr_t)names;
    if (status != 0)
        fuse_reply_err(fuse, -status);
    else if (fuse_reply_open(fuse, info) == -ENOENT)
        files_close(folder_of(fuse), &names);
}

/* The listing of the folder is made again each time; the kernel keeps that of a dump. */
static void folder_opendir(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct folder *folder = folder_of(fuse);
    struct branch *branch;
    uint64_t inode;

    if (node == FUSE_ROOT_ID) {
        open_root(fuse, info);
        return;
    }
    folder_lock(folder);
    info->keep_cache = info->cache_readdir =
        nodes_find(folder, node, &branch, &inode) && branch->state == BRANCH_OPEN;
    folder_unlock(folder);
    fuse_reply_open(fuse, info);
}

/*
 * Adds `.`, `..` and the files, from place `offset` on, without attributes: the files are looked up
 * when they are needed. Returns false if one does not fit.
 */
static bool list_fixed(fuse_req_t fuse, char *bytes, size_t room, off_t offset, size_t *used)
{
    static const char *const names[] = {".", ".."};

    for (; offset < FIRST_PLACE; offset++) {
        uint64_t node = (uint64_t)offset;
        struct fuse_entry_param entry = {.attr = {.st_ino = FUSE_ROOT_ID, .st_mode = S_IFDIR}};
        const char *name = offset < 2 ? names[offset] : files_name(node);
        size_t size;

        if (offset >= 2 && files_find(folder_of(fuse), name) == 0)
            continue;
        if (offset >= 2)
            entry.attr = (struct stat){.st_ino = node, .st_mode = S_IFREG};
        size = fuse_add_direntry_plus(fuse, bytes + *used, room - *used, name, &entry, offset + 1);
        if (size > room - *used)
            return false;
        *used += size;
    }
    return true;
}

_Static_assert((int)README_NODE == 2 && (int)FIRST_NODE == (int)FIRST_PLACE,
               "the files' places are their nodes");

/* Fills the entry of a dump in a listing: without a node if there is no memory for one. */
static void fill_branch_to_list(struct branch *branch, struct told_nodes *told,
                                struct fuse_entry_param *out)
{
    if (fill_branch(branch, out) == 0 && !told_nodes_add(told, out->ino)) {
        branch_forget(branch, out->ino, 1);
        out->ino = 0;
    }
}

/* For an entry that does not fit. */
static void take_back(struct branch *branch, struct told_nodes *told,
                      const struct fuse_entry_param *entry)
{
    if (entry->ino == 0)
        return;
    told_nodes_drop(told);
    branch_forget(branch, entry->ino, 1);
}

/*
 * The place of a dump is FIRST_PLACE plus the offset of its name in the text of the open directory.
 * Stores how many bytes were listed. Returns 0; or -ENOMEM, with no bytes.
 */
static int list_names(fuse_req_t fuse, char *bytes, size_t room, off_t offset,
                      const struct text *names, struct told_nodes *told, size_t *out)
{
    struct folder *folder = folder_of(fuse);
    struct fuse_entry_param entry;
    uint64_t from = offset > FIRST_PLACE ? (uint64_t)offset - FIRST_PLACE : 0;
    struct branch *branch;
    size_t size;
    int status;

    *out = 0;
    if (!list_fixed(fuse, bytes, room, offset, out))
        return 0;
    while (from < names->length) {
        const char *name = names->bytes + from;

        status = branch_by_name(folder, name, &branch);
        from += strlen(name) + 1;
        if (status == -ENOENT)
            continue;
        if (status < 0)
            return *out > 0 ? 0 : status; /* the kernel would take no bytes for the end */
        fill_branch_to_list(branch, told, &entry);
        size = fuse_add_direntry_plus(fuse, bytes + *out, room - *out, name, &entry,
                                      (off_t)from + FIRST_PLACE);
        if (size > room - *out) {
            take_back(branch, told, &entry);
            return 0;
        }
        *out += size;
    }
    return 0;
}

static void go_readdirplus(const struct pending *pending, struct mount *mount)
{
    static const char *const names[] = {".", "..", error_name};
    enum { NAMES = sizeof(names) / sizeof(names[0]), ENTRY_ROOM = 256 };
    struct fuse_entry_param entry = {0};
    char bytes[NAMES * ENTRY_ROOM];
    size_t used = 0;

    if (mount != NULL) {
        serve_readdirplus(mount, pending->fuse, pending->inode, pending->size, pending->offset);
        return;
    }
    if (pending->inode != TREE_ROOT || pending->branch->stale) {
        refuse(pending, EIO);
        return;
    }
    for (off_t i = pending->offset; i < NAMES; i++) {
        fill_error(pending->branch, &entry.attr);
        if (i < 2)
            entry.attr.st_mode = S_IFDIR;
        used += fuse_add_direntry_plus(pending->fuse, bytes + used, sizeof(bytes) - used, names[i],
                                       &entry, i + 1);
    }
    fuse_reply_buf(pending->fuse, bytes, used < pending->size ? used : 0);
}

static void list_tree(fuse_req_t fuse, fuse_ino_t node, size_t room, off_t offset)
{
    struct pending *pending = prepare(fuse, node, go_readdirplus);

    if (pending == NULL)
        return;
    pending->size = room;
    pending->offset = offset;
    branch_proceed(pending);
}

/* If the root shows the names of a tree beside the dumps, these come after the last dump. */
static void list_root(fuse_req_t fuse, size_t room, off_t offset, struct folder_file *names)
{
    struct folder *folder = folder_of(fuse);
    struct told_nodes told = {0};
    char *bytes = malloc(room);
    size_t used = 0;
    int taken = 0, status = 0;

    if (bytes == NULL || (offset == 0 && files_read_names(folder, names) != 0)) {
        free(bytes);
        fuse_reply_err(fuse, ENOMEM);
        return;
    }
    if (offset < FIRST_TREE_PLACE)
        status = list_names(fuse, bytes, room, offset, &names->text, &told, &used);
    if (status < 0)
        fuse_reply_err(fuse, -status);
    else if (used == 0 && has_tree_in_root(fuse))
        list_tree(fuse, FUSE_ROOT_ID, room, offset < FIRST_TREE_PLACE ? TREE_PLACE : offset);
    else
        taken = fuse_reply_buf(fuse, bytes, used);
    told_nodes_end(&told, folder, taken == 0);
    free(bytes);
}

static void folder_readdirplus(fuse_req_t fuse, fuse_ino_t node, size_t room, off_t offset,
                               struct fuse_file_info *info)
{
    if (node == FUSE_ROOT_ID)
        list_root(fuse, room, offset, (struct folder_file *)(uintptr_t)info->fh);
    else
        list_tree(fuse, node, room, offset);
}

static void folder_releasedir(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct folder_file *names = (struct folder_file *)(uintptr_t)info->fh;

    if (node == FUSE_ROOT_ID)
        files_close(folder_of(fuse), &names);
    fuse_reply_err(fuse, 0);
}

/* error.txt is not a file of a tree. */
static void go_open(const struct pending *pending, struct mount *mount)
{
    struct fuse_file_info info = pending->info;

    if (mount != NULL) {
        serve_open(mount, pending->fuse, pending->inode, &info);
        return;
    }
    info.fh = 0;
    info.direct_io = 1;
    if (pending->inode == ERROR_INODE)
        fuse_reply_open(pending->fuse, &info);
    else
        refuse(pending, EIO);
}

static void open_file(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct folder *folder = folder_of(fuse);
    struct folder_file *file = NULL;
    int status = files_open(folder, node, &file);

    if (status != 0) {
        fuse_reply_err(fuse, -status);
        return;
    }
    info->fh = (uintptr_t)file;
    info->direct_io = 1;
    if (fuse_reply_open(fuse, info) != 0)
        files_close(folder, &file);
}

static void folder_open(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct pending *pending;

    if (files_is_node(node)) {
        open_file(fuse, node, info);
        return;
    }
    pending = prepare(fuse, node, go_open);
    if (pending == NULL)
        return;
    pending->info = *info;
    branch_proceed(pending);
}

static void reply_text(fuse_req_t fuse, const struct text *text, size_t size, off_t from)
{
    size_t offset = (uint64_t)from < text->length ? (size_t)from : text->length;
    size_t left = text->length - offset;

    fuse_reply_buf(fuse, text->bytes + offset, left < size ? left : size);
}

/* An open file keeps its dump open. */
static void go_read(const struct pending *pending, struct mount *mount)
{
    struct fuse_file_info info = pending->info;

    if (info.fh != 0 && mount != NULL)
        serve_read(mount, pending->fuse, pending->size, pending->offset, &info);
    else
        reply_text(pending->fuse, &pending->branch->message, pending->size, pending->offset);
}

static void folder_read(fuse_req_t fuse, fuse_ino_t node, size_t size, off_t offset,
                        struct fuse_file_info *info)
{
    struct pending *pending;

    if (files_is_node(node)) {
        reply_text(fuse, &((const struct folder_file *)(uintptr_t)info->fh)->text, size, offset);
        return;
    }
    pending = prepare(fuse, node, go_read);
    if (pending == NULL)
        return;
    pending->info = *info;
    pending->size = size;
    pending->offset = offset;
    branch_proceed(pending);
}

static void folder_release(fuse_req_t fuse, fuse_ino_t node, struct fuse_file_info *info)
{
    struct folder *folder = folder_of(fuse);
    struct branch *branch = NULL;
    uint64_t inode;

    if (files_is_node(node)) {
        struct folder_file *file = (struct folder_file *)(uintptr_t)info->fh;

        files_close(folder, &file);
        fuse_reply_err(fuse, 0);
        return;
    }
    folder_lock(folder);
    if (info->fh == 0 || !nodes_find(folder, node, &branch, &inode))
        branch = NULL;
    folder_unlock(folder);
    if (branch != NULL)
        serve_release(&branch->mount, fuse, info);
    else
        fuse_reply_err(fuse, 0);
}

static void go_getxattr(const struct pending *pending, struct mount *mount)
{
    if (mount != NULL)
        serve_getxattr(mount, pending->fuse, pending->inode, pending->name, pending->size);
    else
        fuse_reply_err(pending->fuse, ENODATA);
}

static void go_listxattr(const struct pending *pending, struct mount *mount)
{
    if (mount != NULL)
        serve_listxattr(mount, pending->fuse, pending->inode, pending->size);
    else
        xattr_reply(pending->fuse, NULL, 0, pending->size);
}

/*
 * Neither the folder nor a dump's own directory has attributes: otherwise, listing the folder with
 * attributes would open all dumps. Returns NULL if it has replied.
 */
static struct pending *prepare_xattr(fuse_req_t fuse, fuse_ino_t node, const char *name,
                                     size_t room,
                                     void (*go)(const struct pending *pending, struct mount *mount))
{
    struct pending *pending = NULL;

    if (xattr_refuse(fuse, folder_of(fuse)->mount->options, name))
        return NULL;
    if (node != FUSE_ROOT_ID && !files_is_node(node) && (pending = prepare(fuse, node, go)) == NULL)
        return NULL;
    if (pending != NULL && pending->inode != TREE_ROOT) {
        pending->size = room;
        return pending;
    }
    if (pending != NULL)
        branch_release(pending->branch);
    free(pending);
    if (name != NULL)
        fuse_reply_err(fuse, ENODATA);
    else
        xattr_reply(fuse, NULL, 0, room);
    return NULL;
}

static void folder_getxattr(fuse_req_t fuse, fuse_ino_t node, const char *name, size_t room)
{
    struct pending *pending = prepare_xattr(fuse, node, name, room, go_getxattr);

    if (pending == NULL)
        return;
    strncpy(pending->name, name, RULE_NAME_MAX); /* the kernel allows no longer names */
    branch_proceed(pending);
}

static void folder_listxattr(fuse_req_t fuse, fuse_ino_t node, size_t room)
{
    struct pending *pending = prepare_xattr(fuse, node, NULL, room, go_listxattr);

    if (pending != NULL)
        branch_proceed(pending);
}

static void folder_statfs(fuse_req_t fuse, fuse_ino_t node)
{
    (void)node;
    serve_statfs(fuse, 0);
}

void folder_set_operations(struct fuse_lowlevel_ops *operations)
{
    *operations = (struct fuse_lowlevel_ops){
        .init = serve_init,
        .lookup = folder_lookup,
        .forget = folder_forget,
        .forget_multi = folder_forget_multi,
        .getattr = folder_getattr,
        .readlink = folder_readlink,
        .opendir = folder_opendir,
        .releasedir = folder_releasedir,
        .readdirplus = folder_readdirplus,
        .open = folder_open,
        .read = folder_read,
        .release = folder_release,
        .getxattr = folder_getxattr,
        .listxattr = folder_listxattr,
        .statfs = folder_statfs,
    };
    refuse_writes(operations);
}
