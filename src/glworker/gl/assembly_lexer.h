/* SPDX-License-Identifier: MIT */
/*
 * Splits the text of an ARB program into tokens: words of letters and digits, and single other
 * characters, separated by blanks and comments. Pure functions of a zero-terminated text. *at is
 * the position in the text, and moves past what is taken.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_LEXER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text. */
struct retrace_token {
    const char *begin;
    size_t length; /* 0 at the end of the text */
};

struct retrace_token retrace_token_next(const char **at);
bool retrace_token_is(struct retrace_token token, const char *word);

/* Takes the next token if it is `word`. Otherwise takes nothing and returns false. */
bool retrace_token_take(const char **at, const char *word);
/* Takes a point and `word`, or nothing. */
bool retrace_token_take_member(const char **at, const char *word);
/*
 * Takes a natural number of about six digits at most. Otherwise sets *number to 0 and takes
 * nothing.
 */
bool retrace_token_take_number(const char **at, uint32_t *number);
/*
 * Takes `[3]` or `[0..3]`, where the last number must not be less than the first, or takes nothing.
 */
bool retrace_token_take_range(const char **at, uint32_t *first, uint32_t *last);
/* Takes an unsigned number, with or without a point or an exponent, or takes nothing. */
bool retrace_token_take_real(const char **at, float *number);

#endif
