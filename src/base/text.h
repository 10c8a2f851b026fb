/* SPDX-License-Identifier: MIT */
/*
 * A growing text; all listings are built with it. The first failure (no memory, or more than the
 * limit) sticks, and text_status() or text_blob() returns it, so that callers can append without
 * checking each call. Not shared among threads.
 */
#ifndef GPUDUMPFS_BASE_TEXT_H
#define GPUDUMPFS_BASE_TEXT_H

#include "base/blob.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes; /* `length` bytes, not NUL-terminated */
    size_t length;
    size_t room;
    size_t limit; /* maximum length, beyond which the text fails with -EFBIG; 0 means no limit */
    int status;   /* 0, or the errno of the first failure, negative */
};

#define TEXT_INIT                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

void text_clear(struct text *text); /* frees the bytes, keeps the limit; usable again */
void text_reset(struct text *text); /* keeps the memory; length 0, no failure */

/*
 * Announces that about `more` bytes will be added, and allocates them at once if possible. Without
 * memory for them, or beyond the allowance, it does nothing.
 */
void text_expect(struct text *text, size_t more);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_char(struct text *text, char c);
/* Appends `length` bytes with unspecified contents, for when only the length matters. */
void text_add_unwritten(struct text *text, size_t length);
/* Appends another text. If that one has failed, this one fails too. */
void text_add_text(struct text *text, const struct text *more);
void text_add_le32(struct text *text, uint32_t value); /* four bytes, little-endian */
void text_add_u64(struct text *text, uint64_t value);
void text_add_i64(struct text *text, int64_t value);
/* Appends a number in decimal, with zeros to at least `digits` digits. */
void text_add_padded(struct text *text, uint64_t value, unsigned digits);
/* Appends a number in upper-case hexadecimal without 0x, with zeros to at least `digits` digits. */
void text_add_hex(struct text *text, uint64_t value, unsigned digits);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/*
 * Appends untrusted bytes in a form that fits one field of one line. Valid printable UTF-8 is kept;
 * a backslash becomes \\ and a tab \t; everything else (control characters, newlines, marks of
 * writing direction, invalid UTF-8) becomes \xNN. No information is lost.
 */
void text_add_escaped(struct text *text, const void *bytes, size_t length);

/* Returns how many bytes text_add_escaped() would append. */
size_t text_escaped_length(const void *bytes, size_t length);

/*
 * The same, but keeps the backslash: for text that another program has already formatted. The
 * escapes cannot be distinguished from literal text.
 */
void text_add_visible(struct text *text, const void *bytes, size_t length);

/*
 * Appends a JSON value unchanged, except that characters in its strings that disturb a terminal or
 * are invisible become \uXXXX. Does not check the syntax.
 */
void text_add_json(struct text *text, const char *json, size_t length);

/* Appends a tab and a cell of a table with a number. */
void text_cell(struct text *text, uint64_t value);

/* Appends a tab and a cell with a word, which needs no escapes. */
void text_cell_word(struct text *text, const char *word);

/* Appends a tab and a cell with a number if that is known, otherwise with `-`. */
void text_cell_or_none(struct text *text, bool known, uint64_t value);

/*
 * Ends a cell of untrusted bytes that was appended, escaped, from offset `begin` to the end of the
 * text. An empty cell becomes `-`. A first character that a cell must not begin with becomes \xNN:
 * readers of tables take a quotation mark for the beginning of a quoted cell, and spreadsheets take
 * = + - @ for the beginning of a formula.
 */
void text_end_cell(struct text *text, size_t begin);
/* Returns whether a cell must not begin with this character. */
bool text_cell_begins_badly(char first);

/* Appends a tab and a cell of untrusted bytes, as text_end_cell() leaves it. */
void text_cell_escaped(struct text *text, const void *bytes, size_t length);

/* Appends `key: value\n`. The value is given in printf's format. */
void text_field(struct text *text, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns how many bytes the first `count` fields of a line take, each with the blank after it;
 * `length` if there are fewer fields. A pure function of any bytes.
 */
size_t text_skip_fields(const char *line, size_t length, unsigned count);

/* Makes the text fail with `status`, a negative errno, unless it has failed before. */
void text_fail(struct text *text, int status);

/* Returns 0, or the failure that has stuck. */
int text_status(const struct text *text);

/*
 * The maximum length of each text that the calling thread writes, in force until another allowance
 * replaces it. Set by the caller of a function that writes texts, which also restores the previous
 * one.
 */
struct text_allowance {
    size_t max;    /* bytes; 0 means no limit */
    bool exceeded; /* a text was about to exceed `max`, and has failed with -EFBIG */
};

/* Puts an allowance into force; NULL means no limit. Returns the previous one. */
struct text_allowance *text_allow(struct text_allowance *allowance);

/*
 * Turns the text into a blob, and clears the text even if this fails. Returns 0, the text's
 * failure, or -ENOMEM.
 */
int text_blob(struct text *text, struct blob **out);

#endif
