/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/walk.h"

#include "tree/rule.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct entry {
    char name[RULE_NAME_MAX + 1];
    uint64_t inode;
    enum rule_kind kind;
    uint64_t next;
};

struct entries {
    struct entry *list;
    size_t count, room;
    size_t max; /* stops after this many more entries */
};

struct walking {
    struct tree *tree;
    const struct walk_params *params;
    struct walk_result *result;
};

#define FAIL(path, ...)                                                                            \
    do {                                                                                           \
        print_error("%s: ", path);                                                                 \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

static bool collect(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                    uint64_t next)
{
    struct entries *entries = context;
    struct entry *entry = NULL;

    if (entries->max == 0)
        return false;
    entries->max--;
    if (entries->count == entries->room) {
        entries->room = entries->room == 0 ? 64 : entries->room * 2;
        entries->list = realloc(entries->list, entries->room * sizeof(*entries->list));
        assert_non_null(entries->list);
    }
    entry = &entries->list[entries->count++];
    snprintf(entry->name, sizeof(entry->name), "%s", name);
    entry->inode = inode;
    entry->kind = kind;
    entry->next = next;
    return true;
}

static void list_all(struct walking *walking, const char *path, uint64_t directory,
                     struct entries *entries)
{
    uint64_t cursor = 0;
    int status = 0;

    *entries = (struct entries){.max = SIZE_MAX};
    status = tree_list(walking->tree, directory, &cursor, collect, entries);
    if (status < 0)
        FAIL(path, "cannot be listed: %s", strerror(-status));
    if (entries->count < 2 || strcmp(entries->list[0].name, ".") != 0 ||
        strcmp(entries->list[1].name, "..") != 0 || entries->list[0].inode != directory)
        FAIL(path, "does not begin with . and ..");
    if (tree_list(walking->tree, directory, &cursor, collect, entries) < 0 ||
        cursor < entries->list[entries->count - 1].next)
        FAIL(path, "does not stay at its end");
}

/* Resumes the listing after each entry: the next one must follow, and none after the last. */
static void check_resumption(struct walking *walking, const char *path, uint64_t directory,
                             const struct entries *entries)
{
    size_t step = entries->count > 4096 ? entries->count / 1024 : 1;

    for (size_t i = 0; i < entries->count; i += i + step < entries->count ? step : 1) {
        struct entry one;
        struct entries rest = {.list = &one, .room = 1, .max = 1};
        uint64_t cursor = entries->list[i].next;

        assert_int_equal(tree_list(walking->tree, directory, &cursor, collect, &rest), 0);
        if (rest.count != (i + 1 < entries->count))
            FAIL(path, "%s: listing goes on wrongly", entries->list[i].name);
        if (rest.count == 1 &&
            (strcmp(one.name, entries->list[i + 1].name) != 0 ||
             one.inode != entries->list[i + 1].inode || one.next != entries->list[i + 1].next))
            FAIL(path, "after %s comes %s", entries->list[i].name, one.name);
        if (i > 0 && entries->list[i].next <= entries->list[i - 1].next)
            FAIL(path, "%s: places do not grow", entries->list[i].name);
        if (entries->list[i].next > INT64_MAX)
            FAIL(path, "%s: its place is no off_t", entries->list[i].name);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the sorted names, to be freed with free(). Fails the test if a name occurs twice. */
static const char **sorted_names(const char *path, const struct entries *entries)
{
    const char **names = malloc(entries->count * sizeof(*names));

    assert_non_null(names);
    for (size_t i = 0; i < entries->count; i++)
        names[i] = entries->list[i].name;
    qsort(names, entries->count, sizeof(*names), compare_names);
    for (size_t i = 1; i < entries->count; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            FAIL(path, "%s stands twice", names[i]);
    return names;
}

static void check_name(const char *path, const char *name)
{
    if (*name == '\0' || strlen(name) > RULE_NAME_MAX)
        FAIL(path, "a name of %zu bytes", strlen(name));
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p++)
        if (*p <= ' ' || *p > '~' || *p == '/')
            FAIL(path, "byte %02X in a name", *p);
}

/* Checks that names similar to an existing one are not found. */
static void check_bogus(struct walking *walking, const char *path, uint64_t directory,
                        const char *name, const char **names, size_t count)
{
    char bogus[10][RULE_NAME_MAX + 32];
    int n = 0;

    sprintf(bogus[n++], "0%s", name);
    sprintf(bogus[n++], "+%s", name);
    sprintf(bogus[n++], " %s", name);
    sprintf(bogus[n++], "-%s", name);
    sprintf(bogus[n++], "%s0", name);
    sprintf(bogus[n++], "%s/", name);
    sprintf(bogus[n++], "%.*s", (int)strlen(name) - 1, name);
    sprintf(bogus[n++], "%s", name + 1);
    sprintf(bogus[n++], "99999999999999999999%s", name);
    sprintf(bogus[n++], "%s", name);
    bogus[n - 1][strlen(name) / 2] ^= 1;
    for (int i = 0; i < n; i++) {
        const char *key = bogus[i];
        uint64_t inode = 0;
        int status = tree_lookup(walking->tree, directory, key, &inode);

        if (status == 0 && bsearch(&key, names, count, sizeof(*names), compare_names) == NULL)
            FAIL(path, "'%s' is found, and not listed", key);
        if (status != 0 && status != -ENOENT)
            FAIL(path, "looking for '%s': %s", key, strerror(-status));
    }
}

static bool is_broken(const struct walking *walking, const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    for (const char *const *broken = walking->params->broken; broken != NULL && *broken != NULL;
         broken++)
        if (strcmp(*broken, name) == 0)
            return true;
    return false;
}

static bool is_unread(const struct walking *walking, const char *path)
{
    size_t length = strlen(path);

    for (const char *const *end = walking->params->unread; end != NULL && *end != NULL; end++)
        if (length >= strlen(*end) && strcmp(path + length - strlen(*end), *end) == 0)
            return true;
    return false;
}

/* Reads up to `size` bytes from `offset`, in as many windows as necessary. */
static size_t read_some(const char *path, struct tree_file *file, uint64_t offset, size_t size,
                        uint8_t *to)
{
    size_t done = 0;

    while (done < size) {
        struct tree_window window;
        int status = tree_read(file, offset + done, size - done, NULL, &window);

        if (status < 0)
            FAIL(path, "reading at %llu: %s", (unsigned long long)(offset + done),
                 strerror(-status));
        if (window.length == 0) {
            assert_null(window.blob);
            break;
        }
        if (window.length > size - done)
            FAIL(path, "more bytes than asked for");
        memcpy(to + done, window.data, window.length);
        done += window.length;
        blob_unref(&window.blob);
    }
    return done;
}

/* Checks that the bytes are the same when read in odd steps, from the end. */
static void check_pieces(const char *path, struct tree_file *file, const uint8_t *bytes,
                         uint64_t size)
{
    uint8_t part[1009];
    uint64_t steps = size / sizeof(part) + 1, stride = steps > 64 ? steps / 64 : 1;

    for (uint64_t step = steps; step > 0; step -= step > stride ? stride : step) {
        uint64_t offset = (step - 1) * sizeof(part);
        size_t expected = size - offset < sizeof(part) ? size - offset : sizeof(part);

        if (read_some(path, file, offset, sizeof(part), part) != expected ||
            memcmp(part, bytes + offset, expected) != 0)
            FAIL(path, "other bytes at %llu", (unsigned long long)offset);
    }
    if (read_some(path, file, size, 1, part) != 0 ||
        read_some(path, file, UINT64_MAX, 1, part) != 0)
        FAIL(path, "bytes behind its end");
}

static int try_beginning(struct tree *tree, uint64_t inode)
{
    struct tree_window window = {.blob = NULL};
    struct tree_file *file = NULL;
    int status = tree_open(tree, inode, &file);

    if (status == 0)
        status = tree_read(file, 0, 1, NULL, &window);
    blob_unref(&window.blob);
    tree_close(&file);
    return status;
}

int walk_try(struct tree *tree, const char *path)
{
    uint64_t inode = 0;
    int status = tree_find(tree, path, true, &inode);

    return status == 0 ? try_beginning(tree, inode) : status;
}

static void check_broken(struct walking *walking, const char *path, uint64_t inode)
{
    int status = try_beginning(walking->tree, inode);

    if (status != -EIO)
        FAIL(path, "broken, but: %s", strerror(-status));
    walking->result->broken++;
}

static void digest(struct walking *walking, const void *bytes, size_t size)
{
    walking->result->digest = (uint32_t)crc32_z(walking->result->digest, bytes, size);
}

static bool is_digested(const struct walking *walking, const char *path)
{
    return strncmp(path, "/.gpudumpfs/", 12) != 0 &&
           !(walking->params->any_source &&
             (strncmp(path, "/metadata.", 10) == 0 || strcmp(path, "/README.txt") == 0 ||
              strcmp(path, "/contact-sheet.png") == 0 || strcmp(path, "/timeline.png") == 0));
}

static void check_file(struct walking *walking, const char *path, uint64_t inode)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int status = 0;

    if (is_broken(walking, path)) {
        check_broken(walking, path, inode);
        return;
    }
    if (is_unread(walking, path)) {
        digest(walking, path, strlen(path));
        digest(walking, &inode, sizeof(inode));
        walking->result->files++;
        return;
    }
    status = tree_stat(walking->tree, inode, NULL, &attributes);
    if (status == 0)
        status = tree_open(walking->tree, inode, &file);
    if (status < 0)
        FAIL(path, "cannot be opened: %s", strerror(-status));
    bytes = malloc(attributes.size + 2);
    assert_non_null(bytes);
    size = read_some(path, file, 0, attributes.size + 1, bytes);
    if (size != attributes.size)
        FAIL(path, "size %llu, but %zu bytes", (unsigned long long)attributes.size, size);
    check_pieces(path, file, bytes, size);
    tree_close(&file);
    if (!attributes.live && is_digested(walking, path)) {
        digest(walking, path, strlen(path));
        digest(walking, &inode, sizeof(inode));
        digest(walking, bytes, size);
    }
    free(bytes);
    walking->result->files++;
    walking->result->bytes += size;
}

static void check_link(struct walking *walking, const char *path, uint64_t inode)
{
    struct tree_attributes attributes;
    struct text target = TEXT_INIT;
    uint64_t end = 0;
    int status = tree_link(walking->tree, inode, &target);

    if (status < 0)
        FAIL(path, "has no target: %s", strerror(-status));
    assert_int_equal(tree_attributes(walking->tree, inode, &attributes), 0);
    if (attributes.size != target.length || target.length == 0)
        FAIL(path, "size %llu, but a target of %zu", (unsigned long long)attributes.size,
             target.length);
    status = tree_find(walking->tree, path, true, &end);
    if (status < 0)
        FAIL(path, "leads nowhere: %s", strerror(-status));
    digest(walking, path, strlen(path));
    digest(walking, &inode, sizeof(inode));
    digest(walking, target.bytes, target.length);
    text_clear(&target);
    walking->result->links++;
}

static void check_attributes(struct walking *walking, const char *path, const struct entry *entry)
{
    struct tree_attributes attributes;
    int status = tree_attributes(walking->tree, entry->inode, &attributes);

    if (status != 0 && status != -EAGAIN && !(status == -EIO && is_broken(walking, path)))
        FAIL(path, "has no attributes: %s", strerror(-status));
    if (status == 0 && (attributes.inode != entry->inode || attributes.kind != entry->kind))
        FAIL(path, "is listed as another kind");
}

static void walk_directory(struct walking *walking, const char *path, uint64_t inode,
                           uint64_t parent);

static void check_entry(struct walking *walking, const char *path, uint64_t directory,
                        const struct entry *entry)
{
    char *own_path = NULL;
    uint64_t inode = 0;

    assert_true(asprintf(&own_path, "%s/%s", path, entry->name) > 0);
    if (tree_lookup(walking->tree, directory, entry->name, &inode) != 0 || inode != entry->inode)
        FAIL(own_path, "is listed, but not found");
    check_attributes(walking, own_path, entry);
    if (entry->kind == RULE_DIRECTORY)
        walk_directory(walking, own_path, inode, directory);
    else if (entry->kind == RULE_LINK)
        check_link(walking, own_path, inode);
    else
        check_file(walking, own_path, inode);
    free(own_path);
}

static void walk_directory(struct walking *walking, const char *path, uint64_t inode,
                           uint64_t parent)
{
    struct entries entries;
    const char **names = NULL;
    size_t max = walking->params->max_entries;

    list_all(walking, path, inode, &entries);
    if (entries.list[1].inode != parent)
        FAIL(path, "has another parent");
    check_resumption(walking, path, inode, &entries);
    names = sorted_names(path, &entries);
    for (size_t i = 2; i < entries.count; i++) {
        if (max > 0 && i >= 2 + max / 2 && i + (max - max / 2) < entries.count)
            continue;
        check_name(path, entries.list[i].name);
        check_bogus(walking, path, inode, entries.list[i].name, names, entries.count);
        check_entry(walking, path, inode, &entries.list[i]);
    }
    free(names);
    free(entries.list);
    walking->result->directories++;
}

void walk_tree(struct tree *tree, const struct walk_params *params, struct walk_result *result)
{
    static const struct walk_params standard = {0};
    struct walking walking = {
        .tree = tree, .params = params != NULL ? params : &standard, .result = result};

    *result = (struct walk_result){0};
    walk_directory(&walking, "", TREE_ROOT, TREE_ROOT);
}

char *walk_read(struct tree *tree, const char *path, size_t *size)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    uint64_t inode = 0;
    char *bytes = NULL;
    int status = tree_find(tree, path, true, &inode);

    if (status == 0)
        status = tree_stat(tree, inode, NULL, &attributes);
    if (status == 0)
        status = tree_open(tree, inode, &file);
    if (status < 0)
        FAIL(path, "%s", strerror(-status));
    bytes = malloc(attributes.size + 1);
    assert_non_null(bytes);
    *size = read_some(path, file, 0, attributes.size, (uint8_t *)bytes);
    bytes[*size] = '\0';
    tree_close(&file);
    return bytes;
}
