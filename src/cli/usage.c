/* SPDX-License-Identifier: MIT */
/*
 * The commands in gpudump's help: how each one is typed, and what it does. Their flags are in
 * another table (flags.c).
 */
#include "cli/gpudump.h"

#include <stdio.h>
#include <string.h>

struct form {
    const char *command, *line; /* `line`: after the program's name */
};

static const struct form forms[] = {
    {"info", "info [options] DUMP"},
    {"ls", "ls [options] [-l] [-R] [-x] DUMP [PATH...]"},
    {"cat", "cat [options] DUMP PATH..."},
    {"cp", "cp [options] [--parents] DUMP PATH... DESTINATION"},
    {"export", "export [options] [-j JOBS] [--range A-B] DUMP FOLDER DESTINATION"},
    {"export", "export [options] [-j JOBS] [--range A-B] [--parts PART[,PART...]]\n"
               "                    --dataset FOLDER DUMP..."},
    {"export", "export [options] --sqlite FILE DUMP..."},
    {"cut", "cut [options] [--range A-B] DUMP [-o] FILE"},
    {"diff", "diff [options] [--picture FILE] [--frames] [--json]\n"
             "                    [--other-options OPTION[,OPTION...]] DUMP DUMP"},
    {"diff", "diff [options] [--picture FILE] DUMP A B"},
    {"thumbnail", "thumbnail [options] [-s SIZE] DUMP FILE"},
    {"assert", "assert [options] [--json] [--frame N] CONDITION... DUMP"},
    {"assert", "assert [options] [--json] [-j JOBS] [--junit FILE] --suite FILE"},
    {"assert", "assert [options] [--json] [-j JOBS] [--junit FILE] [--frame N]\n"
               "                    --dir FOLDER CONDITION..."},
    {"disassemble", "disassemble [options] DUMP"},
    {"assemble", "assemble [options] TEXT [-o] DUMP"},
    {"reduce", "reduce [options] [--last-frame N] KEEP... DUMP [-o] FILE [FILE]"},
};

struct purpose {
    const char *commands, *text; /* lines after the first are indented to its column */
};

static const struct purpose purposes[] = {
    {"info", "prints metadata.txt"},
    {"ls, cat, cp",
     "list names, print files, and copy files and folders; --parents\n"
     "               creates the folders of each PATH in DESTINATION. PATH begins at\n"
     "               the dump's root; gpudump expands its wildcards *, ? and []"},
    {"export", "copies the files of one folder, or those numbered A to B, and\n"
               "               resumes an interrupted copy; with --dataset creates a data set\n"
               "               of dumps and folders of dumps: frames, draw-ids, depth, masks\n"
               "               and tables, or only the PARTs; with --sqlite creates a database\n"
               "               of all their tables"},
    {"cut", "writes frames A to B as a dump of their own; FILE may be - for\n"
            "               standard output, as in cp, thumbnail and assemble"},
    {"diff", "prints where two dumps differ, with --frames each frame that\n"
             "               differs, or how the commands of frames A and B differ; FILE\n"
             "               shows the pixels that differ. --other-options apply to the\n"
             "               second dump only, to compare a dump under two settings"},
    {"thumbnail", "writes the first frame that shows anything, SIZE pixels wide or\n"
                  "               high"},
    {"assert", "prints the conditions that do not hold in frame N, by default\n"
               "               the last one with a picture: --pixel X,Y=#rrggbb, --image FILE,\n"
               "               --hash HASH, --draws '<N', and --no-problems. A line of a suite\n"
               "               is DUMP and its conditions, separated by tabs; --dir checks each\n"
               "               dump of a folder"},
    {"disassemble", "prints the dump as a text that can be edited"},
    {"assemble", "creates a dump from such a text"},
    {"reduce", "makes a dump as small as possible while KEEP still holds for its\n"
               "               last picture, or that of frame N: --keep-pixel X,Y=#rrggbb,\n"
               "               --keep-hash HASH, --keep-differs OTHER, whose reduced dump goes\n"
               "               to the second FILE; or while a command exits with 0, which gets\n"
               "               the dump as {} or as its last word: --keep COMMAND"},
};

void usage_print_forms(const char *command)
{
    const char *before = "usage:";

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (command != NULL && strcmp(forms[i].command, command) != 0)
            continue;
        printf("%-6s gpudump %s\n", before, forms[i].line);
        before = "";
    }
    putchar('\n');
}

/* Returns whether the command is a word of a list that is separated by commas. */
static bool is_named(const char *list, const char *command)
{
    size_t length = strlen(command);

    for (const char *at = list; at != NULL; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        if (strcspn(at, ",") == length && strncmp(at, command, length) == 0)
            return true;
    }
    return false;
}

void usage_print_purposes(const char *command)
{
    for (size_t i = 0; i < sizeof(purposes) / sizeof(purposes[0]); i++)
        if (command == NULL || is_named(purposes[i].commands, command))
            printf("  %-11s  %s\n", purposes[i].commands, purposes[i].text);
    putchar('\n');
}
