/* SPDX-License-Identifier: MIT */
/*
 * One line of a dump's text (docs/psx-assembly.md): its words, numbers and operands, with the
 * column of what is wrong. Pure functions over bytes of any origin; one thread per line.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_SCAN_H
#define GPUDUMPFS_PSX_ASSEMBLY_SCAN_H

#include "formats/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct psx_scan {
    const char *line; /* not terminated */
    size_t length, at;
    struct format_text_error *error; /* its column and message are set */
};

/* What stands between blanks, or a part of it. */
struct psx_token {
    const char *bytes;
    size_t length;
    size_t at; /* in the line */
};

/* The next token; false at the line's end or at a comment. */
bool psx_scan_token(struct psx_scan *scan, struct psx_token *token);

/* Tells what is wrong at that byte of the line. Returns -EINVAL. */
int psx_scan_fail(const struct psx_scan *scan, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* 0 at the line's end; else -EINVAL, told. */
int psx_scan_end(struct psx_scan *scan);

bool psx_token_is(const struct psx_token *token, const char *word);

/* The part before the first `separator`, which is cut off; the whole without one. */
bool psx_token_cut(struct psx_token *rest, char separator, struct psx_token *part);

/* A whole token: decimal or 0x, with a sign; hexadecimal with or without 0x, of so many digits. */
bool psx_token_number(const struct psx_token *token, int64_t *value);
bool psx_token_hex(const struct psx_token *token, unsigned max_digits, uint32_t *value);

/* For messages: `%.*s` of it, as far as it is fit for them. */
#define PSX_TOKEN(token) (int)((token)->length < 32 ? (token)->length : 32), (token)->bytes

enum { PSX_OPERANDS_MAX = 16 };

struct psx_operand {
    struct psx_token key, value;
    bool taken;
};

/* The operands of one statement, `key=value` each. */
struct psx_operands {
    struct psx_scan *scan;
    struct psx_token name; /* of the statement */
    struct psx_operand list[PSX_OPERANDS_MAX];
    unsigned count;
};

/* All that is left of the line. 0 or -EINVAL, told. */
int psx_operands_read(struct psx_scan *scan, const struct psx_token *name,
                      struct psx_operands *out);

/* Takes an operand; NULL: it is not there. */
const struct psx_operand *psx_operands_take(struct psx_operands *operands, const char *key);

/* The same of one that has to be there: 0 or -EINVAL, told. */
int psx_operands_need(struct psx_operands *operands, const char *key,
                      const struct psx_operand **out);

/* 0, or -EINVAL, told, where an operand was not taken. */
int psx_operands_end(const struct psx_operands *operands);

/* A number from `min` to `max` in `part`, which is one of the operand's. 0 or -EINVAL, told. */
int psx_operand_number(const struct psx_operands *operands, const struct psx_operand *operand,
                       const struct psx_token *part, int64_t min, int64_t max, int64_t *value);

#endif
