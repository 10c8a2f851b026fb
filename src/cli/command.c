/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/command.h"

#include "base/log.h"
#include "base/string.h"
#include "source/stream.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that mount(8) and fstab pass to every file system, and that mean nothing to this one. */
static const char *const ignored_options[] = {
    "_netdev",  "async",       "auto",          "defaults",   "dev",
    "diratime", "exec",        "group",         "iversion",   "lazytime",
    "loud",     "mand",        "noauto",        "nodev",      "nodiratime",
    "nofail",   "nogroup",     "noiversion",    "nolazytime", "nomand",
    "noowner",  "norelatime",  "nostrictatime", "nosuid",     "nouser",
    "nousers",  "owner",       "relatime",      "ro",         "rw",
    "silent",   "strictatime", "suid",          "symfollow",  "sync",
    "user",     "users"};
static const char *const ignored_prefixes[] = {"x-", "X-", "comment="};

/* For mount.fuse3, which acts on them before it runs us, and has to do so for mount.gpudumpfs. */
static const char drop_privileges[] = "drop_privileges", setuid_prefix[] = "setuid=";
static const char max_read[] = "max_read=";

/* Options without a letter. */
enum { WORD_FOLLOW = 256, WORD_READBACK_TO, WORD_COMPARE, WORD_DIR, WORD_LIST, WORD_UNMOUNT };

static const char usage_text[] =
    "usage: gpudumpfs [options] DUMP [MOUNTPOINT]\n"
    "       gpudumpfs [options] --dir FOLDER MOUNTPOINT\n"
    "       gpudumpfs [options] --compare DUMP OTHER MOUNTPOINT\n"
    "       producer | gpudumpfs [options] - MOUNTPOINT\n"
    "       gpudumpfs --list\n"
    "       gpudumpfs --unmount MOUNTPOINT|DUMP...\n"
    "\n"
    "Mounts a GPU dump as a folder: pictures, packets and tables, produced when they\n"
    "are read. MOUNTPOINT is by default the dump's name without its extension, in the\n"
    "current folder. Unmount with: gpudumpfs --unmount MOUNTPOINT\n"
    "\n"
    "  -f  stay in the foreground          -q  errors only\n"
    "  -d  -f, and log every request       -v  more messages\n"
    "  -s  one thread                      -h  this help\n"
    "  -o OPTION[,OPTION...]               -V  versions\n"
    "  --compare  mount two dumps and their differences\n"
    "  --dir  the same as -o dir\n"
    "  --follow  the same as -o follow\n"
    "  --list  list the current mounts: mountpoint, dump, format, process\n"
    "  --readback-to PATH  the same as -o psx-readback-to=PATH\n"
    "  --unmount  unmount each mountpoint, or all mounts of each dump\n"
    "\n";

static const char usage_end[] =
    "  -o allow_other, auto_unmount, nonempty, and other options of fuse(8)\n"
    "\n"
    "SIZE is a number of bytes, or with a suffix K, M, G or T.\n"
    "Exit status: 0 mounted, or with --list and --unmount done; 1 usage; 10 mountpoint;\n"
    "11 cannot open; 30 not a known format; 31 bad header or unknown version; 32\n"
    "damaged and strict.\n";

static bool is_ignored(const char *option)
{
    for (size_t i = 0; i < sizeof(ignored_options) / sizeof(ignored_options[0]); i++)
        if (strcmp(option, ignored_options[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(ignored_prefixes) / sizeof(ignored_prefixes[0]); i++)
        if (strncmp(option, ignored_prefixes[i], strlen(ignored_prefixes[i])) == 0)
            return true;
    return false;
}

/* Adds options to a list. A `\` at their end must not escape the comma that follows. */
static void join_options(struct text *list, const char *options)
{
    size_t length = strlen(options), slashes = 0;

    while (slashes < length && options[length - 1 - slashes] == '\\')
        slashes++;
    if (list->length > 0)
        text_add_char(list, ',');
    text_add(list, options);
    if (slashes % 2 != 0)
        text_add_char(list, '\\');
}

static bool parse_max_read(const char *digits, unsigned *out)
{
    uint64_t number;

    if (!string_take_number(&digits, 10, &number) || *digits != '\0' || number > UINT_MAX)
        return false;
    *out = (unsigned)number;
    return true;
}

/* Takes an option that is not ours; libfuse refuses it if it does not know the option either. */
static bool add_fuse_option(void *context, const char *option)
{
    struct command *command = context;

    if (command->helper && (strcmp(option, drop_privileges) == 0 ||
                            strncmp(option, setuid_prefix, strlen(setuid_prefix)) == 0)) {
        command->other_user = true;
        return true;
    }
    if (is_ignored(option))
        return true;
    if (string_begins(option, max_read))
        return parse_max_read(option + strlen(max_read), &command->max_read);
    if (strcmp(option, "nonempty") == 0) { /* only libfuse 2 knows it */
        command->nonempty = true;
        return true;
    }
    join_options(&command->fuse_options, option);
    return true;
}

static void print_help(const struct program *program)
{
    fputs(usage_text, stdout);
    program_print_options(program);
    fputs(usage_end, stdout);
    exit(PROGRAM_OK);
}

static void print_version(const struct program *program)
{
    char fuse[64];

    snprintf(fuse, sizeof(fuse), ", libfuse %s", mount_library());
    program_print_version(program, fuse);
    exit(PROGRAM_OK);
}

static enum program_status tell_usage(const char *what)
{
    log_write(LOG_ERR, "%s; see gpudumpfs -h", what);
    return PROGRAM_USAGE;
}

/* Escapes commas and backslashes of the path. */
static enum program_status add_readback(struct program *program, const char *path)
{
    struct text option = TEXT_INIT;
    enum program_status status = PROGRAM_USAGE;

    text_add(&option, "psx-readback-to=");
    for (; *path != '\0'; path++) {
        if (*path == ',' || *path == '\\')
            text_add_char(&option, '\\');
        text_add_char(&option, *path);
    }
    text_add_char(&option, '\0');
    if (text_status(&option) == 0)
        status = program_add_options(program, option.bytes, NULL, NULL);
    text_clear(&option);
    return status;
}

static enum program_status parse_flag(struct command *command, struct program *program, int flag)
{
    switch (flag) {
    case 'd':
        command->debug = true;
        program_talk(program, PROGRAM_DEBUG);
        /* fall through */
    case 'f':
        command->foreground = true;
        break;
    case 's':
        command->single = true;
        break;
    case 'q':
        program_talk(program, PROGRAM_QUIET);
        break;
    case 'v':
        program_talk(program, PROGRAM_VERBOSE);
        break;
    case 'o':
        return program_add_options(program, optarg, add_fuse_option, command);
    case 'h':
        print_help(program);
        break;
    case 'V':
        print_version(program);
        break;
    case WORD_READBACK_TO:
        return add_readback(program, optarg);
    case WORD_COMPARE:
        command->compare = true;
        break;
    case WORD_DIR:
        return program_add_options(program, "dir", NULL, NULL);
    case WORD_LIST:
        command->list = true;
        break;
    case WORD_UNMOUNT:
        command->unmount = true;
        break;
    case WORD_FOLLOW:
        return program_add_options(program, "follow", NULL, NULL);
    default:
        return tell_usage("bad option");
    }
    return PROGRAM_OK;
}

/* mount(8) calls helpers with its own flags: -s tolerant, -n, -f fake, -v, -t TYPE. */
static enum program_status parse_helper_flag(struct command *command, struct program *program,
                                             int flag)
{
    if (flag == 'f')
        exit(PROGRAM_OK);
    if (flag == 'o')
        join_options(&command->helper_options, optarg);
    return flag == 's' || flag == 'n' || flag == 't' ? PROGRAM_OK
                                                     : parse_flag(command, program, flag);
}

/* Neither dump may be followed: no frames may come while they are compared. */
static enum program_status take_other(struct command *command, const struct program *program,
                                      char **names)
{
    command->other = names[1];
    if (command->other == NULL || names[2] == NULL)
        return tell_usage("--compare needs two dumps and a MOUNTPOINT");
    if (command->folder || program->options.follow)
        return tell_usage("--compare cannot be combined with --dir or --follow");
    if (stream_is_name(command->dump) || stream_is_name(command->other))
        return tell_usage("a stream cannot be compared");
    return PROGRAM_OK;
}

/* Takes the arguments of --list and --unmount. */
static enum program_status take_names(struct command *command, int count, char **names)
{
    command->names = names;
    command->name_count = count;
    if (command->list && command->unmount)
        return tell_usage("--list and --unmount cannot be combined");
    if (command->list && count > 0)
        return tell_usage("too many arguments");
    return command->unmount && count == 0 ? tell_usage("no MOUNTPOINT or DUMP given") : PROGRAM_OK;
}

enum program_status command_parse(struct command *command, struct program *program, int argc,
                                  char **argv)
{
    static const struct option words[] = {
        {"compare", no_argument, NULL, WORD_COMPARE},
        {"dir", no_argument, NULL, WORD_DIR},
        {"follow", no_argument, NULL, WORD_FOLLOW},
        {"list", no_argument, NULL, WORD_LIST},
        {"unmount", no_argument, NULL, WORD_UNMOUNT},
        {"readback-to", required_argument, NULL, WORD_READBACK_TO},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {0}};
    const char *name = strrchr(argv[0], '/');
    bool helper = strncmp(name != NULL ? name + 1 : argv[0], "mount.", 6) == 0;
    const char *flags = helper ? "fhno:st:vV" : "dfho:qsvV";
    enum program_status status = PROGRAM_OK;
    int flag;

    command->helper = helper;
    while (status == PROGRAM_OK && (flag = getopt_long(argc, argv, flags, words, NULL)) != -1)
        status =
            helper ? parse_helper_flag(command, program, flag) : parse_flag(command, program, flag);
    if (status != PROGRAM_OK)
        return status;
    if (command->list || command->unmount)
        return take_names(command, argc - optind, argv + optind);
    if (argc - optind < 1 || argc - optind > 2 + command->compare)
        return tell_usage(argc == optind ? "no DUMP given" : "too many arguments");
    command->dump = argv[optind];
    command->folder = program->options.dir;
    if (command->compare && (status = take_other(command, program, argv + optind)) != PROGRAM_OK)
        return status;
    command->directory = argv[optind + 1 + command->compare];
    if (command->single)
        program->options.common.threads = 1;
    if (command->directory == NULL && (stream_is_name(command->dump) || command->folder))
        return tell_usage("a stream or a folder needs a MOUNTPOINT");
    if (command->folder && program->options.follow)
        return tell_usage("a folder cannot be followed");
    text_add_char(&command->fuse_options, '\0');
    text_add_char(&command->helper_options, '\0');
    if (command->other_user && command->directory == NULL)
        return tell_usage("no MOUNTPOINT given");
    return text_status(&command->fuse_options) == 0 && text_status(&command->helper_options) == 0
               ? PROGRAM_OK
               : PROGRAM_USAGE;
}

void command_explain_options(const struct command *command, const struct program *program)
{
    const char *list = command->fuse_options.bytes;

    while (*list != '\0') {
        size_t length = program_option_length(list);
        char *option = strndup(list, length);
        const char *near = option != NULL ? options_near(&program->options.common, option) : NULL;

        if (near != NULL)
            log_write(LOG_ERR, "-o %s: there is an option %s", option, near);
        free(option);
        list += length + (list[length] == ',');
    }
}

void command_clear(struct command *command)
{
    text_clear(&command->fuse_options);
    text_clear(&command->helper_options);
}

/* mount.fuse3. */

/*
 * mount.fuse3 is for administrators, and finds the file system in PATH by the name of its type: put
 * the folder of this program, and those of mount.fuse3, into PATH.
 */
static int search_here_first(void)
{
    const char *before = getenv("PATH");
    char folder[PATH_MAX], *path = NULL;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    int status;

    if (length <= 0)
        return -errno;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    if (asprintf(&path, "%s:%s%s/usr/local/sbin:/usr/sbin:/sbin", folder,
                 before != NULL ? before : "", before != NULL ? ":" : "") < 0)
        return -ENOMEM;
    status = setenv("PATH", path, 1) == 0 ? 0 : -errno;
    free(path);
    return status;
}

int command_become_helper(const char *dump, const char *directory, const char *options)
{
    const char *const arguments[] = {"mount.fuse3",    dump, directory, "-t",
                                     "fuse.gpudumpfs", "-o", options,   NULL};
    int status = search_here_first();

    if (status < 0)
        return status;
    execvp(arguments[0], (char *const *)arguments);
    return -errno;
}
