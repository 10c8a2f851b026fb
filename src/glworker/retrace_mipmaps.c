/*
 * Mipmaps that the driver makes. A process that draws no pixels (worker.md 4.3) has no use for
 * theirs, but the driver would compile shaders of its own to draw them, and those go to no
 * database. So their levels are given storage and nothing else: what there is of a texture
 * decides which shaders it is sampled by. Textures of two dimensions in desktop OpenGL, whose
 * mipmaps begin with their first level; of others the driver makes them as ever.
 */
#include "config.h"

#include "glworker/retrace.h"

enum {
    GENERATE_MIPMAP = 0x8191, /* GL_GENERATE_MIPMAP, of compatibility profiles */
    LEVELS_MOST = 16,
};

static GLint level_is(GLint level, GLenum what)
{
    GLint value = 0;

    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, what, &value);
    return value;
}

static GLint parameter_is(GLenum what)
{
    GLint value = 0;

    glGetTexParameteriv(GL_TEXTURE_2D, what, &value);
    return value;
}

/*
 * Which texture a list will find is not known while it is compiled; and with a buffer bound, no
 * pixels would be those from its beginning on.
 */
static bool is_ours(const struct retrace *retrace, const struct retrace_call *call)
{
    const struct retrace_context *context = retrace_context(retrace);

    return graphics_is_compile_only() && !context->es && !context->in_list &&
           retrace_integer(call, 0) == GL_TEXTURE_2D && parameter_is(GL_TEXTURE_BASE_LEVEL) == 0 &&
           retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING) == 0;
}

/* Storage for the levels below the first one, by images of the same kind, unless they are so. */
static void give_levels(GLenum format, GLenum type)
{
    const GLint internal = level_is(0, GL_TEXTURE_INTERNAL_FORMAT);
    GLint width = level_is(0, GL_TEXTURE_WIDTH), height = level_is(0, GL_TEXTURE_HEIGHT);

    for (GLint level = 1; level < LEVELS_MOST && (width > 1 || height > 1); level++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        if (level_is(level, GL_TEXTURE_WIDTH) != width ||
            level_is(level, GL_TEXTURE_HEIGHT) != height ||
            level_is(level, GL_TEXTURE_INTERNAL_FORMAT) != internal)
            glTexImage2D(GL_TEXTURE_2D, level, internal, width, height, 0, format, type, NULL);
    }
}

bool retrace_mipmap_hold(const struct retrace *retrace, const struct retrace_call *call)
{
    if (!is_ours(retrace, call) || retrace_context(retrace)->wish.core ||
        retrace_integer(call, 1) != 0 || parameter_is(GENERATE_MIPMAP) == 0)
        return false;
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 0);
    return true;
}

void retrace_mipmap_release(bool made, GLenum format, GLenum type)
{
    if (made)
        give_levels(format, type);
    glTexParameteri(GL_TEXTURE_2D, GENERATE_MIPMAP, 1);
}

enum retrace_outcome retrace_mipmap_generate(struct retrace *retrace, struct retrace_call *call)
{
    if (!is_ours(retrace, call) || level_is(0, GL_TEXTURE_DEPTH_SIZE) > 0)
        return RETRACE_GO_ON;
    give_levels(GL_RGBA, GL_UNSIGNED_BYTE);
    /* What cannot be given in this way is the driver's. */
    return level_is(1, GL_TEXTURE_WIDTH) > 0 ? RETRACE_MADE : RETRACE_GO_ON;
}
