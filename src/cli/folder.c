/* SPDX-License-Identifier: MIT */
#include "cli/gpudumpfs.h"

#include "base/log.h"
#include "formats/format.h"
#include "source/filewatch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file as it was when the folder was last read. */
struct entry {
    char *name;
    struct stat file;
    const struct format *format; /* NULL: it is no dump */
};

struct folder_dumps {
    char *path;
    const struct program_options *options;
    struct program_options shared; /* the same, with a part of the cache */
    unsigned threads;
    struct entry *entries; /* by name */
    size_t count;
};

static void clear_entries(struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(entries[i].name);
    free(entries);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static const struct entry *find_entry(const struct folder_dumps *dumps, const char *name)
{
    const struct entry wanted = {.name = (char *)(uintptr_t)name};

    return dumps->count == 0
               ? NULL
               : bsearch(&wanted, dumps->entries, dumps->count, sizeof(wanted), by_name);
}

static char *path_of(const struct folder_dumps *dumps, const char *name)
{
    struct text path = TEXT_INIT;
    char *copy = NULL;

    text_printf(&path, "%s/%s", dumps->path, name);
    text_add_char(&path, '\0');
    if (text_status(&path) == 0)
        copy = strdup(path.bytes);
    text_clear(&path);
    return copy;
}

/*
 * Whether a regular file is a dump: what was found out before holds as long as the file
 * does. Links are not followed, for they might lead into the mount itself, whose thread
 * this is.
 */
static int look_at(struct folder_dumps *dumps, const char *name, struct entry *out)
{
    const struct entry *known = find_entry(dumps, name);
    char *path = path_of(dumps, name);
    int result = -ENOENT;

    if (path == NULL)
        return -ENOMEM;
    if (lstat(path, &out->file) != 0 || !S_ISREG(out->file.st_mode))
        goto out;
    if (known != NULL && filewatch_is_same(&known->file, &out->file))
        out->format = known->format;
    else
        out->format = format_of_file(path, &dumps->options->common);
    result = 0;
out:
    free(path);
    return result;
}

static int add_entry(struct folder_dumps *dumps, const char *name, struct entry **entries,
                     size_t *count)
{
    struct entry entry = {0}, *moved;

    if (strlen(name) > RULE_NAME_MAX || look_at(dumps, name, &entry) != 0)
        return 0;
    moved = realloc(*entries, (*count + 1) * sizeof(entry));
    if (moved == NULL)
        return -ENOMEM;
    *entries = moved;
    entry.name = strdup(name);
    if (entry.name == NULL)
        return -ENOMEM;
    moved[(*count)++] = entry;
    return 0;
}

static int read_folder(struct folder_dumps *dumps)
{
    DIR *folder = opendir(dumps->path);
    struct entry *entries = NULL;
    const struct dirent *found;
    size_t count = 0;
    int status = 0;

    if (folder == NULL)
        return -errno;
    while (status == 0 && (found = readdir(folder)) != NULL)
        status = add_entry(dumps, found->d_name, &entries, &count);
    closedir(folder);
    if (status != 0) {
        clear_entries(entries, count);
        return status;
    }
    if (count > 0)
        qsort(entries, count, sizeof(*entries), by_name);
    clear_entries(dumps->entries, dumps->count);
    dumps->entries = entries;
    dumps->count = count;
    return 0;
}

static int next_name(void *context, uint64_t *from, char name[RULE_NAME_MAX + 1])
{
    struct folder_dumps *dumps = context;

    if (*from == 0)
        (void)read_folder(dumps);
    while (*from < dumps->count && dumps->entries[*from].format == NULL)
        ++*from;
    if (*from >= dumps->count)
        return -ENOENT;
    strcpy(name, dumps->entries[(*from)++].name);
    return 0;
}

static int find_name(void *context, const char *name, struct stat *file)
{
    struct folder_dumps *dumps = context;
    struct entry entry = {0};

    if (strchr(name, '/') != NULL || look_at(dumps, name, &entry) != 0 || entry.format == NULL)
        return -ENOENT;
    *file = entry.file;
    return 0;
}

static void write_time(time_t time, struct text *row)
{
    struct tm fields;
    char shown[64];

    if (gmtime_r(&time, &fields) == NULL || strftime(shown, sizeof(shown), "%FT%TZ", &fields) == 0)
        strcpy(shown, "-");
    text_cell_word(row, shown);
}

static void describe_name(void *context, const char *name, struct text *row)
{
    struct folder_dumps *dumps = context;
    const struct entry *entry = find_entry(dumps, name);
    struct text path = TEXT_INIT;

    if (entry == NULL || entry->format == NULL) {
        text_add(row, "\t-\t-\t-\t-");
        return;
    }
    text_printf(&path, "%s/%s", dumps->path, name);
    if (text_status(&path) == 0)
        text_cell_escaped(row, path.bytes, path.length);
    else
        text_fail(row, text_status(&path));
    text_cell(row, (uint64_t)entry->file.st_size);
    text_cell_word(row, entry->format->name);
    write_time(entry->file.st_mtim.tv_sec, row);
    text_clear(&path);
}

struct open_dump {
    struct format_dump dump;
    struct tree *tree;
};

static int open_name(void *context, const char *name, struct text *message, void **dump,
                     struct tree **tree)
{
    const struct folder_dumps *dumps = context;
    const struct source_params params = {.max_expand = dumps->options->max_expand,
                                         .spool_dir = dumps->options->spool};
    struct open_dump *opened = calloc(1, sizeof(*opened));
    char *path = path_of(dumps, name);
    int status = -ENOMEM;

    if (opened != NULL && path != NULL)
        status = format_open(path, &dumps->shared.common, &params, message, &opened->dump);
    if (status == 0)
        status = format_tree(&opened->dump, dumps->threads, &opened->tree);
    free(path);
    if (status == 0) {
        *dump = opened;
        *tree = opened->tree;
        return 0;
    }
    if (message->length == 0)
        text_add(message, strerror(-status));
    log_write(LOG_WARNING, "%s: %.*s", name, (int)message->length, message->bytes);
    if (opened != NULL)
        format_close(&opened->dump);
    free(opened);
    return status;
}

static void close_dump(void *context, void *dump)
{
    struct open_dump *opened = dump;

    (void)context;
    tree_destroy(&opened->tree);
    format_close(&opened->dump);
    free(opened);
}

int folder_dumps_create(const char *path, const struct program_options *options, bool single,
                        struct folder_dumps **out)
{
    struct folder_dumps *dumps = calloc(1, sizeof(*dumps));
    int status = -ENOMEM;

    if (dumps == NULL)
        return -ENOMEM;
    dumps->options = options;
    program_options_share(options, &dumps->shared);
    dumps->threads = single ? 0 : options->common.threads;
    dumps->path = realpath(path, NULL);
    status = dumps->path == NULL ? -errno : read_folder(dumps);
    if (status != 0)
        folder_dumps_destroy(&dumps);
    *out = dumps;
    return status;
}

void folder_dumps_destroy(struct folder_dumps **dumps)
{
    if (*dumps == NULL)
        return;
    clear_entries((*dumps)->entries, (*dumps)->count);
    free((*dumps)->path);
    free(*dumps);
    *dumps = NULL;
}

void folder_dumps_describe(struct folder_dumps *dumps, struct mount_dumps *out)
{
    *out = (struct mount_dumps){.next = next_name,
                                .find = find_name,
                                .describe = describe_name,
                                .open = open_name,
                                .close = close_dump,
                                .context = dumps,
                                .max_open = dumps->options->open_dumps};
}
