/* SPDX-License-Identifier: MIT */
/*
 * The cases of a suite, or the dumps of a folder, each judged in its own process, so that a dump
 * that crashes one process leaves the others alone. A process leaves its result and its messages in
 * unnamed files.
 */
#include "config.h"

#include "cli/assert.h"

#include "base/array.h"
#include "base/log.h"
#include "cli/child.h"
#include "cli/dataset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct suite_case {
    char *dump;    /* its path, as it is opened */
    unsigned line; /* in the suite; 0: the dump is in a folder */
    struct condition_list conditions;
    pid_t process;
    FILE *result, *messages; /* of the process */
    json_t *outcome;         /* NULL: not done */
};

struct suite {
    struct gpudump *gpudump;
    const struct condition_list *conditions; /* for all dumps of a folder; NULL: each has its own */
    char *folder; /* of the suite, with a slash; NULL: paths stay as they are */
    struct suite_case *cases;
    size_t count, room, begun, printed;
};

/* The file. */

static int tell_line(const struct suite *suite, unsigned line, const char *what)
{
    log_write(LOG_ERR, "%s:%u: %s", suite->gpudump->suite, line, what);
    return -EINVAL;
}

/* Adds the condition of a cell: `--OPTION VALUE`, or `--OPTION`. */
static int add_cell(const struct suite *suite, struct suite_case *one, char *cell)
{
    char *value = strchr(cell, ' ');
    struct text message = TEXT_INIT;
    int takes, status = 0;

    if (value != NULL)
        *value++ = '\0';
    takes = strncmp(cell, "--", 2) == 0 ? condition_takes_value(cell + 2) : -ENOENT;
    if (takes < 0)
        text_printf(&message, "%s: no such condition", cell);
    else if ((takes != 0) != (value != NULL))
        text_printf(&message, "%s takes %s value", cell, takes != 0 ? "a" : "no");
    else
        status = condition_add(&one->conditions, cell + 2, value, &message);
    text_add_char(&message, '\0');
    if (status != -ENOMEM && message.length > 1)
        status = tell_line(suite, one->line, message.bytes);
    text_clear(&message);
    return status;
}

static int check_end(const struct suite *suite, const struct suite_case *one)
{
    struct text message = TEXT_INIT;
    int status = condition_end(&one->conditions, &message);

    text_add_char(&message, '\0');
    if (status != 0)
        status = tell_line(suite, one->line, message.bytes);
    text_clear(&message);
    return status;
}

static int add_case(struct suite *suite, unsigned line, char *words)
{
    struct suite_case *one;
    char *rest = NULL, *cell = strtok_r(words, "\t", &rest);
    int status = 0;

    if (ARRAY_GROW(suite->cases, suite->count, suite->room) != 0)
        return -ENOMEM;
    one = &suite->cases[suite->count];
    *one = (struct suite_case){.line = line, .dump = condition_path(suite->folder, cell)};
    if (one->dump == NULL)
        return -ENOMEM;
    suite->count++;
    one->conditions.folder = suite->folder;
    while (status == 0 && (cell = strtok_r(NULL, "\t", &rest)) != NULL)
        status = add_cell(suite, one, cell);
    if (status == 0 && one->conditions.count == 0)
        status = tell_line(suite, line, "no condition given; conditions are separated by tabs");
    return status == 0 ? check_end(suite, one) : status;
}

static int read_lines(struct suite *suite, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    for (unsigned number = 1; status == 0 && getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line != '#' && line[strspn(line, " \t")] != '\0')
            status = add_case(suite, number, line);
    }
    if (status == 0 && ferror(file) != 0)
        status = -EIO;
    free(line);
    return status;
}

static int read_suite(struct suite *suite)
{
    const char *path = suite->gpudump->suite, *name = paths_last(path);
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "r");
    int status = 0;

    if (file == NULL)
        return -errno;
    if (name > path && (suite->folder = strndup(path, (size_t)(name - path))) == NULL)
        status = -ENOMEM;
    if (status == 0)
        status = read_lines(suite, file);
    if (status == 0 && suite->count == 0)
        status = tell_line(suite, 1, "it contains no dump");
    if (!is_input)
        fclose(file);
    return status;
}

/* Adds all dumps of a folder, with the conditions of the command line. */
static int read_folder(struct suite *suite)
{
    char *folder = strdup(suite->gpudump->folder);
    struct dataset_inputs dumps = {0};
    int status =
        folder != NULL ? dataset_inputs_find(suite->gpudump, &folder, 1, NULL, &dumps) : -ENOMEM;

    suite->conditions = suite->gpudump->conditions;
    suite->cases = calloc(dumps.count + 1, sizeof(*suite->cases));
    if (suite->cases == NULL)
        status = -ENOMEM;
    for (size_t i = 0; status == 0 && i < dumps.count; i++) {
        suite->cases[suite->count++].dump = dumps.list[i].path;
        dumps.list[i].path = NULL; /* the case owns it */
    }
    dataset_inputs_clear(&dumps);
    free(folder);
    return status;
}

/* Processes. */

static void judge_apart(const struct suite *suite, const struct suite_case *one)
{
    struct program *program = &suite->gpudump->program;
    json_t *result;

    if (dup2(fileno(one->messages), STDERR_FILENO) < 0)
        _exit(PROGRAM_TROUBLE);
    program->quiet = true; /* no progress */
    result = assert_judge(program, one->dump,
                          suite->conditions != NULL ? suite->conditions : &one->conditions);
    if (result == NULL || json_dumpf(result, one->result, 0) != 0 || fflush(one->result) != 0)
        _exit(PROGRAM_TROUBLE);
    program_close(program);
    _exit(PROGRAM_OK);
}

static int begin_case(const struct suite *suite, struct suite_case *one)
{
    one->result = tmpfile();
    one->messages = one->result != NULL ? tmpfile() : NULL;
    if (one->messages == NULL)
        return -errno;
    one->process = child_begin();
    if (one->process == 0)
        judge_apart(suite, one);
    return one->process < 0 ? one->process : 0;
}

static void read_messages(struct suite_case *one)
{
    struct text text = TEXT_INIT;
    char piece[4096];
    size_t size;

    rewind(one->messages);
    while ((size = fread(piece, 1, sizeof(piece), one->messages)) > 0)
        text_add_bytes(&text, piece, size);
    if (text_status(&text) == 0 && text.length > 0)
        json_object_set_new(one->outcome, "messages", json_stringn(text.bytes, text.length));
    text_clear(&text);
}

/* `status` is that of waitpid(). */
static void end_case(struct suite_case *one, int status)
{
    char why[64];

    rewind(one->result);
    if (WIFEXITED(status) && WEXITSTATUS(status) == PROGRAM_OK)
        one->outcome = json_loadf(one->result, 0, NULL);
    if (WIFSIGNALED(status))
        snprintf(why, sizeof(why), "ended by signal %d", WTERMSIG(status));
    else
        snprintf(why, sizeof(why), "no result");
    if (one->outcome == NULL) {
        log_write(LOG_ERR, "%s: %s", one->dump, why);
        one->outcome = assert_failure(one->dump, why);
    }
    if (one->line > 0)
        json_object_set_new(one->outcome, "line", json_integer(one->line));
    read_messages(one);
    fclose(one->result);
    fclose(one->messages);
    one->result = one->messages = NULL;
}

/* Waits for one of the `running` processes. Returns 0 or -errno. */
static int wait_for_case(struct suite *suite, size_t *running)
{
    int status;
    pid_t process = child_wait_for(-1, &status);

    if (process < 0)
        return process;
    for (size_t i = 0; i < suite->begun; i++)
        if (suite->cases[i].process == process && suite->cases[i].result != NULL) {
            end_case(&suite->cases[i], status);
            --*running;
        }
    return 0;
}

static void print_done(struct suite *suite, json_t *cases)
{
    for (; suite->printed < suite->begun; suite->printed++) {
        json_t *outcome = suite->cases[suite->printed].outcome;
        const json_t *messages = json_object_get(outcome, "messages");

        if (outcome == NULL)
            return;
        if (messages != NULL)
            fputs(json_string_value(messages), stderr);
        assert_print(suite->gpudump, outcome);
        fflush(stdout);
        json_array_append(cases, outcome);
    }
}

static int run_cases(struct suite *suite, json_t *cases)
{
    unsigned jobs = suite->gpudump->jobs;
    size_t running = 0;
    int status = 0, waiting;

    if (jobs == 0)
        jobs = suite->gpudump->program.options.common.threads;
    while (suite->begun < suite->count || running > 0) {
        if (status == 0 && suite->begun < suite->count && running < jobs) {
            status = begin_case(suite, &suite->cases[suite->begun]);
            suite->begun += status == 0;
            running += status == 0;
            continue;
        }
        if (running == 0)
            break;
        waiting = wait_for_case(suite, &running);
        if (waiting != 0)
            return waiting;
        print_done(suite, cases);
    }
    return status == 0 && suite->printed < suite->count ? -ENOMEM : status;
}

static void clear(struct suite *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_case *one = &suite->cases[i];

        if (one->result != NULL)
            fclose(one->result);
        if (one->messages != NULL)
            fclose(one->messages);
        json_decref(one->outcome);
        condition_clear(&one->conditions);
        free(one->dump);
    }
    free(suite->cases);
    free(suite->folder);
}

/* Checks that writing to `path` overwrites no input. Returns 0, or -EINVAL, which is logged. */
static int check_output(const struct suite *suite, const char *path)
{
    const struct gpudump *gpudump = suite->gpudump;
    const char *input = NULL;

    if (gpudump->suite != NULL && contents_is_of_input(path, gpudump->suite))
        input = "suite";
    for (size_t i = 0; input == NULL && i < suite->count; i++) {
        const struct suite_case *one = &suite->cases[i];

        input = assert_input_of(path, one->dump,
                                suite->conditions != NULL ? suite->conditions : &one->conditions);
    }
    if (input == NULL)
        return 0;
    contents_refuse(path, input);
    return -EINVAL;
}

int suite_run(struct gpudump *gpudump, json_t *cases)
{
    struct suite suite = {.gpudump = gpudump};
    int status = gpudump->folder != NULL ? read_folder(&suite) : read_suite(&suite);

    if (status == 0)
        status = check_output(&suite, "-");
    if (status == 0 && gpudump->junit != NULL)
        status = check_output(&suite, gpudump->junit);
    if (status == 0) {
        fflush(stdout);
        status = run_cases(&suite, cases);
    }
    if (status != 0 && status != -EINVAL)
        gpudump_tell(gpudump, gpudump->folder != NULL ? gpudump->folder : gpudump->suite, status);
    clear(&suite);
    return status;
}
