/* SPDX-License-Identifier: MIT */
/*
 * What `gpudump assert` asks of a dump: conditions, how they are written, and whether they hold.
 * Main thread only.
 */
#ifndef GPUDUMPFS_CLI_CONDITION_H
#define GPUDUMPFS_CLI_CONDITION_H

#include "base/sha256.h"
#include "tree/tree.h"

#include <jansson.h>

enum condition_kind {
    CONDITION_PIXEL,    /* X,Y=#rrggbb */
    CONDITION_IMAGE,    /* a PNG on disk */
    CONDITION_HASH,     /* SHA-256 of width and height, 32 bits each from the low byte, and RGB */
    CONDITION_DRAWS,    /* <N, <=N, =N, >=N or >N */
    CONDITION_PROBLEMS, /* none */
};

struct condition {
    enum condition_kind kind;
    bool has_frame; /* else the last one with a picture */
    uint64_t frame;
    char *value;   /* as it was written; an image's path */
    uint32_t x, y; /* of a pixel … */
    char colour[8];
    char relation[3]; /* of draws … */
    uint64_t number;
};

/* Zeroed at first; `folder` is where images are that have no path from the root; NULL: here. */
struct condition_list {
    struct condition *list;
    size_t count, room;
    const char *folder;
    bool has_frame; /* of those that are added from now on */
    uint64_t frame;
    bool ends_in_frame; /* behind which none was added */
};

/*
 * Adds the condition that an option is, by its name without dashes; `frame` counts for those
 * behind it. `value`: NULL if there is none. 0, -ENOMEM, or -EINVAL and a message.
 */
int condition_add(struct condition_list *conditions, const char *option, const char *value,
                  struct text *message);

/* Whether the list may end here: 0, or -EINVAL and a message, for a frame without a condition. */
int condition_end(const struct condition_list *conditions, struct text *message);
void condition_clear(struct condition_list *conditions);

/* Whether an option takes a value; -ENOENT: it is no condition. */
int condition_takes_value(const char *option);

/*
 * Appends an object for each condition, as gpudump(1) has them, those of problems last. -ENOMEM,
 * or 0: what cannot be judged is told there.
 */
int condition_judge(const struct condition_list *conditions, struct tree *tree, json_t *results);

/* A path with what stands before it, if it does not begin at the root; for free(). NULL: ENOMEM. */
char *condition_path(const char *folder, const char *path);

/* Bytes of any origin, made visible as in texts. NULL: no memory. */
json_t *condition_string(const char *bytes, size_t length);

#endif
