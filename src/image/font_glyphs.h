/*
 * The characters of the font, by Unicode: ASCII, Latin-1, Latin Extended-A, some
 * punctuation, and a box for all others. Letters with accents are made of a letter and a
 * mark, so that those in decomposed form look the same. Pure data and functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_FONT_GLYPHS_H
#define GPUDUMPFS_IMAGE_FONT_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 8,  /* the eighth row is below the base line */
    FONT_ADVANCE = 6, /* from one character to the next */
};

enum font_mark {
    FONT_NO_MARK,
    FONT_GRAVE,
    FONT_ACUTE,
    FONT_CIRCUMFLEX,
    FONT_TILDE,
    FONT_MACRON,
    FONT_BREVE,
    FONT_DOT,
    FONT_DIAERESIS,
    FONT_RING,
    FONT_DOUBLE_ACUTE,
    FONT_CARON,
    FONT_TURNED_COMMA,
    FONT_CEDILLA,
    FONT_OGONEK,
    FONT_MARKS
};

/* Five pixels a row: 16 is the leftmost. */
struct font_glyph {
    uint8_t rows[FONT_HEIGHT];
};

/* Whether a character stands on the one before it, in no cell of its own. */
bool font_is_combining(uint32_t point);

/* The mark that such a character is; FONT_NO_MARK: one that is not drawn. */
enum font_mark font_find_mark(uint32_t point);

/* A character with a mark on it. One that has a mark already keeps its own. */
void font_find_glyph(uint32_t point, enum font_mark mark, struct font_glyph *out);

#endif
