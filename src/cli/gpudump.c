/* SPDX-License-Identifier: MIT */
/*
 * A dump's tree without a mount: for containers, scripts and machines without
 * FUSE. The main thread produces what it reads, but what cat prints
 * of several files, which the tree's own threads produce ahead.
 */
#include "cli/gpudump.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/memory_limit.h"
#include "image/picture.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS_MAX = 1024 };

/* What `-` is in place of what a command writes. */
enum output {
    OUTPUT_NONE,   /* a word as others: nothing is written */
    OUTPUT_STREAM, /* standard output, for the last path */
    OUTPUT_PLACE,  /* refused for any path: there are many files, or one is written again and again
                    */
};

struct gpudump_command {
    const char *name;
    int dumps;                /* that stand first and are opened */
    int min_paths, max_paths; /* behind them */
    const char *flags;        /* that are its own */
    bool in_a_row;            /* reads one file after the other */
    bool writes;              /* -o FILE may stand for the last path that it needs */
    enum output output;       /* of its paths */
    bool answers;             /* exits with 0 for yes, 1 for no, 2 for trouble */
    char flag;                /* of this form of it alone; 0: there is none */
    enum program_status (*run)(struct gpudump *gpudump);
};

static const struct gpudump_command commands[] = {
    {"assemble", 0, 2, 2, "", false, true, OUTPUT_STREAM, false, 0, gpudump_assemble},
    {"assert", 0, 0, 1, "FXIHWNUMTJj", false, false, OUTPUT_NONE, true, 0, gpudump_assert},
    {"cat", 1, 1, INT_MAX, "", true, false, OUTPUT_NONE, false, 0, gpudump_cat},
    {"cp", 1, 2, INT_MAX, "D", false, false, OUTPUT_STREAM, false, 0, gpudump_cp},
    {"cut", 1, 1, 1, "A", false, true, OUTPUT_STREAM, false, 0, gpudump_cut},
    {"diff", 2, 0, 0, "PEJO", false, false, OUTPUT_NONE, true, 0, gpudump_compare},
    {"diff", 1, 2, 2, "P", false, false, OUTPUT_NONE, true, 0, gpudump_diff},
    {"disassemble", 1, 0, 0, "", false, false, OUTPUT_NONE, false, 0, gpudump_disassemble},
    {"export", 0, 1, INT_MAX, "djpA", false, false, OUTPUT_NONE, false, 'd',
     gpudump_export_dataset},
    {"export", 0, 1, INT_MAX, "B", false, false, OUTPUT_NONE, false, 'B', gpudump_export_sqlite},
    {"export", 1, 2, 2, "jA", false, false, OUTPUT_PLACE, false, 0, gpudump_export},
    {"info", 1, 0, 0, "", false, false, OUTPUT_NONE, false, 0, gpudump_info},
    {"ls", 1, 0, INT_MAX, "lRx", false, false, OUTPUT_NONE, false, 0, gpudump_ls},
    {"reduce", 1, 1, 2, "KYZGL", false, true, OUTPUT_PLACE, false, 0, gpudump_reduce},
    {"thumbnail", 1, 1, 1, "s", false, false, OUTPUT_STREAM, false, 0, gpudump_thumbnail},
};

/* Flags of one command alone, by getopt's letter. */
static const struct {
    char letter;
    const char *name;
} own_flags[] = {{'l', "-l"},
                 {'R', "-R"},
                 {'x', "-x"},
                 {'j', "-j"},
                 {'d', "--dataset"},
                 {'p', "--parts"},
                 {'B', "--sqlite"},
                 {'D', "--parents"},
                 {'P', "--picture"},
                 {'A', "--range"},
                 {'s', "-s"},
                 {'F', "--frame"},
                 {'X', "--pixel"},
                 {'I', "--image"},
                 {'H', "--hash"},
                 {'W', "--draws"},
                 {'U', "--suite"},
                 {'M', "--dir"},
                 {'N', "--no-problems"},
                 {'T', "--junit"},
                 {'J', "--json"},
                 {'E', "--frames"},
                 {'O', "--other-options"},
                 {'K', "--keep"},
                 {'Y', "--keep-pixel"},
                 {'Z', "--keep-hash"},
                 {'G', "--keep-differs"},
                 {'L', "--last-frame"}};

static const char usage_text[] =
    "usage: gpudump info [options] DUMP\n"
    "       gpudump ls [options] [-l] [-R] [-x] DUMP [PATH...]\n"
    "       gpudump cat [options] DUMP PATH...\n"
    "       gpudump cp [options] [--parents] DUMP PATH... DESTINATION\n"
    "       gpudump export [options] [-j JOBS] [--range A-B] DUMP FOLDER DESTINATION\n"
    "       gpudump export [options] [-j JOBS] [--range A-B] [--parts PART[,PART...]]\n"
    "                    --dataset FOLDER DUMP...\n"
    "       gpudump export [options] --sqlite FILE DUMP...\n"
    "       gpudump cut [options] [--range A-B] DUMP [-o] FILE\n"
    "       gpudump diff [options] [--picture FILE] [--frames] [--json]\n"
    "                    [--other-options OPTION[,OPTION...]] DUMP DUMP\n"
    "       gpudump diff [options] [--picture FILE] DUMP A B\n"
    "       gpudump thumbnail [options] [-s SIZE] DUMP FILE\n"
    "       gpudump assert [options] [--json] [--frame N] CONDITION... DUMP\n"
    "       gpudump assert [options] [--json] [-j JOBS] [--junit FILE] --suite FILE\n"
    "       gpudump assert [options] [--json] [-j JOBS] [--junit FILE] [--frame N]\n"
    "                    --dir FOLDER CONDITION...\n"
    "       gpudump disassemble [options] DUMP\n"
    "       gpudump assemble [options] TEXT [-o] DUMP\n"
    "       gpudump reduce [options] [--last-frame N] KEEP... DUMP [-o] FILE [FILE]\n"
    "\n"
    "Shows a GPU dump as the folder that gpudumpfs mounts, without a mount.\n"
    "\n"
    "  info         what the dump is\n"
    "  ls, cat, cp  the names in it, the contents of files, and copies of files and\n"
    "               folders; --parents makes the folders of each PATH in\n"
    "               DESTINATION. PATH begins at the dump's root; its wildcards *, ?\n"
    "               and [] are expanded here\n"
    "  export       copies the files of one folder, those numbered A to B, and goes\n"
    "               on where it was interrupted; with --dataset makes a data set of\n"
    "               dumps, and of folders of dumps: frames, draw-ids, depth, masks\n"
    "               and tables, or the PARTs of these; with --sqlite makes a\n"
    "               database of all their tables\n"
    "  cut          writes frames A to B as a dump of their own; FILE may be -, as\n"
    "               of cp, thumbnail and assemble: standard output\n"
    "  diff         tells where two dumps differ, with --frames in which frames, or\n"
    "               in which commands frames A and B do; FILE shows in which\n"
    "               pixels. --other-options are those of the second dump alone, so\n"
    "               that one dump is compared under two settings\n"
    "  thumbnail    writes the first frame on which something is to be seen, SIZE\n"
    "               pixels wide or high\n"
    "  assert       tells which conditions do not hold in frame N, by default the\n"
    "               last with a picture: --pixel X,Y=#rrggbb, --image FILE, --hash\n"
    "               HASH, --draws '<N', and --no-problems. A line of a suite is\n"
    "               DUMP and its conditions, behind tabs; --dir judges each dump of\n"
    "               a folder\n"
    "  disassemble  prints the dump as a text that can be edited; assemble makes a\n"
    "               dump of it\n"
    "  reduce       leaves out of a dump what is not needed for its last picture,\n"
    "               or that of frame N, to have what KEEP says: --keep-pixel\n"
    "               X,Y=#rrggbb, --keep-hash HASH, --keep-differs OTHER, of which\n"
    "               the second FILE gets the rest; or for a command to end with 0,\n"
    "               which gets a dump as its last word or for {}: --keep COMMAND\n"
    "\n"
    "  -l  with sizes                      -q  errors only\n"
    "  -R  with all that is below          -v  more messages\n"
    "  -j  as many threads                 -V  versions\n"
    "  -s  so many pixels                  -h  this help\n"
    "  -x  with attributes                 -o OPTION[,OPTION...]\n"
    "\n";

static const char usage_end[] =
    "\n"
    "SIZE of an option is a number of bytes, or of K, M, G or T.\n"
    "Exit status: 0, 1 usage or a path that cannot be read or written, 2 a text that\n"
    "cannot be assembled, 11 cannot open, 30 not a known format, 31 bad header or\n"
    "unknown version, 32 damaged and strict; of assert and diff 0 all holds or is equal,\n"
    "1 not so, 2 trouble.\n";

/* And why, where problems.txt tells: beyond limits, say. */
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

static enum program_status tell_usage(const char *what)
{
    log_write(LOG_ERR, "%s; see gpudump -h", what);
    return PROGRAM_USAGE;
}

static void print_help(const struct program *program)
{
    fputs(usage_text, stdout);
    program_print_options(program);
    fputs(usage_end, stdout);
    exit(PROGRAM_OK);
}

/* From 1 to `max` of `what`; else that is told. */
static enum program_status parse_number(int flag, const char *what, unsigned max, unsigned *out)
{
    char rest;

    if (*optarg != '-' && sscanf(optarg, "%u%c", out, &rest) == 1 && *out >= 1 && *out <= max)
        return PROGRAM_OK;
    log_write(LOG_ERR, "-%c %s: not a number of %s from 1 to %u; see gpudump -h", flag, optarg,
              what, max);
    return PROGRAM_USAGE;
}

static void talk(struct gpudump *gpudump, enum program_talk talk)
{
    program_talk(&gpudump->program, talk);
    program_talk(&gpudump->other, talk);
}

/* A list that is one word, and looks like no option: what is written; check_output() judges it. */
static bool take_output(void *context, const char *option)
{
    struct gpudump *gpudump = context;

    if (gpudump->output != NULL || strchr(option, '=') != NULL ||
        strcmp(option, gpudump->list) != 0)
        return false;
    gpudump->output = gpudump->list;
    return true;
}

static enum program_status add_options(struct gpudump *gpudump, const char *list)
{
    enum program_status status;
    char *before = gpudump->options;

    gpudump->list = list;
    status = program_add_options(&gpudump->program, list, take_output, gpudump);
    if (gpudump->output == list)
        return status;
    if (asprintf(&gpudump->options, "%s%s%s", before != NULL ? before : "",
                 before != NULL ? "," : "", list) < 0) {
        gpudump->options = before;
        return PROGRAM_USAGE;
    }
    free(before);
    if (status == PROGRAM_OK)
        status = program_add_options(&gpudump->other, list, NULL, NULL);
    return status;
}

static enum program_status add_condition(struct gpudump *gpudump, int flag)
{
    const char *name = "";

    for (size_t i = 0; i < sizeof(own_flags) / sizeof(own_flags[0]); i++)
        if (own_flags[i].letter == flag)
            name = own_flags[i].name + 2;
    return gpudump_add_condition(gpudump, name, optarg);
}

/* Those of assert, and of diff where it has two dumps. */
static enum program_status parse_answer_flag(struct gpudump *gpudump, int flag)
{
    switch (flag) {
    case 'J':
        gpudump->json = true;
        break;
    case 'E':
        gpudump->each_frame = true;
        break;
    case 'F':
    case 'H':
    case 'I':
    case 'N':
    case 'W':
    case 'X':
        return add_condition(gpudump, flag);
    default:
        return tell_usage("bad option");
    }
    return PROGRAM_OK;
}

/* Where the argument of a flag goes as it is; NULL: nowhere. */
static const char **argument_of(struct gpudump *gpudump, int flag)
{
    switch (flag) {
    case 'A':
        return &gpudump->range;
    case 'd':
        return &gpudump->dataset;
    case 'p':
        return &gpudump->dataset_parts;
    case 'B':
        return &gpudump->sqlite;
    case 'G':
        return &gpudump->keep_differs;
    case 'K':
        return &gpudump->keep;
    case 'L':
        return &gpudump->last_frame;
    case 'M':
        return &gpudump->folder;
    case 'P':
        return &gpudump->picture;
    case 'T':
        return &gpudump->junit;
    case 'U':
        return &gpudump->suite;
    case 'Y':
        return &gpudump->keep_pixel;
    case 'Z':
        return &gpudump->keep_hash;
    default:
        return NULL;
    }
}

static enum program_status parse_flag(struct gpudump *gpudump, int flag)
{
    const char **argument = argument_of(gpudump, flag);

    if (argument != NULL) {
        *argument = optarg;
        return PROGRAM_OK;
    }
    switch (flag) {
    case 'l':
        gpudump->details = true;
        break;
    case 'D':
        gpudump->parents = true;
        break;
    case 'R':
        gpudump->deep = true;
        break;
    case 'x':
        gpudump->attributes = true;
        break;
    case 'q':
        talk(gpudump, PROGRAM_QUIET);
        break;
    case 'v':
        talk(gpudump, PROGRAM_VERBOSE);
        gpudump->verbose = true;
        break;
    case 'j':
        return parse_number(flag, "threads", JOBS_MAX, &gpudump->jobs);
    case 's':
        return parse_number(flag, "pixels", PICTURE_MAX, &gpudump->size);
    case 'o':
        return add_options(gpudump, optarg);
    case 'O':
        return program_add_options(&gpudump->other, optarg, NULL, NULL);
    case 'h':
        print_help(&gpudump->program);
        break;
    case 'V':
        program_print_version(&gpudump->program, NULL);
        exit(PROGRAM_OK);
    default:
        return parse_answer_flag(gpudump, flag);
    }
    return PROGRAM_OK;
}

/* The letters of all flags are added to `given`, each once. */
static enum program_status parse(struct gpudump *gpudump, int argc, char **argv, char *given)
{
    static const struct option words[] = {{"dataset", required_argument, NULL, 'd'},
                                          {"dir", required_argument, NULL, 'M'},
                                          {"draws", required_argument, NULL, 'W'},
                                          {"frame", required_argument, NULL, 'F'},
                                          {"frames", no_argument, NULL, 'E'},
                                          {"hash", required_argument, NULL, 'H'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"image", required_argument, NULL, 'I'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"json", no_argument, NULL, 'J'},
                                          {"junit", required_argument, NULL, 'T'},
                                          {"keep", required_argument, NULL, 'K'},
                                          {"keep-differs", required_argument, NULL, 'G'},
                                          {"keep-hash", required_argument, NULL, 'Z'},
                                          {"keep-pixel", required_argument, NULL, 'Y'},
                                          {"last-frame", required_argument, NULL, 'L'},
                                          {"no-problems", no_argument, NULL, 'N'},
                                          {"other-options", required_argument, NULL, 'O'},
                                          {"parents", no_argument, NULL, 'D'},
                                          {"parts", required_argument, NULL, 'p'},
                                          {"picture", required_argument, NULL, 'P'},
                                          {"pixel", required_argument, NULL, 'X'},
                                          {"range", required_argument, NULL, 'A'},
                                          {"sqlite", required_argument, NULL, 'B'},
                                          {"suite", required_argument, NULL, 'U'},
                                          {"version", no_argument, NULL, 'V'},
                                          {0}};
    enum program_status status = PROGRAM_OK;
    int flag;

    while ((flag = getopt_long(argc, argv, "hj:lo:qRs:vVx", words, NULL)) != -1) {
        if (status == PROGRAM_OK)
            status = parse_flag(gpudump, flag);
        if (strchr(given, flag) == NULL)
            given[strlen(given)] = (char)flag;
    }
    return status;
}

/*
 * Of rows with one name that with a flag that is given, else the first that takes so many words
 * behind it, else the last.
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

/* `given`: the letters of all flags. */
static enum program_status check_flags(const struct gpudump_command *command, const char *given)
{
    char message[64];

    for (size_t i = 0; i < sizeof(own_flags) / sizeof(own_flags[0]); i++) {
        char letter = own_flags[i].letter;

        if (strchr(given, letter) == NULL || strchr(command->flags, letter) != NULL)
            continue;
        snprintf(message, sizeof(message), "%s is not for %s", own_flags[i].name, command->name);
        return tell_usage(message);
    }
    return PROGRAM_OK;
}

static enum program_status tell_too_many(const struct gpudump_command *command)
{
    char message[64];

    snprintf(message, sizeof(message), "too many arguments for %s", command->name);
    return tell_usage(message);
}

/* Of the tree: they are of use to a reader of several files. */
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

    if (threads > 0) /* texts that they make, this one frees */
        memory_share_heap();
    program->streams = PROGRAM_STREAMS_WHOLE;
    program_look(program, path);
    status = program_open(program, path);
    if (status == PROGRAM_OK)
        status = program_make_tree(program, threads);
    return status;
}

/* `dumps`: their paths. */
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

/* What -o gave in place of the last path; else it was to be an option, and that is told. */
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

/* What cannot be written to standard output: by the name of its option, or of the command. */
static enum program_status tell_no_stream(const char *what)
{
    char message[96];

    snprintf(message, sizeof(message),
             "%s does not write to standard output: a file of the name - is ./-", what);
    return tell_usage(message);
}

/* Whether what is written can go where `-` has it. */
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
        return tell_usage("standard output is a terminal: name a file, or give it to a program");
    return PROGRAM_OK;
}

/* Behind `dumps` stand the paths; `count`: of both. */
static enum program_status check_words(struct gpudump *gpudump,
                                       const struct gpudump_command *command, const char *given,
                                       int count, char **dumps)
{
    enum program_status status;

    if (count < command->dumps)
        return tell_usage("no DUMP given");
    gpudump->dumps = dumps;
    gpudump->paths = dumps + command->dumps;
    gpudump->path_count = count - command->dumps;
    status = check_output(gpudump, command);
    if (status != PROGRAM_OK)
        return status;
    if (gpudump->path_count < command->min_paths)
        return tell_usage("no PATH given");
    if (gpudump->path_count > command->max_paths)
        return tell_too_many(command);
    status = check_flags(command, given);
    return status == PROGRAM_OK ? check_streams(gpudump, command) : status;
}

static enum program_status run_command(struct gpudump *gpudump,
                                       const struct gpudump_command *command, const char *given,
                                       int count, char **dumps)
{
    enum program_status status = check_words(gpudump, command, given, count, dumps);

    if (status == PROGRAM_OK) {
        status = open_dumps(gpudump, command, dumps);
        if (status != PROGRAM_OK && command->dumps > 1 && gpudump->json)
            gpudump_compare_unopened(gpudump);
    }
    if (status == PROGRAM_OK)
        status = command->run(gpudump);
    if (fflush(stdout) != 0) {
        gpudump_tell(gpudump, "standard output", -errno);
        status = PROGRAM_USAGE;
    }
    return status;
}

/* `words`: COMMAND DUMP PATH...; `status`: of the flags. */
static enum program_status run(struct gpudump *gpudump, enum program_status status,
                               const char *given, int count, char **words)
{
    const struct gpudump_command *command =
        count > 0 ? find_command(words[0], count - 1, given) : NULL;

    if (status == PROGRAM_OK && command == NULL)
        return tell_usage(count > 0 ? "no such command" : "no command given");
    if (status == PROGRAM_OK)
        status = run_command(gpudump, command, given, count - 1, words + 1);
    if (command == NULL || !command->answers)
        return status;
    if (status != PROGRAM_OK)
        return PROGRAM_TROUBLE;
    return gpudump->differs ? PROGRAM_NO : PROGRAM_OK;
}

/* One of the two that there are at most. */
static enum program_status init_program(struct program *program)
{
    enum program_status status = program_init(program, "gpudump");

    program->options.common.no_mount = true;
    program->folder_hint = "name one of the dumps in it";
    return status;
}

int main(int argc, char **argv)
{
    struct gpudump gpudump = {0};
    char given[UCHAR_MAX + 1] = "";
    enum program_status status = init_program(&gpudump.program);

    memory_limit_open();
    if (status == PROGRAM_OK)
        status = init_program(&gpudump.other);
    if (status == PROGRAM_OK) {
        status = parse(&gpudump, argc, argv, given);
        status = run(&gpudump, status, given, argc - optind, argv + optind);
    }
    gpudump_clear_conditions(&gpudump);
    free(gpudump.options);
    program_close(&gpudump.other);
    program_close(&gpudump.program);
    return (int)status;
}
