/* SPDX-License-Identifier: MIT */
#include "tree/limits.h"

#include "tree/allowance.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>

#define SECOND UINT64_C(1000000000)

enum { LINES_MAX = 100 };

/* A text may take TEXT_PARTS / MEMORY_PARTS of the memory that the program may hold. */
enum { MEMORY_PARTS = 8, TEXT_PARTS = 5 };

/* Returns the bytes of all files that the dump is read from, expanded or as they are. */
static uint64_t size_of(const struct dump *dump, uint64_t (*size)(const struct source *source))
{
    uint64_t sum = size(dump->source);

    for (size_t i = 0; i < DUMP_BESIDE_MAX; i++)
        if (dump->beside[i] != NULL)
            sum += size(dump->beside[i]);
    return sum;
}

/* Appends which file, or what else, the problem is about. */
static void add_subject(const struct tree *tree, uint64_t item, struct text *text)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(item)];

    if (item == 0)
        text_add(text, "the dump was not read to its end");
    else if (rule == NULL || rule->id == RULE_ROOT)
        text_add(text, "data that several files need is not made");
    else
        names_add_path(tree, rule, inode_key(item), text);
    if (rule != NULL && rule->id != RULE_ROOT)
        text_add(text, rule->kind == RULE_DIRECTORY ? ": its names are not known" : " is not made");
}

_Static_assert(LIMITS_BATCH_TIMES == 4, "as it is told");
#define BATCH_TIMES "four times "

/*
 * Appends which limit was exceeded. `times`: how many times the limit of a file, 1 or
 * LIMITS_BATCH_TIMES.
 */
static void add_limit(const struct budget_params *params, unsigned times, enum budget_limit limit,
                      uint64_t amount, struct text *text)
{
    if (limit == BUDGET_TIME)
        text_printf(text, ": the processor time for it is used up (%s-o max-seconds, here %.1f)",
                    times > 1 ? BATCH_TIMES : "",
                    (double)params->time / (double)SECOND / (double)times);
    else if (limit == BUDGET_MEMORY)
        text_printf(text, ": it would hold more than %" PRIu64 " MiB of memory (-o max-resident)",
                    amount >> 20);
    else if (params->text != 0 && amount >= params->text)
        text_printf(text, ": it would be longer than %" PRIu64 " bytes (-o max-text)", amount);
    else
        text_printf(text,
                    ": it would take more than %" PRIu64
                    " bytes of memory (-o cache, -o max-resident)",
                    amount);
}

static void add_problem(struct tree *tree, struct text *text)
{
    if (text_status(text) == 0)
        problems_add_drawing(tree->dump->problems, PROBLEM_WARNING, PROBLEM_NOWHERE,
                             PROBLEM_NOWHERE, "%.*s", (int)text->length, text->bytes);
    text_clear(text);
}

static void tell(struct tree *tree, const struct budget_params *params, unsigned times,
                 enum budget_limit limit, uint64_t amount, uint64_t item)
{
    unsigned line = atomic_fetch_add(&tree->limit_lines, 1);
    struct text text = TEXT_INIT;

    if (line < LINES_MAX)
        add_subject(tree, item, &text);
    else
        text_add(&text, "further files are not made");
    if (line < LINES_MAX)
        add_limit(params, times, limit, amount, &text);
    else
        text_add(&text, ": they exceed limits (-o max-seconds, -o max-text, -o max-resident)");
    add_problem(tree, &text);
}

static void tell_file(void *context, enum budget_limit limit, uint64_t amount, uint64_t item)
{
    struct tree *tree = context;

    tell(tree, &tree->dump->budget.params, 1, limit, amount, item);
}

static void tell_batch(void *context, enum budget_limit limit, uint64_t amount, uint64_t item)
{
    struct tree *tree = context;

    tell(tree, &tree->of_batches.params, LIMITS_BATCH_TIMES, limit, amount, item);
}

void limits_tell_left_off(struct tree *tree, const char *what)
{
    struct text text = TEXT_INIT;

    text_add(&text, what);
    add_limit(&tree->of_batches.params, LIMITS_BATCH_TIMES, BUDGET_TIME, 0, &text);
    add_problem(tree, &text);
}

void limits_begin(struct tree *tree)
{
    const struct dump *dump = tree->dump;
    const struct allowance_sizes sizes = {.file = size_of(dump, source_file_sent),
                                          .expanded = size_of(dump, source_sent),
                                          .follows = dump->follow != NULL};
    const struct budget_params params = {.time = allowance_time(dump->options, &sizes),
                                         .text = allowance_text(dump->options, &sizes),
                                         .exceeded = tell_file,
                                         .context = tree};
    struct budget_params of_batches = params;

    budget_init(&tree->dump->budget, &params);
    of_batches.time *= LIMITS_BATCH_TIMES;
    of_batches.exceeded = tell_batch;
    budget_init(&tree->of_batches, &of_batches);
    tree->memory = allowance_memory(dump->options, &sizes);
    memory_limit_add(&tree->memory);
}

void limits_end(struct tree *tree)
{
    memory_limit_remove(&tree->memory);
    budget_destroy(&tree->of_batches);
}

/* Returns how many bytes one text may take in memory. */
static uint64_t max_held(const struct tree *tree)
{
    uint64_t cache = tree->dump->options->cache + TREE_OVERDRAFT;
    uint64_t max = memory_limit() / MEMORY_PARTS * TEXT_PARTS;

    return max == 0 || cache < max ? cache : max;
}

struct text_allowance limits_allowance(const struct tree *tree, uint64_t so_far)
{
    uint64_t memory = max_held(tree);
    uint64_t text = tree->dump->budget.params.text;

    if (text == 0)
        return (struct text_allowance){.max = memory};
    text = text > so_far ? text - so_far : 1;
    return (struct text_allowance){.max = text < memory ? text : memory};
}

int limits_judge(struct tree *tree, const struct text_allowance *allowance, uint64_t inode,
                 int status)
{
    uint64_t text = tree->dump->budget.params.text;
    bool memory = text == 0 || allowance->max >= max_held(tree);

    if (status >= 0 || !allowance->exceeded)
        return status;
    budget_exceed(&tree->dump->budget, BUDGET_TEXT, memory ? allowance->max : text, inode);
    return -EFBIG;
}

int limits_check_length(struct tree *tree, uint64_t inode, uint64_t length)
{
    uint64_t text = tree->dump->budget.params.text;

    if (text == 0 || length <= text)
        return 0;
    budget_exceed(&tree->dump->budget, BUDGET_TEXT, text, inode);
    return -EFBIG;
}
