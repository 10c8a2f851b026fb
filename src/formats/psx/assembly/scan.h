/* SPDX-License-Identifier: MIT */
/*
 * One line of a dump's text (docs/psx-assembly.md): its words, numbers and operands, and the column
 * of a mistake. Pure functions that accept any bytes; one thread per line.
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
    struct format_text_error *error; /* where a mistake's column and message are stored */
};

/* What is between blanks, or a part of that. */
struct psx_token {
    const char *bytes;
    size_t length;
    size_t at; /* offset in the line */
};

/* Gets the next token. Returns false at the line's end or at a comment. */
bool psx_scan_token(struct psx_scan *scan, struct psx_token *token);

/* Stores the message and the column of a mistake at byte `at` of the line. Returns -EINVAL. */
int psx_scan_fail(const struct psx_scan *scan, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns 0 at the line's end. Otherwise reports the next token as a mistake and returns -EINVAL.
 */
int psx_scan_end(struct psx_scan *scan);

/* Returns whether the token is exactly this word. */
bool psx_token_is(const struct psx_token *token, const char *word);

/*
 * Cuts the part before the first `separator` off `rest`, together with the separator, and returns
 * true. Without a separator `part` is all of `rest`, and the result is false.
 */
bool psx_token_cut(struct psx_token *rest, char separator, struct psx_token *part);

/*
 * Parses a complete token as a number, decimal or 0x…, with an optional minus sign. Returns false
 * if it is none.
 */
bool psx_token_number(const struct psx_token *token, int64_t *value);

/*
 * Parses a complete token as up to `max_digits` hexadecimal digits, with or without 0x. Returns
 * false if it is none.
 */
bool psx_token_hex(const struct psx_token *token, unsigned max_digits, uint32_t *value);

/* Arguments for `%.*s` in messages: at most the first 32 bytes of the token. */
#define PSX_TOKEN(token) (int)((token)->length < 32 ? (token)->length : 32), (token)->bytes

enum { PSX_OPERANDS_MAX = 16 };

struct psx_operand {
    struct psx_token key, value;
    bool taken;
};

/* The operands of one statement, each of them `key=value`. */
struct psx_operands {
    struct psx_scan *scan;
    struct psx_token name; /* of the statement */
    struct psx_operand list[PSX_OPERANDS_MAX];
    unsigned count;
};

/* Reads the rest of the line as operands. Returns 0, or -EINVAL after reporting a mistake. */
int psx_operands_read(struct psx_scan *scan, const struct psx_token *name,
                      struct psx_operands *out);

/* Takes an operand. Returns NULL if the statement does not have it. */
const struct psx_operand *psx_operands_take(struct psx_operands *operands, const char *key);

/*
 * The same for an operand that is required. Returns 0, or -EINVAL after reporting that it is
 * missing.
 */
int psx_operands_need(struct psx_operands *operands, const char *key,
                      const struct psx_operand **out);

/* Returns 0 if all operands have been taken, or -EINVAL after reporting the first that has not. */
int psx_operands_end(const struct psx_operands *operands);

/*
 * Parses `part`, a part of the operand, as a number from `min` to `max`. Returns 0, or -EINVAL
 * after reporting a mistake.
 */
int psx_operand_number(const struct psx_operands *operands, const struct psx_operand *operand,
                       const struct psx_token *part, int64_t min, int64_t max, int64_t *value);

/* The same for an operand that is a number from 0 to `max`, which may have all 64 bits. */
int psx_operand_unsigned(const struct psx_operands *operands, const struct psx_operand *operand,
                         uint64_t max, uint64_t *value);

#endif
