#include "formats/apitrace/classes.h"

#include <errno.h>
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
    NAME_MOST = 256, /* longer names match no pattern, however they begin */
};

struct apitrace_classifier {
    regex_t compiled[PATTERNS];
    size_t count; /* compiled */
};

int apitrace_classifier_create(struct apitrace_classifier **out)
{
    struct apitrace_classifier *classifier = calloc(1, sizeof(*classifier));

    *out = classifier;
    if (classifier == NULL)
        return -ENOMEM;
    for (; classifier->count < PATTERNS; classifier->count++)
        if (regcomp(&classifier->compiled[classifier->count],
                    patterns[classifier->count].expression, REG_EXTENDED | REG_NOSUB) != 0) {
            apitrace_classifier_destroy(out);
            return -ENOMEM;
        }
    return 0;
}

void apitrace_classifier_destroy(struct apitrace_classifier **classifier)
{
    struct apitrace_classifier *destroyed = *classifier;

    *classifier = NULL;
    if (destroyed == NULL)
        return;
    for (size_t n = 0; n < destroyed->count; n++)
        regfree(&destroyed->compiled[n]);
    free(destroyed);
}

static int compare_row(const void *name, const void *row)
{
    return strcmp(name, ((const struct apitrace_class_row *)row)->name);
}

unsigned apitrace_classify(const struct apitrace_classifier *classifier, const char *name)
{
    const struct apitrace_class_row *row;

    for (size_t n = 0; n < PATTERNS; n++)
        if (name[0] == patterns[n].initial && strlen(name) <= NAME_MOST &&
            regexec(&classifier->compiled[n], name, 0, NULL, 0) == 0)
            return patterns[n].classes;
    row = bsearch(name, apitrace_class_rows, apitrace_class_count, sizeof(*row), compare_row);
    return row != NULL ? row->classes : 0;
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
