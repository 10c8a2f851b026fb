/*
 * gpudumpfs's command line, also as mount(8) and fstab give it. Main thread only.
 */
#ifndef GPUDUMPFS_COMMAND_H
#define GPUDUMPFS_COMMAND_H

#include "program.h"

struct command {
    const char *dump;
    bool folder;              /* `dump` is a folder of dumps */
    const char *directory;    /* NULL: not given */
    struct text fuse_options; /* libfuse's, as a string; empty: none */
    unsigned max_read;        /* 0: not given */
    bool foreground, debug, single;
    bool nonempty;      /* files in the mountpoint are not worth a word */
    bool list, unmount; /* instead of mounting; of `unmount`: */
    char **names;
    int name_count;
    bool helper;                /* called by mount(8), as mount.gpudumpfs */
    bool other_user;            /* drop_privileges or setuid= were given to it: helper.h … */
    struct text helper_options; /* … with all that stood behind -o */
};

/* Ends the program for -h and -V. Strings belong to argv. */
enum program_status command_parse(struct command *command, struct program *program, int argc,
                                  char **argv);
void command_clear(struct command *command);

#endif
