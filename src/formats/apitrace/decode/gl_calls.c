/* SPDX-License-Identifier: MIT */
/*
 * Names that have many variants are matched by patterns, which are tried before the table
 * (apitrace.md 3.3).
 */
#include "formats/apitrace/decode/gl_calls.h"

#include "base/locks.h"
#include "base/string.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define WORD "[A-Za-z0-9_]"

/* Tried in this order; each expression begins with `initial`. */
static const struct pattern {
    const char *expression;
    char initial;
    unsigned char classes;
} patterns[] = {
    {"^gl([A-Z][a-z]+)*Draw(Range|Mesh)?(Arrays|Elements)([A-Z][a-zA-Z]*)?$", 'g', APITRACE_RENDER},
    {"^gl(CallLists?|Clear|End|DrawPixels|DrawTransformFeedback([A-Z][a-zA-Z]*)?|BlitFramebuffer|"
     "Rect[dfis]v?|EvalMesh[0-9]+)[0-9A-Z]*$",
     'g', APITRACE_RENDER},
    {"^glBindFramebuffer[0-9A-Z]*$", 'g', APITRACE_RENDER_TARGET},
    {"^gl(GetFloat|GetInteger|GetVertexAttrib|GetTex(ture)?(Level)?Parameter)" WORD "+$", 'g',
     APITRACE_NO_EFFECT},
    {"^IDXGI(Decode)?SwapChain" WORD "*::Present" WORD "*$", 'I', APITRACE_END_FRAME},
    {"^ID3D1(0Device|1DeviceContext)[0-9]*::(Draw" WORD "*|ExecuteCommandList)$", 'I',
     APITRACE_RENDER},
    {"^ID3D1(0Device|1DeviceContext)[0-9]*::OMSetRenderTargets" WORD "*$", 'I',
     APITRACE_RENDER_TARGET},
    {"^ID3D1[01]Device[0-9]*::(CheckFormatSupport|CheckMultisampleQualityLevels)$", 'I',
     APITRACE_VERBOSE | APITRACE_NO_EFFECT},
};

enum {
    PATTERNS = sizeof(patterns) / sizeof(patterns[0]),
    MATCHED_NAME_MAX = 256, /* longer names match no pattern */
};

static const char *const suffixes[] = {"ARB", "EXT", "OES", "APPLE", "NV", "ANGLE"};

enum {
    SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]),
    SUFFIXES_OF_STATE = 3, /* the first ones of the list */
    NAME_ROOM = 64,
    GL_ARGUMENTS_MAX = 64, /* more than GL has; a search by name goes through all */
};

/* Compiled once per process, and then constant. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static regex_t compiled[PATTERNS]; /* read without the lock, once all are compiled */
static size_t compiled_count GUARDED_BY(lock_of_apitrace_patterns);

static void take_lock(void) ACQUIRE(lock_of_apitrace_patterns)
{
    pthread_mutex_lock(&lock);
}

static void give_lock(void) RELEASE(lock_of_apitrace_patterns)
{
    pthread_mutex_unlock(&lock);
}

int apitrace_classes_prepare(void)
{
    int status = 0;

    take_lock();
    while (compiled_count < PATTERNS && status == 0) {
        if (regcomp(&compiled[compiled_count], patterns[compiled_count].expression,
                    REG_EXTENDED | REG_NOSUB) == 0)
            compiled_count++;
        else
            status = -ENOMEM;
    }
    give_lock();
    return status;
}

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct apitrace_gl_call *)row)->name);
}

/* Returns the row of exactly that name; NULL if there is none. */
static const struct apitrace_gl_call *find(const char *name)
{
    return bsearch(name, apitrace_gl_calls, apitrace_gl_call_count, sizeof(apitrace_gl_calls[0]),
                   compare);
}

int apitrace_classify(const char *name, unsigned *classes)
{
    const struct apitrace_gl_call *row;

    for (size_t n = 0; n < PATTERNS; n++) {
        int result = REG_NOMATCH;

        if (name[0] == patterns[n].initial && strlen(name) <= MATCHED_NAME_MAX)
            result = regexec(&compiled[n], name, 0, NULL, 0);
        *classes = patterns[n].classes;
        if (result != REG_NOMATCH)
            return result == 0 ? 0 : -ENOMEM;
    }
    row = find(name);
    *classes = row != NULL ? row->classes : 0;
    return 0;
}

/*
 * Returns the row of `name` without one of the first `suffix_count` suffixes; NULL if there is
 * none.
 */
static const struct apitrace_gl_call *find_plain(const char *name, unsigned suffix_count)
{
    size_t length = strlen(name);
    char plain[NAME_ROOM];

    if (strncmp(name, "gl", 2) != 0 || name[2] == 'X' || length >= sizeof(plain))
        return NULL;
    for (unsigned n = 0; n < suffix_count; n++) {
        if (string_ends(name, suffixes[n])) {
            memcpy(plain, name, length);
            plain[length - strlen(suffixes[n])] = '\0';
            return find(plain);
        }
    }
    return NULL;
}

const struct apitrace_gl_call *apitrace_gl_call_find(const char *name, unsigned arguments)
{
    static const struct apitrace_gl_call none = {0};
    const struct apitrace_gl_call *row = find(name);

    if (row == NULL || row->semantic == APITRACE_SEMANTIC_NONE)
        row = find_plain(name, SUFFIXES);
    if (row == NULL || arguments > GL_ARGUMENTS_MAX ||
        (row->semantic == APITRACE_GET_ERROR && arguments != 0))
        row = &none;
    return row;
}

const struct apitrace_gl_call *apitrace_gl_state_find(const char *name, unsigned arguments)
{
    const struct apitrace_gl_call *row = arguments <= GL_ARGUMENTS_MAX ? find(name) : NULL;

    if ((row == NULL || row->state == NULL) && arguments <= GL_ARGUMENTS_MAX)
        row = find_plain(name, SUFFIXES_OF_STATE);
    return row != NULL && row->state != NULL ? row : NULL;
}

const char *apitrace_class_letters(unsigned classes, char letters[9])
{
    static const char all[] = "VNETRM+-";
    size_t count = 0;

    for (size_t n = 0; n < 8; n++)
        if (classes & 1U << n)
            letters[count++] = all[n];
    if (count == 0)
        letters[count++] = '-';
    letters[count] = '\0';
    return letters;
}

enum apitrace_api apitrace_api_of(const char *name)
{
    if (string_begins(name, "glX") || string_begins(name, "CGL") ||
        (string_begins(name, "wgl") && name[3] >= 'A' && name[3] <= 'Z'))
        return APITRACE_GLX;
    if (string_begins(name, "egl") && name[3] >= 'A' && name[3] <= 'Z')
        return APITRACE_EGL;
    if (string_begins(name, "Direct") || string_begins(name, "D3D") ||
        string_begins(name, "Create"))
        return APITRACE_D3D;
    return APITRACE_UNKNOWN;
}

const char *apitrace_api_name(enum apitrace_api api)
{
    static const char *const names[] = {
        [APITRACE_UNKNOWN] = "Unknown API",
        [APITRACE_GLX] = "OpenGL + GLX/WGL/CGL",
        [APITRACE_EGL] = "OpenGL/GLES1/GLES2/VG + EGL",
        [APITRACE_D3D] = "DirectX",
    };

    return names[api];
}
