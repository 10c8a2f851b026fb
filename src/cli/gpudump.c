/* SPDX-License-Identifier: MIT */
/*
 * A dump's tree without a mount: for containers, scripts and machines without
 * FUSE. The main thread produces what it reads, but what cat prints
 * of several files, which the tree's own threads produce ahead.
 */
#include "cli/gpudump.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "image/picture.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_MAX = 1024 };

struct gpudump_command {
    const char *name;
    int dumps;                /* that stand first and are opened */
    int min_paths, max_paths; /* behind them */
    const char *flags;        /* that are its own */
    bool in_a_row;            /* reads one file after the other */
    enum program_status (*run)(struct gpudump *gpudump);
};

static const struct gpudump_command commands[] = {
    {"assemble", 0, 2, 2, "", false, gpudump_assemble},
    {"cat", 1, 1, INT_MAX, "", true, gpudump_cat},
    {"cp", 1, 2, INT_MAX, "D", false, gpudump_cp},
    {"diff", 1, 2, 2, "P", false, gpudump_diff},
    {"disassemble", 1, 0, 0, "", false, gpudump_disassemble},
    {"export", 1, 2, 2, "jA", false, gpudump_export},
    {"info", 1, 0, 0, "", false, gpudump_info},
    {"ls", 1, 0, INT_MAX, "lRx", false, gpudump_ls},
    {"reduce", 1, 1, 1, "KYZGL", false, gpudump_reduce},
    {"thumbnail", 1, 1, 1, "s", false, gpudump_thumbnail},
};

/* Flags of one command alone, by getopt's letter. */
static const struct {
    char letter;
    const char *name;
} own_flags[] = {{'l', "-l"},           {'R', "-R"},          {'x', "-x"},
                 {'j', "-j"},           {'D', "--parents"},   {'P', "--picture"},
                 {'A', "--range"},      {'s', "-s"},          {'K', "--keep"},
                 {'Y', "--keep-pixel"}, {'Z', "--keep-hash"}, {'G', "--keep-differs"},
                 {'L', "--last-frame"}};

static const char usage_text[] =
    "usage: gpudump info [options] DUMP\n"
    "       gpudump ls [options] [-l] [-R] [-x] DUMP [PATH...]\n"
    "       gpudump cat [options] DUMP PATH...\n"
    "       gpudump cp [options] [--parents] DUMP PATH... DESTINATION\n"
    "       gpudump export [options] [-j JOBS] [--range A-B] DUMP FOLDER DESTINATION\n"
    "       gpudump diff [options] [--picture FILE] DUMP A B\n"
    "       gpudump thumbnail [options] [-s SIZE] DUMP FILE\n"
    "       gpudump disassemble [options] DUMP\n"
    "       gpudump assemble [options] TEXT DUMP\n"
    "       gpudump reduce [options] [--last-frame N] KEEP... DUMP DESTINATION\n"
    "\n"
    "Shows a GPU dump as the folder that gpudumpfs mounts, without a mount: what the\n"
    "dump is, the names in it, the contents of files, and copies of files and folders.\n"
    "cp --parents makes the folders of each PATH in DESTINATION.\n"
    "export copies the files of one folder, those numbered A to B, and goes on where it\n"
    "was interrupted. diff tells in which commands frames A and B differ, in FILE also\n"
    "in which pixels. thumbnail writes the first frame on which something is to be\n"
    "seen, SIZE pixels wide or high. disassemble prints the dump as a text that can be\n"
    "edited, and assemble makes a dump of it. reduce leaves out of a dump what is not\n"
    "needed for its last picture, or that of frame N, to have what KEEP says:\n"
    "--keep-pixel X,Y=#rrggbb, --keep-hash HASH, --keep-differs OTHER; or for a command\n"
    "to end with 0, which gets a dump as its last word or for {}: --keep COMMAND.\n"
    "PATH begins at the dump's root; its wildcards *, ? and [] are expanded here.\n"
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
    "cannot be assembled, 11 cannot open,\n"
    "30 not a known format, 31 bad header or unknown version, 32 damaged and strict.\n";

void gpudump_tell(struct gpudump *gpudump, const char *path, int status)
{
    log_write(LOG_ERR, "%s: %s", *path != '\0' ? path : "/", strerror(-status));
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

/* Where the argument of a flag goes as it is; NULL: nowhere. */
static const char **argument_of(struct gpudump *gpudump, int flag)
{
    switch (flag) {
    case 'A':
        return &gpudump->range;
    case 'G':
        return &gpudump->keep_differs;
    case 'K':
        return &gpudump->keep;
    case 'L':
        return &gpudump->last_frame;
    case 'P':
        return &gpudump->picture;
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
        program_talk(&gpudump->program, PROGRAM_QUIET);
        break;
    case 'v':
        program_talk(&gpudump->program, PROGRAM_VERBOSE);
        gpudump->verbose = true;
        break;
    case 'j':
        return parse_number(flag, "threads", JOBS_MAX, &gpudump->jobs);
    case 's':
        return parse_number(flag, "pixels", PICTURE_MAX, &gpudump->size);
    case 'o':
        return program_add_options(&gpudump->program, optarg, NULL, NULL);
    case 'h':
        print_help(&gpudump->program);
        break;
    case 'V':
        program_print_version(&gpudump->program, NULL);
        exit(PROGRAM_OK);
    default:
        return tell_usage("bad option");
    }
    return PROGRAM_OK;
}

/* The letters of all flags are added to `given`, each once. */
static enum program_status parse(struct gpudump *gpudump, int argc, char **argv, char *given)
{
    static const struct option words[] = {{"help", no_argument, NULL, 'h'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"keep", required_argument, NULL, 'K'},
                                          {"keep-differs", required_argument, NULL, 'G'},
                                          {"keep-hash", required_argument, NULL, 'Z'},
                                          {"keep-pixel", required_argument, NULL, 'Y'},
                                          {"last-frame", required_argument, NULL, 'L'},
                                          {"parents", no_argument, NULL, 'D'},
                                          {"picture", required_argument, NULL, 'P'},
                                          {"range", required_argument, NULL, 'A'},
                                          {"version", no_argument, NULL, 'V'},
                                          {0}};
    enum program_status status = PROGRAM_OK;
    int flag;

    while (status == PROGRAM_OK &&
           (flag = getopt_long(argc, argv, "hj:lo:qRs:vVx", words, NULL)) != -1) {
        status = parse_flag(gpudump, flag);
        if (strchr(given, flag) == NULL)
            given[strlen(given)] = (char)flag;
    }
    return status;
}

static const struct gpudump_command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
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

/* `words`: COMMAND DUMP PATH... */
static enum program_status run(struct gpudump *gpudump, const char *given, int count, char **words)
{
    const struct gpudump_command *command = count > 0 ? find_command(words[0]) : NULL;
    enum program_status status;

    if (command == NULL)
        return tell_usage(count > 0 ? "no such command" : "no command given");
    if (count < 2)
        return tell_usage("no DUMP given");
    gpudump->dump = words[1];
    gpudump->paths = words + 1 + command->dumps;
    gpudump->path_count = count - 1 - command->dumps;
    if (gpudump->path_count < command->min_paths)
        return tell_usage("no PATH given");
    if (gpudump->path_count > command->max_paths)
        return tell_too_many(command);
    status = check_flags(command, given);
    if (status == PROGRAM_OK && command->dumps == 0)
        return command->run(gpudump);
    if (status == PROGRAM_OK) {
        program_look(&gpudump->program, words[1]);
        status = program_open(&gpudump->program, words[1]);
    }
    if (status == PROGRAM_OK)
        status = program_make_tree(&gpudump->program, tree_threads(gpudump, command));
    if (status == PROGRAM_OK)
        status = command->run(gpudump);
    if (fflush(stdout) != 0) {
        gpudump_tell(gpudump, "standard output", -errno);
        status = PROGRAM_USAGE;
    }
    return status;
}

int main(int argc, char **argv)
{
    struct gpudump gpudump = {0};
    char given[UCHAR_MAX + 1] = "";
    enum program_status status = program_init(&gpudump.program, "gpudump");

    memory_limit_open();
    gpudump.program.options.common.no_mount = true;
    gpudump.program.folder_hint = "name one of the dumps in it";
    if (status == PROGRAM_OK)
        status = parse(&gpudump, argc, argv, given);
    if (status == PROGRAM_OK)
        status = run(&gpudump, given, argc - optind, argv + optind);
    program_close(&gpudump.program);
    return (int)status;
}
