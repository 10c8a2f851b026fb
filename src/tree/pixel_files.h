/* SPDX-License-Identifier: MIT */
/*
 * X,Y.tsv: what happened to a pixel, as a table whose rows a format supplies; and X,Y.js: the same
 * as a call of gpudumpfsHistory() with the table as JSON, for pages that have no server. The files
 * are found by name, and are not listed (`unlisted` of struct rule). Pure functions, apart from the
 * format's rows; any thread.
 */
#ifndef GPUDUMPFS_TREE_PIXEL_FILES_H
#define GPUDUMPFS_TREE_PIXEL_FILES_H

#include "tree/rule.h"

/*
 * `bits` of struct rule_family. A member's key is the key of its directory, which is a frame, above
 * the pixel's line and column; both are below PICTURE_MAX.
 */
enum { PIXEL_FILES_BITS = 28 };

uint32_t pixel_files_column(uint64_t key);
uint32_t pixel_files_line(uint64_t key);
uint64_t pixel_files_frame(uint64_t key);

/* Functions of struct rule_family: `name` of both kinds, and `parse`. */
int pixel_files_name_tsv(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name);
int pixel_files_name_js(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name);
bool pixel_files_parse(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal);

/* `next`, for a picture of these sides: returns 0 or -ENOENT. */
int pixel_files_next(uint64_t from, uint32_t width, uint32_t height, uint64_t *ordinal);

struct pixel_column {
    const char *name;
    bool is_number; /* in decimal */
};

/* A format's table of what happened to a pixel. */
struct pixel_table {
    const char *place; /* what the script calls the pixel's position */
    const struct pixel_column *columns;
    unsigned column_count;
    /*
     * Appends the rows for the pixel of that key: as many cells as there are columns, none with
     * characters that JSON would have to escape; `-` stands for null. Returns 0 or -errno.
     */
    int (*rows)(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
};

/* `make` of struct rule, of both kinds. Return 0, -ENOMEM, -EFBIG, or an error of `rows`. */
int pixel_files_table_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                           const struct cancel *cancel, struct blob **out);
int pixel_files_script_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                            const struct cancel *cancel, struct blob **out);

#endif
