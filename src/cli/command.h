/* SPDX-License-Identifier: MIT */
/* The command line of gpudumpfs(1), and of its calls by mount(8) and fstab. Main thread. */
#ifndef GPUDUMPFS_CLI_COMMAND_H
#define GPUDUMPFS_CLI_COMMAND_H

#include "cli/program.h"

struct command {
    const char *dump;
    bool folder;              /* `dump` is a folder of dumps */
    bool compare;             /* two dumps are compared */
    const char *other;        /* the second dump, if `compare` */
    const char *directory;    /* NULL: not given */
    struct text fuse_options; /* options for libfuse, as a string; empty: none */
    unsigned max_read;        /* 0: not given */
    bool foreground, debug, single;
    bool nonempty;      /* do not warn about files in the mountpoint */
    bool list, unmount; /* requested instead of a mount; for `unmount`: */
    char **names;
    int name_count;
    bool helper;                /* called by mount(8), as mount.gpudumpfs */
    bool other_user;            /* drop_privileges or setuid= were given */
    struct text helper_options; /* all options after -o, if called as a helper */
};

/*
 * Parses the command line. Exits for -h and -V. Strings in *command belong to argv. Returns
 * PROGRAM_OK, or PROGRAM_USAGE, which is logged.
 */
enum program_status command_parse(struct command *command, struct program *program, int argc,
                                  char **argv);
void command_clear(struct command *command);

/* Call it after libfuse has refused its options: logs which of our options may have been meant. */
void command_explain_options(const struct command *command, const struct program *program);

/*
 * Replaces this process by mount.fuse3(8), which drops privileges or becomes another user, and then
 * runs this program again with the given dump, mountpoint and options. For the type fuse.gpudumpfs,
 * mount(8) calls mount.fuse3 itself; the program called as mount.gpudumpfs does so here, before
 * anything else is made. Returns -errno only if that fails; -ENOENT if mount.fuse3 is not
 * installed.
 */
int command_become_helper(const char *dump, const char *directory, const char *options);

#endif
