#include "formats/apitrace/decode/classes.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define WORD "[A-Za-z0-9_]"

/* Tried in this order, before the table (apitrace.md 3.3); all name what they begin with. */
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
    MATCHED_NAME_MAX = 256, /* longer names match no pattern, however they begin */
};

/* Compiled once for the whole program: they never change. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static regex_t compiled[PATTERNS];
static size_t compiled_count;

int apitrace_classes_prepare(void)
{
    int status = 0;

    pthread_mutex_lock(&lock);
    while (compiled_count < PATTERNS && status == 0) {
        if (regcomp(&compiled[compiled_count], patterns[compiled_count].expression,
                    REG_EXTENDED | REG_NOSUB) == 0)
            compiled_count++;
        else
            status = -ENOMEM;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static int compare_row(const void *name, const void *row)
{
    return strcmp(name, ((const struct apitrace_class_row *)row)->name);
}

int apitrace_classify(const char *name, unsigned *classes)
{
    const struct apitrace_class_row *row;

    for (size_t n = 0; n < PATTERNS; n++) {
        int result = REG_NOMATCH;

        if (name[0] == patterns[n].initial && strlen(name) <= MATCHED_NAME_MAX)
            result = regexec(&compiled[n], name, 0, NULL, 0);
        *classes = patterns[n].classes;
        if (result != REG_NOMATCH)
            return result == 0 ? 0 : -ENOMEM;
    }
    row = bsearch(name, apitrace_class_rows, apitrace_class_count, sizeof(*row), compare_row);
    *classes = row != NULL ? row->classes : 0;
    return 0;
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

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

enum apitrace_api apitrace_api_of(const char *name)
{
    if (begins(name, "glX") || begins(name, "CGL") ||
        (begins(name, "wgl") && name[3] >= 'A' && name[3] <= 'Z'))
        return APITRACE_GLX;
    if (begins(name, "egl") && name[3] >= 'A' && name[3] <= 'Z')
        return APITRACE_EGL;
    if (begins(name, "Direct") || begins(name, "D3D") || begins(name, "Create"))
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
