/* SPDX-License-Identifier: MIT */
/*
 * Paths as users type them: the input is a pattern, which is matched against the tree of a small
 * dump; each result must be found again by its path. If the input contains a NUL, the bytes after
 * the first NUL are also resolved as the target of a link.
 */
#include "config.h"

#include "cli/gpudump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 200, FOUND_MAX = 64, WILD_MAX = 3 };

static const char recording[] =
    "Vulkan Memory Allocator,Calls recording\n1,8\nConfig,Begin\nConfig,End\n"
    "1,0.1,0,vmaCreateAllocator\n1,0.2,1,vmaDestroyAllocator\n";

static struct tree *tree;
static unsigned found_count;

static bool found(void *context, const char *path, uint64_t inode)
{
    uint64_t again = 0;

    (void)context;
    if (strlen(path) > 0 && (tree_find(tree, path, true, &again) < 0 || again != inode))
        abort();
    return ++found_count < FOUND_MAX;
}

static void start(void)
{
    static char path[] = "/fuzz.csv";
    static struct source source = {.data = (const uint8_t *)recording,
                                   .size = sizeof(recording) - 1,
                                   .file_size = sizeof(recording) - 1,
                                   .path = path};
    static struct options options;
    static const struct source_params source_params = {0};
    struct text message = TEXT_INIT;
    struct format_opening opening = {.source = &source,
                                     .options = &options,
                                     .source_params = &source_params,
                                     .message = &message};
    struct tree_params params = {.rules = NULL};
    const struct format *format;

    if (format_options_init(&options) < 0 || problems_create(&opening.problems) < 0 ||
        format_probe(&opening, &format) < 0 || format->ops->open(&opening, &params.dump) < 0)
        abort();
    params.rules = format->ops->rules;
    params.rule_count = format->ops->rule_count;
    if (tree_create(&params, &tree) < 0)
        abort();
    text_clear(&message);
}

/*
 * Returns whether the pattern has few wildcards. As in a shell, a pattern that enters many folders
 * and leaves them again finds the same file very often.
 */
static bool is_modest(const char *pattern)
{
    unsigned wild = 0;

    for (; *pattern != '\0'; pattern++)
        wild += strchr("*?[", *pattern) != NULL;
    return wild <= WILD_MAX;
}

static void check_link(const char *link, const char *target)
{
    struct text text = TEXT_INIT;
    int status = paths_resolve_link(link, target, &text);

    if (status < 0 && status != -ENOENT && status != -ENOMEM)
        abort();
    if (text.length > strlen(link) + strlen(target) + 1)
        abort();
    text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char pattern[BYTES_MAX + 2] = "";
    int status;

    if (size > BYTES_MAX)
        return 0;
    if (tree == NULL)
        start();
    if (size > 0)
        memcpy(pattern, data, size);
    found_count = 0;
    (void)paths_is_pattern(pattern);
    status = is_modest(pattern) ? paths_match(tree, pattern, found, NULL) : 0;
    if (status == -ENOENT && found_count > 0)
        abort();
    check_link(pattern, pattern + strlen(pattern) + 1);
    return 0;
}
