/* SPDX-License-Identifier: MIT */
/*
 * State of a context and its objects that can be queried, as a constant table (state_table.c):
 * names, types, sections of state.txt, and the contexts that have it. Any thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STATE_TABLE_H
#define GPUDUMPFS_GLWORKER_GL_STATE_TABLE_H

#include "glworker/gl/functions.h"

/* What is queried: the context itself, or a kind of object. */
enum state_group {
    STATE_OF_CONTEXT,
    STATE_OF_VIEWPORT,    /* one of several, by glGetIntegeri_v() */
    STATE_OF_DRAW_BUFFER, /* one of several, in the same way */
    STATE_OF_ATTRIBUTE,
    STATE_OF_VERTEX_BINDING, /* one of several, in the same way */
    STATE_OF_IMAGE_UNIT,     /* likewise */
    STATE_OF_UNIT,
    STATE_OF_TEXTURE,
    STATE_OF_LEVEL,
    STATE_OF_SAMPLER,
    STATE_OF_BUFFER,
    STATE_OF_ATTACHMENT,
    STATE_OF_RENDERBUFFER, /* that is bound */
    STATE_OF_PROGRAM,
    STATE_OF_TEXTURE_ENV,
    STATE_OF_TEXTURE_FILTER,
    STATE_OF_POINT_SPRITE,
    STATE_OF_TEXTURE_GEN,
    STATE_OF_LIGHT,
    STATE_OF_MATERIAL,
    STATE_OF_COORDINATES, /* a fixed-function array of texture coordinates */
};

/* Sections of state.txt. */
enum state_section {
    STATE_FRAMEBUFFER,
    STATE_PROGRAM,
    STATE_VERTEX_ARRAY,
    STATE_BUFFERS,
    STATE_TEXTURES,
    STATE_VIEWPORT,
    STATE_SCISSOR,
    STATE_RASTER,
    STATE_MULTISAMPLE,
    STATE_BLEND,
    STATE_DEPTH,
    STATE_STENCIL,
    STATE_MASKS,
    STATE_CLEAR,
    STATE_PIXEL_STORE,
    STATE_FEEDBACK,
    STATE_HINTS,
    STATE_CURRENT,
    STATE_MATRICES,
    STATE_LIGHTING,
    STATE_FOG,
    STATE_TEXTURE_ENV,
    STATE_ARRAYS,
    STATE_PIXEL_TRANSFER,
    STATE_LISTS,
    STATE_SECTIONS
};

enum state_type {
    STATE_FLAG,
    STATE_ENUM,   /* 0 is GL_NONE */
    STATE_FACTOR, /* 0 is GL_ZERO, 1 is GL_ONE */
    STATE_INT,
    STATE_FLOAT,
    STATE_MASK, /* written as a hexadecimal number */
    STATE_NAME, /* of an object, in the space `names` */
};

/* The contexts that have a row's state. */
enum state_api {
    STATE_OLD = 1,  /* OpenGL, compatibility profile */
    STATE_CORE = 2, /* OpenGL, core profile */
    STATE_ES1 = 4,  /* OpenGL ES 1 */
    STATE_ES2 = 8,  /* OpenGL ES 2 and newer, for which the driver provides 3.2 */
    STATE_ES3 = 16, /* OpenGL ES for which the trace requested 3 */
    STATE_GL = STATE_OLD | STATE_CORE,
    STATE_FIXED = STATE_OLD | STATE_ES1,
    STATE_SHADED = STATE_GL | STATE_ES2,
    STATE_ANY = STATE_GL | STATE_ES1 | STATE_ES2,
};

struct state_row {
    uint32_t what; /* GLenum */
    const char *name;
    uint8_t group, section; /* enum state_group, state_section */
    uint8_t type, count;    /* enum state_type; number of values, 16 at most */
    uint8_t apis;           /* enum state_api */
    uint8_t names;          /* enum retrace_names */
};

extern const struct state_row retrace_state_rows[];
extern const size_t retrace_state_row_count;

/* Names of the sections in state.txt. */
extern const char *const retrace_state_sections[STATE_SECTIONS];

#endif
