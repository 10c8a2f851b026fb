/* SPDX-License-Identifier: MIT */
/*
 * What functions do, by their names: one table, gl_calls.tsv, turned into C at build time, with a
 * row for each function that the index, the views or the replay treat specially. It is searched
 * once per definition, which takes microseconds. All functions except apitrace_classes_prepare()
 * are pure. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_GL_CALLS_H
#define GPUDUMPFS_APITRACE_DECODE_GL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes (apitrace.md 3.3), each with a letter. */
enum apitrace_class {
    APITRACE_VERBOSE = 1,       /* V: hidden by default */
    APITRACE_NO_EFFECT = 2,     /* N */
    APITRACE_END_FRAME = 4,     /* E */
    APITRACE_RENDER_TARGET = 8, /* T */
    APITRACE_RENDER = 16,       /* R */
    APITRACE_MARKER = 32,       /* M */
    APITRACE_PUSH = 64,         /* + */
    APITRACE_POP = 128,         /* - */
    APITRACE_FULL_GL = 256,     /* G, never shown: OpenGL ES has no such function */
};

/* Why calls of a function are followed; bits of its semantic. */
enum apitrace_topic {
    APITRACE_OF_SHADERS = 0x100,  /* they hand over shaders (shader_index.c) */
    APITRACE_OF_TEXTURES = 0x200, /* they upload textures (texture_index.c) */
    APITRACE_OF_CONTEXT = 0x400,  /* they change what is current, and its state (context_state.h) */
    APITRACE_OF_TARGETS = 0x800,  /* they attach to framebuffer objects (draw_targets.c) */
    APITRACE_OF_FRAMES = 0x1000,  /* they make, draw on or read drawables (presentation.h) */
    APITRACE_OF_RESOURCES = 0x2000, /* they make Direct3D resources (d3d_index.c) */
};

/*
 * What a function does. In brackets: what a row has in `arguments` (struct apitrace_gl_call), in
 * this order. These are numbers of arguments, except for an attribute, which is an enumerator.
 */
enum apitrace_gl_semantic {
    APITRACE_SEMANTIC_NONE,
    APITRACE_GET_ERROR, /* only the variant without arguments */
    APITRACE_GET_STRING,
    APITRACE_COMPILE,
    APITRACE_LINK,
    APITRACE_USE_PROGRAM,
    APITRACE_BUFFER_UPLOAD,
    APITRACE_MAPPED_WRITE, /* memcpy */
    APITRACE_READBACK,
    APITRACE_CLEAR_BUFFER,  /* glClearBuffer… */
    APITRACE_TELLS,         /* its result is requested from the driver again during the replay */
    APITRACE_BEGIN_QUERY,   /* [target] */
    APITRACE_BEGIN_CAPTURE, /* transform feedback */
    APITRACE_END_CAPTURE,

    APITRACE_CREATE_SHADER = APITRACE_OF_SHADERS, /* has a type; the result is the object */
    APITRACE_SHADER_SOURCE,
    APITRACE_CREATE_PROGRAM_OF, /* glCreateShaderProgramv */
    APITRACE_PROGRAM_STRING,    /* ARB programs */
    APITRACE_NAMED_PROGRAM_STRING,
    APITRACE_SHADER_BINARY,
    APITRACE_PROGRAM_BINARY,
    APITRACE_CREATE_D3D_SHADER, /* of Direct3D 8 to 11: arguments are found by name */

    /* target, level, internal format, sizes, border, format, type, pixels */
    APITRACE_TEX_IMAGE = APITRACE_OF_TEXTURES,
    APITRACE_TEX_SUB_IMAGE,
    APITRACE_TEX_COMPRESSED,
    APITRACE_TEX_COMPRESSED_SUB,
    APITRACE_TEX_STORAGE,
    APITRACE_GENERATE_MIPMAP,
    APITRACE_TEX_PARAMETER,
    APITRACE_PIXEL_STORE,
    APITRACE_BIND_TEXTURE,
    APITRACE_BIND_TEXTURE_UNIT,
    APITRACE_BIND_TEXTURES,
    APITRACE_CREATE_TEXTURES,
    APITRACE_TEXTURE_VIEW,
    APITRACE_DELETE_TEXTURES,
    APITRACE_PUSH_CLIENT_ATTRIBUTES,
    APITRACE_POP_CLIENT_ATTRIBUTES,
    APITRACE_ACTIVE_TEXTURE = APITRACE_OF_TEXTURES | APITRACE_OF_CONTEXT,
    APITRACE_PUSH_ATTRIBUTES,
    APITRACE_POP_ATTRIBUTES,
    APITRACE_NEW_LIST,
    APITRACE_END_LIST,
    APITRACE_MAKE_CURRENT,     /* [draw, read, context] */
    APITRACE_CGL_MAKE_CURRENT, /* the same, but the result is an error code */
    APITRACE_COPY_IMAGE = APITRACE_OF_TEXTURES | APITRACE_OF_FRAMES, /* of a complete level */

    APITRACE_BIND_FRAMEBUFFER = APITRACE_OF_CONTEXT,
    APITRACE_ENABLE,
    APITRACE_DISABLE,
    APITRACE_SCISSOR,
    APITRACE_SCISSOR_ARRAY,
    APITRACE_COLOR_MASK,
    APITRACE_COLOR_MASK_INDEXED,
    APITRACE_DEPTH_MASK,
    APITRACE_STENCIL_MASK,
    APITRACE_STENCIL_MASK_SEPARATE,
    APITRACE_CALL_LIST,
    APITRACE_DELETE_FRAMEBUFFERS = APITRACE_OF_CONTEXT | APITRACE_OF_TARGETS,
    APITRACE_DRAW_BUFFER,
    APITRACE_DRAW_BUFFERS,
    APITRACE_DRAW_BUFFER_NAMED,
    /* [configuration, context] */
    APITRACE_CREATE_CONTEXT = APITRACE_OF_CONTEXT | APITRACE_OF_FRAMES | APITRACE_OF_TEXTURES,

    APITRACE_ATTACH = APITRACE_OF_TARGETS,
    APITRACE_BIND_RENDERBUFFER,
    APITRACE_RENDERBUFFER_STORAGE,
    APITRACE_CREATE_IMAGE, /* an EGLImage; the result is its handle */
    APITRACE_RENDERBUFFER_IMAGE,

    APITRACE_CREATE_DRAWABLE = APITRACE_OF_FRAMES, /* [configuration, drawable] */
    APITRACE_PBUFFER_DC,                           /* the result is another name of a pbuffer */
    APITRACE_CHOOSE_CONFIG,  /* [requests, chosen configurations, attribute for the samples] */
    APITRACE_REPORT_CONFIG,  /* [configuration, value, attribute] */
    APITRACE_CONVERT_CONFIG, /* [from, to] */
    APITRACE_SET_CONFIG,     /* [configuration, drawable] */
    APITRACE_SWAP,           /* [drawable] */
    APITRACE_VIEWPORT,
    APITRACE_VIEWPORT_ARRAY,
    APITRACE_VIEWPORT_INDEXED,
    APITRACE_VIEWPORT_INDEXED_V,
    APITRACE_CLEAR, /* glClear */
    APITRACE_BLIT,
    APITRACE_BLIT_NAMED,  /* [framebuffer that is drawn on] */
    APITRACE_CLEAR_NAMED, /* glClearNamedFramebuffer… [framebuffer] */
    APITRACE_COPY,        /* from the framebuffer */
    APITRACE_READ_PIXELS,
    APITRACE_BIND_BUFFER_INDEXED,
    APITRACE_UNSAFE, /* later calls may read what is drawn in ways that are not followed */

    APITRACE_CREATE_D3D_RESOURCE = APITRACE_OF_RESOURCES, /* arguments are found by name */
    APITRACE_UPDATE_D3D_RESOURCE,
    APITRACE_MAP_D3D_RESOURCE,
    APITRACE_UNMAP_D3D_RESOURCE,
    APITRACE_COPY_D3D_RESOURCE,
    APITRACE_GET_D3D_SURFACE, /* a level of a texture */
};

/* Enumerators that several modules that follow calls need. */
enum {
    APITRACE_GL_COMPILE = 0x1300, /* mode of glNewList(): calls are not executed */
    APITRACE_GL_TEXTURE0 = 0x84C0,
    APITRACE_GL_READ_FRAMEBUFFER = 0x8CA8,
};

/* How state.txt shows a call that sets something. */
enum apitrace_state_shape {
    APITRACE_STATE_PLAIN,    /* with all its arguments as the value */
    APITRACE_STATE_SELECTED, /* the first argument is part of the key */
    APITRACE_STATE_ON,       /* the first argument is the key, and the value is yes */
    APITRACE_STATE_OFF,      /* the first argument is the key, and the value is no */
    APITRACE_STATE_UNIT,     /* as APITRACE_STATE_SELECTED, with the active texture unit */
};

#define APITRACE_RESULT UINT32_MAX /* instead of the number of an argument */

struct apitrace_gl_call {
    const char *name;
    uint16_t classes;  /* of exactly this name */
    uint16_t semantic; /* enum apitrace_gl_semantic */
    uint8_t shape;     /* enum apitrace_state_shape */
    const char *state; /* key in state.txt of what it sets; NULL if state.txt does not show it */
    uint32_t arguments[3]; /* as the semantic has in brackets; APITRACE_RESULT: the result */
};

/* The table, sorted by name. */
extern const struct apitrace_gl_call apitrace_gl_calls[];
extern const size_t apitrace_gl_call_count;

/*
 * Returns the row with the semantic of a function, with or without the suffix of an extension. If
 * there is none, returns an empty row, never NULL. As in all of these functions, `name` ends with a
 * NUL and `arguments` is the number of the function's arguments.
 */
const struct apitrace_gl_call *apitrace_gl_call_find(const char *name, unsigned arguments);

/*
 * Returns the row with the state that the function sets, which also serves its ARB, EXT and OES
 * variants; NULL if it sets none.
 */
const struct apitrace_gl_call *apitrace_gl_state_find(const char *name, unsigned arguments);

/*
 * Compiles the patterns. Must be called before the first apitrace_classify(); calling it again is
 * harmless. Returns 0 or -ENOMEM.
 */
int apitrace_classes_prepare(void);

/* Gets the classes of a function. Returns 0 or -ENOMEM. */
int apitrace_classify(const char *name, unsigned *classes);

/* Returns the letters of a set of classes, "-" for none, in `letters`. */
const char *apitrace_class_letters(unsigned classes, char letters[9]);

/* The library whose calls a trace contains, according to the first function that shows it. */
enum apitrace_api { APITRACE_UNKNOWN, APITRACE_GLX, APITRACE_EGL, APITRACE_D3D };

enum apitrace_api apitrace_api_of(const char *name);
const char *apitrace_api_name(enum apitrace_api api);

#endif
