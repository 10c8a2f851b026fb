/*
 * Mipmaps that the driver makes. A process that draws no pixels (worker.md 4.3) has no use for
 * theirs, but the driver would compile shaders of its own to draw them, and those go to no
 * database. So their levels are given storage and nothing else: what there is of a texture
 * decides which shaders it is sampled by. Textures of two dimensions in desktop OpenGL; of
 * others the driver makes them as ever.
 */
#include "config.h"

#include "glworker/retrace.h"

enum {
    GENERATE_MIPMAP = 0x8191, /* GL_GENERATE_MIPMAP, of compatibility profiles */
    LEVELS_MOST = 16,
};

static bool is_ours(const struct retrace *retrace, const struct retrace_call *call)
{
    return graphics_is_blind() && !retrace_context(retrace)->es &&
           retrace_integer(call, 0) == GL_TEXTURE_2D;
}

static GLint level_is(GLint level, GLenum what)
{
    GLint value = 0;

    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, what, &value);
    return value;
}

/* Storage for the levels below the first one, by images of the same kind. */
static void give_levels(GLenum format, GLenum type)
{
    const GLint internal = level_is(0, GL_TEXTURE_INTERNAL_FORMAT);
    GLint width = level_is(0, GL_TEXTURE_WIDTH), height = level_is(0, GL_TEXTURE_HEIGHT);

    for (GLint level = 1; level < LEVELS_MOST && (width > 1 || height > 1); level++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        glTexImage2D(GL_TEXTURE_2D, level, internal, width, height, 0, format, type, NULL);
    }
}

void retrace_mipmap_before(struct retrace *retrace, const struct retrace_call *call)
{
    GLint generates = 0;

    retrace->ungenerated = false;
    if (!is_ours(retrace, call) || retrace_context(retrace)->wish.core)
        return;
    glGetTexParameteriv(GL_TEXTURE_2D, GENERATE_MIPMAP, &generates);
    if (generates == 0)
        return;
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 0);
    retrace->ungenerated = true;
}

void retrace_mipmap_after(struct retrace *retrace, const struct retrace_call *call, GLenum format,
                          GLenum type)
{
    if (!retrace->ungenerated)
        return;
    /* With a buffer bound, no pixels would be those from its beginning on. */
    if (format != 0 && retrace_integer(call, 1) == 0 &&
        retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) == 0)
        give_levels(format, type);
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 1);
    retrace->ungenerated = false;
}

enum retrace_outcome retrace_mipmap_generate(struct retrace *retrace, struct retrace_call *call)
{
    if (!is_ours(retrace, call) || level_is(0, GL_TEXTURE_DEPTH_SIZE) > 0 ||
        retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) != 0)
        return RETRACE_GO_ON;
    if (level_is(1, GL_TEXTURE_WIDTH) == 0)
        give_levels(GL_RGBA, GL_UNSIGNED_BYTE);
    return RETRACE_MADE;
}
