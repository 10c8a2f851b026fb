/* SPDX-License-Identifier: MIT */
/*
 * A dump's tree without a mount, for containers, scripts and machines without FUSE. The main thread
 * makes what it reads. Only when cat prints several files do the tree's own threads make them
 * ahead.
 */
#include "cli/gpudump.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/memory_limit.h"
#include "cli/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What `-` means in place of a path that a command writes. */
enum output {
    OUTPUT_NONE,   /* a word like any other: nothing is written */
    OUTPUT_STREAM, /* standard output, as the last path */
    OUTPUT_PLACE,  /* refused for any path: many files are written, or one again and again */
};

struct gpudump_command {
    const char *name;
    int dumps;                /* dumps that come first and are opened */
    int min_paths, max_paths; /* arguments after the dumps */
    const char *flags;        /* flags of the command itself */
    bool in_a_row;            /* reads one file after the other */
    bool writes;              /* -o FILE may stand for the last required path */
    enum output output;       /* for the command's paths */
    bool answers;             /* exits with 0 for yes, 1 for no, 2 if there is no answer */
    /*
     * Returns the largest result, in bytes, of a command that reads its one dump in a confined
     * process. NULL: the command is not confined.
     */
    uint64_t (*confined_max)(const struct gpudump *gpudump);
    char flag; /* flag that only this form has; 0: none */
    enum program_status (*run)(struct gpudump *gpudump);
    const char *form; /* name of this form in messages; NULL: the command has one form */
};

static const struct gpudump_command commands[] = {
    {"assemble", 0, 2, 2, "", false, true, OUTPUT_STREAM, false, NULL, 0, gpudump_assemble, NULL},
    {"assert", 0, 0, 1, "FXIHWNUMTJj", false, false, OUTPUT_NONE, true, NULL, 0, gpudump_assert,
     NULL},
    {"cat", 1, 1, INT_MAX, "", true, false, OUTPUT_NONE, false, NULL, 0, gpudump_cat, NULL},
    {"cp", 1, 2, INT_MAX, "D", false, false, OUTPUT_STREAM, false, NULL, 0, gpudump_cp, NULL},
    {"cut", 1, 1, 1, "A", false, true, OUTPUT_STREAM, false, NULL, 0, gpudump_cut, NULL},
    {"diff", 2, 0, 0, "PEJO", false, false, OUTPUT_NONE, true, NULL, 0, gpudump_compare,
     "diff of two dumps"},
    {"diff", 1, 2, 2, "P", false, false, OUTPUT_NONE, true, NULL, 0, gpudump_diff,
     "diff of two frames"},
    {"disassemble", 1, 0, 0, "", false, false, OUTPUT_NONE, false, NULL, 0, gpudump_disassemble,
     NULL},
    {"export", 0, 1, INT_MAX, "djpA", false, false, OUTPUT_NONE, false, NULL, 'd',
     gpudump_export_dataset, "export --dataset"},
    {"export", 0, 1, INT_MAX, "B", false, false, OUTPUT_NONE, false, NULL, 'B',
     gpudump_export_sqlite, "export --sqlite"},
    {"export", 1, 2, 2, "jA", false, false, OUTPUT_PLACE, false, NULL, 0, gpudump_export,
     "export of a folder"},
    {"info", 1, 0, 0, "", false, false, OUTPUT_NONE, false, NULL, 0, gpudump_info, NULL},
    {"ls", 1, 0, INT_MAX, "lRx", false, false, OUTPUT_NONE, false, NULL, 0, gpudump_ls, NULL},
    {"reduce", 1, 1, 2, "KYZGL", false, true, OUTPUT_PLACE, false, NULL, 0, gpudump_reduce, NULL},
    {"thumbnail", 1, 1, 1, "s", false, false, OUTPUT_STREAM, false, gpudump_thumbnail_max, 0,
     gpudump_thumbnail, NULL},
};

/* Also logs the reason, if problems.txt has one, such as an exceeded limit. */
void gpudump_tell(struct gpudump *gpudump, const char *path, int status)
{
    struct tree *tree = gpudump->program.tree;
    struct text why = TEXT_INIT;

    log_write(LOG_ERR, "%s: %s", *path != '\0' ? path : "/", strerror(-status));
    if (tree != NULL && problems_sentence_of(tree_dump(tree)->problems, path, &why) &&
        text_status(&why) == 0)
        log_write(LOG_ERR, "%.*s", (int)why.length, why.bytes);
    text_clear(&why);
    gpudump->failed = true;
}

const char *gpudump_failed_place(const char *path)
{
    return ferror(stdout) ? "standard output" : path;
}

enum program_status gpudump_outcome(const struct gpudump *gpudump)
{
    return gpudump->failed ? PROGRAM_USAGE : PROGRAM_OK;
}

void gpudump_each_path(struct gpudump *gpudump, int count, paths_found found, void *context)
{
    for (int i = 0; i < count; i++) {
        int status = paths_match(gpudump->program.tree, gpudump->paths[i], found, context);

        if (status != 0)
            gpudump_tell(gpudump, gpudump->paths[i], status);
    }
}

enum program_status gpudump_tell_usage(const char *what)
{
    log_write(LOG_ERR, "%s; see gpudump -h", what);
    return PROGRAM_USAGE;
}

/*
 * Among the rows with this name whose `flag` is given or 0, returns the first that takes that many
 * words after the name, otherwise the last of them.
 */
static const struct gpudump_command *find_command(const char *name, int words, const char *given)
{
    const struct gpudump_command *found = NULL;

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const struct gpudump_command *command = &commands[i];
        bool fits = found != NULL && words - found->dumps <= found->max_paths;
        bool is_given = command->flag == 0 || strchr(given, command->flag) != NULL;

        if (strcmp(command->name, name) == 0 && is_given && !fits)
            found = command;
    }
    return found;
}

/*
 * Returns the only form of a command that takes all given flags; NULL if there is none, or more
 * than one.
 */
static const struct gpudump_command *find_form(const char *name, const char *given)
{
    const struct gpudump_command *found = NULL;

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const struct gpudump_command *command = &commands[i];

        if (strcmp(command->name, name) != 0 || gpudump_flag_beside(given, command->flags) != NULL)
            continue;
        if (found != NULL)
            return NULL;
        found = command;
    }
    return found;
}

/* `given` has the letters of all flags. */
static enum program_status check_flags(const struct gpudump_command *command, const char *given)
{
    const char *foreign = gpudump_flag_beside(given, command->flags);
    const struct gpudump_command *fitting = find_form(command->name, given);
    char message[64];

    if (foreign == NULL)
        return PROGRAM_OK;
    if (fitting != NULL)
        snprintf(message, sizeof(message), "%s is only for %s", foreign, fitting->form);
    else
        snprintf(message, sizeof(message), "%s is not for %s", foreign,
                 command->form != NULL ? command->form : command->name);
    return gpudump_tell_usage(message);
}

static enum program_status tell_count(const char *which, const struct gpudump_command *command)
{
    char message[64];

    snprintf(message, sizeof(message), "too %s arguments for %s", which,
             command->form != NULL ? command->form : command->name);
    return gpudump_tell_usage(message);
}

/*
 * Returns the number of threads for the tree. Threads help only a command that reads several files.
 */
static unsigned tree_threads(const struct gpudump *gpudump, const struct gpudump_command *command)
{
    unsigned threads = gpudump->program.options.common.threads;
    bool several = gpudump->path_count > 1 ||
                   (gpudump->path_count == 1 && paths_is_pattern(gpudump->paths[0]));

    return command->in_a_row && several && threads > 1 ? threads : 0;
}

static enum program_status open_dump(struct program *program, const char *path, unsigned threads)
{
    enum program_status status;

    if (threads > 0) /* this thread frees texts that the tree's threads make */
        memory_share_heap();
    status = program_open(program, path);
    if (status == PROGRAM_OK)
        status = program_make_tree(program, threads);
    return status;
}

/* `dumps` are their paths. */
static enum program_status open_dumps(struct gpudump *gpudump,
                                      const struct gpudump_command *command, char **dumps)
{
    enum program_status status = PROGRAM_OK;

    if (command->dumps > 0)
        status = open_dump(&gpudump->program, dumps[0], tree_threads(gpudump, command));
    if (status == PROGRAM_OK && command->dumps > 1)
        status = open_dump(&gpudump->other, dumps[1], 0);
    return status;
}

/*
 * Takes the argument of -o in place of the last path. If no path is missing, it was meant as an
 * option, and is reported as an unknown one.
 */
static enum program_status check_output(struct gpudump *gpudump,
                                        const struct gpudump_command *command)
{
    if (gpudump->output == NULL)
        return PROGRAM_OK;
    if (!command->writes || gpudump->path_count != command->min_paths - 1)
        return program_add_options(&gpudump->program, gpudump->output, NULL, NULL);
    memcpy(gpudump->written, gpudump->paths,
           (size_t)gpudump->path_count * sizeof(*gpudump->written));
    gpudump->written[gpudump->path_count++] = (char *)(uintptr_t)gpudump->output;
    gpudump->paths = gpudump->written;
    return PROGRAM_OK;
}

/* Reports that something cannot be written to standard output; `what` is an option or a command. */
static enum program_status tell_no_stream(const char *what)
{
    char message[96];

    snprintf(message, sizeof(message),
             "%s does not write to standard output (for a file named - give ./-)", what);
    return gpudump_tell_usage(message);
}

/* Checks that `-` is used only where standard output is possible. */
static enum program_status check_streams(const struct gpudump *gpudump,
                                         const struct gpudump_command *command)
{
    const struct {
        const char *option, *file;
    } files[] = {{"--dataset", gpudump->dataset},
                 {"--junit", gpudump->junit},
                 {"--picture", gpudump->picture},
                 {"--sqlite", gpudump->sqlite}};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (files[i].file != NULL && contents_is_stream(files[i].file))
            return tell_no_stream(files[i].option);
    for (int i = 0; command->output == OUTPUT_PLACE && i < gpudump->path_count; i++)
        if (contents_is_stream(gpudump->paths[i]))
            return tell_no_stream(command->name);
    if (command->output == OUTPUT_STREAM &&
        contents_is_stream(gpudump->paths[gpudump->path_count - 1]) && isatty(STDOUT_FILENO))
        return gpudump_tell_usage(
            "standard output is a terminal: give a file, or redirect the output");
    return PROGRAM_OK;
}

/* The paths follow `dumps`; `count` is the number of both. */
static enum program_status check_words(struct gpudump *gpudump,
                                       const struct gpudump_command *command, const char *given,
                                       int count, char **dumps)
{
    enum program_status status = check_flags(command, given); /* the words may be their values */

    if (status != PROGRAM_OK)
        return status;
    if (count == 0 && command->dumps > 0)
        return gpudump_tell_usage("no DUMP given");
    if (count < command->dumps)
        return tell_count("few", command);
    gpudump->dumps = dumps;
    gpudump->paths = dumps + command->dumps;
    gpudump->path_count = count - command->dumps;
    status = check_output(gpudump, command);
    if (status != PROGRAM_OK)
        return status;
    if (gpudump->path_count < command->min_paths)
        return tell_count("few", command);
    if (gpudump->path_count > command->max_paths)
        return tell_count("many", command);
    return check_streams(gpudump, command);
}

/* Reports defects that only the command has found, such as a failed replay. */
static void tell_defects(struct gpudump *gpudump, const struct gpudump_command *command)
{
    if (command->dumps > 0)
        program_tell_defects(&gpudump->program, gpudump->dumps[0]);
    if (command->dumps > 1)
        program_tell_defects(&gpudump->other, gpudump->dumps[1]);
}

static void look_at_dumps(struct gpudump *gpudump, const struct gpudump_command *command)
{
    if (command->dumps > 0)
        program_look(&gpudump->program, gpudump->dumps[0]);
    if (command->dumps > 1)
        program_look(&gpudump->other, gpudump->dumps[1]);
}

static bool prints(const struct gpudump *gpudump, const struct gpudump_command *command)
{
    return command->output == OUTPUT_NONE ||
           (gpudump->path_count > 0 && contents_is_stream(gpudump->paths[gpudump->path_count - 1]));
}

/* Refuses to print if standard output is a dump, opened or not, since that would be overwritten. */
static enum program_status check_standard_output(const struct gpudump *gpudump,
                                                 const struct gpudump_command *command)
{
    const struct program *const programs[] = {&gpudump->program, &gpudump->other};

    for (int i = 0; prints(gpudump, command) && i < command->dumps; i++) {
        struct tree *tree = programs[i]->tree;

        if (tree != NULL ? contents_is_of_dump(tree, "-")
                         : contents_is_of_input("-", gpudump->dumps[i])) {
            contents_refuse("-", "dump");
            return PROGRAM_USAGE;
        }
    }
    return PROGRAM_OK;
}

/* Opens the dumps and runs the command, confined or not. */
static enum program_status run_here(struct gpudump *gpudump, const struct gpudump_command *command)
{
    enum program_status status = open_dumps(gpudump, command, gpudump->dumps);
    enum program_status printing = check_standard_output(gpudump, command);
    bool opened = status == PROGRAM_OK;

    if (!opened && printing == PROGRAM_OK && command->dumps > 1 && gpudump->json)
        gpudump_compare_unopened(gpudump);
    if (opened)
        status = printing == PROGRAM_OK ? command->run(gpudump) : printing;
    if (fflush(stdout) != 0) {
        gpudump_tell(gpudump, "standard output", -errno);
        status = PROGRAM_USAGE;
    }
    if (opened)
        tell_defects(gpudump, command);
    return status;
}

/* Returns in the child as well. */
static enum program_status run_confined(struct gpudump *gpudump,
                                        const struct gpudump_command *command)
{
    const char *writes = gpudump->paths[gpudump->path_count - 1];
    bool child;
    enum program_status status = confined_begin(gpudump, writes, &child);

    if (status != PROGRAM_OK)
        return status;
    return child ? run_here(gpudump, command)
                 : confined_finish(gpudump, writes, command->confined_max(gpudump));
}

static enum program_status run_command(struct gpudump *gpudump,
                                       const struct gpudump_command *command, const char *given,
                                       int count, char **dumps)
{
    enum program_status status = check_words(gpudump, command, given, count, dumps);

    if (status != PROGRAM_OK)
        return status;
    look_at_dumps(gpudump, command);
    return command->confined_max != NULL && gpudump->program.options.confine == OPTIONS_KEEP
               ? run_confined(gpudump, command)
               : run_here(gpudump, command);
}

static enum program_status tell_no_command(const char *name)
{
    log_write(LOG_ERR, "no such command: %s; see gpudump -h", name);
    return PROGRAM_USAGE;
}

/*
 * Prints the help of a command, with the flags of all its forms. Prints the whole help if `name` is
 * NULL or no command.
 */
static enum program_status print_help(const struct gpudump *gpudump, const char *name)
{
    char own[UCHAR_MAX + 1] = "";

    if (name == NULL || find_command(name, 0, "") == NULL) {
        gpudump_print_help(gpudump);
        return PROGRAM_OK;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i].name, name) == 0)
            strncat(own, commands[i].flags, sizeof(own) - 1 - strlen(own));
    gpudump_print_help_of(name, own);
    return PROGRAM_OK;
}

/* `words` are COMMAND DUMP PATH...; `status` is that of parsing the flags. */
static enum program_status run(struct gpudump *gpudump, enum program_status status,
                               const char *given, int count, char **words)
{
    const struct gpudump_command *command =
        count > 0 ? find_command(words[0], count - 1, given) : NULL;

    if (status == PROGRAM_OK && gpudump->help)
        return print_help(gpudump, count > 0 ? words[0] : NULL);
    if (status == PROGRAM_OK && command == NULL)
        return count > 0 ? tell_no_command(words[0]) : gpudump_tell_usage("no command given");
    if (status == PROGRAM_OK)
        status = run_command(gpudump, command, given, count - 1, words + 1);
    if (command == NULL || !command->answers)
        return status;
    if (status != PROGRAM_OK)
        return PROGRAM_TROUBLE;
    return gpudump->differs ? PROGRAM_NO : PROGRAM_OK;
}

/* Initialises the program of one dump; a command has at most two. */
static enum program_status init_program(struct program *program)
{
    enum program_status status = program_init(program, "gpudump");

    program->options.common.no_mount = true;
    program->streams = PROGRAM_STREAMS_WHOLE;
    program->folder_hint = "name one of the dumps in it";
    return status;
}

/*
 * Otherwise a file that is opened later would get one of these numbers, and messages would go into
 * it. The mode is one in which using the descriptor fails, as it did while it was closed.
 */
static void fill_standard_files(void)
{
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, O_RDONLY, O_RDONLY};

    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)!open("/dev/null", modes[file]);
}

int main(int argc, char **argv)
{
    struct gpudump gpudump = {0};
    char given[UCHAR_MAX + 1] = "";
    enum program_status status = init_program(&gpudump.program);

    fill_standard_files();
    confined_init(&gpudump.confined);
    helpers_take_words("gpudump", argc, argv);
    (void)memory_limit_open();
    if (status == PROGRAM_OK)
        status = init_program(&gpudump.other);
    if (status == PROGRAM_OK) {
        status = gpudump_parse(&gpudump, argc, argv, given);
        status = run(&gpudump, status, given, argc - optind, argv + optind);
    }
    gpudump_clear_conditions(&gpudump);
    free(gpudump.options);
    program_close(&gpudump.other);
    program_close(&gpudump.program);
    confined_end(&gpudump.confined);
    return (int)status;
}
