/* PSX GPU dumps: the input is a dump; its tree is walked and some files are read. */
#include "config.h"

#include "formats/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    ENTRIES = 20,         /* of one directory that are looked into */
    BYTES_MOST = 1 << 20, /* read from one dump, besides … */
    LARGE = 1 << 18,      /* … files of that size */
    LARGE_MOST = 1,
    INDEX_MEMORY = 1 << 20,
};

struct walking {
    struct tree *tree;
    uint64_t bytes; /* still to be read */
    unsigned large; /* files */
    struct {
        uint64_t inode;
        enum rule_kind kind;
    } entries[ENTRIES];
    unsigned count;
};

static bool collect(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                    uint64_t next)
{
    struct walking *walking = context;

    (void)next;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    walking->entries[walking->count].inode = inode;
    walking->entries[walking->count].kind = kind;
    return ++walking->count < ENTRIES;
}

/* All of it, unless the dump's share is used up; as long as it says. */
static void read_file(struct walking *walking, uint64_t inode)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    struct tree_window window;
    uint64_t offset = 0;

    if (tree_stat(walking->tree, inode, NULL, &attributes) < 0)
        abort();
    if (attributes.size >= LARGE && walking->large++ >= LARGE_MOST)
        return;
    if (tree_open(walking->tree, inode, &file) < 0)
        abort();
    while (offset < attributes.size && walking->bytes > 0) {
        if (tree_read(file, offset, 1 << 16, NULL, &window) < 0 || window.length == 0)
            abort();
        offset += window.length;
        walking->bytes -= window.length < walking->bytes ? window.length : walking->bytes;
        blob_unref(&window.blob);
    }
    if (tree_read(file, attributes.size, 1, NULL, &window) < 0 || window.length != 0)
        abort();
    tree_close(&file);
}

static void walk(struct walking *walking, uint64_t directory)
{
    struct walking inner = {
        .tree = walking->tree, .bytes = walking->bytes, .large = walking->large};
    uint64_t cursor = 0;

    if (tree_list(walking->tree, directory, &cursor, collect, &inner) < 0)
        abort();
    for (unsigned i = 0; i < inner.count && inner.bytes > 0; i++) {
        if (inner.entries[i].kind == RULE_DIRECTORY)
            walk(&inner, inner.entries[i].inode);
        else if (inner.entries[i].kind == RULE_FILE)
            read_file(&inner, inner.entries[i].inode);
    }
    walking->bytes = inner.bytes;
    walking->large = inner.large;
}

static void open_dump(const struct source *source, const struct options *options)
{
    const struct source_params params = {0};
    struct text message = TEXT_INIT;
    struct format_opening opening = {
        .source = source, .options = options, .source_params = &params, .message = &message};
    const struct format *format = format_probe(&opening);
    struct walking walking = {.bytes = BYTES_MOST};
    struct dump *dump = NULL;
    int status = format == NULL ? -ENOEXEC : problems_create(&opening.problems);

    if (status == 0)
        status = format->open(&opening, &dump);
    if (status == 0) {
        struct tree_params tree = {
            .dump = dump, .rules = format->rules, .rule_count = format->rule_count};

        if (tree_create(&tree, &walking.tree) < 0)
            abort();
        walk(&walking, TREE_ROOT);
        tree_destroy(&walking.tree);
    }
    problems_destroy(&opening.problems);
    text_clear(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.psxgpu";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct options options;

    if (format_options_init(&options) < 0)
        return 0;
    options.max_memory = INDEX_MEMORY;
    open_dump(&source, &options);
    options_clear(&options);
    return 0;
}
