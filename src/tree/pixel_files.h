/* SPDX-License-Identifier: MIT */
/*
 * X,Y.tsv: what happened to a pixel, as a table that a format fills, and X,Y.js: the same for
 * pages that have no server, a call of gpudumpfsHistory() with the table as JSON. Their names are
 * found, and not listed (struct rule's `unlisted`). Pure functions but for what a format's rows
 * need; any thread.
 */
#ifndef GPUDUMPFS_TREE_PIXEL_FILES_H
#define GPUDUMPFS_TREE_PIXEL_FILES_H

#include "tree/rule.h"

/*
 * struct rule_family's `bits`. A member's key is its directory's, which is a frame, above line
 * and column; both are below PICTURE_MAX.
 */
enum { PIXEL_FILES_BITS = 28 };

uint32_t pixel_files_column(uint64_t key);
uint32_t pixel_files_line(uint64_t key);
uint64_t pixel_files_frame(uint64_t key);

/* Of struct rule_family: `name` of both kinds, and `parse`. */
int pixel_files_name_tsv(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name);
int pixel_files_name_js(struct dump *dump, uint64_t frame, uint64_t ordinal, char *name);
bool pixel_files_parse(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal);

/* `next`, once it is known how large what the pixels are of is: 0 or -ENOENT. */
int pixel_files_next(uint64_t from, uint32_t width, uint32_t height, uint64_t *ordinal);

struct pixel_column {
    const char *name;
    bool is_number; /* decimal */
};

/* A format's table of what happened to pixels. */
struct pixel_table {
    const char *place; /* the script's word for column and line */
    const struct pixel_column *columns;
    unsigned column_count;
    /*
     * Appends the rows of the key's pixel: as many cells as columns, none with what JSON would
     * have to escape; `-` is none. 0 or a negative errno.
     */
    int (*rows)(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
};

/* struct rule's `make` of both kinds. 0, -ENOMEM, -EFBIG, or what `rows` says. */
int pixel_files_table_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                           const struct cancel *cancel, struct blob **out);
int pixel_files_script_make(const struct pixel_table *table, struct dump *dump, uint64_t key,
                            const struct cancel *cancel, struct blob **out);

#endif
