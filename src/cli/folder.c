/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/folder.h"

#include "base/array.h"
#include "base/log.h"
#include "formats/format.h"
#include "source/filewatch.h"
#include "source/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file, as it was when the folder was last read. */
struct entry {
    char *name;
    struct stat file;
    const struct format *format; /* NULL: it is no dump */
};

struct folder_dumps {
    char *path;                 /* only for messages: files are found by the descriptor */
    int folder;                 /* opened once, since a confined process cannot open it again */
    struct stat status;         /* of the folder, at the start */
    struct spool_budget budget; /* for all open dumps together */
    const struct program_options *options;
    struct program_options shared; /* these options, with a part of the cache */
    unsigned threads;
    struct entry *entries; /* sorted by name */
    size_t count;
};

struct listing {
    struct entry *entries;
    size_t count, room;
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

/* Finds the status of a file that the daemon's user may not look up, but the keeper's may. */
static bool ask_status(const struct folder_dumps *dumps, const char *name, struct stat *out)
{
    int file = source_open_file(dumps->folder, name, false);
    bool found = file >= 0 && fstat(file, out) == 0;

    if (file >= 0)
        close(file);
    return found;
}

static bool find_status(const struct folder_dumps *dumps, const char *name, struct stat *out)
{
    return fstatat(dumps->folder, name, out, AT_SYMLINK_NOFOLLOW) == 0 ||
           (errno == EACCES && ask_status(dumps, name, out));
}

/*
 * Opens the regular file of that name whose status is `file`; leaves anything else alone. Returns a
 * descriptor, -ESTALE if it is another file, or another -errno.
 */
static int open_entry(const struct folder_dumps *dumps, const char *name, const struct stat *file)
{
    int fd = S_ISREG(file->st_mode) ? source_open_file(dumps->folder, name, false) : -ESTALE;
    struct stat opened;

    if (fd == -ENOENT || fd == -ELOOP || fd == -ENXIO)
        return -ESTALE; /* removed, a link, or a socket */
    if (fd >= 0 && (fstat(fd, &opened) != 0 || !filewatch_is_same(&opened, file))) {
        close(fd);
        return -ESTALE;
    }
    return fd;
}

/* Finds the format of a file; NULL if it has none or cannot be opened. Returns 0 or -ENOMEM. */
static int find_format(const struct folder_dumps *dumps, const char *name,
                       const struct stat *status, const struct format **out)
{
    struct source_file file = {
        .fd = open_entry(dumps, name, status), .no_links = true, .folder = dumps->folder};
    int result = -ENOMEM;
    char *path;

    *out = NULL;
    if (file.fd < 0)
        return file.fd == -ENOMEM ? -ENOMEM : 0;
    path = path_of(dumps, name);
    if (path != NULL)
        result = format_of_file(&file, path, &dumps->options->common, out);
    free(path);
    close(file.fd);
    return result;
}

/*
 * Finds out whether a regular file is a dump. An earlier result stays valid while the file is
 * unchanged. Links are not followed, since they might lead into this mount, which the calling
 * thread serves. Returns 0, -ENOENT or -ENOMEM.
 */
static int look_at(struct folder_dumps *dumps, const char *name, struct entry *out)
{
    const struct entry *known = find_entry(dumps, name);

    if (!find_status(dumps, name, &out->file) || !S_ISREG(out->file.st_mode))
        return -ENOENT;
    if (known != NULL && filewatch_is_same(&known->file, &out->file))
        out->format = known->format;
    else
        return find_format(dumps, name, &out->file, &out->format);
    return 0;
}

static int add_entry(struct folder_dumps *dumps, const char *name, struct listing *listing)
{
    struct entry entry = {0};
    int status = strlen(name) > RULE_NAME_MAX ? -ENOENT : look_at(dumps, name, &entry);

    if (status != 0)
        return status == -ENOENT ? 0 : status;
    if (ARRAY_GROW(listing->entries, listing->count, listing->room) != 0)
        return -ENOMEM;
    entry.name = strdup(name);
    if (entry.name == NULL)
        return -ENOMEM;
    listing->entries[listing->count++] = entry;
    return 0;
}

static int read_names(struct folder_dumps *dumps, struct listing *listing)
{
    int fd = fcntl(dumps->folder, F_DUPFD_CLOEXEC, 0);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *found;
    int status = 0;

    if (folder == NULL) {
        status = -errno;
        if (fd >= 0)
            close(fd);
        return status;
    }
    rewinddir(folder); /* the open folder is shared, and was read before */
    while (status == 0 && (found = readdir(folder)) != NULL)
        status = add_entry(dumps, found->d_name, listing);
    closedir(folder);
    return status;
}

int folder_dumps_read(struct folder_dumps *dumps)
{
    struct listing listing = {0};
    int status = read_names(dumps, &listing);

    if (status != 0) {
        clear_entries(listing.entries, listing.count);
        return status;
    }
    if (listing.count > 0)
        qsort(listing.entries, listing.count, sizeof(*listing.entries), by_name);
    clear_entries(dumps->entries, dumps->count);
    dumps->entries = listing.entries;
    dumps->count = listing.count;
    return 0;
}

static int next_name(void *context, uint64_t *from, char name[RULE_NAME_MAX + 1])
{
    struct folder_dumps *dumps = context;

    /* A folder that cannot be read any more keeps its names. */
    if (*from == 0 && folder_dumps_read(dumps) == -ENOMEM)
        return -ENOMEM;
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
    int status = strchr(name, '/') != NULL ? -ENOENT : look_at(dumps, name, &entry);

    if (status == 0 && entry.format == NULL)
        status = -ENOENT;
    *file = entry.file;
    return status;
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

/*
 * `fd` is only needed during this call: mappings stay valid, and watches have their own
 * descriptors.
 */
static int open_file(struct folder_dumps *dumps, const char *name, int fd,
                     const struct cancel *cancel, struct text *message, struct open_dump *opened)
{
    const struct source_file file = {.fd = fd, .no_links = true, .folder = dumps->folder};
    struct source_params params = program_source_params(dumps->options);
    char *path = path_of(dumps, name);
    int status = -ENOMEM;

    params.file = &file;
    params.cancel = cancel;
    params.budget = &dumps->budget;
    if (path != NULL)
        status = format_open(path, &dumps->shared.common, &params, message, &opened->dump);
    if (status == 0)
        status = format_tree(&opened->dump, dumps->threads, &opened->tree);
    free(path);
    return status;
}

static int open_name(void *context, const char *name, const struct stat *file,
                     const struct cancel *cancel, struct text *message, void **dump,
                     struct tree **tree)
{
    struct folder_dumps *dumps = context;
    struct open_dump *opened = calloc(1, sizeof(*opened));
    int fd = opened != NULL ? open_entry(dumps, name, file) : -ENOMEM;
    int status = fd < 0 ? fd : open_file(dumps, name, fd, cancel, message, opened);

    if (fd >= 0)
        close(fd);
    if (status == 0) {
        *dump = opened;
        *tree = opened->tree;
        return 0;
    }
    if (message->length == 0)
        text_add(message, strerror(-status));
    if (status != -EINTR && status != -ESTALE)
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
    dumps->budget.max = options->max_expand != 0 ? options->max_expand : SOURCE_MAX_EXPAND;
    dumps->path = realpath(path, NULL);
    dumps->folder =
        dumps->path == NULL ? -1 : open(dumps->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    status = dumps->folder < 0 || fstat(dumps->folder, &dumps->status) != 0 ? -errno : 0;
    if (status != 0)
        folder_dumps_destroy(&dumps);
    *out = dumps;
    return status;
}

const char *folder_dumps_path(const struct folder_dumps *dumps)
{
    return dumps->path;
}

void folder_dumps_destroy(struct folder_dumps **dumps)
{
    if (*dumps == NULL)
        return;
    clear_entries((*dumps)->entries, (*dumps)->count);
    if ((*dumps)->folder >= 0)
        close((*dumps)->folder);
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
                                .folder = dumps->status,
                                .max_open = dumps->options->open_dumps};
}
