/* SPDX-License-Identifier: MIT */
/*
 * `gpudump assert`: checks whether conditions hold for a dump, or for the dumps of a suite or a
 * folder.
 */
#include "config.h"

#include "cli/assert.h"

#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The outcomes of a case. The outcome of several cases is the last of theirs in this order. */
static const char *const outcomes[] = {"holds", "fails", "error"};
enum { HOLDS, FAILS, ERROR, OUTCOMES };

static unsigned outcome_of(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "result"));

    for (unsigned i = 0; name != NULL && i < OUTCOMES; i++)
        if (strcmp(outcomes[i], name) == 0)
            return i;
    return ERROR;
}

static unsigned outcome_of_condition(const json_t *condition)
{
    const json_t *holds = json_object_get(condition, "holds");

    return json_is_true(holds) ? HOLDS : json_is_false(holds) ? FAILS : ERROR;
}

static void set_outcome(json_t *result, unsigned outcome)
{
    json_object_set_new(result, "result", json_string(outcomes[outcome]));
}

static json_t *result_of(const char *path)
{
    json_t *result = json_object();

    json_object_set_new(result, "dump", condition_string(path, strlen(path)));
    return result;
}

json_t *assert_failure(const char *path, const char *why)
{
    json_t *result = result_of(path);

    set_outcome(result, ERROR);
    json_object_set_new(result, "error", condition_string(why, strlen(why)));
    json_object_set_new(result, "conditions", json_array());
    return result;
}

static double now(void)
{
    return (double)clock_ns() / 1e9;
}

json_t *assert_judge(struct program *program, const char *path,
                     const struct condition_list *conditions)
{
    double begin = now();
    json_t *result, *results, *condition;
    unsigned outcome = HOLDS;
    enum program_status status;
    size_t i;

    program_look(program, path);
    status = program_open(program, path);
    if (status == PROGRAM_OK)
        status = program_make_tree(program, 0);
    if (status != PROGRAM_OK)
        return assert_failure(path, "the dump cannot be opened");
    result = result_of(path);
    results = json_array();
    if (condition_judge(conditions, program->tree, results) != 0)
        outcome = ERROR;
    json_array_foreach (results, i, condition)
        outcome =
            outcome_of_condition(condition) > outcome ? outcome_of_condition(condition) : outcome;
    set_outcome(result, outcome);
    json_object_set_new(result, "seconds", json_real(now() - begin));
    json_object_set_new(result, "conditions", results);
    return result;
}

enum program_status gpudump_add_condition(struct gpudump *gpudump, const char *option,
                                          const char *value)
{
    struct text message = TEXT_INIT;
    int status = -ENOMEM;

    if (gpudump->conditions == NULL)
        gpudump->conditions = calloc(1, sizeof(*gpudump->conditions));
    if (gpudump->conditions != NULL)
        status = condition_add(gpudump->conditions, option, value, &message);
    if (status == -ENOMEM)
        log_write(LOG_ERR, "%s", strerror(ENOMEM));
    else if (status != 0)
        log_write(LOG_ERR, "%.*s; see gpudump -h", (int)message.length, message.bytes);
    text_clear(&message);
    return status == 0 ? PROGRAM_OK : PROGRAM_USAGE;
}

void gpudump_clear_conditions(struct gpudump *gpudump)
{
    if (gpudump->conditions != NULL)
        condition_clear(gpudump->conditions);
    free(gpudump->conditions);
    gpudump->conditions = NULL;
}

/* Text. */

static void add_strings(struct text *text, const json_t *object, const char *before,
                        const char *key)
{
    const json_t *string = json_object_get(object, key);

    if (json_string_length(string) > 0)
        text_printf(text, "%s%s", before, json_string_value(string));
}

void assert_describe(const json_t *condition, struct text *text)
{
    const json_t *frame = json_object_get(condition, "frame");
    unsigned outcome = outcome_of_condition(condition);

    if (frame != NULL)
        text_printf(text, "frame %" JSON_INTEGER_FORMAT ": ", json_integer_value(frame));
    add_strings(text, condition, "", "condition");
    add_strings(text, condition, " ", outcome == FAILS ? "subject" : "value");
    if (outcome == HOLDS)
        text_add(text, ": ok");
    add_strings(text, outcome == FAILS ? condition : NULL, ": expected ", "expected");
    add_strings(text, outcome == FAILS ? condition : NULL, ", found ", "found");
    add_strings(text, condition, ": ", "error");
}

void assert_print(const struct gpudump *gpudump, const json_t *result)
{
    const json_t *conditions = json_object_get(result, "conditions"), *condition;
    struct text line = TEXT_INIT;
    size_t i;

    json_array_foreach (conditions, i, condition) {
        unsigned outcome = outcome_of_condition(condition);

        text_reset(&line);
        add_strings(&line, result, "", "dump");
        text_add(&line, ": ");
        assert_describe(condition, &line);
        if (outcome == ERROR)
            log_write(LOG_ERR, "%.*s", (int)line.length, line.bytes);
        else if (!gpudump->json && (outcome == FAILS || gpudump->verbose))
            printf("%.*s\n", (int)line.length, line.bytes);
    }
    text_clear(&line);
}

/* The command. */

static void print_json(json_t *cases, unsigned outcome)
{
    json_t *all = json_pack("{s:i,s:s,s:O}", "version", ASSERT_VERSION, "result", outcomes[outcome],
                            "cases", cases);

    if (all == NULL || json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
        log_write(LOG_ERR, "%s", strerror(ENOMEM));
    putchar('\n');
    json_decref(all);
}

/* `conditions` are those of the command line, or NULL. Returns condition_end(), logging errors. */
static int check_end(const struct condition_list *conditions)
{
    struct text message = TEXT_INIT;
    int status = conditions != NULL ? condition_end(conditions, &message) : 0;

    if (status != 0)
        log_write(LOG_ERR, "%.*s; see gpudump -h", (int)message.length, message.bytes);
    text_clear(&message);
    return status;
}

static int check_words(struct gpudump *gpudump)
{
    bool several = gpudump->suite != NULL || gpudump->folder != NULL;
    bool has_conditions = gpudump->conditions != NULL && gpudump->conditions->count > 0;
    const char *wrong = NULL;

    if (!several && gpudump->path_count == 0)
        wrong = "no DUMP given";
    else if (!several && (gpudump->junit != NULL || gpudump->jobs != 0))
        wrong = "--junit and -j need --suite or --dir";
    else if (gpudump->suite != NULL && gpudump->folder != NULL)
        wrong = "--suite and --dir cannot be combined";
    else if (gpudump->folder != NULL && gpudump->path_count > 0)
        wrong = "--dir takes no DUMP: it checks those of the folder";
    else if (gpudump->suite == NULL && !has_conditions)
        wrong = "no condition given";
    else if (gpudump->suite != NULL && (gpudump->path_count > 0 || has_conditions))
        wrong = "--suite takes no DUMP and no condition: the suite has them";
    if (wrong == NULL)
        return check_end(gpudump->conditions);
    log_write(LOG_ERR, "%s; see gpudump -h", wrong);
    return -EINVAL;
}

const char *assert_input_of(const char *path, const char *dump,
                            const struct condition_list *conditions)
{
    if (contents_is_of_input(path, dump))
        return "dump";
    for (size_t i = 0; i < conditions->count; i++)
        if (conditions->list[i].kind == CONDITION_IMAGE &&
            contents_is_of_input(path, conditions->list[i].value))
            return "image";
    return NULL;
}

static int judge_all(struct gpudump *gpudump, json_t *cases)
{
    const char *input;
    json_t *result;

    if (gpudump->suite != NULL || gpudump->folder != NULL)
        return suite_run(gpudump, cases);
    input = assert_input_of("-", gpudump->paths[0], gpudump->conditions);
    if (input != NULL)
        return contents_refuse("-", input);
    result = assert_judge(&gpudump->program, gpudump->paths[0], gpudump->conditions);
    if (result == NULL || json_array_append_new(cases, result) != 0)
        return -ENOMEM;
    assert_print(gpudump, result);
    return 0;
}

enum program_status gpudump_assert(struct gpudump *gpudump)
{
    json_t *cases = json_array(), *one;
    unsigned outcome = HOLDS;
    size_t i;

    gpudump->failed = check_words(gpudump) != 0 || judge_all(gpudump, cases) != 0;
    json_array_foreach (cases, i, one)
        outcome = outcome_of(one) > outcome ? outcome_of(one) : outcome;
    if (gpudump->failed)
        outcome = ERROR;
    else if (gpudump->json)
        print_json(cases, outcome);
    if (!gpudump->failed && gpudump->junit != NULL) {
        int status = junit_write(gpudump->junit,
                                 gpudump->suite != NULL ? gpudump->suite : gpudump->folder, cases);

        if (status != 0)
            gpudump_tell(gpudump, gpudump->junit, status);
    }
    gpudump->failed = gpudump->failed || outcome == ERROR;
    gpudump->differs = outcome == FAILS;
    json_decref(cases);
    return gpudump_outcome(gpudump);
}
