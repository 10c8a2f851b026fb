/*
 * What kind of call a function's name makes it (apitrace.md 3.3): letters from a
 * table, and patterns that come before it. The table is classes.tsv, made into C at
 * build time. Classifying takes microseconds; it is done once a definition.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_CLASSES_H
#define GPUDUMPFS_APITRACE_DECODE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

enum apitrace_class {
    APITRACE_VERBOSE = 1,       /* V: hidden by default */
    APITRACE_NO_EFFECT = 2,     /* N */
    APITRACE_END_FRAME = 4,     /* E */
    APITRACE_RENDER_TARGET = 8, /* T */
    APITRACE_RENDER = 16,       /* R */
    APITRACE_MARKER = 32,       /* M */
    APITRACE_PUSH = 64,         /* + */
    APITRACE_POP = 128,         /* - */
};

/* The letters of a set of classes, "-" for none. `letters` has room for 9. */
const char *apitrace_class_letters(unsigned classes, char letters[9]);

/* Which library's calls a trace holds, as the first function that tells has it. */
enum apitrace_api { APITRACE_UNKNOWN, APITRACE_GLX, APITRACE_EGL, APITRACE_D3D };

/* To be called before the first apitrace_classify(); again does no harm. 0 or -ENOMEM. */
int apitrace_classes_prepare(void);

/* The classes of a function; `name` ends with a NUL. 0 or -ENOMEM. */
int apitrace_classify(const char *name, unsigned *classes);

enum apitrace_api apitrace_api_of(const char *name);
const char *apitrace_api_name(enum apitrace_api api);

/* The table, sorted by name. */
struct apitrace_class_row {
    const char *name;
    unsigned char classes;
};

extern const struct apitrace_class_row apitrace_class_rows[];
extern const size_t apitrace_class_count;

#endif
