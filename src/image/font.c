/* SPDX-License-Identifier: MIT */
/*
 * Glyphs for Unicode characters: ASCII, Latin-1, Latin Extended-A, some punctuation, and a box for
 * all others. Accented letters are composed of a letter and a mark, so that decomposed forms look
 * the same.
 */
#include "image/canvas.h"

#include "base/utf8.h"

#include <stdbool.h>

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

/* Five pixels per row; 16 is the leftmost. */
struct font_glyph {
    uint8_t rows[FONT_HEIGHT];
};

enum {
    FIRST = ' ',
    GLYPHS = 95,
    GLYPHS_A_ROW = 12,
    CELL = FONT_WIDTH + 1,
    MARK_ROWS = 2, /* above lower-case letters and small capitals */
    SMALL_ROWS = FONT_HEIGHT - 1 - MARK_ROWS,
    DOTLESS_I = 0x0131,
    DOTLESS_J = 0x0237,
    BOX = 0xFFFD,
};

/* Twelve characters next to each other, eight lines each, drawn as they look. */
static const char *const art[] = {
    /*    !  "  #  $  %  &  '  (  )  *  + */
    "..... ..#.. .#.#. .#.#. ..#.. ##... .##.. ..#.. ...#. .#... ..... .....",
    "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#..",
    "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#..",
    "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. #####",
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#..",
    "..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#..",
    "..... ..#.. ..... .#.#. ..#.. ...## .##.# ..... ...#. .#... ..... .....",
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* ,  -  .  /  0  1  2  3  4  5  6  7 */
    "..... ..... ..... ....# .###. ..#.. .###. ##### ...#. ##### ..##. #####",
    "..... ..... ..... ....# #...# .##.. #...# ...#. ..##. #.... .#... ....#",
    "..... ..... ..... ...#. #..## #.#.. ....# ..#.. .#.#. ####. #.... ...#.",
    "..... ##### ..... ..#.. #.#.# ..#.. ..##. ...#. #..#. ....# ####. ..#..",
    "..... ..... ..... .#... ##..# ..#.. .#... ....# ##### ....# #...# ..#..",
    "..##. ..... .##.. #.... #...# ..#.. #.... #...# ...#. #...# #...# .#...",
    "..#.. ..... .##.. #.... .###. ##### ##### .###. ...#. .###. .###. .#...",
    ".#... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* 8  9  :  ;  <  =  >  ?  @  A  B  C */
    ".###. .###. ..... ..... ....# ..... #.... .###. .###. .###. ####. .###.",
    "#...# #...# .##.. .##.. ...#. ..... .#... #...# #...# #...# #...# #...#",
    "#...# #...# .##.. .##.. ..#.. ##### ..#.. ....# #.### #...# #...# #....",
    ".###. .#### ..... ..... .#... ..... ...#. ..##. #.#.# ##### ####. #....",
    "#...# ....# .##.. .##.. ..#.. ##### ..#.. ..#.. #.### #...# #...# #....",
    "#...# ...#. .##.. .##.. ...#. ..... .#... ..... #.... #...# #...# #...#",
    ".###. .##.. ..... ..#.. ....# ..... #.... ..#.. .#### #...# ####. .###.",
    "..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..... .....",
    /* D  E  F  G  H  I  J  K  L  M  N  O */
    "###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###.",
    "#..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## ##..# #...#",
    "#...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...#",
    "#...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...#",
    "#...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...#",
    "#..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #..## #...#",
    "###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###.",
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* P  Q  R  S  T  U  V  W  X  Y  Z  [ */
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###.",
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#...",
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#...",
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#...",
    "#.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#... .#...",
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... .#...",
    "#.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .###.",
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* \  ]  ^  _  `  a  b  c  d  e  f  g */
    "#.... .###. ..#.. ..... .#... ..... #.... ..... ....# ..... ..##. .....",
    "#.... ...#. .#.#. ..... ..#.. ..... #.... ..... ....# ..... .#... .....",
    ".#... ...#. #...# ..... ...#. .###. ####. .###. .#### .###. ####. .####",
    "..#.. ...#. ..... ..... ..... ....# #...# #.... #...# #...# .#... #...#",
    "...#. ...#. ..... ..... ..... .#### #...# #.... #...# ##### .#... #...#",
    "....# ...#. ..... ..... ..... #...# #...# #...# #...# #.... .#... .####",
    "....# .###. ..... ..... ..... .#### ####. .###. .#### .###. .#... ....#",
    "..... ..... ..... ##### ..... ..... ..... ..... ..... ..... ..... .###.",
    /* h  i  j  k  l  m  n  o  p  q  r  s */
    "#.... ..#.. ...#. #.... .##.. ..... ..... ..... ..... ..... ..... .....",
    "#.... ..... ..... #.... ..#.. ..... ..... ..... ..... ..... ..... .....",
    "####. .##.. ..##. #..#. ..#.. ##.#. ####. .###. ####. .#### #.##. .####",
    "#...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# #...# #...# ##..# #....",
    "#...# ..#.. ...#. ##... ..#.. #.#.# #...# #...# #...# #...# #.... .###.",
    "#...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...# ####. .#### #.... ....#",
    "#...# .###. #..#. #..#. .###. #.#.# #...# .###. #.... ....# #.... ####.",
    "..... ..... .##.. ..... ..... ..... ..... ..... #.... ....# ..... .....",
    /* t  u  v  w  x  y  z  {  |  }  ~ */
    ".#... ..... ..... ..... ..... ..... ..... ...## ..#.. ##... .....",
    ".#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. .....",
    "####. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#...",
    ".#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.#",
    ".#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. ...#.",
    ".#..# #...# .#.#. #.#.# .#.#. .#### .#... ..#.. ..#.. ..#.. .....",
    "..##. .#### ..#.. .#.#. #...# ....# ##### ...## ..#.. ##... .....",
    "..... ..... ..... ..... ..... .###. ..... ..... ..... ..... .....",
};

/* Characters beyond ASCII that are not compositions, in order, and how they look. */
static const uint16_t extra_points[] = {
    0x00A1, 0x00A2, 0x00A3, 0x00A4, 0x00A5, 0x00A6, 0x00A7, 0x00A9, 0x00AA, 0x00AB, 0x00AC,
    0x00AE, 0x00B0, 0x00B1, 0x00B2, 0x00B3, 0x00B5, 0x00B6, 0x00B7, 0x00B9, 0x00BA, 0x00BB,
    0x00BC, 0x00BD, 0x00BE, 0x00BF, 0x00C6, 0x00D0, 0x00D7, 0x00D8, 0x00DE, 0x00DF, 0x00E6,
    0x00F0, 0x00F7, 0x00F8, 0x00FE, 0x010F, 0x0111, 0x0126, 0x0127, 0x0131, 0x0132, 0x0133,
    0x0138, 0x013A, 0x013D, 0x013E, 0x013F, 0x0140, 0x0141, 0x0142, 0x0149, 0x014A, 0x014B,
    0x0152, 0x0153, 0x0165, 0x0166, 0x0167, 0x017F, 0x0237, 0x2022, 0x2026, 0x20AC, 0xFFFD,
};
static const char *const extra_art[] = {
    /* 00A1  00A2  00A3  00A4  00A5  00A6  00A7  00A9  00AA  00AB  00AC  00AE */
    "..... ..... ..##. ..... #...# ..#.. .###. .###. .###. ..... ..... .###.",
    "..#.. ..#.. .#..# #...# .#.#. ..#.. #.... #...# #..#. ..... ..... ##..#",
    "..... .#### .#... .###. ##### ..#.. .##.. #.### .#### ..#.# ..... #.#.#",
    "..#.. #.#.. ####. .#.#. ..#.. ..... #..#. #.#.. ..... .#.#. ##### ##..#",
    "..#.. #.#.. .#... .###. ##### ..#.. .##.. #.### ##### #.#.. ....# #.#.#",
    "..#.. #.#.. .#... #...# ..#.. ..#.. ...#. #...# ..... .#.#. ....# #...#",
    "..#.. .#### ##### ..... ..#.. ..#.. ###.. .###. ..... ..#.# ..... .###.",
    "..... ..#.. ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* 00B0  00B1  00B2  00B3  00B5  00B6  00B7  00B9  00BA  00BB  00BC  00BD */
    ".##.. ..... ##... ##... ..... .#### ..... .#... .###. ..... #.... #....",
    "#..#. ..#.. ..#.. ..#.. ..... ###.# ..... ##... #...# ..... #..#. #..#.",
    "#..#. ..#.. .#... .#... #...# ###.# ..... .#... .###. #.#.. #.#.. #.#..",
    ".##.. ##### ###.. ..#.. #...# .##.# ..#.. ###.. ..... .#.#. .#..# .#.##",
    "..... ..#.. ..... ##... #...# ..#.# ..... ..... ##### ..#.# #.#.# #...#",
    "..... ..#.. ..... ..... #..## ..#.# ..... ..... ..... .#.#. ..### ...#.",
    "..... ##### ..... ..... ###.# ..#.# ..... ..... ..... #.#.. ....# ...##",
    "..... ..... ..... ..... #.... ..... ..... ..... ..... ..... ..... .....",
    /* 00BE  00BF  00C6  00D0  00D7  00D8  00DE  00DF  00E6  00F0  00F7  00F8 */
    "##... ..#.. .#### .###. ..... .#### #.... .##.. ..... .#.#. ..... .....",
    ".#.#. ..... #.#.. .#..# ..... #..## ####. #..#. ..... ..#.. ..#.. .....",
    "###.. ..#.. #.#.. .#..# .#.#. #.#.# #...# #..#. ##.#. .#.#. ..... .####",
    ".#..# .#... ##### ###.# ..#.. #.#.# #...# #.##. ..#.# ....# ##### #..##",
    "#.#.# #.... #.#.. .#..# .#.#. #.#.# ####. #...# .#### .#### ..... #.#.#",
    "..### #...# #.#.. .#..# ..... ##..# #.... #...# #.#.. #...# ..#.. ##..#",
    "....# .###. #.### .###. ..... ####. #.... #.##. .#### .###. ..... ####.",
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    /* 00FE  010F  0111  0126  0127  0131  0132  0133  0138  013A  013D  013E */
    "#.... ..#.# ...#. #...# .#... ..... #.### #..#. ..... ....# #..#. .##.#",
    "#.... ..#.# ..### ##### ####. ..... #...# ..... ..... .#.#. #.#.. ..#.#",
    "####. .##.. .###. #...# .#... .##.. #...# #..#. #..#. .#... #.... ..#..",
    "#...# #.#.. #..#. ##### .###. ..#.. #...# #..#. #.#.. .#... #.... ..#..",
    "#...# #.#.. #..#. #...# .#..# ..#.. #.#.# #..#. ##... .#... #.... ..#..",
    "####. #.#.. #..#. #...# .#..# ..#.. #.#.# #..#. #.#.. .#... #.... ..#..",
    "#.... .##.. .###. #...# .#..# .###. #..#. #..#. #..#. ..##. ##### .###.",
    "#.... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... ..... .....",
    /* 013F  0140  0141  0142  0149  014A  014B  0152  0153  0165  0166  0167 */
    "#.... .##.. .#... .##.. #.... #...# ..... .#### ..... .#..# ##### .#...",
    "#.... ..#.. .#... ..#.. #.... ##..# ..... #.#.. ..... .#..# ..#.. .#...",
    "#..#. ..#.. .##.. ..##. .###. ##..# ####. #.#.. .#.#. ####. ..#.. ####.",
    "#.... ..#.# .#... ..#.. .#..# #.#.# #...# #.### #.#.# .#... .###. .#...",
    "#.... ..#.. ##... .##.. .#..# #..## #...# #.#.. #.### .#... ..#.. ###..",
    "#.... ..#.. .#... ..#.. .#..# #..## #...# #.#.. #.#.. .#..# ..#.. .#..#",
    "##### .###. .#### .###. .#..# #...# #...# .#### .#.## ..##. ..#.. ..##.",
    "..... ..... ..... ..... ..... ..##. ..##. ..... ..... ..... ..... .....",
    /* 017F  0237  2022  2026  20AC  FFFD */
    "..##. ..... ..... ..... ..### #####",
    ".#... ..... ..... ..... .#... #...#",
    ".#... ..##. .###. ..... ####. #...#",
    ".#... ...#. .###. ..... .#... #...#",
    ".#... ...#. .###. ..... ####. #...#",
    ".#... ...#. ..... ..... .#... #...#",
    ".#... #..#. ..... #.#.# ..### #####",
    "..... .##.. ..... ..... ..... .....",
};

/* Capitals that carry a mark, five lines each. */
static const char small_letters[] = "ACDEGHIJLNORSTUWYZ";
static const char *const small_art[] = {
    /* A     C     D     E     G     H     I     J     L     N     O     R    */
    ".###. .#### ###.. ##### .#### #...# .###. ..### #.... #...# ##### ####.",
    "#...# #.... #..#. #.... #.... #...# ..#.. ...#. #.... ##..# #...# #...#",
    "##### #.... #...# ####. #..## ##### ..#.. ...#. #.... #.#.# #...# ####.",
    "#...# #.... #..#. #.... #...# #...# ..#.. #..#. #.... #..## #...# #.#..",
    "#...# .#### ###.. ##### .#### #...# .###. .##.. ##### #...# ##### #..##",
    /* S     T     U     W     Y     Z    */
    "##### ##### #...# #...# #...# #####",
    "#.... ..#.. #...# #.#.# .#.#. #..#.",
    "##### ..#.. #...# #.#.# ..#.. ..#..",
    "....# ..#.. #...# ##.## ..#.. .#..#",
    "##### ..#.. .###. #...# ..#.. #####",
};

/* Marks: drawn over a letter's first lines or, with one line, over its last. */
static const struct {
    uint16_t point; /* the combining character */
    const char *art[MARK_ROWS];
} marks[FONT_MARKS] = {
    [FONT_GRAVE] = {0x0300, {".#...", "..#.."}},
    [FONT_ACUTE] = {0x0301, {"...#.", "..#.."}},
    [FONT_CIRCUMFLEX] = {0x0302, {"..#..", ".#.#."}},
    [FONT_TILDE] = {0x0303, {".#..#", "#.##."}},
    [FONT_MACRON] = {0x0304, {"#####", "....."}},
    [FONT_BREVE] = {0x0306, {"#...#", ".###."}},
    [FONT_DOT] = {0x0307, {"..#..", "....."}},
    [FONT_DIAERESIS] = {0x0308, {".#.#.", "....."}},
    [FONT_RING] = {0x030A, {"..##.", "..##."}},
    [FONT_DOUBLE_ACUTE] = {0x030B, {"..#.#", ".#.#."}},
    [FONT_CARON] = {0x030C, {".#.#.", "..#.."}},
    [FONT_TURNED_COMMA] = {0x0312, {"..##.", "..#.."}},
    [FONT_CEDILLA] = {0x0327, {".##.."}},
    [FONT_OGONEK] = {0x0328, {"...##"}},
};

static const struct composition {
    uint16_t point;
    char letter;
    uint8_t mark;
} compositions[] = {
    {0x00A8, ' ', FONT_DIAERESIS},    {0x00AF, ' ', FONT_MACRON},
    {0x00B4, ' ', FONT_ACUTE},        {0x00B8, ' ', FONT_CEDILLA},
    {0x00C0, 'A', FONT_GRAVE},        {0x00C1, 'A', FONT_ACUTE},
    {0x00C2, 'A', FONT_CIRCUMFLEX},   {0x00C3, 'A', FONT_TILDE},
    {0x00C4, 'A', FONT_DIAERESIS},    {0x00C5, 'A', FONT_RING},
    {0x00C7, 'C', FONT_CEDILLA},      {0x00C8, 'E', FONT_GRAVE},
    {0x00C9, 'E', FONT_ACUTE},        {0x00CA, 'E', FONT_CIRCUMFLEX},
    {0x00CB, 'E', FONT_DIAERESIS},    {0x00CC, 'I', FONT_GRAVE},
    {0x00CD, 'I', FONT_ACUTE},        {0x00CE, 'I', FONT_CIRCUMFLEX},
    {0x00CF, 'I', FONT_DIAERESIS},    {0x00D1, 'N', FONT_TILDE},
    {0x00D2, 'O', FONT_GRAVE},        {0x00D3, 'O', FONT_ACUTE},
    {0x00D4, 'O', FONT_CIRCUMFLEX},   {0x00D5, 'O', FONT_TILDE},
    {0x00D6, 'O', FONT_DIAERESIS},    {0x00D9, 'U', FONT_GRAVE},
    {0x00DA, 'U', FONT_ACUTE},        {0x00DB, 'U', FONT_CIRCUMFLEX},
    {0x00DC, 'U', FONT_DIAERESIS},    {0x00DD, 'Y', FONT_ACUTE},
    {0x00E0, 'a', FONT_GRAVE},        {0x00E1, 'a', FONT_ACUTE},
    {0x00E2, 'a', FONT_CIRCUMFLEX},   {0x00E3, 'a', FONT_TILDE},
    {0x00E4, 'a', FONT_DIAERESIS},    {0x00E5, 'a', FONT_RING},
    {0x00E7, 'c', FONT_CEDILLA},      {0x00E8, 'e', FONT_GRAVE},
    {0x00E9, 'e', FONT_ACUTE},        {0x00EA, 'e', FONT_CIRCUMFLEX},
    {0x00EB, 'e', FONT_DIAERESIS},    {0x00EC, 'i', FONT_GRAVE},
    {0x00ED, 'i', FONT_ACUTE},        {0x00EE, 'i', FONT_CIRCUMFLEX},
    {0x00EF, 'i', FONT_DIAERESIS},    {0x00F1, 'n', FONT_TILDE},
    {0x00F2, 'o', FONT_GRAVE},        {0x00F3, 'o', FONT_ACUTE},
    {0x00F4, 'o', FONT_CIRCUMFLEX},   {0x00F5, 'o', FONT_TILDE},
    {0x00F6, 'o', FONT_DIAERESIS},    {0x00F9, 'u', FONT_GRAVE},
    {0x00FA, 'u', FONT_ACUTE},        {0x00FB, 'u', FONT_CIRCUMFLEX},
    {0x00FC, 'u', FONT_DIAERESIS},    {0x00FD, 'y', FONT_ACUTE},
    {0x00FF, 'y', FONT_DIAERESIS},    {0x0100, 'A', FONT_MACRON},
    {0x0101, 'a', FONT_MACRON},       {0x0102, 'A', FONT_BREVE},
    {0x0103, 'a', FONT_BREVE},        {0x0104, 'A', FONT_OGONEK},
    {0x0105, 'a', FONT_OGONEK},       {0x0106, 'C', FONT_ACUTE},
    {0x0107, 'c', FONT_ACUTE},        {0x0108, 'C', FONT_CIRCUMFLEX},
    {0x0109, 'c', FONT_CIRCUMFLEX},   {0x010A, 'C', FONT_DOT},
    {0x010B, 'c', FONT_DOT},          {0x010C, 'C', FONT_CARON},
    {0x010D, 'c', FONT_CARON},        {0x010E, 'D', FONT_CARON},
    {0x0112, 'E', FONT_MACRON},       {0x0113, 'e', FONT_MACRON},
    {0x0114, 'E', FONT_BREVE},        {0x0115, 'e', FONT_BREVE},
    {0x0116, 'E', FONT_DOT},          {0x0117, 'e', FONT_DOT},
    {0x0118, 'E', FONT_OGONEK},       {0x0119, 'e', FONT_OGONEK},
    {0x011A, 'E', FONT_CARON},        {0x011B, 'e', FONT_CARON},
    {0x011C, 'G', FONT_CIRCUMFLEX},   {0x011D, 'g', FONT_CIRCUMFLEX},
    {0x011E, 'G', FONT_BREVE},        {0x011F, 'g', FONT_BREVE},
    {0x0120, 'G', FONT_DOT},          {0x0121, 'g', FONT_DOT},
    {0x0122, 'G', FONT_CEDILLA},      {0x0123, 'g', FONT_TURNED_COMMA},
    {0x0124, 'H', FONT_CIRCUMFLEX},   {0x0125, 'h', FONT_CIRCUMFLEX},
    {0x0128, 'I', FONT_TILDE},        {0x0129, 'i', FONT_TILDE},
    {0x012A, 'I', FONT_MACRON},       {0x012B, 'i', FONT_MACRON},
    {0x012C, 'I', FONT_BREVE},        {0x012D, 'i', FONT_BREVE},
    {0x012E, 'I', FONT_OGONEK},       {0x012F, 'i', FONT_OGONEK},
    {0x0130, 'I', FONT_DOT},          {0x0134, 'J', FONT_CIRCUMFLEX},
    {0x0135, 'j', FONT_CIRCUMFLEX},   {0x0136, 'K', FONT_CEDILLA},
    {0x0137, 'k', FONT_CEDILLA},      {0x0139, 'L', FONT_ACUTE},
    {0x013B, 'L', FONT_CEDILLA},      {0x013C, 'l', FONT_CEDILLA},
    {0x0143, 'N', FONT_ACUTE},        {0x0144, 'n', FONT_ACUTE},
    {0x0145, 'N', FONT_CEDILLA},      {0x0146, 'n', FONT_CEDILLA},
    {0x0147, 'N', FONT_CARON},        {0x0148, 'n', FONT_CARON},
    {0x014C, 'O', FONT_MACRON},       {0x014D, 'o', FONT_MACRON},
    {0x014E, 'O', FONT_BREVE},        {0x014F, 'o', FONT_BREVE},
    {0x0150, 'O', FONT_DOUBLE_ACUTE}, {0x0151, 'o', FONT_DOUBLE_ACUTE},
    {0x0154, 'R', FONT_ACUTE},        {0x0155, 'r', FONT_ACUTE},
    {0x0156, 'R', FONT_CEDILLA},      {0x0157, 'r', FONT_CEDILLA},
    {0x0158, 'R', FONT_CARON},        {0x0159, 'r', FONT_CARON},
    {0x015A, 'S', FONT_ACUTE},        {0x015B, 's', FONT_ACUTE},
    {0x015C, 'S', FONT_CIRCUMFLEX},   {0x015D, 's', FONT_CIRCUMFLEX},
    {0x015E, 'S', FONT_CEDILLA},      {0x015F, 's', FONT_CEDILLA},
    {0x0160, 'S', FONT_CARON},        {0x0161, 's', FONT_CARON},
    {0x0162, 'T', FONT_CEDILLA},      {0x0163, 't', FONT_CEDILLA},
    {0x0164, 'T', FONT_CARON},        {0x0168, 'U', FONT_TILDE},
    {0x0169, 'u', FONT_TILDE},        {0x016A, 'U', FONT_MACRON},
    {0x016B, 'u', FONT_MACRON},       {0x016C, 'U', FONT_BREVE},
    {0x016D, 'u', FONT_BREVE},        {0x016E, 'U', FONT_RING},
    {0x016F, 'u', FONT_RING},         {0x0170, 'U', FONT_DOUBLE_ACUTE},
    {0x0171, 'u', FONT_DOUBLE_ACUTE}, {0x0172, 'U', FONT_OGONEK},
    {0x0173, 'u', FONT_OGONEK},       {0x0174, 'W', FONT_CIRCUMFLEX},
    {0x0175, 'w', FONT_CIRCUMFLEX},   {0x0176, 'Y', FONT_CIRCUMFLEX},
    {0x0177, 'y', FONT_CIRCUMFLEX},   {0x0178, 'Y', FONT_DIAERESIS},
    {0x0179, 'Z', FONT_ACUTE},        {0x017A, 'z', FONT_ACUTE},
    {0x017B, 'Z', FONT_DOT},          {0x017C, 'z', FONT_DOT},
    {0x017D, 'Z', FONT_CARON},        {0x017E, 'z', FONT_CARON},
};

/* Characters that look like another one. */
static const struct {
    uint32_t first, last, like;
} likenesses[] = {
    {0x00A0, 0x00A0, ' '}, {0x00AD, 0x00AD, '-'},  {0x0110, 0x0110, 0x00D0},
    {0x2010, 0x2015, '-'}, {0x2018, 0x201B, '\''}, {0x201C, 0x201F, '"'},
    {0x202F, 0x202F, ' '}, {0x2032, 0x2032, '\''}, {0x2212, 0x2212, '-'},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static uint8_t row_bits(const char *row)
{
    uint8_t bits = 0;

    for (unsigned column = 0; column < FONT_WIDTH; column++)
        bits = (uint8_t)(bits << 1 | (row[column] == '#'));
    return bits;
}

/* Reads cell `n` of lines with several cells each; a cell has `height` lines. */
static void read_cell(const char *const *lines, size_t n, unsigned height, uint8_t *rows)
{
    for (unsigned y = 0; y < height; y++)
        rows[y] = row_bits(lines[n / GLYPHS_A_ROW * height + y] + n % GLYPHS_A_ROW * CELL);
}

static const struct composition *find_composition(uint32_t point)
{
    for (size_t i = 0; i < COUNT_OF(compositions); i++)
        if (compositions[i].point == point)
            return &compositions[i];
    return NULL;
}

static uint32_t find_likeness(uint32_t point)
{
    for (size_t i = 0; i < COUNT_OF(likenesses); i++)
        if (point >= likenesses[i].first && point <= likenesses[i].last)
            return likenesses[i].like;
    return point;
}

/*
 * Reads a character that is not a composition. Returns false, with the box in *out, if there is no
 * such character.
 */
static bool read_plain(uint32_t point, struct font_glyph *out)
{
    if (point >= FIRST && point < FIRST + GLYPHS) {
        read_cell(art, point - FIRST, FONT_HEIGHT, out->rows);
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(extra_points); i++)
        if (extra_points[i] == point) {
            read_cell(extra_art, i, FONT_HEIGHT, out->rows);
            return point != BOX;
        }
    (void)read_plain(BOX, out);
    return false;
}

/* Replaces a letter by a lower one, to make room for a mark above it. */
static void lower(uint32_t letter, struct font_glyph *out)
{
    for (size_t i = 0; i < sizeof(small_letters) - 1; i++)
        if ((uint32_t)small_letters[i] == letter) {
            *out = (struct font_glyph){{0}};
            read_cell(small_art, i, SMALL_ROWS, out->rows + MARK_ROWS);
        }
    if (letter == 'i' || letter == 'j')
        (void)read_plain(letter == 'i' ? DOTLESS_I : DOTLESS_J, out);
}

static void put_mark(uint32_t letter, enum font_mark mark, struct font_glyph *out)
{
    if (marks[mark].art[1] == NULL) {
        out->rows[FONT_HEIGHT - 1] |= row_bits(marks[mark].art[0]);
        return;
    }
    lower(letter, out);
    for (unsigned y = 0; y < MARK_ROWS; y++)
        out->rows[y] |= row_bits(marks[mark].art[y]);
}

/* Returns whether a character belongs into the cell of the one before it. */
static bool is_combining(uint32_t point)
{
    return point >= 0x0300 && point <= 0x036F;
}

/* Returns the mark of a combining character; FONT_NO_MARK if it is not drawn. */
static enum font_mark find_mark(uint32_t point)
{
    enum font_mark mark = FONT_MARKS;

    while (--mark > FONT_NO_MARK && marks[mark].point != point)
        ;
    return mark;
}

/* Composes a character and a mark. A character that already has a mark keeps its own. */
static void find_glyph(uint32_t point, enum font_mark mark, struct font_glyph *out)
{
    const struct composition *composition = NULL;

    if (point >= FIRST + GLYPHS) {
        point = find_likeness(point);
        composition = find_composition(point);
    }
    if (composition != NULL) {
        point = (uint32_t)composition->letter;
        mark = (enum font_mark)composition->mark;
    }
    if (read_plain(point, out) && mark != FONT_NO_MARK)
        put_mark(point, mark, out);
}

/* Texts. */

/* One cell of a text: a character, and the mark on it. */
struct cell {
    uint32_t point;
    enum font_mark mark;
};

/*
 * Gets the first character of a text, and returns its length. Invalid or unprintable characters
 * become `?`.
 */
static size_t next_character(const char *text, size_t length, uint32_t *point)
{
    size_t taken;

    if (*text >= FIRST && *text < FIRST + GLYPHS) { /* the usual case */
        *point = (uint32_t)*text;
        return 1;
    }
    taken = utf8_decode((const uint8_t *)text, length, point);
    if (taken == 0 || !utf8_printable(*point))
        *point = '?';
    return taken > 0 ? taken : 1;
}

/* Gets the first cell of a text, and returns its length. */
static size_t next_cell(const char *text, size_t length, struct cell *cell)
{
    size_t taken = next_character(text, length, &cell->point), more = 0;
    uint32_t point = 0;

    cell->mark = FONT_NO_MARK;
    for (; taken < length; taken += more) {
        more = next_character(text + taken, length - taken, &point);
        if (!is_combining(point))
            break;
        if (cell->mark == FONT_NO_MARK)
            cell->mark = find_mark(point);
    }
    return taken;
}

size_t font_cells(const char *text, size_t length)
{
    struct cell cell;
    size_t cells = 0;

    for (size_t taken = 0; taken < length; cells++)
        taken += next_cell(text + taken, length - taken, &cell);
    return cells;
}

static bool is_inside(const struct canvas *canvas, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x + FONT_WIDTH <= canvas->width && y + FONT_HEIGHT <= canvas->height;
}

static void draw_cell(struct canvas *canvas, int64_t x, int64_t y, const struct cell *cell,
                      uint8_t colour)
{
    bool inside = is_inside(canvas, x, y);
    struct font_glyph glyph;

    find_glyph(cell->point, cell->mark, &glyph);
    for (unsigned row = 0; row < FONT_HEIGHT; row++) {
        uint8_t *pixels = inside ? canvas->pixels + ((size_t)y + row) * canvas->width + x : NULL;

        for (unsigned bits = glyph.rows[row]; bits != 0; bits &= bits - 1) {
            unsigned column = FONT_WIDTH - 1 - (unsigned)__builtin_ctz(bits);

            if (inside)
                pixels[column] = colour;
            else
                canvas_dot(canvas, x + column, y + row, colour);
        }
    }
}

uint32_t font_draw(struct canvas *canvas, int64_t x, int64_t y, int64_t room, const char *text,
                   size_t length, uint8_t colour)
{
    size_t fitting = room < FONT_WIDTH ? 0 : ((size_t)room - FONT_WIDTH) / FONT_ADVANCE + 1;
    size_t drawn = 0;
    struct cell cell;

    for (size_t taken = 0; taken < length && drawn < fitting; drawn++) {
        taken += next_cell(text + taken, length - taken, &cell);
        draw_cell(canvas, x + (int64_t)drawn * FONT_ADVANCE, y, &cell, colour);
    }
    return font_width(drawn);
}
