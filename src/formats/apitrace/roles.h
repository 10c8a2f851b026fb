/*
 * What a GL function does to what the mount shows besides calls: shaders, textures,
 * buffers, the tracked state. Told by name, once a definition. Pure, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_ROLES_H
#define GPUDUMPFS_APITRACE_ROLES_H

enum apitrace_role {
    APITRACE_ROLE_NONE,
    APITRACE_GET_ERROR, /* the one without arguments */
    APITRACE_GET_STRING,

    APITRACE_CREATE_SHADER, /* type; the result is the object */
    APITRACE_SHADER_SOURCE,
    APITRACE_CREATE_PROGRAM_OF, /* glCreateShaderProgramv */
    APITRACE_PROGRAM_STRING,    /* ARB programs */
    APITRACE_NAMED_PROGRAM_STRING,
    APITRACE_SHADER_BINARY,
    APITRACE_PROGRAM_BINARY,
    APITRACE_COMPILE,
    APITRACE_LINK,
    APITRACE_USE_PROGRAM,

    APITRACE_TEX_IMAGE, /* target, level, internal format, sizes, border, format, type, pixels */
    APITRACE_TEX_SUB_IMAGE,
    APITRACE_TEX_COMPRESSED,
    APITRACE_TEX_COMPRESSED_SUB,
    APITRACE_PIXEL_STORE,
    APITRACE_ACTIVE_TEXTURE,
    APITRACE_BIND_TEXTURE,
    APITRACE_BIND_TEXTURE_UNIT,
    APITRACE_DELETE_TEXTURES,

    APITRACE_BUFFER_UPLOAD,
    APITRACE_MAPPED_WRITE, /* memcpy */
    APITRACE_READBACK,
    APITRACE_CLEAR,

    APITRACE_MAKE_CURRENT,      /* display, drawable, context */
    APITRACE_MAKE_CURRENT_READ, /* display, draw, read, context */
    APITRACE_WGL_MAKE_CURRENT,  /* device, context */
};

/* `name` ends with a NUL; `arguments` is how many the function has. */
enum apitrace_role apitrace_role_of(const char *name, unsigned arguments);

#endif
