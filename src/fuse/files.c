/* SPDX-License-Identifier: MIT */
/*
 * The files beside the dumps of a folder's mount. dumps.tsv may change at any time: it is made
 * again at each request, and an open file keeps the text that it was opened with.
 */
#include "fuse/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const double README_SECONDS = 1; /* short, since a dump may take the file's name */

static const char readme[] =
    "Each directory here is a GPU dump of the folder that is mounted, and has the name of\n"
    "the dump's file. It contains what a mount of that dump alone would contain: begin with\n"
    "its README.txt.\n"
    "\n"
    "dumps.tsv              one dump per line: the directory, the file, its bytes, the\n"
    "                       format, when it was written (UTC), and its state, which is\n"
    "                       closed, open or failed; reading it opens no dump, and it is\n"
    "                       made again each time\n"
    "NAME/                  a dump; it is opened when something in it is requested, and\n"
    "                       closed when it has not been used for a while\n"
    "NAME/error.txt         why a dump cannot be opened; its directory then has no other file\n"
    "\n"
    "Names are looked up again each time: a dump that is added appears. See gpudumpfs(1),\n"
    "FOLDERS OF DUMPS.\n";

static void write_readme(struct folder *folder, struct text *text)
{
    (void)folder;
    text_add(text, readme);
}

static const char *state_of(struct folder *folder, const char *name)
{
    static const char *const names[] = {[BRANCH_CLOSED] = "closed",
                                        [BRANCH_OPENING] = "closed",
                                        [BRANCH_OPEN] = "open",
                                        [BRANCH_FAILED] = "failed"};

    return names[branch_state_by_name(folder, name)];
}

static void write_dumps(struct folder *folder, struct text *text)
{
    char name[RULE_NAME_MAX + 1];
    uint64_t from = 0;
    int status;

    text_add(text, "dump\tfile\tbytes\tformat\ttime\tstate\n");
    while ((status = folder->dumps.next(folder->dumps.context, &from, name)) == 0) {
        size_t begin = text->length;

        text_add_escaped(text, name, strlen(name));
        text_end_cell(text, begin);
        folder->dumps.describe(folder->dumps.context, name, text);
        text_cell_word(text, state_of(folder, name));
        text_add_char(text, '\n');
    }
    if (status != -ENOENT)
        text_fail(text, status);
}

static const struct {
    const char *name;
    void (*write)(struct folder *folder, struct text *text);
    bool live;
} files[FIRST_NODE] = {
    [README_NODE] = {"README.txt", write_readme, false},
    [DUMPS_NODE] = {"dumps.tsv", write_dumps, true},
};

bool files_is_node(uint64_t node)
{
    return node >= README_NODE && node < FIRST_NODE;
}

const char *files_name(uint64_t node)
{
    return files[node].name;
}

uint64_t files_find(struct folder *folder, const char *name)
{
    struct stat file;

    for (uint64_t node = README_NODE; folder->dumps.root == NULL && node < FIRST_NODE; node++)
        if (strcmp(files[node].name, name) == 0)
            return folder->dumps.find(folder->dumps.context, name, &file) != 0 ? node : 0;
    return 0;
}

int files_open_names(struct folder *folder, struct folder_file **out)
{
    struct folder_file *file = calloc(1, sizeof(*file));

    *out = file;
    if (file == NULL)
        return -ENOMEM;
    file->next = folder->files;
    folder->files = file;
    return 0;
}

int files_read_names(struct folder *folder, struct folder_file *names)
{
    char name[RULE_NAME_MAX + 1];
    uint64_t from = 0;
    int status;

    text_clear(&names->text);
    while ((status = folder->dumps.next(folder->dumps.context, &from, name)) == 0)
        text_add_bytes(&names->text, name, strlen(name) + 1);
    return status == -ENOENT ? text_status(&names->text) : status;
}

int files_open(struct folder *folder, uint64_t node, struct folder_file **out)
{
    struct folder_file *file;
    int status = files_open_names(folder, out);

    if (status != 0)
        return status;
    file = *out;
    files[node].write(folder, &file->text);
    status = text_status(&file->text);
    if (status != 0)
        files_close(folder, out);
    return status;
}

void files_close(struct folder *folder, struct folder_file **file)
{
    struct folder_file *closing = *file, **link = &folder->files;

    *file = NULL;
    if (closing == NULL)
        return;
    while (*link != closing)
        link = &(*link)->next;
    *link = closing->next;
    text_clear(&closing->text);
    free(closing);
}

int files_fill(struct folder *folder, uint64_t node, struct fuse_entry_param *out)
{
    const struct mount_options *options = folder->mount->options;
    double seconds = files[node].live ? 0 : README_SECONDS;
    struct text text = TEXT_INIT;
    int status;

    files[node].write(folder, &text);
    status = text_status(&text);
    *out = (struct fuse_entry_param){.ino = node,
                                     .attr_timeout = seconds,
                                     .entry_timeout = README_SECONDS,
                                     .attr = {.st_ino = node,
                                              .st_mode = S_IFREG | (0444 & folder->mount->modes),
                                              .st_nlink = 1,
                                              .st_uid = options->uid,
                                              .st_gid = options->gid,
                                              .st_size = (off_t)text.length,
                                              .st_mtim = folder->time,
                                              .st_ctim = folder->time,
                                              .st_atim = folder->time}};
    text_clear(&text);
    return status;
}
