/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A folder being listed. */
struct listing {
    struct gpudump *gpudump;
    bool paths;       /* show names with the folder's path */
    const char *path; /* of the folder; NULL: none was begun */
};

/* Shows "-" for a value that is not known because it cannot be made, and reports that. */
static void print_details(struct gpudump *gpudump, const char *path, uint64_t inode,
                          struct text *target)
{
    static const char *const modes[] = {
        [RULE_DIRECTORY] = "dr-xr-xr-x", [RULE_FILE] = "-r--r--r--", [RULE_LINK] = "lrwxrwxrwx"};
    struct tree *tree = gpudump->program.tree;
    struct tree_attributes attributes = {0};
    struct tm when = {0};
    char date[32] = "-", size[32] = "-";
    const char *mode = "-";
    int status = tree_stat(tree, inode, NULL, &attributes), known = status;

    if (status == 0)
        snprintf(size, sizeof(size), "%" PRIu64, attributes.size);
    else /* get what is known without the size */
        known = tree_attributes(tree, inode, &attributes);
    if (known == 0 || known == -EAGAIN)
        mode = modes[attributes.kind];
    if (status == 0 && attributes.kind == RULE_LINK)
        status = tree_link(tree, inode, target);
    if (status != 0)
        gpudump_tell(gpudump, path, status);
    if (localtime_r(&tree_dump(tree)->source->mtime.tv_sec, &when) != NULL)
        strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &when);
    printf("%-10s %12s %s ", mode, size, date);
}

/* Prints the extended attributes that a mount would show, each after a tab. */
static void print_attributes(struct gpudump *gpudump, const char *path, uint64_t inode)
{
    struct tree_xattrs xattrs;
    int status = tree_xattrs(gpudump->program.tree, inode, &xattrs);

    if (status != 0)
        gpudump_tell(gpudump, path, status);
    for (unsigned i = 0; status == 0 && i < xattrs.count; i++)
        printf("\t%s=%s", xattrs.list[i].name, xattrs.list[i].value);
}

static void print_name(struct gpudump *gpudump, const char *path, uint64_t inode)
{
    struct text target = TEXT_INIT;

    if (gpudump->details)
        print_details(gpudump, path, inode, &target);
    fputs(path, stdout);
    if (target.length > 0)
        printf(" -> %.*s", (int)target.length, target.bytes);
    if (gpudump->attributes)
        print_attributes(gpudump, path, inode);
    putchar('\n');
    text_clear(&target);
}

static void list(const struct listing *parent, const char *path, uint64_t inode);

static bool list_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                       uint64_t next_cursor)
{
    const struct listing *listing = context;
    struct text path = TEXT_INIT;

    (void)next_cursor;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (listing->paths && *listing->path != '\0')
        text_printf(&path, "%s/", listing->path);
    text_add(&path, name);
    text_add_char(&path, '\0');
    if (text_status(&path) != 0) {
        gpudump_tell(listing->gpudump, name, text_status(&path));
    } else {
        print_name(listing->gpudump, path.bytes, inode);
        if (listing->gpudump->deep && kind == RULE_DIRECTORY)
            list(listing, path.bytes, inode);
    }
    text_clear(&path);
    return ferror(stdout) == 0;
}

static void list(const struct listing *parent, const char *path, uint64_t inode)
{
    struct listing listing = *parent;
    uint64_t cursor = 0;
    int status;

    listing.path = path;
    status = tree_list(listing.gpudump->program.tree, inode, &cursor, list_entry, &listing);
    if (status != 0)
        gpudump_tell(listing.gpudump, path, status);
}

static bool list_found(void *context, const char *path, uint64_t inode)
{
    const struct listing *listing = context;
    struct tree_attributes attributes = {0};
    int status = tree_attributes(listing->gpudump->program.tree, inode, &attributes);

    if (status == 0 && attributes.kind == RULE_DIRECTORY)
        list(listing, path, inode);
    else
        print_name(listing->gpudump, path, inode);
    return ferror(stdout) == 0;
}

enum program_status gpudump_ls(struct gpudump *gpudump)
{
    struct listing listing = {.gpudump = gpudump, .paths = gpudump->deep};

    if (gpudump->path_count == 0)
        list_found(&listing, "", TREE_ROOT);
    if (gpudump->path_count > 1 ||
        (gpudump->path_count == 1 && paths_is_pattern(gpudump->paths[0])))
        listing.paths = true;
    gpudump_each_path(gpudump, gpudump->path_count, list_found, &listing);
    return gpudump_outcome(gpudump);
}
