/*
 * What a GL function does to what the mount shows besides calls: shaders, textures,
 * buffers, the tracked state. Told by name, once a definition. Pure, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_GL_SEMANTICS_H
#define GPUDUMPFS_APITRACE_DECODE_GL_SEMANTICS_H

enum apitrace_gl_semantic {
    APITRACE_SEMANTIC_NONE,
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
    APITRACE_TEX_STORAGE,
    APITRACE_GENERATE_MIPMAP,
    APITRACE_PIXEL_STORE,
    APITRACE_ACTIVE_TEXTURE,
    APITRACE_BIND_TEXTURE,
    APITRACE_BIND_TEXTURE_UNIT,
    APITRACE_DELETE_TEXTURES,

    APITRACE_BUFFER_UPLOAD,
    APITRACE_MAPPED_WRITE, /* memcpy */
    APITRACE_READBACK,
    APITRACE_CLEAR_BUFFER, /* glClearBuffer… */

    /* What is current, and what of its state decides what is drawn where (context_state.h). */
    APITRACE_MAKE_CURRENT,          /* display, drawable, context */
    APITRACE_MAKE_CURRENT_READ,     /* display, draw, read, context */
    APITRACE_WGL_MAKE_CURRENT,      /* device, context */
    APITRACE_WGL_MAKE_CURRENT_READ, /* draw, read, context */
    APITRACE_CGL_MAKE_CURRENT,      /* context; the result is an error */
    APITRACE_CREATE_CONTEXT,        /* the result is the context */
    APITRACE_CGL_CREATE_CONTEXT,    /* the third argument is */
    APITRACE_BIND_FRAMEBUFFER,
    APITRACE_DELETE_FRAMEBUFFERS,
    APITRACE_ENABLE,
    APITRACE_DISABLE,
    APITRACE_SCISSOR,
    APITRACE_SCISSOR_ARRAY,
    APITRACE_COLOR_MASK,
    APITRACE_COLOR_MASK_INDEXED,
    APITRACE_DEPTH_MASK,
    APITRACE_STENCIL_MASK,
    APITRACE_STENCIL_MASK_SEPARATE,
    APITRACE_DRAW_BUFFER,
    APITRACE_DRAW_BUFFERS,
    APITRACE_DRAW_BUFFER_NAMED,
    APITRACE_PUSH_ATTRIBUTES,
    APITRACE_POP_ATTRIBUTES,
    APITRACE_NEW_LIST,
    APITRACE_END_LIST,
    APITRACE_CALL_LIST,

    /* What tells how large drawables are (drawables.h), and what reads them (presentation.h). */
    APITRACE_CLEAR, /* glClear */
    APITRACE_CREATE_DRAWABLE,
    APITRACE_CONFIG,      /* tells how many samples drawables have (samples.h) */
    APITRACE_PBUFFER_DC,  /* the result is another name of a pbuffer */
    APITRACE_SWAP_FIRST,  /* the first argument is the drawable … */
    APITRACE_SWAP_SECOND, /* … or the second one */
    APITRACE_VIEWPORT,
    APITRACE_VIEWPORT_ARRAY,
    APITRACE_VIEWPORT_INDEXED,
    APITRACE_VIEWPORT_INDEXED_V,
    APITRACE_BLIT,
    APITRACE_BLIT_NAMED,
    APITRACE_COPY,       /* from the framebuffer */
    APITRACE_COPY_IMAGE, /* the same, as all of a level */
    APITRACE_READ_PIXELS,
    APITRACE_BIND_BUFFER_INDEXED,
    APITRACE_ATTACH, /* to a framebuffer object (targets.h) */
    APITRACE_BIND_RENDERBUFFER,
    APITRACE_RENDERBUFFER_STORAGE,
    APITRACE_UNSAFE, /* what is drawn may come back otherwise */
};

/* `name` ends with a NUL; `arguments` is how many the function has. */
enum apitrace_gl_semantic apitrace_gl_semantic_of(const char *name, unsigned arguments);

#endif
