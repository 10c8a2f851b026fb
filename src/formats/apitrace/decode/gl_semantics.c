#include "formats/apitrace/decode/gl_semantics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Without the suffix that an extension gives its functions. */
static const struct row {
    const char *name;
    enum apitrace_gl_semantic semantic;
} rows[] = {
    {"glAccum", APITRACE_UNSAFE},
    {"glActiveTexture", APITRACE_ACTIVE_TEXTURE},
    {"glBeginConditionalRender", APITRACE_UNSAFE},
    {"glBindBufferBase", APITRACE_BIND_BUFFER_INDEXED},
    {"glBindBufferRange", APITRACE_BIND_BUFFER_INDEXED},
    {"glBindBuffersBase", APITRACE_BIND_BUFFER_INDEXED},
    {"glBindBuffersRange", APITRACE_BIND_BUFFER_INDEXED},
    {"glBindFramebuffer", APITRACE_BIND_FRAMEBUFFER},
    {"glBindImageTexture", APITRACE_UNSAFE},
    {"glBindImageTextures", APITRACE_UNSAFE},
    {"glBindRenderbuffer", APITRACE_BIND_RENDERBUFFER},
    {"glBindTexture", APITRACE_BIND_TEXTURE},
    {"glBindTextureUnit", APITRACE_BIND_TEXTURE_UNIT},
    {"glBlitFramebuffer", APITRACE_BLIT},
    {"glBlitNamedFramebuffer", APITRACE_BLIT_NAMED},
    {"glBufferData", APITRACE_BUFFER_UPLOAD},
    {"glBufferStorage", APITRACE_BUFFER_UPLOAD},
    {"glBufferSubData", APITRACE_BUFFER_UPLOAD},
    {"glCallList", APITRACE_CALL_LIST},
    {"glCallLists", APITRACE_CALL_LIST},
    {"glClear", APITRACE_CLEAR},
    {"glClearBufferfi", APITRACE_CLEAR_BUFFER},
    {"glClearBufferfv", APITRACE_CLEAR_BUFFER},
    {"glClearBufferiv", APITRACE_CLEAR_BUFFER},
    {"glClearBufferuiv", APITRACE_CLEAR_BUFFER},
    {"glColorMask", APITRACE_COLOR_MASK},
    {"glColorMaskIndexed", APITRACE_COLOR_MASK_INDEXED},
    {"glColorMaski", APITRACE_COLOR_MASK_INDEXED},
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
    {"glCopyColorSubTable", APITRACE_COPY},
    {"glCopyColorTable", APITRACE_COPY},
    {"glCopyConvolutionFilter1D", APITRACE_COPY},
    {"glCopyConvolutionFilter2D", APITRACE_COPY},
    {"glCopyMultiTexImage1D", APITRACE_COPY},
    {"glCopyMultiTexImage2D", APITRACE_COPY},
    {"glCopyMultiTexSubImage1D", APITRACE_COPY},
    {"glCopyMultiTexSubImage2D", APITRACE_COPY},
    {"glCopyMultiTexSubImage3D", APITRACE_COPY},
    {"glCopyPixels", APITRACE_COPY},
    {"glCopyTexImage1D", APITRACE_COPY_IMAGE},
    {"glCopyTexImage2D", APITRACE_COPY_IMAGE},
    {"glCopyTexSubImage1D", APITRACE_COPY},
    {"glCopyTexSubImage2D", APITRACE_COPY},
    {"glCopyTexSubImage3D", APITRACE_COPY},
    {"glCopyTextureImage1D", APITRACE_COPY_IMAGE},
    {"glCopyTextureImage2D", APITRACE_COPY_IMAGE},
    {"glCopyTextureSubImage1D", APITRACE_COPY},
    {"glCopyTextureSubImage2D", APITRACE_COPY},
    {"glCopyTextureSubImage3D", APITRACE_COPY},
    {"glCreateShader", APITRACE_CREATE_SHADER},
    {"glCreateShaderObject", APITRACE_CREATE_SHADER},
    {"glCreateShaderProgramv", APITRACE_CREATE_PROGRAM_OF},
    {"glDeleteFramebuffers", APITRACE_DELETE_FRAMEBUFFERS},
    {"glDeleteTextures", APITRACE_DELETE_TEXTURES},
    {"glDepthMask", APITRACE_DEPTH_MASK},
    {"glDisable", APITRACE_DISABLE},
    {"glDisableIndexed", APITRACE_DISABLE},
    {"glDisablei", APITRACE_DISABLE},
    {"glDrawBuffer", APITRACE_DRAW_BUFFER},
    {"glDrawBuffers", APITRACE_DRAW_BUFFERS},
    {"glEnable", APITRACE_ENABLE},
    {"glEnableIndexed", APITRACE_ENABLE},
    {"glEnablei", APITRACE_ENABLE},
    {"glEndList", APITRACE_END_LIST},
    {"glFramebufferDrawBuffer", APITRACE_DRAW_BUFFER_NAMED},
    {"glFramebufferDrawBuffers", APITRACE_DRAW_BUFFER_NAMED},
    {"glFramebufferRenderbuffer", APITRACE_ATTACH},
    {"glFramebufferTexture", APITRACE_ATTACH},
    {"glFramebufferTexture1D", APITRACE_ATTACH},
    {"glFramebufferTexture2D", APITRACE_ATTACH},
    {"glFramebufferTexture2DMultisample", APITRACE_ATTACH},
    {"glFramebufferTexture3D", APITRACE_ATTACH},
    {"glFramebufferTextureLayer", APITRACE_ATTACH},
    {"glGenerateMipmap", APITRACE_GENERATE_MIPMAP},
    {"glGenerateTextureMipmap", APITRACE_GENERATE_MIPMAP},
    {"glGetBufferSubData", APITRACE_READBACK},
    {"glGetCompressedTexImage", APITRACE_READBACK},
    {"glGetCompressedTextureImage", APITRACE_READBACK},
    {"glGetError", APITRACE_GET_ERROR},
    {"glGetNamedBufferSubData", APITRACE_READBACK},
    {"glGetQueryBufferObjecti64v", APITRACE_UNSAFE},
    {"glGetQueryBufferObjectiv", APITRACE_UNSAFE},
    {"glGetQueryBufferObjectui64v", APITRACE_UNSAFE},
    {"glGetQueryBufferObjectuiv", APITRACE_UNSAFE},
    {"glGetString", APITRACE_GET_STRING},
    {"glGetTexImage", APITRACE_READBACK},
    {"glGetTextureImage", APITRACE_READBACK},
    {"glGetTextureSubImage", APITRACE_READBACK},
    {"glLinkProgram", APITRACE_LINK},
    {"glMakeImageHandleResident", APITRACE_UNSAFE},
    {"glNamedBufferData", APITRACE_BUFFER_UPLOAD},
    {"glNamedBufferStorage", APITRACE_BUFFER_UPLOAD},
    {"glNamedBufferSubData", APITRACE_BUFFER_UPLOAD},
    {"glNamedFramebufferDrawBuffer", APITRACE_DRAW_BUFFER_NAMED},
    {"glNamedFramebufferDrawBuffers", APITRACE_DRAW_BUFFER_NAMED},
    {"glNamedFramebufferRenderbuffer", APITRACE_ATTACH},
    {"glNamedFramebufferTexture", APITRACE_ATTACH},
    {"glNamedFramebufferTexture1D", APITRACE_ATTACH},
    {"glNamedFramebufferTexture2D", APITRACE_ATTACH},
    {"glNamedFramebufferTexture3D", APITRACE_ATTACH},
    {"glNamedFramebufferTextureLayer", APITRACE_ATTACH},
    {"glNamedProgramString", APITRACE_NAMED_PROGRAM_STRING},
    {"glNamedRenderbufferStorage", APITRACE_RENDERBUFFER_STORAGE},
    {"glNamedRenderbufferStorageMultisample", APITRACE_RENDERBUFFER_STORAGE},
    {"glNewList", APITRACE_NEW_LIST},
    {"glPixelStoref", APITRACE_PIXEL_STORE},
    {"glPixelStorei", APITRACE_PIXEL_STORE},
    {"glPopAttrib", APITRACE_POP_ATTRIBUTES},
    {"glProgramBinary", APITRACE_PROGRAM_BINARY},
    {"glProgramString", APITRACE_PROGRAM_STRING},
    {"glPushAttrib", APITRACE_PUSH_ATTRIBUTES},
    {"glReadPixels", APITRACE_READ_PIXELS},
    {"glReadnPixels", APITRACE_READ_PIXELS},
    {"glRenderbufferStorage", APITRACE_RENDERBUFFER_STORAGE},
    {"glRenderbufferStorageMultisample", APITRACE_RENDERBUFFER_STORAGE},
    {"glScissor", APITRACE_SCISSOR},
    {"glScissorArrayv", APITRACE_SCISSOR_ARRAY},
    {"glScissorIndexed", APITRACE_SCISSOR_ARRAY},
    {"glScissorIndexedv", APITRACE_SCISSOR_ARRAY},
    {"glShaderBinary", APITRACE_SHADER_BINARY},
    {"glShaderSource", APITRACE_SHADER_SOURCE},
    {"glStencilMask", APITRACE_STENCIL_MASK},
    {"glStencilMaskSeparate", APITRACE_STENCIL_MASK_SEPARATE},
    {"glTexImage1D", APITRACE_TEX_IMAGE},
    {"glTexImage2D", APITRACE_TEX_IMAGE},
    {"glTexImage3D", APITRACE_TEX_IMAGE},
    {"glTexStorage1D", APITRACE_TEX_STORAGE},
    {"glTexStorage2D", APITRACE_TEX_STORAGE},
    {"glTexStorage3D", APITRACE_TEX_STORAGE},
    {"glTexSubImage1D", APITRACE_TEX_SUB_IMAGE},
    {"glTexSubImage2D", APITRACE_TEX_SUB_IMAGE},
    {"glTexSubImage3D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureImage1D", APITRACE_TEX_IMAGE},
    {"glTextureImage2D", APITRACE_TEX_IMAGE},
    {"glTextureImage3D", APITRACE_TEX_IMAGE},
    {"glTextureStorage1D", APITRACE_TEX_STORAGE},
    {"glTextureStorage2D", APITRACE_TEX_STORAGE},
    {"glTextureStorage3D", APITRACE_TEX_STORAGE},
    {"glTextureSubImage1D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureSubImage2D", APITRACE_TEX_SUB_IMAGE},
    {"glTextureSubImage3D", APITRACE_TEX_SUB_IMAGE},
    {"glUseProgram", APITRACE_USE_PROGRAM},
    {"glUseProgramObject", APITRACE_USE_PROGRAM},
    {"glViewport", APITRACE_VIEWPORT},
    {"glViewportArrayv", APITRACE_VIEWPORT_ARRAY},
    {"glViewportIndexedf", APITRACE_VIEWPORT_INDEXED},
    {"glViewportIndexedfv", APITRACE_VIEWPORT_INDEXED_V},
};

/* What is no GL function. */
static const struct row others[] = {
    {"CGLChoosePixelFormat", APITRACE_CONFIG},
    {"CGLCreateContext", APITRACE_CGL_CREATE_CONTEXT},
    {"CGLFlushDrawable", APITRACE_SWAP_FIRST},
    {"CGLSetCurrentContext", APITRACE_CGL_MAKE_CURRENT},
    {"SetPixelFormat", APITRACE_CONFIG},
    {"eglBindTexImage", APITRACE_UNSAFE},
    {"eglChooseConfig", APITRACE_CONFIG},
    {"eglCreateContext", APITRACE_CREATE_CONTEXT},
    {"eglCreatePbufferFromClientBuffer", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePbufferSurface", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePixmapSurface", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePlatformPixmapSurface", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePlatformPixmapSurfaceEXT", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePlatformWindowSurface", APITRACE_CREATE_DRAWABLE},
    {"eglCreatePlatformWindowSurfaceEXT", APITRACE_CREATE_DRAWABLE},
    {"eglCreateWindowSurface", APITRACE_CREATE_DRAWABLE},
    {"eglGetConfigAttrib", APITRACE_CONFIG},
    {"eglMakeCurrent", APITRACE_MAKE_CURRENT_READ},
    {"eglSwapBuffers", APITRACE_SWAP_SECOND},
    {"eglSwapBuffersWithDamageEXT", APITRACE_SWAP_SECOND},
    {"eglSwapBuffersWithDamageKHR", APITRACE_SWAP_SECOND},
    {"glXBindTexImageEXT", APITRACE_UNSAFE},
    {"glXChooseFBConfig", APITRACE_CONFIG},
    {"glXChooseFBConfigSGIX", APITRACE_CONFIG},
    {"glXChooseVisual", APITRACE_CONFIG},
    {"glXCreateContext", APITRACE_CREATE_CONTEXT},
    {"glXCreateContextAttribsARB", APITRACE_CREATE_CONTEXT},
    {"glXCreateContextWithConfigSGIX", APITRACE_CREATE_CONTEXT},
    {"glXCreateGLXPbufferSGIX", APITRACE_CREATE_DRAWABLE},
    {"glXCreateGLXPixmap", APITRACE_CREATE_DRAWABLE},
    {"glXCreateNewContext", APITRACE_CREATE_CONTEXT},
    {"glXCreatePbuffer", APITRACE_CREATE_DRAWABLE},
    {"glXCreatePixmap", APITRACE_CREATE_DRAWABLE},
    {"glXCreateWindow", APITRACE_CREATE_DRAWABLE},
    {"glXGetConfig", APITRACE_CONFIG},
    {"glXGetFBConfigAttrib", APITRACE_CONFIG},
    {"glXGetFBConfigAttribSGIX", APITRACE_CONFIG},
    {"glXGetVisualFromFBConfig", APITRACE_CONFIG},
    {"glXGetVisualFromFBConfigSGIX", APITRACE_CONFIG},
    {"glXMakeContextCurrent", APITRACE_MAKE_CURRENT_READ},
    {"glXMakeCurrent", APITRACE_MAKE_CURRENT},
    {"glXMakeCurrentReadSGI", APITRACE_MAKE_CURRENT_READ},
    {"glXSwapBuffers", APITRACE_SWAP_SECOND},
    {"glXSwapBuffersMscOML", APITRACE_SWAP_SECOND},
    {"memcpy", APITRACE_MAPPED_WRITE},
    {"wglBindTexImageARB", APITRACE_UNSAFE},
    {"wglChoosePixelFormatARB", APITRACE_CONFIG},
    {"wglChoosePixelFormatEXT", APITRACE_CONFIG},
    {"wglCreateContext", APITRACE_CREATE_CONTEXT},
    {"wglCreateContextAttribsARB", APITRACE_CREATE_CONTEXT},
    {"wglCreateLayerContext", APITRACE_CREATE_CONTEXT},
    {"wglCreatePbufferARB", APITRACE_CREATE_DRAWABLE},
    {"wglCreatePbufferEXT", APITRACE_CREATE_DRAWABLE},
    {"wglGetPbufferDCARB", APITRACE_PBUFFER_DC},
    {"wglGetPbufferDCEXT", APITRACE_PBUFFER_DC},
    {"wglMakeContextCurrentARB", APITRACE_WGL_MAKE_CURRENT_READ},
    {"wglMakeContextCurrentEXT", APITRACE_WGL_MAKE_CURRENT_READ},
    {"wglMakeCurrent", APITRACE_WGL_MAKE_CURRENT},
    {"wglSetPixelFormat", APITRACE_CONFIG},
    {"wglSwapBuffers", APITRACE_SWAP_FIRST},
    {"wglSwapLayerBuffers", APITRACE_SWAP_FIRST},
};

enum { NAME_ROOM = 64 };

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct row *)row)->name);
}

static enum apitrace_gl_semantic find(const struct row *table, size_t count, const char *name)
{
    const struct row *row = bsearch(name, table, count, sizeof(*row), compare);

    return row != NULL ? row->semantic : APITRACE_SEMANTIC_NONE;
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

enum apitrace_gl_semantic apitrace_gl_semantic_of(const char *name, unsigned arguments)
{
    enum apitrace_gl_semantic semantic;
    char cut[NAME_ROOM];

    semantic = find(others, sizeof(others) / sizeof(others[0]), name);
    if (semantic != APITRACE_SEMANTIC_NONE || strncmp(name, "gl", 2) != 0 ||
        strlen(name) >= NAME_ROOM)
        return semantic;
    strcpy(cut, name);
    semantic = find(rows, sizeof(rows) / sizeof(rows[0]), cut);
    if (semantic == APITRACE_SEMANTIC_NONE && cut_suffix(cut))
        semantic = find(rows, sizeof(rows) / sizeof(rows[0]), cut);
    return semantic == APITRACE_GET_ERROR && arguments != 0 ? APITRACE_SEMANTIC_NONE : semantic;
}
