/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include "base/log.h"
#include "base/string.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Exports one folder, which is walked twice: to count, and to copy. */
struct exporting {
    struct gpudump *gpudump;
    uint64_t first, last; /* range of the numbers at the beginning of names */
    bool all;             /* names without a number as well */
    const char *from, *to;
    struct copy *copy; /* NULL while names are counted */
    uint64_t count;
};

bool gpudump_read_range(const char *word, uint64_t *first, uint64_t *last)
{
    bool from_first = *word == '-';

    *first = 0;
    *last = UINT64_MAX;
    if (*word == '\0')
        return true;
    if (!from_first && !string_take_number(&word, 10, first))
        return false;
    if (*word == '\0') {
        *last = *first;
        return true;
    }
    if (*word++ != '-')
        return false;
    if (*word == '\0')
        return !from_first;
    return string_take_number(&word, 10, last) && *word == '\0' && *first <= *last;
}

static bool is_wanted(const struct exporting *exporting, const char *name)
{
    uint64_t number;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    if (exporting->all)
        return true;
    return string_take_number(&name, 10, &number) && number >= exporting->first &&
           number <= exporting->last;
}

static bool export_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                         uint64_t next_cursor)
{
    struct exporting *exporting = context;
    struct text path = TEXT_INIT, destination = TEXT_INIT;

    (void)next_cursor;
    if (kind != RULE_FILE || !is_wanted(exporting, name))
        return true;
    exporting->count++;
    if (exporting->copy == NULL)
        return true;
    text_printf(&path, "%s/%s%c", exporting->from, name, '\0');
    text_printf(&destination, "%s/%s%c", exporting->to, name, '\0');
    if (text_status(&path) != 0 || text_status(&destination) != 0)
        gpudump_tell(exporting->gpudump, name, -ENOMEM);
    else
        copy_add(exporting->copy, path.bytes, inode, destination.bytes);
    text_clear(&path);
    text_clear(&destination);
    return true;
}

static int export_folder(struct exporting *exporting)
{
    struct gpudump *gpudump = exporting->gpudump;
    struct tree *tree = gpudump->program.tree;
    struct copy_params params = {
        .tree = tree,
        .threads = gpudump->jobs != 0 ? gpudump->jobs : gpudump->program.options.common.threads,
        .progress = !gpudump->program.quiet,
        .resume = true};
    uint64_t inode, cursor = 0;
    int status = tree_find(tree, exporting->from, true, &inode);

    if (status == 0)
        status = tree_list(tree, inode, &cursor, export_entry, exporting);
    if (status == 0 && exporting->count == 0) {
        log_write(LOG_ERR, "%s: none of its files is in that range", exporting->from);
        gpudump->failed = true;
        return 0;
    }
    if (status == 0 && mkdir(exporting->to, 0777) != 0 && errno != EEXIST)
        status = -errno;
    params.total = exporting->count;
    if (status == 0)
        status = copy_begin(&params, &exporting->copy);
    if (status != 0)
        return status;
    cursor = 0;
    status = tree_list(tree, inode, &cursor, export_entry, exporting);
    if (!copy_end(&exporting->copy))
        gpudump->failed = true;
    return status;
}

enum program_status gpudump_export(struct gpudump *gpudump)
{
    struct exporting exporting = {.gpudump = gpudump, .to = gpudump->paths[1]};
    const char *range = gpudump->range != NULL ? gpudump->range : "";
    char *from = gpudump->paths[0];
    size_t length = strlen(from);
    int status;

    exporting.all = *range == '\0';
    if (!gpudump_read_range(range, &exporting.first, &exporting.last)) {
        log_write(LOG_ERR, "--range %s: not a range such as 100-199", gpudump->range);
        return PROGRAM_USAGE;
    }
    while (length > 0 && from[length - 1] == '/')
        from[--length] = '\0';
    exporting.from = from;
    status = export_folder(&exporting);
    if (status != 0)
        gpudump_tell(gpudump, from, status);
    return gpudump_outcome(gpudump);
}
