#include "formats/apitrace/roles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Without the suffix that an extension gives its functions. */
static const struct row {
    const char *name;
    enum apitrace_role role;
} rows[] = {
    {"glActiveTexture", APITRACE_ACTIVE_TEXTURE},
    {"glBindTexture", APITRACE_BIND_TEXTURE},
    {"glBindTextureUnit", APITRACE_BIND_TEXTURE_UNIT},
    {"glBufferData", APITRACE_BUFFER_UPLOAD},
    {"glBufferStorage", APITRACE_BUFFER_UPLOAD},
    {"glBufferSubData", APITRACE_BUFFER_UPLOAD},
    {"glClear", APITRACE_CLEAR},
    {"glClearBufferfi", APITRACE_CLEAR},
    {"glClearBufferfv", APITRACE_CLEAR},
    {"glClearBufferiv", APITRACE_CLEAR},
    {"glClearBufferuiv", APITRACE_CLEAR},
    {"glCompileShader", APITRACE_COMPILE},
    {"glCompressedTexImage1D", APITRACE_TEX_COMPRESSED},
    {"glCompressedTexImage2D", APITRACE_TEX_COMPRESSED},
    {"glCompressedTexImage3D", APITRACE_TEX_COMPRESSED},
    {"glCompressedTexSubImage1D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCompressedTexSubImage2D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCompressedTexSubImage3D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCompressedTextureSubImage1D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCompressedTextureSubImage2D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCompressedTextureSubImage3D", APITRACE_TEX_COMPRESSED_SUB},
    {"glCreateShader", APITRACE_CREATE_SHADER},
    {"glCreateShaderObject", APITRACE_CREATE_SHADER},
    {"glCreateShaderProgramv", APITRACE_CREATE_PROGRAM_OF},
    {"glDeleteTextures", APITRACE_DELETE_TEXTURES},
    {"glGetBufferSubData", APITRACE_READBACK},
    {"glGetCompressedTexImage", APITRACE_READBACK},
    {"glGetCompressedTextureImage", APITRACE_READBACK},
    {"glGetError", APITRACE_GET_ERROR},
    {"glGetNamedBufferSubData", APITRACE_READBACK},
    {"glGetString", APITRACE_GET_STRING},
    {"glGetTexImage", APITRACE_READBACK},
    {"glGetTextureImage", APITRACE_READBACK},
    {"glGetTextureSubImage", APITRACE_READBACK},
    {"glLinkProgram", APITRACE_LINK},
    {"glNamedBufferData", APITRACE_BUFFER_UPLOAD},
    {"glNamedBufferStorage", APITRACE_BUFFER_UPLOAD},
    {"glNamedBufferSubData", APITRACE_BUFFER_UPLOAD},
    {"glNamedProgramString", APITRACE_NAMED_PROGRAM_STRING},
    {"glPixelStoref", APITRACE_PIXEL_STORE},
    {"glPixelStorei", APITRACE_PIXEL_STORE},
    {"glProgramBinary", APITRACE_PROGRAM_BINARY},
    {"glProgramString", APITRACE_PROGRAM_STRING},
    {"glReadPixels", APITRACE_READBACK},
    {"glReadnPixels", APITRACE_READBACK},
    {"glShaderBinary", APITRACE_SHADER_BINARY},
    {"glShaderSource", APITRACE_SHADER_SOURCE},
    {"glTexImage1D", APITRACE_TEX_IMAGE},
    {"glTexImage2D", APITRACE_TEX_IMAGE},
    {"glTexImage3D", APITRACE_TEX_IMAGE},
    {"glTexSubImage1D", APITRACE_TEX_SUB_IMAGE},
    {"glTexSubImage2D", APITRACE_TEX_SUB_IMAGE},
    {"glTexSubImage3D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureSubImage1D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureSubImage2D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureSubImage3D", APITRACE_TEX_SUB_IMAGE},
    {"glUseProgram", APITRACE_USE_PROGRAM},
    {"glUseProgramObject", APITRACE_USE_PROGRAM},
};

/* What is no GL function, or of many arguments. */
static const struct row others[] = {
    {"eglMakeCurrent", APITRACE_MAKE_CURRENT_READ},
    {"glXMakeContextCurrent", APITRACE_MAKE_CURRENT_READ},
    {"glXMakeCurrent", APITRACE_MAKE_CURRENT},
    {"glXMakeCurrentReadSGI", APITRACE_MAKE_CURRENT_READ},
    {"memcpy", APITRACE_MAPPED_WRITE},
    {"wglMakeCurrent", APITRACE_WGL_MAKE_CURRENT},
};

enum { NAME_ROOM = 64 };

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct row *)row)->name);
}

static enum apitrace_role find(const struct row *table, size_t count, const char *name)
{
    const struct row *row = bsearch(name, table, count, sizeof(*row), compare);

    return row != NULL ? row->role : APITRACE_ROLE_NONE;
}

/* Cuts ARB, EXT and the like off; false when there is nothing to cut. */
static bool cut_suffix(char *name)
{
    static const char *const suffixes[] = {"ARB", "EXT", "OES", "APPLE", "NV", "ANGLE"};
    size_t length = strlen(name);

    for (size_t n = 0; n < sizeof(suffixes) / sizeof(suffixes[0]); n++) {
        size_t suffix = strlen(suffixes[n]);

        if (length > suffix && strcmp(name + length - suffix, suffixes[n]) == 0) {
            name[length - suffix] = '\0';
            return true;
        }
    }
    return false;
}

enum apitrace_role apitrace_role_of(const char *name, unsigned arguments)
{
    enum apitrace_role role;
    char cut[NAME_ROOM];

    role = find(others, sizeof(others) / sizeof(others[0]), name);
    if (role != APITRACE_ROLE_NONE || strncmp(name, "gl", 2) != 0 || strlen(name) >= NAME_ROOM)
        return role;
    strcpy(cut, name);
    role = find(rows, sizeof(rows) / sizeof(rows[0]), cut);
    if (role == APITRACE_ROLE_NONE && cut_suffix(cut))
        role = find(rows, sizeof(rows) / sizeof(rows[0]), cut);
    return role == APITRACE_GET_ERROR && arguments != 0 ? APITRACE_ROLE_NONE : role;
}
