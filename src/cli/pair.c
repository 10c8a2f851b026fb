/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/gpudumpfs.h"

#include "base/log.h"
#include "compare/compare_dump.h"
#include "compare/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, COMPARISON, TREES };

/* The comparison's own names stand in the root. */
static const char *const names[TREES] = {COMPARE_A, COMPARE_B, ""};

/* Whose reading is allowed to others of the same class, as of a file. */
static mode_t modes_of(const struct stat *file)
{
    mode_t modes = file->st_mode & 0777;

    return S_ISDIR(file->st_mode) ? modes & (modes & 0111) << 2 : modes;
}

/* What both files allow is allowed for the directory that shows both. */
static void restrict_folder(struct pair *pair)
{
    struct stat files[2] = {0};
    mode_t modes = 0777;

    for (unsigned i = 0; i < 2; i++) {
        if (stat(pair->paths[i], &files[i]) != 0)
            files[i] = (struct stat){0}; /* which the opening tells */
        modes &= modes_of(&files[i]);
    }
    pair->folder = files[FIRST];
    pair->folder.st_mode = S_IFREG | modes;
    if (files[FIRST].st_gid != files[SECOND].st_gid)
        pair->folder.st_gid = (gid_t)-1; /* nobody's: its members are others */
}

int pair_create(struct program *first, const char *const paths[2], struct pair **out)
{
    struct pair *pair = calloc(1, sizeof(*pair));

    *out = pair;
    if (pair == NULL || problems_create(&pair->problems) != 0) {
        free(pair);
        *out = NULL;
        return -ENOMEM;
    }
    first->options.common.cache /= TREES;
    pair->first = first;
    pair->second = (struct program){.name = first->name, .quiet = first->quiet};
    pair->second.folder_hint = first->folder_hint;
    pair->second.options = first->options;
    pair->second.options.common.program_values = &pair->second.options;
    program_look(&pair->second, paths[1]);
    memcpy(pair->paths, paths, sizeof(pair->paths));
    restrict_folder(pair);
    return 0;
}

enum program_status pair_open(struct pair *pair)
{
    enum program_status status = program_open(pair->first, pair->paths[FIRST]);
    const struct dump *dumps[2];
    struct text message = TEXT_INIT;

    if (status == PROGRAM_OK)
        status = program_open(&pair->second, pair->paths[SECOND]);
    if (status != PROGRAM_OK)
        return status;
    dumps[FIRST] = pair->first->dump.dump;
    dumps[SECOND] = pair->second.dump.dump;
    if (!comparison_is_possible(dumps, pair->paths, &message)) {
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
        status = PROGRAM_USAGE;
    }
    text_clear(&message);
    return status;
}

static enum program_status make_comparison(struct pair *pair, unsigned threads)
{
    const struct compare_dump_params params = {
        .trees = {pair->first->tree, pair->second.tree},
        .paths = {pair->paths[FIRST], pair->paths[SECOND]},
        .options = &pair->first->options.common,
        .problems = pair->problems,
    };
    int result = compare_dump_create(&params, threads, &pair->comparison);

    if (result != 0)
        log_write(LOG_ERR, "%s", strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

enum program_status pair_start(struct pair *pair, unsigned threads)
{
    enum program_status status = program_make_tree(pair->first, threads);

    if (status == PROGRAM_OK)
        status = program_make_tree(&pair->second, threads);
    return status == PROGRAM_OK ? make_comparison(pair, threads) : status;
}

/* What the comparison waits for in the two trees is given up first, so that it ends soon. */
static void end_comparison(struct pair *pair)
{
    if (pair->comparison == NULL)
        return;
    cancel_raise(&tree_dump(pair->first->tree)->cancel);
    cancel_raise(&tree_dump(pair->second.tree)->cancel);
    tree_destroy(&pair->comparison);
}

void pair_end(struct pair *pair)
{
    end_comparison(pair);
    tree_destroy(&pair->second.tree);
    tree_destroy(&pair->first->tree);
}

/* The first program's are its own. */
void pair_destroy(struct pair **pair)
{
    struct pair *ending = *pair;

    *pair = NULL;
    if (ending == NULL)
        return;
    pair_end(ending);
    format_close(&ending->second.dump);
    problems_destroy(&ending->problems);
    free(ending);
}

/* For the mount. */

static int next_name(void *context, uint64_t *from, char name[RULE_NAME_MAX + 1])
{
    (void)context;
    if (*from >= COMPARISON)
        return -ENOENT;
    strcpy(name, names[(*from)++]);
    return 0;
}

static struct tree **tree_of(struct pair *pair, const char *name)
{
    struct tree **const trees[TREES] = {&pair->first->tree, &pair->second.tree, &pair->comparison};

    for (unsigned i = 0; i < TREES; i++)
        if (strcmp(names[i], name) == 0)
            return trees[i];
    return NULL;
}

static int find_name(void *context, const char *name, struct stat *file)
{
    struct pair *pair = context;
    struct tree *const *tree = tree_of(pair, name);

    if (tree == NULL)
        return -ENOENT;
    *file = *name == '\0' ? pair->folder : tree_dump(*tree)->source->status;
    return 0;
}

static int open_name(void *context, const char *name, const struct stat *file,
                     const struct cancel *cancel, struct text *message, void **dump,
                     struct tree **tree)
{
    struct tree **own = tree_of(context, name);

    (void)file, (void)cancel, (void)message;
    *dump = own;
    *tree = *own;
    return 0;
}

/* Of the trees of the two dumps: the comparison uses them. */
static void close_tree(void *context, void *dump)
{
    end_comparison(context);
    tree_destroy(dump);
}

void pair_describe(struct pair *pair, struct mount_dumps *out)
{
    *out = (struct mount_dumps){.next = next_name,
                                .find = find_name,
                                .open = open_name,
                                .close = close_tree,
                                .context = pair,
                                .folder = pair->folder,
                                .root = names[COMPARISON],
                                .max_open = TREES};
}
