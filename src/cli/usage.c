/* SPDX-License-Identifier: MIT */
/*
 * What gpudump's help says of its commands: how each is typed, and what it does. Their flags stand
 * in another table (flags.c).
 */
#include "cli/gpudump.h"

#include <stdio.h>
#include <string.h>

struct form {
    const char *command, *line; /* behind the program's name */
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
    const char *commands, *text; /* lines after the first begin in its column */
};

static const struct purpose purposes[] = {
    {"info", "what the dump is"},
    {"ls, cat, cp",
     "the names in it, the contents of files, and copies of files and\n"
     "               folders; --parents makes the folders of each PATH in\n"
     "               DESTINATION. PATH begins at the dump's root; its wildcards *, ?\n"
     "               and [] are expanded here"},
    {"export", "copies the files of one folder, those numbered A to B, and goes\n"
               "               on where it was interrupted; with --dataset makes a data set of\n"
               "               dumps, and of folders of dumps: frames, draw-ids, depth, masks\n"
               "               and tables, or the PARTs of these; with --sqlite makes a\n"
               "               database of all their tables"},
    {"cut", "writes frames A to B as a dump of their own; FILE may be -, as\n"
            "               of cp, thumbnail and assemble: standard output"},
    {"diff", "tells where two dumps differ, with --frames in which frames, or\n"
             "               in which commands frames A and B do; FILE shows in which\n"
             "               pixels. --other-options are those of the second dump alone, so\n"
             "               that one dump is compared under two settings"},
    {"thumbnail", "writes the first frame on which something is to be seen, SIZE\n"
                  "               pixels wide or high"},
    {"assert", "tells which conditions do not hold in frame N, by default the\n"
               "               last with a picture: --pixel X,Y=#rrggbb, --image FILE, --hash\n"
               "               HASH, --draws '<N', and --no-problems. A line of a suite is\n"
               "               DUMP and its conditions, behind tabs; --dir judges each dump of\n"
               "               a folder"},
    {"disassemble", "prints the dump as a text that can be edited"},
    {"assemble", "makes a dump of such a text"},
    {"reduce", "leaves out of a dump what is not needed for its last picture,\n"
               "               or that of frame N, to have what KEEP says: --keep-pixel\n"
               "               X,Y=#rrggbb, --keep-hash HASH, --keep-differs OTHER, of which\n"
               "               the second FILE gets the rest; or for a command to end with 0,\n"
               "               which gets a dump as its last word or for {}: --keep COMMAND"},
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

/* Whether it is a word of a list with commas. */
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
