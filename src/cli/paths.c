/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/gpudump.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

bool paths_is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL;
}

const char *paths_last(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* A search. `path` has the part found so far, as a string. */
struct search {
    struct tree *tree;
    struct text path;
    const char *rest; /* of the pattern */
    const char *component;
    size_t component_length;
    paths_found found;
    void *context;
    bool any, stopped;
    int status;
};

static void search_rest(struct search *search);

/* Appends a component, and searches the rest of the pattern below it. */
static void search_below(struct search *search, const char *name, size_t length)
{
    size_t before = search->path.length;

    if (before > 0)
        search->path.bytes[before - 1] = '/';
    text_add_bytes(&search->path, name, length);
    text_add_char(&search->path, '\0');
    search->status = text_status(&search->path);
    if (search->status == 0)
        search_rest(search);
    search->path.length = before;
    if (before > 0)
        search->path.bytes[before - 1] = '\0';
}

static bool search_name(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                        uint64_t next_cursor)
{
    struct search *search = context;
    const char *rest = search->rest, *component = search->component;
    size_t length = search->component_length;
    char pattern[RULE_NAME_MAX + 1];

    (void)inode, (void)kind, (void)next_cursor;
    if (length > RULE_NAME_MAX)
        return false;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    memcpy(pattern, component, length);
    pattern[length] = '\0';
    if (fnmatch(pattern, name, FNM_PERIOD) != 0)
        return true;
    search_below(search, name, strlen(name));
    search->rest = rest;
    search->component = component;
    search->component_length = length;
    return !search->stopped && search->status == 0;
}

static void search_pattern(struct search *search)
{
    uint64_t inode = 0, cursor = 0;
    const char *path = search->path.length > 0 ? search->path.bytes : "";
    int status = tree_find(search->tree, path, true, &inode);

    if (status == 0)
        status = tree_list(search->tree, inode, &cursor, search_name, search);
    if (status != 0 && status != -ENOENT && status != -ENOTDIR)
        search->status = status;
}

static void search_end(struct search *search)
{
    const char *path = search->path.length > 0 ? search->path.bytes : "";
    uint64_t inode = 0;
    int status = tree_find(search->tree, path, true, &inode);

    if (status == 0) {
        search->any = true;
        search->stopped = !search->found(search->context, path, inode);
    } else if (status != -ENOENT && status != -ENOTDIR) {
        search->status = status;
    }
}

static void search_rest(struct search *search)
{
    const char *component = search->rest + strspn(search->rest, "/");
    size_t length = strcspn(component, "/");
    bool wild = false;

    for (size_t i = 0; i < length; i++)
        wild = wild || strchr("*?[", component[i]) != NULL;
    search->component = component;
    search->component_length = length;
    search->rest = component + length;
    if (length == 0)
        search_end(search);
    else if (wild)
        search_pattern(search);
    else
        search_below(search, component, length);
}

int paths_match(struct tree *tree, const char *pattern, paths_found found, void *context)
{
    struct search search = {.tree = tree, .rest = pattern, .found = found, .context = context};

    search_rest(&search);
    text_clear(&search.path);
    if (search.status != 0)
        return search.status;
    return search.any ? 0 : -ENOENT;
}

int paths_resolve_link(const char *link, const char *target, struct text *out)
{
    const char *parts[2] = {link, target};
    size_t lengths[2] = {(size_t)(paths_last(link) - link), strlen(target)};

    text_reset(out);
    for (int i = 0; i < 2; i++) {
        const char *p = parts[i], *end = p + lengths[i];

        while (p < end) {
            const char *slash = memchr(p, '/', (size_t)(end - p));
            size_t length = (size_t)((slash != NULL ? slash : end) - p);

            if (length == 2 && memcmp(p, "..", 2) == 0) {
                if (out->length == 0)
                    return -ENOENT;
                while (out->length > 0 && out->bytes[--out->length] != '/')
                    ;
            } else if (length > 0 && !(length == 1 && *p == '.')) {
                if (out->length > 0)
                    text_add_char(out, '/');
                text_add_bytes(out, p, length);
            }
            p += length + 1;
        }
    }
    return text_status(out);
}
