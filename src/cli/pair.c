/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/pair.h"

#include "base/log.h"
#include "base/thread.h"
#include "compare/compare_dump.h"
#include "compare/comparison.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, COMPARISON, TREES };

/* The names of the comparison are in the root. */
static const char *const names[TREES] = {COMPARE_A, COMPARE_B, ""};

/* Returns the modes of a file. In a folder, a class may read only if it may also search. */
static mode_t modes_of(const struct stat *file)
{
    mode_t modes = file->st_mode & 0777;

    return S_ISDIR(file->st_mode) ? modes & (modes & 0111) << 2 : modes;
}

/* The directory that shows both permits what both files permit. */
static void restrict_folder(struct pair *pair)
{
    struct stat *files[2] = {&pair->sides[FIRST].file, &pair->sides[SECOND].file};
    mode_t modes = 0777;

    for (unsigned i = 0; i < 2; i++) {
        if (stat(pair->sides[i].path, files[i]) != 0)
            *files[i] = (struct stat){0}; /* opening the dump reports this */
        modes &= modes_of(files[i]);
    }
    pair->folder = *files[FIRST];
    pair->folder.st_mode = S_IFREG | modes;
    if (files[FIRST]->st_gid != files[SECOND]->st_gid)
        pair->folder.st_gid = (gid_t)-1; /* no user's: members count as others */
}

static void create_side(struct pair *pair, unsigned i, struct program *program, const char *path)
{
    struct pair_side *side = &pair->sides[i];

    *side = (struct pair_side){.pair = pair, .program = program, .path = path};
    cancellable_mutex_init(&side->turn);
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
    pair->second = (struct program){.name = first->name, .quiet = first->quiet};
    pair->second.folder_hint = first->folder_hint;
    pair->second.options = first->options;
    pair->second.options.common.program_values = &pair->second.options;
    program_look(&pair->second, paths[SECOND]);
    cancel_init(&pair->cancel, NULL);
    create_side(pair, FIRST, first, paths[FIRST]);
    create_side(pair, SECOND, &pair->second, paths[SECOND]);
    restrict_folder(pair);
    return 0;
}

/*
 * Returns whether the formats can be compared; they are known even of a dump that is not open yet.
 */
static bool is_possible(const struct pair *pair)
{
    const char *const paths[2] = {pair->sides[FIRST].path, pair->sides[SECOND].path};
    const char *const formats[2] = {pair->sides[FIRST].program->dump.format->name,
                                    pair->sides[SECOND].program->dump.format->name};
    struct text message = TEXT_INIT;
    bool possible = comparison_is_possible(formats, paths, &message);

    if (!possible)
        log_write(LOG_ERR, "%.*s", (int)message.length, message.bytes);
    text_clear(&message);
    return possible;
}

enum program_status pair_open(struct pair *pair, unsigned max_wait_ms)
{
    enum program_status status = PROGRAM_OK;

    for (unsigned i = 0; status == PROGRAM_OK && i < 2; i++) {
        struct pair_side *side = &pair->sides[i];

        side->program->max_wait_ms = max_wait_ms;
        status = program_open(side->program, side->path);
    }
    if (status == PROGRAM_OK && !is_possible(pair))
        status = PROGRAM_USAGE;
    return status;
}

static enum program_status make_comparison(struct pair *pair)
{
    struct pair_side *sides = pair->sides;
    const struct compare_dump_params params = {
        .trees = {sides[FIRST].program->tree, sides[SECOND].program->tree},
        .paths = {sides[FIRST].path, sides[SECOND].path},
        .options = &sides[FIRST].program->options.common,
        .problems = pair->problems,
    };
    int result = compare_dump_create(&params, pair->threads, &pair->comparison);

    if (result != 0)
        log_write(LOG_ERR, "%s", strerror(-result));
    return result == 0 ? PROGRAM_OK : PROGRAM_OPEN;
}

static int make_tree(struct pair_side *side)
{
    return program_make_tree(side->program, side->pair->threads) == PROGRAM_OK ? 0 : -EIO;
}

/*
 * The thread that opens a side after the mount is made. A thread that waits for the side gets the
 * mutex afterwards.
 */
static void *open_behind(void *context)
{
    struct pair_side *side = context;
    int status = program_open_rest(side->program, side->path, &side->pair->cancel);

    if (status == 0)
        status = make_tree(side);
    side->status = status;
    cancellable_mutex_unlock(&side->turn);
    if (status != 0 && !cancel_requested(&side->pair->cancel))
        pthread_kill(side->pair->server, SIGTERM);
    return NULL;
}

static int start_side(struct pair_side *side)
{
    int status = 0;

    if (side->program->dump.dump != NULL)
        return make_tree(side);
    (void)cancellable_mutex_lock(&side->turn, NULL);
    status = thread_start(&side->thread, open_behind, side);
    side->has_thread = status == 0;
    if (status != 0) {
        log_write(LOG_ERR, "%s: %s", side->path, strerror(-status));
        cancellable_mutex_unlock(&side->turn);
    }
    return status;
}

enum program_status pair_start(struct pair *pair, unsigned threads)
{
    pair->threads = threads;
    pair->server = pthread_self();
    for (unsigned i = 0; i < 2; i++)
        if (start_side(&pair->sides[i]) != 0)
            return PROGRAM_OPEN;
    if (pair->sides[FIRST].has_thread || pair->sides[SECOND].has_thread)
        return PROGRAM_OK; /* open_name() makes the comparison */
    return make_comparison(pair);
}

/* Cancels first what the comparison waits for in the two trees, so that it ends soon. */
static void end_comparison(struct pair *pair)
{
    if (pair->comparison == NULL)
        return;
    for (unsigned i = 0; i < 2; i++)
        cancel_raise(&tree_dump(pair->sides[i].program->tree)->cancel);
    tree_destroy(&pair->comparison);
}

bool pair_end(struct pair *pair)
{
    bool opened = true;

    cancel_raise(&pair->cancel);
    for (unsigned i = 0; i < 2; i++) {
        struct pair_side *side = &pair->sides[i];

        if (side->has_thread)
            pthread_join(side->thread, NULL);
        side->has_thread = false;
        opened = opened && (side->status == 0 || side->status == -EINTR);
    }
    end_comparison(pair);
    tree_destroy(&pair->sides[SECOND].program->tree);
    tree_destroy(&pair->sides[FIRST].program->tree);
    return opened;
}

/* Leaves the first program's dump open: the program owns it. */
void pair_destroy(struct pair **pair)
{
    struct pair *ending = *pair;

    *pair = NULL;
    if (ending == NULL)
        return;
    pair_end(ending);
    format_close(&ending->second.dump);
    problems_destroy(&ending->problems);
    for (unsigned i = 0; i < 2; i++)
        cancellable_mutex_destroy(&ending->sides[i].turn);
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

/* Returns the number of a tree; TREES if there is no such name. */
static unsigned number_of(const char *name)
{
    unsigned i = 0;

    while (i < TREES && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static struct tree **tree_of(struct pair *pair, unsigned number)
{
    return number == COMPARISON ? &pair->comparison : &pair->sides[number].program->tree;
}

static int find_name(void *context, const char *name, struct stat *file)
{
    struct pair *pair = context;
    unsigned number = number_of(name);

    if (number == TREES)
        return -ENOENT;
    *file = number == COMPARISON ? pair->folder : pair->sides[number].file;
    return 0;
}

static int wait_for_side(struct pair_side *side, const struct cancel *cancel, struct text *message)
{
    int status = cancellable_mutex_lock(&side->turn, cancel);

    if (status != 0)
        return status;
    status = side->status;
    cancellable_mutex_unlock(&side->turn);
    if (status != 0)
        text_printf(message, "%s: cannot be opened", side->path);
    return status == -EINTR ? -EIO : status;
}

/* The comparison needs both sides. Only one thread requests it. */
static int open_comparison(struct pair *pair, const struct cancel *cancel, struct text *message)
{
    int status = 0;

    for (unsigned i = 0; status == 0 && i < 2; i++)
        status = wait_for_side(&pair->sides[i], cancel, message);
    if (status == 0 && pair->comparison == NULL && make_comparison(pair) != PROGRAM_OK)
        status = -ENOMEM;
    return status;
}

static int open_name(void *context, const char *name, const struct stat *file,
                     const struct cancel *cancel, struct text *message, void **dump,
                     struct tree **tree)
{
    struct pair *pair = context;
    unsigned number = number_of(name);
    int status = number == COMPARISON ? open_comparison(pair, cancel, message)
                                      : wait_for_side(&pair->sides[number], cancel, message);

    (void)file;
    if (status != 0)
        return status;
    *dump = tree_of(pair, number);
    *tree = *tree_of(pair, number);
    return 0;
}

/* Ends the comparison before a dump's tree, which it uses. */
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
