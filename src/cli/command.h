/* SPDX-License-Identifier: MIT */
/* The command line of gpudumpfs(1), also as mount(8) and fstab give it. Main thread. */
#ifndef GPUDUMPFS_CLI_COMMAND_H
#define GPUDUMPFS_CLI_COMMAND_H

#include "cli/program.h"

struct command {
    const char *dump;
    bool folder;              /* `dump` is a folder of dumps */
    bool compare;             /* two dumps are compared … */
    const char *other;        /* … and this is the second */
    const char *directory;    /* NULL: not given */
    struct text fuse_options; /* libfuse's, as a string; empty: none */
    unsigned max_read;        /* 0: not given */
    bool foreground, debug, single;
    bool nonempty;      /* files in the mountpoint are not worth a word */
    bool list, unmount; /* instead of mounting; of `unmount`: */
    char **names;
    int name_count;
    bool helper;                /* called by mount(8), as mount.gpudumpfs */
    bool other_user;            /* drop_privileges or setuid= were given to it … */
    struct text helper_options; /* … with all that stood behind -o */
};

/* Ends the program for -h and -V. Strings belong to argv. */
enum program_status command_parse(struct command *command, struct program *program, int argc,
                                  char **argv);
void command_clear(struct command *command);

/* After libfuse has refused its options: tells which of ours they may have been meant for. */
void command_explain_options(const struct command *command, const struct program *program);

/*
 * Becomes mount.fuse3(8), which gives away privileges or becomes another user before it runs a file
 * system: it does so for `mount -t fuse.gpudumpfs`, and as mount.gpudumpfs the program hands itself
 * over to it, before anything else was made. With that dump, mountpoint and list of options, which
 * runs this program again. Returns only if that fails: -errno; -ENOENT: it is not installed.
 */
int command_become_helper(const char *dump, const char *directory, const char *options);

#endif
