/* SPDX-License-Identifier: MIT */
/*
 * Words of the texts of ARB programs: of letters and digits, and single other characters; blanks
 * and comments part them. Pure functions of a text that a zero ends: *at is where it is read, and
 * moves behind what is taken.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_LEXER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of the text. */
struct retrace_token {
    const char *begin;
    size_t length; /* 0: the text is at its end */
};

struct retrace_token retrace_token_next(const char **at);
bool retrace_token_is(struct retrace_token token, const char *word);

/* What comes next, if it is that; else nothing is taken. */
bool retrace_token_take(const char **at, const char *word);
/* A point and that word, the same way. */
bool retrace_token_take_member(const char **at, const char *word);
/* A natural number, of some six digits; else *number is 0, and nothing is taken. */
bool retrace_token_take_number(const char **at, uint32_t *number);
/* `[3]` or `[0..3]`, where the last one is not before the first; else nothing is taken. */
bool retrace_token_take_range(const char **at, uint32_t *first, uint32_t *last);
/* A number with a point or an exponent, or without, and with no sign; else nothing is taken. */
bool retrace_token_take_real(const char **at, float *number);

#endif
