/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/core/graphics.h"

#ifdef HAVE_VULKAN
#include "glworker/core/vulkan.h"
#endif
#include "worker/launch.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char refusal[WORKER_REASON]; /* why there are no graphics */
static bool compile_only;
static EGLDisplay display;
static EGLContext home;

static int refuse(char reason[WORKER_REASON], const char *what)
{
    snprintf(reason, WORKER_REASON, "no graphics: %s", what);
    return -ENODEV;
}

static int make_context(char reason[WORKER_REASON])
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     4,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     5,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};

    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return refuse(reason, "EGL has no surfaceless platform");
    if (!eglBindAPI(EGL_OPENGL_API))
        return refuse(reason, "EGL has no desktop OpenGL");
    home = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (home == EGL_NO_CONTEXT)
        return refuse(reason, "OpenGL 4.5 core is not available");
    return graphics_enter(reason);
}

int graphics_enter(char reason[WORKER_REASON])
{
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, home))
        return 0;
    return refuse(reason, "the context cannot be made current");
}

void *graphics_display(void)
{
    return display;
}

/* Sets the GL state that never changes. */
static void set_defaults(void)
{
    GLuint vertices;

    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    glDisable(GL_DITHER);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    /* Not with the origin at the top, which would lose D3D's fill rule (worker.md 5.1). */
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    glEnable(GL_PROGRAM_POINT_SIZE);
}

static int bring_up(void)
{
    int status;

#ifdef HAVE_VULKAN
    if (getenv(LAUNCH_VULKAN) != NULL)
        return vulkan_load(refusal);
#endif
    status = make_context(refusal);
    if (status < 0)
        return status;
    set_defaults();
    compile_only = getenv(LAUNCH_COMPILE_ONLY) != NULL;
    /* Makes the driver load now whatever it loads lazily. */
    graphics_failed();
    glFinish();
    return 0;
}

int graphics_start(char reason[WORKER_REASON])
{
    static bool tried;
    static int status;

    if (!tried)
        status = bring_up();
    tried = true;
    if (status < 0)
        memcpy(reason, refusal, WORKER_REASON);
    return status;
}

bool graphics_is_compile_only(void)
{
    return compile_only;
}

const char *graphics_renderer(void)
{
    const char *name = (const char *)glGetString(GL_RENDERER);

    return name == NULL ? "" : name;
}

bool graphics_failed(void)
{
    bool failed = false;

    /* Several errors may be pending; a lost context reports errors without end. */
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++)
        failed = true;
    return failed;
}

/* Stores the first line of the driver's log as the reason. */
static void quote_program(GLuint program, char reason[WORKER_REASON])
{
    char log[250] = "";

    glGetProgramInfoLog(program, sizeof(log), NULL, log);
    log[strcspn(log, "\n")] = '\0';
    snprintf(reason, WORKER_REASON, "the driver refuses it: %s", log);
}

static void quote_shader(GLuint shader, char reason[WORKER_REASON])
{
    char log[250] = "";

    glGetShaderInfoLog(shader, sizeof(log), NULL, log);
    log[strcspn(log, "\n")] = '\0';
    snprintf(reason, WORKER_REASON, "the driver refuses it: %s", log);
}

static GLuint compile(GLenum stage, const char *text, char reason[WORKER_REASON])
{
    GLuint shader = glCreateShader(stage);
    GLint done = GL_FALSE;

    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    quote_shader(shader, reason);
    glDeleteShader(shader);
    return 0;
}

static GLuint link_program(GLuint program, char reason[WORKER_REASON])
{
    GLint done = GL_FALSE;

    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done)
        return program;
    quote_program(program, reason);
    glDeleteProgram(program);
    return 0;
}

GLuint graphics_stage(GLenum stage, const char *text, char reason[WORKER_REASON])
{
    GLuint shader = compile(stage, text, reason), program;

    if (shader == 0)
        return 0;
    program = glCreateProgram();
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(program, shader);
    program = link_program(program, reason);
    glDeleteShader(shader);
    return program;
}

GLuint graphics_program(const char *vertex, const char *fragment, const char *const *attributes,
                        unsigned attribute_count, char reason[WORKER_REASON])
{
    GLuint first = compile(GL_VERTEX_SHADER, vertex, reason), second = 0, program = 0;

    if (first != 0)
        second = compile(GL_FRAGMENT_SHADER, fragment, reason);
    if (second != 0) {
        program = glCreateProgram();
        glAttachShader(program, first);
        glAttachShader(program, second);
        for (unsigned i = 0; i < attribute_count; i++)
            glBindAttribLocation(program, i, attributes[i]);
        program = link_program(program, reason);
    }
    glDeleteShader(first);
    glDeleteShader(second);
    return program;
}
