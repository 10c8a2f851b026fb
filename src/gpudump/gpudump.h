/*
 * gpudump's commands, over a tree that has no threads, or of which one file after the
 * other is read: each is run by the main thread, which also produces what it reads and
 * what no other thread has begun; a dump's work in the background goes on beside it then. Errors
 * are told to the log, and what can be done is done.
 */
#ifndef GPUDUMPFS_GPUDUMP_GPUDUMP_H
#define GPUDUMPFS_GPUDUMP_GPUDUMP_H

#include "gpudump/paths.h"
#include "program.h"

struct gpudump {
    struct program program;
    bool details, deep;  /* ls -l, -R */
    bool parents;        /* cp --parents */
    bool attributes;     /* ls -x */
    const char *picture; /* --picture: where diff writes it; NULL: nowhere */
    const char *range;   /* export --range; NULL: everything */
    unsigned jobs;       /* export -j; 0: as many as there are threads */
    unsigned size;       /* thumbnail -s: pixels of the larger side; 0: the usual ones */
    char **paths;        /* what follows DUMP */
    int path_count;
    bool failed;
};

enum program_status gpudump_diff(struct gpudump *gpudump);
enum program_status gpudump_export(struct gpudump *gpudump);
enum program_status gpudump_info(struct gpudump *gpudump);
enum program_status gpudump_ls(struct gpudump *gpudump);
enum program_status gpudump_thumbnail(struct gpudump *gpudump);
enum program_status gpudump_cat(struct gpudump *gpudump);
enum program_status gpudump_cp(struct gpudump *gpudump);

/* Tells what failed, and remembers that something did. */
void gpudump_tell(struct gpudump *gpudump, const char *path, int status);

/* PROGRAM_OK, or PROGRAM_USAGE if something failed. */
enum program_status gpudump_outcome(const struct gpudump *gpudump);

/* The first `count` paths, wildcards expanded. */
void gpudump_each_path(struct gpudump *gpudump, int count, paths_found found, void *context);

#endif
