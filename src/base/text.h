/* SPDX-License-Identifier: MIT */
/*
 * A growing text: all listings are built with it. The first failure (memory, or
 * more than the limit) sticks and is reported by text_status() or text_blob(),
 * so that callers append without checking each call. Not shared among threads.
 */
#ifndef GPUDUMPFS_BASE_TEXT_H
#define GPUDUMPFS_BASE_TEXT_H

#include "base/blob.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes; /* length bytes, not terminated */
    size_t length;
    size_t room;
    size_t limit; /* longest allowed, beyond it -EFBIG; 0: no limit */
    int status;   /* 0 or the first negative errno */
};

#define TEXT_INIT                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

void text_clear(struct text *text); /* frees everything, keeps the limit; usable again */
void text_reset(struct text *text); /* keeps the memory, length 0, status 0 */

/* So many bytes will be added, about: their memory is had at once, as far as there is any. */
void text_expect(struct text *text, size_t more);

void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_char(struct text *text, char c);
/* Bytes of which only the number is of interest: what they are is not set. */
void text_add_unwritten(struct text *text, size_t length);
/* All of another one; with one that has failed this one fails too. */
void text_add_text(struct text *text, const struct text *more);
void text_add_le32(struct text *text, uint32_t value); /* four bytes, little-endian */
void text_add_u64(struct text *text, uint64_t value);
void text_add_i64(struct text *text, int64_t value);
/* Decimal, at least `digits` wide, filled with zeros. */
void text_add_padded(struct text *text, uint64_t value, unsigned digits);
/* Upper-case hexadecimal without 0x, at least `digits` wide, filled with zeros. */
void text_add_hex(struct text *text, uint64_t value, unsigned digits);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/*
 * Untrusted bytes made fit for one field of one line: valid printable UTF-8 is
 * kept, the backslash becomes \\ and the tab \t, everything else (control characters,
 * newlines, marks of writing direction, bad UTF-8) \xNN. Nothing is lost.
 */
void text_add_escaped(struct text *text, const void *bytes, size_t length);
size_t text_escaped_length(const void *bytes, size_t length); /* of what it adds */

/*
 * The same, but for the backslash, which stays: for texts of which another program has said how
 * they look. It cannot be told what was escaped.
 */
void text_add_visible(struct text *text, const void *bytes, size_t length);

/*
 * A value of JSON as it is, but that in its strings characters that disturb a terminal, or are
 * not seen, become \uXXXX; what JSON forbids is not looked for.
 */
void text_add_json(struct text *text, const char *json, size_t length);

/* A cell of a table, behind a tab: a number, a word, a number or `-`. */
void text_cell(struct text *text, uint64_t value);
void text_cell_word(struct text *text, const char *word);
void text_cell_or_none(struct text *text, bool known, uint64_t value);

/*
 * Ends a cell of untrusted bytes, which stands escaped from `begin` on to the text's end.
 * Empty it becomes `-`. Of some characters it must not begin with, which become \xNN there:
 * readers of tables take a quotation mark for the beginning of a quoted cell, and spreadsheets
 * = + - @ for that of a formula.
 */
void text_end_cell(struct text *text, size_t begin);
bool text_cell_begins_badly(char first);

/* Such a cell, behind a tab. */
void text_cell_escaped(struct text *text, const void *bytes, size_t length);

/* `key: value\n`, with %-format for the value. */
void text_field(struct text *text, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * How many bytes of a line its first `count` fields take, each with the blank behind it; all of
 * it where there are fewer. A pure function of any bytes.
 */
size_t text_skip_fields(const char *line, size_t length, unsigned count);

/* Makes the text fail with a negative errno of the caller's, unless it has failed before. */
void text_fail(struct text *text, int status);

int text_status(const struct text *text);

/*
 * How long each text of the calling thread may become, until another allowance is put in its
 * place. The caller of a function that writes texts sets it, and takes it back.
 */
struct text_allowance {
    size_t max;    /* bytes; 0: no limit */
    bool exceeded; /* a text was to become longer: it has failed with -EFBIG */
};

/* NULL: no limit. Returns what was in force. */
struct text_allowance *text_allow(struct text_allowance *allowance);

/* Hands the bytes over as a blob and clears the text, also on failure. 0 or the sticky errno. */
int text_blob(struct text *text, struct blob **out);

#endif
