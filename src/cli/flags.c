/* SPDX-License-Identifier: MIT */
/*
 * The table of gpudump's flags: how they are typed, and which function takes them. The flags of
 * each command are in its row of the table of commands (gpudump.c).
 */
#include "cli/gpudump.h"

#include "base/log.h"
#include "base/string.h"
#include "image/picture.h"

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_MAX = 1024 };

struct flag;

/* Takes the flag; its argument is in `optarg`. */
typedef enum program_status flag_taker(struct gpudump *gpudump, const struct flag *flag);

struct flag {
    const char *name; /* as it is typed, and in messages: "-l", "--parts" */
    char letter; /* identifies it in the rows of commands; for a short name also what is typed */
    bool has_argument;
    flag_taker *take;
    size_t slot;      /* offset in struct gpudump of the variable to set, if the taker uses it */
    const char *word; /* long form of a short name: "jobs" for "--jobs"; NULL: none */
    const char *unit; /* if the argument is a number: what it counts, for messages */
    unsigned max;     /* if the argument is a number: its upper limit */
    /*
     * Of a short name: the text after it in the help, which is its argument, or a blank and its
     * effect.
     */
    const char *help;
    bool of_all; /* every command takes it */
};

static const char usage_end[] =
    "\n"
    "SIZE is a number of bytes, or with a suffix K, M, G or T.\n"
    "Exit status: 0, 1 usage or a path that cannot be read or written, 2 a text that\n"
    "cannot be assembled, 11 cannot open, 30 not a known format, 31 bad header or\n"
    "unknown version, 32 damaged and strict; from assert and diff 0 all holds or is\n"
    "equal, 1 not, 2 trouble.\n";

static enum program_status set(struct gpudump *gpudump, const struct flag *flag)
{
    *(bool *)((char *)gpudump + flag->slot) = true;
    return PROGRAM_OK;
}

static enum program_status keep(struct gpudump *gpudump, const struct flag *flag)
{
    *(const char **)((char *)gpudump + flag->slot) = optarg;
    return PROGRAM_OK;
}

/* Takes a number from 1 to `max`; anything else is an error, which is logged. */
static enum program_status count(struct gpudump *gpudump, const struct flag *flag)
{
    const char *rest = optarg;
    uint64_t number;

    if (string_take_number(&rest, 10, &number) && *rest == '\0' && number >= 1 &&
        number <= flag->max) {
        *(unsigned *)((char *)gpudump + flag->slot) = (unsigned)number;
        return PROGRAM_OK;
    }
    log_write(LOG_ERR, "%s %s: not a number of %s from 1 to %u; see gpudump -h", flag->name, optarg,
              flag->unit, flag->max);
    return PROGRAM_USAGE;
}

static enum program_status add_condition(struct gpudump *gpudump, const struct flag *flag)
{
    return gpudump_add_condition(gpudump, flag->name + 2, optarg);
}

static void talk(struct gpudump *gpudump, enum program_talk talk)
{
    program_talk(&gpudump->program, talk);
    program_talk(&gpudump->other, talk);
}

static enum program_status be_quiet(struct gpudump *gpudump, const struct flag *flag)
{
    (void)flag;
    talk(gpudump, PROGRAM_QUIET);
    return PROGRAM_OK;
}

static enum program_status be_verbose(struct gpudump *gpudump, const struct flag *flag)
{
    (void)flag;
    talk(gpudump, PROGRAM_VERBOSE);
    gpudump->verbose = true;
    return PROGRAM_OK;
}

/*
 * Takes a list that is one word, and looks like no option, as what to write; check_output()
 * decides.
 */
static bool take_output(void *context, const char *option)
{
    struct gpudump *gpudump = context;

    if (gpudump->output != NULL || strchr(option, '=') != NULL ||
        strcmp(option, gpudump->list) != 0)
        return false;
    gpudump->output = gpudump->list;
    return true;
}

static enum program_status add_options(struct gpudump *gpudump, const struct flag *flag)
{
    const char *list = optarg;
    enum program_status status;
    char *before = gpudump->options;

    (void)flag;
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
    gpudump->other.repeats = true;
    if (status == PROGRAM_OK)
        status = program_add_options(&gpudump->other, list, NULL, NULL);
    gpudump->other.repeats = false;
    return status;
}

static enum program_status add_other_options(struct gpudump *gpudump, const struct flag *flag)
{
    (void)flag;
    return program_add_options(&gpudump->other, optarg, NULL, NULL);
}

static enum program_status print_version(struct gpudump *gpudump, const struct flag *flag)
{
    (void)flag;
    program_print_version(&gpudump->program, NULL);
    exit(PROGRAM_OK);
}

#define AT(member) offsetof(struct gpudump, member)

/* Short names come first, in the order of the help; then sorted by name. */
static const struct flag flags[] = {
    {"-l", 'l', false, set, .slot = AT(details), .help = " with sizes and times"},
    {"-R", 'R', false, set, .slot = AT(deep), .help = " recursively"},
    {"-j", 'j', true, count, AT(jobs), "jobs", "threads", JOBS_MAX, .help = " number of threads"},
    {"-s", 's', true, count, AT(size), NULL, "pixels", PICTURE_MAX,
     .help = " longer side, in pixels"},
    {"-x", 'x', false, set, .slot = AT(attributes), .help = " with attributes"},
    {"-q", 'q', false, be_quiet, .help = " errors only", .of_all = true},
    {"-v", 'v', false, be_verbose, .help = " more messages", .of_all = true},
    {"-V", 'V', false, print_version, .word = "version", .help = " versions", .of_all = true},
    {"-h", 'h', false, set, .slot = AT(help), .word = "help", .help = " this help", .of_all = true},
    {"-o", 'o', true, add_options, .help = "OPTION[,OPTION...]", .of_all = true},
    {"--dataset", 'd', true, keep, .slot = AT(dataset)},
    {"--dir", 'M', true, keep, .slot = AT(folder)},
    {"--draws", 'W', true, .take = add_condition},
    {"--frame", 'F', true, .take = add_condition},
    {"--frames", 'E', false, set, .slot = AT(each_frame)},
    {"--hash", 'H', true, .take = add_condition},
    {"--image", 'I', true, .take = add_condition},
    {"--json", 'J', false, set, .slot = AT(json)},
    {"--junit", 'T', true, keep, .slot = AT(junit)},
    {"--keep", 'K', true, keep, .slot = AT(keep)},
    {"--keep-differs", 'G', true, keep, .slot = AT(keep_differs)},
    {"--keep-hash", 'Z', true, keep, .slot = AT(keep_hash)},
    {"--keep-pixel", 'Y', true, keep, .slot = AT(keep_pixel)},
    {"--last-frame", 'L', true, keep, .slot = AT(last_frame)},
    {"--no-problems", 'N', false, .take = add_condition},
    {"--other-options", 'O', true, .take = add_other_options},
    {"--parents", 'D', false, set, .slot = AT(parents)},
    {"--parts", 'p', true, keep, .slot = AT(dataset_parts)},
    {"--picture", 'P', true, keep, .slot = AT(picture)},
    {"--pixel", 'X', true, .take = add_condition},
    {"--range", 'A', true, keep, .slot = AT(range)},
    {"--sqlite", 'B', true, keep, .slot = AT(sqlite)},
    {"--suite", 'U', true, keep, .slot = AT(suite)},
};

enum { FLAGS = sizeof(flags) / sizeof(flags[0]) };

static bool is_short(const struct flag *flag)
{
    return flag->name[1] != '-';
}

/* Returns the long name without dashes; NULL if there is none. */
static const char *word_of(const struct flag *flag)
{
    return is_short(flag) ? flag->word : flag->name + 2;
}

/* Prints in two columns. */
static void print_short_names(void)
{
    unsigned shorts = 0;

    while (shorts < FLAGS && is_short(&flags[shorts]))
        shorts++;
    for (unsigned i = 0; i < shorts / 2; i++)
        printf("  %s %-32s %s %s\n", flags[i].name, flags[i].help, flags[i + shorts / 2].name,
               flags[i + shorts / 2].help);
    putchar('\n');
}

void gpudump_print_help(const struct gpudump *gpudump)
{
    usage_print_forms(NULL);
    puts("Shows a GPU dump as the folder that gpudumpfs mounts, without a mount.\n");
    usage_print_purposes(NULL);
    print_short_names();
    program_print_options(&gpudump->program);
    fputs(usage_end, stdout);
}

void gpudump_print_help_of(const char *command, const char *own)
{
    usage_print_forms(command);
    usage_print_purposes(command);
    for (const struct flag *flag = flags; flag < flags + FLAGS; flag++)
        if (flag->of_all || strchr(own, flag->letter) != NULL)
            printf("  %s%s%s%s%s\n", flag->name, flag->word != NULL ? ", --" : "",
                   flag->word != NULL ? flag->word : "", flag->help != NULL ? " " : "",
                   flag->help != NULL ? flag->help : "");
    puts("\n`gpudump -h` lists each OPTION; see also gpudump(1).");
}

const char *gpudump_flag_beside(const char *given, const char *own)
{
    for (const struct flag *flag = flags; flag < flags + FLAGS; flag++)
        if (!flag->of_all && strchr(given, flag->letter) != NULL &&
            strchr(own, flag->letter) == NULL)
            return flag->name;
    return NULL;
}

static const struct flag *flag_of(int letter)
{
    for (const struct flag *flag = flags; flag < flags + FLAGS; flag++)
        if (flag->letter == letter)
            return flag;
    return NULL;
}

/* Converts the table for getopt_long(). */
static void list_flags(char shorts[2 * FLAGS + 1], struct option words[FLAGS + 1])
{
    for (const struct flag *flag = flags; flag < flags + FLAGS; flag++) {
        const char *word = word_of(flag);

        if (is_short(flag))
            *shorts++ = flag->letter;
        if (is_short(flag) && flag->has_argument)
            *shorts++ = ':';
        if (word != NULL)
            *words++ = (struct option){word, flag->has_argument ? required_argument : no_argument,
                                       NULL, flag->letter};
    }
    *shorts = '\0';
    *words = (struct option){0};
}

enum program_status gpudump_parse(struct gpudump *gpudump, int argc, char **argv, char *given)
{
    char shorts[2 * FLAGS + 1];
    struct option words[FLAGS + 1];
    enum program_status status = PROGRAM_OK;
    int letter;

    list_flags(shorts, words);
    while ((letter = getopt_long(argc, argv, shorts, words, NULL)) != -1) {
        const struct flag *flag = flag_of(letter);

        if (status == PROGRAM_OK && !gpudump->help)
            status = flag != NULL ? flag->take(gpudump, flag) : gpudump_tell_usage("bad option");
        if (strchr(given, letter) == NULL)
            given[strlen(given)] = (char)letter;
    }
    return status;
}
