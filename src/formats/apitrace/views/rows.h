/*
 * What listings share: pieces of so many rows, and cells of a row. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_ROWS_H
#define GPUDUMPFS_APITRACE_VIEWS_ROWS_H

#include "formats/apitrace/dump.h"

/* Declarations of the functions of struct dump_listing. */
#define APITRACE_HEAD(name) int name(struct dump *dump, uint64_t key, struct text *text)
#define APITRACE_PIECES(name)                                                                      \
    int name(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *pieces)
#define APITRACE_PIECE(name)                                                                       \
    int name(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,         \
             struct text *text)

enum {
    APITRACE_PIECE_ROWS = 1024, /* of tables */
    APITRACE_PIECE_CALLS = 512, /* of texts, whose calls may be long */
};

static inline int apitrace_count_pieces(uint64_t count, uint64_t in_piece, uint64_t *pieces)
{
    *pieces = (count + in_piece - 1) / in_piece;
    return 0;
}

/* The end of a piece, of `count` in all. */
static inline uint64_t apitrace_piece_end(uint64_t piece, uint64_t in_piece, uint64_t count)
{
    uint64_t left = count - piece * in_piece;

    return piece * in_piece + (left < in_piece ? left : in_piece);
}

/* A number behind a tab, or `-` for UINT64_MAX: what is not there. */
static inline void apitrace_cell_optional(struct text *text, uint64_t number)
{
    text_cell_or_none(text, number != UINT64_MAX, number);
}

/* The name of a function behind a tab; NULL: `-`. */
static inline void apitrace_cell_function(struct text *text,
                                          const struct apitrace_function *function)
{
    if (function == NULL)
        text_add(text, "\t-");
    else
        text_cell_escaped(text, function->name.bytes, function->name.shown);
}

#endif
