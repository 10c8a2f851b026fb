/* SPDX-License-Identifier: MIT */
/*
 * The conditions of `gpudump assert`: how they are written, and whether they hold for a dump. Main
 * thread only.
 */
#ifndef GPUDUMPFS_CLI_CONDITION_H
#define GPUDUMPFS_CLI_CONDITION_H

#include "base/sha256.h"
#include "tree/tree.h"

#include <jansson.h>

enum condition_kind {
    CONDITION_PIXEL,    /* X,Y=#rrggbb */
    CONDITION_IMAGE,    /* a PNG on disk */
    CONDITION_HASH,     /* SHA-256 of width and height, 32 bits each, low byte first, and of the RGB
                           pixels */
    CONDITION_DRAWS,    /* <N, <=N, =N, >=N or >N */
    CONDITION_PROBLEMS, /* there are none */
};

struct condition {
    enum condition_kind kind;
    bool has_frame; /* `frame` was given; otherwise the last frame with a picture */
    uint64_t frame;
    char *value;      /* as it was written; of an image its path */
    uint32_t x, y;    /* of CONDITION_PIXEL: the position */
    char colour[8];   /* of CONDITION_PIXEL: the colour as #rrggbb */
    char relation[3]; /* of CONDITION_DRAWS: <, <=, =, >= or > */
    uint64_t number;  /* of CONDITION_DRAWS: the number of draws to compare with */
};

/*
 * Zeroed at first. `folder`, with a slash at its end, precedes paths of images that are not
 * absolute; NULL: the current folder.
 */
struct condition_list {
    struct condition *list;
    size_t count, room;
    const char *folder;
    bool has_frame; /* for conditions that are added from now on */
    uint64_t frame;
    bool ends_in_frame; /* no condition was added after the last --frame */
};

/*
 * Adds the condition of an option, which is named without its dashes, and must be one of
 * condition_takes_value(). `frame` applies to the conditions after it. `value` is NULL if there is
 * none. Returns 0, -ENOMEM, or -EINVAL with a message.
 */
int condition_add(struct condition_list *conditions, const char *option, const char *value,
                  struct text *message);

/* Returns 0 if the list may end here, or -EINVAL with a message if a frame has no condition. */
int condition_end(const struct condition_list *conditions, struct text *message);
void condition_clear(struct condition_list *conditions);

/* Returns whether an option takes a value; -ENOENT if it is no condition. */
int condition_takes_value(const char *option);

/*
 * Judges each condition, and appends an object for it to `results`, as described in gpudump(1);
 * conditions about problems come last. Returns 0 or -ENOMEM. A condition that cannot be judged has
 * an error in its object.
 */
int condition_judge(const struct condition_list *conditions, struct tree *tree, json_t *results);

/*
 * Returns the path with `folder` before it, unless `folder` is NULL or the path is absolute. The
 * caller frees it. Returns NULL if there is no memory.
 */
char *condition_path(const char *folder, const char *path);

/*
 * Returns bytes of any origin as a JSON string, with unprintable ones made visible as in texts.
 * This is a new reference; NULL if there is no memory.
 */
json_t *condition_string(const char *bytes, size_t length);

#endif
