/* SPDX-License-Identifier: MIT */
/*
 * `gpudump cp DUMP PATH... DESTINATION` works like cp(1), except that it makes a folder that is
 * needed. It first finds all files to copy, so that it can refuse, before anything is written, to
 * copy one over another of the same call. To standard output, `-`, it writes one file, like cat.
 */
#include "config.h"

#include "cli/gpudump.h"

#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct cp_source {
    uint64_t inode;
    char *path; /* in the dump */
    char *name; /* in the destination; "" for the contents of the root */
    bool repeated;
};

struct copying {
    struct gpudump *gpudump;
    const char *destination;
    bool folder; /* the destination is a folder: copies in it have their own names */
    struct cp_source *sources;
    size_t count;
};

/*
 * Returns the list with room for one more, doubling it when it is full; NULL if there is no memory.
 */
static void *grow(void *list, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0;

    return full ? reallocarray(list, count > 0 ? 2 * count : 1, size) : list;
}

/* Takes ownership of the strings, even if it fails. */
static int keep_source(struct copying *copying, uint64_t inode, char *path, char *name)
{
    struct cp_source *grown = grow(copying->sources, copying->count, sizeof(*grown));

    if (grown != NULL)
        copying->sources = grown;
    if (grown == NULL || path == NULL || name == NULL) {
        free(path);
        free(name);
        return -ENOMEM;
    }
    grown[copying->count++] = (struct cp_source){.inode = inode, .path = path, .name = name};
    return 0;
}

static bool add_source(void *context, const char *path, uint64_t inode)
{
    struct copying *copying = context;
    bool parents = copying->gpudump->parents;
    struct text plain = TEXT_INIT; /* without `.` and `..` */
    int status = paths_resolve_link("", path, &plain);

    text_add_char(&plain, '\0');
    if (status == 0)
        status = text_status(&plain);
    if (status == 0)
        status = keep_source(copying, inode, strdup(plain.bytes),
                             strdup(parents ? plain.bytes : paths_last(plain.bytes)));
    if (status != 0)
        gpudump_tell(copying->gpudump, path, status);
    text_clear(&plain);
    return true;
}

/* The name of a copy; for the root, there is a claim for each of its names. */
struct claim {
    uint64_t inode;
    struct cp_source *source;
    char *name;
};

struct claims {
    struct claim *list;
    size_t count;
    struct cp_source *source; /* source of the names that are being added */
    int status;
};

static void add_claim(struct claims *claims, const char *name, uint64_t inode)
{
    struct claim *grown = grow(claims->list, claims->count, sizeof(*grown));
    char *copy = strdup(name);

    if (grown != NULL)
        claims->list = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        claims->status = -ENOMEM;
        return;
    }
    grown[claims->count++] = (struct claim){inode, claims->source, copy};
}

static bool add_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next_cursor)
{
    struct claims *claims = context;

    (void)kind, (void)next_cursor;
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
        add_claim(claims, name, inode);
    return claims->status == 0;
}

static bool is_root(const struct cp_source *source)
{
    return *source->path == '\0';
}

static void collect_claims(struct copying *copying, struct claims *claims)
{
    for (size_t i = 0; i < copying->count && claims->status == 0; i++) {
        struct cp_source *source = &copying->sources[i];
        uint64_t cursor = 0;
        int status = 0;

        claims->source = source;
        if (is_root(source))
            status = tree_list(copying->gpudump->program.tree, source->inode, &cursor, add_entry,
                               claims);
        else
            add_claim(claims, source->name, source->inode);
        if (claims->status == 0)
            claims->status = status;
    }
}

/*
 * Sorts by name. For the same name, an entry of the root comes first, since the root is always
 * copied as a whole.
 */
static int compare_claims(const void *a, const void *b)
{
    const struct claim *first = a, *second = b;
    int order = strcmp(first->name, second->name);

    return order != 0 ? order : is_root(second->source) - is_root(first->source);
}

/*
 * Returns the first of two adjacent claims of different files to one name, or NULL. Marks sources
 * that were given twice.
 */
static const struct claim *find_clash(struct claims *claims)
{
    if (claims->count > 1)
        qsort(claims->list, claims->count, sizeof(*claims->list), compare_claims);
    for (size_t i = 1; i < claims->count; i++) {
        const struct claim *before = &claims->list[i - 1], *claim = &claims->list[i];

        if (strcmp(before->name, claim->name) != 0)
            continue;
        if (before->inode != claim->inode)
            return before;
        claim->source->repeated = true;
    }
    return NULL;
}

static const char *shown_path(const struct cp_source *source)
{
    return is_root(source) ? "/" : source->path;
}

/* Returns whether all copies can have their names; logs a conflict. */
static bool check_names(struct copying *copying)
{
    struct claims claims = {0};
    const struct claim *clash = NULL;

    collect_claims(copying, &claims);
    if (claims.status == 0)
        clash = find_clash(&claims);
    else
        gpudump_tell(copying->gpudump, copying->destination, claims.status);
    if (clash != NULL)
        log_write(LOG_ERR,
                  "%s and %s would both become %s/%s: nothing is copied; use --parents to keep "
                  "their folders",
                  shown_path(clash[0].source), shown_path(clash[1].source), copying->destination,
                  clash->name);
    for (size_t i = 0; i < claims.count; i++)
        free(claims.list[i].name);
    free(claims.list);
    return claims.status == 0 && clash == NULL;
}

static int make_folder(const char *path)
{
    struct stat there;

    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno == EEXIST && stat(path, &there) == 0)
        return S_ISDIR(there.st_mode) ? 0 : -ENOTDIR;
    return -errno;
}

/* Makes the folders of `name` below the destination; `path` is the destination and the name. */
static int make_parents(const struct copying *copying, char *path)
{
    int status = 0;

    for (char *slash = path + strlen(copying->destination) + 1;
         status == 0 && (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        status = make_folder(path);
    }
    return status;
}

static bool is_folder(const char *path)
{
    struct stat there;

    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static void copy_source(const struct copying *copying, struct copy *copy,
                        const struct cp_source *source)
{
    bool named = copying->folder && *source->name != '\0';
    char *path = NULL;
    int status = 0;

    if (asprintf(&path, "%s%s%s", copying->destination, named ? "/" : "",
                 named ? source->name : "") < 0)
        path = NULL;
    status = path == NULL ? -ENOMEM : named ? make_parents(copying, path) : 0;
    if (status == 0)
        copy_add(copy, source->path, source->inode, path);
    else
        gpudump_tell(copying->gpudump, source->path, status);
    free(path);
}

static int copy_all(struct copying *copying)
{
    struct gpudump *gpudump = copying->gpudump;
    struct copy_params params = {.tree = gpudump->program.tree,
                                 .threads = gpudump->program.options.common.threads,
                                 .progress = !gpudump->program.quiet};
    struct copy *copy = NULL;
    int status = copying->folder ? make_folder(copying->destination) : 0;

    if (status == 0)
        status = copy_begin(&params, &copy);
    if (status != 0)
        return status;
    for (size_t i = 0; i < copying->count; i++)
        if (!copying->sources[i].repeated)
            copy_source(copying, copy, &copying->sources[i]);
    if (!copy_end(&copy))
        gpudump->failed = true;
    return 0;
}

static enum program_status print_one(struct gpudump *gpudump)
{
    if (gpudump->path_count > 2 || paths_is_pattern(gpudump->paths[0]) || gpudump->parents) {
        log_write(LOG_ERR, "cp to standard output takes one file; see gpudump -h");
        return PROGRAM_USAGE;
    }
    gpudump->path_count = 1;
    return gpudump_cat(gpudump);
}

static enum program_status copy_paths(struct gpudump *gpudump)
{
    int paths = gpudump->path_count - 1, status = 0;
    struct copying copying = {.gpudump = gpudump, .destination = gpudump->paths[paths]};

    copying.folder = paths > 1 || paths_is_pattern(gpudump->paths[0]) || gpudump->parents ||
                     is_folder(copying.destination);
    gpudump_each_path(gpudump, paths, add_source, &copying);
    if (copying.folder && !check_names(&copying))
        gpudump->failed = true;
    else if (copying.count > 0)
        status = copy_all(&copying);
    if (status != 0)
        gpudump_tell(gpudump, copying.destination, status);
    for (size_t i = 0; i < copying.count; i++) {
        free(copying.sources[i].path);
        free(copying.sources[i].name);
    }
    free(copying.sources);
    return gpudump_outcome(gpudump);
}

enum program_status gpudump_cp(struct gpudump *gpudump)
{
    return contents_is_stream(gpudump->paths[gpudump->path_count - 1]) ? print_one(gpudump)
                                                                       : copy_paths(gpudump);
}
